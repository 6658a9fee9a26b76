package engine

import (
	"strings"

	"tenure"
)

// Place returns the text by which the claims of a scope are found: the ids, and the kind where that bounds who may see
// them.
func Place(s tenure.Scope) string {
	kind := ""
	if s.Provisional() {
		kind = string(s.Kind)
	}
	parts := strings.Join([]string{kind, s.UserID, s.ProjectID, s.SessionID, s.TaskID}, "\x1f")
	return "/" + strings.TrimRight(parts, "\x1f")
}

// PlacesIn lists the places of the scopes that are visible in a scope: see tenure.Scope.VisibleIn.
func PlacesIn(s tenure.Scope) []string {
	scopes := []tenure.Scope{{}}
	if s.Provisional() {
		scopes = append(scopes, tenure.Scope{Kind: s.Kind})
	}
	for _, bound := range []func(*tenure.Scope) *string{
		func(x *tenure.Scope) *string { return &x.UserID }, func(x *tenure.Scope) *string { return &x.ProjectID },
		func(x *tenure.Scope) *string { return &x.SessionID }, func(x *tenure.Scope) *string { return &x.TaskID },
	} {
		id := *bound(&s)
		if id == "" {
			continue
		}
		for _, wider := range scopes {
			*bound(&wider) = id
			scopes = append(scopes, wider)
		}
	}
	places := make([]string, len(scopes))
	for i, x := range scopes {
		places[i] = Place(x)
	}
	return places
}
