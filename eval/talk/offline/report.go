package main

import (
	talk "tenure/eval/talk/conversation"

	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"tenure/internal/measure"
	"tenure/statements/align"
)

// tally counts answers.
type tally struct{ asks, ok, want, found, live, raised int }

func (t *tally) add(r *result) {
	t.asks++
	t.want += len(r.a.Must)
	t.found += len(r.found)
	if r.ok() {
		t.ok++
	}
	if len(r.a.MustNot) > 0 {
		t.live++
	}
	if len(r.bad) > 0 {
		t.raised++
	}
}

func (t *tally) String() string {
	return fmt.Sprintf("%4d asks  cc %.3f  recall %.3f  resurrection %.3f", t.asks,
		measure.Share(t.ok, t.asks), measure.Share(t.found, t.want), measure.Share(t.raised, t.live))
}

// summarize prints the figures of some questions: of all, by aim and by act.
func summarize(w io.Writer, name string, results []*result) {
	if len(results) == 0 {
		return
	}
	groups := map[string]*tally{}
	for _, r := range results {
		for _, g := range []string{" all", "aim " + r.a.Aim, "act " + r.a.Act} {
			if groups[g] == nil {
				groups[g] = &tally{}
			}
			groups[g].add(r)
		}
	}
	fmt.Fprintf(w, "== %s\n", name)
	for _, g := range slices.Sorted(maps.Keys(groups)) {
		fmt.Fprintf(w, "   %-22s%s\n", g, groups[g])
	}
}

func show(w io.Writer, r *result) {
	fmt.Fprintf(w, "\n# %s\n%s %s %s: %s\n  must %q found %q bad %q\n", class(r), r.c.ID, r.a.Aim, r.a.Act, r.a.Question, r.a.Must, r.found, r.bad)
	for _, f := range r.c.Known {
		fmt.Fprintf(w, "  K %s / %s: %s (%s)\n", f.Subject, f.Predicate, f.Value, f.Role)
	}
	fmt.Fprintln(w, strings.Join(r.trace, "\n"))
	fmt.Fprintf(w, "  | %s\n", strings.ReplaceAll(r.context, "\n", "\n  | "))
}

// bins counts, by confidence, how many of the values that were set are wanted by a question of the conversation, and
// how many are what no question may be answered by.
type bins struct{ right, wrong [11]int }

func newBins() *bins { return &bins{} }

func (b *bins) count(c *conversation, changes []align.Change) {
	for _, ch := range changes {
		if ch.Effect != align.Set && ch.Effect != align.Unsure || ch.Value == "" {
			continue
		}
		wanted := func(list func(*ask) []string) bool {
			return slices.ContainsFunc(c.Asks, func(a ask) bool {
				return slices.ContainsFunc(list(&a), func(p string) bool { return talk.Contains(ch.Value, p) })
			})
		}
		bin := int(ch.Confidence * 10)
		if wanted(func(a *ask) []string { return a.MustNot }) {
			b.wrong[bin]++
		} else if wanted(func(a *ask) []string { return a.Must }) {
			b.right[bin]++
		}
	}
}

func (b *bins) print(w io.Writer) {
	fmt.Fprintln(w, "== set or proposed, by confidence: wanted, unwanted")
	for i := range b.right {
		if n := b.right[i] + b.wrong[i]; n > 0 {
			fmt.Fprintf(w, "   %.1f  %4d %4d  %.2f\n", float64(i)/10, b.right[i], b.wrong[i], float64(b.right[i])/float64(n))
		}
	}
}

// class says where a question was lost: in reading or in aligning.
func class(r *result) string {
	value := func(list []string, s said) bool {
		return slices.ContainsFunc(list, func(p string) bool { return talk.Contains(s.New.Text, p) || talk.Contains(s.Old.Text, p) })
	}
	best := 0
	names := []string{"the value is in no statement", "the value is in a statement whose act changes nothing",
		"the value is in a statement that was not aligned", "the value was proposed", "the value was set, and not answered"}
	list := r.a.Must
	if len(r.found) == len(r.a.Must) {
		list = r.bad
		names = []string{"what is wrong was never read", "what is wrong was read and kept out, and not ended", "what is wrong is in a remark",
			"what is wrong is to be confirmed", "what is wrong was set"}
	}
	for _, s := range r.said {
		if !value(list, s) {
			continue
		}
		switch {
		case s.change.Effect == align.Set || s.change.Effect == align.Adds:
			best = max(best, 4)
		case s.change.Effect == align.Unsure:
			best = max(best, 3)
		case s.Act.Changes():
			best = max(best, 2)
		default:
			best = max(best, 1)
		}
	}
	return r.a.Aim + ": " + names[best]
}

// classes prints how many questions were lost where.
func classes(w io.Writer, results []*result) {
	counts := map[string]int{}
	for _, r := range results {
		if !r.ok() {
			counts[class(r)]++
		}
	}
	fmt.Fprintln(w, "== questions that failed, by where they were lost")
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "   %4d  %s\n", counts[name], name)
	}
}
