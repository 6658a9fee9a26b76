package verify

import (
	"context"
	"maps"
	"slices"

	"tenure"
	"tenure/registry"
	"tenure/registry/forest"

	"tenure/attribute"
	"tenure/store"
)

// entityChecker checks entities against their mentions and identity decisions.
type entityChecker struct {
	report *Report
	view   store.Reader
	seen   map[tenure.ID]bool
}

// check checks each entity that the entries changed, once.
func (w *entityChecker) check(ctx context.Context, entries []tenure.Entry) error {
	var ids []tenure.ID
	for _, e := range entries {
		for _, c := range e.Changes {
			if c.Kind == tenure.KindEntityPut && !w.seen[c.Entity] {
				w.seen[c.Entity] = true
				ids = append(ids, c.Entity)
			}
		}
	}
	entities, err := w.view.Entities(ctx, ids)
	if err != nil {
		return err
	}
	aliases, err := w.view.AliasesOf(ctx, ids)
	if err != nil {
		return err
	}
	owned := map[tenure.ID][]tenure.Alias{}
	for _, o := range aliases {
		owned[o.Entity] = append(owned[o.Entity], o)
	}
	for _, e := range entities {
		w.report.Entities++
		if err := w.folded(ctx, e, owned[e.ID]); err != nil {
			return err
		}
		if e.MergedInto != "" || len(e.Members) > 0 {
			if err := w.rooted(ctx, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// folded compares an entity and its aliases with the profile folded from its mentions, regardless of order.
func (w *entityChecker) folded(ctx context.Context, e tenure.Entity, have []tenure.Alias) error {
	var mentions []tenure.Mention
	for {
		after := tenure.ID("")
		if len(mentions) > 0 {
			after = mentions[len(mentions)-1].ID
		}
		list, err := w.view.MentionsOf(ctx, e.ID, after, page)
		mentions = append(mentions, list...)
		if err != nil {
			return err
		}
		if len(list) < page {
			break
		}
	}
	want, aliases := registry.BuildProfile(e, mentions)
	if !maps.Equal(keysOf(withoutLater(aliases, have, mentions)), keysOf(have)) {
		w.report.found("entity %s does not go by the keys that its mentions say", e.ID)
	}
	if len(want.Names) == len(e.Names) && !sameSet(want.Names, e.Names) || want.Project != e.Project && len(mentions) > 0 {
		w.report.found("entity %s is not what its mentions say", e.ID)
	}
	for k, v := range want.Attributes {
		if len(v) == len(e.Attributes[k]) && !sameSet(v, e.Attributes[k]) {
			w.report.found("entity %s does not have the %q that its mentions say", e.ID, k)
		}
	}
	return nil
}

// withoutLater drops the identifiers that an entity lacks because the program version that wrote it did not
// know their kind.
func withoutLater(want, have []tenure.Alias, mentions []tenure.Mention) []tenure.Alias {
	keys := keysOf(have)
	return slices.DeleteFunc(want, func(o tenure.Alias) bool {
		return !keys[o.Key] && slices.ContainsFunc(mentions, func(m tenure.Mention) bool {
			return m.ID == o.Mention && len(m.IdentifierKinds) == 0 && attribute.IsLaterAliasKey(m, o.Key)
		})
	})
}

func keysOf(aliases []tenure.Alias) map[tenure.AliasKey]bool {
	keys := map[tenure.AliasKey]bool{}
	for _, o := range aliases {
		keys[o.Key] = true
	}
	return keys
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// rooted compares the root and the members of an entity with its merges.
func (w *entityChecker) rooted(ctx context.Context, e tenure.Entity) error {
	whole := e.Whole()
	if e.MergedInto != "" {
		roots, err := w.view.Entities(ctx, []tenure.ID{e.MergedInto})
		if err != nil {
			return err
		}
		if len(roots) != 1 || roots[0].MergedInto != "" || !slices.Contains(roots[0].Members, e.ID) {
			w.report.found("entity %s is not among the members of its root %s", e.ID, e.MergedInto)
			return nil
		}
		whole = roots[0].Whole()
	}
	decisions, err := w.view.IdentityDecisionsOn(ctx, whole)
	if err != nil {
		return err
	}
	if root := forest.New(decisions).Root(e.ID); root != e.Root() {
		w.report.found("entity %s has the root %s; its merges say %s", e.ID, e.Root(), root)
	}
	return nil
}
