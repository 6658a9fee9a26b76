package sqlite

import (
	"context"
	"math"
	"strings"

	"tenure"
	"tenure/store"
)

func (r *reader) Cases(ctx context.Context, ids []tenure.ID) ([]tenure.Case, error) {
	return find(ctx, r, `SELECT q.body FROM json_each(?3) j CROSS JOIN quarantine q
		WHERE q.tenant = ?1 AND q.id = j.value AND q.tx_start =
			(SELECT max(x.tx_start) FROM quarantine x WHERE x.tenant = ?1 AND x.id = j.value AND x.tx_start <= ?2)
		ORDER BY q.tx_start, q.id`, ids, scanBody[tenure.Case])
}

// ListCases implements [store.Reader]. It searches the open versions in order of their ids or ranks, and the versions
// that were closed after the state in view, mostly none.
func (r *reader) ListCases(ctx context.Context, q store.CaseQuery) ([]tenure.Case, error) {
	index, where, key := "", "", "id"
	if q.Ranked {
		key = "rank"
	}
	if q.State != "" {
		where = " AND state = ?5"
		index = "INDEXED BY quarantine_state"
		if q.Ranked {
			index = "INDEXED BY quarantine_rank"
		}
	}
	if q.Subject != "" {
		where += " AND subject = ?4"
		index = "INDEXED BY quarantine_subject"
	}
	text := strings.NewReplacer("$index", index, "$where", where, "$key", key).Replace(`
		SELECT body FROM (
			SELECT * FROM (SELECT $key AS key, body FROM quarantine $index
				WHERE tenant = ?1 AND tx_end = 9223372036854775807 AND tx_start <= ?2 AND $key > ?3$where
				ORDER BY $key LIMIT ?6)
			UNION ALL SELECT $key, body FROM quarantine INDEXED BY quarantine_past
				WHERE tenant = ?1 AND tx_end > ?2 AND tx_end < 9223372036854775807 AND tx_start <= ?2 AND $key > ?3$where)
		ORDER BY key LIMIT ?6`)
	return collect(ctx, r.s, text, scanBody[tenure.Case],
		r.args(q.After, string(q.Subject), string(q.State), noLimit(q.Limit))...)
}

// noLimit turns the limit 0 into no limit.
func noLimit(limit int) int {
	if limit <= 0 {
		return math.MaxInt
	}
	return limit
}
