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
	RevokedAt Instant `json:"revoked_at,omitempty"`
}

// Caller returns the caller that the credential authenticates.
func (c Credential) Caller() Caller {
	return Caller{
		Tenant: c.Tenant, Actor: string(c.ID), Label: c.Label, Roles: c.Roles, Clearance: c.Clearance,
		MaxAuthority: c.MaxAuthority, Role: c.Role, ActFor: c.ActFor, Bound: c.Bound,
	}
}
