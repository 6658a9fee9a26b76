package wire

import (
	"maps"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// SettlementOf converts the answer to a case.
func SettlementOf(id tenure.ID, in api.SettlementInput) service.Settlement {
	return service.Settlement{
		Case: id, Accept: in.Accept, From: InstantOf(in.From), Both: in.Both, RejectAll: in.RejectAll, Defer: in.Defer,
		Until: InstantOf(in.Until), Version: in.Version, AuthorityLevel: in.AuthorityLevel, Note: in.Note,
		Reviewer: in.Reviewer,
	}
}

// SettlementIn converts one answer of a batch.
func SettlementIn(in api.CaseSettlement) service.Settlement {
	return SettlementOf(in.CaseId, api.SettlementInput{
		Accept: in.Accept, From: in.From, Both: in.Both, RejectAll: in.RejectAll, Defer: in.Defer, Until: in.Until,
		Version: in.Version, AuthorityLevel: in.AuthorityLevel, Note: in.Note, Reviewer: in.Reviewer,
	})
}

// SettlementAnswer encodes the answer to a settlement for a tenant.
func SettlementAnswer(tenant string, w service.Written[service.SettledCase]) api.SettlementAnswer {
	a := w.Answer
	var cut service.Cut
	out := api.SettlementAnswer{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), Case: Case(tenant)(a.Case),
		Rejected: shown(&cut, "rejected", a.Rejected),
		Restored: shown(&cut, "restored", a.Restored), Displaced: shown(&cut, "displaced", a.Displaced),
	}
	out.Cut = api.Cut(cut)
	return out
}

// CaseLease encodes the lease of a case.
func CaseLease(a service.LeasedCase) api.CaseLeaseAnswer {
	return api.CaseLeaseAnswer{
		CaseId: a.CaseID, Version: a.Version, LeasedBy: a.LeasedBy, Reviewer: a.Reviewer, LeasedUntil: given(a.LeasedUntil),
	}
}

// Case returns a function that encodes cases of a tenant.
func Case(tenant string) func(service.Case) api.Case {
	belief := Belief(tenant)
	return func(c service.Case) api.Case {
		cut := maps.Clone(c.Cut)
		v := api.Case{
			CaseId: c.ID, State: c.State, Subject: c.Subject, SubjectName: c.SubjectName, Predicate: c.Predicate,
			Scope: c.Scope.Canonical(), CrossScope: c.CrossScope, Holds: shown(&cut, "holds", c.Holds), Beliefs: Each(c.Beliefs, belief),
			Sides: []api.CaseSide{}, Windows: Each(c.Windows, windowView), Resolver: c.Resolver,
			OpenedAt: c.OpenedAt.Time(), ClosedAt: given(c.ClosedAt), Priority: c.Priority, PendingBeliefs: c.PendingBeliefs,
			DeferredBy: c.DeferredBy, DeferredAt: given(c.DeferredAt), DeferredUntil: given(c.DeferredUntil),
			DeferNote: c.DeferNote, LeasedBy: c.LeasedBy, Reviewer: c.LeasedFor, LeasedUntil: given(c.LeasedUntil),
			Accepted: c.Accepted, AcceptedFrom: timeOf(c.AcceptedFrom), Note: c.Note, Version: c.Version,
		}
		v.Cut = api.Cut(cut)
		if by := c.SettledBy; by != nil {
			v.SettledBy = &api.Settler{Actor: by.Actor, Reviewer: by.Reviewer, At: by.At.Time(), How: by.How}
		}
		for i, b := range c.Beliefs {
			v.Sides = append(v.Sides, caseSideView(b, c.Sides[i]))
		}
		return v
	}
}

func caseSideView(b service.Belief, s service.CaseSide) api.CaseSide {
	c := b.Claim
	return api.CaseSide{
		BeliefId: c.ID, Value: valueView(c), ValueName: s.ValueName, Excerpt: s.Excerpt, Source: c.Source,
		ObservedAt: c.ObservedAt.Time(), RecordedAt: b.RecordedAt.Time(),
		ValidFrom: OpenTime(c.Window.From), ValidUntil: OpenTime(c.Window.Until),
	}
}

// CaseEvent encodes an event of the history of a case.
func CaseEvent(e tenure.CaseEvent) api.CaseEvent {
	return api.CaseEvent{
		At: e.At.Time(), Actor: e.Actor, Reviewer: e.Reviewer, Action: e.Action, Accepted: e.Accepted,
		From: timeOf(e.From), Until: given(e.Until), Note: e.Note,
	}
}

// Waiting encodes what waits for an answer.
func Waiting(w service.Waiting) api.Waiting {
	if p := w.Proposal; p != nil {
		return waitingProposal(*p)
	}
	if c := w.Case; c != nil {
		return api.Waiting{
			Kind: service.KindCase, Id: c.ID, Path: "/v1/quarantine/" + string(c.ID), Name: c.SubjectName,
			Predicate: c.Predicate, Task: c.Resolver.Task, WaitsFor: c.Resolver.Kind, Target: c.Resolver.Target,
			ProjectId: c.Scope.ProjectID, Priority: c.Priority, PendingBeliefs: c.PendingBeliefs, OpenedAt: c.OpenedAt.Time(),
			LeasedBy: c.LeasedBy, Reviewer: c.LeasedFor, LeasedUntil: given(c.LeasedUntil), Version: c.Version,
		}
	}
	r := w.Review
	return api.Waiting{
		Kind: service.KindReview, Id: r.ID, Path: "/v1/reviews/" + string(r.ID), Name: r.Name,
		Task: service.ReviewTask, WaitsFor: tenure.ResolverPerson, ProjectId: r.Project, Priority: r.Priority,
		PendingBeliefs: r.PendingBeliefs, OpenedAt: r.OpenedAt.Time(),
		LeasedBy: r.LeasedBy, Reviewer: r.LeasedFor, LeasedUntil: given(r.LeasedUntil), Version: r.Version,
	}
}

func windowView(w tenure.Window) api.Window {
	return api.Window{ValidFrom: OpenTime(w.From), ValidUntil: OpenTime(w.Until)}
}

// DeadLetter encodes an event that the webhook gave up.
func DeadLetter(d service.DeadLetter) api.DeadLetter {
	t := d.Event.Task
	return api.DeadLetter{
		EventId: d.Event.ID, Kind: t.Kind, TaskId: t.ID, Path: t.Path, Attempts: d.Attempts, LastError: d.LastError,
		LastAt: tenure.At(d.LastAt).Time(),
	}
}
