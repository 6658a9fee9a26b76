package neo4j

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
	"tenure/store/neo4j/graph"
)

var _ store.Archive = (*Store)(nil)

const (
	tenantNames = `MATCH (t:Tenant) USING INDEX t:Tenant(name) WHERE t.name >= '' RETURN t.name`
	keyedWithin = `MATCH (x:Entry) USING INDEX x:Entry(tenant, tx)
WHERE x.tenant = $tenant AND x.tx >= $from AND x.tx <= $until
WITH x ORDER BY x.tenant, x.tx WHERE x.key IS NOT NULL
RETURN x.seq, x.key, x.key_hash, x.answer`
	compilationsAfter = `MATCH (c:Compilation) USING INDEX c:Compilation(tenant, id)
WHERE c.tenant = $tenant AND c.id > $after
WITH c ORDER BY c.tenant, c.id LIMIT $limit
OPTIONAL MATCH (o:Outcome {tenant: $tenant, id: c.id})
RETURN c.id, c.created_at, c.body, o.body`
)

// Tenants implements [store.Archive].
func (s *Store) Tenants(ctx context.Context) ([]string, error) {
	rows, err := s.query(ctx, tenantNames, args{})
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.text(0)
	}
	slices.Sort(names)
	return names, err
}

// Keyed implements [store.Archive]. Of a key that was too long for the index there is only the hash, which
// stands for the key in this engine.
func (s *Store) Keyed(ctx context.Context, tenant string, from, until tenure.Instant) ([]store.Keyed, error) {
	from = max(from, tenure.At(s.now()).Add(-store.KeyAge))
	rows, err := s.query(ctx, keyedWithin, args{"tenant": tenant, "from": int64(from), "until": int64(until)})
	list := make([]store.Keyed, len(rows))
	for i, r := range rows {
		answer, _ := r[3].([]byte)
		list[i] = store.Keyed{
			Seq: tenure.Seq(r.number(0)), Key: tenure.IdempotencyKey{Scope: r.text(1), Hash: r.text(2)}, Answer: answer,
		}
	}
	return list, err
}

// Compilations implements [store.Archive].
func (s *Store) Compilations(
	ctx context.Context, tenant string, after tenure.ID, limit int,
) ([]tenure.Compilation, error) {
	if limit <= 0 {
		return nil, nil
	}
	rows, err := s.query(ctx, compilationsAfter, args{"tenant": tenant, "after": string(after), "limit": limit})
	if err != nil {
		return nil, err
	}
	list := make([]tenure.Compilation, len(rows))
	for i, r := range rows {
		if list[i], err = compilationOf(r); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(list, func(a, b tenure.Compilation) int { return cmp.Compare(a.ID, b.ID) })
	return list, nil
}

// Replay implements [store.Archive].
func (s *Store) Replay(ctx context.Context, tenant string, entries []store.Recorded) error {
	if len(entries) == 0 {
		return nil
	}
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	head, err := retry(ctx, mendable, func() (engine.Head, error) { return s.replayOnce(ctx, tenant, entries) })
	if err != nil {
		return fault(err)
	}
	s.markCommitted(tenant, head)
	for _, r := range entries {
		if engine.Erases(r.Set) {
			s.cache.Erased(tenant, r.Entry.Seq)
		}
	}
	return nil
}

func (s *Store) replayOnce(
	ctx context.Context, tenant string, entries []store.Recorded,
) (head engine.Head, err error) {
	err = s.underLock(ctx, tenant, func(w *txWriter, last engine.Head) (*graph.Batch, engine.Head, error) {
		head = last
		rest, err := last.Continue(entries)
		if err != nil || len(rest) == 0 {
			return nil, last, err
		}
		b := graph.NewBatch(tenant, w.salting)
		var keys []any
		for _, r := range rest {
			if err := b.Add(r.Set, int64(r.Entry.Tx)); err != nil {
				return nil, last, err
			}
			if err := b.Log(r.Set, r.Entry); err != nil {
				return nil, last, err
			}
			if r.Set.Key != nil {
				keys = append(keys, graph.Indexable(r.Set.Key.Scope))
			}
			head = engine.HeadOf(r.Entry)
		}
		if len(keys) > 0 {
			_, _, err = w.run(ctx, forgetKeys, args{"keys": keys})
		}
		return b, head, err
	})
	return head, err
}
