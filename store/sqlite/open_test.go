package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"tenure"
	"tenure/migrations"
	"tenure/store"
)

func execFile(t *testing.T, path string, texts ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn(path, writerPages))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestOpenRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name, path string
		now        func() time.Time
		change     string
		want       tenure.Code
		says       string
	}{
		{"no-clock", filepath.Join(dir, "a"), nil, "", tenure.Invalid, "clock"},
		{"no-path", "", time.Now, "", tenure.Invalid, "path"},
		{"memory", ":memory:", time.Now, "", tenure.Invalid, "path"},
		{"no-folder", filepath.Join(dir, "none", "x"), time.Now, "", tenure.Internal, ""},
		{"changed-checksum", filepath.Join(dir, "b"), time.Now, `UPDATE migration SET checksum = 'x'`, tenure.Internal, "checksum"},
		{"newer-schema", filepath.Join(dir, "c"), time.Now,
			`INSERT INTO migration (number, name, checksum) VALUES (99, '0099_x.sql', 'x')`, tenure.Internal, "newer program"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.change != "" {
				if err := Migrate(t.Context(), c.path); err != nil {
					t.Fatal(err)
				}
				execFile(t, c.path, c.change)
			}
			s, err := Open(t.Context(), c.path, Config{Now: c.now})
			if tenure.CodeOf(err) != c.want || !strings.Contains(fmt.Sprint(err), c.says) {
				t.Errorf("got %v", err)
			}
			if s != nil {
				t.Error("a store is returned with the error")
			}
		})
	}
}

func TestOpenTakesAnyName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b%20?c#d&e=ü.db")
	testStore(t, path)
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestMigrateManyAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenure.db")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := Migrate(context.Background(), path); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s := testStore(t, path)
	if err := s.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Integrity(t.Context()); err != nil {
		t.Error(err)
	}
}

// A run that was killed before its first migration was complete is rolled back, and the next run begins
// again.
func TestMigrateAgainAfterKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenure.db")
	db, err := sql.Open("sqlite", dsn(path, writerPages))
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`BEGIN IMMEDIATE`, `CREATE TABLE tenant (half INTEGER)`} {
		if _, err := conn.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	_, _ = conn.Close(), db.Close()
	s := testStore(t, path)
	if _, err := s.Apply(t.Context(), "t", 0, []tenure.ChangeSet{observed(0, newID())}); err != nil {
		t.Error(err)
	}
}

func TestPingMissesASchema(t *testing.T) {
	s := testStore(t, filepath.Join(t.TempDir(), "tenure.db"))
	execFile(t, s.path, `DELETE FROM migration`)
	if err := s.Ping(t.Context()); tenure.CodeOf(err) != tenure.Unavailable {
		t.Errorf("got %v", err)
	}
}

func TestIntegrityFindsDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenure.db")
	s := testStore(t, path)
	if _, err := s.Apply(t.Context(), "t", 0, []tenure.ChangeSet{observed(0, newID())}); err != nil {
		t.Fatal(err)
	}
	if err := s.Integrity(t.Context()); err != nil {
		t.Error(err)
	}
	execFile(t, path, `PRAGMA writable_schema = ON`, `UPDATE sqlite_schema SET sql = replace(sql, 'entity TEXT NOT NULL', 'entity INT NOT NULL')
		WHERE name = 'history'`)
	if err := Migrate(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	damaged := testStore(t, path)
	if err := damaged.Integrity(t.Context()); tenure.CodeOf(err) != tenure.Internal {
		t.Errorf("got %v", err)
	}
}

