package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/httpapi/wire"
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
			Query: *p.Q, Type: wire.Value(p.Type), Project: wire.Value(p.ProjectId),
		}, l.page)
	} else {
		page, err = l.EntitiesNamed(ctx, service.EntityFilter{
			Name: *p.Name, Type: wire.Value(p.Type), Project: wire.Value(p.ProjectId),
		}, l.page)
	}
	return api.FindEntities200JSONResponse{
		Items: wire.Each(page.Items, wire.Entity), NextCursor: nextCursor(l, page),
		AsOf: wire.KnownState(l.State()), // names have transaction time only
	}, err
}

// GetEntity implements GET /v1/entities/{id}.
func (s *server) GetEntity(ctx context.Context, req api.GetEntityRequestObject) (api.GetEntityResponseObject, error) {
	v, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	e, err := v.Entity(ctx, tenure.ID(req.Id))
	return api.GetEntity200JSONResponse(wire.Entity(e)), err
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
	return api.GetEntityHistory200JSONResponse{
		Items: wire.Each(page.Items, wire.Entry), NextCursor: nextCursor(l, page),
	}, err
}

// GetEntityAliases implements GET /v1/entities/{id}/aliases.
func (s *server) GetEntityAliases(
	ctx context.Context, req api.GetEntityAliasesRequestObject,
) (api.GetEntityAliasesResponseObject, error) {
	l, err := s.listPage(ctx, req.Params.Limit, req.Params.Cursor, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	page, err := l.Aliases(ctx, tenure.ID(req.Id), l.page)
	return api.GetEntityAliases200JSONResponse{
		Items: wire.Each(page.Items, wire.Alias), NextCursor: nextCursor(l, page),
	}, err
}

// ListChanges implements GET /v1/changes.
func (s *server) ListChanges(
	ctx context.Context, req api.ListChangesRequestObject,
) (api.ListChangesResponseObject, error) {
	after := tenure.Seq(wire.Value(req.Params.After))
	entries, err := s.deps.Service.Changes(ctx, callerOf(ctx), after, wire.Value(req.Params.Limit))
	if n := len(entries); n > 0 {
		after = entries[n-1].Seq
	}
	return api.ListChanges200JSONResponse{Items: wire.Each(entries, wire.Entry), NextAfter: after}, err
}

// GetNeighborhood implements GET /v1/entities/{id}/neighborhood.
func (s *server) GetNeighborhood(
	ctx context.Context, req api.GetNeighborhoodRequestObject,
) (api.GetNeighborhoodResponseObject, error) {
	v, err := s.read(ctx, req.Params.ValidAt, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	n, err := v.Neighborhood(ctx, tenure.ID(req.Id), wire.Value(req.Params.Hops), wire.Value(req.Params.Cap))
	return api.GetNeighborhood200JSONResponse{
		EntityId: tenure.ID(req.Id), AsOf: wire.AsOf(v),
		Nodes: wire.Each(n.Nodes, wire.Node), Edges: wire.Each(n.Edges, wire.Edge), Truncated: n.Truncated,
	}, err
}
