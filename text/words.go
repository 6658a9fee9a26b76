package text

import "unicode"

// Span is a part of a text: bytes From to Until.
type Span struct{ From, Until int }

// Words returns the words of a text. A word is a run of letters, digits and marks.
func Words(s string) []Span {
	var words []Span
	from := -1
	for i, r := range s {
		in := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		switch {
		case in && from < 0:
			from = i
		case !in && from >= 0:
			words = append(words, Span{from, i})
			from = -1
		}
	}
	if from >= 0 {
		words = append(words, Span{from, len(s)})
	}
	return words
}
