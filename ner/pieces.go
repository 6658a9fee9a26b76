package ner

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"tenure/ner/words"
)

// Tokens returns the normalised tokens of a text, after NFKC and full case
// folding. A token is a run of letters and digits, or one other rune. In scripts
// without spaces between words, or with case endings joined to them, each rune is
// a token.
func Tokens(text string) []string {
	var keys []string
	for p := range pieces(text) {
		keys = append(keys, p.key)
	}
	return keys
}

// piece is a normalised token with its place in the text.
type piece struct {
	start, end int
	key        string
}

// pieces iterates over the normalised tokens of a text.
func pieces(text string) func(yield func(piece) bool) {
	return func(yield func(piece) bool) {
		for i := 0; i < len(text); {
			r, size := utf8.DecodeRuneInString(text[i:])
			if unicode.IsSpace(r) {
				i += size
				continue
			}
			end := i + size
			if words.IsWordRune(r) && !dense(r) {
				for end < len(text) {
					r, size = utf8.DecodeRuneInString(text[end:])
					if !words.IsWordRune(r) || dense(r) {
						break
					}
					end += size
				}
			}
			if !yield(piece{i, end, fold(text[i:end])}) {
				return
			}
			i = end
		}
	}
}

// dense reports whether r is of a script without spaces between words, or with
// case endings joined to them.
func dense(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// fold returns s in NFKC with full case folding.
func fold(s string) string {
	ascii, lower := true, true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf
		lower = lower && (s[i] < 'A' || s[i] > 'Z')
	}
	switch {
	case ascii && lower:
		return s
	case ascii:
		return strings.ToLower(s)
	}
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s)))
}
