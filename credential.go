package tenure

// Role is what a credential may do.
type Role string

// The roles. Agents write and compile; reviewers settle; resolvers settle what a tool can look up; analysts query;
// administrators define vocabularies and credentials.
const (
	RoleAgent    Role = "agent"
	RoleReviewer Role = "reviewer"
	RoleResolver Role = "resolver"
	RoleAnalyst  Role = "analyst"
	RoleAdmin    Role = "admin"
)

// Roles lists every role.
var Roles = []Role{RoleAgent, RoleReviewer, RoleResolver, RoleAnalyst, RoleAdmin}

// Credential is an API key as it is stored; the secret only as a hash.
type Credential struct {
	ID        ID             `json:"id"`
	Hash      string         `json:"hash"` // SHA-256 of the secret, hex
	Tenant    string         `json:"tenant"`
	Label     string         `json:"label,omitempty"`
	Roles     []Role         `json:"roles"`
	Clearance Classification `json:"clearance"`
	// MaxAuthority is the strongest (lowest) authority level that the holder may claim.
	MaxAuthority int `json:"max_authority"`
	// Role is the role in which the holder speaks, "" for none: see [SpeakerRoles].
	Role string `json:"role,omitempty"`
	// ActFor allows the holder to state another person's identity and role.
	ActFor bool `json:"act_for,omitempty"`
	// Bound fixes scope ids that every request of the holder must carry.
	Bound     Scope   `json:"bound"`
	CreatedAt Instant `json:"created_at"`
	// CreatedBy is the actor that issued it: the id of a credential, or the operator.
	CreatedBy string `json:"created_by,omitempty"`
	// ExpiresAt is the instant from which it is no longer valid, 0 for none.
	ExpiresAt Instant `json:"expires_at,omitempty"`
	// Rotated reports whether it was replaced, and ExpiresAt is the end of the overlap; MeantUntil is what it was before.
	Rotated    bool    `json:"rotated,omitempty"`
	MeantUntil Instant `json:"meant_until,omitempty"`
	// LastUsedAt is when it authenticated a request last, to about a minute.
	LastUsedAt Instant `json:"last_used_at,omitempty"`
	RevokedAt  Instant `json:"revoked_at,omitempty"`
}

// Ended reports whether the credential is revoked or has expired.
func (c Credential) Ended(now Instant) bool {
	return c.RevokedAt != 0 || c.ExpiresAt != 0 && c.ExpiresAt <= now
}

// Caller returns the caller that the credential authenticates.
func (c Credential) Caller() Caller {
	return Caller{
		Tenant: c.Tenant, Actor: string(c.ID), Label: c.Label, Roles: c.Roles, Clearance: c.Clearance,
		MaxAuthority: c.MaxAuthority, Role: c.Role, ActFor: c.ActFor, Bound: c.Bound, ExpiresAt: c.ExpiresAt,
	}
}

// AuditKind is what happened to a credential.
type AuditKind string

// The kinds. A refusal is an attempt to authenticate with a wrong secret, or with a credential that has ended; an
// export takes the credentials of a tenant, with their hashes, to another store.
const (
	AuditIssued   AuditKind = "issued"
	AuditRotated  AuditKind = "rotated"
	AuditRevoked  AuditKind = "revoked"
	AuditRefused  AuditKind = "refused"
	AuditExported AuditKind = "exported"
)

// AuditEvent is an entry of the trail of what happened to a tenant's credentials. It holds no secret and no hash.
type AuditEvent struct {
	ID   ID        `json:"id"`
	At   Instant   `json:"at"`
	Kind AuditKind `json:"kind"`
	// Key is the credential that it happened to, "" for an export, which is of all.
	Key ID `json:"key,omitempty"`
	// Actor is who did it, as in [Credential.CreatedBy]; "" for a refusal, of which nobody knows.
	Actor string `json:"actor,omitempty"`
	// Client is the address that the request came from, "" for a command.
	Client string `json:"client,omitempty"`
	// Successor is the credential that took the place of a rotated one.
	Successor ID `json:"successor,omitempty"`
	// Count is how many refusals the event stands for.
	Count int `json:"count,omitempty"`
}
