package neo4j

import (
	"context"

	"tenure"
	"tenure/store"
)

// Three ways to page through cases: by state, by subject, or all.
var (
	casesAll         = pageOf("QuarantineCase")
	casesOfSubject   = pageOf("QuarantineCase", "subject")
	casesInState     = pageOf("QuarantineCase", "state")
	casesWereInState = wereInState("QuarantineCase")
)

// ListCases implements [store.Reader].
func (r *reader) ListCases(ctx context.Context, q store.CaseQuery) ([]tenure.Case, error) {
	l := listing[tenure.Case]{
		key: func(c tenure.Case) string { return string(c.ID) },
		chooses: func(c tenure.Case) bool {
			return (q.State == "" || c.State == q.State) && (q.Subject == "" || c.Subject == q.Subject)
		},
		page:   casesAll,
		params: args{"subject": string(q.Subject), "state": string(q.State)},
	}
	switch {
	case q.Subject != "":
		l.page = casesOfSubject
	case q.State != "":
		l.page, l.past = casesInState, casesWereInState
	}
	return list(ctx, r, l, string(q.After), q.Limit)
}
