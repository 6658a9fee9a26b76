package neo4j

import (
	"cmp"
	"context"
	"math"
	"slices"

	"tenure"
	"tenure/store"
)

// Three ways to page through cases: by state, by subject, or all. The state is
// a key that changes: what a write moved away is found among the past versions.
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

// ListCases: see [store.Reader].
func (r *reader) ListCases(ctx context.Context, q store.CaseQuery) ([]tenure.Case, error) {
	limit := q.Limit
	if limit <= 0 {
		limit = math.MaxInt32
	}
	return steady(ctx, func() (list []tenure.Case, err error) {
		for after := q.After; ; {
			page, last, full, err := r.pageOfCases(ctx, q, after, limit)
			if err != nil {
				return nil, err
			}
			list = append(list, page...)
			if len(list) >= limit || !full {
				return list[:min(len(list), limit)], nil
			}
			after = last
		}
	})
}

// pageOfCases reads one page and leaves out what the query does not choose.
// Last is where the next page begins, if this one was full.
func (r *reader) pageOfCases(
	ctx context.Context, q store.CaseQuery, after tenure.ID, limit int,
) (page []tenure.Case, last tenure.ID, full bool, err error) {
	cypher := casesAll
	switch {
	case q.Subject != "":
		cypher = casesOfSubject
	case q.State != "":
		cypher = casesInState
	}
	params := args{"subject": string(q.Subject), "state": string(q.State), "after": string(after), "limit": limit}
	rows, err := r.query(ctx, cypher, params)
	if err != nil {
		return nil, "", false, err
	}
	full = len(rows) == limit
	if full {
		last = tenure.ID(rows[len(rows)-1].text(0))
	}
	if cypher == casesInState {
		past, err := r.pastCases(ctx, params)
		if err != nil {
			return nil, "", false, err
		}
		if len(past) == limit {
			end := tenure.ID(past[len(past)-1].text(0))
			if !full || end < last {
				last = end
			}
			full = true
		}
		rows = append(rows, past...)
	}
	seen := map[tenure.ID]bool{}
	for _, row := range rows {
		id := tenure.ID(row.text(0))
		if seen[id] || full && id > last {
			continue
		}
		v, err := stampedOf[tenure.Case](r.tx, row.text(1), row.text(2))
		if err != nil {
			return nil, "", false, err
		}
		seen[id] = true
		if (q.State == "" || v.thing.State == q.State) && (q.Subject == "" || v.thing.Subject == q.Subject) {
			page = append(page, v.thing)
		}
	}
	slices.SortFunc(page, func(a, b tenure.Case) int { return cmp.Compare(a.ID, b.ID) })
	return page, last, full, nil
}

// pastCases finds the cases that were in a state and have left it. What a
// commit was about to move while the others were read has moved by now.
func (r *reader) pastCases(ctx context.Context, params args) ([]row, error) {
	if _, err := r.s.head(ctx, r.tenant); err != nil {
		return nil, err
	}
	return r.query(ctx, casesWereInState, params)
}
