package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Key returns the frozen key of a spelling, version 1: NFKC, full case folding, white space collapsed and
// trimmed. It is idempotent, independent of type and language, and never changes, because stored alias keys
// depend on it.
func Key(spelling string) string {
	if IsASCII(spelling) { // NFKC leaves it as it is
		return strings.Join(strings.Fields(strings.ToLower(spelling)), " ")
	}
	folded := strings.Map(foldCherokee, cases.Fold().String(norm.NFKC.String(spelling)))
	// Folding can leave text that is no longer in NFKC.
	return strings.Join(strings.Fields(norm.NFKC.String(folded)), " ")
}

// foldCherokee maps Cherokee small letters to capitals. Unicode folds this script to capitals, which the
// library does in one direction only.
func foldCherokee(r rune) rune {
	switch {
	case r >= 0xab70 && r <= 0xabbf:
		return r - 0xab70 + 0x13a0
	case r >= 0x13f8 && r <= 0x13fd:
		return r - 8
	}
	return r
}

// Fold is Key with a fast path for ASCII, which keeps white space as it is.
func Fold(s string) string {
	if IsASCII(s) {
		return strings.ToLower(s)
	}
	return Key(s)
}

// Unmarked is Fold without marks: small letters without accents.
func Unmarked(s string) string {
	if IsASCII(s) {
		return strings.ToLower(s)
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(Key(s)))
}

// IsASCII reports whether all bytes of a text are ASCII.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Cut splits a text after a number of runes, without splitting a rune.
func Cut(s string, runes int) (head, rest string) {
	n := 0
	for i := range s {
		if n == runes {
			return s[:i], s[i:]
		}
		n++
	}
	return s, ""
}

// Head returns at most the first runes of a text.
func Head(s string, runes int) string {
	for i := range s {
		if runes == 0 {
			return s[:i]
		}
		runes--
	}
	return s
}

// Plain folds a text and collapses its white space.
func Plain(s string) string { return strings.Join(strings.Fields(Fold(s)), " ") }
