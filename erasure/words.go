package erasure

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
	"tenure/attribute"
	"tenure/text"
)

// shortestWord bounds the names and identifiers that are looked for, in bytes: a shorter one is in too many texts.
const shortestWord = 3

// wordsOf lists the names and identifiers of a mention, and its attributes that are not known to describe only.
func wordsOf(m tenure.Mention) []string {
	words := slices.Clone(m.Spellings())
	for name, values := range m.Attributes {
		spec, known := attribute.Lookup(attribute.Key(name), m.IdentifierKinds)
		if !known || spec.Identifier != nil {
			words = append(words, values...)
		}
	}
	if m.Record != nil {
		words = append(words, m.Record.ID)
	}
	return words
}

// finder finds names and identifiers in texts, whatever their case and accents, and whatever stands between their
// words: "Zoë Park" in "ZOE\nPARK", "DE89 3704" in "DE893704".
type finder []string

func newFinder(words []string) finder {
	var f finder
	for _, w := range words {
		if joined, _ := join(w); len(joined) >= shortestWord {
			f = append(f, joined)
		}
	}
	slices.Sort(f)
	return slices.Compact(f)
}

// in reports whether a text has one of the words: not within a longer one.
func (f finder) in(texts ...string) bool {
	for _, t := range texts {
		if t != "" && f.inText(t) {
			return true
		}
	}
	return false
}

func (f finder) inText(t string) bool {
	joined, edges := join(t)
	for _, w := range f {
		for from := 0; ; {
			i := strings.Index(joined[from:], w)
			if i < 0 {
				break
			}
			start, end := from+i, from+i+len(w)
			if isEdge(joined, edges, start) && isEdge(joined, edges, end) {
				return true
			}
			from = start + 1
		}
	}
	return false
}

// inAny reports whether a text within a thing has one of the words: of what has a value as JSON, its names of members,
// too.
func (f finder) inAny(thing any, values ...json.RawMessage) bool {
	raw, err := json.Marshal(thing)
	if err != nil {
		return true // as far as is known
	}
	if f.in(textsOf(raw, false)...) {
		return true
	}
	return slices.ContainsFunc(values, func(v json.RawMessage) bool { return f.in(textsOf(v, true)...) })
}

// textsOf lists the texts within JSON, with the names of members if those are content, too.
func textsOf(raw json.RawMessage, names bool) (texts []string) {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			texts = append(texts, v)
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for name, x := range v {
				if names {
					texts = append(texts, name)
				}
				walk(x)
			}
		}
	}
	walk(v)
	return texts
}

// join returns the words of a text without what stands between them, folded, and where they begin, in ascending order.
func join(s string) (joined string, edges []int) {
	s = text.Unmarked(s)
	var b strings.Builder
	for _, w := range text.Words(s) {
		edges = append(edges, b.Len())
		b.WriteString(s[w.From:w.Until])
	}
	return b.String(), edges
}

// isEdge reports whether a name may begin or end at a byte: where a word does, or beside a letter of a script that
// puts no blanks between words.
func isEdge(joined string, edges []int, at int) bool {
	if _, begins := slices.BinarySearch(edges, at); begins || at == len(joined) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(joined[:at])
	after, _ := utf8.DecodeRuneInString(joined[at:])
	return unspaced(before) || unspaced(after)
}

// unspaced reports whether a letter is of a script that puts no blanks between words.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer,
		unicode.Myanmar)
}
