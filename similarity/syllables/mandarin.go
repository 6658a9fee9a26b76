package syllables

import "strings"

// Mandarin names are romanised in Pinyin or in Wade-Giles: "Mao Zedong" is "Mao Tse-tung". Both spell
// syllables of an initial and a final, so names are compared by syllables, normalised across the two systems.
//
// Source: ISO 7098 (Pinyin); the tables of Wade and Giles, A Chinese-English dictionary (1892), without the
// apostrophes that most texts leave out.

// mandarinInitials maps spellings of initials to codes, longest spelling first. Initials that the two systems
// confuse share a code.
var mandarinInitials = []struct {
	spelling string
	code     byte
}{
	{"tz", 'z'}, {"ts", 'z'}, {"zh", 'j'}, {"ch", 'j'}, {"sh", 's'}, {"hs", 's'}, {"ss", 's'}, {"sz", 's'},
	{"b", 'b'}, {"p", 'b'}, {"m", 'm'}, {"f", 'f'}, {"d", 'd'}, {"t", 'd'}, {"n", 'n'}, {"l", 'l'}, {"g", 'g'}, {"k", 'g'},
	{"h", 'h'}, {"j", 'j'}, {"q", 'j'}, {"x", 's'}, {"r", 'r'}, {"z", 'z'}, {"c", 'z'}, {"s", 's'}, {"", 'a'},
}

// mandarinFinals maps spellings of finals, and of syllables without an initial, to Pinyin.
var mandarinFinals = map[string]string{
	"a": "a", "ai": "ai", "an": "an", "ang": "ang", "ao": "ao", "e": "e", "ei": "ei", "en": "en", "eng": "eng", "er": "er", "erh": "er",
	"i": "i", "ih": "i", "ee": "i", "ia": "ia", "ian": "ian", "ien": "ian", "iang": "iang", "iao": "iao", "ie": "ie", "ieh": "ie",
	"in": "in", "ing": "ing", "iong": "iong", "iung": "iong", "iu": "iu", "o": "o", "ong": "ong", "ung": "ong", "ou": "ou", "u": "u",
	"ua": "ua", "uai": "uai", "uan": "uan", "uang": "uang", "ue": "ue", "ueh": "ue", "ui": "ui", "uei": "ui", "un": "un", "uo": "o",
	"yi": "i", "ya": "ia", "yan": "ian", "yen": "ian", "yang": "iang", "yao": "iao", "ye": "ie", "yeh": "ie", "yin": "in", "ying": "ing",
	"yong": "iong", "yung": "iong", "you": "iu", "yu": "iu", "yuan": "uan", "yue": "ue", "yueh": "ue", "yun": "un",
	"wu": "u", "wa": "ua", "wai": "uai", "wan": "uan", "wang": "uang", "wei": "ui", "wen": "un", "weng": "ong", "wo": "o",
}

// longestFinal is the most letters of a final.
const longestFinal = 4

// Mandarin returns the syllables of a name, each followed by a space, or "" if a word is not Mandarin. Names of one word,
// and of more than four, are not looked at.
func Mandarin(words []string) string {
	if len(words) < 2 || len(words) > 4 {
		return ""
	}
	var b strings.Builder
	for _, w := range words {
		if !split(w, mostTogether, &b) {
			return ""
		}
	}
	return b.String()
}

// mostTogether bounds the syllables of one word, and so the backtracking of the split.
const mostTogether = 3

// split divides a word into at most so many syllables, by backtracking from the longest first syllable.
func split(w string, most int, b *strings.Builder) bool {
	if w == "" || most == 0 {
		return w == ""
	}
	for _, initial := range mandarinInitials {
		rest, ok := strings.CutPrefix(w, initial.spelling)
		if !ok {
			continue
		}
		for n := min(longestFinal, len(rest)); n > 0; n-- {
			final, ok := mandarinFinals[rest[:n]]
			if !ok || initial.spelling != "" && (rest[0] == 'y' || rest[0] == 'w') {
				continue
			}
			var tail strings.Builder
			if !split(rest[n:], most-1, &tail) {
				continue
			}
			if final == "e" && (initial.code == 'g' || initial.code == 'h') {
				final = "o" // "ko" is "ge"
			}
			b.WriteByte(initial.code)
			b.WriteString(final)
			b.WriteByte(' ')
			b.WriteString(tail.String())
			return true
		}
	}
	return false
}

// Same reports whether two names have the same syllables, as [Mandarin] returns them, with the family name first or
// last. Names without syllables are not the same.
func Same(x, y string) bool {
	if x == "" || len(x) != len(y) {
		return false
	}
	if x == y {
		return true
	}
	first := strings.IndexByte(x, ' ') + 1
	last := strings.LastIndexByte(x[:len(x)-1], ' ') + 1
	return x[first:] == y[:len(y)-first] && x[:first] == y[len(y)-first:] ||
		x[last:] == y[:len(x)-last] && x[:last] == y[len(x)-last:]
}
