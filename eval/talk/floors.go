package main

import (
	"fmt"
	"io"

	"tenure/internal/measure"
)

// floor is what a set must reach; 0 of one of the bounds is no bound.
type floor struct {
	set          string
	right        float64 // clean and complete, at least
	resurrection float64 // at most
}

// floors are the minimum results, checked if a set is run whole.
var floors = []floor{
	{"talk", .660, .18},
	{"paraphrases", .750, .17},
	{"held", .430, .31},
	{"unseen", .640, .27},
	{"forget", .890, .06},
}

// judgeFloors prints which floors are met, and reports whether all are. A request that failed meets none.
func judgeFloors(w io.Writer, engine string, done []scored, failed []string) bool {
	met := true
	say := func(ok bool, format string, args ...any) {
		word := "pass"
		if !ok {
			word, met = "FAIL", false
		}
		fmt.Fprintf(w, "%s  %s: %s\n", word, engine, fmt.Sprintf(format, args...))
	}
	for _, s := range done {
		for _, f := range floors {
			if f.set != s.set.name {
				continue
			}
			sums := sum(s.answers)
			say(measure.Share(sums.Right, sums.Asks) >= f.right, "%s: clean and complete %s >= %.3f", f.set,
				ratio(sums.Right, sums.Asks), f.right)
			say(measure.Share(sums.Bad, sums.Live) <= f.resurrection, "%s: resurrection %s <= %.3f", f.set,
				ratio(sums.Bad, sums.Live), f.resurrection)
		}
	}
	say(len(failed) == 0, "%d requests failed", len(failed))
	const shown = 10
	for _, f := range failed[:min(shown, len(failed))] {
		fmt.Fprintln(w, "      ", f)
	}
	return met
}
