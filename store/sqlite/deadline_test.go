package sqlite

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tenure"
)

// TestAReadEndsWithItsContext checks that a statement which would take for ever is interrupted, and that the store goes
// on.
func TestAReadEndsWithItsContext(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	_, err = collect(ctx, s, `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n`, scanOne[int64])
	if tenure.CodeOf(err) != tenure.Unavailable {
		t.Errorf("an endless read: %v", err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestAStoreThatTakesNoWritesSaysSo checks that writes and probes fail where what was written would be lost or cannot
// be, and succeed again when that is over.
func TestAStoreThatTakesNoWritesSaysSo(t *testing.T) {
	for name, c := range map[string]struct{ breaks, mends func(path string) error }{
		"a-file-that-was-moved-away": {
			func(path string) error { return os.Rename(path, path+".moved") },
			func(path string) error { return os.Rename(path+".moved", path) },
		},
		"a-file-that-was-replaced": {
			func(path string) error {
				if err := os.Rename(path, path+".moved"); err != nil {
					return err
				}
				return os.WriteFile(path, nil, 0o600)
			},
			func(path string) error { return os.Rename(path+".moved", path) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.db")
			s, err := Open(t.Context(), path, Config{Now: time.Now})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			apply := func() error {
				cs := tenure.ChangeSet{ID: tenure.NewMint(time.Now()).NewID(), Operation: "test", Changes: []tenure.Change{
					tenure.EntityPut{Entity: tenure.Entity{ID: tenure.DerivedID("e"), Status: tenure.EntityCanonical}},
				}}
				_, err := s.Apply(t.Context(), "t", 0, []tenure.ChangeSet{cs})
				return err
			}
			if err := c.breaks(path); err != nil {
				t.Fatal(err)
			}
			if tenure.CodeOf(apply()) != tenure.Unavailable || tenure.CodeOf(s.Probe(t.Context())) != tenure.Unavailable {
				t.Errorf("a write: %v; a probe: %v", apply(), s.Probe(t.Context()))
			}
			if err := c.mends(path); err != nil {
				t.Fatal(err)
			}
			if err := s.Probe(t.Context()); err != nil {
				t.Errorf("a probe afterwards: %v", err)
			}
			if err := apply(); err != nil {
				t.Errorf("a write afterwards: %v", err)
			}
		})
	}
}

// TestAPanicInAWriteLeavesNoTransaction checks that the next write succeeds.
func TestAPanicInAWriteLeavesNoTransaction(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	func() {
		defer func() { _ = recover() }()
		_ = s.write(t.Context(), func(w *writer) error {
			if err := w.exec(`INSERT INTO tenant (name) VALUES ('half')`); err != nil {
				t.Error(err)
			}
			panic("in the middle")
		})
	}()
	if err := s.Probe(t.Context()); err != nil {
		t.Error(err)
	}
	if pk, err := s.tenant(t.Context(), "half"); pk != 0 || err != nil {
		t.Errorf("half of a write is there: %d, %v", pk, err)
	}
}
