package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"tenure/internal/measure"
)

// scored is a set as a system answered it.
type scored struct {
	set     set
	system  string
	answers []answer
}

// showTotals prints a row for each system that answered a set.
func showTotals(w io.Writer, s set, systems []scored) {
	fmt.Fprintf(w, "\n%s: %d conversations, %d questions\n", s.name, len(s.list), len(systems[0].answers))
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	defer func() { _ = t.Flush() }()
	fmt.Fprintln(t, "\tright\tnew\tchange\tcontrol\trecall\tresurrection\ttokens\tp95\twhole\t")
	for _, x := range systems {
		all := sum(x.answers)
		fmt.Fprintf(t, "%s\t%s\t", x.system, ratio(all.Right, all.Asks))
		aims := group(x.answers, aimOf)
		for _, aim := range []string{"new", "change", "control"} {
			one := sum(aims[aim])
			fmt.Fprintf(t, "%s\t", ratio(one.Right, one.Asks))
		}
		right, conversations := whole(x.answers)
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t\n", ratio(all.Got, all.Must), ratio(all.Bad, all.Live), all.Tokens, all.Tokens5,
			ratio(right, conversations))
	}
}

func aimOf(a answer) string { return a.Aim }

// splits are the ways of splitting the answers of a set.
var splits = []struct {
	name string
	of   func(answer) string
}{
	{"act", func(a answer) string { return a.Act }},
	{"aim and act", answer.class},
	{"register", func(a answer) string { return a.Conversation.Register }},
	{"domain", func(a answer) string { return a.Conversation.Domain }},
	{"language", func(a answer) string { return a.Conversation.Language }},
	{"writer", func(a answer) string { return a.Conversation.Writer }},
}

// showSplits prints the answers of a system by what the questions and conversations are.
func showSplits(w io.Writer, s scored) {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', tabwriter.AlignRight)
	defer func() { _ = t.Flush() }()
	for _, by := range splits {
		groups := group(s.answers, by.of)
		if len(groups) < 2 { //nolint:mnd // one group is no split
			continue
		}
		fmt.Fprintf(t, "%s, by %s\tquestions\tright\trecall\tresurrection\tempty\tmissing\tbeside\tstale\t\n",
			s.system, by.name)
		for _, name := range slices.Sorted(maps.Keys(groups)) {
			one := sum(groups[name])
			fmt.Fprintf(t, "%s\t%d\t%s\t%s\t%s\t", name, one.Asks, ratio(one.Right, one.Asks), ratio(one.Got, one.Must),
				ratio(one.Bad, one.Live))
			for _, fault := range []string{empty, missing, beside, stale} {
				fmt.Fprintf(t, "%d\t", one.Faults[fault])
			}
			fmt.Fprintln(t)
		}
	}
}

func group(answers []answer, of func(answer) string) map[string][]answer {
	groups := map[string][]answer{}
	for _, a := range answers {
		groups[of(a)] = append(groups[of(a)], a)
	}
	return groups
}

// mixed returns the wrong answers, the classes in turn and the largest class first.
func mixed(answers []answer) []answer {
	classes := group(slices.DeleteFunc(slices.Clone(answers), answer.right), answer.class)
	names := slices.SortedFunc(maps.Keys(classes), func(a, b string) int {
		return cmp.Or(len(classes[b])-len(classes[a]), cmp.Compare(a, b))
	})
	var out []answer
	for i, more := 0, true; more; i++ {
		more = false
		for _, name := range names {
			if i < len(classes[name]) {
				out, more = append(out, classes[name][i]), true
			}
		}
	}
	return out
}

// showFailures prints n wrong answers, some of each class, with all that was known and said.
func showFailures(w io.Writer, s scored, n int) {
	wrong := mixed(s.answers)
	for _, a := range wrong[:min(n, len(wrong))] {
		c := a.Conversation
		fmt.Fprintf(w, "\n%s %s, %s, %s: %s\n  must %q, must not %q; got %q, wrong %q\n", c.ID, a.class(), a.fault(), a.cause(),
			a.Question, a.Must, a.MustNot, a.Got, a.Bad)
		if a.Why != "" {
			fmt.Fprintf(w, "  why: %s\n", a.Why)
		}
		for _, k := range c.Known {
			fmt.Fprintf(w, "  known  %s\n", k.Line())
		}
		for i, list := range a.Said {
			fmt.Fprintf(w, "  said   %s\n", c.Turns[i].Line())
			for _, s := range list {
				fmt.Fprintf(w, "           %s\n", statementLine(s))
			}
		}
		for line := range strings.Lines(a.Context) {
			fmt.Fprintf(w, "  | %s\n", strings.TrimSuffix(line, "\n"))
		}
	}
}

func showTimes(w io.Writer, engine string, s *service) {
	const half, most = .5, .95
	fmt.Fprintf(w, "\n%s: a turn takes p50 %v, p95 %v; a question p50 %v, p95 %v\n", engine, measure.Quantile(s.heard, half),
		measure.Quantile(s.heard, most), measure.Quantile(s.asked, half), measure.Quantile(s.asked, most))
}

func ratio(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.3f", measure.Share(n, of))
}
