package words_test

import (
	"testing"

	"tenure/ner/words"
)

// TestWhatLooksLikeAName: a whole text that is written like one.
func TestWhatLooksLikeAName(t *testing.T) {
	l := words.Load()
	for _, s := range []string{
		"Dmitri", "Rosa Lind", "Ludwig van Dijk", "Nordic Lines", "Globex", "Ward 4B", "Dr. Weiss", "O'Brien", "Bank of Oslo",
		"MS Marina", "Harbour Pier", "李小龍", "iRobot",
	} {
		if !l.LooksLikeName(s) {
			t.Errorf("%q does not look like a name", s)
		}
	}
	for _, s := range []string{
		"", "chess", "Support", "the night shift", "Monday", "Next Week", "Easter 2026", "TBD", "ASAP", "Oslo, Norway", "19:30",
		"7 Dwarfs", "Ann and Bob are here today", "a@b.example", "Phase 2", "Ann writes", "One Two Three Four Five Six Seven", "X",
	} {
		if l.LooksLikeName(s) {
			t.Errorf("%q looks like a name", s)
		}
	}
	for s, want := range map[string]bool{"Dmitri": true, "Rosa Lind": true, "Dr Weiss": true, "Globex": false, "Harbour Pier": false, "rosa": false} {
		if l.LooksLikePerson(s) != want {
			t.Errorf("%q looks like a person: %v", s, !want)
		}
	}
}
