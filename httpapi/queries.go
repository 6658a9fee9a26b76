package httpapi

import (
	"context"

	"tenure/api"
	"tenure/httpapi/wire"
	"tenure/queries"
)

// ListQueries implements GET /v1/queries.
func (s *server) ListQueries(
	context.Context, api.ListQueriesRequestObject,
) (api.ListQueriesResponseObject, error) {
	return api.ListQueries200JSONResponse{Items: wire.Each(queries.Table, wire.Query)}, nil
}

// AskQuery implements POST /v1/queries/{name}.
func (s *server) AskQuery(ctx context.Context, req api.AskQueryRequestObject) (api.AskQueryResponseObject, error) {
	asked, err := s.deps.Service.Ask(ctx, callerOf(ctx), req.Name, req.Body.Parameters, wire.Value(req.Body.Limit))
	if err != nil {
		return nil, err
	}
	return api.AskQuery200JSONResponse{
		Name: asked.Query.Name, Columns: wire.Each(asked.Query.Columns, wire.Column), Rows: asked.Rows, More: asked.More,
	}, nil
}
