package main

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMemoryIsLentToAnImport checks that an import sets a limit of memory where the environment states none, and gives
// back what it took.
func TestMemoryIsLentToAnImport(t *testing.T) {
	const before = 8 << 30
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(before))
	for _, stated := range []bool{false, true} {
		t.Setenv("GOMEMLIMIT", "off")
		if !stated {
			if err := os.Unsetenv("GOMEMLIMIT"); err != nil {
				t.Fatal(err)
			}
		}
		percent := debug.SetGCPercent(100)
		undo := lendMemory()
		if lent := debug.SetMemoryLimit(-1); (lent == before) != stated {
			t.Errorf("stated %v: the limit is %d during an import", stated, lent)
		}
		undo()
		if now := debug.SetMemoryLimit(-1); now != before {
			t.Errorf("the limit was %d, and is %d", int64(before), now)
		}
		if now := debug.SetGCPercent(percent); now != 100 {
			t.Errorf("the heap grows by %d %% afterwards", now)
		}
	}
}
