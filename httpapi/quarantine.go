package httpapi

import (
	"context"
	"time"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// ListCases implements GET /v1/quarantine.
func (s *server) ListCases(ctx context.Context, req api.ListCasesRequestObject) (api.ListCasesResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, nil, p.KnownAt)
	if err != nil {
		return nil, err
	}
	f := service.CaseFilter{
		State: tenure.CaseState(value(p.State)), Entity: tenure.ID(value(p.EntityId)), Name: value(p.Name),
		Predicate: value(p.Predicate), Project: value(p.ProjectId), Resolver: value(p.Resolver), Lease: value(p.Lease),
		SettledBy: value(p.SettledBy), Due: value(p.Due), ByID: p.Order != nil && *p.Order != "priority",
	}
	if f.OpenedAfter, err = instantParameter("opened_after", p.OpenedAfter); err != nil {
		return nil, err
	}
	if f.OpenedBefore, err = instantParameter("opened_before", p.OpenedBefore); err != nil {
		return nil, err
	}
	page, err := l.Cases(ctx, f, l.page)
	return api.ListCases200JSONResponse{Items: each(page.Items, caseView(callerOf(ctx).Tenant)), NextCursor: nextCursor(l, page)}, err
}

// GetCase implements GET /v1/quarantine/{id}.
func (s *server) GetCase(ctx context.Context, req api.GetCaseRequestObject) (api.GetCaseResponseObject, error) {
	v, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	c, err := v.Case(ctx, tenure.ID(req.Id))
	if err != nil {
		return nil, err
	}
	out := caseView(callerOf(ctx).Tenant)(c)
	out.History = each(c.Events, caseEventView)
	return api.GetCase200JSONResponse(out), nil
}

// SettleCase implements POST /v1/quarantine/{id}/resolution.
func (s *server) SettleCase(
	ctx context.Context, req api.SettleCaseRequestObject,
) (api.SettleCaseResponseObject, error) {
	in := settlementOf(tenure.ID(req.Id), *req.Body)
	if value(req.Params.DryRun) {
		w, err := s.deps.Service.PreviewSettlement(ctx, callerOf(ctx), in)
		a := settlementView(callerOf(ctx).Tenant, w)
		a.DryRun = true
		return api.SettleCase200JSONResponse(a), err
	}
	w, err := s.deps.Service.SettleCase(ctx, callerOf(ctx), idempotencyKey(ctx, req.Params.IdempotencyKey), in)
	return api.SettleCase200JSONResponse(settlementView(callerOf(ctx).Tenant, w)), told(ctx, w.Receipt, err)
}

// SettleCases implements POST /v1/quarantine:settle.
func (s *server) SettleCases(
	ctx context.Context, req api.SettleCasesRequestObject,
) (api.SettleCasesResponseObject, error) {
	list := each(req.Body.Settlements, settlementIn)
	out := api.SettleCases200JSONResponse{Results: []api.SettlementResult{}}
	key := idempotencyKey(ctx, req.Params.IdempotencyKey)
	for i, res := range s.deps.Service.SettleCases(ctx, callerOf(ctx), key, list) {
		v := api.SettlementResult{CaseId: list[i].Case, Replayed: res.Receipt.Replayed}
		if v.Status, v.Problem = outcome(res.Err); res.Err == nil {
			a := settlementView(callerOf(ctx).Tenant, res.Written)
			v.Answer = &a
		}
		out.Results = append(out.Results, v)
	}
	return out, nil
}

// settlementOf converts the answer to a case.
func settlementOf(id tenure.ID, in api.SettlementInput) service.Settlement {
	return service.Settlement{
		Case: id, Accept: in.Accept, From: instantOf(in.From), Both: in.Both, RejectAll: in.RejectAll, Defer: in.Defer,
		Until: instantOf(in.Until), Version: in.Version, AuthorityLevel: in.AuthorityLevel, Note: in.Note,
		Reviewer: in.Reviewer,
	}
}

// settlementIn converts one answer of a batch.
func settlementIn(in api.CaseSettlement) service.Settlement {
	return settlementOf(in.CaseId, api.SettlementInput{
		Accept: in.Accept, From: in.From, Both: in.Both, RejectAll: in.RejectAll, Defer: in.Defer, Until: in.Until,
		Version: in.Version, AuthorityLevel: in.AuthorityLevel, Note: in.Note, Reviewer: in.Reviewer,
	})
}

