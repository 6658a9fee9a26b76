package tenure

import "strings"

// ScopeKind says how far a statement reaches.
type ScopeKind string

// The kinds of scope (StateBench, Layer 2: Persistent Facts). Hypothetical and
// draft statements are seen in their own scope only and displace nothing
// outside it.
const (
	ScopeGlobal       ScopeKind = "global"
	ScopeTask         ScopeKind = "task"
	ScopeHypothetical ScopeKind = "hypothetical"
	ScopeDraft        ScopeKind = "draft"
	ScopeSession      ScopeKind = "session"
)

// Scope bounds where a statement holds. Empty ids do not bound.
type Scope struct {
	Kind      ScopeKind `json:"kind,omitempty"`
	UserID    string    `json:"user_id,omitempty"`
	ProjectID string    `json:"project_id,omitempty"`
	SessionID string    `json:"session_id,omitempty"`
	TaskID    string    `json:"task_id,omitempty"`
}

// Normal is the scope with its kind written out.
func (s Scope) Normal() Scope {
	if s.Kind == "" {
		s.Kind = ScopeGlobal
	}
	return s
}

// Key is equal for equal scopes and for no others.
func (s Scope) Key() string {
	s = s.Normal()
	return strings.Join([]string{string(s.Kind), s.UserID, s.ProjectID, s.SessionID, s.TaskID}, "\x1f")
}

// VisibleIn tells whether an object of scope s may be seen by a request of
// scope r: every id that the object has equals the request's, and what is
// hypothetical or a draft is seen only by a request of that kind.
func (s Scope) VisibleIn(r Scope) bool {
	s, r = s.Normal(), r.Normal()
	if s.Provisional() && s.Kind != r.Kind {
		return false
	}
	return fits(s.UserID, r.UserID) && fits(s.ProjectID, r.ProjectID) &&
		fits(s.SessionID, r.SessionID) && fits(s.TaskID, r.TaskID)
}

func fits(object, request string) bool { return object == "" || object == request }

// Provisional tells whether statements of this scope are only supposed.
func (s Scope) Provisional() bool {
	return s.Kind == ScopeHypothetical || s.Kind == ScopeDraft
}

// Narrowness orders scopes that are visible together: more ids bind tighter,
// and a supposition binds tighter than a statement.
func (s Scope) Narrowness() int {
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
