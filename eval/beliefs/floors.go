package main

import (
	"fmt"
	"io"
)

// floor is what an importer must reach over train and dev, rule v1; 0 is no bound.
type floor struct {
	importer     string
	clean        float64 // clean and complete, at least
	resurrection float64 // live resurrection, at most
}

// floors holds what stands: for the reading importer, the best of the referee's own drivers, valid-facts+env; for the
// plain one, somewhat less than was measured.
var floors = []floor{
	{reading, .539, .52},
	{plain, .75, .15},
}

// judgeFloors prints for each run which floors are met, and reports whether all are. The floors on scores apply to the
// whole data only.
func judgeFloors(w io.Writer, runs []result, partial bool) bool {
	fmt.Fprintln(w, "\nfloors")
	met := true
	judge := func(run, what string, ok bool) {
		word := "pass"
		if !ok {
			word, met = "FAIL", false
		}
		fmt.Fprintf(w, "%s  %s: %s\n", word, run, what)
	}
	for _, r := range runs {
		s := r.StateBench["v1"].Overall
		for _, f := range floors {
			if partial || f.importer != r.Importer {
				continue
			}
			judge(r.name(), fmt.Sprintf("clean and complete %s >= %.3f", number("%.3f", s.Clean), f.clean),
				s.Clean != nil && *s.Clean >= f.clean)
			judge(r.name(), fmt.Sprintf("live resurrection %s <= %.3f", number("%.3f", s.SFRR), f.resurrection),
				s.SFRR != nil && *s.SFRR <= f.resurrection)
		}
		judge(r.name(), fmt.Sprintf("%d requests failed", len(r.Failures)), len(r.Failures) == 0)
		const show = 10
		for _, f := range r.Failures[:min(show, len(r.Failures))] {
			fmt.Fprintln(w, "      ", f)
		}
	}
	return met
}
