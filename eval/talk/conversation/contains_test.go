package conversation

import "testing"

func TestContains(t *testing.T) {
	for _, c := range []struct {
		text, phrase string
		want         bool
	}{
		{"launch city: Namur", "namur", true},
		{"1500 EUR", "500", false},
		{"15,00 or 500", "500", true},
		{"Rowanberry", "Rowan", false},
		{"due 2026-06-19.", "19 June|2026-06-19", true},
		{"12:30:15", "12:30", true},
		{"v2.10", "2.1", false},
		{"$5 and $50", "$5", true},
		{"100%", "100%", true},
		{"Zürich", "rich", false},
		{"you do not ship", "don't ship", true},
		{"anything", "|", false},
		{"", "x", false},
	} {
		if got := Contains(c.text, c.phrase); got != c.want {
			t.Errorf("%q in %q: %v, want %v", c.phrase, c.text, got, c.want)
		}
	}
}
