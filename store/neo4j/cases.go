package neo4j

import (
	"context"

	"tenure"
	"tenure/store"
)

// Three ways to page through cases, by id or by rank: by state, by subject, or all.
var (
	casesAllRanked       = rankedOf("QuarantineCase")
	casesOfSubjectRanked = rankedOf("QuarantineCase", "subject")
	casesRanked          = rankedInState("QuarantineCase")
	casesWereRanked      = wereRanked("QuarantineCase")

	casesAll         = pageOf("QuarantineCase")
	casesOfSubject   = pageOf("QuarantineCase", "subject")
	casesInState     = pageOf("QuarantineCase", "state")
	casesWereInState = wereInState("QuarantineCase")
)

// ListCases implements [store.Reader].
func (r *reader) ListCases(ctx context.Context, q store.CaseQuery) ([]tenure.Case, error) {
	l := listing[tenure.Case]{
		key: q.Key,
		chooses: func(c tenure.Case) bool {
			return (q.State == "" || c.State == q.State) && (q.Subject == "" || c.Subject == q.Subject)
		},
		page:   casesAll,
		params: args{"subject": string(q.Subject), "state": string(q.State)},
	}
	switch {
	case q.Subject != "" && q.Ranked:
		l.page = casesOfSubjectRanked
	case q.State != "" && q.Ranked:
		l.page, l.past = casesRanked, casesWereRanked
	case q.Ranked:
		l.page = casesAllRanked
	case q.Subject != "":
		l.page = casesOfSubject
	case q.State != "":
		l.page, l.past = casesInState, casesWereInState
	}
	return list(ctx, r, l, q.After, q.Limit)
}
