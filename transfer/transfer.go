package transfer

import (
	"context"
	"errors"
	"slices"

	"tenure"
	"tenure/store"
)

// entriesAtOnce is the number of entries that are read, and written, together.
const entriesAtOnce = 100

// keptAtOnce is the number of compilations that are read together.
const keptAtOnce = 50

// Stats counts what the target has of a tenant.
type Stats struct {
	Entries, Of  tenure.Seq // of the log of the source as it was when the copy began or caught up
	Copied       tenure.Seq // entries that were not there
	Credentials  int
	Compilations int
}

// Tenant copies what the target does not have of a tenant, and tells after each page how far it is. It fails with
// Conflicting if the target has what the source does not have: then it is no copy of it.
func Tenant(ctx context.Context, from, to store.Archive, tenant string, told func(Stats)) (Stats, error) {
	c := &copier{from: from, to: to, tenant: tenant, told: told}
	credentials, err := c.credentials(ctx)
	if err != nil {
		return c.stats, err
	}
	if err := c.begin(ctx); err != nil {
		return c.stats, err
	}
	if err := c.total(ctx); err != nil {
		return c.stats, err
	}
	if err := c.entries(ctx); err != nil {
		return c.stats, err
	}
	if err := c.compilations(ctx); err != nil {
		return c.stats, err
	}
	if err := c.audit(ctx); err != nil {
		return c.stats, err
	}
	for _, k := range credentials {
		if err := to.PutCredential(ctx, k); err != nil {
			return c.stats, err
		}
	}
	c.stats.Credentials = len(credentials)
	if c.erased {
		if _, err := to.Purge(ctx); err != nil {
			return c.stats, err
		}
	}
	return c.stats, nil
}

type copier struct {
	from, to store.Archive
	tenant   string
	erased   bool // something that the target had
	told     func(Stats)
	stats    Stats
}

// begin finds the entry after which the copy goes on: the target's newest, which the source has too.
func (c *copier) begin(ctx context.Context) error {
	view, err := c.to.View(ctx, c.tenant, tenure.Present)
	if err != nil {
		return err
	}
	at, _ := view.State()
	c.stats.Entries = at
	if at == 0 {
		return nil
	}
	there, err := c.to.Log(ctx, c.tenant, at-1, 1)
	if err != nil {
		return err
	}
	here, err := c.from.Log(ctx, c.tenant, at-1, 1)
	if err != nil {
		return err
	}
	if len(here) == 0 || len(there) == 0 || here[0].Hash != there[0].Hash {
		return tenure.Errorf(tenure.Conflicting,
			"the target's log of %s has %d entries that are not the first ones of the source", c.tenant, at)
	}
	return nil
}

// entries copies the log to its end. The next page is read while one is written.
func (c *copier) entries(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pages := make(chan []store.Recorded)
	failed := make(chan error, 1)
	go func() {
		failed <- c.pages(ctx, c.stats.Entries, pages)
		close(pages)
	}()
	for p := range pages {
		if err := c.unerased(ctx, p); err != nil {
			return err
		}
		if err := c.to.Replay(ctx, c.tenant, p); err != nil {
			return err
		}
		c.stats.Entries = p[len(p)-1].Entry.Seq
		c.stats.Copied += tenure.Seq(len(p))
		if err := c.total(ctx); err != nil {
			return err
		}
		c.told(c.stats)
	}
	return <-failed
}

// unerased has the entries of a page close the aliases of erased mentions as the target knows them: in the source they
// have no names any more, in all states.
func (c *copier) unerased(ctx context.Context, page []store.Recorded) error {
	if !slices.ContainsFunc(page, func(r store.Recorded) bool { return r.Entry.Erases() }) {
		return nil
	}
	c.erased = true
	known := map[tenure.ID][]tenure.Alias{} // that are not erased in the target, by mention
	var entities []tenure.ID
	for _, r := range page {
		for _, change := range r.Set.Changes {
			if a, ok := change.(tenure.AliasClosed); ok && a.Alias.Key.Kind == tenure.ErasedAlias {
				entities = append(entities, a.Alias.Entity)
			}
		}
	}
	view, err := c.to.View(ctx, c.tenant, tenure.Present)
	if err != nil {
		return err
	}
	list, err := view.AliasesOf(ctx, entities)
	if err != nil {
		return err
	}
	for _, a := range list {
		if a.Key.Kind != tenure.ErasedAlias {
			known[a.Mention] = append(known[a.Mention], a)
		}
	}
	for i := range page {
		page[i].Set.Changes = closing(page[i].Set.Changes, known)
	}
	return nil
}

// closing puts the aliases that are known of a mention in the place of an erased one of it that is closed. The others
// of the mention are closed with it.
func closing(changes []tenure.Change, known map[tenure.ID][]tenure.Alias) (list []tenure.Change) {
	for _, change := range changes {
		a, ok := change.(tenure.AliasClosed)
		had, there := known[a.Alias.Mention]
		if !ok || !there || a.Alias.Key.Kind != tenure.ErasedAlias {
			list = append(list, change)
			continue
		}
		for _, alias := range had {
			list = append(list, tenure.AliasClosed{Alias: alias})
		}
		known[a.Alias.Mention] = nil
	}
	return list
}

