package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// TestTheKeyOfCursorsIsKept checks that every server of a SQLite file has one key, also those that start at once, that
// its owner alone reads it, and that a file that is none is named.
func TestTheKeyOfCursorsIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	keys := make([][]byte, 8)
	var starts sync.WaitGroup
	for i := range keys {
		starts.Go(func() {
			var err error
			if keys[i], err = cursorKey("", sqlitePrefix+path); err != nil {
				t.Error(err)
			}
		})
	}
	starts.Wait()
	for _, k := range keys {
		if len(k) != 32 || !bytes.Equal(k, keys[0]) {
			t.Errorf("the keys are %x and %x", keys[0], k)
		}
	}
	info, err := os.Stat(path + ".cursor-key")
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	given, err := cursorKey(strings.Repeat("ab", 32), sqlitePrefix+path)
	if err != nil || bytes.Equal(given, keys[0]) {
		t.Errorf("a key that is given: %x, %v", given, err)
	}
	one, err := cursorKey("", "bolt://localhost")
	other, err2 := cursorKey("", "bolt://localhost")
	if err != nil || err2 != nil || bytes.Equal(one, other) {
		t.Errorf("without a file: %x, %x", one, other)
	}
	if err := os.WriteFile(path+".cursor-key", []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := cursorKey("", sqlitePrefix+path); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("a file that is no key: %v", err)
	}
}

func TestRatesThatLetNothingThrough(t *testing.T) {
	for name, f := range map[string]rateFlags{
		"a-negative-key": {-1, 1, 1}, "a-negative-tenant": {1, -1, 1}, "no-burst": {1, 1, 0},
	} {
		if f.Validate() == nil {
			t.Errorf("%s is taken", name)
		}
	}
	if err := (rateFlags{0, 0, 1}).Validate(); err != nil {
		t.Errorf("no bounds: %v", err)
	}
}

// TestReadsAtOnce checks that as many reads are carried out at once as is stated, and by default those that keep the
// processors busy on each engine.
func TestReadsAtOnce(t *testing.T) {
	const ofTheFrontDoor = 0
	for _, c := range []struct {
		store        string
		stated, want int
	}{
		{"sqlite:t.db", 0, ofTheFrontDoor},
		{"neo4j://localhost:7687", 0, 4 * runtime.GOMAXPROCS(0)},
		{"sqlite:t.db", 3, 3},
		{"bolt://localhost:7687", 3, 3},
	} {
		s := serveCmd{MaxReads: c.stated}
		s.Store = c.store
		if got := s.reads(); got != c.want {
			t.Errorf("%s with %d: %d", c.store, c.stated, got)
		}
	}
}
