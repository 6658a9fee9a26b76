package ner

import "strings"

// adjacent reports whether only spaces separate t from the token before it.
func (t token) adjacent() bool { return t.spaceBefore && !t.lineStart }

func (t token) isCapitalWord() bool { return t.isWord() && t.capital }

func (t token) isLowercaseWord() bool { return t.isWord() && !t.capital }

// breaks reports whether t ends the phrase before it.
func (t token) breaks() bool { return t.kind == punctToken || t.lineStart }

// candidate is a run of tokens [from, to) that may name something.
type candidate struct {
	*document
	from, to int
}

func (d *document) candidate(from, to int) candidate { return candidate{d, from, to} }

func (c candidate) first() token { return c.tokens[c.from] }

func (c candidate) last() token { return c.tokens[c.to-1] }

func (c candidate) before() token { return c.at(c.from - 1) }

func (c candidate) after() token { return c.at(c.to) }

func (c candidate) isOneToken() bool { return c.to-c.from == 1 }

func (c candidate) hasSeveralTokens() bool { return c.to-c.from > 1 }

// words counts the tokens that are words.
func (c candidate) words() int {
	n := 0
	for _, t := range c.tokens[c.from:c.to] {
		n += boolInt(t.isWord())
	}
	return n
}

// key returns the spelling of c in the gazetteers, with hyphens for spaces.
func (c candidate) key() string {
	if c.isOneToken() {
		return c.first().lower
	}
	parts := make([]string, 0, c.to-c.from)
	for _, t := range c.tokens[c.from:c.to] {
		parts = append(parts, t.lower)
	}
	return strings.Join(parts, "-")
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
