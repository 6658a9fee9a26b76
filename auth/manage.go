package auth

import (
	"fmt"

	"tenure"
	"tenure/roles"
)

// MayManage returns Forbidden, naming the fields, unless a key may do no more than the caller: it is of the same
// tenant, bound to every id that the caller is bound to, cleared for no more, states no stronger authority level, acts
// for others only if the caller does, speaks in the caller's role or in one below, and has no role that the caller
// lacks. Whoever is an administrator has every role. It decides which keys an administrator issues, lists, rotates and
// revokes; since what "no more" means is transitive, no chain of keys ends with more than it began with.
func MayManage(c tenure.Caller, k tenure.Credential, order roles.Order) error {
	var f tenure.Faults
	exceeds := func(more bool, pointer string) {
		if more {
			f.Add(pointer, "is more than your own")
		}
	}
	exceeds(k.Tenant != c.Tenant, "/tenant")
	for i, r := range k.Roles {
		exceeds(!c.Has(r) && !c.Has(tenure.RoleAdmin), fmt.Sprintf("/roles/%d", i))
	}
	exceeds(k.Clearance.Rank() > c.Clearance.Rank(), "/clearance")
	exceeds(k.MaxAuthority < c.MaxAuthority, "/max_authority")
	exceeds(k.ActFor && !c.ActFor, "/act_for")
	for _, id := range []struct{ name, own, others string }{
		{"user_id", c.Bound.UserID, k.Bound.UserID},
		{"project_id", c.Bound.ProjectID, k.Bound.ProjectID},
		{"session_id", c.Bound.SessionID, k.Bound.SessionID},
		{"task_id", c.Bound.TaskID, k.Bound.TaskID},
	} {
		exceeds(id.own != "" && id.own != id.others, "/bound/"+id.name)
	}
	if !speaksWithin(order, c.Role, k.Role) {
		f.Add("/role", "is neither your own, %q, nor below it", c.Role)
	}
	return forbidden(f)
}

// MayIssue returns Forbidden, naming the fields, unless the caller may manage a key and the key expires no later than
// the caller's own: one that is good for a day must not make one that is good for ever.
func MayIssue(c tenure.Caller, k tenure.Credential, order roles.Order) error {
	if err := MayManage(c, k, order); err != nil {
		return err
	}
	var f tenure.Faults
	if c.ExpiresAt != 0 && (k.ExpiresAt == 0 || k.ExpiresAt > c.ExpiresAt) {
		f.Add("/expires_at", "is later than your own key expires")
	}
	return forbidden(f)
}

// speaksWithin reports whether a role is the caller's own or below it. A caller without a role speaks in any.
func speaksWithin(order roles.Order, own, role string) bool {
	if own == "" || role == own || order.Outranks(own, role) {
		return true
	}
	a, known := order.Role(own)
	b, alsoKnown := order.Role(role)
	return known && alsoKnown && a == b
}

func forbidden(f tenure.Faults) error {
	if len(f) == 0 {
		return nil
	}
	return &tenure.Error{Code: tenure.Forbidden, Message: "a key cannot give more than one has", Fields: f}
}
