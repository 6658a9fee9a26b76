package visible

import (
	"context"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
	"tenure/store"
)

// restand gives the beliefs, which the audience sees, the standings that follow from what it sees. A standing that was
// made of nothing else is left as it is.
func (r *reader) restand(ctx context.Context, list []tenure.Belief) ([]tenure.Belief, error) {
	mixed := func(b tenure.Belief) bool { return !r.sees.All(b.Standing.Labels) }
	if !slices.ContainsFunc(list, mixed) {
		return list, nil
	}
	left := evidence{r}
	slots, err := left.slotsFor(ctx, slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool {
		return !mixed(b)
	}))
	if err != nil {
		return nil, err
	}
	_, now := r.State()
	made, err := projection.Project(ctx, ledger.NewTxn(left), projection.Cause{Slots: slots}, now)
	if err != nil {
		return nil, err
	}
	open, err := r.openCases(ctx, made)
	if err != nil {
		return nil, err
	}
	list = slices.Clone(list)
	for i, b := range list {
		if s, ok := made.After[b.Claim.ID]; ok {
			if !open[s.Case] { // the tie is one that hidden evidence decides, or is part of
				s.Case = ""
			}
			list[i].Standing = s
		}
	}
	return list, nil
}

// openCases returns those of the cases of standings that the audience sees.
func (r *reader) openCases(ctx context.Context, made projection.Projection) (map[tenure.ID]bool, error) {
	var tied []tenure.ID
	for _, s := range made.After {
		if s.Case != "" {
			tied = append(tied, s.Case)
		}
	}
	if len(tied) == 0 {
		return nil, nil
	}
	cases, err := r.Cases(ctx, unique(tied))
	open := map[tenure.ID]bool{}
	for _, c := range cases {
		open[c.ID] = c.State == tenure.CaseOpen
	}
	return open, err
}

// evidence shows what the audience sees of evidence, with standings as they are stored.
type evidence struct{ *reader }

// slotsFor lists the slots of beliefs and of what these rest on.
func (e evidence) slotsFor(ctx context.Context, list []tenure.Belief) ([]tenure.Slot, error) {
	var slots []tenure.Slot
	known, looked := map[string]bool{}, map[tenure.ID]bool{}
	for len(list) > 0 {
		var grounds []tenure.ID
		for _, b := range list {
			if key := b.Claim.Slot().Key(); !known[key] {
				known[key] = true
				slots = append(slots, b.Claim.Slot())
			}
			for _, id := range b.Claim.DependsOn {
				if !looked[id] {
					looked[id] = true
					grounds = append(grounds, id)
				}
			}
		}
		var err error
		if list, err = e.Beliefs(ctx, grounds); err != nil {
			return nil, err
		}
	}
	return slots, nil
}

func (e evidence) claims(ctx context.Context, list []tenure.Belief, err error) ([]tenure.Belief, error) {
	if err != nil {
		return nil, err
	}
	return e.claimed(ctx, list)
}

// Beliefs implements [store.BeliefReader].
func (e evidence) Beliefs(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	list, err := e.Reader.Beliefs(ctx, ids)
	return e.claims(ctx, list, err)
}

// Dependents implements [store.SlotReader].
func (e evidence) Dependents(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	list, err := e.Reader.Dependents(ctx, ids)
	return e.claims(ctx, list, err)
}

// Superseders implements [store.SlotReader].
func (e evidence) Superseders(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	list, err := e.Reader.Superseders(ctx, ids)
	return e.claims(ctx, list, err)
}

// Referring implements [store.BeliefReader].
func (e evidence) Referring(ctx context.Context, entities []tenure.ID) ([]tenure.Belief, error) {
	list, err := e.Reader.Referring(ctx, entities)
	return e.claims(ctx, list, err)
}

