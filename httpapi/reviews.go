package httpapi

import (
	"context"
	"slices"

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
	q := store.ReviewQuery{State: tenure.ReviewOpen}
	if p.State != nil {
		q.State = tenure.ReviewState(*p.State)
	}
	if q.State == "any" {
		q.State = ""
	}
	for field, given := range map[*string]*string{&q.Type: p.Type, &q.Project: p.ProjectId, &q.Reason: p.Reason} {
		if given != nil {
			*field = *given
		}
	}
	entities, err := subjects(ctx, l.reader, p.EntityId)
	if err != nil {
		return nil, err
	}
	id := func(r tenure.Review) string { return string(r.ID) }
	fetch := func(after string, n int) ([]tenure.Review, error) {
		return together(entities, n, id, func(e tenure.ID) ([]tenure.Review, error) {
			q.Entity, q.After, q.Limit = e, after, n
			return l.reader.ListReviews(ctx, q)
		})
	}
	items, last, more, err := scan(l, fetch, id, func(list []tenure.Review) ([]*api.Review, error) {
		return reviews(ctx, l.reader, list)
	})
	if err != nil {
		return nil, err
	}
	return api.ListReviews200JSONResponse{Items: items, NextCursor: l.next(last, more)}, nil
}

// reviews are the views of reviews, in their order, with the candidates that
// the caller may see; nil for one of another project.
func reviews(ctx context.Context, r store.Reader, list []tenure.Review) ([]*api.Review, error) {
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
	views := make([]*api.Review, len(list))
	for i, v := range list {
		if !inProject(callerOf(ctx), v.Project) {
			continue
		}
		view := reviewView(v)
		for _, c := range v.Candidates {
			if _, ok := seen[c.Entity]; ok {
				view.Candidates = append(view.Candidates, api.ReviewCandidate{EntityId: c.Entity, Score: c.Score, Veto: c.Veto})
			}
		}
		views[i] = &view
	}
	return views, nil
}

func reviewView(r tenure.Review) api.Review {
	v := api.Review{
		ReviewId: r.ID, State: r.State, Version: r.Version, EntityId: r.Entity, Reason: r.Reason, Name: r.Name, Type: r.Type,
		ProjectId: r.Project, OpenedAt: r.OpenedAt.Time(), DeferredBy: r.DeferredBy, DeferNote: r.DeferNote,
		Decision: r.Decision, Into: r.Into, DecidedBy: r.DecidedBy, Note: r.Note, Candidates: []api.ReviewCandidate{},
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
	views, err := reviews(ctx, l.reader, list)
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
	words := excerpts{reader: l.reader, observations: map[tenure.ID]*store.ObservationRecord{}}
	asked := askedAbout(g, v.EntityId)
	var more bool
	if v.Entity, more, err = words.side(ctx, asked, tenure.ID(l.last), l.limit); err != nil {
		return err
	}
	if more {
		v.NextCursor = l.next(string(v.Entity.Mentions[l.limit-1].MentionId), true)
	}
	for i := range v.Candidates {
		c := &v.Candidates[i]
		members := slices.DeleteFunc(g.whole(c.EntityId), func(e tenure.Entity) bool { return e.ID == v.EntityId })
		if len(members) == 0 {
			continue
		}
		if c.Entity, _, err = words.side(ctx, members, "", candidateMentions); err != nil {
			return err
		}
		c.Entity.EntityId = c.EntityId
		now := s.compare(registry.ProfileOf(asked), registry.ProfileOf(members), s.deps.Judge.Model.RegistryPrior())
		c.Now = &now
	}
	return nil
}

// askedAbout lists the members of what a review asks about, itself first. What
// was merged since is shown as it was, beside what it was merged into.
func askedAbout(g roots, id tenure.ID) []tenure.Entity {
	if e := g.entities[id]; e.Status == tenure.EntityMerged {
		return []tenure.Entity{e}
	}
	return g.whole(id)
}
