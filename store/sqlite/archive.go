package sqlite

import (
	"context"
	"database/sql"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

var _ store.Archive = (*Store)(nil)

// Tenants implements [store.Archive].
func (s *Store) Tenants(ctx context.Context) ([]string, error) {
	return collect(ctx, s, `SELECT name FROM tenant ORDER BY name`, scanOne[string])
}

// Keyed implements [store.Archive].
func (s *Store) Keyed(ctx context.Context, tenant string, from, until tenure.Instant) ([]store.Keyed, error) {
	pk, err := s.tenant(ctx, tenant)
	if err != nil {
		return nil, err
	}
	from = max(from, tenure.At(s.now()).Add(-store.KeyAge))
	return collect(ctx, s, `SELECT seq, scope, hash, answer FROM receipt INDEXED BY receipt_tx
		WHERE tenant = ?1 AND tx >= ?2 AND tx <= ?3 ORDER BY seq`, func(rows *sql.Rows, k *store.Keyed) error {
		return rows.Scan(&k.Seq, &k.Key.Scope, &k.Key.Hash, &k.Answer)
	}, pk, int64(from), int64(until))
}

// Compilations implements [store.Archive].
func (s *Store) Compilations(
	ctx context.Context, tenant string, after tenure.ID, limit int,
) ([]tenure.Compilation, error) {
	pk, err := s.tenant(ctx, tenant)
	if err != nil {
		return nil, err
	}
	return collect(ctx, s, withOutcome+` WHERE c.tenant = ?1 AND c.id > ?2 ORDER BY c.id LIMIT ?3`, scanCompilation,
		pk, string(after), atLeast(limit))
}

// Replay implements [store.Archive].
func (s *Store) Replay(ctx context.Context, tenant string, entries []store.Recorded) error {
	if len(entries) == 0 {
		return nil
	}
	return s.write(ctx, func(w *writer) error {
		pk, err := w.tenant(tenant)
		if err != nil {
			return err
		}
		last, err := w.head(pk)
		if err != nil {
			return err
		}
		rest, err := last.Continue(entries)
		if err != nil {
			return err
		}
		b, err := newBatch(w, pk)
		if err != nil {
			return err
		}
		if err := b.learn(engine.SetsOf(rest)); err != nil {
			return err
		}
		for _, r := range rest {
			if err := b.add(r.Set, r.Entry); err != nil {
				return err
			}
		}
		return b.flush()
	})
}
