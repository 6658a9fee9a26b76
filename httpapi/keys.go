package httpapi

import (
	"context"
	"time"

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
		ActFor: in.ActFor, Bound: in.Bound, ExpiresAt: expiry(in.ExpiresAt),
	})
	return api.CreateKey201JSONResponse{Key: k.Key, Credential: wire.Key(k.Credential)}, err
}

// RotateKey implements POST /v1/keys/{id}/rotate.
func (s *server) RotateKey(ctx context.Context, req api.RotateKeyRequestObject) (api.RotateKeyResponseObject, error) {
	in := wire.Value(req.Body)
	r := service.Rotation{ExpiresAt: expiry(in.ExpiresAt)}
	if in.OverlapSeconds != nil {
		overlap := time.Duration(*in.OverlapSeconds) * time.Second
		r.Overlap = &overlap
	}
	k, err := s.deps.Service.RotateKey(ctx, callerOf(ctx), tenure.ID(req.Id), r)
	return api.RotateKey201JSONResponse{
		Key: k.Key, Credential: wire.Key(k.Credential), Replaced: wire.Key(k.Replaced),
	}, err
}

// unpinned returns the page that a listing asks for whose cursors pin no state, since what it lists belongs to none.
func unpinned(cursors cursors, limit *api.Limit, text *api.Cursor) (service.Page, error) {
	page := service.Page{Limit: wire.Value(limit)}
	if text == nil {
		return page, nil
	}
	c, err := cursors.open(*text)
	page.After = c.Last
	return page, err
}

// expiry returns the instant at which a key expires, 0 for never. One that no instant stands for has passed long ago.
func expiry(t *time.Time) tenure.Instant {
	if t == nil {
		return 0
	}
	return max(1, tenure.At(*t))
}

// ListKeys implements GET /v1/keys.
func (s *server) ListKeys(ctx context.Context, req api.ListKeysRequestObject) (api.ListKeysResponseObject, error) {
	cursors := s.cursorsOf(ctx)
	page, err := unpinned(cursors, req.Params.Limit, req.Params.Cursor)
	if err != nil {
		return nil, err
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

// ListAudit implements GET /v1/audit.
func (s *server) ListAudit(ctx context.Context, req api.ListAuditRequestObject) (api.ListAuditResponseObject, error) {
	cursors := s.cursorsOf(ctx)
	page, err := unpinned(cursors, req.Params.Limit, req.Params.Cursor)
	if err != nil {
		return nil, err
	}
	list, err := s.deps.Service.ListAudit(ctx, callerOf(ctx), service.AuditFilter{
		Key: tenure.ID(wire.Value(req.Params.Key)), Kind: req.Params.Kind,
	}, page)
	if err != nil {
		return nil, err
	}
	out := api.ListAudit200JSONResponse{Items: wire.Each(list.Items, wire.AuditEvent)}
	if list.More {
		out.NextCursor = cursors.seal(cursor{Last: list.Last})
	}
	return out, nil
}

// RevokeKey implements DELETE /v1/keys/{id}. It is idempotent.
func (s *server) RevokeKey(ctx context.Context, req api.RevokeKeyRequestObject) (api.RevokeKeyResponseObject, error) {
	return api.RevokeKey204Response{}, s.deps.Service.RevokeKey(ctx, callerOf(ctx), tenure.ID(req.Id))
}
