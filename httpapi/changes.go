package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
)

// ListChanges implements GET /v1/changes.
func (s *server) ListChanges(ctx context.Context, req api.ListChangesRequestObject) (api.ListChangesResponseObject, error) {
	limit := defaultLimit
	if req.Params.Limit != nil {
		limit = *req.Params.Limit
	}
	var after tenure.Seq
	if req.Params.After != nil {
		after = tenure.Seq(*req.Params.After)
	}
	entries, err := s.deps.Store.Log(ctx, callerOf(ctx).Tenant, after, limit)
	if err != nil {
		return nil, err
	}
	out := api.ListChanges200JSONResponse{Items: []api.Entry{}, NextAfter: after}
	for _, e := range entries {
		out.Items = append(out.Items, entryView(e))
		out.NextAfter = e.Seq
	}
	return out, nil
}
