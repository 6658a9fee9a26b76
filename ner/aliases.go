package ner

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure"
)

// maxAlias bounds the tokens of an alias in text.
const maxAlias = 48

// findAliases walks the text with the aliases of the tenant.
func (d *document) findAliases(known Aliases) {
	if known == nil {
		return
	}
	at := 0 // the first token that does not end before the alias
	eachAlias(d.text, known, func(start, end int, senses []Sense) bool {
		s := span{start: start, end: end, rule: "alias", senses: senses}
		for at < len(d.tokens) && d.tokens[at].end <= s.start {
			at++
		}
		if !d.usedAsName(s, at) {
			return false
		}
		s.typ, s.sure = d.aliasType(s, at)
		d.add(s)
		return true
	})
}

// eachAlias walks a text with aliases, the longest first. What is taken is
// passed over; otherwise the walk goes on at the next token.
func eachAlias(text string, known Aliases, take func(start, end int, senses []Sense) bool) {
	var ps []piece
	var keys []string
	for p := range pieces(text) {
		ps, keys = append(ps, p), append(keys, p.key)
	}
	for i := 0; i < len(ps); {
		n, senses := known.Longest(keys[i:min(len(keys), i+maxAlias)])
		if n == 0 || glued(text, ps[i].start, ps[i+n-1].end) || !take(ps[i].start, ps[i+n-1].end, senses) {
			i++
			continue
		}
		i += n
	}
}

// Occurrence is a place of a text that is spelled like a known alias, whether
// it names something there or not.
type Occurrence struct {
	Start, End int
	Senses     []Sense
}

// Occurrences lists where aliases occur in a text, the longest first, none
// inside another. known may be nil.
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

// glued says whether a span begins or ends inside a word.
func glued(text string, start, end int) bool {
	first, _ := utf8.DecodeRuneInString(text[start:])
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	last, _ := utf8.DecodeLastRuneInString(text[:end])
	after, _ := utf8.DecodeRuneInString(text[end:])
	glue := func(a, b rune) bool {
		return isWordRune(a) && isWordRune(b) && a != utf8.RuneError && b != utf8.RuneError
	}
	// endings are glued to Hangul names, and Han has no spaces at all
	return glue(before, first) && (!dense(before) || unicode.Is(unicode.Hangul, before)) || glue(last, after) && !dense(after)
}

// usedAsName says whether an alias that may be an ordinary word is a name here.
func (d *document) usedAsName(s span, at int) bool {
	t := d.at(at)
	if t.kind != wordToken || t.start != s.start || t.end < s.end {
		// an alias inside a hyphenated word or of several words
		return t.end >= s.end && t.kind == identifierToken || t.start <= s.start && d.severalWords(s, at)
	}
	lowerAlias := slices.ContainsFunc(s.senses, func(x Sense) bool { return x.Lower })
	switch {
	case t.end > s.end:
		return false // "Anna" in "Anna-Lena"
	case !d.isCommon(t.lower) && !d.ambiguous.has(t.lower) && !d.calendarWords.has(t.lower):
		return true
	case d.calendarWords.has(t.lower):
		return t.capital && d.datedName(at)
	case t.capital && !t.sentenceStart:
		return true
	case t.capital:
		return d.nameAtStart(at) || d.seen[t.lower] > 0 || d.systemVerb(at+1) || !d.maybeGivenName(t.lower) && !d.sentenceStarters.has(t.lower) && d.subject(at)
	case d.maybeGivenName(t.lower):
		return !d.sentenceStarters.has(t.lower) && t.sentenceStart && d.personVerbs.has(d.at(at+1).lower)
	}
	return lowerAlias && !d.sentenceStarters.has(t.lower) && !articles.has(d.at(at-1).lower)
}

// subject says whether the sentence goes on as after a name.
func (d *document) subject(at int) bool {
	n := d.at(at + 1)
	return d.verbs.has(n.lower) || n.lower == "'s" || n.capital || n.kind == punctToken || d.projectTriggers.has(n.lower) || d.isCommon(n.lower) && strings.HasSuffix(n.lower, "s")
}

var articles = newWordSet("a an no each every some any")

// severalWords says whether an alias of several tokens is written with a
// capital, or holds an uncommon word.
func (d *document) severalWords(s span, at int) bool {
	for k := at; k < len(d.tokens) && d.tokens[k].start < s.end; k++ {
		t := d.tokens[k]
		if t.end > s.end {
			return false
		}
		if t.capital && !t.sentenceStart || !t.word() && t.kind != punctToken || t.word() && !d.isCommon(t.lower) {
			return true
		}
	}
	first := d.at(at)
	return first.capital || !d.sentenceStarters.has(first.lower) && d.lowerLine(at) || slices.ContainsFunc(s.senses, func(x Sense) bool { return x.Lower })
}

// lowerLine says whether the line around a token is written without capitals,
// but for the speaker before a colon, so that they say nothing.
func (d *document) lowerLine(at int) bool {
	const near = 24
	words := 0
	for k := at - 1; k >= 0 && at-k < near && !d.tokens[k+1].lineStart; k-- {
		if d.tokens[k].capital && d.at(k+1).lower != ":" {
			return false
		}
		words += boolInt(d.tokens[k].word())
	}
	for k := at; k < len(d.tokens) && k-at < near && (k == at || !d.tokens[k].lineStart); k++ {
		if d.tokens[k].capital {
			return false
		}
		words += boolInt(d.tokens[k].word())
	}
	return words > 3
}

// aliasType chooses among the types of an alias: context decides where the
// registry knows several.
func (d *document) aliasType(s span, at int) (typ string, sure bool) {
	var types []string
	for _, x := range s.senses {
		if !slices.Contains(types, x.Type) {
			types = append(types, x.Type)
		}
	}
	if len(types) == 1 {
		return types[0], true
	}
	slices.Sort(types)
	end := at
	for end < len(d.tokens) && d.tokens[end].end <= s.end {
		end++
	}
	if end > at && at < len(d.tokens) {
		for _, rule := range []func(i, j int) string{d.typeByForm, d.typeByContext, d.typeByTypeWord, d.typeByGazetteer} {
			if typ := rule(at, end); slices.Contains(types, typ) {
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

// EntitiesOf lists who goes by a spelling, those of a type first, each once.
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
