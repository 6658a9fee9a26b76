package blocking_test

import (
	"tenure/blocking"
	"testing"
)

// TestWhatANameMayMean checks which names may abbreviate or vary one another, in both directions.
func TestWhatANameMayMean(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Ada", "Ada Park", true},                   // a word in common
		{"Park", "Ada Parks", true},                 // a word one letter away
		{"Catherine", "Kathryn Vale", true},         // words that sound alike
		{"A. P.", "Ada Park", true},                 // initials
		{"A.", "Bea Park", false},                   // another initial
		{"WHO", "World Health Organization", true},  // an acronym
		{"WHU", "World Health Organization", false}, // another acronym
		{"Bob", "Robert Featherstone", true},        // a short form of the given name
		{"Bob", "William Featherstone", false},      // of another
		{"BlueHeron", "Blue Heron", true},           // written in one word
		{"Ottoline", "Wilhelmina", false},
		{"", "", false},
		{"", "Ada", false},
		{"♥", "♥", false},
	} {
		if got := blocking.MayMean(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
		if got := blocking.MayMean(c.b, c.a); got != c.want {
			t.Errorf("%q and %q: %v", c.b, c.a, got)
		}
	}
}
