package sqlite

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"tenure/store"
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
	}})
}
