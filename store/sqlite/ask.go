package sqlite

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"tenure"
	"tenure/store"
)

// Ask implements [store.Store]. The connections that read refuse a write.
func (s *Store) Ask(ctx context.Context, tenant string, q store.Question) ([][]any, error) {
	if q.SQL == "" {
		return nil, tenure.Errorf(tenure.Unsupported,
			"this is asked of a graph; SQLite keeps none: use a store in Neo4j for it")
	}
	pk, err := s.tenant(ctx, tenant)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, q.Timeout)
	defer cancel()
	args := []any{sql.Named("tenant", pk), sql.Named("limit", q.Limit)}
	for _, name := range slices.Sorted(maps.Keys(q.Parameters)) {
		args = append(args, sql.Named(name, q.Parameters[name]))
	}
	rows, err := collect(ctx, s, q.SQL, func(rows *sql.Rows, row *[]any) error {
		columns, err := rows.Columns()
		if err != nil {
			return err
		}
		*row = make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range into {
			into[i] = &(*row)[i]
		}
		return rows.Scan(into...)
	}, args...)
	return rows[:min(len(rows), q.Limit)], err
}
