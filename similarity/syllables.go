package similarity

import (
	"strings"

	"tenure/text"
)

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

// mandarin returns the syllables of a name, each followed by a space, or "" if a word is not Mandarin.
func mandarin(words []token) string {
	if len(words) < 2 || len(words) > 4 {
		return ""
	}
	var b strings.Builder
	for i := range words {
		if words[i].script != text.Latin || !syllables(words[i].text, mostTogether, &b) {
			return ""
		}
	}
	return b.String()
}

// mostTogether bounds the syllables of one word, and so the backtracking of the split.
const mostTogether = 3

// syllables splits a word into at most so many syllables, by backtracking from the longest first syllable.
func syllables(w string, most int, b *strings.Builder) bool {
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
			if !syllables(rest[n:], most-1, &tail) {
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

// sameSyllables reports whether two names have the same syllables, with the family name first or last.
func sameSyllables(x, y string) bool {
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

// Korean names are romanised in many ways, and each syllable has a meaning of its own: Yong and Jong are two
// names, Jong and Jung may be one.
//
// Source: McCune and Reischauer (1939); Revised Romanization of Korean (2000); and English-style spellings,
// which are common in passports.

// koreanFamilies lists common romanisations of family names.
var koreanFamilies = set(`kim gim ri lee yi rhee pak park bak choe choi jong jung chong chung jeong cheong kang gang cho jo yun yoon im lim
	rim sin shin an ahn song no noh roh yu yoo ryu ko go koh paek baek pae bae kwon gwon hwang han o oh so seo suh chon jeon chun mun
	moon yang ryang son sohn u woo ku koo gu chu ju joo chang jang ho heo hur nam ha ma sok pang bang kwak gwak min hong hyon hyun`)

// koreanInitials, koreanVowels and koreanFinals map spellings of the parts of a syllable to codes, longest
// spelling first. Parts that romanisations confuse share a code.
var (
	koreanInitials = []spelled{
		{"tch", 'j'}, {"ch", 'j'}, {"jj", 'j'}, {"kk", 'k'}, {"tt", 't'}, {"pp", 'p'}, {"ss", 's'}, {"sh", 's'}, {"g", 'k'}, {"k", 'k'},
		{"d", 't'}, {"t", 't'}, {"b", 'p'}, {"p", 'p'}, {"j", 'j'}, {"r", 'r'}, {"l", 'r'}, {"n", 'n'}, {"m", 'm'}, {"s", 's'}, {"h", 'h'}, {"", '-'},
	}
	koreanVowels = []spelled{
		{"yeo", 'y'}, {"you", 'y'}, {"yoo", 'y'}, {"yae", 'q'}, {"eui", 'i'}, {"weo", 'w'}, {"woo", 'o'}, {"wae", 'v'}, {"yo", 'y'}, {"yu", 'y'},
		{"ye", 'q'}, {"ya", 'z'}, {"yi", 'i'}, {"eo", 'o'}, {"eu", 'o'}, {"oo", 'o'}, {"ou", 'o'}, {"oe", 'v'}, {"ae", 'e'}, {"ai", 'e'},
		{"wa", 'x'}, {"we", 'v'}, {"wi", 'u'}, {"wo", 'w'}, {"ui", 'i'}, {"ee", 'i'}, {"a", 'a'}, {"e", 'e'}, {"i", 'i'}, {"o", 'o'}, {"u", 'o'},
	}
	koreanFinals = []spelled{
		{"ng", 'g'}, {"ck", 'k'}, {"k", 'k'}, {"g", 'k'}, {"n", 'n'}, {"l", 'l'}, {"r", 'l'}, {"m", 'm'}, {"p", 'p'}, {"b", 'p'}, {"t", 't'}, {"h", '-'}, {"", '-'},
	}
)

type spelled struct {
	spelling string
	code     byte
}

// markKorean sets the syllables of each word, if the whole name is Korean.
func markKorean(words []token) {
	if len(words) < 2 || len(words) > 3 || !koreanFamilies[words[0].text] && !koreanFamilies[words[len(words)-1].text] {
		return
	}
	var codes [3]string
	for i := range words {
		if words[i].script != text.Latin {
			return
		}
		if codes[i] = koreanSyllables(words[i].text, 2); codes[i] == "" {
			return
		}
	}
	for i := range words {
		words[i].korean = codes[i]
	}
}

// koreanSyllables splits a word into as few syllables as possible, at most so many; "" if there is no split.
func koreanSyllables(w string, most int) string {
	for parts := 1; parts <= most; parts++ {
		if code, ok := koreanParts(w, parts); ok {
			return code
		}
	}
	return ""
}

func koreanParts(w string, parts int) (string, bool) {
	if parts == 0 {
		return "", w == ""
	}
	for _, i := range koreanInitials {
		afterInitial, ok := strings.CutPrefix(w, i.spelling)
		if !ok {
			continue
		}
		for _, v := range koreanVowels {
			afterVowel, ok := strings.CutPrefix(afterInitial, v.spelling)
			if !ok {
				continue
			}
			for _, f := range koreanFinals {
				rest, ok := strings.CutPrefix(afterVowel, f.spelling)
				if !ok {
					continue
				}
				if tail, ok := koreanParts(rest, parts-1); ok {
					return string([]byte{i.code, v.code, f.code}) + tail, true
				}
			}
		}
	}
	return "", false
}
