package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"

	"tenure"
	"tenure/tracing"
)

// The rows that one statement inserts: as many chunks as there are, then smaller chunks, then single rows.
const (
	chunk      = 32
	smallChunk = 8
)

// system is the name of the engine in traces.
const system = "sqlite"

// writer is the connection that writes, with its prepared statements. Its methods take no context: a context
// that ended inside the transaction would roll back the statements before, and let the statements after it
// take effect.
type writer struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
	// ctx is used for the trace of the current transaction only: it never ends.
	ctx context.Context
}

func newWriter(ctx context.Context, db *sql.DB) (*writer, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &writer{conn: conn, stmts: map[string]*sql.Stmt{}, ctx: context.Background()}, nil
}

func (w *writer) close() error {
	for _, stmt := range w.stmts {
		_ = stmt.Close()
	}
	return w.conn.Close()
}

func (w *writer) prepare(text string) (*sql.Stmt, error) {
	if stmt, ok := w.stmts[text]; ok {
		return stmt, nil
	}
	stmt, err := prepare(context.Background(), w.conn, text)
	if err == nil {
		w.stmts[text] = stmt
	}
	return stmt, err
}

func (w *writer) exec(text string, args ...any) error {
	stmt, err := w.prepare(text) //nolint:sqlclosecheck // kept, and closed with the writer
	if err != nil {
		return err
	}
	ctx, span := tracing.Statement(w.ctx, system, text)
	_, err = stmt.ExecContext(ctx, args...)
	span.End(failure(err))
	return err
}

// query runs a statement of the transaction that returns rows.
func query[T any](w *writer, scan func(*sql.Rows, *T) error, text string, args ...any) ([]T, error) {
	stmt, err := w.prepare(text) //nolint:sqlclosecheck // kept, and closed with the writer
	if err != nil {
		return nil, err
	}
	ctx, span := tracing.Statement(w.ctx, system, text)
	rows, err := stmt.QueryContext(ctx, args...)
	list, err := scanAll(rows, err, scan)
	span.End(failure(err))
	return list, err
}

// failure returns the code of an error for a trace.
func failure(err error) string { return string(tenure.CodeOf(fault(err))) }

