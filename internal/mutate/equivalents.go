package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// equivalent is a mutant that no test can kill, since it changes nothing that a caller can see. It stands for every
// mutant of the file with that line of source and that change.
type equivalent struct {
	File   string `json:"file"`   // relative to the module
	Was    string `json:"was"`    // the line of source, without the space around it
	Change string `json:"change"` // as the report shows it
	Reason string `json:"reason"`
}

type equivalents []equivalent

// readEquivalents reads a list of equivalent mutants. Each must have a reason.
func readEquivalents(name string) (equivalents, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var list equivalents
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, e := range list {
		if strings.TrimSpace(e.Reason) == "" {
			return nil, fmt.Errorf("%s: %s: %q has no reason", name, e.File, e.Change)
		}
	}
	return list, nil
}

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
