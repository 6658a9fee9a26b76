package sqlite

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
	"tenure/store/storetest"
)

func testStore(t testing.TB, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path, Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store {
		return testStore(t, filepath.Join(t.TempDir(), "tenure.db"))
	}, storetest.Options{Reopen: func(t *testing.T, s store.Store) store.Store {
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		closed, ok := s.(*Store)
		if !ok {
			t.Fatalf("got a store of type %T", s)
		}
		return testStore(t, closed.path)
	}, Holds: func(t *testing.T, s store.Store, _, text string) bool {
		opened, ok := s.(*Store)
		if !ok {
			t.Fatalf("got a store of type %T", s)
		}
		files, err := filepath.Glob(opened.path + "*")
		if err != nil || len(files) == 0 {
			t.Fatal("no files", err)
		}
		for _, file := range files {
			body, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(body, []byte(text)) {
				return true
			}
		}
		return false
	}, Confirms: func(t *testing.T, s store.Store, tenant string, key tenure.ConflictKey) bool {
		opened, ok := s.(*Store)
		if !ok {
			t.Fatalf("got a store of type %T", s)
		}
		list, err := collect(t.Context(), opened, `SELECT l.write_set, t.salt FROM log l JOIN tenant t ON t.pk = l.tenant
			WHERE t.name = ?1`, func(rows *sql.Rows, found *bool) error {
			var hashes, salt []byte
			err := rows.Scan(&hashes, &salt)
			touched := map[int64]bool{}
			unpackHashes(hashes, touched)
			*found = touched[engine.Salting{Salt: salt}.Hash(key)] || touched[engine.Salting{}.Hash(key)]
			return err
		}, tenant)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Contains(list, true)
	}})
}
