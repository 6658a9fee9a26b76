package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sample loads the package with known mutants.
func sample(t *testing.T) *pkg {
	t.Helper()
	packages, err := load(t.Context(), []string{"./testdata/sample"})
	if err != nil {
		t.Fatal(err)
	}
	return packages[0]
}

// ready returns a tester that shares the build cache of the user.
func ready(t *testing.T, p *pkg, e2e string) *tester {
	t.Helper()
	tester, err := newTester(p.root, e2e, goCache(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tester.close)
	return tester
}

func goCache(t *testing.T) string {
	t.Helper()
	cache, err := exec.CommandContext(t.Context(), "go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(cache))
}

func TestMutants(t *testing.T) {
	var got []string
	for _, m := range sample(t).mutants(nil) {
		got = append(got, fmt.Sprintf("%s:%d %s: %s", filepath.Base(m.file.rel), m.line, m.kind, m.change))
	}
	want := []string{
		"loop.go:5 constant: 0 becomes 1",
		"loop.go:6 comparison: != becomes ==",
		"loop.go:7 removal: i += 1 becomes nothing",
		"loop.go:7 arithmetic: += becomes -=",
		"loop.go:7 constant: 1 becomes 2",
		"loop.go:7 constant: 1 becomes 0",
		"loop.go:9 result: i becomes 0",
		"sample.go:14 constant: 2 becomes 3",
		"sample.go:14 constant: 2 becomes 1",
		"sample.go:18 comparison: > becomes <=",
		"sample.go:18 bound: > becomes >=",
		"sample.go:26 constant: 0 becomes 1",
		"sample.go:28 removal: keys = append(keys, k) becomes nothing",
		"sample.go:30 order: slices.Sort(keys) becomes nothing",
		"sample.go:31 result: keys becomes nil",
		"sample.go:35 negation: ok becomes !(ok)",
		"sample.go:39 negation: !ok becomes ok",
		`sample.go:41 result: errors.New("no limit of " + name) becomes nil`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestFates(t *testing.T) {
	const of = "internal/mutate/testdata/sample/sample.go"
	p := sample(t)
	plan := plan{Equivalents: equivalents{
		{File: of, Was: "keys := make([]string, 0, 7)", Change: "0 becomes 1", Reason: "for the test"},
	}}
	tester := ready(t, p, "./internal/mutate/testdata/user")
	r, err := mutatePackage(t.Context(), tester, p, plan, options{jobs: 2, only: "sample.go"})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	r.print(&out)
	want := of + `:14:15: constant: 2 becomes 3
	const least = 2
` + of + `:30:2: order: slices.Sort(keys) becomes nothing
	slices.Sort(keys)
` + of + `:35:38: negation: ok becomes !(ok) (reached by no test)
	func Untested(ok bool) bool { return ok }
internal/mutate/testdata/sample: 11 mutants; 66.7 % killed: 6 killed (2 end to end, 0 by time), ` +
		`3 survived (1 reached by no test), 1 not compiled, 1 equivalent
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

// TestEveryShapeOfFunctionIsMutated checks that mutants of all kinds of functions are compiled into one test binary, and
// that each of them is the one that runs.
func TestEveryShapeOfFunctionIsMutated(t *testing.T) {
	packages, err := load(t.Context(), []string{"./testdata/shapes"})
	if err != nil {
		t.Fatal(err)
	}
	p := packages[0]
	tester := ready(t, p, "")
	r, err := mutatePackage(t.Context(), tester, p, plan{}, options{jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	numbers := map[mutant]int{}
	trials, _ := choose(p, p.mutants(nil), nil, options{})
	p.schema(trials, numbers)
	if len(r.survivors) != 0 || r.killed < 10 || len(numbers) != len(trials) {
		t.Errorf("%d killed, %d of %d in one binary, survivors %v", r.killed, len(numbers), len(trials), r.survivors)
	}
}

func TestAMutantThatDoesNotEndIsKilled(t *testing.T) {
	p := sample(t)
	tester := ready(t, p, "")
	base, err := tester.baseline(t.Context(), p, []string{"./" + p.dir})
	if err != nil {
		t.Fatal(err)
	}
	base.limit = time.Second
	for _, m := range p.mutants(map[string]bool{"loop.go": true}) {
		if m.kind != "removal" {
			continue
		}
		text, ok := p.compile(m)
		if !ok {
			t.Fatal("does not compile")
		}
		if got := tester.one(t.Context(), []baseline{base}, &schema{}, trial{m, text}); got.fate != killedByTime || got.err != nil {
			t.Errorf("fate %d, %v", got.fate, got.err)
		}
	}
}

func TestOneLineIsMutatedAlone(t *testing.T) {
	for _, m := range sample(t).mutants(places("sample.go:18,loop.go")) {
		if name := filepath.Base(m.file.rel); name != "loop.go" && m.line != 18 {
			t.Errorf("%s:%d %s", name, m.line, m.change)
		}
	}
	if got := len(sample(t).mutants(places("sample.go:18,loop.go:9"))); got != 3 {
		t.Errorf("%d mutants", got)
	}
}

func TestASampleCanBeDrawnAgain(t *testing.T) {
	p := sample(t)
	found := p.mutants(nil)
	drawn := func(seed uint64) (changes []string) {
		chosen, _ := choose(p, found, nil, options{sample: 6, seed: seed})
		for _, c := range chosen {
			changes = append(changes, fmt.Sprint(c.line, c.change))
		}
		return changes
	}
	if diff := cmp.Diff(drawn(1), drawn(1)); diff != "" {
		t.Error(diff)
	}
	if got := drawn(1); len(got) != 6 || cmp.Equal(got, drawn(2)) {
		t.Errorf("two seeds draw the same: %v", got)
	}
}

func TestEquivalentsAreKeptHonest(t *testing.T) {
	const of = "internal/mutate/testdata/sample/sample.go"
	p := sample(t)
	found := p.mutants(nil)
	for _, c := range []struct {
		name  string
		entry equivalent
		stale bool
	}{
		{"a-mutant-that-is", equivalent{of, "slices.Sort(keys)", "slices.Sort(keys) becomes nothing", "x"}, false},
		{"a-line-that-has-changed", equivalent{of, "slices.Sort(names)", "slices.Sort(keys) becomes nothing", "x"}, true},
		{"a-file-that-is-gone", equivalent{p.dir + "/gone.go", "x", "y", "z"}, true},
		{"a-package-that-is-not-mutated-now", equivalent{"beliefs/other.go", "x", "y", "z"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (equivalents{c.entry}).stale(p.dir, found); (len(got) == 1) != c.stale {
				t.Errorf("stale = %v", got)
			}
		})
	}
}

func TestThePlanIsWhole(t *testing.T) {
	p, err := readPlan("mutate.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range p.Packages {
		if _, err := os.Stat("../../" + x.Package); err != nil {
			t.Error(err)
		}
	}
	if got := p.tests("registry"); got[0][0] != "./registry" || len(got[0]) != 3 || got[0][1] != "-skip" {
		t.Errorf("registry is held by %v", got)
	}
	if got := p.tests("conflicts"); len(got) != 2 || got[0][0] != "./conflicts" || got[1][0] != "./beliefs" {
		t.Errorf("conflicts is held by %v", got)
	}
}
