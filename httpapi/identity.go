package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// MergeEntity implements POST /v1/entities/{id}/merge.
func (s *server) MergeEntity(
	ctx context.Context, req api.MergeEntityRequestObject,
) (api.MergeEntityResponseObject, error) {
	w, err := s.deps.Service.Merge(ctx, callerOf(ctx), idempotencyKey(ctx, req.Params.IdempotencyKey), service.EntityMerge{
		From: tenure.ID(req.Id), Into: req.Body.Into, Reason: req.Body.Reason,
	})
	a := w.Answer
	return api.MergeEntity201JSONResponse{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), MergeId: a.MergeID, EntityId: a.EntityID, RootId: a.RootID,
		SettledReviews: nonNil(a.Reviews), Restored: nonNil(a.Restored), Displaced: nonNil(a.Displaced),
	}, made(ctx, "/v1/merges/", a.MergeID, w.Receipt, err)
}

// SplitEntity implements POST /v1/entities/{id}/split.
func (s *server) SplitEntity(
	ctx context.Context, req api.SplitEntityRequestObject,
) (api.SplitEntityResponseObject, error) {
	w, err := s.deps.Service.Split(ctx, callerOf(ctx), idempotencyKey(ctx, req.Params.IdempotencyKey), service.EntitySplit{
		Entity: tenure.ID(req.Id), Mentions: req.Body.Mentions, Reason: req.Body.Reason,
	})
	a := w.Answer
	return api.SplitEntity201JSONResponse{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), SplitId: a.SplitID, EntityId: a.EntityID,
		NewEntityId: a.NewEntityID, Mentions: nonNil(a.Mentions), MovedBeliefs: nonNil(a.Moved),
		Restored: nonNil(a.Restored), Displaced: nonNil(a.Displaced),
	}, made(ctx, "/v1/splits/", a.SplitID, w.Receipt, err)
}

// UndoMerge implements POST /v1/merges/{id}/undo.
func (s *server) UndoMerge(ctx context.Context, req api.UndoMergeRequestObject) (api.UndoMergeResponseObject, error) {
	a, err := s.undo(ctx, tenure.Merge, req.Id, req.Params.IdempotencyKey, req.Body)
	return api.UndoMerge200JSONResponse(a), err
}

// UndoSplit implements POST /v1/splits/{id}/undo.
func (s *server) UndoSplit(ctx context.Context, req api.UndoSplitRequestObject) (api.UndoSplitResponseObject, error) {
	a, err := s.undo(ctx, tenure.Split, req.Id, req.Params.IdempotencyKey, req.Body)
	return api.UndoSplit200JSONResponse(a), err
}

// UndoCannotLink implements POST /v1/cannot-links/{id}/undo.
func (s *server) UndoCannotLink(
	ctx context.Context, req api.UndoCannotLinkRequestObject,
) (api.UndoCannotLinkResponseObject, error) {
	a, err := s.undo(ctx, tenure.CannotLink, req.Id, req.Params.IdempotencyKey, req.Body)
	return api.UndoCannotLink200JSONResponse(a), err
}

func (s *server) undo(
	ctx context.Context, kind tenure.IdentityDecisionKind, id api.Id, key *string, in *api.UndoInput,
) (api.UndoAnswer, error) {
	w, err := s.deps.Service.UndoIdentityDecision(ctx, callerOf(ctx), idempotencyKey(ctx, key), kind, undoOf(id, in))
	a := undoView(w)
	a.DecisionId = tenure.ID(id)
	return a, told(ctx, w.Receipt, err)
}

func undoOf(id api.Id, in *api.UndoInput) service.Undo {
	body := value(in)
	return service.Undo{ID: tenure.ID(id), Reviewer: body.Reviewer, Reason: body.Reason}
}

func undoView(w service.Written[service.Undone]) api.UndoAnswer {
	a := w.Answer
	return api.UndoAnswer{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), UndoneDecisions: nonNil(a.Undone),
		EntityId: a.EntityID, RootId: a.RootID, ReopenedReviews: nonNil(a.Reviews),
		Restored: nonNil(a.Restored), Displaced: nonNil(a.Displaced),
	}
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
	return identityDecisionView(d), err
}

func identityDecisionView(v tenure.IdentityDecision) api.IdentityDecision {
	view := api.IdentityDecision{
		DecisionId: v.ID, Kind: v.Kind, From: v.From, Into: v.Into, Automatic: v.Automatic, Score: v.Score, Reason: v.Reason,
		SettledReviews: v.Reviews, ReviewId: v.Review, Actor: v.Actor, At: v.At.Time(),
		Undone: v.Undone, UndoneBy: v.UndoneBy, UndoneReason: v.UndoneReason,
	}
	for _, a := range v.Moved {
		view.Mentions = append(view.Mentions, a.Mention)
	}
	if v.Undone {
		view.UndoneAt = v.UndoneAt.Time()
	}
	return view
}
