package passages

import (
	"strings"
	"unicode"

	"tenure"
)

// The sizes of a passage in tokens. Of a text of fewer tokens there is one passage.
const (
	Fewest = 200
	Most   = 400
)

// spare is how many tokens more than two passages of the fewest the rest of a text has, if it has more than one of the
// most: so many places there are to cut it between sentences.
const spare = 40

// Counter counts the tokens of a text.
type Counter func(text string) int

// cutter cuts one text.
type cutter struct {
	text   string
	places []boundary
	count  Counter
	// sum counts the tokens before each boundary; lead and tail those of the white space around what follows it.
	sum, lead, tail []int
}

// Cut cuts a text into passages, numbered from 1, without the ids of a document. The texts of the passages joined are
// the text but for white space.
//
// A passage has 200 to 400 tokens. It has more only if it is one word, and fewer if the text has, or where the words
// are so long that no end of one fits. It ends with a section if it can, else with a paragraph, else with a sentence,
// else with a word: of several such places with the last.
func Cut(title, text string, media tenure.MediaType, count Counter) []tenure.Passage {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	c := &cutter{text: text, places: boundariesOf(text, media), count: count}
	c.measure()
	var list []tenure.Passage
	for from := 0; from < len(c.places)-1; {
		until := c.end(from)
		part := c.part(from, until)
		list = append(list, tenure.Passage{
			Number: len(list) + 1, Headings: c.places[from].path, Text: part, Tokens: count(part),
			Preamble: c.preamble(title, from),
		})
		from = until
	}
	return list
}

// raw returns the text between two boundaries.
func (c *cutter) raw(from, until int) string { return c.text[c.places[from].at:c.places[until].at] }

// part is raw without the white space around it.
func (c *cutter) part(from, until int) string { return strings.TrimSpace(c.raw(from, until)) }

// measure counts the tokens between the boundaries.
func (c *cutter) measure() {
	n := len(c.places)
	c.sum, c.lead, c.tail = make([]int, n), make([]int, n), make([]int, n)
	for i := range n - 1 {
		raw := c.raw(i, i+1)
		size := c.count(raw)
		c.sum[i+1] = c.sum[i] + size
		if inner := strings.TrimLeftFunc(raw, unicode.IsSpace); len(inner) < len(raw) {
			c.lead[i] = size - c.count(inner)
		}
		if inner := strings.TrimRightFunc(raw, unicode.IsSpace); len(inner) < len(raw) {
			c.tail[i] = size - c.count(inner)
		}
	}
}

// size counts the tokens between two boundaries, without the white space around them.
func (c *cutter) size(from, until int) int {
	return c.sum[until] - c.sum[from] - c.lead[from] - c.tail[until-1]
}

// end returns the boundary at which the passage from a boundary on ends.
func (c *cutter) end(from int) int {
	last := len(c.places) - 1
	if c.size(from, last) <= Most {
		return last
	}
	best, even, evenness := 0, from+1, 0
	for until := from + 1; until < last; until++ {
		size := c.size(from, until)
		if size > Most {
			break
		}
		rest := c.size(until, last)
		if n := min(size, rest); n >= evenness {
			even, evenness = until, n
		}
		narrow := rest > Most && rest < 2*Fewest+spare
		if size < Fewest || rest < Fewest || narrow {
			continue
		}
		if best == 0 || c.places[until].level >= c.places[best].level {
			best = until
		}
	}
	if best == 0 {
		return even
	}
	return best
}
