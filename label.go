package tenure

import (
	"cmp"
	"slices"
	"strings"
)

// Label says who may see a piece of evidence: who is cleared for its classification, is not bound to another user,
// project, session or task, and has a role that it allows and none that it denies. Labels are compared with ==. The
// zero value is that of evidence which is restricted and of no scope.
type Label struct {
	// Classification is "" for restricted.
	Classification Classification `json:"classification,omitempty"`
	// Scope has no kind: a hypothetical statement names its subject for everybody in its scope.
	Scope Scope `json:"scope,omitzero"`
	// Allow and Deny list roles in their order, separated by [labelSeparator].
	Allow string `json:"allow_roles,omitempty"`
	Deny  string `json:"deny_roles,omitempty"`
}

// labelSeparator separates the roles of a label; no role has it in its name.
const labelSeparator = "\x1f"

// NewLabel returns the label of a classification ("" is restricted), a scope and a permission.
func NewLabel(c Classification, s Scope, p PermissionScope) Label {
	if c == Restricted {
		c = ""
	}
	s.Kind = ""
	return Label{Classification: c, Scope: s, Allow: rolesText(p.AllowRoles), Deny: rolesText(p.DenyRoles)}
}

func rolesText(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(list))), labelSeparator)
}

// Level returns the classification, spelled out.
func (l Label) Level() Classification { return cmp.Or(l.Classification, Restricted) }

// Permission returns the roles that the label allows and denies.
func (l Label) Permission() PermissionScope {
	return PermissionScope{AllowRoles: rolesOf(l.Allow), DenyRoles: rolesOf(l.Deny)}
}

func rolesOf(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, labelSeparator)
}

// Covers reports whether everybody who may see evidence of the label may see evidence of another. It is a partial
// order.
func (l Label) Covers(o Label) bool {
	return o == l || o.Level().Rank() <= l.Level().Rank() && o.Scope.VisibleIn(l.Scope) &&
		(o.Allow == "" || o.Allow == l.Allow) && (o.Deny == "" || o.Deny == l.Deny)
}

// Compare orders labels, in any one way.
func (l Label) Compare(o Label) int {
	return cmp.Or(cmp.Compare(l.Level().Rank(), o.Level().Rank()), cmp.Compare(l.Scope.Key(), o.Scope.Key()),
		cmp.Compare(l.Allow, o.Allow), cmp.Compare(l.Deny, o.Deny))
}

// AppendLabel returns the list with a label that is not in it yet.
func AppendLabel(list []Label, l Label) []Label {
	if slices.Contains(list, l) {
		return list
	}
	return append(list, l)
}

// Label returns the label of what the claim states.
func (c Claim) Label() Label { return NewLabel(c.Classification, c.Scope, c.Permission) }

// Name returns the name of the label among the [LabelsInUse]. Without a scope it is that of the label of every scope.
func (l Label) Name() string {
	return strings.Join([]string{string(l.Level()), l.Scope.Key(), l.Allow, l.Deny}, "\x1e")
}

// ParseLabel returns the label of a name, false if there is none.
func ParseLabel(name string) (Label, bool) {
	parts := strings.Split(name, "\x1e")
	if len(parts) != 4 {
		return Label{}, false
	}
	ids := strings.Split(parts[1], "\x1f")
	if len(ids) != 5 {
		return Label{}, false
	}
	s := Scope{UserID: ids[1], ProjectID: ids[2], SessionID: ids[3], TaskID: ids[4]}
	p := PermissionScope{AllowRoles: rolesOf(parts[2]), DenyRoles: rolesOf(parts[3])}
	return NewLabel(Classification(parts[0]), s, p), true
}
