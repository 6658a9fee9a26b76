package syllables

import (
	"cmp"
	"slices"
	"strings"
)

// Korean names are romanised in many ways, and each syllable has a meaning of its own: Yong and Jong are two
// names, Jong and Jung may be one.
//
// Source: McCune and Reischauer (1939); Revised Romanization of Korean (2000); and English-style spellings,
// which are common in passports.

// koreanFamilies lists common romanisations of family names.
var koreanFamilies = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`kim gim ri lee yi rhee pak park bak choe choi jong jung chong chung jeong cheong kang gang cho jo yun yoon im lim
	rim sin shin an ahn song no noh roh yu yoo ryu ko go koh paek baek pae bae kwon gwon hwang han o oh so seo suh chon jeon chun mun
	moon yang ryang son sohn u woo ku koo gu chu ju joo chang jang ho heo hur nam ha ma sok pang bang kwak gwak min hong hyon hyun`) {
		set[w] = true
	}
	return set
}()

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
		{"ng", 'g'}, {"ck", 'k'}, {"k", 'k'}, {"g", 'k'}, {"n", 'n'}, {"l", 'l'}, {"r", 'l'}, {"m", 'm'}, {"p", 'p'}, {"b", 'p'}, {"t", 't'}, {"", '-'}, {"h", '-'},
	}
)

type spelled struct {
	spelling string
	code     byte
}

// Korean returns a code of the syllables of each word, which spellings of the same syllables share, if the whole name
// is Korean: two or three words, with a family name first or last. Else it returns nil.
func Korean(words []string) []string {
	if len(words) < 2 || len(words) > 3 || !koreanFamilies[words[0]] && !koreanFamilies[words[len(words)-1]] {
		return nil
	}
	codes := make([]string, len(words))
	for i, w := range words {
		codes[i] = koreanSyllables(w, 2)
		if family := englishFamilies[w]; codes[i] == "" && (i == 0 || i == len(words)-1) {
			codes[i] = koreanSyllables(family, 2)
		}
		if codes[i] == "" {
			return nil
		}
	}
	return codes
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

// englishFamilies maps spellings of family names that are no romanisation of their syllables to one that is.
var englishFamilies = map[string]string{
	"park": "pak", "choi": "choe", "lee": "yi", "rhee": "yi", "li": "yi", "ri": "yi", "rim": "im", "lim": "im", "ryu": "yu", "ryoo": "yu", "roh": "no",
	"noh": "no", "ryang": "yang", "ryo": "yo", "ryom": "yom", "sohn": "son", "ahn": "an", "suh": "so",
}

// KoreanFamily returns the codes of the syllables of a Korean name, each in a string, as [Korean] does, but with
// spellings of family names united: Lee, Rhee and Yi, Park and Pak.
func KoreanFamily(words []string) (list []string) {
	if len(words) < 2 {
		return nil
	}
	united := slices.Clone(words)
	for _, i := range []int{0, len(words) - 1} {
		united[i] = cmp.Or(englishFamilies[words[i]], words[i])
	}
	const syllable = 3
	for _, c := range Korean(united) {
		for ; len(c) >= syllable; c = c[syllable:] {
			list = append(list, c[:syllable])
		}
	}
	return list
}
