package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// FindEntities implements GET /v1/entities.
func (s *server) FindEntities(
	ctx context.Context, req api.FindEntitiesRequestObject,
) (api.FindEntitiesResponseObject, error) {
	p := req.Params
	if (p.Name == nil) == (p.Q == nil) {
		return nil, tenure.FieldError(tenure.Invalid, "name", "either name or q is required")
	}
	l, err := s.listPage(ctx, p.Limit, p.Cursor, nil, p.KnownAt)
	if err != nil {
		return nil, err
	}
	var page service.Listing[service.Entity]
	if p.Q != nil {
		page, err = s.deps.Service.Search(ctx, l.View, service.EntitySearch{
			Query: *p.Q, Type: value(p.Type), Project: value(p.ProjectId),
		}, l.page)
	} else {
		page, err = l.EntitiesNamed(ctx, service.EntityFilter{
			Name: *p.Name, Type: value(p.Type), Project: value(p.ProjectId),
		}, l.page)
	}
	return api.FindEntities200JSONResponse{
		Items: each(page.Items, entityView), NextCursor: nextCursor(l, page),
		AsOf: knownState(l.State()), // names have transaction time only
	}, err
}

// GetEntity implements GET /v1/entities/{id}.
func (s *server) GetEntity(ctx context.Context, req api.GetEntityRequestObject) (api.GetEntityResponseObject, error) {
	v, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	e, err := v.Entity(ctx, tenure.ID(req.Id))
	return api.GetEntity200JSONResponse(entityView(e)), err
}

func entityView(g service.Entity) api.Entity {
	e := g.Entity
	return api.Entity{
		Match:    matchView(g.Match),
		EntityId: e.ID, RootId: e.Root(), Type: e.Type, Status: e.Status, Name: e.Name, ProjectId: e.Project,
		MergedInto: e.MergedInto, Reason: e.Reason, CreatedAt: e.CreatedAt.Time(), Aliases: each(g.Aliases, aliasView),
		Attributes: g.Attributes, Records: g.Records, Members: g.Members, MatchedIds: g.Matched,
		OpenReviews: g.OpenReviews, IdentityDecisions: each(g.IdentityDecisions, identityDecisionView),
	}
}

func matchView(m *service.Match) *api.Match {
	if m == nil {
		return nil
	}
	return &api.Match{Alias: m.Alias.Spelling, Kind: m.Alias.Key.Kind, EntityId: m.Alias.Entity, Score: m.Score}
}

func aliasView(o tenure.Alias) api.Alias {
	return api.Alias{
		EntityId: o.Entity, Kind: o.Key.Kind, Spelling: o.Spelling, ProjectId: o.Project, Exclusive: o.Exclusive,
		MentionId: o.Mention,
	}
}

// GetEntityHistory implements GET /v1/entities/{id}/history.
func (s *server) GetEntityHistory(
	ctx context.Context, req api.GetEntityHistoryRequestObject,
) (api.GetEntityHistoryResponseObject, error) {
	l, err := s.listPage(ctx, req.Params.Limit, req.Params.Cursor, nil, nil)
	if err != nil {
		return nil, err
	}
	page, err := l.History(ctx, tenure.ID(req.Id), l.page)
	return api.GetEntityHistory200JSONResponse{Items: each(page.Items, entryView), NextCursor: nextCursor(l, page)}, err
}

// ListChanges implements GET /v1/changes.
func (s *server) ListChanges(
	ctx context.Context, req api.ListChangesRequestObject,
) (api.ListChangesResponseObject, error) {
	after := tenure.Seq(value(req.Params.After))
	entries, err := s.deps.Service.Changes(ctx, callerOf(ctx), after, value(req.Params.Limit))
	if n := len(entries); n > 0 {
		after = entries[n-1].Seq
	}
	return api.ListChanges200JSONResponse{Items: each(entries, entryView), NextAfter: after}, err
}

func entryView(e tenure.Entry) api.Entry {
	return api.Entry{
		Seq: e.Seq, RecordedAt: e.Tx.Time(), ChangeSetId: e.ID, Operation: e.Operation, Actor: e.Actor, Hash: e.Hash,
		Changes: each(e.Changes, func(c tenure.EntryChange) api.EntrySubject {
			return api.EntrySubject{Kind: string(c.Kind), Id: c.ID, EntityId: c.Entity, BeliefId: c.Belief, Name: c.Name}
		}),
	}
}

// GetNeighborhood implements GET /v1/entities/{id}/neighborhood.
func (s *server) GetNeighborhood(
	ctx context.Context, req api.GetNeighborhoodRequestObject,
) (api.GetNeighborhoodResponseObject, error) {
	v, err := s.read(ctx, req.Params.ValidAt, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	n, err := v.Neighborhood(ctx, tenure.ID(req.Id), value(req.Params.Hops), value(req.Params.Cap))
	return api.GetNeighborhood200JSONResponse{
		EntityId: tenure.ID(req.Id), AsOf: asOf(v),
		Nodes: each(n.Nodes, nodeView), Edges: each(n.Edges, edgeView), Truncated: n.Truncated,
	}, err
}

func nodeView(n service.Node) api.Node {
	e := n.Entity
	return api.Node{EntityId: e.ID, RootId: e.Root(), Type: e.Type, Status: e.Status, Name: e.Name, Hops: n.Hops}
}

func edgeView(e service.Edge) api.Edge {
	return api.Edge{
		BeliefId: e.Belief, Subject: e.Subject, Predicate: e.Predicate, Object: e.Object,
		ValidFrom: openTime(e.Window.From), ValidUntil: openTime(e.Window.Until),
	}
}
