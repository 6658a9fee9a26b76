package ner

import (
	"strings"
	"unicode/utf8"
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
	case !t.isCapitalWord(), t.lower == "i", d.isDetachedPossessive(t), d.isJoinedToCode(i):
		return false
	case utf8.RuneCountInString(t.lower) == 1:
		return d.isInitial(i) || next.lower == "&" || t.lower == "ó" && next.capital && next.spaceBefore
	case t.allCaps && d.formatNames.has(t.lower), d.calendarWords.has(t.lower) && !d.isDatedName(i):
		return false
	case t.lower == "the":
		return !t.sentenceStart && next.isCapitalWord()
	case d.sentenceStarters.has(t.lower) || d.isForeignStarter(i):
		return d.starterBeginsName(i)
	}
	return true
}

// isDetachedPossessive holds for an s without its apostrophe.
func (d *document) isDetachedPossessive(t token) bool {
	return strings.HasPrefix(t.lower, "s") && possessive("'"+t.lower) > 0
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
	return d.maybeGivenName(t.lower) && d.isNameAtStart(i) ||
		!t.sentenceStart && d.isTitleCased(i) ||
		d.isNumberedNounAt(i)
}

// isForeignStarter reports whether token i begins a sentence with a function
// word of a language other than English.
func (d *document) isForeignStarter(i int) bool {
	t := d.tokens[i]
	return t.sentenceStart && d.foreign.has(t.lower) && !d.isGivenName(t.lower)
}

// isNumberedNounAt reports whether "Room 214" or "Ward C" begins at token i.
func (d *document) isNumberedNounAt(i int) bool {
	noun, number := d.tokens[i].lower, d.at(i+1)
	return (d.placePrefixes.has(noun) || d.docPrefixes.has(noun)) && number.adjacent() &&
		(number.kind == numberToken || number.isCapitalWord() && len(number.lower) == 1)
}

// isTitleCased reports whether the function word at i has its capital from the
// title that it begins.
func (d *document) isTitleCased(i int) bool {
	next := d.at(i + 1)
	return d.tokens[i].capital && next.adjacent() &&
		(next.isCapitalWord() && !d.sentenceStarters.has(next.lower) || next.kind == numberToken && d.at(i-1).capital)
}

// isDatedName reports whether the month or day at i is a person's name, as April
// is in "April said".
func (d *document) isDatedName(i int) bool {
	t, before, next := d.tokens[i], d.at(i-1).lower, d.at(i+1)
	if !d.maybeGivenName(t.lower) {
		return false
	}
	switch {
	case next.kind == punctToken && d.verbs.has(before) && !auxiliaries.has(before): // "I asked April."
		return true
	case next.isCapitalWord() && next.spaceBefore &&
		!d.sentenceStarters.has(next.lower) && !d.calendarWords.has(next.lower):
		return true
	case next.lower == "'s":
		return !t.sentenceStart
	}
	return d.personVerbs.has(next.lower) && !datePrepositions.has(before)
}

// isNameAtStart reports whether the given name at i, which is also a common
// word, is a name: inside a sentence always, at its beginning by what follows or
// by the rest of the text.
func (d *document) isNameAtStart(i int) bool {
	t, next := d.tokens[i], d.at(i+1)
	starter := d.sentenceStarters.has(t.lower)
	elsewhere := d.capitals[t.lower] > 0
	switch {
	case !t.sentenceStart:
		return true
	case next.lower == "'s", next.spaceBefore && d.verbs.has(next.lower):
		return !starter || t.lower != "will" || d.personVerbs.has(next.lower)
	case next.isCapitalWord() && next.spaceBefore && !d.isCommon(next.lower):
		return !starter
	case next.lower == ",", next.lower == ":" && !starter:
		return d.at(i-1).lineStart || elsewhere
	}
	return elsewhere && !clauseOpeners.has(next.lower)
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
		first, honorific := c.first(), c.honorifics.has(c.tokens[k].lower)
		if honorific && first.sentenceStart && !c.maybeGivenName(first.lower) && !c.endsInTypeSuffix() {
			c.from = k
		}
	}
	return c
}

func (c candidate) beginsWithHonorific() bool {
	next := c.at(c.from + 1)
	more := c.to-c.from > 1 && next.isWord() || c.to-c.from > 2 && next.lower == "."
	return more && c.honorifics.has(c.first().lower) && !c.endsInTypeSuffix()
}

// beginsWithTitle reports whether the first word of c is a job title, a label or
// the first word of the sentence, with a name after it.
func (c candidate) beginsWithTitle() bool {
	t, next := c.first(), c.at(c.from+1)
	switch {
	case c.isOneToken() || !next.isWord(),
		c.maybeGivenName(t.lower) && !t.sentenceStart,
		c.isTypeWord(t.lower) && c.endsInTypeSuffix():
		return false
	case c.roleHeads.has(t.lower) || personLabels.has(t.lower):
		return t.sentenceStart || !c.endsInTypeSuffix()
	case !t.sentenceStart || !c.isCommon(t.lower) || c.maybeGivenName(t.lower):
		return false
	}
	// "Call Margit", "Booked Hotel Almirante"
	return c.isGivenName(next.lower) || c.sentenceStarters.has(t.lower) ||
		c.orgPrefixes.has(next.lower) && strings.HasSuffix(t.lower, "ed")
}

func (c candidate) trimmedEnd() candidate {
	for c.hasSeveralTokens() && c.last().isCapitalWord() && (c.endsInDemonym() || postnominals.has(c.last().lower)) {
		c.to--
	}
	return c
}

// endsInDemonym holds for a common word and a demonym, which are no name.
func (c candidate) endsInDemonym() bool {
	return c.to-c.from == 2 && c.demonyms.has(c.last().lower) && c.isCommon(c.first().lower)
}

// isTypeWord reports whether w, at one end of a name, gives its type.
func (d *document) isTypeWord(w string) bool {
	return d.orgPrefixes.has(w) || d.orgSuffixes.has(w) || d.placePrefixes.has(w) || d.placeSuffixes.has(w) ||
		d.docSuffixes.has(w) || d.productSuffixes.has(w)
}

// endsInTypeSuffix reports whether the last word of c gives its type.
func (c candidate) endsInTypeSuffix() bool {
	last := c.lastWord()
	if c.orgSuffixes.has(last.lower) && last.lower != "post" {
		return true
	}
	if c.maybeGivenName(last.lower) {
		return false
	}
	written := last.capital || last.lower == "plc" || strings.Contains(last.lower, ".")
	return c.placeSuffixes.has(last.lower) || c.docSuffixes.has(last.lower) || written && c.isLegalForm(last.lower)
}
