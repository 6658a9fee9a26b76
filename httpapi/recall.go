package httpapi

import (
	"context"

	"tenure/api"
	"tenure/httpapi/wire"
)

// Recall implements POST /v1/recall.
func (s *server) Recall(ctx context.Context, req api.RecallRequestObject) (api.RecallResponseObject, error) {
	r, at, err := wire.RecallRequest(*req.Body)
	if err != nil {
		return nil, err
	}
	found, v, err := s.deps.Service.Recall(ctx, callerOf(ctx), at, r)
	if err != nil {
		return nil, err
	}
	return api.Recall200JSONResponse{
		Items: wire.Each(found.Items, wire.RecalledItem(callerOf(ctx).Tenant)), More: found.More, CandidatesCut: found.Cut,
		Passages: wire.Each(found.Passages, wire.RecalledPassage), MorePassages: found.MorePassages,
		Degraded: found.Degraded, AsOf: wire.AsOf(v),
	}, nil
}
