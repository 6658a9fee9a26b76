package oidc

import (
	"slices"
	"strconv"
	"strings"

	"tenure"
)

// The claims that say what the holder of a token may do, unless the configuration names others.
const (
	TenantClaim    = "tenant"
	RolesClaim     = "roles"
	ClearanceClaim = "clearance"
	UserClaim      = "sub"
)

// longest bounds a tenant, a user and a subject, in bytes.
const longest = 512

// callerOf returns the caller that verified claims describe, or why there is none.
func (c Config) callerOf(subject string, claims map[string]any) (tenure.Caller, string) {
	caller := tenure.Caller{
		Actor: "oidc:" + subject, Clearance: tenure.Restricted, MaxAuthority: tenure.UserLevel,
		Roles: rolesOf(find(claims, c.RolesClaim)),
	}
	if !named(subject) {
		return caller, "it has no subject"
	}
	if caller.Tenant, _ = find(claims, c.TenantClaim).(string); !named(caller.Tenant) {
		return caller, "its claim " + c.TenantClaim + " names no tenant"
	}
	if stated := find(claims, c.ClearanceClaim); stated != nil {
		text, _ := stated.(string) // what is no text is no classification
		caller.Clearance = tenure.Classification(text)
		if caller.Clearance.Rank() > tenure.HighlyRestricted.Rank() {
			return caller, "its claim " + c.ClearanceClaim + " is no classification"
		}
	}
	if c.UserClaim != Nobody {
		if caller.Bound.UserID, _ = find(claims, c.UserClaim).(string); !named(caller.Bound.UserID) {
			return caller, "its claim " + c.UserClaim + " names no user"
		}
	}
	return caller, ""
}

// named reports whether a text can be the name of a tenant or of a person.
func named(text string) bool {
	return text != "" && len(text) <= longest && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' })
}

// rolesOf returns the roles that a claim names: a list of texts, or a text with spaces between. Others than the
// service's are passed over, since issuers know roles of other programs too.
func rolesOf(claim any) []tenure.Role {
	var names []string
	switch v := claim.(type) {
	case string:
		names = strings.Fields(v)
	case []any:
		for _, n := range v {
			name, _ := n.(string) // what is no text names no role
			names = append(names, name)
		}
	}
	var found []tenure.Role
	for _, r := range tenure.Roles {
		if slices.Contains(names, string(r)) {
			found = append(found, r)
		}
	}
	return found
}

// find returns the claim of a name or, if the name begins with a slash, at a JSON pointer; nil if there is none.
func find(claims map[string]any, name string) any {
	if !strings.HasPrefix(name, "/") {
		return claims[name]
	}
	var v any = claims
	for _, token := range strings.Split(name, "/")[1:] {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		switch node := v.(type) {
		case map[string]any:
			v = node[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(node) {
				return nil
			}
			v = node[i]
		default:
			return nil
		}
	}
	return v
}
