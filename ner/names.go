package ner

import (
	"strings"
	"unicode/utf8"

	"tenure/ner/words"
)

// findNames finds names of capitalised words: it takes the longest run that may
// be one name, trims titles from it and decides whether the rest is a name.
func (d *document) findNames() {
	d.truecase()
	d.findLanguages()
	for i := 0; i < len(d.tokens); {
		end := i + 1
		if d.beginsName(i) {
			run := d.candidate(i, d.extendName(i))
			end = max(end, run.to)
			name, honorific := run.trimmed()
			if name.from < name.to && d.isName(name, honorific) {
				d.addName(name, honorific)
			}
		}
		i = end
	}
}

// beginsName reports whether a name may begin at token i.
func (d *document) beginsName(i int) bool {
	t, next := d.tokens[i], d.at(i+1)
	switch {
	case !t.isCapitalWord(), t.lower == "i", d.isContraction(t.lower), d.isDetachedPossessive(t), d.isJoinedToCode(i):
		return false
	case utf8.RuneCountInString(t.lower) == 1:
		return d.isInitial(i) || next.lower == "&" || t.lower == "ó" && next.capital && next.spaceBefore
	case t.allCaps && d.FormatNames.Has(t.lower), d.CalendarWords.Has(t.lower) && !d.isDatedName(i):
		return false
	case t.lower == "the":
		return !t.sentenceStart && next.isCapitalWord()
	case d.SentenceStarters.Has(t.lower) || d.isForeignStarter(i):
		return d.starterBeginsName(i)
	}
	return true
}

// isDetachedPossessive holds for an s without its apostrophe.
func (d *document) isDetachedPossessive(t token) bool {
	return strings.HasPrefix(t.lower, "s") && words.Possessive("'"+t.lower) > 0
}

// isJoinedToCode reports whether token i continues a path, a variable or an
// expression. The value of an assignment may be a name.
func (d *document) isJoinedToCode(i int) bool {
	if i == 0 || d.tokens[i].spaceBefore {
		return false
	}
	before := d.tokens[i-1].lower
	return before != "=" && strings.ContainsAny(before, "@#/\\_$%&=~^")
}

// starterBeginsName reports whether the function word at i begins a name: it is
// also a given name, or it begins a title or "Room 214".
func (d *document) starterBeginsName(i int) bool {
	t := d.tokens[i]
	return d.MaybeGivenName(t.lower) && d.isNameAtStart(i) ||
		!t.sentenceStart && d.isTitleCased(i) ||
		d.isNumberedNounAt(i)
}

// isForeignStarter reports whether token i begins a sentence with a function
// word of a language other than English.
func (d *document) isForeignStarter(i int) bool {
	t := d.tokens[i]
	return t.sentenceStart && d.Foreign.Has(t.lower) && !d.IsGivenName(t.lower)
}

// isNumberedNounAt reports whether "Room 214" or "Ward C" begins at token i.
func (d *document) isNumberedNounAt(i int) bool {
	noun, number := d.tokens[i].lower, d.at(i+1)
	return (d.PlacePrefixes.Has(noun) || d.DocPrefixes.Has(noun)) && number.adjacent() &&
		(number.kind == numberToken || number.isCapitalWord() && len(number.lower) == 1)
}

// isTitleCased reports whether the function word at i has its capital from the
// title that it begins.
func (d *document) isTitleCased(i int) bool {
	next := d.at(i + 1)
	return d.tokens[i].capital && next.adjacent() &&
		(next.isCapitalWord() && !d.SentenceStarters.Has(next.lower) || next.kind == numberToken && d.at(i-1).capital)
}

// isDatedName reports whether the month or day at i is a person's name, as April
// is in "April said".
func (d *document) isDatedName(i int) bool {
	t, before, next := d.tokens[i], d.at(i-1).lower, d.at(i+1)
	if !d.MaybeGivenName(t.lower) {
		return false
	}
	switch {
	case next.kind == punctToken && d.Verbs.Has(before) && !auxiliaries.Has(before): // "I asked April."
		return true
	case next.isCapitalWord() && next.spaceBefore &&
		!d.SentenceStarters.Has(next.lower) && !d.CalendarWords.Has(next.lower):
		return true
	case next.lower == "'s":
		return !t.sentenceStart
	}
	return d.PersonVerbs.Has(next.lower) && !datePrepositions.Has(before)
}

