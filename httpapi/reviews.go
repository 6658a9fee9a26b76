package httpapi

import (
	"context"
	"slices"
	"strings"
	"time"

	"tenure"
	"tenure/api"
	"tenure/registry"
	"tenure/store"
)

const (
	// defaultMentions of the entity that a review asks about are shown.
	defaultMentions = 20
	// candidateMentions are shown of each candidate.
	candidateMentions = 3
)

// ListReviews implements GET /v1/reviews.
func (s *server) ListReviews(ctx context.Context, req api.ListReviewsRequestObject) (api.ListReviewsResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, nil, p.KnownAt)
	if err != nil {
		return nil, err
	}
	chosen, err := chosenReviews(ctx, p, s.deps.Mint().Now)
	if err != nil {
		return nil, err
	}
	q := reviewQuery(p)
	entities, err := subjects(ctx, l.reader, p.EntityId)
	if err != nil {
		return nil, err
	}
	fetch := func(after string, n int) ([]tenure.Review, error) {
		return together(entities, n, q.Key, func(e tenure.ID) ([]tenure.Review, error) {
			q := q
			q.Entity, q.After, q.Limit = e, after, n
			return l.reader.ListReviews(ctx, q)
		})
	}
	items, last, more, err := scan(l, fetch, q.Key, func(list []tenure.Review) ([]*api.Review, error) {
		views, err := s.reviews(ctx, l.reader, list)
		for i := range views {
			if !chosen(list[i]) {
				views[i] = nil
			}
		}
		return views, err
	})
	if err != nil {
		return nil, err
	}
	return api.ListReviews200JSONResponse{Items: items, NextCursor: l.next(last, more)}, nil
}

// reviewQuery is what the store chooses by.
func reviewQuery(p api.ListReviewsParams) store.ReviewQuery {
	q := store.ReviewQuery{State: tenure.ReviewOpen}
	if p.State != nil {
		q.State = tenure.ReviewState(*p.State)
	}
	if q.State == "any" {
		q.State = ""
	}
	q.Ranked = q.State != "" && (p.Order == nil || *p.Order == "value")
	for field, given := range map[*string]*string{&q.Type: p.Type, &q.Project: p.ProjectId, &q.Reason: p.Reason} {
		if given != nil {
			*field = *given
		}
	}
	return q
}

// chosenReviews is what else the request chooses by.
func chosenReviews(ctx context.Context, p api.ListReviewsParams, now tenure.Instant) (func(tenure.Review) bool, error) {
	after, err := instantParameter("opened_after", p.OpenedAfter, tenure.Dawn)
	if err != nil {
		return nil, err
	}
	before, err := instantParameter("opened_before", p.OpenedBefore, tenure.Forever)
	if err != nil {
		return nil, err
	}
	mine := callerOf(ctx).Actor
	return func(r tenure.Review) bool {
		return after <= r.OpenedAt && r.OpenedAt < before &&
			(p.MinScore == nil || r.Score() >= *p.MinScore) && (p.MaxScore == nil || r.Score() <= *p.MaxScore) &&
			(p.Name == nil || strings.Contains(registry.Key(r.Name), registry.Key(*p.Name))) &&
			(p.DecidedBy == nil || decidedBy(r, *p.DecidedBy)) && (p.Lease == nil || leasedAs(r, *p.Lease, mine, now))
	}, nil
}

func instantParameter(name string, text *string, otherwise tenure.Instant) (tenure.Instant, error) {
	if text == nil {
		return otherwise, nil
	}
	t, err := time.Parse(time.RFC3339Nano, *text)
	if err != nil {
		return 0, tenure.FieldError(tenure.Invalid, name, "must be an RFC 3339 time with a zone (a + has to be written as %2B)")
	}
	return tenure.At(t), nil
}

// decidedBy tells whether a credential, or a reviewer by name, settled the
// review.
func decidedBy(r tenure.Review, who string) bool {
	if r.State != tenure.ReviewSettled {
		return false
	}
	n := len(r.Events)
	return r.DecidedBy == who || n > 0 && r.Events[n-1].Reviewer == who
}

func leasedAs(r tenure.Review, as, actor string, now tenure.Instant) bool {
	switch held := r.Leased(now); as {
	case "free":
		return !held
	case "mine":
		return held && r.LeasedBy == actor
	default:
		return held
	}
}

// reviews are the views of reviews, in their order, with the candidates that
// the caller may see; nil for one of another project.
func (s *server) reviews(ctx context.Context, r store.Reader, list []tenure.Review) ([]*api.Review, error) {
	var ids []tenure.ID
	for _, v := range list {
		for _, c := range v.Candidates {
			ids = append(ids, c.Entity)
		}
	}
	seen, err := visibleEntities(ctx, r, ids)
	if err != nil {
		return nil, err
	}
	now := s.deps.Mint().Now
	views := make([]*api.Review, len(list))
	for i, v := range list {
		if !inProject(callerOf(ctx), v.Project) {
			continue
		}
		view := reviewView(v, now)
		for _, c := range v.Candidates {
			if _, ok := seen[c.Entity]; ok {
				view.Candidates = append(view.Candidates, api.ReviewCandidate{EntityId: c.Entity, Score: c.Score, Veto: c.Veto})
			}
		}
		views[i] = &view
	}
	return views, nil
}

