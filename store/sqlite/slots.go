package sqlite

import (
	"context"
	"slices"

	"tenure"
	"tenure/store"
)

// Slots implements [store.Reader]. It runs one query each, for all slots, for the beliefs, their superseders,
// the amendments of both, and the cases.
func (r *reader) Slots(ctx context.Context, slots []tenure.Slot) ([]store.SlotState, error) {
	if len(slots) == 0 {
		return nil, nil
	}
	keys := make([]string, 0, len(slots))
	for _, s := range slots {
		keys = append(keys, s.Key())
	}
	wanted := hashes(keys)
	beliefs, err := loadBy(ctx, r, `claim c INDEXED BY claim_slot ON c.tenant = ?1 AND c.slot = j.value`, wanted)
	if err != nil {
		return nil, err
	}
	beliefs, err = r.orMoved(ctx, beliefs, `relocation h INDEXED BY relocation_slot ON h.tenant = ?1 AND h.slot = j.value`,
		wanted)
	if err != nil {
		return nil, err
	}
	cases, err := r.slotCases(ctx, wanted)
	if err != nil {
		return nil, err
	}
	bySlot := map[string]*store.SlotState{}
	for i, s := range slots {
		bySlot[keys[i]] = &store.SlotState{Slot: s}
	}
	slotOf := map[tenure.ID]*store.SlotState{}
	ids := make([]tenure.ID, 0, len(beliefs))
	for _, b := range beliefs {
		if state := bySlot[b.Claim.Slot().Key()]; state != nil {
			state.Beliefs = append(state.Beliefs, b)
			slotOf[b.Claim.ID] = state
			ids = append(ids, b.Claim.ID)
		}
	}
	for _, c := range cases {
		if state := bySlot[c.Slot().Key()]; state != nil {
			state.Cases = append(state.Cases, c)
		}
	}
	if err := r.addSuperseders(ctx, ids, slotOf); err != nil {
		return nil, err
	}
	if err := r.addAmendments(ctx, bySlot); err != nil {
		return nil, err
	}
	list := make([]store.SlotState, 0, len(slots))
	for i, s := range slots {
		state := *bySlot[keys[i]]
		state.Slot = s
		list = append(list, state)
	}
	return list, nil
}

// orMoved adds to beliefs the beliefs whose claims were ever moved to one of the places; from names the rows
// of home h that belong to j, the places. The caller removes beliefs that are elsewhere at the view's time.
func (r *reader) orMoved(
	ctx context.Context, beliefs []tenure.Belief, from string, places any,
) ([]tenure.Belief, error) {
	list, err := jsonList(places)
	if err != nil {
		return nil, err
	}
	refs, err := collect(ctx, r.s, chosen+` FROM json_each(?3) j CROSS JOIN `+from+`
		CROSS JOIN claim c ON c.tenant = ?1 AND c.id = h.belief`+withStanding, scanRef, r.args(list)...)
	if err != nil || len(refs) == 0 {
		return beliefs, err
	}
	known := map[tenure.ID]bool{}
	for _, b := range beliefs {
		known[b.Claim.ID] = true
	}
	refs = slices.DeleteFunc(unique(refs), func(f ref) bool { return known[f.belief] })
	moved, err := r.load(ctx, refs)
	return inOrder(append(beliefs, moved...)), err
}

func (r *reader) slotCases(ctx context.Context, slots []int64) ([]tenure.Case, error) {
	list, err := jsonList(unique(slots))
	if err != nil {
		return nil, err
	}
	return collect(ctx, r.s, `SELECT q.body FROM json_each(?3) j CROSS JOIN quarantine q INDEXED BY quarantine_slot
		WHERE q.tenant = ?1 AND q.slot = j.value AND q.slot <> 0 AND q.tx_start <= ?2 AND q.tx_end > ?2
		ORDER BY q.tx_start, q.id`, scanBody[tenure.Case], r.args(list)...)
}

// addSuperseders adds to each slot the claims that supersede one of its beliefs by name.
func (r *reader) addSuperseders(ctx context.Context, ids []tenure.ID, slotOf map[tenure.ID]*store.SlotState) error {
	superseders, err := r.Superseders(ctx, ids)
	if err != nil {
		return err
	}
	for _, b := range superseders {
		told := map[*store.SlotState]bool{}
		for _, id := range b.Claim.Supersedes {
			if state := slotOf[id]; state != nil && !told[state] {
				told[state] = true
				state.Superseders = append(state.Superseders, b.Claim)
			}
		}
	}
	return nil
}

func (r *reader) addAmendments(ctx context.Context, slots map[string]*store.SlotState) error {
	concerned := map[tenure.ID][]*store.SlotState{}
	var ids []tenure.ID
	add := func(id tenure.ID, state *store.SlotState) {
		for _, known := range concerned[id] {
			if known == state {
				return
			}
		}
		concerned[id] = append(concerned[id], state)
		ids = append(ids, id)
	}
	for _, state := range slots {
		for _, b := range state.Beliefs {
			add(b.Claim.ID, state)
		}
		for _, c := range state.Superseders {
			add(c.ID, state)
		}
	}
	amendments, err := r.Amendments(ctx, ids)
	if err != nil {
		return err
	}
	for _, a := range amendments {
		for _, state := range concerned[a.Belief] {
			state.Amendments = append(state.Amendments, a)
		}
	}
	return nil
}

func (r *reader) SlotsAfter(ctx context.Context, after string, limit int) ([]tenure.Slot, error) {
	return collect(ctx, r.s, `SELECT body FROM slot WHERE tenant = ?1 AND tx <= ?2 AND key > ?3 ORDER BY key LIMIT ?4`,
		scanBody[tenure.Slot], r.args(after, atLeast(limit))...)
}
