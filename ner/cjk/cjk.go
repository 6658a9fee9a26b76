// Package cjk finds names in Chinese, Japanese and Korean: by surnames, honorifics,
// towns, and the endings of firms and places. Chinese and Japanese have no spaces
// between words, and Korean joins particles to them, so a token is a run that holds
// names and other words.
package cjk

// Name is a name at the bytes [Start, End) of a run.
type Name struct {
	Start, End int
	Type       string
	Rule       string // the rule that found the name
}

// match is a name of n characters.
type match struct {
	n         int
	typ, rule string
}

// orNone returns m, or the zero value if m has no characters.
func (m match) orNone() match {
	if m.n == 0 {
		return match{}
	}
	return m
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
