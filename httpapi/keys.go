package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/httpapi/wire"
	"tenure/service"
)

// CreateKey implements POST /v1/keys.
func (s *server) CreateKey(ctx context.Context, req api.CreateKeyRequestObject) (api.CreateKeyResponseObject, error) {
	in := req.Body
	k, err := s.deps.Service.CreateKey(ctx, callerOf(ctx), service.KeyRequest{
		Label: in.Label, Roles: in.Roles, Clearance: in.Clearance, MaxAuthority: in.MaxAuthority, Role: in.Role,
		ActFor: in.ActFor, Bound: in.Bound,
	})
	return api.CreateKey201JSONResponse{Key: k.Key, Credential: wire.Key(k.Credential)}, err
}

// ListKeys implements GET /v1/keys. Its cursors pin no state, since credentials belong to none.
func (s *server) ListKeys(ctx context.Context, req api.ListKeysRequestObject) (api.ListKeysResponseObject, error) {
	page, cursors := service.Page{Limit: wire.Value(req.Params.Limit)}, s.cursorsOf(ctx)
	if req.Params.Cursor != nil {
		c, err := cursors.open(*req.Params.Cursor)
		if err != nil {
			return nil, err
		}
		page.After = c.Last
	}
	list, err := s.deps.Service.ListKeys(ctx, callerOf(ctx), page)
	if err != nil {
		return nil, err
	}
	out := api.ListKeys200JSONResponse{Items: wire.Each(list.Items, wire.Key)}
	if list.More {
		out.NextCursor = cursors.seal(cursor{Last: list.Last})
	}
	return out, nil
}

// RevokeKey implements DELETE /v1/keys/{id}. It is idempotent.
func (s *server) RevokeKey(ctx context.Context, req api.RevokeKeyRequestObject) (api.RevokeKeyResponseObject, error) {
	return api.RevokeKey204Response{}, s.deps.Service.RevokeKey(ctx, callerOf(ctx), tenure.ID(req.Id))
}
