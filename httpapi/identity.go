package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/httpapi/wire"
	"tenure/service"
)

// MergeEntity implements POST /v1/entities/{id}/merge.
func (s *server) MergeEntity(
	ctx context.Context, req api.MergeEntityRequestObject,
) (api.MergeEntityResponseObject, error) {
	w, err := s.deps.Service.Merge(ctx, callerOf(ctx), keyOf(ctx), service.EntityMerge{
		From: tenure.ID(req.Id), Into: req.Body.Into, Reason: req.Body.Reason,
	})
	return api.MergeEntity201JSONResponse(wire.MergeAnswer(w)), made(ctx, "/v1/merges/", w.Answer.MergeID, w.Receipt, err)
}

// SplitEntity implements POST /v1/entities/{id}/split.
func (s *server) SplitEntity(
	ctx context.Context, req api.SplitEntityRequestObject,
) (api.SplitEntityResponseObject, error) {
	w, err := s.deps.Service.Split(ctx, callerOf(ctx), keyOf(ctx), service.EntitySplit{
		Entity: tenure.ID(req.Id), Mentions: req.Body.Mentions, Reason: req.Body.Reason,
	})
	return api.SplitEntity201JSONResponse(wire.SplitAnswer(w)), made(ctx, "/v1/splits/", w.Answer.SplitID, w.Receipt, err)
}

// UndoMerge implements POST /v1/merges/{id}/undo.
func (s *server) UndoMerge(ctx context.Context, req api.UndoMergeRequestObject) (api.UndoMergeResponseObject, error) {
	a, err := s.undo(ctx, tenure.Merge, req.Id, req.Body)
	return api.UndoMerge200JSONResponse(a), err
}

// UndoSplit implements POST /v1/splits/{id}/undo.
func (s *server) UndoSplit(ctx context.Context, req api.UndoSplitRequestObject) (api.UndoSplitResponseObject, error) {
	a, err := s.undo(ctx, tenure.Split, req.Id, req.Body)
	return api.UndoSplit200JSONResponse(a), err
}

// UndoCannotLink implements POST /v1/cannot-links/{id}/undo.
func (s *server) UndoCannotLink(
	ctx context.Context, req api.UndoCannotLinkRequestObject,
) (api.UndoCannotLinkResponseObject, error) {
	a, err := s.undo(ctx, tenure.CannotLink, req.Id, req.Body)
	return api.UndoCannotLink200JSONResponse(a), err
}

func (s *server) undo(
	ctx context.Context, kind tenure.IdentityDecisionKind, id api.Id, in *api.UndoInput,
) (api.UndoAnswer, error) {
	w, err := s.deps.Service.UndoIdentityDecision(ctx, callerOf(ctx), keyOf(ctx), kind, wire.UndoOf(id, in))
	a := wire.UndoAnswer(w)
	a.DecisionId = tenure.ID(id)
	return a, told(ctx, w.Receipt, err)
}

// GetCannotLink implements GET /v1/cannot-links/{id}.
func (s *server) GetCannotLink(
	ctx context.Context, req api.GetCannotLinkRequestObject,
) (api.GetCannotLinkResponseObject, error) {
	v, err := s.identityDecision(ctx, tenure.CannotLink, req.Id, req.Params.KnownAt)
	return api.GetCannotLink200JSONResponse(v), err
}

// GetMerge implements GET /v1/merges/{id}.
func (s *server) GetMerge(ctx context.Context, req api.GetMergeRequestObject) (api.GetMergeResponseObject, error) {
	v, err := s.identityDecision(ctx, tenure.Merge, req.Id, req.Params.KnownAt)
	return api.GetMerge200JSONResponse(v), err
}

// GetSplit implements GET /v1/splits/{id}.
func (s *server) GetSplit(ctx context.Context, req api.GetSplitRequestObject) (api.GetSplitResponseObject, error) {
	v, err := s.identityDecision(ctx, tenure.Split, req.Id, req.Params.KnownAt)
	return api.GetSplit200JSONResponse(v), err
}

func (s *server) identityDecision(
	ctx context.Context, kind tenure.IdentityDecisionKind, id api.Id, knownAt *api.KnownAt,
) (api.IdentityDecision, error) {
	v, err := s.read(ctx, nil, knownAt)
	if err != nil {
		return api.IdentityDecision{}, err
	}
	d, err := v.IdentityDecision(ctx, kind, tenure.ID(id))
	return wire.IdentityDecision(d), err
}
