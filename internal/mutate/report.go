package main

import (
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
)

// tally counts mutants by outcome.
type tally struct {
	killed, byE2E, byTime int // the last two are part of the first
	survived, unreached   int // the last is part of the first
	refused, equivalent   int
}

func (t *tally) add(o tally) {
	t.killed += o.killed
	t.byE2E += o.byE2E
	t.byTime += o.byTime
	t.survived += o.survived
	t.unreached += o.unreached
	t.refused += o.refused
	t.equivalent += o.equivalent
}

// share returns the percentage of killed mutants among the killable ones; 100 if there are none.
func (t tally) share() float64 {
	if t.killed+t.survived == 0 {
		return 100
	}
	return 100 * float64(t.killed) / float64(t.killed+t.survived)
}

func (t tally) String() string {
	return fmt.Sprintf("%.1f %% killed: %d killed (%d end to end, %d by time), %d survived (%d reached by no test), "+
		"%d not compiled, %d equivalent",
		t.share(), t.killed, t.byE2E, t.byTime, t.survived, t.unreached, t.refused, t.equivalent)
}

// result is the report on one package.
type result struct {
	tally
	dir       string
	found     int
	survivors []outcome
	stale     equivalents
}

func (r *result) record(o outcome) {
	switch o.fate {
	case refused:
		r.refused++
	case survived:
		r.survived++
		if !o.reached {
			r.unreached++
		}
		r.survivors = append(r.survivors, o)
	case killedByE2E:
		r.byE2E++
		r.killed++
	case killedByTime:
		r.byTime++
		r.killed++
	case killedByPackage:
		r.killed++
	}
}

// String formats the place and the change.
func (o outcome) String() string {
	note := ""
	if !o.reached {
		note = " (reached by no test)"
	}
	return fmt.Sprintf("%s:%d:%d: %s: %s%s", o.file.rel, o.line, o.col, o.kind, o.change, note)
}

// print writes the survivors in the order of the source, the stale entries of the plan, then the counts.
func (r *result) print(w io.Writer) {
	slices.SortFunc(r.survivors, func(a, b outcome) int {
		return cmp.Or(cmp.Compare(a.file.rel, b.file.rel), cmp.Compare(a.start, b.start), cmp.Compare(a.change, b.change))
	})
	for _, o := range r.survivors {
		fmt.Fprintf(w, "%s\n\t%s\n", o, o.was)
	}
	for _, e := range r.stale {
		fmt.Fprintf(w, "%s: %s: in the plan, and no mutant any more\n\t%s\n", e.File, e.Change, e.Was)
	}
	fmt.Fprintf(w, "%s: %d mutants; %s\n", r.dir, r.found, r.tally)
}

// choose compiles mutants until the sample is full. The tally counts the mutants that did not compile and the
// known equivalents.
func choose(p *pkg, found []mutant, known equivalents, o options) ([]trial, tally) {
	var counts tally
	var chosen []trial
	order := slices.Clone(found)
	if o.sample > 0 {
		//nolint:gosec // a sample that can be drawn again
		rand.New(rand.NewPCG(o.seed, 0)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	}
	for _, m := range order {
		if o.sample > 0 && len(chosen) == o.sample {
			break
		}
		if known.has(m) {
			counts.equivalent++
			continue
		}
		if text, ok := p.compile(m); ok {
			chosen = append(chosen, trial{m, text})
		} else {
			counts.refused++
		}
	}
	return chosen, counts
}
