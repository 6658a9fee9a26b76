package align

import (
	"slices"
	"strings"

	"tenure/ner/words"
	"tenure/text"
)

// makeup is what the words of a value are. A phrase that was cut at the wrong place is mostly of ordinary words, and
// begins or ends with one that joins: "movement", "lead: Dorset", "x3 before lunch".
type makeup struct {
	ordinary    float64 // the share of words that are no names, -1 without a word
	given       float64 // the share of words that are given names, -1 without a word
	first, last float64 // the classes of the words at its ends
}

var noMakeup = makeup{ordinary: -1, given: -1}

// commonWord is the class, beside those of [kindOfWord], of an ordinary word without a function.
const commonWord = digitWord + 1

func makeupOf(value string) makeup {
	list := strings.Fields(text.Fold(value))
	if len(list) == 0 {
		return noMakeup
	}
	l := words.Load()
	m := makeup{}
	for _, w := range list {
		if w = strings.Trim(w, ".,'\"()!?:;"); l.IsCommon(w) && !l.Given.Has(w) && !l.Places.Has(w) {
			m.ordinary++
		}
		if l.MaybeGivenName(w) {
			m.given++
		}
	}
	n := float64(len(list))
	m.ordinary, m.given = m.ordinary/n, m.given/n
	end := func(w string) float64 {
		if k := kindOfWord(w); k != openWord || !l.IsCommon(w) {
			return k
		}
		return commonWord
	}
	m.first, m.last = end(list[0]), end(list[len(list)-1])
	return m
}

// newest returns the value that the slot was given last, none if it has none.
func (c *candidate) newest() worded {
	if len(c.held) == 0 {
		return worded{makeup: noMakeup}
	}
	return c.held[0]
}

// The kinds of what is written beside a value, besides the marks of punctuation, which are counted from there on.
const (
	noMark = iota
	letterMark
	otherMark
	firstMark
)

// markOf is the kind of a character beside a value, 0 of none.
func markOf(b byte) float64 {
	if b == 0 {
		return noMark
	}
	if i := slices.Index([]byte(",:;.!?-(\"'/)"), b); i >= 0 {
		return float64(firstMark + i)
	}
	if b >= 0x80 {
		return otherMark
	}
	return letterMark
}

// marksAround returns the kinds of the characters before and behind a value, beside spaces.
func marksAround(before, behind string) (ahead, after float64) {
	var first, last byte
	if s := strings.TrimRight(before, " "); s != "" {
		last = s[len(s)-1]
	}
	if s := strings.TrimLeft(behind, " "); s != "" {
		first = s[0]
	}
	return markOf(last), markOf(first)
}
