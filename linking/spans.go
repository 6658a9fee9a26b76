package linking

import (
	"strings"
	"unicode"

	"tenure"

	"tenure/similarity"
	"tenure/text"
)

// The bounds of name lookup in a query: spans of at most runWords words that start at one of the first
// queryWords words.
const (
	runWords   = 6
	queryWords = 400
)

// nameSpan is a span of words of a query that may be a name.
type nameSpan struct {
	text        string
	first, last int // words, both inclusive
	forms       []tenure.AliasKey
	singular    []tenure.AliasKey // where nothing has one of the forms
}

func (r nameSpan) overlaps(taken map[int]bool) bool {
	for i := r.first; i <= r.last; i++ {
		if taken[i] {
			return true
		}
	}
	return false
}

func (r nameSpan) take(taken map[int]bool) {
	for i := r.first; i <= r.last; i++ {
		taken[i] = true
	}
}

// nameSpansOf lists the word spans of a query, longest first, then by position. The text between the words belongs
// to the span, so that "O'Brien", "AI-ENG-A" and "jon@acme.example" match as spelled.
func nameSpansOf(query string) []nameSpan {
	words := text.Words(query)
	var runs []nameSpan
	for n := min(runWords, len(words)); n > 0; n-- {
		for i := 0; i+n <= len(words) && i < queryWords; i++ {
			content := query[words[i].From:words[i+n-1].Until]
			runs = append(runs, nameSpan{text: content, first: i, last: i + n - 1,
				forms: formsOf(content, query[words[i+n-1].Until:]), singular: singularOf(content)})
		}
	}
	return runs
}

// leastPlural is the number of bytes that a plural has at least.
const leastPlural = 5

// singularOf lists the key of a name in the singular, where a spelling may be its plural: "Aurora Lamps".
func singularOf(content string) []tenure.AliasKey {
	one, ok := strings.CutSuffix(content, "s")
	if !ok || len(content) < leastPlural || strings.HasSuffix(one, "s") || strings.HasSuffix(one, "'") {
		return nil
	}
	return []tenure.AliasKey{similarity.NameAliasKey(one)}
}

// formsOf lists the alias keys that a spelling may stand for: a name, a name with the full stop that follows
// ("Acme Inc."), an e-mail address.
func formsOf(content, rest string) []tenure.AliasKey {
	forms := []tenure.AliasKey{similarity.NameAliasKey(content)}
	if strings.HasPrefix(rest, ".") {
		forms = append(forms, similarity.NameAliasKey(content+"."))
	}
	if strings.Count(content, "@") == 1 && !strings.ContainsFunc(content, unicode.IsSpace) {
		forms = append(forms, tenure.AliasKey{Kind: "email", Key: text.Key(content)})
	}
	return forms
}

// bytes
