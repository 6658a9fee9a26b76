package oidc

import (
	"encoding/json"
	"slices"
	"testing"

	"tenure"
)

// FuzzClaims has the claims of a verified token, whatever their form, make a caller that the service knows, or none.
func FuzzClaims(f *testing.F) {
	f.Add(`{"tenant":"acme","roles":["agent"],"sub":"u1","clearance":"public"}`, "tenant", "roles")
	f.Add(`{"app":{"tenant":"acme"},"roles":"agent admin","sub":["u"]}`, "/app/tenant", "roles")
	f.Add(`{"a":[{"b":1}],"clearance":{}}`, "/a/0/b", "/a/99999999999999999999")
	f.Add(`{"":{"~":"x"}}`, "//~0", "/-1")
	f.Fuzz(func(t *testing.T, text, tenantClaim, rolesClaim string) {
		var claims map[string]any
		if json.Unmarshal([]byte(text), &claims) != nil {
			return
		}
		c := Config{TenantClaim: tenantClaim, RolesClaim: rolesClaim, ClearanceClaim: ClearanceClaim, UserClaim: UserClaim}
		caller, why := c.callerOf("u1", claims)
		if why != "" {
			return
		}
		if !named(caller.Tenant) || !named(caller.Bound.UserID) || caller.Clearance.Rank() > tenure.HighlyRestricted.Rank() {
			t.Errorf("%s makes the caller %+v", text, caller)
		}
		for _, r := range caller.Roles {
			if !slices.Contains(tenure.Roles, r) {
				t.Errorf("%s gives the role %q", text, r)
			}
		}
		if caller.ActFor || caller.MaxAuthority < tenure.UserLevel {
			t.Errorf("%s gives more than a token can: %+v", text, caller)
		}
	})
}
