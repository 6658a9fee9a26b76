package main

import (
	"errors"
	"fmt"
	"testing"
	"time"
)

// TestWhatIsDue checks that requests are due evenly, whatever the rate.
func TestWhatIsDue(t *testing.T) {
	for _, c := range []struct {
		rate   float64
		within time.Duration
		want   int
	}{{10, time.Second, 10}, {0.5, 4 * time.Second, 2}, {2500, 2 * time.Second, 5000}} {
		if got := due(c.rate, c.within); got != c.want {
			t.Errorf("%g a second for %s: %d, want %d", c.rate, c.within, got, c.want)
		}
		if first, last := dueAt(0, c.rate), dueAt(c.want, c.rate); first != 0 || last != c.within {
			t.Errorf("%g a second: from %s to %s", c.rate, first, last)
		}
	}
}

// TestSummaryOfALoad checks that goodput counts what was answered well, for the time in which it was due, and that
// latencies are of that alone.
func TestSummaryOfALoad(t *testing.T) {
	var heavy endings
	for i := range 100 {
		heavy = append(heavy, ending{took: time.Duration(i+1) * time.Millisecond})
	}
	for _, err := range []error{
		errUnsent, errUnsent, fmt.Errorf("POST /v1/observations: 503 Service Unavailable"),
		fmt.Errorf("POST /v1/observations: 429 Too Many Requests"), errors.New("connection reset"),
	} {
		heavy = append(heavy, ending{took: time.Hour, err: err})
	}
	calm := quietOf(
		endings{{took: 7 * time.Millisecond}, {took: time.Hour, err: errors.New("500 Internal")}},
		endings{{took: 3 * time.Millisecond}},
	)
	got := summary(2, 10*time.Second, heavy, calm, 64<<20)
	if got.offered != 10.5 || got.goodput != 10 || got.answered != (share{good: 100, refused: 2, failed: 1, unsent: 2}) {
		t.Errorf("%+v", got)
	}
	for name, c := range map[string]struct{ got, want time.Duration }{
		"p50": {got.p50, 50 * time.Millisecond}, "p99": {got.p99, 99 * time.Millisecond},
	} {
		if (c.got - c.want).Abs() > 2*time.Millisecond {
			t.Errorf("%s: %s, want %s", name, c.got, c.want)
		}
	}
	late := endings{{due: 9 * time.Second, took: 11 * time.Second}, {due: 9 * time.Second, took: time.Hour, err: errUnsent}}
	if got := summary(1, 10*time.Second, late, calm, 0); got.goodput != 0.05 {
		t.Errorf("an answer that came after 20 seconds: %g a second", got.goodput)
	}
	if want := (quiet{Writes: 7 * time.Millisecond, Reads: 3 * time.Millisecond, Lost: 1}); got.quiet != want {
		t.Errorf("the quiet tenant: %+v", got.quiet)
	}
	if none := (endings{{err: errUnsent}}).quantile(.99); none != 0 {
		t.Errorf("a quantile of nothing: %s", none)
	}
}

// TestMarksOfALoad checks that lost requests and little goodput are errors, and that slower answers are reported.
func TestMarksOfALoad(t *testing.T) {
	alone := quiet{Writes: 10 * time.Millisecond, Reads: 5 * time.Millisecond}
	good := []loaded{{factor: 1, goodput: 85, quiet: quiet{Writes: 20 * time.Millisecond, Reads: 10 * time.Millisecond}},
		{factor: .5, goodput: 50, quiet: alone}}
	if m := judged(good, 100, alone); len(m.broken) > 0 || len(m.slower) > 0 {
		t.Errorf("%+v", m)
	}
	bad := []loaded{{factor: 5, goodput: 79, quiet: quiet{Writes: 21 * time.Millisecond, Reads: 11 * time.Millisecond, Lost: 1}}}
	if m := judged(bad, 100, alone); len(m.broken) != 2 || len(m.slower) != 2 {
		t.Errorf("%+v", m)
	}
}
