package sqlite

import (
	"context"
	"path/filepath"
	"testing"
	"time"
)

// TestAPurgeThatIsLate: a reader of an older state that does not end is no failure: the files are not written anew, which
// the answer says.
func TestAPurgeThatIsLate(t *testing.T) {
	s := testStore(t, filepath.Join(t.TempDir(), "t.db"))
	if rewritten, err := s.Purge(t.Context()); !rewritten || err != nil {
		t.Fatalf("without readers: %v, %v", rewritten, err)
	}
	tx, err := s.reads.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.ExecContext(t.Context(), `SELECT count(*) FROM log`); err != nil {
		t.Fatal(err)
	}
	if err := s.write(t.Context(), func(w *writer) error {
		return w.exec(`CREATE TABLE newer (x)`)
	}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if rewritten, err := s.Purge(ctx); rewritten || err != nil {
		t.Errorf("beside a reader: %v, %v", rewritten, err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if rewritten, err := s.Purge(t.Context()); !rewritten || err != nil {
		t.Errorf("after it: %v, %v", rewritten, err)
	}
}
