package sqlite

import (
	"context"
	"database/sql"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

// purged bounds the expired receipts that one transaction deletes.
const purged = 64

// Apply implements [store.Store].
func (s *Store) Apply(
	ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet,
) ([]tenure.Receipt, error) {
	if len(sets) == 0 {
		return nil, nil
	}
	var receipts []tenure.Receipt
	err := s.write(ctx, func(w *writer) (err error) {
		pk, err := w.tenant(tenant)
		if err != nil {
			return err
		}
		receipts, err = w.apply(pk, base, sets, tenure.At(s.now()))
		return err
	})
	if err != nil {
		return nil, err
	}
	return receipts, nil
}

// tenant returns the key of a tenant, which it creates if necessary.
func (w *writer) tenant(name string) (int64, error) {
	for {
		found, err := query(w, scanOne[int64], `SELECT pk FROM tenant WHERE name = ?1`, name)
		if err != nil {
			return 0, err
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if err := w.exec(`INSERT INTO tenant (name, salt) VALUES (?1, ?2)`, name, tenure.NewSalt()); err != nil {
			return 0, err
		}
	}
}

func (w *writer) apply(
	tenant int64, base tenure.Seq, sets []tenure.ChangeSet, now tenure.Instant,
) ([]tenure.Receipt, error) {
	last, err := w.head(tenant)
	if err != nil {
		return nil, err
	}
	b, err := newBatch(w, tenant)
	if err != nil {
		return nil, err
	}
	if err := b.salting.Check(base, last.Seq, sets, func() (map[int64]bool, error) {
		return w.touched(tenant, base)
	}); err != nil {
		return nil, err
	}
	if err := w.checkKeys(tenant, sets, now); err != nil {
		return nil, err
	}
	if err := b.learn(sets); err != nil {
		return nil, err
	}
	receipts := make([]tenure.Receipt, 0, len(sets))
	for _, cs := range sets {
		entry, receipt, err := last.Append(cs, now)
		if err != nil {
			return nil, err
		}
		if err := b.add(cs, entry); err != nil {
			return nil, err
		}
		last = engine.HeadOf(entry)
		receipts = append(receipts, receipt)
	}
	if err := b.flush(); err != nil {
		return nil, err
	}
	return receipts, w.exec(`DELETE FROM receipt WHERE (tenant, scope) IN
		(SELECT tenant, scope FROM receipt WHERE tx < ?1 ORDER BY tx LIMIT ?2)`, int64(now.Add(-store.KeyAge)), purged)
}

func (w *writer) head(tenant int64) (engine.Head, error) {
	found, err := query(w, func(rows *sql.Rows, h *engine.Head) error {
		return rows.Scan(&h.Seq, &h.Tx, &h.Hash)
	}, `SELECT seq, tx, hash FROM log WHERE tenant = ?1 ORDER BY seq DESC LIMIT 1`, tenant)
	if err != nil || len(found) == 0 {
		return engine.Head{}, err
	}
	return found[0], nil
}

// touched returns the hashes of the conflict keys that the entries after base touched.
func (w *writer) touched(tenant int64, base tenure.Seq) (map[int64]bool, error) {
	entries, err := query(w, scanOne[[]byte], `SELECT write_set FROM log WHERE tenant = ?1 AND seq > ?2`, tenant,
		int64(base))
	touched := map[int64]bool{}
	for _, hashes := range entries {
		unpackHashes(hashes, touched)
	}
	return touched, err
}

// checkKeys refuses an idempotency key that was used before, here or earlier in sets.
func (w *writer) checkKeys(tenant int64, sets []tenure.ChangeSet, now tenure.Instant) error {
	used := map[string]bool{}
	var scopes []string
	for _, cs := range sets {
		if cs.Key == nil {
			continue
		}
		if used[cs.Key.Scope] {
			return keyUsed()
		}
		used[cs.Key.Scope] = true
		scopes = append(scopes, cs.Key.Scope)
	}
	if len(scopes) == 0 {
		return nil
	}
	keys, err := jsonList(scopes)
	if err != nil {
		return err
	}
	found, err := query(w, scanOne[int64], `SELECT r.seq FROM json_each(?2) j CROSS JOIN receipt r
		WHERE r.tenant = ?1 AND r.scope = j.value AND r.tx >= ?3 LIMIT 1`,
		tenant, keys, int64(now.Add(-store.KeyAge)))
	if err == nil && len(found) > 0 {
		err = keyUsed()
	}
	return err
}

func keyUsed() error {
	return tenure.Errorf(tenure.Conflicting, "the idempotency key was used in the meantime")
}
