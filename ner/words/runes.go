package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// IsWordRune reports whether r is part of a word: a letter, a mark, a digit, an underscore or a zero-width joiner.
// Underscores keep identifiers whole; text.Words splits at them, since its caller joins words again.
func IsWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r == '_' || r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) || r == '\u200d' || r == '\u200c'
}

// IsDigit reports whether c is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// Possessive returns the length of the 's that s begins with, 0 if there is none.
func Possessive(s string) int {
	if s == "" || s[0] != '\'' && s[0] != "’"[0] {
		return 0
	}
	for _, p := range []string{"'s", "’s", "'S", "’S"} {
		if strings.HasPrefix(s, p) {
			if r, _ := utf8.DecodeRuneInString(s[len(p):]); !IsWordRune(r) || r == utf8.RuneError {
				return len(p)
			}
		}
	}
	return 0
}

// RuneStart returns the start of the rune that holds byte i of s.
func RuneStart(s string, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}

// IsAbbreviation reports whether all parts of s between dots are single letters:
// "e.g".
func IsAbbreviation(s string) bool {
	for part := range strings.SplitSeq(s, ".") {
		if len(part) > 1 {
			return false
		}
	}
	return true
}

// HasLongerSuffix reports whether w ends in one of suffixes, with at least three
// bytes before it.
func HasLongerSuffix(w string, suffixes ...string) bool {
	for _, s := range suffixes {
		if len(w) > len(s)+2 && strings.HasSuffix(w, s) {
			return true
		}
	}
	return false
}