// isNameAtStart reports whether the given name at i, which is also a common
// word, is a name: inside a sentence always, at its beginning by what follows or
// by the rest of the text.
func (d *document) isNameAtStart(i int) bool {
	t, next := d.tokens[i], d.at(i+1)
	starter := d.SentenceStarters.Has(t.lower)
	elsewhere := d.capitals[t.lower] > 0
	switch {
	case !t.sentenceStart:
		return true
	case next.lower == "'s", next.spaceBefore && d.Verbs.Has(next.lower):
		return !starter || t.lower != "will" || d.PersonVerbs.Has(next.lower)
	case next.isCapitalWord() && next.spaceBefore && !d.IsCommon(next.lower):
		return !starter
	case next.lower == ",", next.lower == ":" && !starter:
		return d.at(i-1).lineStart || elsewhere
	}
	return elsewhere && !clauseOpeners.Has(next.lower)
}

// trimmed returns c without honorifics, job titles and labels before the name,
// and without demonyms and postnominals after it.
func (c candidate) trimmed() (name candidate, honorific bool) {
	c = c.afterVocative()
	for c.from < c.to {
		switch {
		case c.beginsWithHonorific():
			honorific = true
			c.from++
			if c.at(c.from).lower == "." {
				c.from++
			}
		case c.beginsWithTitle():
			c.from++
		default:
			return c.trimmedEnd(), honorific
		}
	}
	return c, honorific
}

// afterVocative returns c from the last honorific that follows a sentence's
// first word: "Frau Steindl" of "Sie Frau Steindl".
func (c candidate) afterVocative() candidate {
	for k := c.from + 1; k < c.to-1; k++ {
		first, honorific := c.first(), c.Honorifics.Has(c.tokens[k].lower)
		if honorific && first.sentenceStart && !c.MaybeGivenName(first.lower) && !c.endsInTypeSuffix() {
			c.from = k
		}
	}
	return c
}

func (c candidate) beginsWithHonorific() bool {
	next := c.at(c.from + 1)
	more := c.to-c.from > 1 && next.isWord() || c.to-c.from > 2 && next.lower == "."
	return more && c.Honorifics.Has(c.first().lower) && !c.endsInTypeSuffix()
}

// beginsWithTitle reports whether the first word of c is a job title, a label or
// the first word of the sentence, with a name after it.
func (c candidate) beginsWithTitle() bool {
	t, next := c.first(), c.at(c.from+1)
	switch {
	case c.isOneToken() || !next.isWord(),
		c.MaybeGivenName(t.lower) && !t.sentenceStart,
		c.isTypeWord(t.lower) && c.endsInTypeSuffix():
		return false
	case c.RoleHeads.Has(t.lower) || personLabels.Has(t.lower):
		return t.sentenceStart || !c.endsInTypeSuffix()
	case !t.sentenceStart || !c.IsCommon(t.lower) || c.MaybeGivenName(t.lower):
		return false
	}
	// "Call Margit", "Booked Hotel Almirante"
	return c.IsGivenName(next.lower) || c.SentenceStarters.Has(t.lower) ||
		c.OrgPrefixes.Has(next.lower) && strings.HasSuffix(t.lower, "ed")
}

func (c candidate) trimmedEnd() candidate {
	for c.hasSeveralTokens() && c.last().isCapitalWord() && (c.endsInDemonym() || postnominals.Has(c.last().lower)) {
		c.to--
	}
	return c
}

// endsInDemonym holds for a common word and a demonym, which are no name.
func (c candidate) endsInDemonym() bool {
	return c.to-c.from == 2 && c.Demonyms.Has(c.last().lower) && c.IsCommon(c.first().lower)
}

// isTypeWord reports whether w, at one end of a name, gives its type.
func (d *document) isTypeWord(w string) bool {
	return d.OrgPrefixes.Has(w) || d.OrgSuffixes.Has(w) || d.PlacePrefixes.Has(w) || d.PlaceSuffixes.Has(w) ||
		d.DocSuffixes.Has(w) || d.ProductSuffixes.Has(w)
}

// endsInTypeSuffix reports whether the last word of c gives its type.
func (c candidate) endsInTypeSuffix() bool {
	last := c.lastWord()
	if c.OrgSuffixes.Has(last.lower) && last.lower != "post" {
		return true
	}
	if c.MaybeGivenName(last.lower) {
		return false
	}
	written := last.capital || last.lower == "plc" || strings.Contains(last.lower, ".")
	return c.PlaceSuffixes.Has(last.lower) || c.DocSuffixes.Has(last.lower) || written && c.isLegalForm(last.lower)
}