// total asks the source how long its log is, when the copy has come to the end that was known.
func (c *copier) total(ctx context.Context) error {
	if c.stats.Entries < c.stats.Of {
		return nil
	}
	view, err := c.from.View(ctx, c.tenant, tenure.Present)
	if err == nil {
		c.stats.Of, _ = view.State()
	}
	return err
}

// pages reads the log of the source after an entry, to its end.
func (c *copier) pages(ctx context.Context, after tenure.Seq, into chan<- []store.Recorded) error {
	for {
		entries, err := c.from.Log(ctx, c.tenant, after, entriesAtOnce)
		if err != nil || len(entries) == 0 {
			return err
		}
		p, err := record(ctx, c.from, c.tenant, entries)
		if err != nil {
			return err
		}
		select {
		case into <- p:
		case <-ctx.Done():
			return ctx.Err()
		}
		after = entries[len(entries)-1].Seq
	}
}

// credentials returns those of the source. The target must have no others, and none that is revoked there alone.
func (c *copier) credentials(ctx context.Context) ([]tenure.Credential, error) {
	list, err := c.from.Credentials(ctx, c.tenant)
	if err != nil {
		return nil, err
	}
	there, err := c.to.Credentials(ctx, c.tenant)
	if err != nil {
		return nil, err
	}
	for _, k := range there {
		i := slices.IndexFunc(list, func(o tenure.Credential) bool { return o.ID == k.ID })
		switch {
		case i < 0:
			return nil, tenure.Errorf(tenure.Conflicting, "the target has the key %s of %s, which the source has not",
				k.ID, c.tenant)
		case k.RevokedAt != 0 && list[i].RevokedAt == 0:
			return nil, tenure.Errorf(tenure.Conflicting, "the key %s of %s is revoked in the target, and not in the source",
				k.ID, c.tenant)
		}
	}
	return list, nil
}

// audit copies the audit trail. Events that are there are left as they are.
func (c *copier) audit(ctx context.Context) error {
	return eachAudited(ctx, c.from, c.tenant, "", func(events []tenure.AuditEvent) error {
		return c.to.PutAudit(ctx, c.tenant, events...)
	})
}

// auditedAtOnce is the number of events of an audit trail that are read together.
const auditedAtOnce = 500

// eachAudited calls page with the events of an audit trail before an id, "" for all.
func eachAudited(
	ctx context.Context, s store.Store, tenant string, before tenure.ID, page func([]tenure.AuditEvent) error,
) error {
	for {
		events, err := s.Audit(ctx, tenant, store.AuditQuery{Before: before, Limit: auditedAtOnce})
		if err != nil || len(events) == 0 {
			return err
		}
		if err := page(events); err != nil {
			return err
		}
		before = events[len(events)-1].ID
	}
}

// compilations copies the compilations and outcomes that the target does not have, and erases there what was erased.
func (c *copier) compilations(ctx context.Context) error {
	erased := map[tenure.ID]bool{}
	for after := tenure.ID(""); ; {
		list, err := c.from.Compilations(ctx, c.tenant, after, keptAtOnce)
		if err != nil {
			return err
		}
		there, err := c.to.Compilations(ctx, c.tenant, after, keptAtOnce)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return errors.Join(c.onlyThere(there), c.erase(ctx, erased))
		}
		after = list[len(list)-1].ID
		known := map[tenure.ID]tenure.Compilation{}
		for _, k := range there {
			known[k.ID] = k
		}
		for _, k := range list {
			had, is := known[k.ID]
			if err := c.compilation(ctx, k, had, is); err != nil {
				return err
			}
			if len(k.Body) == 0 && len(had.Body) > 0 {
				erased[k.ID] = true
			}
			delete(known, k.ID)
			c.stats.Compilations++
		}
		for id := range known {
			if id < after {
				return c.onlyThere([]tenure.Compilation{{ID: id}})
			}
		}
	}
}

// compilation copies a compilation, of which the target had a former state if it was there.
func (c *copier) compilation(ctx context.Context, k, had tenure.Compilation, there bool) error {
	if !there {
		if err := c.to.PutCompilation(ctx, c.tenant, k); err != nil {
			return err
		}
	}
	base := 0
	if had.Outcome != nil {
		base = had.Outcome.Version
	}
	switch {
	case k.Outcome == nil || k.Outcome.Version == base:
		return nil
	case k.Outcome.Version < base:
		return tenure.Errorf(tenure.Conflicting, "the target keeps a later outcome of the compilation %s of %s, which the "+
			"source has not", k.ID, c.tenant)
	}
	return c.to.PutOutcome(ctx, c.tenant, *k.Outcome, base)
}

// erase empties compilations of the target.
func (c *copier) erase(ctx context.Context, ids map[tenure.ID]bool) error {
	if len(ids) == 0 {
		return nil
	}
	c.erased = true
	_, err := c.to.EraseCompilations(ctx, c.tenant, func(k tenure.Compilation) bool { return ids[k.ID] })
	return err
}

// onlyThere refuses a target that keeps compilations of its own.
func (c *copier) onlyThere(list []tenure.Compilation) error {
	if len(list) == 0 {
		return nil
	}
	return tenure.Errorf(tenure.Conflicting, "the target keeps the compilation %s of %s, which the source has not",
		list[0].ID, c.tenant)
}
