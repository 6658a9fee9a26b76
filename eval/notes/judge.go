package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"tenure"
	"tenure/text"
)

// result is what became of a story. Right are the facts that are held of their subject by a name of their property,
// Valued those whose value is held of their subject by any name; Remarked are those that only a remark has.
type result struct {
	Engine   string     `json:"engine"`
	Set      string     `json:"set"`
	Story    string     `json:"story"`
	Expected int        `json:"expected"`
	Right    int        `json:"right"`
	Valued   int        `json:"valued"`
	Remarked int        `json:"remarked"`
	Held     int        `json:"held"` // beliefs, without remarks
	False    []fact     `json:"false"`
	Missing  []expected `json:"missing"`
}

func judge(s story, held []fact) result {
	r := result{Story: s.ID, Expected: len(s.State)}
	due := make([]bool, len(held))
	for _, e := range s.State {
		var right, valued, remarked bool
		for i, f := range held {
			switch {
			case !has(f.Value, e.Value):
			case f.Predicate == tenure.Remark:
				remarked = true
			case has(f.Subject, e.Subject), has(e.Subject, f.Subject):
				valued, due[i] = true, true
				right = right || e.isCalled(f.Predicate)
			}
		}
		r.Right, r.Valued = r.Right+one(right), r.Valued+one(valued)
		r.Remarked += one(remarked && !valued)
		if !valued {
			r.Missing = append(r.Missing, e)
		}
	}
	for i, f := range held {
		if f.Predicate == tenure.Remark {
			continue
		}
		if r.Held++; !due[i] {
			r.False = append(r.False, f)
		}
	}
	return r
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// has reports whether a text has another one as a part, whatever its case.
func has(whole, part string) bool { return strings.Contains(text.Fold(whole), text.Fold(part)) }

// isCalled reports whether a predicate has one of the words for the property, or a word with the same beginning.
func (e expected) isCalled(predicate string) bool {
	const stem = 5
	return slices.ContainsFunc(strings.Split(predicate, "_"), func(w string) bool {
		return len(w) > 1 && slices.ContainsFunc(e.Property, func(p string) bool {
			return p[:min(stem, len(p))] == w[:min(stem, len(w))]
		})
	})
}

func (r result) show(out io.Writer) {
	for _, e := range r.Missing {
		fmt.Fprintf(out, "%s: missing: %s / %s: %s\n", r.Story, e.Subject, e.Property[0], e.Value)
	}
	for _, f := range r.False {
		fmt.Fprintf(out, "%s: false: %s / %s: %s\n", r.Story, f.Subject, f.Predicate, f.Value)
	}
}

// report prints a table of the sets, by engine.
func report(out io.Writer, all []result) {
	t := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "ENGINE\tSET\tSTORIES\tFACTS\tRIGHT\tVALUE\tAT LEAST A REMARK\tBELIEFS\tFALSE OF THEM")
	type row struct{ engine, set string }
	var rows []row
	sums := map[row]result{}
	for _, r := range all {
		k := row{r.Engine, r.Set}
		if !slices.Contains(rows, k) {
			rows = append(rows, k)
		}
		sum := sums[k]
		sum.Expected, sum.Right, sum.Valued = sum.Expected+r.Expected, sum.Right+r.Right, sum.Valued+r.Valued
		sum.Remarked, sum.Held, sum.False = sum.Remarked+r.Remarked, sum.Held+r.Held, append(sum.False, r.False...)
		sums[k] = sum
	}
	for _, k := range rows {
		sum, stories := sums[k], 0
		for _, r := range all {
			stories += one(r.Engine == k.engine && r.Set == k.set)
		}
		share := func(n, of int) float64 { return float64(n) / float64(max(1, of)) }
		_, _ = fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%.3f\t%.3f\t%.3f\t%d\t%.3f\n", k.engine, k.set, stories, sum.Expected,
			share(sum.Right, sum.Expected), share(sum.Valued, sum.Expected), share(sum.Valued+sum.Remarked, sum.Expected),
			sum.Held, share(len(sum.False), sum.Held))
	}
	_ = t.Flush()
}
