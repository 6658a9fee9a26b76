package service

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"tenure"
	"tenure/amend"
	"tenure/ledger"
	"tenure/quarantine"
)

// Settlement answers a case; exactly one of Accept, Both, RejectAll and Defer is given. Accept is the belief that
// holds, since From if that is given and the other one before. Both: they do not contradict each other. RejectAll: none
// holds. Defer: not now, or not before Until. Version is the version of the case that the caller read. AuthorityLevel
// is at most as strong as the caller's; without it the sides are judged with their own.
//
// Reviewer names the person, where several people share one credential.
type Settlement struct {
	Case           tenure.ID
	Accept         tenure.ID
	From           *tenure.Instant
	Both           bool
	RejectAll      bool
	Defer          bool
	Until          *tenure.Instant
	Version        int
	AuthorityLevel *int
	Note           string
	Reviewer       string
}

// Faults returns the violations of the rules between fields. pointer is the JSON pointer of the settlement.
func (s Settlement) Faults(pointer string) (f tenure.Faults) {
	given := 0
	for _, is := range []bool{s.Accept != "", s.Both, s.RejectAll, s.Defer} {
		if is {
			given++
		}
	}
	if given != 1 {
		f.Add(pointer, "must have one of accept, both, reject_all and defer")
	}
	if s.Accept != "" {
		f.AddID(pointer+"/accept", s.Accept)
	}
	if s.From != nil && s.Accept == "" {
		f.Add(pointer+"/from", "is what an accept has, and nothing else")
	}
	if s.Until != nil && !s.Defer {
		f.Add(pointer+"/until", "is what a defer has, and nothing else")
	}
	return f
}

// command returns the write of a settlement.
func (s Settlement) command(c tenure.Caller) amend.SettleCase {
	how := quarantine.Accept
	switch {
	case s.Both:
		how = quarantine.Both
	case s.RejectAll:
		how = quarantine.RejectAll
	case s.Defer:
		how = quarantine.Defer
	}
	return amend.SettleCase{
		Caller: c, Reviewer: s.Reviewer, Case: s.Case, How: how, Accept: s.Accept, From: s.From, Until: s.Until,
		Version: s.Version, AuthorityLevel: s.AuthorityLevel, Note: s.Note,
	}
}

// SettledCase is a case after an answer or its undoing, with the beliefs that were rejected, stand again, or stand no
// longer.
type SettledCase struct {
	Case                          Case
	Rejected, Restored, Displaced []tenure.ID
}

const settleCase = "settle_case"

// SettleCase answers a case. It returns Invalid for the faults of the settlement, and otherwise the errors of
// [amend.SettleCase.Decide].
func (s *Service) SettleCase(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, in Settlement,
) (Written[SettledCase], error) {
	if err := in.Faults("").Err(); err != nil {
		return Written[SettledCase]{}, err
	}
	return s.settle(ctx, c, key, settleCase, in.command(c))
}

// UndoSettlement undoes the answer to a case: see [amend.UndoSettlement.Decide].
func (s *Service) UndoSettlement(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, id tenure.ID, reason string,
) (Written[SettledCase], error) {
	return s.settle(ctx, c, key, "undo_settlement", amend.UndoSettlement{Caller: c, Case: id, Reason: reason})
}

func (s *Service) settle(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, operation string, cmd ledger.Command,
) (Written[SettledCase], error) {
	res, err := write[amend.SettleCaseAnswer](ctx, s, c, key, operation, cmd)
	if err != nil {
		return Written[SettledCase]{}, err
	}
	return s.settled(ctx, c, res)
}

// settled returns the answer to a settlement, with the case as it is after it.
func (s *Service) settled(
	ctx context.Context, c tenure.Caller, res Written[amend.SettleCaseAnswer],
) (Written[SettledCase], error) {
	v, err := s.View(ctx, c, AsOf{Known: tenure.AsOf{Seq: res.Receipt.Seq}})
	if err != nil {
		return Written[SettledCase]{}, err
	}
	a := res.Answer
	out := Written[SettledCase]{Receipt: res.Receipt, Answer: SettledCase{
		Rejected: a.Rejected, Restored: a.Restored, Displaced: a.Displaced,
	}}
	out.Answer.Case, err = v.Case(ctx, a.CaseID)
	return out, err
}

// PreviewSettlement decides a settlement as [Service.SettleCase] does, and writes nothing. The case is as it is now.
func (s *Service) PreviewSettlement(
	ctx context.Context, c tenure.Caller, in Settlement,
) (Written[SettledCase], error) {
	if err := in.Faults("").Err(); err != nil {
		return Written[SettledCase]{}, err
	}
	res, err := preview[amend.SettleCaseAnswer](ctx, s, c, in.command(c))
	if err != nil {
		return Written[SettledCase]{}, err
	}
	return s.settled(ctx, c, res)
}

// SettleCases answers cases in order, independently of each other, and returns a result for each. The index of a
// settlement is part of its idempotency key.
func (s *Service) SettleCases(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, list []Settlement,
) []Result[SettledCase] {
	commands := make([]ledger.Command, len(list))
	var faults tenure.Faults
	for i, in := range list {
		faults = append(faults, in.Faults(fmt.Sprintf("/settlements/%d", i))...)
		commands[i] = in.command(c)
	}
	if err := faults.Err(); err != nil {
		return refuseAll[SettledCase](len(list), err)
	}
	results := make([]Result[SettledCase], len(list))
	for i, res := range writeEach[amend.SettleCaseAnswer](ctx, s, c, key, settleCase, commands) {
		if results[i].Err = res.Err; res.Err == nil {
			results[i].Written, results[i].Err = s.settled(ctx, c, res.Written)
		}
	}
	return results
}

// CaseLease leases a case to the caller for a duration (0: 15 minutes), or to a named reviewer where several people
// share the credential.
type CaseLease struct {
	Case     tenure.ID
	Reviewer string
	For      time.Duration
}

// LeasedCase is the lease of a case; LeasedBy is "" if there is none.
type LeasedCase = amend.LeaseCaseAnswer

const leaseCase = "lease_case"

// LeaseCase leases a case to the caller, which no other reviewer can answer meanwhile: see [amend.LeaseCase.Decide].
func (s *Service) LeaseCase(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, l CaseLease,
) (Written[LeasedCase], error) {
	return write[LeasedCase](ctx, s, c, key, leaseCase, amend.LeaseCase{
		Caller: c, Case: l.Case, Reviewer: l.Reviewer, For: cmp.Or(l.For, defaultLease),
	})
}

// ReleaseCase ends the lease of a case. It ignores For.
func (s *Service) ReleaseCase(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, l CaseLease,
) (Written[LeasedCase], error) {
	return write[LeasedCase](ctx, s, c, key, leaseCase, amend.LeaseCase{
		Caller: c, Case: l.Case, Reviewer: l.Reviewer, Release: true,
	})
}
