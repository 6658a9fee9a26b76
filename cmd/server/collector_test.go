package main

import "testing"

// TestGrowth checks how much garbage a server lets grow: the same amount beside a small heap, as much as is live beside
// a large one.
func TestGrowth(t *testing.T) {
	for live, want := range map[uint64]int{0: 700, 28 << 20: 400, 112 << 20: 100, 1 << 30: 100} {
		if got := growth(live); got != want {
			t.Errorf("%d MB live: %d %%, want %d", live>>20, got, want)
		}
	}
}
