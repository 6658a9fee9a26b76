package phonetic_test

import (
	"slices"
	"testing"

	"tenure/text/phonetic"
)

// TestOneNameInTwoScriptsIsCloserThanAnother compares each name with its spelling in another script and with a name that
// is written much like that.
func TestOneNameInTwoScriptsIsCloserThanAnother(t *testing.T) {
	for _, c := range []struct{ script, written, same, other string }{
		{"arabic", "خالد", "khaled", "khalil"}, {"arabic", "يوسف", "youssef", "yasir"}, {"hebrew", "דוד", "david", "dina"},
		{"hebrew", "משה", "moshe", "misha"}, {"cyrillic", "жуковский", "zhukovsky", "zhidkov"},
		{"kana", "ローラ", "laura", "lorna"}, {"hangul", "김", "kim", "kang"}, {"han", "伟", "wei", "wen"}, {"han", "张", "zhang", "zhao"}, {"hangul", "성", "sung", "sam"}, {"thai", "ทอง", "thong", "thak"},
		{"greek", "γιωργος", "giorgos", "giannis"}, {"devanagari", "सुनीता", "sunita", "sangita"},
		{"devanagari", "कृष्ण", "krishna", "karan"}, {"devanagari", "ज़ाकिर", "zakir", "jagdish"}, {"devanagari", "ज्ञानेश", "gyanesh", "ganesh"},
		{"devanagari", "प्रियंका", "priyanka", "preeti"}, {"thai", "เปรม", "prem", "perapat"}, {"thai", "สมชาย", "somchai", "somsak"},
		{"thai", "ไพบูลย์", "paiboon", "pairoj"}, {"thai", "ประยุทธ์", "prayut", "prawit"}, {"thai", "สมบัติ", "sombat", "somchit"},
	} {
		word := phonetic.Of(c.written)
		same, other := phonetic.Closeness(word, phonetic.Of(c.same)), phonetic.Closeness(word, phonetic.Of(c.other))
		if same <= other || same < .6 {
			t.Errorf("%s: %q is %.2f close to %q and %.2f to %q", c.script, c.written, same, c.same, other, c.other)
		}
	}
}

func FuzzCloseness(f *testing.F) {
	for _, w := range []string{"", "husayn", "حسين", "דוד", "ローラ", "박", "伟", "жуковский", "สมชาย", "เ์", "ज़्", "\xff\x00", "a\u0301"} {
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

// TestReadings checks by which consonants a word is found, the likeliest reading first.
func TestReadings(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool // the likeliest readings
		meet bool // any
	}{
		{"хусейн", "hussein", true, true}, {"حسين", "hussein", true, true}, {"جورج", "george", true, true},
		{"무하마드", "mohamed", true, true}, {"アレクサンダー", "alexander", false, true}, {"youssef", "يوسف", true, true},
		{"watson", "沃森", true, true}, {"haddad", "حداد", true, true}, {"सुनीता", "sunita", true, true},
		{"สมชาย", "somchai", true, true}, {"sunita", "zakir", false, false}, {"mamdouh", "ممدوح", true, true},
	} {
		x := phonetic.Of(c.a).Readings(nil, 24, 60)
		y := phonetic.Of(c.b).Readings(nil, 24, 60)
		if got := x[0].Consonants == y[0].Consonants; got != c.same {
			t.Errorf("%s and %s: the likeliest readings are the same: %v", c.a, c.b, got)
		}
		meet := slices.ContainsFunc(x, func(r phonetic.Reading) bool {
			return slices.ContainsFunc(y, func(o phonetic.Reading) bool { return o.Consonants == r.Consonants })
		})
		if meet != c.meet {
			t.Errorf("%s and %s have a reading in common: %v", c.a, c.b, meet)
		}
	}
}

// FuzzReadings holds that readings are bounded, in order, and each listed once, and that changes of their consonants are
// inverse.
func FuzzReadings(f *testing.F) {
	for _, w := range []string{"", "hussein", "حسين", "דוד", "ローラ", "박", "สมชาย", "कृष्ण", "chchchchchchchchchchchch", "\xff"} {
		f.Add(w)
	}
	f.Fuzz(func(t *testing.T, word string) {
		const most, dearest = 8, 60
		list := phonetic.Of(word).Readings(nil, most, dearest)
		if len(list) > most || len(list) == 0 != phonetic.Of(word).Empty() {
			t.Fatalf("%d readings", len(list))
		}
		for i, r := range list {
			n := r.Consonants.Len()
			if r.Cost > dearest || n > phonetic.MostConsonants || i > 0 && list[i-1].Cost > r.Cost {
				t.Fatalf("%v", list)
			}
			if slices.ContainsFunc(list[:i], func(o phonetic.Reading) bool { return o.Consonants == r.Consonants }) {
				t.Fatalf("twice: %v", list)
			}
			for k := range min(n+1, phonetic.MostConsonants) {
				if more := r.Consonants.With(k, 5); more.Len() != min(n+1, 21) || more.Without(k) != r.Consonants || more.At(k) != 5 {
					t.Fatalf("%o with 5 at %d is %o", r.Consonants, k, more)
				}
			}
		}
	})
}
