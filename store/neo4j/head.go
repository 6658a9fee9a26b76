package neo4j

import (
	"context"

	"tenure"
	"tenure/store"
)

const (
	readHead = `MATCH (t:Tenant {name: $tenant}) RETURN t.seq, t.last_tx`
	// waitHead reads under the tenant's lock.
	waitHead = `MATCH (t:Tenant {name: $tenant}) SET t.locked = true RETURN t.seq, t.last_tx`

	entryTx = `MATCH (x:Entry) USING INDEX x:Entry(tenant, seq)
WHERE x.tenant = $tenant AND x.seq = $seq RETURN x.tx`
	entryAt = `MATCH (x:Entry) USING INDEX x:Entry(tenant, tx)
WHERE x.tenant = $tenant AND x.tx <= $at
RETURN x.seq, x.tx ORDER BY x.tenant DESC, x.tx DESC LIMIT 1`
)

// settle remembers that the commit of a state is complete.
func (s *Store) settle(tenant string, seq tenure.Seq) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settled[tenant] = max(s.settled[tenant], seq)
}

func (s *Store) isSettled(tenant string, seq tenure.Seq) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return seq <= s.settled[tenant]
}

// head is the newest state of a tenant. A commit of another writer becomes
// visible piece by piece, the tenant's node among the first and the indexes
// last: a state that was not seen before counts once the lock was free.
func (s *Store) head(ctx context.Context, tenant string) (head, error) {
	rows, err := s.query(ctx, readHead, args{"tenant": tenant})
	if err != nil || len(rows) == 0 {
		return head{}, err
	}
	h := head{seq: tenure.Seq(rows[0].number(0)), tx: tenure.Instant(rows[0].number(1))}
	if s.isSettled(tenant, h.seq) {
		return h, nil
	}
	return s.barrier(ctx, tenant)
}

// barrier waits until nobody writes to the tenant, and reads its newest state.
func (s *Store) barrier(ctx context.Context, tenant string) (head, error) {
	rows, err := s.execute(ctx, waitHead, args{"tenant": tenant})
	if err != nil || len(rows) == 0 {
		return head{}, err
	}
	h := head{seq: tenure.Seq(rows[0].number(0)), tx: tenure.Instant(rows[0].number(1))}
	s.settle(tenant, h.seq)
	return h, nil
}

// View: see [store.Store].
func (s *Store) View(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	last, err := s.head(ctx, tenant)
	if err != nil {
		return nil, err
	}
	h, err := s.stateAt(ctx, tenant, last, at)
	if err != nil {
		return nil, err
	}
	return &reader{s: s, tenant: tenant, seq: h.seq, tx: h.tx, head: last.tx}, nil
}

func (s *Store) stateAt(ctx context.Context, tenant string, last head, at tenure.AsOf) (head, error) {
	switch {
	case at.Seq < 0 || at.Seq > last.seq:
		return head{}, tenure.Errorf(tenure.Unprocessable, "the state %d is not there yet", at.Seq)
	case at.Seq > 0 && at.Seq < last.seq:
		rows, err := s.query(ctx, entryTx, args{"tenant": tenant, "seq": int64(at.Seq)})
		if err != nil || len(rows) == 0 {
			return head{}, fault(err)
		}
		return head{seq: at.Seq, tx: tenure.Instant(rows[0].number(0))}, nil
	case at.Seq > 0 || at.Known == 0:
		return last, nil
	case at.Known > max(last.tx, tenure.At(s.now())):
		return head{}, tenure.Errorf(tenure.Unprocessable, "the time %s has not come yet", at.Known)
	case at.Known >= last.tx:
		return last, nil
	}
	rows, err := s.query(ctx, entryAt, args{"tenant": tenant, "at": int64(at.Known)})
	if err != nil || len(rows) == 0 {
		return head{}, err
	}
	return head{seq: tenure.Seq(rows[0].number(0)), tx: tenure.Instant(rows[0].number(1))}, nil
}

const readLog = `MATCH (x:Entry) USING INDEX x:Entry(tenant, seq)
WHERE x.tenant = $tenant AND x.seq > $after AND x.seq <= $until
RETURN x.body ORDER BY x.tenant, x.seq LIMIT $limit`

// Log: see [store.Store].
func (s *Store) Log(ctx context.Context, tenant string, after tenure.Seq, limit int) ([]tenure.Entry, error) {
	if limit <= 0 {
		return nil, nil
	}
	last, err := s.head(ctx, tenant)
	if err != nil || after >= last.seq {
		return nil, err
	}
	rows, err := s.query(ctx, readLog, args{
		"tenant": tenant, "after": int64(after), "until": int64(last.seq), "limit": limit,
	})
	if err != nil {
		return nil, err
	}
	return decodeAll[tenure.Entry](rows, 0)
}

// decodeAll decodes a column of JSON.
func decodeAll[T any](rows []row, column int) ([]T, error) {
	list := make([]T, len(rows))
	for i, r := range rows {
		if err := decode(r.text(column), &list[i]); err != nil {
			return nil, fault(err)
		}
	}
	return list, nil
}
