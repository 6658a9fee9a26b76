package service

import (
	"cmp"
	"context"
	"io"
	"slices"
	"time"

	"tenure"
	"tenure/auth"
	"tenure/roles"
	"tenure/service/view"
	"tenure/store"
)

// Keys issues, lists, rotates and revokes credentials, and keeps the trail of it. Which of them a caller may manage is
// [auth.MayManage].
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
// whatever the Roles, Role and ExpiresAt to those of the caller.
type KeyRequest struct {
	Label        string
	Roles        []tenure.Role
	Clearance    tenure.Classification
	MaxAuthority *int
	Role         string // in which the holder speaks
	ActFor       bool
	Bound        tenure.Scope
	ExpiresAt    tenure.Instant // 0 for never
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
		Role: cmp.Or(r.Role, c.Role), ExpiresAt: cmp.Or(r.ExpiresAt, c.ExpiresAt),
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
	return k.issue(ctx, c, credential)
}

// issue stores a new credential of a caller.
func (k *Keys) issue(ctx context.Context, c tenure.Caller, credential tenure.Credential) (IssuedKey, error) {
	order, err := k.orderFor(ctx, c)
	if err != nil {
		return IssuedKey{}, err
	}
	if err := auth.MayIssue(c, credential, order); err != nil {
		return IssuedKey{}, err
	}
	m := k.mint()
	credential.CreatedBy = c.Actor
	credential, key, err := auth.Issue(m, k.random, credential)
	if err != nil {
		return IssuedKey{}, err
	}
	e := audited(m, c, tenure.AuditIssued, credential.ID)
	return IssuedKey{Key: key, Credential: credential}, k.store.PutCredential(ctx, credential, e)
}

// audited returns the event of what a caller does to a credential.
func audited(m tenure.Mint, c tenure.Caller, kind tenure.AuditKind, key tenure.ID) tenure.AuditEvent {
	return tenure.AuditEvent{ID: m.NewID(), At: m.Now, Kind: kind, Key: key, Actor: c.Actor, Client: c.Client}
}

// DefaultOverlap is how long a rotated key stays valid beside its successor.
const DefaultOverlap = 24 * time.Hour

// Rotation says how a key is replaced. Overlap defaults to [DefaultOverlap]. ExpiresAt is that of the successor: by
// default it lives as long as the old key was meant to, and no longer than the caller's.
type Rotation struct {
	Overlap   *time.Duration
	ExpiresAt tenure.Instant
}

// RotatedKey is the successor of a key, and the key that it replaces with its end.
type RotatedKey struct {
	IssuedKey

	Replaced tenure.Credential
}

// RotateKey issues a key with the rights of another one, which expires after the overlap. It is Conflicting for a key
// that has ended.
func (k *Keys) RotateKey(ctx context.Context, c tenure.Caller, id tenure.ID, r Rotation) (RotatedKey, error) {
	old, err := k.managed(ctx, c, id)
	if err != nil {
		return RotatedKey{}, err
	}
	m := k.mint()
	if old.Ended(m.Now) {
		return RotatedKey{}, tenure.Errorf(tenure.Conflicting, "the key was revoked or has expired: issue another one")
	}
	next := old
	next.Rotated, next.MeantUntil = false, 0
	next.ExpiresAt = cmp.Or(r.ExpiresAt, expiryLike(old, m.Now, c.ExpiresAt))
	issued, err := k.issue(ctx, c, next)
	if err != nil {
		return RotatedKey{}, err
	}
	overlap := DefaultOverlap
	if r.Overlap != nil {
		overlap = *r.Overlap
	}
	if !old.Rotated {
		old.Rotated, old.MeantUntil = true, old.ExpiresAt
	}
	if end := m.Now.Add(overlap); old.ExpiresAt == 0 || end < old.ExpiresAt {
		old.ExpiresAt = end
	}
	e := audited(k.mint(), c, tenure.AuditRotated, id)
	e.Successor = issued.Credential.ID
	return RotatedKey{IssuedKey: issued, Replaced: old}, k.store.PutCredential(ctx, old, e)
}

