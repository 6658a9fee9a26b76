package sqlite

import (
	"context"
	"database/sql"

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
	return collect(ctx, s, `SELECT body FROM log WHERE tenant = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3`,
		scanBody[tenure.Entry], pk, int64(after), atLeast(limit))
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
