package main

import (
	"math"
	"runtime/debug"
	"testing"
)

// TestMemoryIsLentToAnImport checks that an import bounds the heap where nothing else does, and gives back what it took.
func TestMemoryIsLentToAnImport(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	for _, limit := range []int64{math.MaxInt64, 8 << 30} {
		debug.SetMemoryLimit(limit)
		percent := debug.SetGCPercent(100)
		undo := lendMemory()
		lent := debug.SetMemoryLimit(-1)
		if bounded := lent == importMemory; bounded != (limit == math.MaxInt64) || !bounded && lent != limit {
			t.Errorf("with a limit of %d, it is %d during an import", limit, lent)
		}
		undo()
		if now := debug.SetMemoryLimit(-1); now != limit {
			t.Errorf("the limit was %d, and is %d", limit, now)
		}
		if now := debug.SetGCPercent(percent); now != 100 {
			t.Errorf("the heap grows by %d %% afterwards", now)
		}
	}
}
