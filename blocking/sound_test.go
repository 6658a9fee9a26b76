package blocking_test

import (
	"slices"
	"testing"

	"tenure/blocking"
	"tenure/text/phonetic"
)

// TestNamesMeetByTheirSounds checks which words of a name may be those of another, in another script: likely, possibly
// or at all.
func TestNamesMeetByTheirSounds(t *testing.T) {
	const likely, possible, far, not = "likely", "possible", "far", "not"
	for _, c := range []struct{ asked, indexed, want string }{
		{"יצחק", "Yitzhak", likely}, {"خالد", "Khaled", likely}, {"Khaled", "خالد", likely}, {"الخطيب", "al-Khatib", likely},
		{"عبد الرحمن", "Abdurrahman", likely}, // two words in one
		{"Abdurrahman", "عبد الرحمن", likely},
		{"ジョージ", "George", possible}, {"沃森", "Watson", likely}, {"大衛", "David", far},
		{"김철수", "Cheolsu", likely}, {"สมชาย", "Somchai", likely}, {"सुनीता", "Sunita", likely},
		{"Хусейн", "حسين", likely}, {"Sunita", "زكي", not}, {"خالد", "Miriam", not},
	} {
		got, indexed := not, blocking.Speak(c.indexed).Indexed()
		for _, s := range blocking.Speak(c.asked).Searched() {
			for kind, readings := range map[string][]phonetic.Consonants{likely: s.Likely, possible: s.Possible, far: s.Far} {
				met := slices.ContainsFunc(readings, func(r phonetic.Consonants) bool { return slices.Contains(indexed, r) })
				if met && (got == not || kind == likely || kind == possible && got == far) {
					got = kind
				}
			}
		}
		if got != c.want {
			t.Errorf("%s is %s %s, want %s", c.asked, got, c.indexed, c.want)
		}
	}
}

// TestSoundsAreBounded holds bounds of the readings of names however long.
func TestSoundsAreBounded(t *testing.T) {
	for _, name := range []string{"", "♥", "北京大學北京大學", "ﷺﷺﷺﷺ", "chchchchchchchchchchchchchchchchchchchch", "a b c d e f g h i j k l m n o p q r s t u v w x y z"} {
		n := blocking.Speak(name)
		if got := len(n.Indexed()); got > 23*6 {
			t.Errorf("%q is indexed under %d readings", name, got)
		}
		for _, s := range n.Searched() {
			if got := len(s.Likely) + len(s.Possible) + len(s.Far); got > 64 {
				t.Errorf("a word of %q is searched by %d readings", name, got)
			}
		}
	}
}
