package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tenure"
	"tenure/migrations"
	"tenure/store"
	"tenure/store/storetest"

	"github.com/google/go-cmp/cmp"
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

// TestItsOwnerAloneReadsAFile checks the permissions of the files of a new store.
func TestItsOwnerAloneReadsAFile(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), filepath.Join(dir, "t.db"), Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	files, err := os.ReadDir(dir)
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, error %v", files, err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		if p := info.Mode().Perm(); p&0o077 != 0 {
			t.Errorf("%s has the permissions %o", f.Name(), p)
		}
	}
}

// TestAFileThatExistsKeepsItsLocks checks that an Open of a file which the process has open already drops none of its
// locks, as closing the file once more would.
func TestAFileThatExistsKeepsItsLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	open := func() uintptr {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		return f.Fd()
	}
	locked, other := open(), open()
	whole := syscall.Flock_t{Type: syscall.F_WRLCK}
	if err := syscall.FcntlFlock(locked, syscall.F_SETLK, &whole); err != nil {
		t.Fatal(err)
	}
	if err := private(path); err != nil {
		t.Fatal(err)
	}
	const ofFile = 36 // F_OFD_GETLK, which sees the locks of its own process
	found := syscall.Flock_t{Type: syscall.F_WRLCK}
	if err := syscall.FcntlFlock(other, ofFile, &found); err != nil {
		t.Fatal(err)
	}
	if found.Type == syscall.F_UNLCK {
		t.Error("the lock is gone")
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

// TestFormerWords checks that a file written before migration 4, with the former names of tables, columns and
// fields, reads as one written after it.
func TestFormerWords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenure.db")
	sample := storetest.NewRenamed()
	read := func(s *Store) []any {
		t.Helper()
		view, err := s.View(t.Context(), "t", tenure.Present)
		if err != nil {
			t.Fatal(err)
		}
		list, err := sample.Read(t.Context(), view)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	s := testStore(t, path)
	if _, err := s.Apply(t.Context(), "t", 0, []tenure.ChangeSet{sample.Set}); err != nil {
		t.Fatal(err)
	}
	want := read(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	execFile(t, path,
		`ALTER TABLE log RENAME COLUMN write_set TO cells`,
		`ALTER TABLE standing RENAME COLUMN span_from TO hull_from`,
		`ALTER TABLE standing RENAME COLUMN span_until TO hull_until`,
		`ALTER TABLE alias RENAME COLUMN key TO form`,
		`ALTER TABLE alias RENAME TO owner`, `DROP INDEX alias_entity`, `CREATE INDEX owner_entity ON owner (tenant, entity)`,
		`ALTER TABLE identity_decision RENAME TO verdict`, `DROP INDEX identity_decision_source`, `DROP INDEX identity_decision_target`,
		`CREATE INDEX verdict_source ON verdict (tenant, source)`, `CREATE INDEX verdict_target ON verdict (tenant, target)`,
		`DROP INDEX relocation_predicate`, `ALTER TABLE relocation DROP COLUMN predicate`,
		`ALTER TABLE relocation RENAME TO home`, `DROP INDEX relocation_slot`, `DROP INDEX relocation_subject`, `DROP INDEX relocation_object`,
		`CREATE INDEX home_slot ON home (tenant, slot)`, `CREATE INDEX home_subject ON home (tenant, subject, belief)`,
		`CREATE INDEX home_object ON home (tenant, object) WHERE object <> ''`,
		`UPDATE owner SET body = json_remove(json_set(body, '$.form', body -> '$.key'), '$.key')`,
		`UPDATE verdict SET body = json_set(body, '$.kind', 'distinct', '$.actor', 'second_look', '$.moved[0].reason', 'exact_form')`,
		`UPDATE review SET body = json_remove(json_set(body, '$.reason', 'ambiguous_form', '$.decided_by', 'second_look',
			'$.events[0].actor', 'second_look', '$.waiting', body -> '$.pending_mentions', '$.held', body -> '$.pending_beliefs',
			'$.value', body -> '$.priority', '$.verdict', body -> '$.merge'),
			'$.pending_mentions', '$.pending_beliefs', '$.priority', '$.merge')`,
		`UPDATE assignment SET body = json_set(body, '$.reason', 'exact_form')`,
		`UPDATE entity SET body = json_set(body, '$.reason', 'ambiguous_form')`,
		`UPDATE receipt SET answer = CAST(json_remove(json_set(CAST(answer AS TEXT), '$.undone_verdicts', json('["v"]'),
			'$.verdict_id', 'v', '$.not_the_same', json('[]'), '$.mentions[0].reason', 'exact_form'),
			'$.undone_decisions', '$.decision_id', '$.cannot_links') AS BLOB)`,
		`DELETE FROM migration WHERE number >= 4`)
	execFile(t, path, beforeObservations...)
	if err := Migrate(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	migrated := testStore(t, path)
	got := read(migrated)
	if hashes, err := collect(t.Context(), migrated, `SELECT count(*) FROM log WHERE length(write_set) > 0`,
		scanOne[int]); err != nil || hashes[0] != 0 {
		t.Errorf("%v write sets have hashes without a salt, error %v", hashes, err)
	}
	last := len(want) - 1
	if !equalJSON(t, want[last].(string), got[last].(string)) {
		t.Errorf("the answer is %s, not %s", got[last], want[last])
	}
	if diff := cmp.Diff(want[:last], got[:last]); diff != "" {
		t.Error(diff)
	}
}

// beforeObservations undo the migrations from 6 on.
var beforeObservations = []string{
	`DROP TABLE proposal`,
	`DROP INDEX standing_about`, `ALTER TABLE standing DROP COLUMN remark`,
	`CREATE INDEX standing_about ON standing (tenant, subject)`,
	`DROP INDEX claim_recent`, `DROP INDEX claim_remark`, `DROP INDEX claim_directive`, `ALTER TABLE claim DROP COLUMN directive`, `ALTER TABLE claim DROP COLUMN place`,
	`DROP INDEX observation_observed`, `DROP INDEX observation_session`, `DROP INDEX observation_project`,
	`DROP INDEX observation_speaker`, `DROP INDEX observation_thread`,
	`DROP INDEX observation_text_speaker`, `ALTER TABLE observation DROP COLUMN text_speaker`,
	`DROP INDEX observation_text_thread`, `ALTER TABLE observation DROP COLUMN text_thread`,
	`DROP INDEX observation_proposes`, `ALTER TABLE observation DROP COLUMN proposes`,
	`ALTER TABLE observation DROP COLUMN thread`, `ALTER TABLE observation DROP COLUMN observed_at`,
	`ALTER TABLE observation DROP COLUMN session`, `ALTER TABLE observation DROP COLUMN project`,
	`ALTER TABLE observation DROP COLUMN speaker`, `DROP INDEX quarantine_rank`,
	`ALTER TABLE quarantine DROP COLUMN rank`, `DROP TABLE audit`, `DROP TABLE document`, `DROP TABLE passage`, `DROP TABLE outcome`, `DROP TABLE usage`, `ALTER TABLE log DROP COLUMN salt`, `ALTER TABLE tenant DROP COLUMN salt`, `ALTER TABLE tenant DROP COLUMN salted`, `DELETE FROM migration WHERE number >= 6`,
}

// Observations of before migration 6 are listed by what their bodies say.
func TestFormerObservationsAreListed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenure.db")
	s := testStore(t, path)
	var changes []tenure.Change
	for i, o := range []tenure.Observation{
		{Scope: tenure.Scope{ProjectID: "p"}}, {Scope: tenure.Scope{SessionID: "s"}}, {Source: tenure.Source{Speaker: "d"}}, {},
		{Source: tenure.Source{Origin: "chat://1"}},
	} {
		o.ID, o.ObservedAt = newID(), tenure.Instant(i)
		changes = append(changes, tenure.ObservationAdded{Observation: o})
	}
	list := func(s *Store) (times []tenure.Instant) {
		t.Helper()
		r, err := s.View(t.Context(), "t", tenure.Present)
		if err != nil {
			t.Fatal(err)
		}
		for _, by := range []store.ObservationField{"", store.ByProject, store.BySession, store.BySpeaker, store.ByThread} {
			name := map[store.ObservationField]string{
				store.ByProject: "p", store.BySession: "s", store.BySpeaker: "d", store.ByThread: "chat://1",
			}[by]
			found, err := r.ListObservations(t.Context(), store.ObservationQuery{By: by, Name: name, Before: tenure.MaxTime})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range found {
				times = append(times, o.Observation.ObservedAt)
			}
		}
		return times
	}
	if _, err := s.Apply(t.Context(), "t", 0, []tenure.ChangeSet{{ID: newID(), Changes: changes}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	execFile(t, path, beforeObservations...)
	if err := Migrate(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]tenure.Instant{4, 3, 2, 1, 0, 0, 1, 2, 4}, list(testStore(t, path))); diff != "" {
		t.Error(diff)
	}
}

// TestFormerProposalsAreFound checks that the migration finds the entities and the scopes of what was proposed before it
// as the program does.
func TestFormerProposalsAreFound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tenure.db")
	s := testStore(t, path)
	atlas, orion := newID(), newID()
	proposes := tenure.Said{Effect: tenure.Unsure, Entity: atlas, Proposal: &tenure.Proposal{Effect: tenure.Set}}
	other, nobody, sets := proposes, proposes, tenure.Said{Effect: tenure.Set, Entity: orion}
	other.Entity, nobody.Entity = orion, ""
	var changes []tenure.Change
	for _, o := range []tenure.Observation{
		{Statements: []tenure.Said{sets, proposes, nobody, other, proposes}}, {Statements: []tenure.Said{sets}},
		{Scope: tenure.Scope{Kind: tenure.ScopeTask, ProjectID: "p", TaskID: "t"}, Statements: []tenure.Said{proposes}},
		{Scope: tenure.Scope{Kind: tenure.ScopeDraft, UserID: "u", SessionID: "s"}, Statements: []tenure.Said{other}},
		{Statements: []tenure.Said{nobody}}, {Text: "x"},
	} {
		o.ID = newID()
		changes = append(changes, tenure.ObservationAdded{Observation: o})
	}
	if _, err := s.Apply(t.Context(), "t", 0, []tenure.ChangeSet{{ID: newID(), Changes: changes}}); err != nil {
		t.Fatal(err)
	}
	found := func(s *Store) []string {
		t.Helper()
		list, err := collect(t.Context(), s, `SELECT tenant || entity || tx || observation || place FROM proposal ORDER BY 1`,
			scanOne[string])
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	want := found(s)
	if len(want) != 4 {
		t.Fatalf("found %v", want)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	execFile(t, path, `DROP TABLE audit`, `DROP TABLE document`, `DROP TABLE passage`, `DROP TABLE outcome`, `DROP TABLE usage`, `DROP TABLE proposal`, `DROP INDEX claim_directive`,
		`ALTER TABLE claim DROP COLUMN directive`, `ALTER TABLE log DROP COLUMN salt`, `ALTER TABLE tenant DROP COLUMN salt`, `ALTER TABLE tenant DROP COLUMN salted`, `DELETE FROM migration WHERE number >= 14`)
	if err := Migrate(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, found(testStore(t, path))); diff != "" {
		t.Error(diff)
	}
}

func equalJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(a), &x), json.Unmarshal([]byte(b), &y)); err != nil {
		t.Fatal(err)
	}
	return cmp.Equal(x, y)
}
