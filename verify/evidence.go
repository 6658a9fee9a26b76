package verify

import (
	"context"
	"errors"
	"slices"

	"tenure"
	"tenure/store"
	"tenure/transfer"
)

// evidenceChecker compares the evidence in the store with the digests in the log.
type evidenceChecker struct {
	report *Report
	store  store.Store
	tenant string
	erased map[tenure.ID]bool // what the log says to be erased
	bare   []tenure.Entry     // entries with a digest whose salt is gone
}

// check checks consecutive entries.
func (c *evidenceChecker) check(ctx context.Context, entries []tenure.Entry) error {
	for _, e := range entries {
		for _, change := range e.Changes {
			if change.Kind == tenure.KindContentErased {
				c.erased[change.ID] = true
			}
		}
		if e.Digest != "" && len(e.Salt) == 0 {
			c.bare = append(c.bare, e)
		}
	}
	if !slices.ContainsFunc(entries, attests) {
		return nil
	}
	sets, err := transfer.ChangeSets(ctx, c.store, c.tenant, entries)
	if errors.Is(err, transfer.ErrMissing) {
		return c.each(ctx, entries)
	}
	if err != nil {
		return err
	}
	for i, e := range entries {
		if !attests(e) {
			continue
		}
		same, err := matches(e, sets[i])
		if err == nil && !same {
			err = c.again(ctx, e)
		}
		if err != nil {
			return err
		}
		c.report.Attested++
	}
	return nil
}

// attests reports whether an entry has a digest that can be compared.
func attests(e tenure.Entry) bool { return e.Digest != "" && len(e.Salt) > 0 }

func matches(e tenure.Entry, cs tenure.ChangeSet) (bool, error) {
	digest, err := cs.Digest(e.Salt)
	return digest == e.Digest, err
}

// each checks entries one by one, of which one wrote what is not there.
func (c *evidenceChecker) each(ctx context.Context, entries []tenure.Entry) error {
	for _, e := range entries {
		if attests(e) {
			if err := c.again(ctx, e); err != nil {
				return err
			}
			c.report.Attested++
		}
	}
	return nil
}

// again checks an entry as it is now: a server that runs beside may have erased what it wrote.
func (c *evidenceChecker) again(ctx context.Context, e tenure.Entry) error {
	entries, err := c.store.Log(ctx, c.tenant, e.Seq-1, 1)
	if err != nil {
		return err
	}
	if len(entries) == 0 || !attests(entries[0]) {
		return nil
	}
	sets, err := transfer.ChangeSets(ctx, c.store, c.tenant, entries[:1])
	if errors.Is(err, transfer.ErrMissing) {
		c.report.found("%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	same, err := matches(entries[0], sets[0])
	if err == nil && !same {
		c.report.found("the evidence of entry %d was altered: it does not have the digest in the log", e.Seq)
	}
	return err
}

// finish checks, once the whole log has been read, that a salt is gone only where evidence was erased.
func (c *evidenceChecker) finish() {
	for _, e := range c.bare {
		if !slices.ContainsFunc(e.Changes, func(change tenure.EntryChange) bool { return c.erased[change.ID] }) {
			c.report.found("entry %d has no salt for its digest, and nothing of it is erased", e.Seq)
		}
	}
}
