package store

import (
	"cmp"
	"slices"

	"tenure"
)

// apply lays a change set over the draft, for the decisions after it. Lists
// that are not loaded are left alone: whoever loads one adds what is pending.
func (d *Draft) apply(cs tenure.ChangeSet) {
	d.pending++
	for _, c := range cs.Changes {
		d.place(c)
	}
	for _, c := range cs.Changes {
		switch c := c.(type) {
		case tenure.EntityPut:
			if d.entities[c.Entity.ID] == nil {
				d.Fresh(c.Entity.ID)
			}
			d.entities[c.Entity.ID] = &c.Entity
		case tenure.OwnerAdded:
			d.addOwner(c.Owner)
		case tenure.ReviewPut:
			if list, ok := d.reviews[c.Review.Entity]; ok || d.fresh[c.Review.Entity] {
				d.reviews[c.Review.Entity] = withReview(list, c.Review)
			}
		case tenure.ClaimAdded:
			d.addClaim(c.Claim)
		case tenure.StandingPut:
			if b := d.beliefs[c.Standing.Belief]; b != nil {
				next := *b
				next.Standing = c.Standing
				d.beliefs[c.Standing.Belief] = &next
			}
		case tenure.CasePut:
			_, known := d.cases[c.Case.ID]
			d.cases[c.Case.ID] = &c.Case
			if known {
				continue
			}
		case tenure.VocabularyPut:
			d.words[c.Vocabulary.Name] = &c.Vocabulary
		case tenure.TermPut:
			d.terms[c.Term.ID()] = &c.Term
		}
		d.intoSlots(c, func(s tenure.Slot) *draftSlot { return d.slots[s.Key()] })
	}
}

// place keeps a change, and where it is found by its slot.
func (d *Draft) place(c tenure.Change) {
	i := len(d.applied)
	d.applied = append(d.applied, c)
	switch c := c.(type) {
	case tenure.ClaimAdded:
		key := c.Claim.Slot().Key()
		d.evidence[key] = append(d.evidence[key], i)
		if len(c.Claim.Supersedes) > 0 {
			d.naming = append(d.naming, i)
		}
	case tenure.Amended:
		d.naming = append(d.naming, i)
	case tenure.CasePut:
		key := c.Case.Slot().Key()
		d.evidence[key] = append(d.evidence[key], i)
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
func (d *Draft) Fresh(id tenure.ID) {
	d.fresh[id] = true
	d.entities.none([]tenure.ID{id})
	if _, ok := d.owned[id]; !ok {
		d.owned[id] = nil
	}
}

func (d *Draft) addOwner(o tenure.Owner) {
	if list, ok := d.owners[o.Form]; ok {
		d.owners[o.Form] = append(slices.Clip(list), o)
	}
	if list, ok := d.owned[o.Entity]; ok {
		d.owned[o.Entity] = append(slices.Clip(list), o)
	}
	if d.keysOf == nil {
		return
	}
	for _, k := range d.keysOf(o) {
		if d.similar == nil {
			d.similar = map[string][]tenure.ID{}
		}
		d.similar[k] = append(d.similar[k], o.Entity)
	}
}

func (d *Draft) addClaim(c tenure.Claim) {
	d.beliefs[c.ID] = &tenure.Belief{Claim: c, RecordedAt: d.pending}
	if _, ok := d.depends[c.ID]; !ok {
		d.depends[c.ID] = nil // the store knows of nothing that rests on it
	}
	if list, ok := d.byKey[c.Key]; ok {
		d.byKey[c.Key] = append(slices.Clip(list), c.ID)
	}
	for _, id := range c.DependsOn {
		if list, ok := d.depends[id]; ok {
			d.depends[id] = append(slices.Clip(list), c.ID)
		}
	}
}

// intoSlots adds a change to the slots that it is evidence in; at finds a slot
// that is loaded, or nil.
func (d *Draft) intoSlots(c tenure.Change, at func(tenure.Slot) *draftSlot) {
	switch c := c.(type) {
	case tenure.ClaimAdded:
		if s := at(c.Claim.Slot()); s != nil {
			s.beliefs = append(s.beliefs, c.Claim.ID)
		}
		for _, s := range d.named(&c.Claim, at) {
			s.superseders = append(s.superseders, &c.Claim)
		}
	case tenure.Amended:
		own := at(c.Slot)
		if own != nil {
			own.amendments = append(own.amendments, c.Amendment)
		}
		if b := d.beliefs[c.Amendment.Belief]; b != nil {
			for _, s := range d.named(&b.Claim, at) {
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
func (d *Draft) named(c *tenure.Claim, at func(tenure.Slot) *draftSlot) []*draftSlot {
	var list []*draftSlot
	for _, id := range c.Supersedes {
		if b := d.beliefs[id]; b != nil {
			if s := at(b.Claim.Slot()); s != nil && !slices.Contains(list, s) {
				list = append(list, s)
			}
		}
	}
	return list
}
