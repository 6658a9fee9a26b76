package phonetic

import (
	"strings"

	"github.com/mozillazg/go-unidecode"

	"tenure/text"
)

func plain(word string) string {
	if text.IsASCII(word) {
		return word
	}
	return unidecode.Unidecode(word)
}

// spelling is a group of letters and the symbols that it stands for.
type spelling struct{ letters, symbols string }

// latinGroups lists the letters of Latin spellings that form one sound, longest first within a first letter: those
// that English, French, Spanish, German and Polish have, and the usual romanisations of other scripts.
var latinGroups = grouped([]spelling{
	{"augh", "a"}, {"ough", "o"}, {"eigh", "e@"}, {"igh", "a@"}, {"eau", "o"}, {"aw", "o"}, {"au", "a@"},
	{"ee", "i"}, {"ea", "i"}, {"oo", "u"}, {"ou", "u"}, {"ow", "o@"}, {"oe", "o"}, {"eu", "o@"}, {"ew", "u@"},
	{"oi", "o@"}, {"ai", "a@"}, {"ay", "a@"}, {"ei", "e@"}, {"ey", "e@"}, {"oy", "o@"}, {"ie", "i"}, {"uy", "u@"},
	{"tsch", "C"}, {"tch", "C"}, {"ch", "H"}, {"chh", "C"}, {"cz", "C"}, {"ck", "k"}, {"cqu", "k"},
	{"dge", "JE"}, {"dg", "Jg"}, {"dj", "J"}, {"dzh", "J"}, {"dh", "D"}, {"dt", "t"},
	{"gh", "A"}, {"gu", "g@"}, {"gn", "n@"},
	{"kh", "K"}, {"ng", "n\x01"}, {"nge", "nGe"}, {"ngi", "nGi"}, {"ngy", "nGi"}, {"ph", "F"}, {"qu", "kw"}, {"rh", "r"},
	{"shch", "SC"}, {"sch", "S"}, {"sh", "S"}, {"sz", "S"},
	{"th", "T"}, {"tz", "ts"}, {"zh", "Q"}, {"wh", "W"}, {"hs", "S"}, {"wr", "r"},
	{"ll", "Y"}, {"lh", "Y"},
	{"x", "ks"}, {"c", "k"}, {"j", "j"}, {"q", "q"}, {"v", "V"}, {"w", "W"}, {"y", "y"}, {"s", "4"}, {"z", "5"},
})

func grouped(list []spelling) (by [128][]spelling) {
	for _, s := range list {
		by[s.letters[0]] = append(by[s.letters[0]], s)
	}
	return by
}

// latin returns the symbols of a word in the letters a to z.
func latin(w string) []byte {
	out := make([]byte, 0, len(w)+2)
	for i := 0; i < len(w); {
		symbols, n := latinSound(w, i)
		for k := range len(symbols) {
			if len(out) == 0 || out[len(out)-1] != symbols[k] {
				out = append(out, symbols[k])
			}
		}
		i += n
	}
	return out
}

// latinSound returns the symbols of the letters at an index, and how many letters they cover.
func latinSound(w string, i int) (symbols string, n int) {
	if s, n := latinInPlace(w, i); n > 0 {
		return s, n
	}
	var best spelling
	for _, s := range latinGroups[w[i]&127] {
		if len(s.letters) > len(best.letters) && strings.HasPrefix(w[i:], s.letters) {
			best = s
		}
	}
	switch c := w[i]; {
	case best.letters != "":
		return best.symbols, len(best.letters)
	case c < 'a' || c > 'z':
		return "", 1
	}
	return w[i : i+1], 1
}

// place is a letter of a word with its neighbours, 0 where there is none.
type place struct {
	at                       int
	before, after, afterNext byte
}

func (p place) first() bool { return p.at == 0 }

// soft reports whether the letter after softens c and g.
func (p place) soft() bool { return p.after == 'e' || p.after == 'i' || p.after == 'y' }

func latinVowel(c byte) bool { return c != 0 && strings.IndexByte("aeiouy", c) >= 0 }

// inPlace lists the letters whose sound depends on their neighbours: the symbol, how many letters it stands for, and
// where it holds.
var inPlace = map[byte]struct {
	symbol string
	n      int
	holds  func(p place) bool
}{
	'e': {"E", 1, func(p place) bool { return p.after == 0 && p.at > 1 && !latinVowel(p.before) }},
	'c': {"c", 1, place.soft},
	'g': {"G", 1, place.soft},
	'r': {"R", 1, func(p place) bool { return !p.first() && !latinVowel(p.after) && p.after != 'r' && p.after != 'h' }},
	'h': {"+", 1, func(p place) bool { return !p.first() && !latinVowel(p.after) }},
	'x': {"X", 1, place.first},
	'y': {"i", 1, func(p place) bool { return !latinVowel(p.after) }},
	'l': {"l", 2, func(p place) bool { return p.after == 'l' && (p.first() || p.afterNext == 0) }},
	'k': {"n", 2, func(p place) bool { return p.after == 'n' && p.first() }},
}

// latinInPlace returns the symbol of a letter whose sound depends on its neighbours; n is 0 for others.
func latinInPlace(w string, i int) (symbols string, n int) {
	at := func(j int) byte {
		if j < 0 || j >= len(w) {
			return 0
		}
		return w[j]
	}
	rule, ok := inPlace[w[i]]
	if !ok || !rule.holds(place{i, at(i - 1), at(i + 1), at(i + 2)}) {
		return "", 0
	}
	return rule.symbol, rule.n
}
