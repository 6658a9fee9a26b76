package neo4j

import (
	"context"
	"time"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

const (
	// readHead returns one property: of two, a commit between their reads could give an old seq with a new tx.
	readHead = `MATCH (t:Tenant {name: $tenant}) RETURN t.seq`
	// waitHead reads under the tenant's lock.
	waitHead = `MATCH (t:Tenant {name: $tenant}) SET t.locked = true
RETURN t.seq, t.last_tx, coalesce(t.erased, 0)`

	entryTx = `MATCH (x:Entry) USING INDEX x:Entry(tenant, seq)
WHERE x.tenant = $tenant AND x.seq = $seq RETURN x.tx`
	entryAt = `MATCH (x:Entry) USING INDEX x:Entry(tenant, tx)
WHERE x.tenant = $tenant AND x.tx <= $at
RETURN x.seq, x.tx ORDER BY x.tenant DESC, x.tx DESC LIMIT 1`
)

// markCommitted records that the commit of a state is completely visible.
func (s *Store) markCommitted(tenant string, h engine.Head) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h.Seq > s.committed[tenant].Seq {
		s.committed[tenant] = h
	}
}

// lastCommitted returns the newest state of a tenant whose commit is known to be completely visible.
func (s *Store) lastCommitted(tenant string) engine.Head {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.committed[tenant]
}

// head returns the newest state of a tenant. Another writer's commit becomes visible gradually, the tenant's
// node among the first and the indexes last, so a new state counts only after the lock was free.
func (s *Store) head(ctx context.Context, tenant string) (engine.Head, error) {
	rows, err := s.query(ctx, readHead, args{"tenant": tenant})
	if err != nil || len(rows) == 0 {
		return engine.Head{}, err
	}
	if h := s.lastCommitted(tenant); tenure.Seq(rows[0].number(0)) <= h.Seq {
		return h, nil
	}
	return s.barrier(ctx, tenant)
}

// barrier waits until no transaction writes to the tenant, and returns its newest state.
func (s *Store) barrier(ctx context.Context, tenant string) (engine.Head, error) {
	rows, err := s.execute(ctx, waitHead, args{"tenant": tenant})
	if err != nil || len(rows) == 0 {
		return engine.Head{}, err
	}
	h := engine.Head{Seq: tenure.Seq(rows[0].number(0)), Tx: tenure.Instant(rows[0].number(1))}
	s.cache.Erased(tenant, tenure.Seq(rows[0].number(2)))
	s.markCommitted(tenant, h)
	return h, nil
}

// View implements [store.Store].
func (s *Store) View(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	last, err := s.head(ctx, tenant)
	if err != nil {
		return nil, err
	}
	h, err := s.stateAt(ctx, tenant, last, at)
	if err != nil {
		return nil, err
	}
	return &reader{s: s, tenant: tenant, seq: h.Seq, tx: h.Tx, head: last.Tx, cache: s.cache.Get()}, nil
}

func (s *Store) stateAt(ctx context.Context, tenant string, last engine.Head, at tenure.AsOf) (engine.Head, error) {
	switch {
	case at.Seq < 0 || at.Seq > last.Seq:
		return engine.Head{}, tenure.Errorf(tenure.Unprocessable, "the state %d is not there yet", at.Seq)
	case at.Seq > 0 && at.Seq < last.Seq:
		rows, err := s.query(ctx, entryTx, args{"tenant": tenant, "seq": int64(at.Seq)})
		if err != nil || len(rows) == 0 {
			return engine.Head{}, fault(err)
		}
		return engine.Head{Seq: at.Seq, Tx: tenure.Instant(rows[0].number(0))}, nil
	case at.Seq > 0 || at.Known == 0:
		return last, nil
	case at.Known > max(last.Tx, tenure.At(s.now())):
		return engine.Head{}, tenure.Errorf(tenure.Unprocessable, "the time %s has not come yet", at.Known)
	case at.Known >= last.Tx:
		return last, nil
	}
	rows, err := s.query(ctx, entryAt, args{"tenant": tenant, "at": int64(at.Known)})
	if err != nil || len(rows) == 0 {
		return engine.Head{}, err
	}
	return engine.Head{Seq: tenure.Seq(rows[0].number(0)), Tx: tenure.Instant(rows[0].number(1))}, nil
}

const readLog = `MATCH (x:Entry) USING INDEX x:Entry(tenant, seq)
WHERE x.tenant = $tenant AND x.seq > $after AND x.seq <= $until
RETURN x.body, x.salt ORDER BY x.tenant, x.seq LIMIT $limit`

// Log implements [store.Store].
func (s *Store) Log(ctx context.Context, tenant string, after tenure.Seq, limit int) ([]tenure.Entry, error) {
	if limit <= 0 {
		return nil, nil
	}
	last, err := s.head(ctx, tenant)
	if err != nil || after >= last.Seq {
		return nil, err
	}
	rows, err := s.query(ctx, readLog, args{
		"tenant": tenant, "after": int64(after), "until": int64(last.Seq), "limit": limit,
	})
	if err != nil {
		return nil, err
	}
	entries, err := decodeAll[tenure.Entry](rows, 0)
	for i := range entries {
		entries[i].Salt, _ = rows[i][1].([]byte)
	}
	return entries, err
}

const grownLogs = `MATCH (t:Tenant) USING INDEX t:Tenant(last_tx)
WHERE t.last_tx >= $since AND t.seq > 0
RETURN t.name, t.seq, t.last_tx`

// The order in which commits become visible is not that of their times: an entry is stamped before its transaction
// commits, by the clock of its process. So each call looks grownBack before what the last one found, longer than a
// write takes. Should clocks differ by more, a call lists everything after grownAll; and the mark never exceeds this
// process's clock, so that an entry stamped in the future does not hide later entries of other tenants.
const (
	grownBack = writeTimeout + 30*time.Second
	grownAll  = 5 * time.Minute
)

// Grown implements [store.Store].
func (s *Store) Grown(ctx context.Context, since store.Mark) ([]store.LogEnd, store.Mark, error) {
	now := tenure.At(s.now())
	from := tenure.Instant(since.At).Add(-grownBack)
	if since.Listed == 0 || now >= tenure.Instant(since.Listed).Add(grownAll) {
		from, since.Listed = 0, int64(now)
	}
	rows, err := s.query(ctx, grownLogs, args{"since": int64(from)})
	if err != nil {
		return nil, since, err
	}
	ends := make([]store.LogEnd, len(rows))
	for i, r := range rows {
		ends[i] = store.LogEnd{Tenant: r.text(0), Seq: tenure.Seq(r.number(1))}
		since.At = max(since.At, min(r.number(2), int64(now)))
	}
	return ends, since, nil
}

// decodeAll decodes a column of JSON bodies.
func decodeAll[T any](rows []row, column int) ([]T, error) {
	list := make([]T, len(rows))
	for i, r := range rows {
		if err := engine.Decode(r.text(column), &list[i]); err != nil {
			return nil, fault(err)
		}
	}
	return list, nil
}
