package resolution

import (
	"context"
	"slices"
	"strings"

	"tenure"
	"tenure/attribute"
	"tenure/changefeed"
	"tenure/store"
)

// Bounds of the search for entities whose attributes were redefined.
const (
	// maxRedefined is how many entities are resolved again for one page of the log.
	maxRedefined = 10_000
	// redefinedPage is how many log entries are read at once.
	redefinedPage = 1000
	// maxKinds is how many kinds of identifiers of a tenant are searched for spellings.
	maxKinds = 1000
)

// redefined resolves the entities again that have an attribute which a page of the log defines otherwise as a kind of
// identifier: values that were one entity's may contradict each other now, and the reverse.
func (w *Worker) redefined(ctx context.Context, p changefeed.Page) error {
	keys, err := redefinedKeys(ctx, p)
	if err != nil || len(keys) == 0 {
		return err
	}
	ids, err := w.having(ctx, p, keys)
	if err != nil {
		return err
	}
	_, err = w.reresolveEach(ctx, p.Tenant, ids, keys)
	return err
}

// redefinedKeys lists the attributes that a page defines, their other spellings included.
func redefinedKeys(ctx context.Context, p changefeed.Page) (keys []string, err error) {
	prefix := tenure.TermID(tenure.IdentifierKinds, "")
	for _, e := range p.Entries {
		for _, c := range e.Changes {
			if key, ok := strings.CutPrefix(c.Name, prefix); ok && c.Kind.Current() == tenure.KindTermPut {
				keys = append(keys, key)
			}
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	terms, err := p.State.ListTerms(ctx, tenure.IdentifierKinds, "", maxKinds)
	for _, t := range terms {
		if slices.Contains(keys, t.Parent) {
			keys = append(keys, t.Name)
		}
	}
	keys = slices.DeleteFunc(keys, func(key string) bool { // people share telephone numbers
		_, builtin := attribute.Lookup(key, nil)
		return builtin
	})
	slices.Sort(keys)
	return slices.Compact(keys), err
}

// having lists the roots of entities with one of the attributes, in the order in which the log names them.
func (w *Worker) having(ctx context.Context, p changefeed.Page, keys []string) (roots []tenure.ID, err error) {
	seen := map[tenure.ID]bool{}
	for after := tenure.Seq(0); after < p.UpTo() && len(roots) < maxRedefined; {
		entries, err := w.store.Log(ctx, p.Tenant, after, redefinedPage)
		if err != nil || len(entries) == 0 {
			return roots, err
		}
		after = entries[len(entries)-1].Seq
		found, err := havingIn(ctx, p.State, entries, keys)
		if err != nil {
			return nil, err
		}
		for _, id := range found {
			if !seen[id] {
				seen[id] = true
				roots = append(roots, id)
			}
		}
	}
	return roots, nil
}

// havingIn lists the roots of the entities that some entries of the log put and that have one of the attributes now.
func havingIn(
	ctx context.Context, r store.Reader, entries []tenure.Entry, keys []string,
) (roots []tenure.ID, err error) {
	var put []tenure.ID
	for _, e := range entries {
		for _, c := range e.Changes {
			if c.Kind.Current() == tenure.KindEntityPut && c.Entity != "" {
				put = append(put, c.Entity)
			}
		}
	}
	slices.Sort(put)
	defined := func(key string) bool { return slices.Contains(keys, key) }
	entities, err := r.Entities(ctx, slices.Compact(put))
	for _, e := range entities {
		if slices.ContainsFunc(attribute.Definable(e.Attributes), defined) {
			roots = append(roots, e.Root())
		}
	}
	return roots, err
}