// Slots implements [store.SlotReader].
func (e evidence) Slots(ctx context.Context, slots []tenure.Slot) ([]store.SlotState, error) {
	list, err := e.Reader.Slots(ctx, slots)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i], err = e.slot(ctx, list[i]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (e evidence) slot(ctx context.Context, s store.SlotState) (store.SlotState, error) {
	var err error
	if s.Beliefs, err = e.claimed(ctx, s.Beliefs); err != nil {
		return s, err
	}
	s.Superseders = slices.DeleteFunc(slices.Clone(s.Superseders), func(c tenure.Claim) bool {
		return !e.sees.Sees(c.Label())
	})
	shown := map[tenure.ID]bool{}
	for _, b := range s.Beliefs {
		shown[b.Claim.ID] = true
	}
	for _, c := range s.Superseders {
		shown[c.ID] = true
	}
	if s.Cases, err = e.cases(ctx, s.Cases); err != nil {
		return s, err
	}
	s.Amendments, err = e.amendments(ctx, slices.DeleteFunc(slices.Clone(s.Amendments), func(a tenure.Amendment) bool {
		return !shown[a.Belief]
	}))
	return s, err
}

// amendments leaves out those of evidence that the audience does not see, and those that settled a case with a side
// that it does not see.
func (r *reader) amendments(ctx context.Context, list []tenure.Amendment) ([]tenure.Amendment, error) {
	list = slices.DeleteFunc(list, func(a tenure.Amendment) bool { return a.Label != nil && !r.sees.Sees(*a.Label) })
	var ids []tenure.ID
	for _, a := range list {
		if a.Case != "" {
			ids = append(ids, a.Case)
		}
	}
	if len(ids) == 0 {
		return list, nil
	}
	settled, err := r.Cases(ctx, unique(ids))
	return slices.DeleteFunc(list, func(a tenure.Amendment) bool {
		return a.Case != "" && !slices.ContainsFunc(settled, func(c tenure.Case) bool { return c.ID == a.Case })
	}), err
}

// Slots implements [store.SlotReader].
func (r *reader) Slots(ctx context.Context, slots []tenure.Slot) ([]store.SlotState, error) {
	if whole, err := r.whole(ctx); whole || err != nil {
		return r.Reader.Slots(ctx, slots)
	}
	list, err := evidence{r}.Slots(ctx, slots)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Beliefs, err = r.restand(ctx, list[i].Beliefs); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Amendments implements [store.SlotReader].
func (r *reader) Amendments(ctx context.Context, beliefs []tenure.ID) ([]tenure.Amendment, error) {
	list, err := r.Reader.Amendments(ctx, beliefs)
	return r.amended(ctx, list, err)
}

// AmendmentsByID implements [store.SlotReader].
func (r *reader) AmendmentsByID(ctx context.Context, ids []tenure.ID) ([]tenure.Amendment, error) {
	list, err := r.Reader.AmendmentsByID(ctx, ids)
	return r.amended(ctx, list, err)
}

// amended leaves out the amendments of beliefs that the audience does not see.
func (r *reader) amended(ctx context.Context, list []tenure.Amendment, err error) ([]tenure.Amendment, error) {
	if err != nil || len(list) == 0 {
		return list, err
	}
	if whole, err := r.whole(ctx); whole || err != nil {
		return list, err
	}
	var ids []tenure.ID
	for _, a := range list {
		ids = append(ids, a.Belief)
	}
	shown, err := evidence{r}.Beliefs(ctx, unique(ids))
	if err != nil {
		return nil, err
	}
	return r.amendments(ctx, slices.DeleteFunc(slices.Clone(list), func(a tenure.Amendment) bool {
		return !slices.ContainsFunc(shown, func(b tenure.Belief) bool { return b.Claim.ID == a.Belief })
	}))
}

// Cases implements [store.CaseReader].
func (r *reader) Cases(ctx context.Context, ids []tenure.ID) ([]tenure.Case, error) {
	list, err := r.Reader.Cases(ctx, ids)
	if err != nil {
		return nil, err
	}
	return r.cases(ctx, list)
}

// cases leaves out the cases with a side that the audience does not see.
func (r *reader) cases(ctx context.Context, list []tenure.Case) ([]tenure.Case, error) {
	if len(list) == 0 {
		return list, nil
	}
	if whole, err := r.whole(ctx); whole || err != nil {
		return list, err
	}
	var ids []tenure.ID
	for _, c := range list {
		ids = append(ids, c.Holds...)
	}
	found, err := evidence{r}.Beliefs(ctx, unique(ids))
	if err != nil {
		return nil, err
	}
	shown := map[tenure.ID]bool{}
	for _, b := range found {
		shown[b.Claim.ID] = true
	}
	return slices.DeleteFunc(slices.Clone(list), func(c tenure.Case) bool {
		return slices.ContainsFunc(c.Holds, func(id tenure.ID) bool { return !shown[id] })
	}), nil
}

// ListCases implements [store.CaseReader].
func (r *reader) ListCases(ctx context.Context, q store.CaseQuery) ([]tenure.Case, error) {
	return filled(q.Limit, func(last *tenure.Case, n int) ([]tenure.Case, error) {
		q := q
		if q.Limit = n; last != nil {
			q.After = q.Key(*last)
		}
		return r.Reader.ListCases(ctx, q)
	}, func(list []tenure.Case) ([]tenure.Case, error) { return r.cases(ctx, list) })
}
