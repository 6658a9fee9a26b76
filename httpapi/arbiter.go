package httpapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

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
	Reopen(ctx context.Context, key *tenure.IdempotencyKey, c review.Reopen) (review.UndoAnswer, tenure.Receipt, error)
	Lease(ctx context.Context, key *tenure.IdempotencyKey, l review.Lease) (review.LeaseAnswer, tenure.Receipt, error)
	// DecideReviews decides the items in order and returns a result for each.
	DecideReviews(ctx context.Context, c tenure.Caller, items []DecideItem) []DecideResult
}

// DecideItem is one decision of many. Key may be nil.
type DecideItem struct {
	Key    *tenure.IdempotencyKey
	Decide review.Decide
}

// DecideResult is what became of an item.
type DecideResult struct {
	Answer  review.DecideAnswer
	Receipt tenure.Receipt
	Err     error
}

// judged returns the error of an identity decision as the caller may see it.
func judged(err error) error {
	if tenure.CodeOf(err) == tenure.NotFound {
		return notFound()
	}
	return err
}

// DecideReview implements POST /v1/reviews/{id}/decision.
func (s *server) DecideReview(ctx context.Context, req api.DecideReviewRequestObject) (api.DecideReviewResponseObject, error) {
	in := req.Body
	a, r, err := s.deps.Arbiter.DecideReview(ctx, idempotencyKey(ctx, req.Params.IdempotencyKey), review.Decide{
		Caller: callerOf(ctx), Reviewer: in.Reviewer, Review: tenure.ID(req.Id), Decision: in.Decision, Into: in.Into,
		Mentions: in.Mentions, Version: in.Version, Note: in.Note,
	})
	if err := judged(err); err != nil {
		return nil, err
	}
	headers := api.DecideReview200ResponseHeaders{IdempotencyReplayed: replayed(r)}
	return api.DecideReview200JSONResponse{Body: decisionView(a, r), Headers: headers}, nil
}

func decisionView(a review.DecideAnswer, r tenure.Receipt) api.DecisionAnswer {
	return api.DecisionAnswer{
		Seq: r.Seq, RecordedAt: r.Tx.Time(), ReviewId: a.ReviewID, State: a.State, EntityId: a.EntityID,
		CanonicalId: a.CanonicalID, MergeId: a.MergeID, SplitId: a.SplitID, NotTheSame: some(a.Distinct),
		Restored: some(a.Restored), Displaced: some(a.Displaced),
	}
}

// DecideReviews implements POST /v1/reviews:decide.
func (s *server) DecideReviews(ctx context.Context, req api.DecideReviewsRequestObject) (api.DecideReviewsResponseObject, error) {
	items := make([]DecideItem, len(req.Body.Decisions))
	for i, in := range req.Body.Decisions {
		items[i].Decide = review.Decide{
			Caller: callerOf(ctx), Reviewer: in.Reviewer, Review: in.ReviewId, Decision: in.Decision, Into: in.Into,
			Mentions: in.Mentions, Version: in.Version, Note: in.Note,
		}
		if k := idempotencyKey(ctx, req.Params.IdempotencyKey); k != nil {
			k.Scope += fmt.Sprintf("\x1f%d", i)
			items[i].Key = k
		}
	}
	out := api.DecideReviews200JSONResponse{Results: []api.DecisionResult{}}
	for i, res := range s.deps.Arbiter.DecideReviews(ctx, callerOf(ctx), items) {
		v := api.DecisionResult{ReviewId: items[i].Decide.Review, Status: http.StatusOK, Replayed: res.Receipt.Replayed}
		if err := res.Err; err != nil {
			if tenure.CodeOf(err) == tenure.NotFound {
				err = notFound()
			}
			p := problemOf(err)
			v.Status, v.Problem = p.Status, &p
		} else {
			a := decisionView(res.Answer, res.Receipt)
			v.Answer = &a
		}
		out.Results = append(out.Results, v)
	}
	return out, nil
}

// defaultLease is how long a lease runs where nobody says.
const defaultLease = 15 * time.Minute

