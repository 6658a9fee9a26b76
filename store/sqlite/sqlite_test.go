package sqlite

import (
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
	}})
}
