package ner

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
	"tenure/ner/words"
)

// maxAlias bounds the tokens of an alias in text.
const maxAlias = 48

// findAliases finds the aliases of the registry that are used as names.
func (d *document) findAliases() {
	if d.known == nil {
		return
	}
	at := 0 // the first token that ends after the alias's start
	eachAlias(d.text, d.known, func(start, end int, senses []Sense) bool {
		s := span{start: start, end: end, rule: "alias", senses: senses}
		for at < len(d.tokens) && d.tokens[at].end <= s.start {
			at++
		}
		if !d.isAliasUsedAsName(s, at) {
			return false
		}
		s.typ, s.certain = d.aliasType(s, at)
		d.add(s)
		return true
	})
}

// eachAlias calls take for each alias of a text, the longest first. If take
// returns false, the search goes on at the alias's second token.
func eachAlias(text string, known Aliases, take func(start, end int, senses []Sense) bool) {
	var ps []piece
	var keys []string
	for p := range pieces(text) {
		ps, keys = append(ps, p), append(keys, p.key)
	}
	for i := 0; i < len(ps); {
		n, senses := known.Longest(keys[i:min(len(keys), i+maxAlias)])
		if n == 0 || splitsWord(text, ps[i].start, ps[i+n-1].end) || !take(ps[i].start, ps[i+n-1].end, senses) {
			i++
			continue
		}
		i += n
	}
}

// Occurrence is a place of a text that is spelled like a known alias, used as a
// name or not.
type Occurrence struct {
	Start, End int
	Senses     []Sense
}

// Occurrences returns the occurrences of aliases in a text, sorted and none
// overlapping another: the longest at each place. known may be nil.
func Occurrences(text string, known Aliases) []Occurrence {
	if known == nil {
		return nil
	}
	var found []Occurrence
	eachAlias(text, known, func(start, end int, senses []Sense) bool {
		found = append(found, Occurrence{start, end, senses})
		return true
	})
	return found
}

// splitsWord reports whether [start, end) begins or ends inside a word. Scripts
// without spaces do not count, nor the case endings after a Hangul name.
func splitsWord(text string, start, end int) bool {
	first, _ := utf8.DecodeRuneInString(text[start:])
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	last, _ := utf8.DecodeLastRuneInString(text[:end])
	after, _ := utf8.DecodeRuneInString(text[end:])
	return isInsideWord(before, first) && (!dense(before) || unicode.Is(unicode.Hangul, before)) ||
		isInsideWord(last, after) && !dense(after)
}

// isInsideWord reports whether no word boundary lies between two adjacent runes.
// RuneError stands for the beginning or the end of the text.
func isInsideWord(a, b rune) bool {
	return words.IsWordRune(a) && words.IsWordRune(b) && a != utf8.RuneError && b != utf8.RuneError
}

// isAliasUsedAsName reports whether the alias s, which may be a common word, is
// a name where it stands, at token i.
func (d *document) isAliasUsedAsName(s span, i int) bool {
	t := d.at(i)
	switch {
	case t.kind == wordToken && t.start == s.start && t.end == s.end:
		return d.isWordUsedAsName(s, i)
	case t.kind == wordToken && t.start == s.start && t.end > s.end:
		return false // "Anna" in "Anna-Lena"
	case t.kind == identifierToken && t.end >= s.end:
		return true
	}
	return t.start <= s.start && d.isPhraseUsedAsName(s, i)
}

// isWordUsedAsName judges an alias of one word, token i.
func (d *document) isWordUsedAsName(s span, i int) bool {
	t := d.tokens[i]
	switch {
	case d.CalendarWords.Has(t.lower):
		return t.capital && d.isDatedName(i)
	case !d.IsCommon(t.lower) && !d.Ambiguous.Has(t.lower):
		return true
	case t.capital:
		return !t.sentenceStart || d.isCapitalAliasAtStart(i)
	case d.SentenceStarters.Has(t.lower):
		return false
	case d.MaybeGivenName(t.lower):
		return t.sentenceStart && d.PersonVerbs.Has(d.at(i+1).lower)
	}
	return s.hasLowercaseAlias() && !indefiniteArticles.Has(d.at(i-1).lower)
}

