package tenure

// Caller is who makes a request, as its credential tells.
type Caller struct {
	Tenant    string
	Actor     string // the credential's id
	Roles     []Role
	Clearance Classification
	// MaxAuthority is the strongest authority level (the lowest number) that
	// the caller may claim.
	MaxAuthority int
	ActFor       bool
	Bound        Scope
}

// Sees tells whether the caller may know of a claim at all: its classification
// is within the clearance, and its scope within what the caller is bound to.
func (c Caller) Sees(claim Claim) bool {
	return claim.Classification.Rank() <= c.Clearance.Rank() && c.Within(claim.Scope)
}

// Within tells whether an object of the scope fits the ids that the caller is
// bound to.
func (c Caller) Within(s Scope) bool {
	within := func(object, bound string) bool { return object == "" || bound == "" || object == bound }
	return within(s.UserID, c.Bound.UserID) && within(s.ProjectID, c.Bound.ProjectID) &&
		within(s.SessionID, c.Bound.SessionID) && within(s.TaskID, c.Bound.TaskID)
}

// Has tells whether the caller carries the role.
func (c Caller) Has(r Role) bool {
	for _, have := range c.Roles {
		if have == r {
			return true
		}
	}
	return false
}
