package service

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"tenure"
	"tenure/auth"
	"tenure/roles"
	"tenure/service/view"
	"tenure/store"
)

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

// KeyRequest describes an API key to create. Clearance defaults to restricted, MaxAuthority to the level of users
// whatever the Roles, Role to that of the caller.
type KeyRequest struct {
	Label        string
	Roles        []tenure.Role
	Clearance    tenure.Classification
	MaxAuthority *int
	Role         string // in which the holder speaks
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
		Role: cmp.Or(r.Role, c.Role),
	}
	if credential.Clearance == "" {
		credential.Clearance = tenure.Restricted
	}
	var err error
	credential.MaxAuthority, err = c.Level(r.MaxAuthority, tenure.UserLevel, "/max_authority")
	if err != nil {
		return IssuedKey{}, err
	}
	if credential.Bound, err = auth.Bind(c, r.Bound, "/bound"); err != nil {
		return IssuedKey{}, err
	}
	if err := withinOwn(c, credential); err != nil {
		return IssuedKey{}, err
	}
	if err := k.checkRole(ctx, c, credential.Role); err != nil {
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

// checkRole returns Forbidden if a caller who speaks in a role gives a key another one that is not below it.
func (k *Keys) checkRole(ctx context.Context, c tenure.Caller, role string) error {
	if c.Role == "" || role == c.Role {
		return nil
	}
	order, err := k.roles(ctx, c.Tenant)
	if err != nil {
		return err
	}
	own, _ := order.Role(c.Role)
	if same, _ := order.Role(role); same == own || order.Outranks(c.Role, role) {
		return nil
	}
	return &tenure.Error{Code: tenure.Forbidden, Message: "a key cannot give more than one has",
		Fields: []tenure.Field{{Pointer: "/role", Reason: fmt.Sprintf("is neither your own, %q, nor below it", c.Role)}}}
}

// roles returns a tenant's order of roles.
func (k *Keys) roles(ctx context.Context, tenant string) (roles.Order, error) {
	view, err := k.store.View(ctx, tenant, tenure.Present)
	if err != nil {
		return roles.Base(), err
	}
	policy, err := view.Vocabularies(ctx, []string{tenure.SpeakerRoles})
	if err != nil || len(policy) == 0 {
		return roles.Base(), err
	}
	terms, err := view.ListTerms(ctx, tenure.SpeakerRoles, "", roles.MaxTerms)
	return roles.New(terms, policy[0].Closed), err
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
	p = p.WithDefaults()
	all, err := s.keys.Credentials(ctx, c.Tenant)
	if err != nil {
		return Listing[tenure.Credential]{}, err
	}
	if p.After != "" { // credentials are never deleted, so the last one is still listed
		all = all[1+slices.IndexFunc(all, func(k tenure.Credential) bool { return string(k.ID) == p.After }):]
	}
	return view.Listed(all, p.Limit, func(k tenure.Credential) string { return string(k.ID) }), nil
}

// RevokeKey revokes an API key of the caller's tenant, with immediate effect in this process. It is idempotent.
func (s *Service) RevokeKey(ctx context.Context, c tenure.Caller, id tenure.ID) error {
	credential, err := s.store.Credential(ctx, id)
	if err == nil && credential.Tenant != c.Tenant {
		return view.Absent()
	}
	if err != nil {
		return view.Hide(err)
	}
	if err := s.keys.Revoke(ctx, id); err != nil {
		return err
	}
	s.auth.Forget(id)
	return nil
}
