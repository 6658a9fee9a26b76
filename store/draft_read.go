package store

import (
	"context"
	"slices"

	"tenure"
)

// Owners lists who goes by the form.
func (d *Draft) Owners(ctx context.Context, f tenure.Form) ([]tenure.Owner, error) {
	d.read(tenure.FormCell(f))
	err := load(ctx, d.forms([]tenure.Form{f}))
	return d.owners[f], err
}

// KnownOwners is Owners without reading: what was not loaded is not there.
func (d *Draft) KnownOwners(f tenure.Form) []tenure.Owner { return d.owners[f] }

// OwnedBy lists the forms of an entity.
func (d *Draft) OwnedBy(ctx context.Context, id tenure.ID) ([]tenure.Owner, error) {
	d.read(tenure.EntityCell(id))
	err := load(ctx, d.ownedBy([]tenure.ID{id}))
	return d.owned[id], err
}

// Entity finds an entity; nil if there is none.
func (d *Draft) Entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error) {
	d.read(tenure.EntityCell(id))
	err := load(ctx, d.entitiesOf([]tenure.ID{id}))
	return d.entities[id], err
}

// Slot gives all that the standing of a slot's claims depends on.
func (d *Draft) Slot(ctx context.Context, s tenure.Slot) (SlotState, error) {
	d.read(tenure.SlotCell(s))
	if err := load(ctx, d.slotsOf([]tenure.Slot{s})); err != nil {
		return SlotState{}, err
	}
	ds := d.slots[s.Key()]
	st := SlotState{Slot: s, Amendments: slices.Clone(ds.amendments)}
	for _, id := range ds.beliefs {
		st.Beliefs = append(st.Beliefs, *d.beliefs[id])
	}
	for _, c := range ds.superseders {
		st.Superseders = append(st.Superseders, *c)
	}
	for _, id := range ds.cases {
		st.Cases = append(st.Cases, *d.cases[id])
	}
	return st, nil
}

// Belief finds a belief; nil if there is none.
func (d *Draft) Belief(ctx context.Context, id tenure.ID) (*tenure.Belief, error) {
	d.read(tenure.BeliefCell(id))
	err := load(ctx, d.beliefsOf([]tenure.ID{id}))
	return d.beliefs[id], err
}

// KnownBelief is Belief without reading: what was not loaded is not there.
func (d *Draft) KnownBelief(id tenure.ID) *tenure.Belief { return d.beliefs[id] }

// ByKey finds the beliefs whose claims carry the key.
func (d *Draft) ByKey(ctx context.Context, key string) ([]*tenure.Belief, error) {
	d.read(tenure.KeyCell(key))
	err := load(ctx, d.keys([]string{key}))
	return d.pick(d.byKey[key]), err
}

// KnownByKey is ByKey without reading: what was not loaded is not there.
func (d *Draft) KnownByKey(key string) []*tenure.Belief { return d.pick(d.byKey[key]) }

// Dependents finds the beliefs that depend directly on a belief.
func (d *Draft) Dependents(ctx context.Context, id tenure.ID) ([]*tenure.Belief, error) {
	d.read(tenure.BeliefCell(id))
	err := load(ctx, d.dependents([]tenure.ID{id}))
	return d.pick(d.depends[id]), err
}

func (d *Draft) pick(ids []tenure.ID) []*tenure.Belief {
	list := make([]*tenure.Belief, 0, len(ids))
	for _, id := range ids {
		list = append(list, d.beliefs[id])
	}
	return list
}

// Case finds a case; nil if there is none.
func (d *Draft) Case(ctx context.Context, id tenure.ID) (*tenure.Case, error) {
	d.read(tenure.CaseCell(id))
	err := load(ctx, d.casesOf([]tenure.ID{id}))
	return d.cases[id], err
}

// Vocabulary finds a vocabulary; one that was never put is open and empty.
func (d *Draft) Vocabulary(ctx context.Context, name string) (tenure.Vocabulary, error) {
	d.read(tenure.VocabularyCell(name))
	err := load(ctx, d.vocabularies([]string{name}))
	if v := d.words[name]; v != nil {
		return *v, err
	}
	return tenure.Vocabulary{Name: name}, err
}

// Term finds a term that is defined and not removed; nil if there is none.
func (d *Draft) Term(ctx context.Context, id string) (*tenure.Term, error) {
	d.read(tenure.TermCell(id))
	err := load(ctx, d.termsOf([]string{id}))
	if t := d.terms[id]; t != nil && !t.Removed {
		return t, err
	}
	return nil, err
}

// Touch notes that a decision rests on a slot that it has read by other means.
func (d *Draft) Touch(s tenure.Slot) { d.read(tenure.SlotCell(s)) }

// KnownStanding lists the beliefs of a slot that stand somewhere, if the slot
// was loaded, without reading.
func (d *Draft) KnownStanding(s tenure.Slot) []tenure.ID {
	ds, ok := d.slots[s.Key()]
	if !ok {
		return nil
	}
	var list []tenure.ID
	for _, id := range ds.beliefs {
		if !Hull(d.beliefs[id].Standing).Empty() {
			list = append(list, id)
		}
	}
	return list
}

// SlotsOf lists the slots of a predicate; more than limit of them is
// Unprocessable.
func (d *Draft) SlotsOf(ctx context.Context, predicate string, limit int) ([]tenure.Slot, error) {
	d.read(tenure.PredicateCell(predicate))
	var slots []tenure.Slot
	seen := map[string]bool{}
	add := func(c tenure.Claim) {
		if key := c.Slot().Key(); !seen[key] {
			seen[key] = true
			slots = append(slots, c.Slot())
		}
	}
	const page = 1000
	q := BeliefQuery{Predicate: predicate, Limit: page}
	for {
		list, err := d.base.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, b := range list {
			add(b.Claim)
			q.After = b.Claim.ID
		}
		if len(slots) > limit {
			return nil, tenure.Errorf(tenure.Unprocessable, "the predicate %q is used in more than %d slots", predicate, limit)
		}
		if len(list) < page {
			break
		}
	}
	for _, c := range pending[tenure.ClaimAdded](d) {
		if c.Claim.Predicate == predicate {
			add(c.Claim)
		}
	}
	return slots, nil
}