// UndoSettlement implements POST /v1/quarantine/{id}/undo.
func (s *server) UndoSettlement(
	ctx context.Context, req api.UndoSettlementRequestObject,
) (api.UndoSettlementResponseObject, error) {
	key := idempotencyKey(ctx, req.Params.IdempotencyKey)
	w, err := s.deps.Service.UndoSettlement(ctx, callerOf(ctx), key, tenure.ID(req.Id), value(req.Body).Reason)
	return api.UndoSettlement200JSONResponse(settlementView(callerOf(ctx).Tenant, w)), told(ctx, w.Receipt, err)
}

func settlementView(tenant string, w service.Written[service.SettledCase]) api.SettlementAnswer {
	a := w.Answer
	return api.SettlementAnswer{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), Case: caseView(tenant)(a.Case), Rejected: nonNil(a.Rejected),
		Restored: nonNil(a.Restored), Displaced: nonNil(a.Displaced),
	}
}

// LeaseCase implements POST /v1/quarantine/{id}/lease.
func (s *server) LeaseCase(ctx context.Context, req api.LeaseCaseRequestObject) (api.LeaseCaseResponseObject, error) {
	in := value(req.Body)
	key := idempotencyKey(ctx, req.Params.IdempotencyKey)
	w, err := s.deps.Service.LeaseCase(ctx, callerOf(ctx), key, service.CaseLease{
		Case: tenure.ID(req.Id), Reviewer: in.Reviewer, For: time.Duration(value(in.ForSeconds)) * time.Second,
	})
	return api.LeaseCase200JSONResponse(caseLeaseView(w.Answer)), told(ctx, w.Receipt, err)
}

// ReleaseCase implements POST /v1/quarantine/{id}/release.
func (s *server) ReleaseCase(
	ctx context.Context, req api.ReleaseCaseRequestObject,
) (api.ReleaseCaseResponseObject, error) {
	key := idempotencyKey(ctx, req.Params.IdempotencyKey)
	w, err := s.deps.Service.ReleaseCase(ctx, callerOf(ctx), key, service.CaseLease{
		Case: tenure.ID(req.Id), Reviewer: value(req.Body).Reviewer,
	})
	return api.ReleaseCase200JSONResponse(caseLeaseView(w.Answer)), told(ctx, w.Receipt, err)
}

func caseLeaseView(a service.LeasedCase) api.CaseLeaseAnswer {
	return api.CaseLeaseAnswer{
		CaseId: a.CaseID, Version: a.Version, LeasedBy: a.LeasedBy, Reviewer: a.Reviewer, LeasedUntil: given(a.LeasedUntil),
	}
}

// given converts an instant that is 0 where there is none.
func given(i tenure.Instant) (t time.Time) {
	if i != 0 {
		t = i.Time()
	}
	return t
}

func caseView(tenant string) func(service.Case) api.Case {
	belief := beliefView(tenant)
	return func(c service.Case) api.Case {
		v := api.Case{
			CaseId: c.ID, State: c.State, Subject: c.Subject, SubjectName: c.SubjectName, Predicate: c.Predicate,
			Scope: c.Scope.Canonical(), CrossScope: c.CrossScope, Holds: nonNil(c.Holds), Beliefs: each(c.Beliefs, belief),
			Sides: []api.CaseSide{}, Windows: each(c.Windows, windowView), Resolver: c.Resolver,
			OpenedAt: c.OpenedAt.Time(), ClosedAt: given(c.ClosedAt), Priority: c.Priority, PendingBeliefs: c.PendingBeliefs,
			DeferredBy: c.DeferredBy, DeferredAt: given(c.DeferredAt), DeferredUntil: given(c.DeferredUntil),
			DeferNote: c.DeferNote, LeasedBy: c.LeasedBy, Reviewer: c.LeasedFor, LeasedUntil: given(c.LeasedUntil),
			Accepted: c.Accepted, AcceptedFrom: timeOf(c.AcceptedFrom), Note: c.Note, Version: c.Version,
		}
		if by := c.SettledBy; by != nil {
			v.SettledBy = &api.Settler{Actor: by.Actor, Reviewer: by.Reviewer, At: by.At.Time(), How: by.How}
		}
		for i, b := range c.Beliefs {
			v.Sides = append(v.Sides, caseSideView(b, c.Sides[i]))
		}
		return v
	}
}

