package audience

import (
	"context"

	"tenure"
)

// Bounds are what an audience sees, as a list that a search can be bounded by.
type Bounds struct {
	// Labels are all that the audience sees, without their scopes.
	Labels []tenure.Label
	// User, Session and Task are what an entity may be bound to, besides nothing; nil does not bound.
	User, Session, Task *string
}

// BoundsOf returns what is seen by everybody who sees evidence of a label.
func BoundsOf(l tenure.Label) *Bounds {
	s := &Bounds{User: &l.Scope.UserID, Session: &l.Scope.SessionID, Task: &l.Scope.TaskID}
	for _, level := range []tenure.Classification{
		tenure.Public, tenure.Restricted, tenure.Confidential, tenure.HighlyRestricted,
	} {
		for _, p := range []tenure.PermissionScope{
			{}, {AllowRoles: l.Permission().AllowRoles}, {DenyRoles: l.Permission().DenyRoles}, l.Permission(),
		} {
			if o := tenure.NewLabel(level, tenure.Scope{}, p); l.Covers(o) {
				s.Labels = tenure.AppendLabel(s.Labels, o)
			}
		}
	}
	return s
}

// Bounded is implemented by readers that show an audience less than everything.
type Bounded interface {
	// Bounds returns what the audience sees, nil for everything.
	Bounds(ctx context.Context) (*Bounds, error)
}

// BoundsIn returns what the audience of a reader sees, nil for everything.
func BoundsIn(ctx context.Context, reader any) (*Bounds, error) {
	if r, ok := reader.(Bounded); ok {
		return r.Bounds(ctx)
	}
	return nil, nil
}
