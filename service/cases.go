package service

import (
	"cmp"
	"context"
	"slices"

	"tenure"

	"tenure/amend"
	"tenure/ledger"
	"tenure/store"
)

// Case is a quarantine case with the beliefs that it holds, in their order.
type Case struct {
	tenure.Case
	Beliefs []Belief
}

// CaseFilter selects cases. The zero State selects open cases, AnyCase all; the zero Entity does not filter.
type CaseFilter struct {
	State  tenure.CaseState
	Entity tenure.ID
}

// AnyCase selects cases of every state.
const AnyCase tenure.CaseState = "any"

// Cases lists the cases whose every side the caller sees, ordered by id.
func (v *View) Cases(ctx context.Context, f CaseFilter, p Page) (Listing[Case], error) {
	q := store.CaseQuery{State: cmp.Or(f.State, tenure.CaseOpen)}
	if q.State == AnyCase {
		q.State = ""
	}
	members, err := v.subjects(ctx, f.Entity)
	if err != nil {
		return Listing[Case]{}, err
	}
	id := func(c tenure.Case) string { return string(c.ID) }
	fetch := func(after string, n int) ([]tenure.Case, error) {
		return mergePages(members, n, id, func(member tenure.ID) ([]tenure.Case, error) {
			q.Subject, q.After, q.Limit = member, tenure.ID(after), n
			return v.reader.ListCases(ctx, q)
		})
	}
	return scan(p.withDefaults(), fetch, id, func(list []tenure.Case) ([]*Case, error) { return v.cases(ctx, list) })
}

// Case returns a case by its id.
func (v *View) Case(ctx context.Context, id tenure.ID) (Case, error) {
	list, err := v.reader.Cases(ctx, []tenure.ID{id})
	if err != nil {
		return Case{}, err
	}
	return only(v.cases(ctx, list))
}

// cases reads the sides of cases, in order; a case with a side hidden from the caller becomes nil.
func (v *View) cases(ctx context.Context, list []tenure.Case) ([]*Case, error) {
	var ids []tenure.ID
	for _, c := range list {
		ids = append(ids, c.Holds...)
	}
	sides, err := v.beliefsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	found := make([]*Case, len(list))
	for i, c := range list {
		held := []Belief{}
		for _, id := range c.Holds {
			if b, ok := sides[id]; ok {
				held = append(held, b)
			}
		}
		if len(held) == len(c.Holds) && v.caller.Within(c.Scope) {
			found[i] = &Case{Case: c, Beliefs: held}
		}
	}
	return found, nil
}

// beliefsByID returns the visible beliefs with the ids.
func (v *View) beliefsByID(ctx context.Context, ids []tenure.ID) (map[tenure.ID]Belief, error) {
	list, err := v.reader.Beliefs(ctx, sortedUnique(ids))
	if err != nil {
		return nil, err
	}
	described, err := v.describe(ctx, v.visible(list))
	byID := map[tenure.ID]Belief{}
	for _, b := range described {
		byID[b.Claim.ID] = b
	}
	return byID, err
}

// Settlement answers a case: Accept is the belief that holds, RejectAll rejects them all; exactly one of the
// two is given. Version is the version of the case that the caller read. AuthorityLevel is at most
// as strong as the caller's; without it the sides are judged with their own.
type Settlement struct {
	Case           tenure.ID
	Accept         tenure.ID
	RejectAll      bool
	Version        int
	AuthorityLevel *int
	Note           string
}

// Faults returns the violations of the rules between fields.
func (s Settlement) Faults() (f tenure.Faults) {
	if (s.Accept != "") == s.RejectAll {
		f.Add("", "must have either accept or reject_all")
	}
	if s.Accept != "" {
		f.AddID("/accept", s.Accept)
	}
	return f
}

// SettledCase is a case that was settled or reopened, with the beliefs that stand again and those that stand no
// longer.
type SettledCase struct {
	Case      Case
	Restored  []tenure.ID
	Displaced []tenure.ID
}

// SettleCase settles a case. It returns Invalid for the faults of the settlement, and otherwise the errors of
// [amend.SettleCase.Decide].
func (s *Service) SettleCase(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, in Settlement,
) (Written[SettledCase], error) {
	var out Written[SettledCase]
	if err := in.Faults().Err(); err != nil {
		return out, err
	}
	return s.settle(ctx, c, key, "settle_case", amend.SettleCase{
		Caller: c, Case: in.Case, Accept: in.Accept, Version: in.Version, AuthorityLevel: in.AuthorityLevel, Note: in.Note,
	})
}

// UndoSettlement undoes the answer to a case: see [amend.UndoSettlement.Decide].
func (s *Service) UndoSettlement(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, id tenure.ID, reason string,
) (Written[SettledCase], error) {
	return s.settle(ctx, c, key, "undo_settlement", amend.UndoSettlement{Caller: c, Case: id, Reason: reason})
}

func (s *Service) settle(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, operation string, cmd ledger.Command,
) (out Written[SettledCase], err error) {
	res, v, err := writeAndView[amend.SettleCaseAnswer](ctx, s, c, key, operation, cmd)
	if err != nil {
		return out, err
	}
	out.Receipt = res.Receipt
	out.Answer.Restored, out.Answer.Displaced = res.Answer.Restored, res.Answer.Displaced
	out.Answer.Case, err = v.Case(ctx, res.Answer.CaseID)
	return out, err
}

// Conflict is a belief with the segments that it lost to contradictions.
type Conflict struct {
	Belief Belief
	Losses []Loss
}

// Loss is a segment lost to a contradiction. Winner is the belief that won it; nil if none did, or if the
// winner is hidden from the caller.
type Loss struct {
	tenure.Segment
	Winner *Belief
}

// Conflicts lists the contradicted beliefs about any member of the entity's root. It ignores the Status of
// the filter.
func (v *View) Conflicts(ctx context.Context, f BeliefFilter, p Page) (Listing[Conflict], error) {
	q := store.BeliefQuery{Predicate: f.Predicate, Contested: true}
	found, err := v.beliefPage(ctx, f.Entity, q, p, func(tenure.Belief) bool { return true })
	if err != nil {
		return Listing[Conflict]{}, err
	}
	var ids []tenure.ID
	for _, b := range found.Items {
		for _, g := range lost(b) {
			if g.By != "" {
				ids = append(ids, g.By)
			}
		}
	}
	winners, err := v.beliefsByID(ctx, ids)
	page := Listing[Conflict]{Last: found.Last, More: found.More}
	for _, b := range found.Items {
		c := Conflict{Belief: b}
		for _, g := range lost(b) {
			loss := Loss{Segment: g}
			if w, ok := winners[g.By]; ok {
				loss.Winner = &w
			}
			c.Losses = append(c.Losses, loss)
		}
		page.Items = append(page.Items, c)
	}
	return page, err
}

// lost lists the segments that a belief lost to a contradiction.
func lost(b Belief) []tenure.Segment {
	return slices.DeleteFunc(slices.Clone(b.Standing.Segments), func(g tenure.Segment) bool { return !g.Contested() })
}
