package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
	"tenure/tracing"
)

// reader reads the state of a tenant after entry seq, which is the state at transaction time tx. head is the
// transaction time of the newest entry when the view was made: a version that was closed later is shown as
// open.
type reader struct {
	s      *Store
	tenant int64
	seq    tenure.Seq
	tx     tenure.Instant
	head   int64
	cache  engine.Beliefs[int64]
}

// View implements [store.Store].
func (s *Store) View(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	pk, err := s.tenant(ctx, tenant)
	if err != nil {
		return nil, err
	}
	newest, err := s.newest(ctx, pk)
	if err != nil {
		return nil, err
	}
	r := &reader{s: s, tenant: pk, seq: newest.Seq, tx: newest.Tx, head: int64(newest.Tx), cache: s.cache.Get()}
	switch {
	case at.Seq < 0:
		return nil, tenure.Errorf(tenure.Unprocessable, "there is no state %d", at.Seq)
	case at.Seq > newest.Seq:
		return nil, tenure.Errorf(tenure.Unprocessable, "the newest state is %d, %d has not come yet", newest.Seq, at.Seq)
	case at.Seq == 0 && at.Known > max(newest.Tx, tenure.At(s.now())):
		return nil, tenure.Errorf(tenure.Unprocessable, "the time %s has not come yet", at.Known)
	case at.Seq > 0:
		newest, err = s.entryAt(ctx, pk, `SELECT seq, tx FROM log WHERE tenant = ?1 AND seq = ?2`, int64(at.Seq))
	case at.Known != 0:
		newest, err = s.entryAt(ctx, pk,
			`SELECT seq, tx FROM log WHERE tenant = ?1 AND tx <= ?2 ORDER BY tx DESC LIMIT 1`, int64(at.Known))
	}
	if err != nil {
		return nil, err
	}
	r.seq, r.tx = newest.Seq, newest.Tx
	return r, nil
}

// tenant returns the key of a tenant, 0 if it never wrote.
func (s *Store) tenant(ctx context.Context, name string) (int64, error) {
	s.mu.Lock()
	pk, ok := s.tenants[name]
	s.mu.Unlock()
	if ok {
		return pk, nil
	}
	found, err := collect(ctx, s, `SELECT pk FROM tenant WHERE name = ?1`, scanOne[int64], name)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tenants[name] = found[0]
	return found[0], nil
}

// newest returns the newest entry of a tenant, and lets go of what is cached where content was erased since it was.
func (s *Store) newest(ctx context.Context, tenant int64) (engine.Head, error) {
	found, err := collect(ctx, s, `SELECT l.seq, l.tx, coalesce(e.seq, 0)
		FROM log l LEFT JOIN erasure e ON e.tenant = l.tenant WHERE l.tenant = ?1 ORDER BY l.tx DESC LIMIT 1`, func(rows *sql.Rows, h *engine.Head) error {
		var erased tenure.Seq
		err := rows.Scan(&h.Seq, &h.Tx, &erased)
		s.cache.Erased(tenant, erased)
		return err
	}, tenant)
	if err != nil || len(found) == 0 {
		return engine.Head{}, err
	}
	return found[0], nil
}

// entryAt returns the head at an entry, the zero Head if there is no such entry.
func (s *Store) entryAt(ctx context.Context, tenant int64, text string, args ...any) (engine.Head, error) {
	found, err := collect(ctx, s, text, func(rows *sql.Rows, h *engine.Head) error {
		return rows.Scan(&h.Seq, &h.Tx)
	}, append([]any{tenant}, args...)...)
	if err != nil || len(found) == 0 {
		return engine.Head{}, err
	}
	return found[0], nil
}

func (r *reader) State() (tenure.Seq, tenure.Instant) { return r.seq, r.tx }

