package sqlite

import (
	"context"
	"database/sql"
	"time"

	"tenure"
	"tenure/store/engine"
)

// EraseCompilations implements [store.Store].
func (s *Store) EraseCompilations(
	ctx context.Context, tenant string, chosen func(tenure.Compilation) bool,
) (int, error) {
	pk, err := s.tenant(ctx, tenant)
	if err != nil {
		return 0, err
	}
	list := func(after tenure.ID, limit int) ([]tenure.Compilation, error) {
		return s.Compilations(ctx, tenant, after, limit)
	}
	return engine.EraseCompilations(list, func(ids []tenure.ID) error {
		list, err := jsonList(ids)
		if err != nil {
			return err
		}
		return s.write(ctx, func(w *writer) error {
			if err := w.exec(`UPDATE compilation SET body = x'' WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2))`,
				pk, list); err != nil {
				return err
			}
			return w.forgetOutcomes(pk, ids)
		})
	}, chosen)
}

// DropCompilations implements [store.Store].
func (s *Store) DropCompilations(ctx context.Context, tenant string, before tenure.ID, limit int) (n int, err error) {
	pk, err := s.tenant(ctx, tenant)
	if err != nil {
		return 0, err
	}
	err = s.write(ctx, func(w *writer) error {
		found, err := query(w, scanOne[tenure.ID],
			`SELECT id FROM compilation WHERE tenant = ?1 AND id < ?2 ORDER BY id LIMIT ?3`, pk, string(before), atLeast(limit))
		if err != nil || len(found) == 0 {
			return err
		}
		n = len(found)
		if err := w.exec(`DELETE FROM compilation WHERE tenant = ?1 AND id <= ?2`, pk, string(found[n-1])); err != nil {
			return err
		}
		return w.forgetOutcomes(pk, found)
	})
	return n, err
}

// Purge implements [store.Store]. It writes the file anew, so that no page holds what was deleted or replaced, and
// empties the write-ahead log, which waits for readers of an older state. For a while it takes twice the room. It
// returns false if the time is over before.
func (s *Store) Purge(ctx context.Context) (bool, error) {
	erased, err := s.unpurged(ctx)
	if err != nil {
		return false, err
	}
	if done, err := s.rewrite(ctx); err != nil || !done {
		return false, err
	}
	return true, s.write(context.WithoutCancel(ctx), func(w *writer) error {
		for _, e := range erased {
			if err := w.exec(`DELETE FROM unpurged WHERE tenant = ?1 AND seq = ?2`, e.tenant, e.seq); err != nil {
				return err
			}
		}
		return nil
	})
}

// Unpurged implements [store.Store].
func (s *Store) Unpurged(ctx context.Context) (bool, error) {
	erased, err := s.unpurged(ctx)
	return len(erased) > 0, err
}

// erasedEntry is an entry that erased content.
type erasedEntry struct{ tenant, seq int64 }

func (s *Store) unpurged(ctx context.Context) ([]erasedEntry, error) {
	return collect(ctx, s, `SELECT tenant, seq FROM unpurged`, func(rows *sql.Rows, e *erasedEntry) error {
		return rows.Scan(&e.tenant, &e.seq)
	})
}

// rewrite writes the file anew, and reports whether it could in time. While it waits for readers, others write.
func (s *Store) rewrite(ctx context.Context) (bool, error) {
	if err := s.open(); err != nil {
		return false, err
	}
	vacuumed, err := s.alone(ctx, func() (bool, error) {
		if err := s.inPlace(); err != nil {
			return false, err
		}
		_, err := s.writer.conn.ExecContext(ctx, `VACUUM`)
		return err == nil, err
	})
	for vacuumed && err == nil {
		var done bool
		if done, err = s.alone(ctx, func() (bool, error) {
			var busy bool
			err := s.writer.conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, new(int), new(int))
			return err == nil && !busy, err
		}); done {
			return true, nil
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return false, nil
		}
	}
	return false, unlessLate(ctx, err)
}

// alone calls a function while it holds the lock of the writer. It returns false if the context ends first.
func (s *Store) alone(ctx context.Context, f func() (bool, error)) (bool, error) {
	select {
	case s.lock <- struct{}{}:
	case <-ctx.Done():
		return false, nil
	case <-s.closed:
		return false, errClosed
	}
	defer func() { <-s.lock }()
	return f()
}

// unlessLate returns the error, nil if the time was over: then the file is not written anew, which is no failure.
func unlessLate(ctx context.Context, err error) error {
	if err != nil && ctx.Err() == nil {
		return fault(err)
	}
	return nil
}
