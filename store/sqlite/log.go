package sqlite

import (
	"context"
	"database/sql"
	"slices"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

// Log implements [store.Store].
func (s *Store) Log(ctx context.Context, tenant string, after tenure.Seq, limit int) ([]tenure.Entry, error) {
	pk, err := s.tenant(ctx, tenant)
	if err != nil {
		return nil, err
	}
	return collect(ctx, s, `SELECT body, salt FROM log WHERE tenant = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3`,
		scanEntry, pk, int64(after), atLeast(limit))
}

// scanEntry reads an entry with its salt.
func scanEntry(rows *sql.Rows, e *tenure.Entry) error {
	var body string
	if err := rows.Scan(&body, &e.Salt); err != nil {
		return err
	}
	return engine.Decode(body, e)
}

// Entries are never deleted, so the rows of the log are numbered in the order of their commits.
const (
	newestRow = `SELECT max(rowid) FROM log`
	grownLogs = `SELECT t.name, max(l.seq) FROM log l CROSS JOIN tenant t ON t.pk = l.tenant
WHERE l.rowid > ?1 AND l.rowid <= ?2 GROUP BY l.tenant`
	allLogs = `SELECT name, (SELECT max(seq) FROM log WHERE tenant = pk) FROM tenant ORDER BY name`
)

// Grown implements [store.Store].
func (s *Store) Grown(ctx context.Context, since store.Mark) ([]store.LogEnd, store.Mark, error) {
	found, err := collect(ctx, s, newestRow, scanOne[sql.NullInt64])
	if err != nil {
		return nil, since, err
	}
	newest := found[0].Int64
	if newest == since.At {
		return nil, since, nil
	}
	text, args := grownLogs, []any{since.At, newest}
	if since.At == 0 || newest < since.At { // the rows of a file that was replaced are numbered anew
		text, args = allLogs, nil
	}
	ends, err := collect(ctx, s, text, func(rows *sql.Rows, e *store.LogEnd) error {
		var seq sql.NullInt64
		err := rows.Scan(&e.Tenant, &seq)
		e.Seq = tenure.Seq(seq.Int64)
		return err
	}, args...)
	if err != nil {
		return nil, since, err
	}
	ends = slices.DeleteFunc(ends, func(e store.LogEnd) bool { return e.Seq == 0 })
	return ends, store.Mark{At: newest}, nil
}

func (r *reader) History(
	ctx context.Context, entity tenure.ID, after tenure.Seq, limit int,
) ([]tenure.Entry, error) {
	return collect(ctx, r.s, `SELECT l.body FROM history h CROSS JOIN log l ON l.tenant = ?1 AND l.seq = h.seq
		WHERE h.tenant = ?1 AND h.entity = ?2 AND h.seq > ?3 AND h.seq <= ?4 ORDER BY h.seq LIMIT ?5`,
		scanBody[tenure.Entry], r.tenant, string(entity), int64(after), int64(r.seq), atLeast(limit))
}

// dated is a value with the transaction time at which it was recorded.
type dated[T any] struct {
	tx    tenure.Instant
	value T
}

func scanDated[T any](rows *sql.Rows, d *dated[T]) error {
	var body string
	if err := rows.Scan(&d.tx, &body); err != nil {
		return err
	}
	return engine.Decode(body, &d.value)
}

func scanMention(rows *sql.Rows, m *store.MentionRecord) error {
	var mention string
	var assignment sql.NullString
	if err := rows.Scan(&mention, &assignment); err != nil {
		return err
	}
	if assignment.Valid {
		if err := engine.Decode(assignment.String, &m.Assignment); err != nil {
			return err
		}
	}
	return engine.Decode(mention, &m.Mention)
}
