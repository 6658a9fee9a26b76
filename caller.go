package tenure

import "cmp"

// Caller is who makes a request, by its credential.
type Caller struct {
	Tenant    string
	Actor     string // the credential's id
	Label     string // the credential's label, if it has one
	Roles     []Role
	Clearance Classification
	// MaxAuthority is the strongest (lowest) authority level that the caller may claim.
	MaxAuthority int
	ActFor       bool
	Bound        Scope
}

// Sees reports whether the caller may know of a claim: its classification is within the clearance, and its
// scope within the caller's bounds.
func (c Caller) Sees(claim Claim) bool {
	return claim.Classification.Rank() <= c.Clearance.Rank() && c.Within(claim.Scope)
}

// Within reports whether an object of scope s is within the caller's bounds.
func (c Caller) Within(s Scope) bool {
	within := func(object, bound string) bool { return object == "" || bound == "" || object == bound }
	return within(s.UserID, c.Bound.UserID) && within(s.ProjectID, c.Bound.ProjectID) &&
		within(s.SessionID, c.Bound.SessionID) && within(s.TaskID, c.Bound.TaskID)
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
