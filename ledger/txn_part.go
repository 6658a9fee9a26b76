package ledger

import (
	"context"
	"slices"

	"tenure"
	"tenure/store"
)

// Outline returns what was remembered of a slot as it was before the current decision: see [Txn.Remember]. It is nil if
// nothing was.
func (t *Txn) Outline(s tenure.Slot) any {
	key := s.Key()
	if o, ok := t.outlines[key]; ok || t.snapshot == nil {
		return o
	}
	return t.snapshot.outlines.get(t.snapshot.keyOf(outlineThing, key))
}

// Remember keeps an outline of a slot, any value of the caller's, for later decisions, until one of them changes the
// claims of the slot, their amendments or standings, or the cache is full. Size is the number of claims that it
// covers. Call it after the changes of the decision in the slot were put.
func (t *Txn) Remember(s tenure.Slot, o any, size int) { t.remembered[s.Key()] = outline{o, size} }

// forget drops the outlines of the slots in which a change changes something.
func (t *Txn) forget(c tenure.Change) {
	for _, s := range slotsOf(c) {
		if t.Outline(s) != nil {
			t.Remember(s, nil, 0)
		}
	}
}

func slotsOf(c tenure.Change) []tenure.Slot {
	switch c := c.(type) {
	case tenure.ClaimAdded:
		return []tenure.Slot{c.Claim.Slot()}
	case tenure.ClaimMoved:
		return []tenure.Slot{c.From, c.To}
	case tenure.StandingPut:
		return []tenure.Slot{c.Slot}
	case tenure.Amended:
		return []tenure.Slot{c.Slot}
	}
	return nil
}

// Part is [Txn.Slot] of slots together, with some of their beliefs, in the order given, and some of their cases.
func (t *Txn) Part(ctx context.Context, slots []tenure.Slot, beliefs, cases []tenure.ID) (store.SlotState, error) {
	for _, s := range slots {
		t.read(tenure.SlotConflict(s))
	}
	var st store.SlotState
	if err := t.Load(ctx, Prefetch{Beliefs: beliefs, Superseded: beliefs, Cases: cases}); err != nil {
		return st, err
	}
	concerned := beliefs[:len(beliefs):len(beliefs)]
	seen := map[tenure.ID]bool{}
	for _, id := range beliefs {
		st.Beliefs = append(st.Beliefs, *t.beliefs[id])
		for _, c := range t.namers[id] {
			if !seen[c.ID] {
				seen[c.ID] = true
				st.Superseders = append(st.Superseders, *c)
				concerned = append(concerned, c.ID)
			}
		}
	}
	if err := t.Load(ctx, Prefetch{Amended: concerned}); err != nil {
		return st, err
	}
	for _, id := range concerned {
		st.Amendments = append(st.Amendments, t.amendments[id]...)
	}
	for _, id := range cases {
		st.Cases = append(st.Cases, *t.cases[id])
	}
	return st, nil
}

// amend shows an amendment to the parts that are read from now on.
func (t *Txn) amend(a tenure.Amendment) {
	if list, ok := t.amendments[a.Belief]; ok {
		set(t, t.amendments, a.Belief, append(slices.Clip(list), a))
	}
}

func (t *Txn) namersOf(want []tenure.ID) []fetch {
	ids := missing(t.namers, want)
	return fetchOf(ids, t.base.Superseders, func(found []tenure.Belief) {
		setAbsent(t, t.namers, ids)
		asked := setOf(ids)
		add := func(c *tenure.Claim) {
			for _, id := range c.Supersedes {
				if asked[id] {
					t.namers[id] = append(t.namers[id], c)
				}
			}
		}
		for i := range found {
			add(&found[i].Claim)
		}
		for _, i := range t.naming {
			if c, ok := t.changes[i].(tenure.ClaimAdded); ok {
				add(&c.Claim)
			}
		}
	})
}

func (t *Txn) amendmentsOf(want []tenure.ID) []fetch {
	ids := missing(t.amendments, want)
	return fetchOf(ids, t.base.Amendments, func(found []tenure.Amendment) {
		setAbsent(t, t.amendments, ids)
		asked := setOf(ids)
		for _, i := range t.naming {
			if c, ok := t.changes[i].(tenure.Amended); ok {
				found = append(found, c.Amendment)
			}
		}
		for _, a := range found {
			if asked[a.Belief] {
				t.amendments[a.Belief] = append(t.amendments[a.Belief], a)
			}
		}
	})
}

func setOf(ids []tenure.ID) map[tenure.ID]bool {
	set := make(map[tenure.ID]bool, len(ids))
	for _, id := range ids {
		set[id] = true
	}
	return set
}
