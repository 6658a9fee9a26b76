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

// Has tells whether the caller carries the role.
func (c Caller) Has(r Role) bool {
	for _, have := range c.Roles {
		if have == r {
			return true
		}
	}
	return false
}