// insert inserts rows in chunks.
func (w *writer) insert(t *table, rows [][]any) error {
	for len(rows) > 0 {
		n := 1
		switch {
		case len(rows) >= chunk:
			n = chunk
		case len(rows) >= smallChunk:
			n = smallChunk
		}
		args := make([]any, 0, n*len(t.columns))
		for _, row := range rows[:n] {
			args = append(args, row...)
		}
		if err := w.exec(t.insertText(n), args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// write runs f in an immediate transaction, which excludes other writers. If f returns an error, the
// transaction is rolled back.
func (s *Store) write(ctx context.Context, f func(w *writer) error) error {
	if err := s.open(); err != nil {
		return err
	}
	select {
	case s.lock <- struct{}{}:
	case <-ctx.Done():
		return fault(ctx.Err())
	case <-s.closed:
		return errClosed
	}
	defer func() { <-s.lock }()
	if err := s.inPlace(); err != nil {
		return err
	}
	committed := false
	defer func() {
		if !committed { // also if the context ended just after the transaction began, or f panics
			s.rollback()
		}
	}()
	if err := s.begin(ctx); err != nil {
		return fault(err)
	}
	s.writer.ctx = context.WithoutCancel(ctx)
	if err := f(s.writer); err != nil {
		return fault(err)
	}
	if err := s.writer.exec(`COMMIT`); err != nil {
		return &tenure.Error{Code: tenure.Unavailable, Message: "the store could not complete the write", Err: err}
	}
	committed = true
	return nil
}

// inPlace returns Unavailable if the file is not the one that was opened, or has gone: SQLite would go on writing to
// a file that nobody finds again.
func (s *Store) inPlace() error {
	now, err := os.Stat(s.path)
	if err == nil && os.SameFile(s.file, now) {
		return nil
	}
	return &tenure.Error{
		Code: tenure.Unavailable, Message: "the file of the store was moved or replaced", Err: err,
	}
}

// Probe implements [store.Store].
func (s *Store) Probe(ctx context.Context) error {
	err := s.write(ctx, func(w *writer) error {
		if err := w.exec(`INSERT INTO receipt (tenant, scope, seq, tx, hash) VALUES (0, 'probe', 0, 0, '')`); err != nil {
			return err
		}
		return w.exec(`DELETE FROM receipt WHERE tenant = 0 AND scope = 'probe'`)
	})
	if err != nil {
		return &tenure.Error{Code: tenure.Unavailable, Message: "the store takes no writes", Err: err}
	}
	return nil
}

// begin begins the transaction. It waits for writers of other processes until the context ends.
func (s *Store) begin(ctx context.Context) error {
	const text = `BEGIN IMMEDIATE`
	ctx, span := tracing.Statement(ctx, system, text)
	_, err := s.writer.conn.ExecContext(ctx, text)
	span.End(failure(err))
	return err
}

// rollback ends the transaction, unless SQLite has already done so.
func (s *Store) rollback() {
	_, _ = s.writer.conn.ExecContext(context.Background(), `ROLLBACK`)
}

// table describes how rows are written. The first keys columns identify the thing; in a versioned table
// tx_start and tx_end follow them.
type table struct {
	name    string
	verb    string
	columns []string
	keys    int
	one     string // prepared statement texts
	some    string
	many    string
	end     string
}

func newTable(verb, name string, keys int, columns string) *table {
	t := &table{name: name, verb: verb, columns: strings.Fields(columns), keys: keys}
	t.one, t.some, t.many = t.makeInsert(1), t.makeInsert(smallChunk), t.makeInsert(chunk)
	var where []string
	for i, c := range t.columns[:keys] {
		where = append(where, fmt.Sprintf("%s = ?%d", c, i+1))
	}
	cond := strings.Join(where, " AND ")
	t.end = fmt.Sprintf("UPDATE %[1]s SET tx_end = ?%[2]d WHERE %[3]s AND tx_end = %[4]d"+
		" AND tx_start = (SELECT max(tx_start) FROM %[1]s WHERE %[3]s)", name, keys+1, cond, forever)
	return t
}

func (t *table) makeInsert(n int) string {
	row := "(?" + strings.Repeat(", ?", len(t.columns)-1) + ")"
	return fmt.Sprintf("%s INTO %s (%s) VALUES %s", t.verb, t.name, strings.Join(t.columns, ", "),
		row+strings.Repeat(", "+row, n-1))
}

func (t *table) insertText(n int) string {
	switch n {
	case chunk:
		return t.many
	case smallChunk:
		return t.some
	}
	return t.one
}

// The tables that a change set writes to.
var (
	logTable         = newTable("INSERT", "log", 0, "tenant seq tx id hash write_set body salt")
	historyTable     = newTable("INSERT OR IGNORE", "history", 0, "tenant entity seq")
	receiptTable     = newTable("INSERT OR REPLACE", "receipt", 0, "tenant scope seq tx hash answer")
	observationTable = newTable("INSERT", "observation", 0, "tenant id tx body observed_at session project speaker thread proposes text_speaker text_thread")
	proposalTable    = newTable("INSERT", "proposal", 0, "tenant entity tx observation place")
	mentionTable     = newTable("INSERT", "mention", 0, "tenant id tx observation body")
	claimTable       = newTable("INSERT", "claim", 0, "tenant id tx slot key subject predicate object value body place directive")
	slotTable        = newTable("INSERT OR IGNORE", "slot", 0, "tenant key tx body")
	linkTable        = newTable("INSERT OR IGNORE", "link", 0, "tenant kind target source tx")
	relocationTable  = newTable("INSERT OR IGNORE", "relocation", 0, "tenant belief slot subject object predicate")
	aboutTable       = newTable("INSERT OR IGNORE", "review_entity", 0, "tenant entity review")
	passageTable     = newTable("INSERT", "passage", 0, "tenant id tx document version number place body")
	amendmentTable   = newTable("INSERT", "amendment", 0, "tenant belief tx id body")

	assignmentTable = newTable("INSERT", "assignment", 2, "tenant mention tx_start tx_end entity body")
	entityTable     = newTable("INSERT", "entity", 2, "tenant id tx_start tx_end body")
	aliasTable      = newTable("INSERT", "alias", 5, "tenant kind key entity mention tx_start tx_end body")
	standingTable   = newTable("INSERT", "standing", 2,
		"tenant belief tx_start tx_end subject object recorded span_from span_until gaps contested body remark")
	identityDecisionTable = newTable("INSERT", "identity_decision", 2, "tenant id tx_start tx_end source target body")
	reviewTable           = newTable("INSERT", "review", 2, "tenant id tx_start tx_end state rank body")
	caseTable             = newTable("INSERT", "quarantine", 2, "tenant id tx_start tx_end slot subject state rank body")
	vocabularyTable       = newTable("INSERT", "vocabulary", 2, "tenant name tx_start tx_end body")
	documentTable         = newTable("INSERT", "document", 2, "tenant id tx_start tx_end version uri withdrawn body")
	termTable             = newTable("INSERT", "term", 2, "tenant id tx_start tx_end vocabulary name removed body")
)
