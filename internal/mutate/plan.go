package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// plan is the file that says what is mutated.
type plan struct {
	Packages    []planned   `json:"packages"` // in the order in which they are mutated
	Equivalents equivalents `json:"equivalents"`
}

// planned is a package to mutate. Its rules may be held by the tests of other packages beside its own: Tests are
// arguments of go test for each of those.
type planned struct {
	Package string   `json:"package"` // relative to the module
	Tests   []string `json:"tests"`
}

// readPlan reads a plan. Each equivalent must have a reason.
func readPlan(name string) (plan, error) {
	var p plan
	text, err := os.ReadFile(name)
	if err != nil {
		return p, err
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return p, fmt.Errorf("%s: %w", name, err)
	}
	for _, e := range p.Equivalents {
		if strings.TrimSpace(e.Reason) == "" {
			return p, fmt.Errorf("%s: %s: %q has no reason", name, e.File, e.Change)
		}
	}
	return p, nil
}

// patterns names all packages of the plan for the go command.
func (p plan) patterns() []string {
	var names []string
	for _, x := range p.Packages {
		names = append(names, "./"+x.Package)
	}
	return names
}

// tests returns the arguments of go test, one list a run, for what holds a package: its own tests first.
func (p plan) tests(dir string) [][]string {
	runs := [][]string{{"./" + dir}}
	for _, x := range p.Packages {
		if x.Package == dir {
			for _, args := range x.Tests {
				runs = append(runs, strings.Fields(args))
			}
		}
	}
	return runs
}

// equivalent is a mutant that no test can kill, since it changes nothing that a caller can see. It stands for every
// mutant of the file with that line of source and that change.
type equivalent struct {
	File   string `json:"file"`   // relative to the module
	Was    string `json:"was"`    // the line of source, without the space around it
	Change string `json:"change"` // as the report shows it
	Reason string `json:"reason"`
}

type equivalents []equivalent

// has reports whether a mutant is on the list.
func (list equivalents) has(m mutant) bool {
	return slices.ContainsFunc(list, func(e equivalent) bool { return e.matches(m) })
}

func (e equivalent) matches(m mutant) bool {
	return e.File == m.file.rel && e.Was == m.was && e.Change == m.change
}

// stale returns an error for an entry about one of the mutated files that none of their mutants matches: the code
// has changed, and the reason may hold no longer.
func (list equivalents) stale(found []mutant) error {
	for _, e := range list {
		mutated := slices.ContainsFunc(found, func(m mutant) bool { return m.file.rel == e.File })
		if mutated && !slices.ContainsFunc(found, e.matches) {
			return fmt.Errorf("an equivalent that is no mutant any more: %s: %q: %s", e.File, e.Was, e.Change)
		}
	}
	return nil
}