// Receipts implements [store.Reader]. It ignores the view's time: a key holds from its first use.
func (r *reader) Receipts(ctx context.Context, scopes []string) (map[string]tenure.Receipt, error) {
	found := map[string]tenure.Receipt{}
	if len(scopes) == 0 {
		return found, nil
	}
	list, err := jsonList(unique(scopes))
	if err != nil {
		return nil, err
	}
	err = each(ctx, r.s, `SELECT p.scope, p.seq, p.tx, p.hash, p.answer FROM json_each(?2) j CROSS JOIN receipt p
		WHERE p.tenant = ?1 AND p.scope = j.value AND p.tx >= ?3`, func(rows *sql.Rows) error {
		var scope string
		receipt := tenure.Receipt{Replayed: true}
		err := rows.Scan(&scope, &receipt.Seq, &receipt.Tx, &receipt.Hash, &receipt.Answer)
		found[scope] = receipt
		return err
	}, r.tenant, list, int64(tenure.At(r.s.now()).Add(-store.KeyAge)))
	return found, err
}

// until returns the end of a version as shown in the view.
func (r *reader) until(txEnd int64) int64 {
	if txEnd > r.head {
		return forever
	}
	return txEnd
}

// args prepends the tenant and the time of the view to further arguments.
func (r *reader) args(more ...any) []any {
	return append([]any{r.tenant, int64(r.tx)}, more...)
}

// find runs a query whose first two parameters are the tenant and the time of the view, and whose third is a
// JSON array of texts. An empty array runs no query.
func find[K ~string, T any](
	ctx context.Context, r *reader, text string, keys []K, scan func(*sql.Rows, *T) error, more ...any,
) ([]T, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	list, err := jsonList(unique(keys))
	if err != nil {
		return nil, err
	}
	return collect(ctx, r.s, text, scan, r.args(append([]any{list}, more...)...)...)
}

// collect runs a query on a reading connection and returns its rows.
func collect[T any](
	ctx context.Context, s *Store, text string, scan func(*sql.Rows, *T) error, args ...any,
) ([]T, error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	stmt, err := s.prepare(ctx, text) //nolint:sqlclosecheck // kept, and closed with the store
	if err != nil {
		return nil, fault(err)
	}
	ctx, span := tracing.Statement(ctx, system, text)
	rows, err := stmt.QueryContext(ctx, args...)
	list, err := scanAll(rows, err, scan)
	err = fault(err)
	span.End(string(tenure.CodeOf(err)))
	return list, err
}

// each runs a query on a reading connection and calls row for each row.
func each(ctx context.Context, s *Store, text string, row func(*sql.Rows) error, args ...any) error {
	_, err := collect(ctx, s, text, func(rows *sql.Rows, _ *struct{}) error { return row(rows) }, args...)
	return err
}

func (s *Store) prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if stmt, ok := s.stmts[text]; ok {
		return stmt, nil
	}
	stmt, err := prepare(ctx, s.reads, text) //nolint:sqlclosecheck // kept, and closed with the store
	if err == nil {
		s.stmts[text] = stmt
	}
	return stmt, err
}

// scanAll reads rows to their end and closes them. It takes the query's error, so that query and scan fit in
// one expression.
func scanAll[T any](rows *sql.Rows, err error, scan func(rows *sql.Rows, into *T) error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var list []T
	for rows.Next() {
		var v T
		if err := scan(rows, &v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}

// scanOne reads a row of one column.
func scanOne[T any](rows *sql.Rows, into *T) error { return rows.Scan(into) }

// scanBody decodes a row that is one JSON body.
func scanBody[T any](rows *sql.Rows, into *T) error {
	var body string
	if err := rows.Scan(&body); err != nil {
		return err
	}
	return engine.Decode(body, into)
}

// jsonList encodes a list for SQLite's json_each.
func jsonList(list any) (string, error) {
	b, err := json.Marshal(list)
	return string(b), fault(err)
}

// unique removes duplicates and keeps the order of first occurrences.
func unique[K comparable](list []K) []K {
	seen := make(map[K]bool, len(list))
	kept := make([]K, 0, len(list))
	for _, k := range list {
		if !seen[k] {
			seen[k] = true
			kept = append(kept, k)
		}
	}
	return kept
}