// expiryLike returns when a key made now expires that lives as long as another one was meant to, and at most until a
// limit; 0 is never.
func expiryLike(old tenure.Credential, now, limit tenure.Instant) tenure.Instant {
	until := old.ExpiresAt
	if old.Rotated {
		until = old.MeantUntil
	}
	if until == 0 {
		return limit
	}
	at := now + until - old.CreatedAt
	if limit != 0 {
		at = min(at, limit)
	}
	return at
}

// managed returns a credential that the caller may manage, NotFound if there is none.
func (k *Keys) managed(ctx context.Context, c tenure.Caller, id tenure.ID) (tenure.Credential, error) {
	credential, err := k.store.Credential(ctx, id)
	if err != nil {
		return credential, view.Hide(err)
	}
	order, err := k.orderFor(ctx, c)
	if err == nil && auth.MayManage(c, credential, order) != nil {
		err = view.Absent()
	}
	return credential, err
}

// orderFor returns the order of roles by which a caller manages keys; only a caller who speaks in a role needs it.
func (k *Keys) orderFor(ctx context.Context, c tenure.Caller) (roles.Order, error) {
	if c.Role == "" {
		return roles.Base(), nil
	}
	return k.roles(ctx, c.Tenant)
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

// Manageable lists the credentials that a caller may manage, in order of creation.
func (k *Keys) Manageable(ctx context.Context, c tenure.Caller) ([]tenure.Credential, error) {
	order, err := k.orderFor(ctx, c)
	if err != nil {
		return nil, err
	}
	all, err := k.store.Credentials(ctx, c.Tenant)
	return slices.DeleteFunc(all, func(o tenure.Credential) bool { return auth.MayManage(c, o, order) != nil }), err
}

// RevokeKey revokes a credential that the caller may manage, and is idempotent. Services that cache it accept it for a
// few more seconds.
func (k *Keys) RevokeKey(ctx context.Context, c tenure.Caller, id tenure.ID) error {
	credential, err := k.managed(ctx, c, id)
	if err != nil || credential.RevokedAt != 0 {
		return err
	}
	m := k.mint()
	credential.RevokedAt = m.Now
	return k.store.PutCredential(ctx, credential, audited(m, c, tenure.AuditRevoked, id))
}

// Exported notes that the credentials of the caller's tenant, with their hashes, go to another store.
func (k *Keys) Exported(ctx context.Context, c tenure.Caller) error {
	return k.store.PutAudit(ctx, c.Tenant, audited(k.mint(), c, tenure.AuditExported, ""))
}

// CreateKey creates an API key in the tenant of the caller: see [Keys.CreateKey].
func (s *Service) CreateKey(ctx context.Context, c tenure.Caller, r KeyRequest) (IssuedKey, error) {
	return s.keys.CreateKey(ctx, c, r)
}

// RotateKey replaces an API key of the caller's tenant: see [Keys.RotateKey].
func (s *Service) RotateKey(ctx context.Context, c tenure.Caller, id tenure.ID, r Rotation) (RotatedKey, error) {
	defer s.auth.Forget(id)
	return s.keys.RotateKey(ctx, c, id, r)
}

// ListKeys lists a page of the credentials that the caller may manage, in order of creation.
func (s *Service) ListKeys(ctx context.Context, c tenure.Caller, p Page) (Listing[tenure.Credential], error) {
	p = p.WithDefaults()
	all, err := s.keys.Manageable(ctx, c)
	if err != nil {
		return Listing[tenure.Credential]{}, err
	}
	if p.After != "" { // credentials are never deleted, so the last one is still listed
		all = all[1+slices.IndexFunc(all, func(k tenure.Credential) bool { return string(k.ID) == p.After }):]
	}
	return view.Listed(all, p.Limit, func(k tenure.Credential) string { return string(k.ID) }), nil
}

// RevokeKey revokes an API key that the caller may manage, with immediate effect in this process. It is idempotent.
func (s *Service) RevokeKey(ctx context.Context, c tenure.Caller, id tenure.ID) error {
	defer s.auth.Forget(id)
	return s.keys.RevokeKey(ctx, c, id)
}