func reviewView(r tenure.Review, now tenure.Instant) api.Review {
	v := api.Review{
		ReviewId: r.ID, State: r.State, Version: r.Version, EntityId: r.Entity, Reason: r.Reason, Name: r.Name, Type: r.Type,
		ProjectId: r.Project, OpenedAt: r.OpenedAt.Time(), DeferredBy: r.DeferredBy, DeferNote: r.DeferNote,
		Decision: r.Decision, Into: r.Into, DecidedBy: r.DecidedBy, Note: r.Note, Candidates: []api.ReviewCandidate{},
		Value: r.Value, WaitingMentions: r.Waiting, HeldBeliefs: r.Held, Model: r.Model,
	}
	if r.Leased(now) {
		v.LeasedBy, v.Reviewer, v.LeasedUntil = r.LeasedBy, r.LeasedFor, r.LeasedUntil.Time()
	}
	if r.DeferredAt != 0 {
		v.DeferredAt = r.DeferredAt.Time()
	}
	if r.DecidedAt != 0 {
		v.DecidedAt = r.DecidedAt.Time()
	}
	return v
}

// openReviews lists the open reviews that ask about one of the entities or have
// it as a candidate.
func openReviews(ctx context.Context, r store.Reader, entities []tenure.ID) ([]tenure.ID, error) {
	const most = 1000
	id := func(r tenure.Review) tenure.ID { return r.ID }
	list, err := together(entities, most, id, func(e tenure.ID) ([]tenure.Review, error) {
		return r.ListReviews(ctx, store.ReviewQuery{State: tenure.ReviewOpen, Entity: e, Limit: most})
	})
	var ids []tenure.ID
	for _, v := range list {
		if inProject(callerOf(ctx), v.Project) {
			ids = append(ids, v.ID)
		}
	}
	return ids, err
}

// GetReview implements GET /v1/reviews/{id}.
func (s *server) GetReview(ctx context.Context, req api.GetReviewRequestObject) (api.GetReviewResponseObject, error) {
	limit := defaultMentions
	if req.Params.Limit != nil {
		limit = *req.Params.Limit
	}
	l, err := s.listPage(ctx, &limit, req.Params.Cursor, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	list, err := l.reader.Reviews(ctx, []tenure.ID{tenure.ID(req.Id)})
	if err != nil {
		return nil, err
	}
	views, err := s.reviews(ctx, l.reader, list)
	if err != nil {
		return nil, err
	}
	if len(views) != 1 || views[0] == nil {
		return nil, notFound()
	}
	v := *views[0]
	if err := s.sides(ctx, l, &v); err != nil {
		return nil, err
	}
	for _, e := range list[0].Events {
		v.History = append(v.History, api.ReviewEvent{
			At: e.At.Time(), Actor: e.Actor, Reviewer: e.Reviewer, Action: e.Action, Into: e.Into, Note: e.Note,
		})
	}
	v.AsOf = &api.AsOf{KnownAt: l.asOf.KnownAt, Seq: l.asOf.Seq}
	return api.GetReview200JSONResponse(v), nil
}

// sides fills in what is known of each side, and how the two compare.
func (s *server) sides(ctx context.Context, l *listing, v *api.Review) error {
	ids := []tenure.ID{v.EntityId}
	for _, c := range v.Candidates {
		ids = append(ids, c.EntityId)
	}
	g, err := gatherEntities(ctx, l.reader, ids)
	if err != nil {
		return err
	}
	if !g.has(v.EntityId) {
		return notFound()
	}
	if v.RelatedReviews, err = related(ctx, l.reader, g, ids, v.ReviewId); err != nil {
		return err
	}
	asked := askedAbout(g, v.EntityId)
	words := newExcerpts(l.reader)
	left, err := words.mentions(ctx, asked, tenure.ID(l.last), l.limit)
	if err != nil {
		return err
	}
	right := make([]mentionPage, len(v.Candidates))
	members := make([][]tenure.Entity, len(v.Candidates))
	for i, c := range v.Candidates {
		members[i] = slices.DeleteFunc(g.whole(c.EntityId), func(e tenure.Entity) bool { return e.ID == v.EntityId })
		if right[i], err = words.mentions(ctx, members[i], "", candidateMentions); err != nil {
			return err
		}
	}
	if err := words.load(ctx); err != nil {
		return err
	}
	v.Entity = words.side(asked, left)
	if left.more {
		v.NextCursor = l.next(string(v.Entity.Mentions[l.limit-1].MentionId), true)
	}
	for i := range v.Candidates {
		if len(members[i]) == 0 {
			continue
		}
		c := &v.Candidates[i]
		c.Entity = words.side(members[i], right[i])
		c.Entity.EntityId = c.EntityId
		now := s.compare(registry.ProfileOf(asked), registry.ProfileOf(members[i]), s.deps.Judge.Model.RegistryPrior())
		c.Now, c.Fields, c.Words = &now, sideBySide(*v.Entity, *c.Entity, asked, members[i], now.Contributions), inWords(now.Contributions)
	}
	return nil
}

// related lists the other open reviews about the roots that a review is about.
func related(ctx context.Context, r store.Reader, g roots, ids []tenure.ID, review tenure.ID) ([]tenure.ID, error) {
	var all []tenure.ID
	for _, id := range ids {
		for _, e := range g.whole(id) {
			all = append(all, e.ID)
		}
	}
	slices.Sort(all)
	list, err := openReviews(ctx, r, slices.Compact(all))
	return slices.DeleteFunc(list, func(id tenure.ID) bool { return id == review }), err
}

// askedAbout lists the members of what a review asks about, itself first. What
// was merged since is shown as it was, beside what it was merged into.
func askedAbout(g roots, id tenure.ID) []tenure.Entity {
	if e := g.entities[id]; e.Status == tenure.EntityMerged {
		return []tenure.Entity{e}
	}
	return g.whole(id)
}
