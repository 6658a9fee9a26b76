package httpapi

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/api"
	"tenure/review"
	"tenure/store"
)

// Arbiter carries out what people say of who is who. The Caller of a command is
// that of the request. NotFound for what the caller may not see.
type Arbiter interface {
	DecideReview(ctx context.Context, key *tenure.IdempotencyKey, d review.Decide) (review.DecideAnswer, tenure.Receipt, error)
	Merge(ctx context.Context, key *tenure.IdempotencyKey, m review.Merge) (review.MergeAnswer, tenure.Receipt, error)
	Split(ctx context.Context, key *tenure.IdempotencyKey, s review.Split) (review.SplitAnswer, tenure.Receipt, error)
	Undo(ctx context.Context, key *tenure.IdempotencyKey, u review.Undo) (review.UndoAnswer, tenure.Receipt, error)
}

// judged prepares the answer to a verdict: what is not there for the caller is
// told as everywhere.
func judged(ctx context.Context, r tenure.Receipt, err error) error {
	if tenure.CodeOf(err) == tenure.NotFound {
		return notFound()
	}
	if err == nil {
		markReplayed(ctx, r)
	}
	return err
}

// DecideReview implements POST /v1/reviews/{id}/decision.
func (s *server) DecideReview(ctx context.Context, req api.DecideReviewRequestObject) (api.DecideReviewResponseObject, error) {
	in := req.Body
	a, r, err := s.deps.Arbiter.DecideReview(ctx, idempotencyKey(ctx, req.Params.IdempotencyKey), review.Decide{
		Caller: callerOf(ctx), Review: tenure.ID(req.Id), Decision: in.Decision, Into: in.Into, Mentions: in.Mentions,
		Version: in.Version, Note: in.Note,
	})
	if err := judged(ctx, r, err); err != nil {
		return nil, err
	}
	return api.DecideReview200JSONResponse{
		Seq: r.Seq, RecordedAt: r.Tx.Time(), ReviewId: a.ReviewID, State: a.State, EntityId: a.EntityID,
		CanonicalId: a.CanonicalID, MergeId: a.MergeID, SplitId: a.SplitID, NotTheSame: some(a.Distinct),
		Restored: some(a.Restored), Displaced: some(a.Displaced),
	}, nil
}

// MergeEntity implements POST /v1/entities/{id}/merge.
func (s *server) MergeEntity(ctx context.Context, req api.MergeEntityRequestObject) (api.MergeEntityResponseObject, error) {
	a, r, err := s.deps.Arbiter.Merge(ctx, idempotencyKey(ctx, req.Params.IdempotencyKey), review.Merge{
		Caller: callerOf(ctx), From: tenure.ID(req.Id), Into: req.Body.Into, Reason: req.Body.Reason,
	})
	if err := judged(ctx, r, err); err != nil {
		return nil, err
	}
	stateOf(ctx).echo.Response().Header().Set("Location", "/v1/merges/"+string(a.MergeID))
	return api.MergeEntity201JSONResponse{
		Seq: r.Seq, RecordedAt: r.Tx.Time(), MergeId: a.MergeID, EntityId: a.EntityID, CanonicalId: a.CanonicalID,
		SettledReviews: some(a.Reviews), Restored: some(a.Restored), Displaced: some(a.Displaced),
	}, nil
}

