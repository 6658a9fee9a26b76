package words_test

import (
	"testing"

	"tenure/ner/words"
)

func TestIsCommon(t *testing.T) {
	l := words.Load()
	for w, want := range map[string]bool{
		"stop": true, "stopped": true, "stops": true, "policies": true, "making": true, "gently": true, "read-only": true,
		"lantern's": true, "quillfen": false, "quillfens": false, "read-quillfen": false, "-": false, "": false,
	} {
		if got := l.IsCommon(w); got != want {
			t.Errorf("IsCommon(%q) is %v", w, got)
		}
	}
}

func TestGivenNames(t *testing.T) {
	l := words.Load()
	for _, c := range []struct {
		name         string
		given, maybe bool
	}{
		{"margit", true, true}, {"anna-lena", true, true}, {"will", false, true}, {"quillfen", false, false}, {"anna-quillfen", false, false},
	} {
		if given, maybe := l.IsGivenName(c.name), l.MaybeGivenName(c.name); given != c.given || maybe != c.maybe {
			t.Errorf("%s: IsGivenName is %v, MaybeGivenName is %v", c.name, given, maybe)
		}
	}
}

func TestPossessive(t *testing.T) {
	for s, want := range map[string]int{"'s car": 2, "’s": 4, "'S": 2, "'sail": 0, "s": 0, "": 0} {
		if got := words.Possessive(s); got != want {
			t.Errorf("Possessive(%q) is %d, want %d", s, got, want)
		}
	}
}
