package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mozillazg/go-unidecode"
)

// Khmer are the letters that the library transliterates by their origin and
// that people write by their sound.
//
// Source: UNGEGN romanization of Khmer (1972).
var Khmer = strings.NewReplacer("គ", "k", "ឃ", "kh", "ជ", "ch", "ឈ", "chh", "ឌ", "d", "ឍ", "th", "ទ", "t", "ធ", "th", "ព", "p", "ភ", "ph", "ា", "a")

// PlainASCII keeps letters and digits, in lower case.
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

// Romanize is a letter in lower-case Latin, or as it is if its script has no
// transliteration. A space says that a word ends.
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
