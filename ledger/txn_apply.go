package ledger

import (
	"cmp"
	"slices"

	"tenure"
)

// apply lays a change set over the draft, for the decisions after it. Lists
// that are not loaded are left alone: whoever loads one adds what is pending.
func (t *Txn) apply(cs tenure.ChangeSet) {
	t.pending++
	for _, c := range cs.Changes {
		t.place(c)
	}
	for _, c := range cs.Changes {
		switch c := c.(type) {
		case tenure.EntityPut:
			if t.entities[c.Entity.ID] == nil {
				t.Fresh(c.Entity.ID)
			}
			t.entities[c.Entity.ID] = &c.Entity
		case tenure.OwnerAdded:
			t.addOwner(c.Owner)
		case tenure.ReviewPut:
			if list, ok := t.reviews[c.Review.Entity]; ok || t.fresh[c.Review.Entity] {
				t.reviews[c.Review.Entity] = withReview(list, c.Review)
			}
		case tenure.ClaimAdded:
			t.addClaim(c.Claim)
		case tenure.StandingPut:
			if b := t.beliefs[c.Standing.Belief]; b != nil {
				next := *b
				next.Standing = c.Standing
				t.beliefs[c.Standing.Belief] = &next
			}
		case tenure.CasePut:
			_, known := t.cases[c.Case.ID]
			t.cases[c.Case.ID] = &c.Case
			if known {
				continue
			}
		case tenure.VocabularyPut:
			t.words[c.Vocabulary.Name] = &c.Vocabulary
		case tenure.TermPut:
			t.terms[c.Term.ID()] = &c.Term
		}
		t.intoSlots(c, func(s tenure.Slot) *slotCache { return t.slots[s.Key()] })
	}
}

// place keeps a change, and where it is found by its slot.
func (t *Txn) place(c tenure.Change) {
	i := len(t.applied)
	t.applied = append(t.applied, c)
	switch c := c.(type) {
	case tenure.ClaimAdded:
		key := c.Claim.Slot().Key()
		t.evidence[key] = append(t.evidence[key], i)
		if len(c.Claim.Supersedes) > 0 {
			t.naming = append(t.naming, i)
		}
	case tenure.Amended:
		t.naming = append(t.naming, i)
	case tenure.CasePut:
		key := c.Case.Slot().Key()
		t.evidence[key] = append(t.evidence[key], i)
	}
}

// withReview puts a review, or its next version, into a list in order of ids.
func withReview(list []tenure.Review, r tenure.Review) []tenure.Review {
	list = slices.DeleteFunc(slices.Clone(list), func(o tenure.Review) bool { return o.ID == r.ID })
	list = append(list, r)
	slices.SortFunc(list, func(a, b tenure.Review) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// Fresh tells the draft of an entity that is being made: nothing of it is in
// the store, and nothing needs to be looked for.
func (t *Txn) Fresh(id tenure.ID) {
	t.fresh[id] = true
	t.entities.none([]tenure.ID{id})
	if _, ok := t.owned[id]; !ok {
		t.owned[id] = nil
	}
}

func (t *Txn) addOwner(o tenure.Owner) {
	if list, ok := t.owners[o.Form]; ok {
		t.owners[o.Form] = append(slices.Clip(list), o)
	}
	if list, ok := t.owned[o.Entity]; ok {
		t.owned[o.Entity] = append(slices.Clip(list), o)
	}
	if t.keysOf == nil {
		return
	}
	for _, k := range t.keysOf(o) {
		if t.similar == nil {
			t.similar = map[string][]tenure.ID{}
		}
		t.similar[k] = append(t.similar[k], o.Entity)
	}
}

func (t *Txn) addClaim(c tenure.Claim) {
	t.beliefs[c.ID] = &tenure.Belief{Claim: c, RecordedAt: t.pending}
	if _, ok := t.depends[c.ID]; !ok {
		t.depends[c.ID] = nil // the store knows of nothing that rests on it
	}
	if list, ok := t.byKey[c.Key]; ok {
		t.byKey[c.Key] = append(slices.Clip(list), c.ID)
	}
	for _, id := range c.DependsOn {
		if list, ok := t.depends[id]; ok {
			t.depends[id] = append(slices.Clip(list), c.ID)
		}
	}
}

// intoSlots adds a change to the slots that it is evidence in; at finds a slot
// that is loaded, or nil.
func (t *Txn) intoSlots(c tenure.Change, at func(tenure.Slot) *slotCache) {
	switch c := c.(type) {
	case tenure.ClaimAdded:
		if s := at(c.Claim.Slot()); s != nil {
			s.beliefs = append(s.beliefs, c.Claim.ID)
		}
		for _, s := range t.named(&c.Claim, at) {
			s.superseders = append(s.superseders, &c.Claim)
		}
	case tenure.Amended:
		own := at(c.Slot)
		if own != nil {
			own.amendments = append(own.amendments, c.Amendment)
		}
		if b := t.beliefs[c.Amendment.Belief]; b != nil {
			for _, s := range t.named(&b.Claim, at) {
				if s != own {
					s.amendments = append(s.amendments, c.Amendment)
				}
			}
		}
	case tenure.CasePut:
		if s := at(c.Case.Slot()); s != nil && !c.Case.CrossScope && !slices.Contains(s.cases, c.Case.ID) {
			s.cases = append(s.cases, c.Case.ID)
		}
	}
}

// named lists the loaded slots, once each, of the beliefs that a claim names
// as superseded.
func (t *Txn) named(c *tenure.Claim, at func(tenure.Slot) *slotCache) []*slotCache {
	var list []*slotCache
	for _, id := range c.Supersedes {
		if b := t.beliefs[id]; b != nil {
			if s := at(b.Claim.Slot()); s != nil && !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	return list
}
