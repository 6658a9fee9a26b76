package neo4j

import (
	"context"

	"tenure"
	"tenure/store"
)

// Three ways to page through cases: by state, by subject, or all.
const (
	casesAll = `MATCH (n:QuarantineCase) USING INDEX n:QuarantineCase(tenant, id)
WHERE n.tenant = $tenant AND n.id > $after AND n.tx_start <= $at
WITH n ORDER BY n.tenant, n.id LIMIT $limit
OPTIONAL MATCH (n)-[:WAS]->(w:QuarantineCaseVersion) WHERE w.tx_start <= $at AND w.tx_end > $at
RETURN n.id, n.body, w.body`

	casesOfSubject = `MATCH (n:QuarantineCase) USING INDEX n:QuarantineCase(tenant, subject, id)
WHERE n.tenant = $tenant AND n.subject = $subject AND n.id > $after AND n.tx_start <= $at
WITH n ORDER BY n.tenant, n.subject, n.id LIMIT $limit
OPTIONAL MATCH (n)-[:WAS]->(w:QuarantineCaseVersion) WHERE w.tx_start <= $at AND w.tx_end > $at
RETURN n.id, n.body, w.body`

	casesInState = `MATCH (n:QuarantineCase) USING INDEX n:QuarantineCase(tenant, state, id)
WHERE n.tenant = $tenant AND n.state = $state AND n.id > $after AND n.tx_start <= $at
WITH n ORDER BY n.tenant, n.state, n.id LIMIT $limit
OPTIONAL MATCH (n)-[:WAS]->(w:QuarantineCaseVersion) WHERE w.tx_start <= $at AND w.tx_end > $at
RETURN n.id, n.body, w.body`

	casesWereInState = `MATCH (w:QuarantineCaseVersion) USING INDEX w:QuarantineCaseVersion(tenant, tx_end)
WHERE w.tenant = $tenant AND w.tx_end > $at AND w.tx_start <= $at AND w.state = $state AND w.id > $after
RETURN w.id, w.body, null ORDER BY w.id LIMIT $limit`
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
