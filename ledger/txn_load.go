package ledger

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"tenure"
	"tenure/store"
)

// Load reads what is wanted and not there yet, the different kinds of things
// beside each other. After an error the draft is as it was.
func (t *Txn) Load(ctx context.Context, w Prefetch) error {
	return load(ctx, slices.Concat(
		t.forms(w.Forms), t.ownedBy(w.Owned), t.entitiesOf(w.Entities), t.slotsOf(w.Slots), t.beliefsOf(w.Beliefs),
		t.keys(w.Keys), t.dependents(w.Dependents), t.casesOf(w.Cases), t.vocabularies(w.Vocabularies),
		t.termsOf(w.Terms), t.receiptsOf(w.Receipts), t.verdictsOn(w.Verdicts),
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

func (t *Txn) forms(want []tenure.Form) []step {
	forms := t.owners.missing(want)
	return stepOf(forms, t.base.Owners, func(found []tenure.Owner) {
		t.owners.none(forms)
		for _, o := range found {
			t.owners[o.Form] = append(t.owners[o.Form], o)
		}
		for _, c := range pendingOf[tenure.OwnerAdded](t) {
			if slices.Contains(forms, c.Owner.Form) {
				t.owners[c.Owner.Form] = append(t.owners[c.Owner.Form], c.Owner)
			}
		}
	})
}

func (t *Txn) ownedBy(want []tenure.ID) []step {
	ids := t.owned.missing(want)
	return stepOf(ids, t.base.OwnedBy, func(found []tenure.Owner) {
		t.owned.none(ids)
		for _, o := range found {
			t.owned[o.Entity] = append(t.owned[o.Entity], o)
		}
		for _, c := range pendingOf[tenure.OwnerAdded](t) {
			if slices.Contains(ids, c.Owner.Entity) {
				t.owned[c.Owner.Entity] = append(t.owned[c.Owner.Entity], c.Owner)
			}
		}
	})
}

// verdictsOn needs nothing that is pending: verdicts are decided alone.
func (t *Txn) verdictsOn(want []tenure.ID) []step {
	ids := t.verdicts.missing(want)
	return stepOf(ids, t.base.VerdictsOn, func(found []tenure.Verdict) {
		t.verdicts.none(ids)
		for _, v := range found {
			for _, id := range []tenure.ID{v.From, v.Into} {
				if slices.Contains(ids, id) {
					t.verdicts[id] = append(t.verdicts[id], v)
				}
			}
		}
	})
}

func (t *Txn) entitiesOf(want []tenure.ID) []step {
	var ids []tenure.ID
	for _, id := range t.entities.missing(want) {
		if e := t.snapshot.entity(id); e != nil {
			t.entities[id] = e
		} else {
			ids = append(ids, id)
		}
	}
	return stepOf(ids, t.base.Entities, func(found []tenure.Entity) {
		t.entities.none(ids)
		for i := range found {
			t.entities[found[i].ID] = &found[i]
			t.snapshot.put(&found[i])
		}
	})
}

func (t *Txn) slotsOf(want []tenure.Slot) []step {
	var slots []tenure.Slot
	seen := map[string]bool{}
	for _, s := range want {
		key := s.Key()
		if _, ok := t.slots[key]; ok || seen[key] {
			continue
		}
		seen[key] = true
		if t.fresh[s.Subject] {
			t.slots[key] = &slotCache{slot: s}
			t.layOver(map[string]bool{key: true})
			continue
		}
		slots = append(slots, s)
	}
	return stepOf(slots, t.base.Slots, func(found []store.SlotState) {
		loaded := map[string]bool{}
		for i := range found {
			key := found[i].Slot.Key()
			t.slots[key] = t.slotCache(&found[i])
			loaded[key] = true
		}
		t.layOver(loaded)
	})
}

func (t *Txn) slotCache(st *store.SlotState) *slotCache {
	ds := &slotCache{slot: st.Slot, amendments: st.Amendments}
	for i := range st.Beliefs {
		t.remember(&st.Beliefs[i])
		ds.beliefs = append(ds.beliefs, st.Beliefs[i].Claim.ID)
	}
	for i := range st.Superseders {
		ds.superseders = append(ds.superseders, &st.Superseders[i])
	}
	for i := range st.Cases {
		c := &st.Cases[i]
		if _, ok := t.cases[c.ID]; !ok {
			t.cases[c.ID] = c
		}
		ds.cases = append(ds.cases, c.ID)
	}
	return ds
}

// layOver adds to slots that were just loaded what is pending for them.
func (t *Txn) layOver(loaded map[string]bool) {
	for _, i := range t.placesOf(loaded) {
		t.intoSlots(t.applied[i], func(s tenure.Slot) *slotCache {
			if key := s.Key(); loaded[key] {
				return t.slots[key]
			}
			return nil
		})
	}
}

// placesOf lists, in order, the places of the changes that are laid over the
// draft and may be evidence in one of the slots.
func (t *Txn) placesOf(slots map[string]bool) []int {
	places := slices.Clone(t.naming)
	for key := range slots {
		places = append(places, t.evidence[key]...)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

func (t *Txn) beliefsOf(want []tenure.ID) []step {
	ids := t.beliefs.missing(want)
	return stepOf(ids, t.base.Beliefs, func(found []tenure.Belief) {
		t.beliefs.none(ids)
		for i := range found {
			t.remember(&found[i])
		}
	})
}

func (t *Txn) keys(want []string) []step {
	keys := t.byKey.missing(want)
	return stepOf(keys, t.base.BeliefsByKey, func(found []tenure.Belief) {
		t.byKey.none(keys)
		for i := range found {
			t.remember(&found[i])
			t.byKey[found[i].Claim.Key] = append(t.byKey[found[i].Claim.Key], found[i].Claim.ID)
		}
		for _, c := range pendingOf[tenure.ClaimAdded](t) {
			if slices.Contains(keys, c.Claim.Key) {
				t.byKey[c.Claim.Key] = append(t.byKey[c.Claim.Key], c.Claim.ID)
			}
		}
	})
}

func (t *Txn) dependents(want []tenure.ID) []step {
	ids := t.depends.missing(want)
	return stepOf(ids, t.base.Dependents, func(found []tenure.Belief) {
		t.depends.none(ids)
		claims := make([]*tenure.Claim, 0, len(found))
		for i := range found {
			t.remember(&found[i])
			claims = append(claims, &found[i].Claim)
		}
		for _, c := range pendingOf[tenure.ClaimAdded](t) {
			claims = append(claims, &c.Claim)
		}
		for _, c := range claims {
			for _, id := range c.DependsOn {
				if slices.Contains(ids, id) {
					t.depends[id] = append(t.depends[id], c.ID)
				}
			}
		}
	})
}

func (t *Txn) casesOf(want []tenure.ID) []step {
	ids := t.cases.missing(want)
	return stepOf(ids, t.base.Cases, func(found []tenure.Case) {
		t.cases.none(ids)
		for i := range found {
			t.cases[found[i].ID] = &found[i]
		}
	})
}

func (t *Txn) vocabularies(want []string) []step {
	names := t.words.missing(want)
	return stepOf(names, t.base.Vocabularies, func(found []tenure.Vocabulary) {
		t.words.none(names)
		for i := range found {
			t.words[found[i].Name] = &found[i]
		}
	})
}

func (t *Txn) termsOf(want []string) []step {
	ids := t.terms.missing(want)
	return stepOf(ids, t.base.Terms, func(found []tenure.Term) {
		t.terms.none(ids)
		for i := range found {
			t.terms[found[i].ID()] = &found[i]
		}
	})
}

func (t *Txn) receiptsOf(want []string) []step {
	scopes := t.receipts.missing(want)
	return stepOf(scopes, t.base.Receipts, func(found map[string]tenure.Receipt) {
		t.receipts.none(scopes)
		for scope, r := range found {
			t.receipts[scope] = &r
		}
	})
}
