package neo4j

import (
	"context"
	"errors"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
	"tenure/tracing"
)

// lookupTimeout bounds the check whether a commit has happened.
const lookupTimeout = 10 * time.Second

// Apply implements [store.Store].
func (s *Store) Apply(
	ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet,
) ([]tenure.Receipt, error) {
	if len(sets) == 0 {
		return nil, nil
	}
	if err := distinct(sets); err != nil {
		return nil, err
	}
	leave, err := s.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	receipts, err := retry(ctx, mendable, func() ([]tenure.Receipt, error) {
		return s.applyKnown(ctx, tenant, base, sets)
	})
	if err != nil {
		return nil, fault(err)
	}
	last := receipts[len(receipts)-1]
	s.markCommitted(tenant, engine.Head{Seq: last.Seq, Tx: last.Tx})
	for i, cs := range sets {
		if engine.Erases(cs) {
			s.cache.Erased(tenant, receipts[i].Seq)
		}
	}
	return receipts, nil
}

// applyKnown applies the sets once. If the reply of the commit was lost, it finds out whether the commit has
// happened.
func (s *Store) applyKnown(
	ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet,
) ([]tenure.Receipt, error) {
	receipts, err := s.applyOnce(ctx, tenant, base, sets)
	err = cutShort(ctx, err)
	undecided := (*undecidedError)(nil)
	if !errors.As(err, &undecided) || !lost(err) {
		return receipts, err
	}
	found, unknown := s.findApplied(ctx, tenant, sets)
	if unknown != nil {
		return nil, unknown
	}
	if found != nil {
		return found, nil
	}
	return nil, err
}

// distinct refuses change sets that share an idempotency key.
func distinct(sets []tenure.ChangeSet) error {
	seen := map[string]bool{}
	for _, cs := range sets {
		if cs.Key == nil {
			continue
		}
		if seen[cs.Key.Scope] {
			return engine.ErrChanged
		}
		seen[cs.Key.Scope] = true
	}
	return nil
}

// undecidedError is an error of a commit: if the connection was lost, the commit may have happened.
type undecidedError struct{ error }

func (e *undecidedError) Unwrap() error { return e.error }

func (s *Store) applyOnce(
	ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet,
) (receipts []tenure.Receipt, err error) {
	err = s.underLock(ctx, tenant, func(w *txWriter, last engine.Head) (*graph.Batch, engine.Head, error) {
		now := tenure.At(s.now())
		if err := w.check(ctx, base, last.Seq, sets, now); err != nil {
			return nil, last, err
		}
		b := graph.NewBatch(tenant, w.salting)
		receipts, last, err = b.Gather(sets, last, now)
		return b, last, err
	})
	if err != nil {
		return nil, err
	}
	return receipts, nil
}

// underLock writes the batch that prepare makes under the tenant's lock, and the head that its log ends with, in one
// transaction. It writes nothing if there is no batch.
func (s *Store) underLock(
	ctx context.Context, tenant string, prepare func(w *txWriter, last engine.Head) (*graph.Batch, engine.Head, error),
) error {
	session := s.session(ctx, driver.AccessModeWrite)
	defer func() { _ = session.Close(context.WithoutCancel(ctx)) }()
	tx, err := session.BeginTransaction(ctx, untilDeadline(ctx))
	if err != nil {
		return err
	}
	defer func() { _ = tx.Close(context.WithoutCancel(ctx)) }()
	w := &txWriter{tx: tx, tenant: tenant}
	last, err := w.lock(ctx)
	if err != nil {
		return err
	}
	b, last, err := prepare(w, last)
	if err != nil || b == nil {
		return err
	}
	s.labels.Add(b.Entities.Rows)
	if err := w.write(ctx, b); err != nil {
		return err
	}
	if err := w.writeLog(ctx, b, last); err != nil {
		return err
	}
	if err := s.commitTraced(ctx, tx); err != nil {
		return &undecidedError{err}
	}
	return nil
}

func (s *Store) commitTraced(ctx context.Context, tx driver.ExplicitTransaction) error {
	ctx, span := tracing.Statement(ctx, system, "COMMIT")
	err := s.commit(ctx, tx)
	span.End(failure(err))
	return err
}

