package sqlite

import (
	"cmp"
	"context"
	"database/sql"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

// withOutcome are the columns of a compilation with its outcome, and where they are from.
const withOutcome = `SELECT c.id, c.created_at, c.body, o.body FROM compilation c
	LEFT JOIN outcome o ON o.tenant = c.tenant AND o.compilation = c.id`

// scanCompilation scans a row of withOutcome.
func scanCompilation(rows *sql.Rows, c *tenure.Compilation) error {
	var outcome sql.NullString
	if err := rows.Scan(&c.ID, &c.CreatedAt, &c.Body, &outcome); err != nil || !outcome.Valid {
		return err
	}
	c.Outcome = new(tenure.CompilationOutcome)
	return engine.Decode(outcome.String, c.Outcome)
}

// reported is what a report of a compilation meets.
type reported struct {
	empty   bool
	version int
}

// PutOutcome implements [store.Store].
func (s *Store) PutOutcome(ctx context.Context, tenant string, o tenure.CompilationOutcome, base int) error {
	body, err := engine.Encode(o)
	if err != nil {
		return fault(err)
	}
	objects, err := jsonList(unique(o.Report.Used))
	if err != nil {
		return err
	}
	return s.write(ctx, func(w *writer) error {
		pk, err := w.tenant(tenant)
		if err != nil {
			return err
		}
		found, err := query(w, func(rows *sql.Rows, r *reported) error { return rows.Scan(&r.empty, &r.version) },
			`SELECT length(c.body) = 0, coalesce(o.version, 0) FROM compilation c
			LEFT JOIN outcome o ON o.tenant = c.tenant AND o.compilation = c.id WHERE c.tenant = ?1 AND c.id = ?2`,
			pk, string(o.Compilation))
		switch {
		case err != nil:
			return err
		case len(found) == 0 || found[0].empty:
			return engine.NoCompilation(o.Compilation)
		case found[0].version != base:
			return engine.ErrChanged
		}
		if err := w.forgetUsage(pk, o.Compilation); err != nil {
			return err
		}
		if err := w.exec(`INSERT OR REPLACE INTO outcome (tenant, compilation, actor, clearance, version, body)
			VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
			pk, string(o.Compilation), o.Actor, string(o.Clearance), o.Version, body); err != nil {
			return err
		}
		return w.exec(`INSERT OR IGNORE INTO usage (tenant, object, actor, clearance, compiled_at, compilation)
			SELECT ?1, value, ?2, ?3, ?4, ?5 FROM json_each(?6)`,
			pk, o.Actor, string(o.Clearance), int64(o.CompiledAt), string(o.Compilation), objects)
	})
}

func (w *writer) forgetUsage(pk int64, compilation tenure.ID) error {
	return w.exec(`DELETE FROM usage WHERE tenant = ?1 AND compilation = ?2`, pk, string(compilation))
}

// forgetOutcomes removes the outcomes of the compilations.
func (w *writer) forgetOutcomes(pk int64, compilations []tenure.ID) error {
	list, err := jsonList(compilations)
	if err != nil {
		return err
	}
	for _, text := range []string{
		`DELETE FROM outcome WHERE tenant = ?1 AND compilation IN (SELECT value FROM json_each(?2))`,
		`DELETE FROM usage WHERE tenant = ?1 AND compilation IN (SELECT value FROM json_each(?2))`,
	} {
		if err := w.exec(text, pk, list); err != nil {
			return err
		}
	}
	return nil
}

// The statements of outcomes: those of an actor, and those of clearances, too.
const (
	outcomesOfActor = `SELECT body FROM outcome INDEXED BY outcome_actor
		WHERE tenant = ?1 AND actor = ?2 AND compilation >= ?3 AND compilation < ?4 ORDER BY compilation DESC LIMIT ?5`
	outcomesOfAny = `SELECT body FROM outcome WHERE tenant = ?1 AND compilation >= ?3 AND compilation < ?4
		AND (actor = ?2 OR clearance IN (SELECT value FROM json_each(?6))) ORDER BY compilation DESC LIMIT ?5`
)

// Outcomes implements [store.Store].
func (s *Store) Outcomes(
	ctx context.Context, tenant string, q store.OutcomeQuery,
) ([]tenure.CompilationOutcome, error) {
	pk, err := s.tenant(ctx, tenant)
	if err != nil {
		return nil, err
	}
	text := outcomesOfActor
	args := []any{pk, q.Of.Actor, string(q.From), string(cmp.Or(q.Before, engine.AfterIDs)), atLeast(q.Limit)}
	if len(q.Of.Clearances) > 0 {
		list, err := jsonList(q.Of.Clearances)
		if err != nil {
			return nil, err
		}
		text, args = outcomesOfAny, append(args, list)
	}
	return collect(ctx, s, text, scanBody[tenure.CompilationOutcome], args...)
}

// use is when an object was last used.
type use struct {
	object tenure.ID
	at     sql.NullInt64
}

// LastUsed implements [store.Store].
func (s *Store) LastUsed(
	ctx context.Context, tenant string, objects []tenure.ID, of store.Requesters,
) (map[tenure.ID]tenure.Instant, error) {
	pk, err := s.tenant(ctx, tenant)
	if err != nil {
		return nil, err
	}
	list, err := jsonList(unique(objects))
	if err != nil {
		return nil, err
	}
	clearances, err := jsonList(unique(of.Clearances))
	if err != nil {
		return nil, err
	}
	found, err := collect(ctx, s, `SELECT x.value, (SELECT max(at) FROM (
			SELECT max(compiled_at) AS at FROM usage WHERE tenant = ?1 AND object = x.value AND actor = ?2
			UNION ALL
			SELECT (SELECT max(compiled_at) FROM usage INDEXED BY usage_clearance
				WHERE tenant = ?1 AND object = x.value AND clearance = k.value) FROM json_each(?3) k))
		FROM json_each(?4) x`, func(rows *sql.Rows, u *use) error { return rows.Scan(&u.object, &u.at) },
		pk, of.Actor, clearances, list)
	last := make(map[tenure.ID]tenure.Instant, len(found))
	for _, u := range found {
		if u.at.Valid {
			last[u.object] = tenure.Instant(u.at.Int64)
		}
	}
	return last, err
}
