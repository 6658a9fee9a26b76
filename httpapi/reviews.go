package httpapi

import (
	"context"
	"time"

	"tenure"
	"tenure/api"
	"tenure/httpapi/wire"
	"tenure/service"
)

// ListReviews implements GET /v1/reviews.
func (s *server) ListReviews(
	ctx context.Context, req api.ListReviewsRequestObject,
) (api.ListReviewsResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, nil, p.KnownAt)
	if err != nil {
		return nil, err
	}
	f, err := wire.ReviewFilter(p)
	if err != nil {
		return nil, err
	}
	page, n, err := counted(l.page, p.Count, func(p service.Page) (service.Listing[service.Review], error) {
		return l.Reviews(ctx, f, p)
	})
	return api.ListReviews200JSONResponse{
		Items: wire.Each(page.Items, wire.Review), NextCursor: nextCursor(l, page), Total: n,
	}, err
}

// GetReview implements GET /v1/reviews/{id}.
func (s *server) GetReview(ctx context.Context, req api.GetReviewRequestObject) (api.GetReviewResponseObject, error) {
	l, err := s.listPage(ctx, req.Params.Limit, req.Params.Cursor, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	r, err := l.Review(ctx, tenure.ID(req.Id), l.page)
	if err != nil {
		return nil, err
	}
	v := wire.Review(r)
	d := r.Detail
	v.RelatedReviews, v.Entity = d.Related, wire.Side(d.Entity)
	v.NextCursor = l.cursor(string(d.LastMention), d.MoreMentions)
	for i, c := range d.Candidates {
		if c.Side != nil {
			now := wire.Comparison(c.Now)
			v.Candidates[i].Entity, v.Candidates[i].Now = wire.Side(*c.Side), &now
			v.Candidates[i].Fields, v.Candidates[i].Explanation = wire.Each(c.Fields, wire.Field), c.Explanation
		}
	}
	v.History = wire.Each(r.Events, func(e tenure.ReviewEvent) api.ReviewEvent {
		return api.ReviewEvent{
			At: e.At.Time(), Actor: e.Actor, Reviewer: e.Reviewer, Action: e.Action, Into: e.Into, Note: e.Note,
		}
	})
	known := wire.KnownState(l.State())
	v.AsOf = &known
	return api.GetReview200JSONResponse(v), nil
}

// GetThresholdReport implements GET /v1/reviews/threshold-report.
func (s *server) GetThresholdReport(
	ctx context.Context, req api.GetThresholdReportRequestObject,
) (api.GetThresholdReportResponseObject, error) {
	v, err := s.read(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	a, err := v.ThresholdReport(ctx, wire.Value(req.Params.Last))
	if err != nil {
		return nil, err
	}
	out := api.GetThresholdReport200JSONResponse{
		Answers: a.Answers, UsableAnswers: a.UsableAnswers, Findings: a.Findings, Bands: []api.ScoreBand{},
	}
	for _, b := range a.Bands {
		out.Bands = append(out.Bands, api.ScoreBand{
			From: b.From, Until: min(b.Until, 1), Answers: b.Answers(), Matches: b.Matches, NonMatches: b.NonMatches,
		})
	}
	if x := a.NonMatchRateAtMerge; x != nil {
		out.NonMatchRateAtMerge = &api.Estimate{Rate: x.Rate, Low: x.Low, High: x.High}
	}
	if x := a.MatchRateAtNew; x != nil {
		out.MatchRateAtNew = &api.Estimate{Rate: x.Rate, Low: x.Low, High: x.High}
	}
	return out, nil
}

// DecideReview implements POST /v1/reviews/{id}/decision.
func (s *server) DecideReview(
	ctx context.Context, req api.DecideReviewRequestObject,
) (api.DecideReviewResponseObject, error) {
	w, err := s.deps.Service.DecideReview(ctx, callerOf(ctx), keyOf(ctx), wire.DecisionOf(tenure.ID(req.Id), *req.Body))
	return api.DecideReview200JSONResponse(wire.DecisionAnswer(w)), told(ctx, w.Receipt, err)
}

// DecideReviews implements POST /v1/reviews:decide.
func (s *server) DecideReviews(
	ctx context.Context, req api.DecideReviewsRequestObject,
) (api.DecideReviewsResponseObject, error) {
	list := wire.Each(req.Body.Decisions, wire.DecisionIn)
	out := api.DecideReviews200JSONResponse{Results: []api.DecisionResult{}}
	for i, res := range s.deps.Service.DecideReviews(ctx, callerOf(ctx), keyOf(ctx), list) {
		v := api.DecisionResult{ReviewId: list[i].Review, Replayed: res.Receipt.Replayed}
		if v.Status, v.Problem = outcome(res.Err); res.Err == nil {
			a := wire.DecisionAnswer(res.Written)
			v.Answer = &a
		}
		out.Results = append(out.Results, v)
	}
	return out, nil
}

// LeaseReview implements POST /v1/reviews/{id}/lease.
func (s *server) LeaseReview(
	ctx context.Context, req api.LeaseReviewRequestObject,
) (api.LeaseReviewResponseObject, error) {
	in := wire.Value(req.Body)
	w, err := s.deps.Service.LeaseReview(ctx, callerOf(ctx), keyOf(ctx), service.ReviewLease{
		Review: tenure.ID(req.Id), Reviewer: in.Reviewer, For: time.Duration(wire.Value(in.ForSeconds)) * time.Second,
	})
	return api.LeaseReview200JSONResponse(wire.ReviewLease(w.Answer)), told(ctx, w.Receipt, err)
}

// ReleaseReview implements POST /v1/reviews/{id}/release.
func (s *server) ReleaseReview(
	ctx context.Context, req api.ReleaseReviewRequestObject,
) (api.ReleaseReviewResponseObject, error) {
	w, err := s.deps.Service.ReleaseReview(ctx, callerOf(ctx), keyOf(ctx), service.ReviewLease{
		Review: tenure.ID(req.Id), Reviewer: wire.Value(req.Body).Reviewer,
	})
	return api.ReleaseReview200JSONResponse(wire.ReviewLease(w.Answer)), told(ctx, w.Receipt, err)
}

// UndoReview implements POST /v1/reviews/{id}/undo.
func (s *server) UndoReview(
	ctx context.Context, req api.UndoReviewRequestObject,
) (api.UndoReviewResponseObject, error) {
	w, err := s.deps.Service.UndoReview(ctx, callerOf(ctx), keyOf(ctx),
		wire.UndoOf(req.Id, req.Body))
	return api.UndoReview200JSONResponse(wire.UndoAnswer(w)), told(ctx, w.Receipt, err)
}
