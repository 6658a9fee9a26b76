package audience

import (
	"slices"

	"tenure"
	"tenure/roles"
)

// Sight reports whether an audience sees evidence of a label; nil sees everything. That of a label is
// [tenure.Label.Covers]: who sees what was decided with it sees all that it was decided by.
type Sight func(tenure.Label) bool

// Of returns the sight of a caller who has some roles besides those of the credential. Deny wins; an empty list of
// allowed roles allows everyone, and an unknown clearance counts as public.
func Of(c tenure.Caller, more ...string) Sight {
	have := slices.Clone(more)
	for _, r := range c.Roles {
		have = append(have, string(r))
	}
	if c.Role != "" {
		have = append(have, c.Role)
	}
	clearance := c.Clearance.Rank()
	if clearance > tenure.HighlyRestricted.Rank() {
		clearance = tenure.Public.Rank()
	}
	return func(l tenure.Label) bool {
		if l.Level().Rank() > clearance || !c.Within(l.Scope) {
			return false
		}
		if l.Allow == "" && l.Deny == "" {
			return true
		}
		p := l.Permission()
		return !hasAny(have, p.DenyRoles) && (len(p.AllowRoles) == 0 || hasAny(have, p.AllowRoles))
	}
}

// hasAny reports whether one of the roles is in one of the groups, in their normal form, so that no spelling evades a
// group. "VP+" stands for the role and those that outrank it in the base order.
func hasAny(have, groups []string) bool {
	return slices.ContainsFunc(groups, func(group string) bool {
		return slices.ContainsFunc(have, func(role string) bool { return roles.Base().Covers(group, role) })
	})
}

// And returns the sight of those who have both.
func (s Sight) And(o Sight) Sight {
	switch {
	case s == nil:
		return o
	case o == nil:
		return s
	}
	return func(l tenure.Label) bool { return s(l) && o(l) }
}

// Sees reports whether the audience sees evidence of the label.
func (s Sight) Sees(l tenure.Label) bool { return s == nil || s(l) }

// All reports whether the audience sees evidence of all of the labels; of none it is that of the zero label.
func (s Sight) All(list []tenure.Label) bool {
	if len(list) == 0 {
		return s.Sees(tenure.Label{})
	}
	return !slices.ContainsFunc(list, func(l tenure.Label) bool { return !s.Sees(l) })
}
