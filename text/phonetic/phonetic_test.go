package phonetic_test

import (
	"testing"

	"tenure/text/phonetic"
)

// TestOneNameInTwoScriptsIsCloserThanAnother compares each name with its spelling in another script and with a name that
// is written much like that.
func TestOneNameInTwoScriptsIsCloserThanAnother(t *testing.T) {
	for _, c := range []struct{ script, written, same, other string }{
		{"arabic", "خالد", "khaled", "khalil"}, {"arabic", "يوسف", "youssef", "yasir"}, {"hebrew", "דוד", "david", "dina"},
		{"hebrew", "משה", "moshe", "misha"}, {"cyrillic", "жуковский", "zhukovsky", "zhidkov"},
		{"kana", "ローラ", "laura", "lorna"}, {"hangul", "김", "kim", "kang"}, {"han", "伟", "wei", "wen"},
		{"greek", "γιωργος", "giorgos", "giannis"}, {"devanagari", "सुनीता", "sunita", "sangita"},
	} {
		word := phonetic.Of(c.written)
		same, other := phonetic.Closeness(word, phonetic.Of(c.same)), phonetic.Closeness(word, phonetic.Of(c.other))
		if same <= other || same < .6 {
			t.Errorf("%s: %q is %.2f close to %q and %.2f to %q", c.script, c.written, same, c.same, other, c.other)
		}
	}
}

func FuzzCloseness(f *testing.F) {
	for _, w := range []string{"", "husayn", "حسين", "דוד", "ローラ", "박", "伟", "жуковский", "สมชาย", "\xff\x00", "a\u0301"} {
		f.Add(w, "laura")
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := phonetic.Of(a), phonetic.Of(b)
		there, back := phonetic.Closeness(x, y), phonetic.Closeness(y, x)
		if there != back || there < 0 || there > 1 {
			t.Errorf("%q and %q: %v, and %v the other way round", a, b, there, back)
		}
		if self := phonetic.Closeness(x, x); !x.Empty() && self != 1 {
			t.Errorf("%q is %v close to itself", a, self)
		}
	})
}
