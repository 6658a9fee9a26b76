package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Bounds of the heap's growth between two collections.
const (
	// leastGrowth is what a small heap may grow by, in bytes: a write allocates much short-lived memory, and a
	// collection for every few megabytes of it takes a tenth of the processor time.
	leastGrowth = 112 << 20
	// leastPercent is what any heap may grow by, in percent of what is live: Go's default.
	leastPercent = 100
	// leastLive is what is taken for live at least, since the first collection comes late by as much as the growth.
	leastLive = 16 << 20
)

// growth returns the growth for a live heap, in percent as of GOGC.
func growth(live uint64) int {
	return int(max(leastPercent, leastGrowth*100/max(live, leastLive)))
}

// tuneCollector sets the growth of the heap after each collection until it is stopped: see [growth]. If GOGC is set, it
// does nothing.
func tuneCollector() (stop func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	var stopped atomic.Bool
	before := debug.SetGCPercent(growth(0))
	var tune func(struct{})
	tune = func(struct{}) {
		if stopped.Load() {
			return
		}
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		debug.SetGCPercent(growth(live[0].Value.Uint64()))
		atCollection(tune)
	}
	atCollection(tune)
	return func() {
		stopped.Store(true)
		debug.SetGCPercent(before)
	}
}

// atCollection calls f after the next collection.
func atCollection(f func(struct{})) {
	type sentinel struct{ _ [16]byte }
	runtime.AddCleanup(&sentinel{}, f, struct{}{})
}
