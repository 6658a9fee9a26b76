package blocking_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"tenure/blocking"
	"tenure/internal/names"
)

// meet reports whether two names share a blocking key other than their number of words.
func meet(a, b string) bool {
	of := blocking.Of(a)
	return slices.ContainsFunc(blocking.Of(b).Keys(), func(k string) bool {
		return k != of.Length && slices.Contains(of.Keys(), k)
	})
}

// near reports whether every word of b is within one edit of a word of a.
func near(a, b string) bool {
	words := blocking.Of(a).Words
	for _, w := range blocking.Of(b).Words {
		if !slices.ContainsFunc(words, func(o blocking.Word) bool {
			return slices.ContainsFunc(o.Near, func(k string) bool { return slices.Contains(w.Near, k) })
		}) {
			return false
		}
	}
	return true
}

func TestKeysMeet(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       bool
	}{
		{"marks-and-case", "Zoë KRAVITZ", "zoe kravitz", true},
		{"composed-and-decomposed", "Zoe\u0308", "Zo\u00eb", true},
		{"one-letter-wrong", "Smith", "Smyth", true},
		{"one-letter-less", "Nova", "Nva", true},
		{"neighbours-swapped", "Nova", "Nvoa", true},
		{"written-as-one", "Face Book", "Facebook", true},
		{"order", "Smith, John", "John Smith", true},
		{"initials", "International Business Machines", "IBM", true},
		{"initials-with-dots", "International Business Machines", "I.B.M.", true},
		{"initials-without-short-words", "Bank of America", "BA", true},
		{"an-initial-for-a-name", "J Smith", "John Smith", true},
		{"apostrophe", "O'Brien", "OBrien", true},
		{"sound", "Muhammad", "Mohamed", true},
		{"another-script", "Иванов", "Ivanov", true},
		{"zero-width-joiner", "No\u200dva", "Nova", true},
		{"others", "Nova", "Quark", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := meet(c.a, c.b); got != c.want {
				t.Errorf("%q and %q: meet is %v", c.a, c.b, got)
			}
		})
	}
}

func TestNGramsAreShared(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		least      float64 // expected share of the trigrams of a
		most       float64
	}{
		{"the-same", "Anna Lindqvist", "ANNA LINDQVIST", 1, 1},
		{"transliterations", "Yusif Kasimi", "Youssef Qassemy", .6, 1},
		{"another-alphabet", "Щукин", "Shchukin", .6, 1},
		{"digraphs", "Dzhamal Khalikov", "Jamal Halikow", .6, 1},
		{"the-middle-of-a-word", "Lindqvist", "Hindqvisd", .3, .9},
		{"others", "Anna Lindqvist", "Robert Hume", 0, .1},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := blocking.NGrams(c.a), blocking.NGrams(c.b)
			shared := 0.0
			for _, g := range a {
				if slices.Contains(b, g) {
					shared++
				}
			}
			if got := shared / float64(len(a)); got < c.least || got > c.most {
				t.Errorf("%q and %q share %.2f: %q and %q", c.a, c.b, got, a, b)
			}
		})
	}
}

func TestNothingHasNoKeys(t *testing.T) {
	for _, name := range []string{"", " ", "…", "🙂🙂", "\u202e", "\xff\xfe"} {
		if keys := blocking.Of(name).Keys(); len(keys) != 0 {
			t.Errorf("%q has keys %q", name, keys)
		}
		if grams := blocking.NGrams(name); len(grams) != 0 {
			t.Errorf("%q has grams %q", name, grams)
		}
	}
}

func TestKeysAreBounded(t *testing.T) {
	for name, text := range map[string]string{
		"long-word":  strings.Repeat("abcdefghij", 1000),
		"many-words": strings.Repeat("alpha beta gamma ", 1000),
		"han":        strings.Repeat("北京大学", 2500),
		"ligatures":  strings.Repeat("ﷺ", 1000),
	} {
		if n := len(blocking.Of(text).Keys()); n == 0 || n > blocking.MaxKeys {
			t.Errorf("%s: %d keys", name, n)
		}
		if n := len(blocking.NGrams(text)); n == 0 || n > blocking.MaxKeys {
			t.Errorf("%s: %d grams", name, n)
		}
	}
}

func FuzzKeys(f *testing.F) {
	for _, s := range []string{"John Smith", "O'Brien & Sons", "王小明", "ﷺ", "ıİß", "a\u0308\u0308", "\xff", "1st 2nd"} {
		f.Add(s, uint64(1))
	}
	f.Fuzz(func(t *testing.T, name string, seed uint64) {
		keys := blocking.Of(name).Keys()
		if len(keys) > blocking.MaxKeys {
			t.Fatalf("%d keys", len(keys))
		}
		if diff := cmp.Diff(keys, blocking.Of(name).Keys()); diff != "" {
			t.Fatal(diff)
		}
		if seen := slices.Compact(slices.Sorted(slices.Values(keys))); len(seen) != len(keys) {
			t.Fatalf("%q: a key is there twice: %q", name, keys)
		}
		rnd := rand.New(rand.NewPCG(seed, 0))
		words := latinWords(name)
		if len(words) == 0 {
			return
		}
		before := strings.Join(words, " ")
		i := rnd.IntN(len(words))
		words[i] = names.Mistype(rnd, words[i])
		if after := strings.Join(words, " "); !near(before, after) {
			t.Fatalf("%q and %q do not meet by their letters", before, after)
		}
	})
}

// latinWords returns the first words that have at least four plain letters.
func latinWords(name string) []string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r > unicode.MaxASCII || !unicode.IsLetter(r) })
	words = slices.DeleteFunc(words, func(w string) bool { return len(w) < 4 })
	return words[:min(len(words), 8)]
}
