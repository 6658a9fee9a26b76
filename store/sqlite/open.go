package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

// readers bounds the connections that read.
const readers = 8

// The page caches of the connections, in KiB: those of the readers add up, and the operating system caches
// the rest of the file.
const (
	writerPages = 32 << 10
	readerPages = 2 << 10
)

// walPages is the size of the write-ahead log, in pages of 4 KiB, from which a commit moves the log into the
// file. A page that many commits change is moved once.
const walPages = 4000

var _ store.Store = (*Store)(nil)

// Config configures a store.
type Config struct {
	// Now is the clock that stamps change sets.
	Now func() time.Time
}

// Store is a store in one SQLite file. Several processes of one host may open the same file.
type Store struct {
	now    func() time.Time
	path   string
	file   os.FileInfo // of the file that was opened
	db     *sql.DB     // the writer's
	writer *writer
	// lock is held while a transaction writes: a channel with room for one.
	lock    chan struct{}
	reads   *sql.DB
	mu      sync.Mutex
	stmts   map[string]*sql.Stmt // by the text of the query
	tenants map[string]int64     // keys by name
	cache   *engine.Current[int64]
	closed  chan struct{}
	once    sync.Once
}

// Open opens the file at a path, creates it if necessary, and migrates its schema. It returns Invalid without
// a clock or a path, and Internal if the file's schema is not one of this program's.
func Open(ctx context.Context, path string, cfg Config) (*Store, error) {
	if cfg.Now == nil {
		return nil, tenure.Errorf(tenure.Invalid, "the SQLite store needs a clock")
	}
	if err := Migrate(ctx, path); err != nil {
		return nil, err
	}
	s := &Store{
		now: cfg.Now, path: path, lock: make(chan struct{}, 1),
		stmts: map[string]*sql.Stmt{}, tenants: map[string]int64{},
		cache: engine.NewCurrent[int64](cacheBytes), closed: make(chan struct{}),
	}
	var err error
	if s.file, err = os.Stat(path); err != nil {
		return nil, fault(err)
	}
	if s.db, err = sql.Open("sqlite", dsn(path, writerPages)); err != nil {
		return nil, fault(err)
	}
	s.db.SetMaxOpenConns(1)
	if s.writer, err = newWriter(ctx, s.db); err != nil {
		_ = s.db.Close()
		return nil, fault(err)
	}
	if s.reads, err = sql.Open("sqlite", dsn(path, readerPages, "query_only(1)")); err != nil {
		_ = s.Close()
		return nil, fault(err)
	}
	s.reads.SetMaxOpenConns(readers)
	s.reads.SetMaxIdleConns(readers)
	return s, nil
}

// dsn returns the data source name: the file and the settings of a connection.
func dsn(path string, pages int, more ...string) string {
	pragmas := append([]string{
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		fmt.Sprintf("cache_size(-%d)", pages), fmt.Sprintf("wal_autocheckpoint(%d)", walPages),
		"journal_size_limit(67108864)",
	}, more...)
	var b strings.Builder
	b.WriteString("file:")
	b.WriteString((&url.URL{Path: path}).EscapedPath())
	b.WriteString("?_dqs=0")
	for _, p := range pragmas {
		b.WriteString("&_pragma=")
		b.WriteString(url.QueryEscape(p))
	}
	return b.String()
}

// checkPath refuses a path that does not name a file that two connections can share.
func checkPath(path string) error {
	if path == "" || strings.HasPrefix(path, ":memory:") {
		return tenure.Errorf(tenure.Invalid, "the SQLite store needs the path of a file")
	}
	return nil
}

// Close waits for writes and reads in progress, and closes the file.
func (s *Store) Close() error {
	var first error
	keep := func(err error) {
		if err != nil && first == nil {
			first = fault(err)
		}
	}
	s.once.Do(func() {
		close(s.closed)
		s.lock <- struct{}{} // never released, so that no write begins again
		if s.reads != nil {
			s.mu.Lock()
			for _, stmt := range s.stmts {
				keep(stmt.Close())
			}
			s.mu.Unlock()
			keep(s.reads.Close())
		}
		keep(s.writer.close())
		keep(s.db.Close())
	})
	return first
}

// Ping reports whether the file can be read and has the schema of this program.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.open(); err != nil {
		return err
	}
	behind, err := pending(ctx, s.reads)
	switch {
	case err != nil:
		return &tenure.Error{Code: tenure.Unavailable, Message: "the store does not answer", Err: err}
	case len(behind) > 0:
		return tenure.Errorf(tenure.Unavailable, "the store has no schema %d", behind[0].Number)
	}
	return nil
}

// Integrity runs SQLite's integrity check on the whole file. Damage is returned as Internal, with SQLite's
// findings in Err. The check takes seconds for each 100 MB.
func (s *Store) Integrity(ctx context.Context) error {
	if err := s.open(); err != nil {
		return err
	}
	found, err := collect(ctx, s, `PRAGMA integrity_check`, scanOne[string])
	if err != nil {
		return err
	}
	if len(found) == 1 && found[0] == "ok" {
		return nil
	}
	return &tenure.Error{Code: tenure.Internal, Message: "the store is damaged", Err: findings(found)}
}

// open returns an error once the store is closed.
func (s *Store) open() error {
	select {
	case <-s.closed:
		return errClosed
	default:
		return nil
	}
}