// isCapitalAliasAtStart reports whether the common word that begins a sentence at
// token i is a name: by what follows, or by the rest of the text.
func (d *document) isCapitalAliasAtStart(i int) bool {
	w := d.tokens[i].lower
	return d.isNameAtStart(i) || d.capitals[w] > 0 || d.hasMachineVerb(i+1) ||
		!d.SentenceStarters.Has(w) && !d.MaybeGivenName(w) && d.isSubjectOrLabel(i)
}

func (s span) hasLowercaseAlias() bool {
	return slices.ContainsFunc(s.senses, func(x Sense) bool { return x.Lower })
}

// isSubjectOrLabel reports whether the token after token i usually follows a name:
// a verb, a possessive, punctuation, a project trigger, a plural.
func (d *document) isSubjectOrLabel(i int) bool {
	next := d.at(i + 1)
	return next.kind == punctToken || next.capital || next.lower == "'s" || d.Verbs.Has(next.lower) ||
		d.ProjectTriggers.Has(next.lower) || d.IsCommon(next.lower) && strings.HasSuffix(next.lower, "s")
}

// isPhraseUsedAsName judges an alias of several tokens from token i. It is a name
// if one token is capitalised or not a common word, if its line has no capitals, or
// if the alias is spelled in lower case.
func (d *document) isPhraseUsedAsName(s span, i int) bool {
	for k := i; k < len(d.tokens) && d.tokens[k].start < s.end; k++ {
		t := d.tokens[k]
		switch {
		case t.end > s.end:
			return false
		case t.capital && !t.sentenceStart:
			return true
		case t.isWord() && !d.IsCommon(t.lower), !t.isWord() && t.kind != punctToken:
			return true
		}
	}
	first := d.at(i)
	return first.capital || !d.SentenceStarters.Has(first.lower) && d.isLowercaseLine(i) || s.hasLowercaseAlias()
}

// isLowercaseLine reports whether the line around token i has more than three
// words and no capitals except for a speaker before a colon, so that lower case is
// no evidence against a name.
func (d *document) isLowercaseLine(i int) bool {
	const window, minWords = 24, 4
	words := 0
	for k := i - 1; k >= 0 && i-k < window && !d.tokens[k+1].lineStart; k-- {
		if d.tokens[k].capital && d.at(k+1).lower != ":" {
			return false
		}
		words += boolInt(d.tokens[k].isWord())
	}
	for k := i; k < len(d.tokens) && k-i < window && (k == i || !d.tokens[k].lineStart); k++ {
		if d.tokens[k].capital {
			return false
		}
		words += boolInt(d.tokens[k].isWord())
	}
	return words >= minWords
}

// aliasType returns the type of the alias s at token i. Of several types, the
// first that the context supports wins, and the type is not certain.
func (d *document) aliasType(s span, i int) (typ string, certain bool) {
	types := s.types()
	if len(types) == 1 {
		return types[0], true
	}
	end := i
	for end < len(d.tokens) && d.tokens[end].end <= s.end {
		end++
	}
	if end > i {
		c := d.candidate(i, end)
		for _, evidence := range aliasEvidence {
			if typ := evidence(c); slices.Contains(types, typ) {
				return typ, false
			}
		}
	}
	for _, typ := range []string{Project, Person, Organization, System} {
		if slices.Contains(types, typ) {
			return typ, false
		}
	}
	return types[0], false
}

// aliasEvidence chooses among the types of an alias. Unlike for unknown
// names, context counts more than the words of the alias.
var aliasEvidence = []func(candidate) string{
	candidate.typeByForm, candidate.typeByContext, candidate.typeByTypeWord, candidate.typeByGazetteer,
}

// types returns the types of the senses of s, each once, sorted.
func (s span) types() []string {
	var types []string
	for _, x := range s.senses {
		types = append(types, x.Type)
	}
	slices.Sort(types)
	return slices.Compact(types)
}

// EntitiesOf returns the entities of senses, each once: the entities of type typ
// first, sorted, then the others.
func EntitiesOf(senses []Sense, typ string) []tenure.ID {
	var ids []tenure.ID
	for _, x := range senses {
		if x.Type == typ && !slices.Contains(ids, x.Entity) {
			ids = append(ids, x.Entity)
		}
	}
	slices.Sort(ids)
	for _, x := range senses {
		if !slices.Contains(ids, x.Entity) {
			ids = append(ids, x.Entity)
		}
	}
	return ids
}
