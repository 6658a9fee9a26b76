package main

import (
	"encoding/json"
	"fmt"
	"io"
	"tenure/values"
)

// judge is what is measured. Values are strings, json.Number, bool or nil.
type judge struct {
	// compare reports whether two values are one; ambiguous says that they cannot be told apart or together.
	compare func(left, right any) (equal, ambiguous bool)
	// finer returns left or right, whichever of two compatible values says more, or "" for any other two.
	finer func(left, right any) string
	// nothing reports whether what was said of the predicate is no value.
	nothing func(predicate string, value any) bool
}

// present compares as the program does a predicate whose type nobody has defined.
var present = judge{
	compare: func(left, right any) (bool, bool) {
		l, r := parsed(left), parsed(right)
		return l.Canonical() == r.Canonical(), l.Ambiguous+r.Ambiguous != ""
	},
	finer:   func(_, _ any) string { return "" },
	nothing: func(_ string, v any) bool { return parsed(v).Kind == values.None },
}

func parsed(v any) values.Value {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // the data are JSON
	}
	p, err := values.Parse(raw)
	if err != nil {
		panic(err)
	}
	return p
}

// share counts how many of n are right.
type share struct{ right, n int }

func (s *share) count(right bool) {
	s.n++
	if right {
		s.right++
	}
}

func (s share) String() string {
	if s.n == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", float64(s.right)/float64(s.n))
}

// result is what a judge made of the pairs of one type.
type result struct {
	kind string
	n    int

	equal    share // equal pairs found equal
	apart    share // unequal pairs not found equal
	mistaken int   // unequal pairs taken for compatible ones

	claimed  int   // ambiguous pairs claimed equal
	admitted share // ambiguous pairs called ambiguous
	finer    share // compatible pairs with the finer side right, and not called equal

	nothing   share // what is no value, seen as such
	something share // what only looks so, kept

	failures []string
}

// measure judges all pairs of the kind, or of every kind where it is "", by type in the order of the data.
func measure(j judge, pairs []pair, kind string) []*result {
	var out []*result
	byKind := map[string]*result{}
	for _, p := range pairs {
		if kind != "" && p.Type != kind {
			continue
		}
		r := byKind[p.Type]
		if r == nil {
			r = &result{kind: p.Type}
			byKind[p.Type] = r
			out = append(out, r)
		}
		r.n++
		if said, ok := r.judge(j, p); !ok {
			r.failures = append(r.failures, fmt.Sprintf("%-10s  %s  |  %s  said %s  (%s)",
				p.Gold, quoted(p.Left), quoted(p.Right), said, p.Note))
		}
	}
	return out
}

// quoted shows the value as JSON, with what does not print.
func quoted(v any) string {
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%+q", s)
	}
	return literal(v)
}

// judge counts one pair. It returns what the judge said, and whether that is right.
func (r *result) judge(j judge, p pair) (said string, ok bool) {
	switch p.Gold {
	case goldNothing, goldSomething:
		empty := j.nothing(p.Predicate, p.Left)
		ok = empty == (p.Gold == goldNothing)
		if p.Gold == goldNothing {
			r.nothing.count(ok)
		} else {
			r.something.count(ok)
		}
		return map[bool]string{true: goldNothing, false: goldSomething}[empty], ok
	}
	said, finer := verdict(j, p)
	ok = said == p.Gold
	switch p.Gold {
	case goldEqual:
		r.equal.count(ok)
	case goldUnequal:
		ok = said != goldEqual
		r.apart.count(ok)
		if said == goldCompatible {
			r.mistaken++
		}
	case goldAmbiguous:
		r.admitted.count(ok)
		ok = said != goldEqual
		if !ok {
			r.claimed++
		}
	case goldCompatible:
		ok = ok && finer == p.Finer
		r.finer.count(ok)
	}
	return said, ok
}

func verdict(j judge, p pair) (said, finer string) {
	equal, ambiguous := j.compare(p.Left, p.Right)
	finer = j.finer(p.Left, p.Right)
	switch {
	case equal:
		return goldEqual, ""
	case finer != "":
		return goldCompatible, finer
	case ambiguous:
		return goldAmbiguous, ""
	}
	return goldUnequal, ""
}

const row = "%-14s %6v %7v %8v %11v %9v %9v %7v\n"

// report prints a table of one half and the first failures of each type.
func report(w io.Writer, half string, results []*result, failures int) {
	say := func(format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }
	say("\n%s\n", half)
	say(row, "type", "n", "equal", "unequal", "unequal", "ambiguous", "ambiguous", "finer")
	say(row, "", "", "found", "apart", "compatible", "claimed", "admitted", "right")
	total := &result{kind: "all"}
	for _, r := range results {
		if r.nothing.n > 0 {
			continue
		}
		total.add(r)
		line(say, r)
	}
	line(say, total)
	for _, r := range results {
		if r.nothing.n > 0 {
			say("%s: %v of %d seen, %v of %d real values kept\n", r.kind, r.nothing, r.nothing.n, r.something, r.something.n)
		}
		for _, f := range r.failures[:min(failures, len(r.failures))] {
			say("  %-14s %s\n", r.kind, f)
		}
	}
}

func line(say func(string, ...any), r *result) {
	say(row, r.kind, r.n, r.equal, r.apart, r.mistaken, fmt.Sprintf("%d/%d", r.claimed, r.admitted.n), r.admitted, r.finer)
}

func (r *result) add(o *result) {
	r.n += o.n
	r.mistaken += o.mistaken
	r.claimed += o.claimed
	for _, s := range []struct{ to, from *share }{{&r.equal, &o.equal}, {&r.apart, &o.apart}, {&r.admitted, &o.admitted}, {&r.finer, &o.finer}} {
		s.to.right += s.from.right
		s.to.n += s.from.n
	}
}
