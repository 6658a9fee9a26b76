package httpapi

import (
	"context"
	"slices"

	"tenure"
	"tenure/api"
	"tenure/auth"
)

const agentAuthority = 2

// CreateKey implements POST /v1/keys.
func (s *server) CreateKey(ctx context.Context, req api.CreateKeyRequestObject) (api.CreateKeyResponseObject, error) {
	caller, in := callerOf(ctx), req.Body
	c := tenure.Credential{
		Tenant: caller.Tenant, Label: in.Label, Roles: in.Roles, Clearance: in.Clearance, ActFor: in.ActFor,
	}
	if c.Clearance == "" {
		c.Clearance = tenure.Restricted
	}
	switch {
	case in.MaxAuthority != nil:
		c.MaxAuthority = *in.MaxAuthority
	case !slices.Contains(in.Roles, tenure.RoleAdmin):
		c.MaxAuthority = agentAuthority
	}
	var err error
	if c.Bound, err = auth.Bind(caller, in.Bound, "/bound"); err != nil {
		return nil, err
	}
	if err := within(caller, c); err != nil {
		return nil, err
	}
	c, key, err := auth.Issue(s.deps.Mint(), s.deps.Random, c)
	if err != nil {
		return nil, err
	}
	if err := s.deps.Store.PutCredential(ctx, c); err != nil {
		return nil, err
	}
	return api.CreateKey201JSONResponse{Key: key, Credential: keyView(c)}, nil
}

// within is Forbidden where a credential may do more than the caller.
func within(caller tenure.Caller, c tenure.Credential) error {
	if err := auth.CheckAuthority(caller, c.MaxAuthority, "/max_authority"); err != nil {
		return err
	}
	var f faults
	if c.Clearance.Rank() > caller.Clearance.Rank() {
		f.add("/clearance", "is more than your own")
	}
	if c.ActFor && !caller.ActFor {
		f.add("/act_for", "is more than your own")
	}
	if len(f) > 0 {
		return &tenure.Error{Code: tenure.Forbidden, Message: "a key cannot give more than one has", Fields: f}
	}
	return nil
}

// ListKeys implements GET /v1/keys.
func (s *server) ListKeys(ctx context.Context, req api.ListKeysRequestObject) (api.ListKeysResponseObject, error) {
	l := &listing{limit: defaultLimit, cursors: s.cursorsOf(ctx)}
	if req.Params.Limit != nil {
		l.limit = *req.Params.Limit
	}
	if req.Params.Cursor != nil {
		c, err := l.cursors.open(*req.Params.Cursor)
		if err != nil {
			return nil, err
		}
		l.last = c.Last
	}
	all, err := s.deps.Store.Credentials(ctx, callerOf(ctx).Tenant)
	if err != nil {
		return nil, err
	}
	if l.last != "" { // credentials are never taken away, so the last one is still there
		all = all[1+slices.IndexFunc(all, func(c tenure.Credential) bool { return string(c.ID) == l.last }):]
	}
	out := api.ListKeys200JSONResponse{Items: []api.Key{}}
	for _, c := range all[:min(len(all), l.limit)] {
		out.Items = append(out.Items, keyView(c))
	}
	if len(all) > l.limit {
		out.NextCursor = l.cursors.seal(cursor{Last: string(all[l.limit-1].ID)})
	}
	return out, nil
}

// RevokeKey implements DELETE /v1/keys/{id}. Revoking once more changes
// nothing.
func (s *server) RevokeKey(ctx context.Context, req api.RevokeKeyRequestObject) (api.RevokeKeyResponseObject, error) {
	c, err := s.deps.Store.Credential(ctx, tenure.ID(req.Id))
	if tenure.CodeOf(err) == tenure.NotFound || err == nil && c.Tenant != callerOf(ctx).Tenant {
		return nil, notFound()
	}
	if err != nil {
		return nil, err
	}
	if c.RevokedAt == 0 {
		c.RevokedAt = s.deps.Mint().Now
		if err := s.deps.Store.PutCredential(ctx, c); err != nil {
			return nil, err
		}
	}
	s.deps.Authenticator.Forget(c.ID)
	return api.RevokeKey204Response{}, nil
}