// LeaseReview implements POST /v1/reviews/{id}/lease.
func (s *server) LeaseReview(ctx context.Context, req api.LeaseReviewRequestObject) (api.LeaseReviewResponseObject, error) {
	word := review.Lease{Caller: callerOf(ctx), Review: tenure.ID(req.Id), For: defaultLease}
	if in := req.Body; in != nil {
		word.Reviewer = in.Reviewer
		if in.ForSeconds != nil {
			word.For = time.Duration(*in.ForSeconds) * time.Second
		}
	}
	a, again, err := s.lease(ctx, req.Params.IdempotencyKey, word)
	return api.LeaseReview200JSONResponse{Body: a, Headers: api.LeaseReview200ResponseHeaders{IdempotencyReplayed: again}}, err
}

// ReleaseReview implements POST /v1/reviews/{id}/release.
func (s *server) ReleaseReview(ctx context.Context, req api.ReleaseReviewRequestObject) (api.ReleaseReviewResponseObject, error) {
	word := review.Lease{Caller: callerOf(ctx), Review: tenure.ID(req.Id), Release: true}
	if req.Body != nil {
		word.Reviewer = req.Body.Reviewer
	}
	a, again, err := s.lease(ctx, req.Params.IdempotencyKey, word)
	return api.ReleaseReview200JSONResponse{Body: a, Headers: api.ReleaseReview200ResponseHeaders{IdempotencyReplayed: again}}, err
}

func (s *server) lease(ctx context.Context, key *string, word review.Lease) (_ api.LeaseAnswer, again *bool, _ error) {
	a, r, err := s.deps.Arbiter.Lease(ctx, idempotencyKey(ctx, key), word)
	if err := judged(err); err != nil {
		return api.LeaseAnswer{}, nil, err
	}
	v := api.LeaseAnswer{ReviewId: a.ReviewID, Version: a.Version, LeasedBy: a.LeasedBy, Reviewer: a.Reviewer}
	if a.LeasedUntil != 0 {
		v.LeasedUntil = a.LeasedUntil.Time()
	}
	return v, replayed(r), nil
}

// MergeEntity implements POST /v1/entities/{id}/merge.
func (s *server) MergeEntity(ctx context.Context, req api.MergeEntityRequestObject) (api.MergeEntityResponseObject, error) {
	a, r, err := s.deps.Arbiter.Merge(ctx, idempotencyKey(ctx, req.Params.IdempotencyKey), review.Merge{
		Caller: callerOf(ctx), From: tenure.ID(req.Id), Into: req.Body.Into, Reason: req.Body.Reason,
	})
	if err := judged(err); err != nil {
		return nil, err
	}
	return api.MergeEntity201JSONResponse{
		Body: api.MergeAnswer{
			Seq: r.Seq, RecordedAt: r.Tx.Time(), MergeId: a.MergeID, EntityId: a.EntityID, CanonicalId: a.CanonicalID,
			SettledReviews: some(a.Reviews), Restored: some(a.Restored), Displaced: some(a.Displaced),
		},
		Headers: api.MergeEntity201ResponseHeaders{
			Location: "/v1/merges/" + string(a.MergeID), IdempotencyReplayed: replayed(r),
		},
	}, nil
}

// SplitEntity implements POST /v1/entities/{id}/split.
func (s *server) SplitEntity(ctx context.Context, req api.SplitEntityRequestObject) (api.SplitEntityResponseObject, error) {
	a, r, err := s.deps.Arbiter.Split(ctx, idempotencyKey(ctx, req.Params.IdempotencyKey), review.Split{
		Caller: callerOf(ctx), Entity: tenure.ID(req.Id), Mentions: req.Body.Mentions, Reason: req.Body.Reason,
	})
	if err := judged(err); err != nil {
		return nil, err
	}
	return api.SplitEntity201JSONResponse{
		Body: api.SplitAnswer{
			Seq: r.Seq, RecordedAt: r.Tx.Time(), SplitId: a.SplitID, EntityId: a.EntityID, NewEntityId: a.NewEntityID,
			Mentions: some(a.Mentions), MovedBeliefs: some(a.Moved), Restored: some(a.Restored), Displaced: some(a.Displaced),
		},
		Headers: api.SplitEntity201ResponseHeaders{
			Location: "/v1/splits/" + string(a.SplitID), IdempotencyReplayed: replayed(r),
		},
	}, nil
}

