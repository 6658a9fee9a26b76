package store

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"tenure"
)

// Load reads what is wanted and not there yet, the different kinds of things
// beside each other. After an error the draft is as it was.
func (d *Draft) Load(ctx context.Context, w Wants) error {
	return load(ctx, slices.Concat(
		d.forms(w.Forms), d.ownedBy(w.Owned), d.entitiesOf(w.Entities), d.slotsOf(w.Slots), d.beliefsOf(w.Beliefs),
		d.keys(w.Keys), d.dependents(w.Dependents), d.casesOf(w.Cases), d.vocabularies(w.Vocabularies),
		d.termsOf(w.Terms), d.receiptsOf(w.Receipts), d.verdictsOn(w.Verdicts),
	))
}

// step is one read of a load. read runs beside others and touches nothing of
// the draft; merge runs alone.
type step struct {
	read  func(context.Context) error
	merge func()
}

// stepOf reads the keys and merges what was found; no keys, no step.
func stepOf[K, R any](keys []K, read func(context.Context, []K) (R, error), merge func(found R)) []step {
	if len(keys) == 0 {
		return nil
	}
	var found R
	return []step{{
		read:  func(ctx context.Context) (err error) { found, err = read(ctx, keys); return err },
		merge: func() { merge(found) },
	}}
}

func load(ctx context.Context, steps []step) error {
	errs := make([]error, len(steps))
	var running sync.WaitGroup
	for i, s := range steps[min(1, len(steps)):] {
		running.Go(func() { errs[i+1] = s.read(ctx) })
	}
	if len(steps) > 0 {
		errs[0] = steps[0].read(ctx)
	}
	running.Wait()
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	for _, s := range steps {
		s.merge()
	}
	return nil
}

func (d *Draft) forms(want []tenure.Form) []step {
	forms := d.owners.missing(want)
	return stepOf(forms, d.base.Owners, func(found []tenure.Owner) {
		d.owners.none(forms)
		for _, o := range found {
			d.owners[o.Form] = append(d.owners[o.Form], o)
		}
		for _, c := range pending[tenure.OwnerAdded](d) {
			if slices.Contains(forms, c.Owner.Form) {
				d.owners[c.Owner.Form] = append(d.owners[c.Owner.Form], c.Owner)
			}
		}
	})
}

func (d *Draft) ownedBy(want []tenure.ID) []step {
	ids := d.owned.missing(want)
	return stepOf(ids, d.base.OwnedBy, func(found []tenure.Owner) {
		d.owned.none(ids)
		for _, o := range found {
			d.owned[o.Entity] = append(d.owned[o.Entity], o)
		}
		for _, c := range pending[tenure.OwnerAdded](d) {
			if slices.Contains(ids, c.Owner.Entity) {
				d.owned[c.Owner.Entity] = append(d.owned[c.Owner.Entity], c.Owner)
			}
		}
	})
}

// verdictsOn needs nothing that is pending: verdicts are decided alone.
func (d *Draft) verdictsOn(want []tenure.ID) []step {
	ids := d.verdicts.missing(want)
	return stepOf(ids, d.base.VerdictsOn, func(found []tenure.Verdict) {
		d.verdicts.none(ids)
		for _, v := range found {
			for _, id := range []tenure.ID{v.From, v.Into} {
				if slices.Contains(ids, id) {
					d.verdicts[id] = append(d.verdicts[id], v)
				}
			}
		}
	})
}

func (d *Draft) entitiesOf(want []tenure.ID) []step {
	var ids []tenure.ID
	for _, id := range d.entities.missing(want) {
		if e := d.recalled.entity(id); e != nil {
			d.entities[id] = e
		} else {
			ids = append(ids, id)
		}
	}
	return stepOf(ids, d.base.Entities, func(found []tenure.Entity) {
		d.entities.none(ids)
		for i := range found {
			d.entities[found[i].ID] = &found[i]
			d.recalled.put(&found[i])
		}
	})
}

func (d *Draft) slotsOf(want []tenure.Slot) []step {
	var slots []tenure.Slot
	seen := map[string]bool{}
	for _, s := range want {
		key := s.Key()
		if _, ok := d.slots[key]; ok || seen[key] {
			continue
		}
		seen[key] = true
		if d.fresh[s.Subject] {
			d.slots[key] = &draftSlot{slot: s}
			d.layOver(map[string]bool{key: true})
			continue
		}
		slots = append(slots, s)
	}
	return stepOf(slots, d.base.Slots, func(found []SlotState) {
		loaded := map[string]bool{}
		for i := range found {
			key := found[i].Slot.Key()
			d.slots[key] = d.draftSlot(&found[i])
			loaded[key] = true
		}
		d.layOver(loaded)
	})
}

