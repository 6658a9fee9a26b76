package httpapi

import (
	"context"

	"tenure/api"
	"tenure/httpapi/wire"
)

// Resolve implements POST /v1/resolve.
func (s *server) Resolve(ctx context.Context, req api.ResolveRequestObject) (api.ResolveResponseObject, error) {
	r, err := wire.ResolveRequest(*req.Body)
	if err != nil {
		return nil, err
	}
	found, err := s.deps.Service.Resolve(ctx, callerOf(ctx), r)
	return api.Resolve200JSONResponse{
		// names have transaction time only
		Mentions: wire.Each(found.Mentions, wire.Resolved), AsOf: wire.KnownState(found.Seq, found.Tx),
		Index: &api.IndexState{Lag: found.Lag},
	}, err
}

// Compare implements POST /v1/compare.
func (s *server) Compare(ctx context.Context, req api.CompareRequestObject) (api.CompareResponseObject, error) {
	c, err := s.deps.Service.Compare(ctx, callerOf(ctx), wire.MentionOf(*req.Body.Left), wire.MentionOf(*req.Body.Right))
	if err != nil {
		return nil, err
	}
	return api.Compare200JSONResponse(wire.Comparison(c)), nil
}
