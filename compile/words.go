package compile

import (
	"strings"
	"unicode"

	"tenure"
	"tenure/registry"
)

// The bounds of name lookup in a query: spans of at most runWords words that start at one of the first
// queryWords words.
const (
	runWords   = 6
	queryWords = 400
)

// run is a span of words of a query that may be a name.
type run struct {
	text        string
	first, last int // words, both inclusive
	forms       []tenure.Form
}

func (r run) overlaps(taken map[int]bool) bool {
	for i := r.first; i <= r.last; i++ {
		if taken[i] {
			return true
		}
	}
	return false
}

func (r run) take(taken map[int]bool) {
	for i := r.first; i <= r.last; i++ {
		taken[i] = true
	}
}

// runsOf lists the word spans of a query, longest first, then by position. The text between the words belongs
// to the span, so that "O'Brien", "AI-ENG-A" and "jon@acme.example" match as spelled.
func runsOf(query string) []run {
	words := wordsOf(query)
	var runs []run
	for n := min(runWords, len(words)); n > 0; n-- {
		for i := 0; i+n <= len(words) && i < queryWords; i++ {
			text := query[words[i].from:words[i+n-1].until]
			runs = append(runs, run{text: text, first: i, last: i + n - 1, forms: formsOf(text, query[words[i+n-1].until:])})
		}
	}
	return runs
}

// formsOf lists the alias keys that a spelling may stand for: a name, a name with the full stop that follows
// ("Acme Inc."), an e-mail address.
func formsOf(text, rest string) []tenure.Form {
	forms := []tenure.Form{registry.NameForm(text)}
	if strings.HasPrefix(rest, ".") {
		forms = append(forms, registry.NameForm(text+"."))
	}
	if strings.Count(text, "@") == 1 && !strings.ContainsFunc(text, unicode.IsSpace) {
		forms = append(forms, tenure.Form{Kind: "email", Key: registry.Key(text)})
	}
	return forms
}

type wordSpan struct{ from, until int } // bytes

func wordsOf(s string) []wordSpan {
	var words []wordSpan
	from := -1
	for i, r := range s {
		in := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
		switch {
		case in && from < 0:
			from = i
		case !in && from >= 0:
			words = append(words, wordSpan{from, i})
			from = -1
		}
	}
	if from >= 0 {
		words = append(words, wordSpan{from, len(s)})
	}
	return words
}
