package httpapi

import (
	"context"
	"time"

	"tenure"
	"tenure/api"
	"tenure/httpapi/wire"
	"tenure/service"
)

// ListCases implements GET /v1/quarantine.
func (s *server) ListCases(ctx context.Context, req api.ListCasesRequestObject) (api.ListCasesResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, nil, p.KnownAt)
	if err != nil {
		return nil, err
	}
	f, err := wire.CaseFilter(p)
	if err != nil {
		return nil, err
	}
	page, n, err := counted(l.page, p.Count, func(p service.Page) (service.Listing[service.Case], error) {
		return l.Cases(ctx, f, p)
	})
	return api.ListCases200JSONResponse{
		Items: wire.Each(page.Items, wire.Case(callerOf(ctx).Tenant)), NextCursor: nextCursor(l, page), Total: n,
	}, err
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
	out := wire.Case(callerOf(ctx).Tenant)(c)
	out.History = wire.Each(c.Events, wire.CaseEvent)
	return api.GetCase200JSONResponse(out), nil
}

// SettleCase implements POST /v1/quarantine/{id}/resolution.
func (s *server) SettleCase(
	ctx context.Context, req api.SettleCaseRequestObject,
) (api.SettleCaseResponseObject, error) {
	in := wire.SettlementOf(tenure.ID(req.Id), *req.Body)
	if wire.Value(req.Params.DryRun) {
		w, err := s.deps.Service.PreviewSettlement(ctx, callerOf(ctx), in)
		a := wire.SettlementAnswer(callerOf(ctx).Tenant, w)
		a.DryRun = true
		return api.SettleCase200JSONResponse(a), err
	}
	w, err := s.deps.Service.SettleCase(ctx, callerOf(ctx), keyOf(ctx), in)
	return api.SettleCase200JSONResponse(wire.SettlementAnswer(callerOf(ctx).Tenant, w)), told(ctx, w.Receipt, err)
}

// SettleCases implements POST /v1/quarantine:settle.
func (s *server) SettleCases(
	ctx context.Context, req api.SettleCasesRequestObject,
) (api.SettleCasesResponseObject, error) {
	list := wire.Each(req.Body.Settlements, wire.SettlementIn)
	out := api.SettleCases200JSONResponse{Results: []api.SettlementResult{}}
	for i, res := range s.deps.Service.SettleCases(ctx, callerOf(ctx), keyOf(ctx), list) {
		v := api.SettlementResult{CaseId: list[i].Case, Replayed: res.Receipt.Replayed}
		if v.Status, v.Problem = outcome(res.Err); res.Err == nil {
			a := wire.SettlementAnswer(callerOf(ctx).Tenant, res.Written)
			v.Answer = &a
		}
		out.Results = append(out.Results, v)
	}
	return out, nil
}

// UndoSettlement implements POST /v1/quarantine/{id}/undo.
func (s *server) UndoSettlement(
	ctx context.Context, req api.UndoSettlementRequestObject,
) (api.UndoSettlementResponseObject, error) {
	w, err := s.deps.Service.UndoSettlement(ctx, callerOf(ctx), keyOf(ctx), tenure.ID(req.Id), wire.Value(req.Body).Reason)
	return api.UndoSettlement200JSONResponse(wire.SettlementAnswer(callerOf(ctx).Tenant, w)), told(ctx, w.Receipt, err)
}

// LeaseCase implements POST /v1/quarantine/{id}/lease.
func (s *server) LeaseCase(ctx context.Context, req api.LeaseCaseRequestObject) (api.LeaseCaseResponseObject, error) {
	in := wire.Value(req.Body)
	w, err := s.deps.Service.LeaseCase(ctx, callerOf(ctx), keyOf(ctx), service.CaseLease{
		Case: tenure.ID(req.Id), Reviewer: in.Reviewer, For: time.Duration(wire.Value(in.ForSeconds)) * time.Second,
	})
	return api.LeaseCase200JSONResponse(wire.CaseLease(w.Answer)), told(ctx, w.Receipt, err)
}

// ReleaseCase implements POST /v1/quarantine/{id}/release.
func (s *server) ReleaseCase(
	ctx context.Context, req api.ReleaseCaseRequestObject,
) (api.ReleaseCaseResponseObject, error) {
	w, err := s.deps.Service.ReleaseCase(ctx, callerOf(ctx), keyOf(ctx), service.CaseLease{
		Case: tenure.ID(req.Id), Reviewer: wire.Value(req.Body).Reviewer,
	})
	return api.ReleaseCase200JSONResponse(wire.CaseLease(w.Answer)), told(ctx, w.Receipt, err)
}

// ListTasks implements GET /v1/tasks.
func (s *server) ListTasks(ctx context.Context, req api.ListTasksRequestObject) (api.ListTasksResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, nil, p.KnownAt)
	if err != nil {
		return nil, err
	}
	f := wire.TaskFilter(p)
	page, n, err := counted(l.page, p.Count, func(p service.Page) (service.Listing[service.Waiting], error) {
		return l.Tasks(ctx, f, p)
	})
	return api.ListTasks200JSONResponse{
		Items: wire.Each(page.Items, wire.Waiting), NextCursor: nextCursor(l, page), Total: n,
	}, err
}

// ListDeadLetters implements GET /v1/webhook/dead-letters.
func (s *server) ListDeadLetters(
	ctx context.Context, req api.ListDeadLettersRequestObject,
) (api.ListDeadLettersResponseObject, error) {
	cursors := s.cursorsOf(ctx)
	page, err := unpinned(cursors, req.Params.Limit, req.Params.Cursor)
	if err != nil {
		return nil, err
	}
	list := s.deps.Service.DeadLetters(callerOf(ctx), page)
	out := api.ListDeadLetters200JSONResponse{Items: wire.Each(list.Items, wire.DeadLetter)}
	if list.More {
		out.NextCursor = cursors.seal(cursor{Last: list.Last})
	}
	return out, nil
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
		Entity: tenure.ID(wire.Value(p.EntityId)), Predicate: wire.Value(p.Predicate),
	}, l.page)
	return api.ListConflicts200JSONResponse{
		Items: wire.Each(page.Items, wire.Conflict(callerOf(ctx).Tenant)), NextCursor: nextCursor(l, page), AsOf: wire.AsOf(l.View),
	}, err
}
