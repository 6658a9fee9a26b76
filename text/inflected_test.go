package text_test

import (
	"testing"

	"tenure/text"
)

func TestSpaced(t *testing.T) {
	for s, want := range map[string]string{
		"": " ", "  ?! ": " ", "Hall 2": " hall 2 ", "Café, ÉCOLE": " café école ", "Room\n302.": " room 302 ",
	} {
		if got := text.Spaced(s); got != want {
			t.Errorf("Spaced(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestInflected(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"bonus", "bonuses", true}, {"offer", "offering", true}, {"policy", "policies", true}, {"renew", "renews", true},
		{"price", "pricing", true}, {"x", "x", true},
		{"manage", "mandate", false}, {"car", "care", false}, {"discount", "discover", false},
	} {
		if text.Inflected(c.a, c.b) != c.want || text.Inflected(c.b, c.a) != c.want {
			t.Errorf("Inflected(%q, %q) is not %v", c.a, c.b, c.want)
		}
	}
}
