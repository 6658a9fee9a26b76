package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// showFailures prints what was written, and each wrong answer with the context that it got.
func showFailures(w io.Writer, o outcome) {
	fmt.Fprintf(w, "%s, %s, statements %s apart; written:", o.Agent, o.Engine, o.Spacing)
	for _, status := range slices.Sorted(maps.Keys(o.Written)) {
		fmt.Fprintf(w, " %d %s", o.Written[status], status)
	}
	fmt.Fprintln(w)
	for _, a := range o.Answers {
		if a.Right {
			continue
		}
		fmt.Fprintf(w, "  FAIL  %s want %q", a.Ask, a.Want)
		if len(a.Never) > 0 {
			fmt.Fprintf(w, ", never %q", a.Never)
		}
		if a.ByValue {
			fmt.Fprint(w, " (by value)")
		}
		fmt.Fprintf(w, "\n        %s\n", cmp.Or(strings.ReplaceAll(a.Context, "\n", " | "), "(nothing)"))
		if len(a.Held) > 0 {
			fmt.Fprintf(w, "        held back: %s; %s\n", strings.Join(a.Held, ", "), a.Status)
		}
	}
}

// showTable prints a row for each run and the sums of each engine and spacing.
func showTable(w io.Writer, done []outcome) {
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	defer func() { _ = t.Flush() }()
	fmt.Fprintln(t, "engine\tagent\tapart\tright\tbut for search by value")
	type group struct{ engine, spacing string }
	sums, order := map[group][]answer{}, []group{}
	for _, o := range done {
		showRow(t, o.Engine, o.Agent, o.Spacing, o.Answers)
		g := group{o.Engine, o.Spacing}
		if _, ok := sums[g]; !ok {
			order = append(order, g)
		}
		sums[g] = append(sums[g], o.Answers...)
	}
	for _, g := range order {
		showRow(t, g.engine, "all", g.spacing, sums[g])
	}
}

func showRow(w io.Writer, engine, agent, spacing string, answers []answer) {
	right, named, namedRight := tally(answers)
	fmt.Fprintf(w, "%s\t%s\t%s\t%d of %d\t%d of %d\n", engine, agent, spacing, right, len(answers), namedRight, named)
}
