package httpapi

import (
	"context"
	"time"

	"tenure"
	"tenure/api"
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
	f := service.ReviewFilter{
		State: tenure.ReviewState(value(p.State)), Entity: tenure.ID(value(p.EntityId)), Type: value(p.Type),
		Project: value(p.ProjectId), Reason: value(p.Reason), Name: value(p.Name),
		MinScore: p.MinScore, MaxScore: p.MaxScore, DecidedBy: value(p.DecidedBy), Lease: value(p.Lease),
		ByID: p.Order != nil && *p.Order != "priority",
	}
	if f.OpenedAfter, err = instantParameter("opened_after", p.OpenedAfter); err != nil {
		return nil, err
	}
	if f.OpenedBefore, err = instantParameter("opened_before", p.OpenedBefore); err != nil {
		return nil, err
	}
	page, err := l.Reviews(ctx, f, l.page)
	return api.ListReviews200JSONResponse{Items: each(page.Items, reviewView), NextCursor: nextCursor(l, page)}, err
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
	v := reviewView(r)
	d := r.Detail
	v.RelatedReviews, v.Entity = d.Related, sideView(d.Entity)
	v.NextCursor = l.cursor(string(d.LastMention), d.MoreMentions)
	for i, c := range d.Candidates {
		if c.Side != nil {
			now := comparisonView(c.Now)
			v.Candidates[i].Entity, v.Candidates[i].Now = sideView(*c.Side), &now
			v.Candidates[i].Fields, v.Candidates[i].Explanation = each(c.Fields, fieldView), c.Explanation
		}
	}
	v.History = each(r.Events, func(e tenure.ReviewEvent) api.ReviewEvent {
		return api.ReviewEvent{
			At: e.At.Time(), Actor: e.Actor, Reviewer: e.Reviewer, Action: e.Action, Into: e.Into, Note: e.Note,
		}
	})
	known := knownState(l.State())
	v.AsOf = &known
	return api.GetReview200JSONResponse(v), nil
}

func reviewView(r service.Review) api.Review {
	return api.Review{
		ReviewId: r.ID, State: r.State, Version: r.Version, EntityId: r.Entity, Reason: r.Reason, Name: r.Name, Type: r.Type,
		ProjectId: r.Project, OpenedAt: r.OpenedAt.Time(), DeferredBy: r.DeferredBy, DeferNote: r.DeferNote,
		Decision: r.Decision, Into: r.Into, DecidedBy: r.DecidedBy, Note: r.Note,
		Priority: r.Priority, PendingMentions: r.PendingMentions, PendingBeliefs: r.PendingBeliefs, Model: r.Model,
		LeasedBy: r.LeasedBy, Reviewer: r.LeasedFor, LeasedUntil: given(r.LeasedUntil),
		DeferredAt: given(r.DeferredAt), DecidedAt: given(r.DecidedAt),
		Candidates: each(r.Candidates, func(c tenure.Candidate) api.ReviewCandidate {
			return api.ReviewCandidate{EntityId: c.Entity, Score: c.Score, Veto: c.Veto}
		}),
	}
}

func sideView(s service.ReviewSide) *api.ReviewSide {
	e := s.Entity
	return &api.ReviewSide{
		EntityId: s.EntityID, RootId: e.Root(), Name: e.Name, Type: e.Type, Status: e.Status, ProjectId: e.Project,
		Aliases: nonNil(s.Aliases), Attributes: s.Attributes, Records: s.Records, Mentions: each(s.Mentions, mentionInContext),
	}
}

func mentionInContext(in service.MentionInContext) api.MentionInContext {
	m := in.Mention
	v := api.MentionInContext{
		MentionId: m.ID, EntityId: in.Entity, ObservationId: m.Observation, Name: m.Name, Type: m.Type,
		Aliases: m.Aliases, Attributes: m.Attributes, Context: m.Context, Record: m.Record,
		Source: in.Source, Excerpt: in.Excerpt,
	}
	if in.Source != nil {
		v.ObservedAt = in.ObservedAt.Time()
	}
	return v
}

func fieldView(f service.FieldComparison) api.FieldComparison {
	return api.FieldComparison{
		Field: f.Field, Left: nonNil(f.Left), Right: nonNil(f.Right), Agreement: f.Agreement, LogOdds: f.LogOdds,
	}
}