// timeOf converts an instant that is nil where there is none.
func timeOf(i *tenure.Instant) (t time.Time) {
	if i != nil {
		t = i.Time()
	}
	return t
}

func caseSideView(b service.Belief, s service.CaseSide) api.CaseSide {
	c := b.Claim
	return api.CaseSide{
		BeliefId: c.ID, Value: valueView(c.Value), ValueName: s.ValueName, Excerpt: s.Excerpt, Source: c.Source,
		ObservedAt: c.ObservedAt.Time(), RecordedAt: b.RecordedAt.Time(),
		ValidFrom: openTime(c.Window.From), ValidUntil: openTime(c.Window.Until),
	}
}

func caseEventView(e tenure.CaseEvent) api.CaseEvent {
	return api.CaseEvent{
		At: e.At.Time(), Actor: e.Actor, Reviewer: e.Reviewer, Action: e.Action, Accepted: e.Accepted,
		From: timeOf(e.From), Until: given(e.Until), Note: e.Note,
	}
}

// ListTasks implements GET /v1/tasks.
func (s *server) ListTasks(ctx context.Context, req api.ListTasksRequestObject) (api.ListTasksResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, nil, p.KnownAt)
	if err != nil {
		return nil, err
	}
	page, err := l.Tasks(ctx, service.TaskFilter{
		Kind: value(p.Kind), WaitsFor: value(p.WaitsFor), Project: value(p.ProjectId), Lease: value(p.Lease),
	}, l.page)
	return api.ListTasks200JSONResponse{Items: each(page.Items, waitingView), NextCursor: nextCursor(l, page)}, err
}

func waitingView(w service.Waiting) api.Waiting {
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

// ListDeadLetters implements GET /v1/webhook/dead-letters.
func (s *server) ListDeadLetters(
	ctx context.Context, _ api.ListDeadLettersRequestObject,
) (api.ListDeadLettersResponseObject, error) {
	list := s.deps.Service.DeadLetters(callerOf(ctx))
	return api.ListDeadLetters200JSONResponse{Items: each(list, func(d service.DeadLetter) api.DeadLetter {
		t := d.Event.Task
		return api.DeadLetter{
			EventId: d.Event.ID, Kind: t.Kind, TaskId: t.ID, Path: t.Path, Attempts: d.Attempts, LastError: d.LastError,
			LastAt: tenure.At(d.LastAt).Time(),
		}
	})}, nil
}

// RetryDeadLetter implements POST /v1/webhook/dead-letters/{id}/retry.
func (s *server) RetryDeadLetter(
	ctx context.Context, req api.RetryDeadLetterRequestObject,
) (api.RetryDeadLetterResponseObject, error) {
	if err := s.deps.Service.RetryDeadLetter(callerOf(ctx), tenure.ID(req.Id)); err != nil {
		return nil, err
	}
	return api.RetryDeadLetter204Response{}, nil
}

func windowView(w tenure.Window) api.Window {
	return api.Window{ValidFrom: openTime(w.From), ValidUntil: openTime(w.Until)}
}

// ListConflicts implements GET /v1/conflicts.
func (s *server) ListConflicts(
	ctx context.Context, req api.ListConflictsRequestObject,
) (api.ListConflictsResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, p.ValidAt, p.KnownAt)
	if err != nil {
		return nil, err
	}
	page, err := l.Conflicts(ctx, service.BeliefFilter{
		Entity: tenure.ID(value(p.EntityId)), Predicate: value(p.Predicate),
	}, l.page)
	return api.ListConflicts200JSONResponse{
		Items: each(page.Items, conflictView(callerOf(ctx).Tenant)), NextCursor: nextCursor(l, page), AsOf: asOf(l.View),
	}, err
}

func conflictView(tenant string) func(service.Conflict) api.Conflict {
	belief := beliefView(tenant)
	loss := func(l service.Loss) api.Loss {
		g := segmentView(l.Segment)
		v := api.Loss{
			ValidFrom: g.ValidFrom, ValidUntil: g.ValidUntil, Status: g.Status, Cause: g.Cause, By: g.By, Relation: g.Relation,
		}
		if l.Winner != nil {
			winner := belief(*l.Winner)
			v.Belief = &winner
		}
		return v
	}
	return func(c service.Conflict) api.Conflict {
		return api.Conflict{Belief: belief(c.Belief), CaseId: c.Belief.Standing.Case, LostTo: each(c.Losses, loss)}
	}
}
