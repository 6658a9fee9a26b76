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
	read   tenure.Seq         // the last entry that was read
	erased map[tenure.ID]bool // the ids that the log lists as erased
	bare   []tenure.Entry     // entries with a digest and without its salt
}

// check checks consecutive entries.
func (c *evidenceChecker) check(ctx context.Context, entries []tenure.Entry) error {
	c.note(entries)
	for _, e := range entries {
		if e.Digest != "" && len(e.Salt) == 0 {
			c.bare = append(c.bare, e)
		}
	}
	if !slices.ContainsFunc(entries, attests) {
		return nil
	}
	sets, err := transfer.ChangeSets(ctx, c.store, c.tenant, entries)
	missing := errors.Is(err, transfer.ErrMissing)
	if err != nil && !missing {
		return err
	}
	for i, e := range entries {
		if !attests(e) {
			continue
		}
		c.report.Attested++
		same := false
		if !missing {
			if same, err = matches(e, sets[i]); err != nil {
				return err
			}
		}
		if !same {
			if err := c.again(ctx, e.Seq); err != nil {
				return err
			}
		}
	}
	return nil
}

// note records what entries erased.
func (c *evidenceChecker) note(entries []tenure.Entry) {
	for _, e := range entries {
		for _, change := range e.Changes {
			if change.Kind == tenure.KindContentErased {
				c.erased[change.ID] = true
			}
		}
		c.read = e.Seq
	}
}

// attests reports whether an entry has a digest that can be compared.
func attests(e tenure.Entry) bool { return e.Digest != "" && len(e.Salt) > 0 }

// matches reports whether a change set has the digest of its entry.
func matches(e tenure.Entry, cs tenure.ChangeSet) (bool, error) {
	digest, err := cs.Digest(e.Salt)
	return digest == e.Digest, err
}

// again reads an entry once more and checks it alone: a server that runs beside may have erased its evidence meanwhile.
func (c *evidenceChecker) again(ctx context.Context, seq tenure.Seq) error {
	entries, err := c.store.Log(ctx, c.tenant, seq-1, 1)
	if err != nil || len(entries) == 0 || !attests(entries[0]) {
		return err
	}
	sets, err := transfer.ChangeSets(ctx, c.store, c.tenant, entries)
	if errors.Is(err, transfer.ErrMissing) {
		c.report.found("%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	same, err := matches(entries[0], sets[0])
	if err == nil && !same {
		c.report.found("the evidence of entry %d was altered: it does not have the digest in the log", seq)
	}
	return err
}

// finish checks, once the log has been read up to the view, that salts are missing only where evidence is erased. A
// server that runs beside may have erased it since: then the log says so further on.
func (c *evidenceChecker) finish(ctx context.Context) error {
	for slices.ContainsFunc(c.bare, c.whole) {
		entries, err := c.store.Log(ctx, c.tenant, c.read, page)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			break
		}
		c.note(entries)
	}
	for _, e := range c.bare {
		if c.whole(e) {
			c.report.found("entry %d has no salt for its digest, and nothing of it is erased", e.Seq)
		}
	}
	return nil
}

// whole reports whether the log lists nothing that an entry wrote as erased.
func (c *evidenceChecker) whole(e tenure.Entry) bool {
	return !slices.ContainsFunc(e.Changes, func(change tenure.EntryChange) bool { return c.erased[change.ID] })
}