func (d *Draft) draftSlot(st *SlotState) *draftSlot {
	ds := &draftSlot{slot: st.Slot, amendments: st.Amendments}
	for i := range st.Beliefs {
		d.remember(&st.Beliefs[i])
		ds.beliefs = append(ds.beliefs, st.Beliefs[i].Claim.ID)
	}
	for i := range st.Superseders {
		ds.superseders = append(ds.superseders, &st.Superseders[i])
	}
	for i := range st.Cases {
		c := &st.Cases[i]
		if _, ok := d.cases[c.ID]; !ok {
			d.cases[c.ID] = c
		}
		ds.cases = append(ds.cases, c.ID)
	}
	return ds
}

// layOver adds to slots that were just loaded what is pending for them.
func (d *Draft) layOver(loaded map[string]bool) {
	for _, i := range d.placesOf(loaded) {
		d.intoSlots(d.applied[i], func(s tenure.Slot) *draftSlot {
			if key := s.Key(); loaded[key] {
				return d.slots[key]
			}
			return nil
		})
	}
}

// placesOf lists, in order, the places of the changes that are laid over the
// draft and may be evidence in one of the slots.
func (d *Draft) placesOf(slots map[string]bool) []int {
	places := slices.Clone(d.naming)
	for key := range slots {
		places = append(places, d.evidence[key]...)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

func (d *Draft) beliefsOf(want []tenure.ID) []step {
	ids := d.beliefs.missing(want)
	return stepOf(ids, d.base.Beliefs, func(found []tenure.Belief) {
		d.beliefs.none(ids)
		for i := range found {
			d.remember(&found[i])
		}
	})
}

func (d *Draft) keys(want []string) []step {
	keys := d.byKey.missing(want)
	return stepOf(keys, d.base.BeliefsByKey, func(found []tenure.Belief) {
		d.byKey.none(keys)
		for i := range found {
			d.remember(&found[i])
			d.byKey[found[i].Claim.Key] = append(d.byKey[found[i].Claim.Key], found[i].Claim.ID)
		}
		for _, c := range pending[tenure.ClaimAdded](d) {
			if slices.Contains(keys, c.Claim.Key) {
				d.byKey[c.Claim.Key] = append(d.byKey[c.Claim.Key], c.Claim.ID)
			}
		}
	})
}

func (d *Draft) dependents(want []tenure.ID) []step {
	ids := d.depends.missing(want)
	return stepOf(ids, d.base.Dependents, func(found []tenure.Belief) {
		d.depends.none(ids)
		claims := make([]*tenure.Claim, 0, len(found))
		for i := range found {
			d.remember(&found[i])
			claims = append(claims, &found[i].Claim)
		}
		for _, c := range pending[tenure.ClaimAdded](d) {
			claims = append(claims, &c.Claim)
		}
		for _, c := range claims {
			for _, id := range c.DependsOn {
				if slices.Contains(ids, id) {
					d.depends[id] = append(d.depends[id], c.ID)
				}
			}
		}
	})
}

func (d *Draft) casesOf(want []tenure.ID) []step {
	ids := d.cases.missing(want)
	return stepOf(ids, d.base.Cases, func(found []tenure.Case) {
		d.cases.none(ids)
		for i := range found {
			d.cases[found[i].ID] = &found[i]
		}
	})
}

func (d *Draft) vocabularies(want []string) []step {
	names := d.words.missing(want)
	return stepOf(names, d.base.Vocabularies, func(found []tenure.Vocabulary) {
		d.words.none(names)
		for i := range found {
			d.words[found[i].Name] = &found[i]
		}
	})
}

func (d *Draft) termsOf(want []string) []step {
	ids := d.terms.missing(want)
	return stepOf(ids, d.base.Terms, func(found []tenure.Term) {
		d.terms.none(ids)
		for i := range found {
			d.terms[found[i].ID()] = &found[i]
		}
	})
}

func (d *Draft) receiptsOf(want []string) []step {
	scopes := d.receipts.missing(want)
	return stepOf(scopes, d.base.Receipts, func(found map[string]tenure.Receipt) {
		d.receipts.none(scopes)
		for scope, r := range found {
			d.receipts[scope] = &r
		}
	})
}
