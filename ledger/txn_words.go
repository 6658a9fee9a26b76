package ledger

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"tenure"
	"tenure/store"
)

// Terms lists the terms of a vocabulary, by name, without removed ones; of those in the store at most limit. Terms of
// the vocabulary must be put with the vocabulary alone, and never registered: the conflict key is the vocabulary's.
func (t *Txn) Terms(ctx context.Context, vocabulary string, limit int) ([]tenure.Term, error) {
	v, err := t.Vocabulary(ctx, vocabulary)
	if err != nil {
		return nil, err
	}
	list, ok := t.termLists[vocabulary]
	if !ok {
		if list, err = t.storedTerms(ctx, v, limit); err != nil {
			return nil, err
		}
		t.termLists[vocabulary] = list
	}
	for _, c := range pendingOf[tenure.TermPut](t) {
		if c.Term.Vocabulary == vocabulary {
			list = withTerm(list, c.Term)
		}
	}
	return list, nil
}

// storedTerms reads the terms of a vocabulary. A version of the vocabulary always has the same terms, so that they
// can be cached by it.
func (t *Txn) storedTerms(ctx context.Context, v tenure.Vocabulary, limit int) ([]tenure.Term, error) {
	name := v.Name + "@" + strconv.Itoa(v.Version)
	pending := slices.ContainsFunc(pendingOf[tenure.VocabularyPut](t),
		func(c tenure.VocabularyPut) bool { return c.Vocabulary.Name == v.Name })
	if t.snapshot != nil && !pending {
		if found, ok := t.snapshot.known.Get(t.snapshot.keyOf(termListThing, name)); ok {
			return *found.(*[]tenure.Term), nil
		}
	}
	list, err := t.base.ListTerms(ctx, v.Name, "", limit)
	if err == nil && !pending {
		put(t.snapshot, termListThing, name, &list)
	}
	return list, err
}

// withTerm inserts, replaces or removes a term in a list sorted by name.
func withTerm(list []tenure.Term, put tenure.Term) []tenure.Term {
	list = slices.DeleteFunc(slices.Clone(list), func(o tenure.Term) bool { return o.Name == put.Name })
	if put.Removed {
		return list
	}
	i, _ := slices.BinarySearchFunc(list, put, func(a, b tenure.Term) int { return cmp.Compare(a.Name, b.Name) })
	return slices.Insert(list, i, put)
}

// SlotsSpoken lists the slots that hold a claim of a role that keep accepts. It reads every belief of the tenant, and
// fails with Unprocessable if there are more slots than limit.
func (t *Txn) SlotsSpoken(ctx context.Context, keep func(role string) bool, limit int) ([]tenure.Slot, error) {
	t.read(tenure.RolesConflict())
	return t.walkSlots(ctx, store.BeliefQuery{}, limit, func(c tenure.Claim) bool {
		return c.Source.Role != "" && keep(c.Source.Role)
	})
}

// Amendment returns an amendment in the store, nil if it does not exist. Amendments never change.
func (t *Txn) Amendment(ctx context.Context, id tenure.ID) (*tenure.Amendment, error) {
	return one(t.base.AmendmentsByID(ctx, []tenure.ID{id}))
}
