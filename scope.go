package tenure

import (
	"cmp"
	"strings"
)

// ScopeKind is how far a statement reaches.
type ScopeKind string

// The kinds of scope (StateBench, Layer 2: Persistent Facts). Hypothetical and draft statements are visible
// in their own scope only and displace nothing outside it.
const (
	ScopeGlobal       ScopeKind = "global"
	ScopeTask         ScopeKind = "task"
	ScopeHypothetical ScopeKind = "hypothetical"
	ScopeDraft        ScopeKind = "draft"
	ScopeSession      ScopeKind = "session"
)

// Scope bounds where a statement holds. An empty id does not bound.
type Scope struct {
	Kind      ScopeKind `json:"kind,omitempty"`
	UserID    string    `json:"user_id,omitempty"`
	ProjectID string    `json:"project_id,omitempty"`
	SessionID string    `json:"session_id,omitempty"`
	TaskID    string    `json:"task_id,omitempty"`
}

// Canonical returns the scope with its kind spelled out.
func (s Scope) Canonical() Scope {
	if s.Kind == "" {
		s.Kind = ScopeGlobal
	}
	return s
}

// InSession returns the scope with a session, unless it has one: the session in which something was said, which need
// not bound it.
func (s Scope) InSession(session string) Scope {
	s.SessionID = cmp.Or(s.SessionID, session)
	return s
}

// Key is equal for equal scopes and for no others.
func (s Scope) Key() string {
	s = s.Canonical()
	return strings.Join([]string{string(s.Kind), s.UserID, s.ProjectID, s.SessionID, s.TaskID}, "\x1f")
}

// VisibleIn reports whether an object of scope s is visible to a request of scope r: every id of the object
// equals the request's, and a hypothetical or draft object is visible only to a request of that kind.
func (s Scope) VisibleIn(r Scope) bool { return s.OutsideOf(r) == "" }

// OutsideOf returns the part by which an object of scope s is not visible to a request of scope r: user, project,
// session, task or kind of scope; "" if it is visible.
func (s Scope) OutsideOf(r Scope) string {
	s, r = s.Canonical(), r.Canonical()
	switch {
	case !fits(s.UserID, r.UserID):
		return "user"
	case !fits(s.ProjectID, r.ProjectID):
		return "project"
	case !fits(s.SessionID, r.SessionID):
		return "session"
	case !fits(s.TaskID, r.TaskID):
		return "task"
	case s.Provisional() && s.Kind != r.Kind:
		return "kind of scope"
	}
	return ""
}

func fits(object, request string) bool { return object == "" || object == request }

// Provisional reports whether statements of this scope are hypothetical or drafts.
func (s Scope) Provisional() bool {
	return s.Kind == ScopeHypothetical || s.Kind == ScopeDraft
}

// Specificity orders scopes that are visible together: more ids are more specific, and a provisional scope is
// more specific than any other.
func (s Scope) Specificity() int {
	n := 0
	for _, id := range []string{s.UserID, s.ProjectID, s.SessionID, s.TaskID} {
		if id != "" {
			n++
		}
	}
	if s.Provisional() {
		n += 8
	}
	return n
}
