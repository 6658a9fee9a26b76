package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"tenure/statements"
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
	share := func(n, of int) float64 { return float64(n) / float64(max(of, 1)) }
	return fmt.Sprintf("%4d asks  cc %.3f  recall %.3f  resurrection %.3f", t.asks, share(t.ok, t.asks), share(t.found, t.want),
		share(t.raised, t.live))
}

// summarize prints the figures of some questions: of all, by aim and by act.
func summarize(w io.Writer, name string, results []*result) {
	if len(results) == 0 {
		return
	}
	groups := map[string]*tally{}
	for _, r := range results {
		for _, g := range []string{" all", "aim " + r.a.Aim, "act " + string(r.a.Act)} {
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
	fmt.Fprintf(w, "\n%s %s %s: %s\n  must %q found %q bad %q\n", r.c.ID, r.a.Aim, r.a.Act, r.a.Question, r.a.Must, r.found, r.bad)
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

func (b *bins) count(c *conversation, changes []statements.Change) {
	for _, ch := range changes {
		if ch.Effect != statements.Set && ch.Effect != statements.Unsure || ch.Value == "" {
			continue
		}
		wanted := func(list func(*ask) []string) bool {
			return slices.ContainsFunc(c.Asks, func(a ask) bool {
				return slices.ContainsFunc(list(&a), func(p string) bool { return contains(ch.Value, p) })
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
