package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/httpapi/wire"
	"tenure/service"
)

// ListBeliefs implements GET /v1/beliefs.
func (s *server) ListBeliefs(
	ctx context.Context, req api.ListBeliefsRequestObject,
) (api.ListBeliefsResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, p.ValidAt, p.KnownAt)
	if err != nil {
		return nil, err
	}
	page, err := l.Beliefs(ctx, wire.BeliefFilter(p), l.page)
	return api.ListBeliefs200JSONResponse{
		Items: wire.Each(page.Items, wire.Belief(callerOf(ctx).Tenant)), NextCursor: nextCursor(l, page), AsOf: wire.AsOf(l.View),
	}, err
}

// GetBelief implements GET /v1/beliefs/{id}.
func (s *server) GetBelief(ctx context.Context, req api.GetBeliefRequestObject) (api.GetBeliefResponseObject, error) {
	v, err := s.read(ctx, req.Params.ValidAt, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	b, err := v.Belief(ctx, tenure.ID(req.Id))
	return api.GetBelief200JSONResponse(wire.Belief(callerOf(ctx).Tenant)(b)), err
}

// GetBeliefChain implements GET /v1/beliefs/{id}/chain.
func (s *server) GetBeliefChain(
	ctx context.Context, req api.GetBeliefChainRequestObject,
) (api.GetBeliefChainResponseObject, error) {
	v, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	list, truncated, err := v.Chain(ctx, tenure.ID(req.Id))
	return api.GetBeliefChain200JSONResponse{
		Items: wire.Each(list, wire.Belief(callerOf(ctx).Tenant)), Truncated: truncated,
	}, err
}

// ConfirmBelief implements POST /v1/beliefs/{id}/confirm.
func (s *server) ConfirmBelief(
	ctx context.Context, req api.ConfirmBeliefRequestObject,
) (api.ConfirmBeliefResponseObject, error) {
	a, err := s.amend(ctx, tenure.Confirm, req.Id, req.Body)
	return api.ConfirmBelief200JSONResponse{AmendedJSONResponse: a}, err
}

// RetractBelief implements POST /v1/beliefs/{id}/retract.
func (s *server) RetractBelief(
	ctx context.Context, req api.RetractBeliefRequestObject,
) (api.RetractBeliefResponseObject, error) {
	a, err := s.amend(ctx, tenure.Retract, req.Id, req.Body)
	return api.RetractBelief200JSONResponse{AmendedJSONResponse: a}, err
}

// EndBelief implements POST /v1/beliefs/{id}/end.
func (s *server) EndBelief(ctx context.Context, req api.EndBeliefRequestObject) (api.EndBeliefResponseObject, error) {
	a, err := s.amend(ctx, tenure.End, req.Id, req.Body)
	return api.EndBelief200JSONResponse{AmendedJSONResponse: a}, err
}

func (s *server) amend(
	ctx context.Context, kind tenure.AmendmentKind, id api.Id, in *api.AmendmentInput,
) (api.AmendedJSONResponse, error) {
	body := wire.Value(in)
	w, err := s.deps.Service.Amend(ctx, callerOf(ctx), keyOf(ctx), service.Amendment{
		Kind: kind, Belief: tenure.ID(id), At: wire.InstantOf(body.At), AuthorityLevel: body.AuthorityLevel, Reason: body.Reason,
	})
	return wire.Amended(callerOf(ctx).Tenant, w), told(ctx, w.Receipt, err)
}

// UndoAmendment implements POST /v1/amendments/{id}/undo.
func (s *server) UndoAmendment(
	ctx context.Context, req api.UndoAmendmentRequestObject,
) (api.UndoAmendmentResponseObject, error) {
	w, err := s.deps.Service.UndoAmendment(ctx, callerOf(ctx), keyOf(ctx), tenure.ID(req.Id), wire.Value(req.Body).Reason)
	return api.UndoAmendment200JSONResponse{AmendedJSONResponse: wire.Amended(callerOf(ctx).Tenant, w)},
		told(ctx, w.Receipt, err)
}

// ListAmendments implements GET /v1/beliefs/{id}/amendments.
func (s *server) ListAmendments(
	ctx context.Context, req api.ListAmendmentsRequestObject,
) (api.ListAmendmentsResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, nil, p.KnownAt)
	if err != nil {
		return nil, err
	}
	page, err := l.Amendments(ctx, tenure.ID(req.Id), l.page)
	return api.ListAmendments200JSONResponse{
		Items: wire.Each(page.Items, wire.Amendment), NextCursor: nextCursor(l, page),
	}, err
}

// GetAmendment implements GET /v1/amendments/{id}.
func (s *server) GetAmendment(
	ctx context.Context, req api.GetAmendmentRequestObject,
) (api.GetAmendmentResponseObject, error) {
	v, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	a, err := v.Amendment(ctx, tenure.ID(req.Id))
	return api.GetAmendment200JSONResponse(wire.Amendment(a)), err
}
