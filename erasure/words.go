package erasure

import (
	"encoding/json"
	"slices"
	"strings"
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

// Finder finds names and identifiers in texts, whatever their case and accents, and whatever stands between their
// words: "Zoë Park" in "ZOE\nPARK", "DE89 3704" in "DE893704".
type Finder []string

// NewFinder returns a finder of some names and identifiers, without those that are too short to mean anything.
func NewFinder(words []string) Finder {
	var f Finder
	for _, w := range words {
		if joined, _ := join(w); len(joined) >= shortestWord {
			f = append(f, joined)
		}
	}
	slices.Sort(f)
	return slices.Compact(f)
}

// In reports whether one of some texts has one of the words: not within a longer one.
func (f Finder) In(texts ...string) bool {
	for _, t := range texts {
		if t != "" && f.inText(t) {
			return true
		}
	}
	return false
}

func (f Finder) inText(t string) bool {
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

// saidBy lists the texts of an observation.
func saidBy(o tenure.Observation) []string {
	texts := append(source(o.Source), o.Text, o.Addressee)
	if o.Answer != nil {
		texts = append(texts, o.Answer.Reviewer, o.Answer.Note)
	}
	return texts
}

// source lists who said something and where.
func source(s tenure.Source) []string { return []string{s.Speaker, s.Origin, s.Thread, s.Session} }

// saidOf lists the texts of a mention.
func saidOf(m tenure.Mention) []string {
	texts := append(slices.Clone(m.Spellings()), m.Context)
	for _, values := range m.Attributes {
		texts = append(texts, values...)
	}
	if m.Record != nil {
		texts = append(texts, m.Record.ID)
	}
	return texts
}

// claimed lists the texts of a claim without those of its source.
func claimed(c tenure.Claim) []string {
	texts := []string{
		c.Value.Name, c.Content, c.NormalizedClaim, c.WhyItMatters, c.BehavioralImplication, c.UpdatePath, c.RetirementRule,
		c.Key, c.PredicateAsWritten,
	}
	evidence, err := json.Marshal(c.Evidence)
	if err != nil {
		return texts
	}
	return slices.Concat(texts, TextsOf(c.Value.JSON, true), TextsOf(evidence, false))
}

// TextsOf lists the texts within JSON, with the names of members if those are content, too.
func TextsOf(raw json.RawMessage, names bool) (texts []string) {
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
	return text.Unspaced(before) || text.Unspaced(after)
}
