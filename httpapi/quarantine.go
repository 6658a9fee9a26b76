package httpapi

import (
	"context"

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
	page, err := l.Cases(ctx, service.CaseFilter{
		State: tenure.CaseState(value(p.State)), Entity: tenure.ID(value(p.EntityId)),
	}, l.page)
	return api.ListCases200JSONResponse{Items: each(page.Items, caseView(ctx)), NextCursor: nextCursor(l, page)}, err
}

// GetCase implements GET /v1/quarantine/{id}.
func (s *server) GetCase(ctx context.Context, req api.GetCaseRequestObject) (api.GetCaseResponseObject, error) {
	v, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	c, err := v.Case(ctx, tenure.ID(req.Id))
	return api.GetCase200JSONResponse(caseView(ctx)(c)), err
}

// SettleCase implements POST /v1/quarantine/{id}/resolution.
func (s *server) SettleCase(
	ctx context.Context, req api.SettleCaseRequestObject,
) (api.SettleCaseResponseObject, error) {
	in := req.Body
	key := idempotencyKey(ctx, req.Params.IdempotencyKey)
	w, err := s.deps.Service.SettleCase(ctx, callerOf(ctx), key, service.Settlement{
		Case: tenure.ID(req.Id), Accept: in.Accept, RejectAll: in.RejectAll, Version: in.Version,
		AuthorityLevel: in.AuthorityLevel, Note: in.Note,
	})
	if err != nil {
		return nil, err
	}
	headers := api.SettleCase200ResponseHeaders{IdempotencyReplayed: replayed(w.Receipt)}
	return api.SettleCase200JSONResponse{Body: settlementView(ctx, w), Headers: headers}, nil
}

// UndoSettlement implements POST /v1/quarantine/{id}/undo.
func (s *server) UndoSettlement(
	ctx context.Context, req api.UndoSettlementRequestObject,
) (api.UndoSettlementResponseObject, error) {
	key := idempotencyKey(ctx, req.Params.IdempotencyKey)
	w, err := s.deps.Service.UndoSettlement(ctx, callerOf(ctx), key, tenure.ID(req.Id), value(req.Body).Reason)
	if err != nil {
		return nil, err
	}
	headers := api.UndoSettlement200ResponseHeaders{IdempotencyReplayed: replayed(w.Receipt)}
	return api.UndoSettlement200JSONResponse{Body: settlementView(ctx, w), Headers: headers}, nil
}

func settlementView(ctx context.Context, w service.Written[service.SettledCase]) api.SettlementAnswer {
	return api.SettlementAnswer{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), Case: caseView(ctx)(w.Answer.Case),
		Restored: nonNil(w.Answer.Restored), Displaced: nonNil(w.Answer.Displaced),
	}
}

func caseView(ctx context.Context) func(service.Case) api.Case {
	return func(c service.Case) api.Case {
		v := api.Case{
			CaseId: c.ID, State: c.State, Subject: c.Subject, Predicate: c.Predicate, Scope: c.Scope.Canonical(),
			CrossScope: c.CrossScope, Holds: nonNil(c.Holds), Beliefs: each(c.Beliefs, beliefView(ctx)),
			Windows:  each(c.Windows, windowView),
			Resolver: c.Resolver, OpenedAt: c.OpenedAt.Time(), Accepted: c.Accepted, Note: c.Note, Version: c.Version,
		}
		if c.ClosedAt != 0 {
			v.ClosedAt = c.ClosedAt.Time()
		}
		return v
	}
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
		Items: each(page.Items, conflictView(ctx)), NextCursor: nextCursor(l, page), AsOf: asOf(l.View),
	}, err
}

func conflictView(ctx context.Context) func(service.Conflict) api.Conflict {
	belief := beliefView(ctx)
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
