// Package sample is mutated by the tests of mutate: it is known which of its mutants its tests kill.
package sample

import (
	"errors"
	"log/slog"
	"slices"
)

// limits is a table: its values are not mutated.
var limits = map[string]int{"small": 1, "large": 10}

// least is mutated: it is the whole value of a constant.
const least = 2

// Grade is well tested, but for its bound.
func Grade(n int) string {
	if n > least {
		return "high"
	}
	return "low"
}

// Keys is tested with one key, so that nothing notices whether they are sorted.
func Keys(m map[string]bool) []string {
	keys := make([]string, 0, 7)
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Untested is reached by no test.
func Untested(ok bool) bool { return ok }

// Check speaks to people in all but its condition.
func Check(name string) error {
	if _, ok := limits[name]; !ok {
		slog.Warn("no limit", "code", 1+2)
		return errors.New("no limit of " + name)
	}
	return nil
}