func (w *txWriter) lock(ctx context.Context) (engine.Head, error) {
	rows, _, err := w.run(ctx, takeLock, args{"salt": tenure.NewSalt()})
	if err != nil {
		return engine.Head{}, err
	}
	r := rows[0]
	w.salting.Salt, _ = r[3].([]byte)
	w.salting.From = tenure.Seq(r.number(4))
	return engine.Head{Seq: tenure.Seq(r.number(0)), Tx: tenure.Instant(r.number(1)), Hash: r.text(2)}, nil
}

const (
	touchedAfter = `MATCH (x:Entry) USING INDEX x:Entry(tenant, seq)
WHERE x.tenant = $tenant AND x.seq > $base RETURN x.write_set`
	usedKeys = `UNWIND $keys AS key
MATCH (x:Entry) USING INDEX x:Entry(tenant, key)
WHERE x.tenant = $tenant AND x.key = key
RETURN x.tx, x.key`
	forgetKeys = `UNWIND $keys AS key
MATCH (x:Entry) USING INDEX x:Entry(tenant, key)
WHERE x.tenant = $tenant AND x.key = key
REMOVE x.key`
)

// check compares the read sets and idempotency keys of the change sets with the stored state. It runs under
// the tenant's lock.
func (w *txWriter) check(
	ctx context.Context, base, last tenure.Seq, sets []tenure.ChangeSet, now tenure.Instant,
) error {
	if err := w.checkKeys(ctx, sets, now); err != nil {
		return err
	}
	return w.salting.Check(base, last, sets, func() (map[int64]bool, error) { return w.touched(ctx, base) })
}

// touched returns the hashes of the conflict keys that the entries after base touched.
func (w *txWriter) touched(ctx context.Context, base tenure.Seq) (map[int64]bool, error) {
	rows, _, err := w.run(ctx, touchedAfter, args{"base": int64(base)})
	touched := map[int64]bool{}
	for _, r := range rows {
		for _, cell := range r.list(0) {
			hash, _ := cell.(int64)
			touched[hash] = true
		}
	}
	return touched, err
}

// checkKeys refuses idempotency keys that were used, and frees expired ones.
func (w *txWriter) checkKeys(ctx context.Context, sets []tenure.ChangeSet, now tenure.Instant) error {
	var keys []any
	for _, cs := range sets {
		if cs.Key != nil {
			keys = append(keys, graph.Indexable(cs.Key.Scope))
		}
	}
	if len(keys) == 0 {
		return nil
	}
	rows, _, err := w.run(ctx, usedKeys, args{"keys": keys})
	if err != nil {
		return err
	}
	var old []any
	for _, r := range rows {
		if tenure.Instant(r.number(0)) >= now.Add(-store.KeyAge) {
			return engine.ErrChanged
		}
		old = append(old, r[1])
	}
	if len(old) == 0 {
		return nil
	}
	_, _, err = w.run(ctx, forgetKeys, args{"keys": old})
	return err
}

const applied = `UNWIND $ids AS id
MATCH (x:Entry) USING INDEX x:Entry(tenant, id)
WHERE x.tenant = $tenant AND x.id = id
RETURN x.id, x.seq, x.tx`

// findApplied finds out whether a commit with a lost reply has happened. It waits for the tenant's lock,
// which that commit holds while it is undecided. If the commit did not happen there are no receipts, and the
// sets may be applied again; if that cannot be found out, the error is Unavailable.
func (s *Store) findApplied(ctx context.Context, tenant string, sets []tenure.ChangeSet) ([]tenure.Receipt, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookupTimeout)
	defer cancel()
	unknown := func(err error) error {
		return &tenure.Error{
			Code: tenure.Unavailable, Message: "the store does not answer; the write may have been carried out", Err: err,
		}
	}
	if _, err := s.barrier(ctx, tenant); err != nil {
		return nil, unknown(err)
	}
	ids := make([]any, len(sets))
	for i, cs := range sets {
		ids[i] = string(cs.ID)
	}
	rows, err := s.query(ctx, applied, args{"tenant": tenant, "ids": ids})
	if err != nil {
		return nil, unknown(err)
	}
	if len(rows) != len(sets) {
		return nil, nil
	}
	receipts := make([]tenure.Receipt, 0, len(sets))
	for i, r := range rows {
		receipts = append(receipts, engine.ReceiptOf(sets[i], tenure.Seq(r.number(1)), tenure.Instant(r.number(2))))
	}
	return receipts, nil
}
