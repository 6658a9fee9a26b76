package phonetic

import (
	"strings"

	"tenure/text"
)

// Chinese characters are read in Pinyin, and spell foreign names by syllables that come close.

// pinyinInitials maps initials to symbols, longest first.
var pinyinInitials = []spelling{
	{"zh", "}"}, {"ch", "C"}, {"sh", "S"}, {"b", "("}, {"p", ")"}, {"m", "m"}, {"f", "="}, {"d", "*"}, {"t", "/"}, {"n", "n"},
	{"l", "L"}, {"g", "["}, {"k", "]"}, {"h", "?"}, {"j", "&"}, {"q", "$"}, {"x", "#"}, {"r", "{"}, {"z", "<"}, {"c", "<"},
	{"s", "N"}, {"y", "y"}, {"w", ">"},
}

// pinyinFinals maps finals to symbols where they are not their letters.
var pinyinFinals = map[string]string{
	"ai": "a@", "ei": "e@", "ao": "o", "ou": "o", "ia": "@a", "ie": "e", "iao": "@o", "iu": "@u", "ian": "@an", "in": "in",
	"iang": "@an@", "ing": "in@", "iong": "@on@", "ua": "@a", "uo": "@o", "uai": "@a@", "ui": "@e", "uan": "@an", "un": "@n",
	"uang": "@an@", "ue": "@e", "ang": "an@", "eng": "en@", "ong": "on@", "er": "%R",
}

func han(word string) []byte {
	var out []byte
	for _, r := range word {
		for _, syllable := range strings.Fields(text.Romanize(r)) {
			out = append(out, pinyin(syllable)...)
		}
	}
	return single(out)
}

// pinyin returns the symbols of a syllable. A vowel that only completes a consonant is weak: "si" for s, "te" for t.
func pinyin(syllable string) string {
	if syllable == "er" {
		return "@L@"
	}
	initial, symbols := "", ""
	for _, s := range pinyinInitials {
		if strings.HasPrefix(syllable, s.letters) {
			initial, symbols = s.letters, s.symbols
			break
		}
	}
	final := syllable[len(initial):]
	if known, ok := pinyinFinals[final]; ok {
		return symbols + known
	}
	hissing := strings.ContainsAny(symbols, "}CS{<N")
	if initial != "" && (final == "u" || final == "e" || final == "i" && hissing) {
		final = "@"
	}
	return symbols + text.PlainASCII(final)
}