// UndoMerge implements POST /v1/merges/{id}/undo.
func (s *server) UndoMerge(ctx context.Context, req api.UndoMergeRequestObject) (api.UndoMergeResponseObject, error) {
	a, again, err := s.undo(ctx, tenure.Merge, req.Id, req.Params.IdempotencyKey, req.Body)
	return api.UndoMerge200JSONResponse{Body: a, Headers: api.UndoMerge200ResponseHeaders{IdempotencyReplayed: again}}, err
}

// UndoSplit implements POST /v1/splits/{id}/undo.
func (s *server) UndoSplit(ctx context.Context, req api.UndoSplitRequestObject) (api.UndoSplitResponseObject, error) {
	a, again, err := s.undo(ctx, tenure.Split, req.Id, req.Params.IdempotencyKey, req.Body)
	return api.UndoSplit200JSONResponse{Body: a, Headers: api.UndoSplit200ResponseHeaders{IdempotencyReplayed: again}}, err
}

// UndoDistinction implements POST /v1/distinctions/{id}/undo.
func (s *server) UndoDistinction(ctx context.Context, req api.UndoDistinctionRequestObject) (api.UndoDistinctionResponseObject, error) {
	a, again, err := s.undo(ctx, tenure.Distinct, req.Id, req.Params.IdempotencyKey, req.Body)
	return api.UndoDistinction200JSONResponse{Body: a, Headers: api.UndoDistinction200ResponseHeaders{IdempotencyReplayed: again}}, err
}

// UndoReview implements POST /v1/reviews/{id}/undo.
func (s *server) UndoReview(ctx context.Context, req api.UndoReviewRequestObject) (api.UndoReviewResponseObject, error) {
	word := review.Reopen{Caller: callerOf(ctx), Review: tenure.ID(req.Id)}
	if in := req.Body; in != nil {
		word.Reviewer, word.Reason = in.Reviewer, in.Reason
	}
	a, r, err := s.deps.Arbiter.Reopen(ctx, idempotencyKey(ctx, req.Params.IdempotencyKey), word)
	if err := judged(err); err != nil {
		return nil, err
	}
	headers := api.UndoReview200ResponseHeaders{IdempotencyReplayed: replayed(r)}
	return api.UndoReview200JSONResponse{Body: undoView(a, r), Headers: headers}, nil
}

func (s *server) undo(
	ctx context.Context, kind tenure.VerdictKind, id api.Id, key *string, in *api.UndoInput,
) (_ api.UndoAnswer, again *bool, _ error) {
	word := review.Undo{Caller: callerOf(ctx), Kind: kind, Verdict: tenure.ID(id)}
	if in != nil {
		word.Reviewer, word.Reason = in.Reviewer, in.Reason
	}
	a, r, err := s.deps.Arbiter.Undo(ctx, idempotencyKey(ctx, key), word)
	if err := judged(err); err != nil {
		return api.UndoAnswer{}, nil, err
	}
	v := undoView(a, r)
	v.VerdictId = word.Verdict
	return v, replayed(r), nil
}

func undoView(a review.UndoAnswer, r tenure.Receipt) api.UndoAnswer {
	return api.UndoAnswer{
		Seq: r.Seq, RecordedAt: r.Tx.Time(), UndoneVerdicts: some(a.Undone), EntityId: a.EntityID, CanonicalId: a.CanonicalID,
		ReopenedReviews: some(a.Reviews), Restored: some(a.Restored), Displaced: some(a.Displaced),
	}
}

// GetDistinction implements GET /v1/distinctions/{id}.
func (s *server) GetDistinction(ctx context.Context, req api.GetDistinctionRequestObject) (api.GetDistinctionResponseObject, error) {
	v, err := s.verdict(ctx, tenure.Distinct, req.Id, req.Params.KnownAt)
	return api.GetDistinction200JSONResponse(v), err
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
		SettledReviews: v.Reviews, ReviewId: v.Review, Actor: v.Actor, At: v.At.Time(), Undone: v.Undone, UndoneBy: v.UndoneBy,
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
