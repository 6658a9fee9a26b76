package main

import (
	"slices"
	"strings"
)

// question is what an agent asks, and how its answer is judged. A wanted value may have several spellings, separated
// by " | ".
type question struct {
	Ask     string   `json:"ask"`
	Want    []string `json:"want"`
	Never   []string `json:"never,omitempty"`
	ByValue bool     `json:"by_value,omitempty"` // needs search by value
}

// right reports whether a context answers the question: it has every wanted value, in one of its spellings, and no
// line of it ends in ": " and a forbidden value.
func (q question) right(context string) bool {
	for _, want := range q.Want {
		spellings := strings.Split(want, " | ")
		if !slices.ContainsFunc(spellings, func(s string) bool { return strings.Contains(context, s) }) {
			return false
		}
	}
	for line := range strings.Lines(context) {
		line = strings.TrimSuffix(line, "\n")
		if slices.ContainsFunc(q.Never, func(n string) bool { return strings.HasSuffix(line, ": "+n) }) {
			return false
		}
	}
	return true
}

// tally counts the right answers of a run, and those to questions that need no search by value.
func tally(answers []answer) (right, named, namedRight int) {
	for _, a := range answers {
		if a.Right {
			right++
		}
		if a.ByValue {
			continue
		}
		named++
		if a.Right {
			namedRight++
		}
	}
	return right, named, namedRight
}