func TestFault(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenure.db")
	s := testStore(t, path)
	if _, err := s.Apply(t.Context(), "t", 0, []tenure.ChangeSet{observed(0, newID())}); err != nil {
		t.Fatal(err)
	}
	short, err := sql.Open("sqlite", dsn(path, writerPages, "busy_timeout(1)", "max_page_count(1)"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = short.Close() }()
	_, full := short.ExecContext(t.Context(), `INSERT INTO compilation VALUES (1, 'x', 1, zeroblob(1000000))`)
	s.lock <- struct{}{}
	if _, err := s.writer.conn.ExecContext(t.Context(), `BEGIN IMMEDIATE`); err != nil {
		t.Fatal(err)
	}
	_, busy := short.ExecContext(t.Context(), `DELETE FROM tenant`)
	s.rollback()
	<-s.lock
	_, constraint := short.ExecContext(t.Context(), `INSERT INTO tenant (pk, name) VALUES (1, 'x')`)
	_, query := short.ExecContext(t.Context(), `SELECT nothing`)
	ended, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, late := short.ExecContext(ended, `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n`)
	for _, c := range []struct {
		name string
		err  error
		want tenure.Code
	}{
		{"busy", busy, tenure.Unavailable},
		{"full", full, tenure.Unavailable},
		{"late", late, tenure.Unavailable},
		{"deadline", fmt.Errorf("x: %w", context.DeadlineExceeded), tenure.Unavailable},
		{"closed", sql.ErrConnDone, tenure.Unavailable},
		{"constraint", constraint, tenure.Internal},
		{"query", query, tenure.Internal},
		{"known", tenure.Errorf(tenure.NotFound, "x"), tenure.NotFound},
		{"none", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := fault(c.err)
			if tenure.CodeOf(got) != c.want {
				t.Errorf("got %v for %v", got, c.err)
			}
			var e *tenure.Error
			if errors.As(got, &e) && c.want != tenure.NotFound && (e.Err == nil || strings.Contains(e.Message, "SQL")) {
				t.Errorf("the message is %q, and the log gets %v", e.Message, e.Err)
			}
		})
	}
}

// A change set that the file itself refuses leaves nothing behind.
func TestFailedApplyLeavesNothing(t *testing.T) {
	s := testStore(t, filepath.Join(t.TempDir(), "tenure.db"))
	first := observed(0, newID())
	if _, err := s.Apply(t.Context(), "t", 0, []tenure.ChangeSet{first}); err != nil {
		t.Fatal(err)
	}
	again := first
	again.Key = nil
	for _, bad := range []tenure.ChangeSet{
		again,
		{ID: newID(), Changes: []tenure.Change{tenure.StandingPut{Standing: tenure.Standing{Belief: newID()}}}},
	} {
		_, err := s.Apply(t.Context(), "t", 1, []tenure.ChangeSet{observed(1, newID()), bad})
		if tenure.CodeOf(err) != tenure.Internal {
			t.Errorf("got %v", err)
		}
	}
	view, err := s.View(t.Context(), "t", tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	if seq, _ := view.State(); seq != 1 {
		t.Errorf("the state is %d", seq)
	}
	if _, err := s.Apply(t.Context(), "t", 1, []tenure.ChangeSet{observed(2, newID())}); err != nil {
		t.Error(err)
	}
}

// Idempotency keys are forgotten after seven days.
func TestReceiptsAge(t *testing.T) {
	now := time.UnixMicro(1_700_000_000_000_000)
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "tenure.db"), Config{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	for seq, after := range []time.Duration{0, store.KeyAge + time.Second, time.Hour} {
		now = now.Add(after)
		cs := observed(seq, newID())
		cs.Key = &tenure.IdempotencyKey{Scope: "k", Hash: "h"}
		_, err := s.Apply(t.Context(), "t", tenure.Seq(min(seq, 2)), []tenure.ChangeSet{cs})
		if used := tenure.CodeOf(err) == tenure.Conflicting; used != (after == time.Hour) {
			t.Errorf("after %s: %v", after, err)
		}
	}
}

// The migration computes the rank of existing reviews as the program does.
func TestReviewsOfBeforeHaveARank(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenure.db")
	s := testStore(t, path)
	open := tenure.Review{ID: newID(), State: tenure.ReviewOpen, Entity: newID(), Name: `"decided_at":7,`}
	settled := tenure.Review{ID: newID(), State: tenure.ReviewSettled, Entity: newID(), DecidedAt: 1_790_000_000_123_456, Note: `"decided_at":7,`}
	changes := []tenure.Change{tenure.ReviewPut{Review: open}, tenure.ReviewPut{Review: settled}}
	if _, err := s.Apply(t.Context(), "t", 0, []tenure.ChangeSet{{ID: newID(), Changes: changes}}); err != nil {
		t.Fatal(err)
	}
	list, err := migrations.SQLite()
	if err != nil {
		t.Fatal(err)
	}
	execFile(t, path, `UPDATE review SET rank = ''`, list[2].Statements[1])
	for _, want := range []tenure.Review{open, settled} {
		ranks, err := collect(t.Context(), s, `SELECT rank FROM review WHERE tenant = 1 AND id = ?1`, scanOne[string], string(want.ID))
		if err != nil || len(ranks) != 1 || ranks[0] != want.Rank() {
			t.Errorf("got %v, %v, want %s", ranks, err, want.Rank())
		}
	}
}
