package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mozillazg/go-unidecode"
)

// Khmer replaces the letters that the library transliterates by etymology and that people romanise by sound.
//
// Source: UNGEGN romanization of Khmer (1972).
var Khmer = strings.NewReplacer("គ", "k", "ឃ", "kh", "ជ", "ch", "ឈ", "chh", "ឌ", "d", "ឍ", "th", "ទ", "t", "ធ", "th",
	"ព", "p", "ភ", "ph", "ា", "a")

// PlainASCII keeps the ASCII letters, digits and ampersands of a text, in lower case.
func PlainASCII(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '&':
			return r
		}
		return -1
	}, s)
}

// Romanize returns a letter in lower-case Latin, or unchanged if its script has no transliteration. A space
// marks the end of a word.
func Romanize(r rune) string {
	if r < utf8.RuneSelf {
		return string(unicode.ToLower(r))
	}
	latin := strings.Map(func(r rune) rune {
		if r == ' ' || unicode.IsLetter(r) || unicode.IsNumber(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, unidecode.Unidecode(string(r)))
	if latin == "" && !unicode.Is(unicode.Lm, r) {
		return string(unicode.ToLower(r))
	}
	return latin
}
