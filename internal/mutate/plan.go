package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
)

// plan is the file that configures mutation.
type plan struct {
	Packages    []planned   `json:"packages"` // in the order in which they are mutated
	Equivalents equivalents `json:"equivalents"`
}

// planned is a package to mutate. Tests of other packages may cover its rules too: Tests holds the arguments
// of go test for each of those. Skip matches tests of the package itself that are too slow to run over a mutant.
type planned struct {
	Package string   `json:"package"` // relative to the module
	Skip    string   `json:"skip,omitempty"`
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

// tests returns the arguments of go test for each run that covers a package: its own tests first.
func (p plan) tests(dir string) [][]string {
	runs := [][]string{{"./" + dir}}
	for _, x := range p.Packages {
		if x.Package == dir {
			if x.Skip != "" {
				runs[0] = append(runs[0], "-skip", x.Skip)
			}
			for _, args := range x.Tests {
				runs = append(runs, strings.Fields(args))
			}
		}
	}
	return runs
}

// equivalent is a mutant that no test can kill, since it changes no observable behaviour. It matches every
// mutant of the file with that source line and that change.
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

// stale returns the entries about files of the package dir that match none of its mutants: the code has changed, and
// the reason may no longer apply.
func (list equivalents) stale(dir string, found []mutant) equivalents {
	var old equivalents
	for _, e := range list {
		if path.Dir(e.File) == dir && !slices.ContainsFunc(found, e.matches) {
			old = append(old, e)
		}
	}
	return old
}
