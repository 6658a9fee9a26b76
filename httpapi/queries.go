package httpapi

import (
	"context"

	"tenure/api"
	"tenure/queries"
)

// ListQueries implements GET /v1/queries.
func (s *server) ListQueries(
	context.Context, api.ListQueriesRequestObject,
) (api.ListQueriesResponseObject, error) {
	return api.ListQueries200JSONResponse{Items: each(queries.Table, queryView)}, nil
}

func queryView(q queries.Query) api.Query {
	v := api.Query{
		Name: q.Name, Description: q.Description, Parameters: each(q.Parameters, parameterView),
		Columns: each(q.Columns, columnView), Engines: []string{"neo4j"}, Cypher: q.Cypher,
	}
	if q.SQL != "" {
		v.Engines = append(v.Engines, "sqlite")
	}
	return v
}

func parameterView(p queries.Parameter) api.QueryParameter {
	v := api.QueryParameter{Name: p.Name, Kind: string(p.Kind), Description: p.Description, Required: p.Required}
	if p.Kind == queries.Integer {
		v.Minimum, v.Maximum = &p.Least, &p.Most
	}
	return v
}

func columnView(c queries.Column) api.QueryColumn {
	return api.QueryColumn{Name: c.Name, Kind: string(c.Kind)}
}

// AskQuery implements POST /v1/queries/{name}.
func (s *server) AskQuery(ctx context.Context, req api.AskQueryRequestObject) (api.AskQueryResponseObject, error) {
	asked, err := s.deps.Service.Ask(ctx, callerOf(ctx), req.Name, req.Body.Parameters, value(req.Body.Limit))
	if err != nil {
		return nil, err
	}
	return api.AskQuery200JSONResponse{
		Name: asked.Query.Name, Columns: each(asked.Query.Columns, columnView), Rows: asked.Rows, More: asked.More,
	}, nil
}
