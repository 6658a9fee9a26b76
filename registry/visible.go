package registry

import (
	"context"
	"slices"

	"tenure"
	"tenure/audience"
	"tenure/ledger"
	"tenure/registry/forest"
	"tenure/visible"
)

// seen reads what an audience sees.
type seen struct {
	EntityReader
	sees audience.Sight
}

// seenMentions is seen with the mentions of entities.
type seenMentions struct {
	seen
	all MentionReader
}

// seenBy returns a reader as an audience has it: without the entities, aliases, mentions and identity decisions that
// it does not see, and with the roots that follow from the decisions that it sees.
func seenBy(k EntityReader, sees audience.Sight) EntityReader {
	if sees == nil {
		return k
	}
	return seen{k, sees}
}

// mentionsSeenBy is seenBy for a reader of mentions.
func mentionsSeenBy(k MentionReader, sees audience.Sight) MentionReader {
	return seenMentions{seen{k, sees}, k}
}

// AliasesByKey implements [EntityReader].
func (v seen) AliasesByKey(ctx context.Context, key tenure.AliasKey) ([]tenure.Alias, error) {
	list, err := v.EntityReader.AliasesByKey(ctx, key)
	return v.aliases(list), err
}

// AliasesOf implements [EntityReader].
func (v seen) AliasesOf(ctx context.Context, id tenure.ID) ([]tenure.Alias, error) {
	list, err := v.EntityReader.AliasesOf(ctx, id)
	return v.aliases(list), err
}

func (v seen) aliases(list []tenure.Alias) []tenure.Alias {
	hidden := func(o tenure.Alias) bool { return !v.sees.Sees(o.Label) }
	if !slices.ContainsFunc(list, hidden) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), hidden)
}

// Entity implements [EntityReader]. Whoever sees a member sees what it was merged into, unless a person merged two of
// whom no one is seen by all who see the other: then the roots follow from the decisions that are seen.
func (v seen) Entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error) {
	e, err := v.EntityReader.Entity(ctx, id)
	if e == nil || err != nil || !v.sees.Sees(e.Label) {
		return nil, err
	}
	if e.MergedInto == "" {
		return v.root(ctx, e)
	}
	root, err := v.EntityReader.Entity(ctx, e.MergedInto)
	if root == nil || err != nil || v.sees.Sees(root.Label) {
		return e, err
	}
	return v.apart(ctx, *e, *root)
}

// root returns a root with the members that the audience sees.
func (v seen) root(ctx context.Context, e *tenure.Entity) (*tenure.Entity, error) {
	var members []tenure.ID
	for _, id := range e.Members {
		m, err := v.EntityReader.Entity(ctx, id)
		if err != nil {
			return nil, err
		}
		if m != nil && v.sees.Sees(m.Label) {
			members = append(members, id)
		}
	}
	if len(members) == len(e.Members) {
		return e, nil
	}
	next := *e
	next.Members = members
	return &next, nil
}

// apart returns a member of a root that the audience does not see as it is without that.
func (v seen) apart(ctx context.Context, e, root tenure.Entity) (*tenure.Entity, error) {
	var group []tenure.Entity
	var decisions []tenure.IdentityDecision
	for _, id := range root.Members {
		m, err := v.EntityReader.Entity(ctx, id)
		if err != nil {
			return nil, err
		}
		if m == nil || !v.sees.Sees(m.Label) {
			continue
		}
		list, err := v.EntityReader.IdentityDecisionsOn(ctx, id)
		if err != nil {
			return nil, err
		}
		group, decisions = append(group, *m), append(decisions, list...)
	}
	for _, m := range forest.Regroup(group, decisions) {
		if m.ID == e.ID {
			return &m, nil
		}
	}
	return &e, nil
}

// IdentityDecisionsOn implements [EntityReader]: whoever sees both sides sees the decision.
func (v seen) IdentityDecisionsOn(ctx context.Context, id tenure.ID) ([]tenure.IdentityDecision, error) {
	list, err := v.EntityReader.IdentityDecisionsOn(ctx, id)
	if err != nil {
		return nil, err
	}
	var shown []tenure.IdentityDecision
	for _, d := range list {
		both, err := v.shows(ctx, d.From, d.Into)
		if err != nil {
			return nil, err
		}
		if both {
			shown = append(shown, d)
		}
	}
	return shown, nil
}

// shows reports whether the audience sees all of the entities.
func (v seen) shows(ctx context.Context, ids ...tenure.ID) (bool, error) {
	for _, id := range ids {
		e, err := v.EntityReader.Entity(ctx, id)
		if e == nil || err != nil || !v.sees.Sees(e.Label) {
			return false, err
		}
	}
	return true, nil
}

// shownReviews lists those of some reviews that the caller sees. Of an exclusive decision all of them are stored.
func (t *identityTxn) shownReviews(ctx context.Context, ids []tenure.ID) ([]tenure.ID, error) {
	if t.caller == nil || len(ids) == 0 {
		return ids, nil
	}
	seen, err := visible.By(t.txn.Stored(), audience.Of(*t.caller)).Reviews(ctx, ids)
	return slices.DeleteFunc(slices.Clone(ids), func(id tenure.ID) bool {
		return !slices.ContainsFunc(seen, func(r tenure.Review) bool { return r.ID == id })
	}), err
}

// ReviewsOf implements [EntityReader].
func (v seen) ReviewsOf(ctx context.Context, id tenure.ID) ([]tenure.Review, error) {
	if ok, err := v.shows(ctx, id); !ok || err != nil {
		return nil, err
	}
	return v.EntityReader.ReviewsOf(ctx, id)
}

// related lists what the beliefs that the audience sees relate the entities to.
func (v seen) related(ctx context.Context, ids []tenure.ID) ([]tenure.ID, error) {
	if txn, ok := v.EntityReader.(*ledger.Txn); ok {
		return txn.RelatedIn(ctx, visible.By(txn.Stored(), v.sees), ids)
	}
	return v.EntityReader.Related(ctx, ids)
}

// Related implements [EntityReader].
func (v seen) Related(ctx context.Context, ids []tenure.ID) ([]tenure.ID, error) {
	list, err := v.related(ctx, ids)
	var shown []tenure.ID
	for _, id := range list {
		if ok, err := v.shows(ctx, id); err != nil {
			return nil, err
		} else if ok {
			shown = append(shown, id)
		}
	}
	return shown, err
}

// Facts implements [EntityReader].
func (v seen) Facts(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	if txn, ok := v.EntityReader.(*ledger.Txn); ok {
		return txn.FactsIn(ctx, visible.By(txn.Stored(), v.sees), ids)
	}
	return v.EntityReader.Facts(ctx, ids)
}

// MentionsOf implements [MentionReader].
func (v seenMentions) MentionsOf(ctx context.Context, id tenure.ID) ([]tenure.Mention, error) {
	list, err := v.all.MentionsOf(ctx, id)
	return slices.DeleteFunc(list, func(m tenure.Mention) bool { return !v.sees.Sees(m.Label) }), err
}