// GetThresholdReport implements GET /v1/reviews/threshold-report.
func (s *server) GetThresholdReport(
	ctx context.Context, req api.GetThresholdReportRequestObject,
) (api.GetThresholdReportResponseObject, error) {
	v, err := s.read(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	a, err := v.ThresholdReport(ctx, value(req.Params.Last))
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
	key := idempotencyKey(ctx, req.Params.IdempotencyKey)
	w, err := s.deps.Service.DecideReview(ctx, callerOf(ctx), key, decisionOf(tenure.ID(req.Id), *req.Body))
	return api.DecideReview200JSONResponse(decisionView(w)), told(ctx, w.Receipt, err)
}

// decisionOf converts the answer to a review.
func decisionOf(id tenure.ID, in api.DecisionInput) service.ReviewDecision {
	return service.ReviewDecision{
		Reviewer: in.Reviewer, Review: id, Decision: in.Decision, Into: in.Into, Mentions: in.Mentions, Version: in.Version,
		Note: in.Note,
	}
}

// decisionIn converts one answer of a batch.
func decisionIn(in api.ReviewDecision) service.ReviewDecision {
	return decisionOf(in.ReviewId, api.DecisionInput{
		Reviewer: in.Reviewer, Decision: in.Decision, Into: in.Into, Mentions: in.Mentions, Version: in.Version, Note: in.Note,
	})
}

func decisionView(w service.Written[service.DecidedReview]) api.DecisionAnswer {
	a := w.Answer
	return api.DecisionAnswer{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), ReviewId: a.ReviewID, State: a.State, EntityId: a.EntityID,
		RootId: a.RootID, MergeId: a.MergeID, SplitId: a.SplitID, CannotLinks: nonNil(a.CannotLinks),
		Restored: nonNil(a.Restored), Displaced: nonNil(a.Displaced),
	}
}

// DecideReviews implements POST /v1/reviews:decide.
func (s *server) DecideReviews(
	ctx context.Context, req api.DecideReviewsRequestObject,
) (api.DecideReviewsResponseObject, error) {
	list := each(req.Body.Decisions, decisionIn)
	out := api.DecideReviews200JSONResponse{Results: []api.DecisionResult{}}
	key := idempotencyKey(ctx, req.Params.IdempotencyKey)
	for i, res := range s.deps.Service.DecideReviews(ctx, callerOf(ctx), key, list) {
		v := api.DecisionResult{ReviewId: list[i].Review, Replayed: res.Receipt.Replayed}
		if v.Status, v.Problem = outcome(res.Err); res.Err == nil {
			a := decisionView(res.Written)
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
	in := value(req.Body)
	key := idempotencyKey(ctx, req.Params.IdempotencyKey)
	w, err := s.deps.Service.LeaseReview(ctx, callerOf(ctx), key, service.ReviewLease{
		Review: tenure.ID(req.Id), Reviewer: in.Reviewer, For: time.Duration(value(in.ForSeconds)) * time.Second,
	})
	return api.LeaseReview200JSONResponse(leaseView(w.Answer)), told(ctx, w.Receipt, err)
}

// ReleaseReview implements POST /v1/reviews/{id}/release.
func (s *server) ReleaseReview(
	ctx context.Context, req api.ReleaseReviewRequestObject,
) (api.ReleaseReviewResponseObject, error) {
	key := idempotencyKey(ctx, req.Params.IdempotencyKey)
	w, err := s.deps.Service.ReleaseReview(ctx, callerOf(ctx), key, service.ReviewLease{
		Review: tenure.ID(req.Id), Reviewer: value(req.Body).Reviewer,
	})
	return api.ReleaseReview200JSONResponse(leaseView(w.Answer)), told(ctx, w.Receipt, err)
}

func leaseView(a service.LeasedReview) api.LeaseAnswer {
	return api.LeaseAnswer{
		ReviewId: a.ReviewID, Version: a.Version, LeasedBy: a.LeasedBy, Reviewer: a.Reviewer, LeasedUntil: given(a.LeasedUntil),
	}
}

// UndoReview implements POST /v1/reviews/{id}/undo.
func (s *server) UndoReview(
	ctx context.Context, req api.UndoReviewRequestObject,
) (api.UndoReviewResponseObject, error) {
	w, err := s.deps.Service.UndoReview(ctx, callerOf(ctx), idempotencyKey(ctx, req.Params.IdempotencyKey),
		undoOf(req.Id, req.Body))
	return api.UndoReview200JSONResponse(undoView(w)), told(ctx, w.Receipt, err)
}
