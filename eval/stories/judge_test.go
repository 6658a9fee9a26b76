package main

import (
	"encoding/json"
	"testing"
)

func TestHolds(t *testing.T) {
	for _, c := range []struct {
		name     string
		text     string
		has, not []string
		want     bool
	}{
		{"all-of-has", "runner: Jenkins, Make", []string{"Jenkins", "Make"}, nil, true},
		{"one-of-has-is-missing", "runner: Jenkins", []string{"Jenkins", "Make"}, nil, false},
		{"one-of-not", "runner: Jenkins, Make", []string{"Jenkins"}, []string{"Buildkite", "Make"}, false},
		{"none-of-not", "runner: Jenkins", []string{"Jenkins"}, []string{"Buildkite"}, true},
		{"nothing-is-asked", "", nil, []string{"Buildkite"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := holds(c.text, c.has, c.not); got != c.want {
				t.Errorf("holds %v, want %v", got, c.want)
			}
		})
	}
}

func TestEqual(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b any
		want bool
	}{
		{"numbers-of-any-type", list(4000), list(json.Number("4000.0")), true},
		{"other-numbers", list(4000), list(4200), false},
		{"a-number-is-no-text", list(4000), list("4000"), false},
		{"strings-of-any-type", []string{"a"}, list("a"), true},
		{"order-counts", list("a", "b"), list("b", "a"), false},
		{"nothing-is-no-empty-list", nil, list(), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := equal(c.a, c.b); got != c.want {
				t.Errorf("equal %v, want %v", got, c.want)
			}
		})
	}
}

func TestTally(t *testing.T) {
	good, documented := tally([]*check{{OK: true}, {Documented: true}})
	if good != 1 || !documented {
		t.Errorf("%d good, all others documented %v; want 1, true", good, documented)
	}
	if _, documented = tally([]*check{{Documented: true}, {}}); documented {
		t.Error("a check that is not documented has failed, and all are said to be documented")
	}
}

func TestAStoryThatCannotBeTold(t *testing.T) {
	s := &teller{}
	why := s.finish(func(s *teller) {
		s.check("first", true, nil)
		panic(broken("refused"))
	})
	if why != "refused" || len(s.checks) != 1 {
		t.Errorf("ended by %q after %d checks, want \"refused\" after 1", why, len(s.checks))
	}
}
