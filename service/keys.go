package service

import (
	"context"
	"io"
	"slices"
	"time"

	"tenure"
	"tenure/auth"
	"tenure/store"
)

// agentAuthority is the strongest authority level that the API key of a non-administrator gets by default.
const agentAuthority = 2

// Keys creates, lists and revokes credentials.
type Keys struct {
	store  store.Store
	now    func() time.Time
	random io.Reader
}

// NewKeys returns the credential use cases, which need no running service; random is the source of secrets.
func NewKeys(s store.Store, now func() time.Time, random io.Reader) *Keys {
	return &Keys{store: s, now: now, random: random}
}

// Operator returns the caller that represents the operator of the machine in a tenant: unbound, with full
// clearance.
func Operator(tenant, actor string) tenure.Caller {
	return tenure.Caller{
		Tenant: tenant, Actor: actor, Roles: tenure.Roles, Clearance: tenure.HighlyRestricted, ActFor: true,
	}
}

func (k *Keys) mint() tenure.Mint { return tenure.NewMint(k.now()) }

// KeyRequest describes an API key to create. Clearance defaults to restricted, MaxAuthority to 0 for
// administrators and to 2 for others.
type KeyRequest struct {
	Label        string
	Roles        []tenure.Role
	Clearance    tenure.Classification
	MaxAuthority *int
	ActFor       bool
	Bound        tenure.Scope
}

// IssuedKey is a new credential with its API key, which is shown once and cannot be recovered.
type IssuedKey struct {
	Key        string
	Credential tenure.Credential
}

// CreateKey creates an API key in the tenant of the caller. It returns Forbidden or AuthorityTooHigh for a key
// that would allow more than the caller's own.
func (k *Keys) CreateKey(ctx context.Context, c tenure.Caller, r KeyRequest) (IssuedKey, error) {
	credential := tenure.Credential{
		Tenant: c.Tenant, Label: r.Label, Roles: r.Roles, Clearance: r.Clearance, ActFor: r.ActFor,
	}
	if credential.Clearance == "" {
		credential.Clearance = tenure.Restricted
	}
	switch {
	case r.MaxAuthority != nil:
		credential.MaxAuthority = *r.MaxAuthority
	case !slices.Contains(r.Roles, tenure.RoleAdmin):
		credential.MaxAuthority = agentAuthority
	}
	var err error
	if credential.Bound, err = auth.Bind(c, r.Bound, "/bound"); err != nil {
		return IssuedKey{}, err
	}
	if err := withinOwn(c, credential); err != nil {
		return IssuedKey{}, err
	}
	credential, key, err := auth.Issue(k.mint(), k.random, credential)
	if err != nil {
		return IssuedKey{}, err
	}
	return IssuedKey{Key: key, Credential: credential}, k.store.PutCredential(ctx, credential)
}

// withinOwn returns Forbidden for a credential that allows more than the caller's.
func withinOwn(c tenure.Caller, credential tenure.Credential) error {
	if err := auth.CheckAuthority(c, credential.MaxAuthority, "/max_authority"); err != nil {
		return err
	}
	var faults []tenure.Field
	if credential.Clearance.Rank() > c.Clearance.Rank() {
		faults = append(faults, tenure.Field{Pointer: "/clearance", Reason: "is more than your own"})
	}
	if credential.ActFor && !c.ActFor {
		faults = append(faults, tenure.Field{Pointer: "/act_for", Reason: "is more than your own"})
	}
	if len(faults) > 0 {
		return &tenure.Error{Code: tenure.Forbidden, Message: "a key cannot give more than one has", Fields: faults}
	}
	return nil
}

// Credentials lists the credentials of a tenant in order of creation; the tenant "" lists those of all
// tenants.
func (k *Keys) Credentials(ctx context.Context, tenant string) ([]tenure.Credential, error) {
	return k.store.Credentials(ctx, tenant)
}

// Revoke revokes a credential of any tenant and is idempotent. Services that cache the credential accept it
// for a few more seconds.
func (k *Keys) Revoke(ctx context.Context, id tenure.ID) error {
	credential, err := k.store.Credential(ctx, id)
	if err != nil || credential.RevokedAt != 0 {
		return err
	}
	credential.RevokedAt = k.mint().Now
	return k.store.PutCredential(ctx, credential)
}

// CreateKey creates an API key in the tenant of the caller: see [Keys.CreateKey].
func (s *Service) CreateKey(ctx context.Context, c tenure.Caller, r KeyRequest) (IssuedKey, error) {
	return s.keys.CreateKey(ctx, c, r)
}

// ListKeys lists a page of the credentials of the caller's tenant, in order of
// creation.
func (s *Service) ListKeys(ctx context.Context, c tenure.Caller, p Page) (Listing[tenure.Credential], error) {
	p = p.withDefaults()
	all, err := s.keys.Credentials(ctx, c.Tenant)
	if err != nil {
		return Listing[tenure.Credential]{}, err
	}
	if p.After != "" { // credentials are never deleted, so the last one is still listed
		all = all[1+slices.IndexFunc(all, func(k tenure.Credential) bool { return string(k.ID) == p.After }):]
	}
	return listed(all, p.Limit, func(k tenure.Credential) string { return string(k.ID) }), nil
}

// RevokeKey revokes an API key of the caller's tenant, with immediate effect in this process. It is idempotent.
func (s *Service) RevokeKey(ctx context.Context, c tenure.Caller, id tenure.ID) error {
	credential, err := s.store.Credential(ctx, id)
	if err == nil && credential.Tenant != c.Tenant {
		return absent()
	}
	if err != nil {
		return hide(err)
	}
	if err := s.keys.Revoke(ctx, id); err != nil {
		return err
	}
	s.auth.Forget(id)
	return nil
}