// SplitEntity implements POST /v1/entities/{id}/split.
func (s *server) SplitEntity(ctx context.Context, req api.SplitEntityRequestObject) (api.SplitEntityResponseObject, error) {
	a, r, err := s.deps.Arbiter.Split(ctx, idempotencyKey(ctx, req.Params.IdempotencyKey), review.Split{
		Caller: callerOf(ctx), Entity: tenure.ID(req.Id), Mentions: req.Body.Mentions, Reason: req.Body.Reason,
	})
	if err := judged(ctx, r, err); err != nil {
		return nil, err
	}
	stateOf(ctx).echo.Response().Header().Set("Location", "/v1/splits/"+string(a.SplitID))
	return api.SplitEntity201JSONResponse{
		Seq: r.Seq, RecordedAt: r.Tx.Time(), SplitId: a.SplitID, EntityId: a.EntityID, NewEntityId: a.NewEntityID,
		Mentions: some(a.Mentions), MovedBeliefs: some(a.Moved), Restored: some(a.Restored), Displaced: some(a.Displaced),
	}, nil
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

func (s *server) undo(ctx context.Context, kind tenure.VerdictKind, id api.Id, key *string, in *api.UndoInput) (api.UndoAnswer, error) {
	word := review.Undo{Caller: callerOf(ctx), Kind: kind, Verdict: tenure.ID(id)}
	if in != nil {
		word.Reason = in.Reason
	}
	a, r, err := s.deps.Arbiter.Undo(ctx, idempotencyKey(ctx, key), word)
	if err := judged(ctx, r, err); err != nil {
		return api.UndoAnswer{}, err
	}
	return api.UndoAnswer{
		Seq: r.Seq, RecordedAt: r.Tx.Time(), VerdictId: a.VerdictID, EntityId: a.EntityID, CanonicalId: a.CanonicalID,
		ReopenedReviews: some(a.Reviews), Restored: some(a.Restored), Displaced: some(a.Displaced),
	}, nil
}

// GetMerge implements GET /v1/merges/{id}.
func (s *server) GetMerge(ctx context.Context, req api.GetMergeRequestObject) (api.GetMergeResponseObject, error) {
	v, err := s.verdict(ctx, tenure.Merge, req.Id, req.Params.KnownAt)
	return api.GetMerge200JSONResponse(v), err
}

// GetSplit implements GET /v1/splits/{id}.
func (s *server) GetSplit(ctx context.Context, req api.GetSplitRequestObject) (api.GetSplitResponseObject, error) {
	v, err := s.verdict(ctx, tenure.Split, req.Id, req.Params.KnownAt)
	return api.GetSplit200JSONResponse(v), err
}

// verdict is one of the kind, whose From the caller may see.
func (s *server) verdict(ctx context.Context, kind tenure.VerdictKind, id api.Id, knownAt *api.KnownAt) (api.Verdict, error) {
	r, _, err := s.read(ctx, nil, knownAt)
	if err != nil {
		return api.Verdict{}, err
	}
	list, err := r.Verdicts(ctx, []tenure.ID{tenure.ID(id)})
	if err != nil {
		return api.Verdict{}, err
	}
	if len(list) != 1 || list[0].Kind != kind {
		return api.Verdict{}, notFound()
	}
	if err := sees(ctx, r, list[0].From); err != nil {
		return api.Verdict{}, err
	}
	return verdictView(list[0]), nil
}

func verdictView(v tenure.Verdict) api.Verdict {
	view := api.Verdict{
		VerdictId: v.ID, Kind: v.Kind, From: v.From, Into: v.Into, Automatic: v.Automatic, Score: v.Score, Reason: v.Reason,
		SettledReviews: v.Reviews, Actor: v.Actor, At: v.At.Time(), Undone: v.Undone, UndoneBy: v.UndoneBy,
		UndoneReason: v.UndoneReason,
	}
	for _, a := range v.Moved {
		view.Mentions = append(view.Mentions, a.Mention)
	}
	if v.Undone {
		view.UndoneAt = v.UndoneAt.Time()
	}
	return view
}

// verdictsOn lists what was judged of entities, oldest first, as far as the
// caller may see both sides.
func verdictsOn(ctx context.Context, r store.Reader, ids []tenure.ID) ([]api.Verdict, error) {
	list, err := r.VerdictsOn(ctx, ids)
	if err != nil {
		return nil, err
	}
	var sides []tenure.ID
	for _, v := range list {
		sides = append(sides, v.From, v.Into)
	}
	seen, err := visibleEntities(ctx, r, sides)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b tenure.Verdict) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.ID, b.ID)) })
	views := []api.Verdict{}
	for _, v := range list {
		_, from := seen[v.From]
		_, into := seen[v.Into]
		if from && into {
			views = append(views, verdictView(v))
		}
	}
	return views, nil
}
