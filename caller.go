package tenure

import (
	"cmp"
	"fmt"
)

// Caller is who makes a request, by its credential.
type Caller struct {
	Tenant    string
	Actor     string // the credential's id
	Label     string // the credential's label, if it has one
	Roles     []Role
	Clearance Classification
	// MaxAuthority is the strongest (lowest) authority level that the caller may claim.
	MaxAuthority int
	// Role is the role in which the caller speaks unless a source names another: see [SpeakerRoles].
	Role   string
	ActFor bool
	Bound  Scope
	// ExpiresAt is when the credential expires, 0 for never.
	ExpiresAt Instant
	// Client is the address that the request came from, "" for a command.
	Client string
}

// Within reports whether an object of scope s is within the caller's bounds.
func (c Caller) Within(s Scope) bool {
	within := func(object, bound string) bool { return object == "" || bound == "" || object == bound }
	return within(s.UserID, c.Bound.UserID) && within(s.ProjectID, c.Bound.ProjectID) &&
		within(s.SessionID, c.Bound.SessionID) && within(s.TaskID, c.Bound.TaskID)
}

// Unbound reports whether the caller is bound to no user, project, session or task.
func (c Caller) Unbound() bool { return c.Bound == (Scope{Kind: c.Bound.Kind}) }

// UserLevel is the authority level of users: no statement has a stronger one unless it says so.
const UserLevel = 2

// MayState returns AuthorityTooHigh, pointing at the field, if a level is stronger (lower) than the caller may state.
func (c Caller) MayState(level int, pointer string) error {
	if level >= c.MaxAuthority {
		return nil
	}
	return FieldError(AuthorityTooHigh, pointer,
		fmt.Sprintf("level %d is more than this key may state: %d at the strongest", level, c.MaxAuthority))
}

// Level returns the authority level of a statement: the one that it states, which the caller must be allowed, else
// unstated or, where that is weaker, the strongest that the caller may state.
func (c Caller) Level(stated *int, unstated int, pointer string) (int, error) {
	if stated != nil {
		return *stated, c.MayState(*stated, pointer)
	}
	return max(unstated, c.MaxAuthority), nil
}

// Unstated returns the classification of what states none: restricted or, of a caller who is not cleared for that,
// public.
func (c Caller) Unstated() Classification {
	if c.Clearance == Public {
		return Public
	}
	return Restricted
}

// Name returns the label of the credential, its id if it has none.
func (c Caller) Name() string { return cmp.Or(c.Label, c.Actor) }

// Has reports whether the caller has the role.
func (c Caller) Has(r Role) bool {
	for _, have := range c.Roles {
		if have == r {
			return true
		}
	}
	return false
}
