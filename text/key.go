package text

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Key is the frozen key of a spelling, version 1: NFKC, full case fold, runs
// of white space collapsed to one space and trimmed. It is independent of type
// and language, idempotent, and never changes: stored forms depend on it.
func Key(spelling string) string {
	folded := strings.Map(foldCherokee, cases.Fold().String(norm.NFKC.String(spelling)))
	// Folding can leave text that NFKC composes once more.
	return strings.Join(strings.Fields(norm.NFKC.String(folded)), " ")
}

// foldCherokee takes Cherokee small letters to capitals: Unicode folds this
// script upwards, which the library does in one direction only.
func foldCherokee(r rune) rune {
	switch {
	case r >= 0xab70 && r <= 0xabbf:
		return r - 0xab70 + 0x13a0
	case r >= 0x13f8 && r <= 0x13fd:
		return r - 8
	}
	return r
}

// Fold is Key, without its costs for what is ASCII already.
func Fold(s string) string {
	if IsASCII(s) {
		return strings.ToLower(s)
	}
	return Key(s)
}

func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

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

// Head is at most the first runes of a text.
func Head(s string, runes int) string {
	for i := range s {
		if runes == 0 {
			return s[:i]
		}
		runes--
	}
	return s
}
