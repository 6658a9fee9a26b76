package search

import (
	"regexp"
	"slices"
	"sync"

	"tenure/text"
)

// shape is how texts of one kind are written, and the words in which questions ask for them, whatever the property is
// called: "who can I ring" asks for what is written like a telephone number.
type shape struct {
	written *regexp.Regexp
	asked   string
	contact bool // somebody is reached there
}

// shapes are the kinds of texts that are known by how they are written.
var shapes = []shape{
	{regexp.MustCompile(`^(?:(?i:ext|extension|tel|phone)[.:]? ?)?\+?\(?\d(?:[ ()./-]{0,2}\d){6,14}(?:\D|$)` +
		`|^(?i:ext|extension)[.:]? ?\d{2,6}\b`),
		"phone telephone number nr call ring dial reach mobile cell contact", true},
	{regexp.MustCompile(`^\S+@\S+\.\w+$`), "email mail address write reach contact", true},
	{regexp.MustCompile(`^https?://\S+$`), "link url site website page address online", false},
	{regexp.MustCompile(`[$€£¥]\s?\d|\d\s?[$€£¥]` +
		`|\d (?i:euros?|dollars?|pounds?|kronor|francs?|usd|eur|gbp|sek|nok|chf)\b`),
		"cost price pay charge fee money expensive", false},
}

// isoDate is a date, which has as many digits as a telephone number.
var isoDate = regexp.MustCompile(`^\d{4}-\d{2}(?:-\d{2})?\b`)

// shapeTerms holds the terms in which questions ask for the shapes.
var shapeTerms = sync.OnceValue(func() [][]string {
	all := make([][]string, len(shapes))
	for i, s := range shapes {
		text.Terms(s.asked, nil, func(term []byte) { all[i] = append(all[i], string(term)) })
	}
	return all
})

// AskedBy lists the terms in which questions ask for a text that is written like this one, without order or repetition.
func AskedBy(content string) (terms []string) {
	for i, s := range shapes {
		if s.is(content) {
			terms = append(terms, shapeTerms()[i]...)
		}
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// IsContact reports whether a text is written like what somebody is reached under.
func IsContact(content string) bool {
	return slices.ContainsFunc(shapes, func(s shape) bool { return s.contact && s.is(content) })
}

func (s shape) is(content string) bool {
	return s.written.MatchString(content) && !isoDate.MatchString(content)
}
