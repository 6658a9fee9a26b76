package model

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
)

// page is a text as the model sees it, with the way back to the text that was written.
type page struct {
	text string // as written
	sent string // as sent
	// flat is sent with differences removed that a quotation may have: case, white space, the kinds of quotes and
	// dashes. The bytes flat[i] stand for text[from[i]:to[i]].
	flat     string
	from, to []int
}

// mask is a span of a text and what is sent in its place.
type mask struct {
	start, end int
	with       string
}

// newPage returns the page of a text with masks, which are sorted and do not overlap.
func newPage(text string, masks []mask) *page {
	p := &page{text: text}
	var sent, flat strings.Builder
	put := func(s string, from, to int) {
		if s == " " && strings.HasSuffix(flat.String(), " ") {
			p.to[len(p.to)-1] = to
			return
		}
		flat.WriteString(s)
		for range len(s) {
			p.from, p.to = append(p.from, from), append(p.to, to)
		}
	}
	for i := 0; i < len(text); {
		if len(masks) > 0 && masks[0].start == i {
			sent.WriteString(masks[0].with)
			put(flatten(masks[0].with), i, masks[0].end)
			i, masks = masks[0].end, masks[1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		sent.WriteRune(r)
		put(string(flatRune(r)), i, i+size)
		i += size
	}
	p.sent, p.flat = sent.String(), flat.String()
	return p
}

func flatRune(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case strings.ContainsRune("‘’‛ʼ`´", r):
		return '\''
	case strings.ContainsRune("“”„«»", r):
		return '"'
	case strings.ContainsRune("‐‑‒–—−", r):
		return '-'
	}
	return unicode.ToLower(r)
}

// flatten returns a quotation in the form of flat.
func flatten(s string) string { return strings.Join(strings.Fields(strings.Map(flatRune, s)), " ") }

// find returns the places where a quotation stands in the text, as whole words and numbers, in order.
func (p *page) find(quotation string) []tenure.Span {
	q := flatten(quotation)
	if q == "" {
		return nil
	}
	var found []tenure.Span
	for i := 0; ; {
		at := strings.Index(p.flat[i:], q)
		if at < 0 {
			return found
		}
		i += at
		if end := i + len(q); !p.cuts(i) && !p.cuts(end) {
			start, end := p.from[i], p.to[end-1]
			found = append(found, tenure.Span{Start: start, End: end, Text: p.text[start:end]})
		}
		_, size := utf8.DecodeRuneInString(p.flat[i:])
		i += size
	}
}

// cuts reports whether a boundary at byte i of flat is within a word or a number.
func (p *page) cuts(i int) bool {
	before, size := utf8.DecodeLastRuneInString(p.flat[:i])
	after, width := utf8.DecodeRuneInString(p.flat[i:])
	switch {
	case i == 0 || i == len(p.flat):
		return false
	case isWord(before) && isWord(after):
		return !isUnspaced(before) && !isUnspaced(after)
	case unicode.IsDigit(after) && strings.ContainsRune(".,:/'-", before):
		// The number may go on to the left, by a sign too: "1.5", "-5"; not so "COVID-19".
		left, _ := utf8.DecodeLastRuneInString(p.flat[:i-size])
		return unicode.IsDigit(left) || before == '-' && !isWord(left)
	case unicode.IsDigit(before) && strings.ContainsRune(".,:/'-", after):
		right, _ := utf8.DecodeRuneInString(p.flat[i+width:])
		return unicode.IsDigit(right)
	}
	return false
}

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// isUnspaced reports whether a letter is of a script that writes no spaces between words.
func isUnspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar)
}

// within returns the place of a quotation in a clause, else the one that is nearest to it.
func (p *page) within(clause tenure.Span, quotation string) (tenure.Span, bool) {
	var best tenure.Span
	nearest := -1
	for _, s := range p.find(quotation) {
		away := max(clause.Start-s.Start, s.End-clause.End, 0)
		if nearest < 0 || away < nearest {
			best, nearest = s, away
		}
	}
	return best, nearest >= 0
}
