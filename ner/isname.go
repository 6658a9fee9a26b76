package ner

import (
	"strings"
	"unicode"

	"tenure/ner/words"
)

// isName reports whether the capitalised candidate c names something. After an
// honorific it always does.
func (d *document) isName(c candidate, honorific bool) bool {
	switch {
	case honorific:
		return true
	case c.isOneToken() && (d.isFieldLabel(c.from) || d.isForeignGreeting(c.from)), c.isNumberedNoun():
		return false
	case c.allCommonWords():
		return c.isNameOfCommonWords()
	case c.isOneToken():
		return d.isNameOfOneWord(c.from)
	}
	return true
}

// isNumberedNoun holds for "Step 2" and "Sev 2".
func (c candidate) isNumberedNoun() bool {
	return c.to-c.from == 2 && c.last().kind == numberToken && numberedNouns.Has(c.first().lower)
}

// isForeignGreeting reports whether token i is the second word of a greeting in
// a language other than English, as in "Guten Tag".
func (d *document) isForeignGreeting(i int) bool {
	t, before := d.tokens[i], d.at(i-1)
	return t.adjacent() && d.Foreign.Has(t.lower) && !d.IsGivenName(t.lower) &&
		before.isWord() && d.Foreign.Has(before.lower) && !d.SentenceStarters.Has(before.lower)
}

// isFieldLabel reports whether token i, with a colon after it, is the label of
// a value ("Sak: DRIFT-88") or of an unnamed speaker ("S1:").
func (d *document) isFieldLabel(i int) bool {
	t := d.tokens[i]
	if d.at(i+1).lower != ":" || d.IsGivenName(t.lower) {
		return false
	}
	value := d.at(i + 2).kind
	return value == identifierToken || value == numberToken || len(t.lower) <= 3 && words.IsDigit(t.lower[len(t.lower)-1])
}

// allCommonWords reports whether c has only common words, numbers and
// punctuation.
func (c candidate) allCommonWords() bool {
	for _, t := range c.tokens[c.from:c.to] {
		if t.isWord() && !c.isCommonToken(t) {
			return false
		}
	}
	return true
}

// isCommonToken reports whether t is a common word and neither a given name nor
// a place.
func (d *document) isCommonToken(t token) bool {
	return (t.stem || d.IsCommon(t.lower) || d.Demonyms.Has(t.lower) || d.FormatNames.Has(t.lower) || d.RoleHeads.Has(t.lower) ||
		d.CalendarWords.Has(t.lower)) && !d.IsGivenName(t.lower) && !d.Places.Has(t.lower)
}

// isNameOfCommonWords reports whether c, all of whose words are common, is a
// name nevertheless: "Blood Moon" and "Room 214", not "Wait".
func (c candidate) isNameOfCommonWords() bool {
	switch {
	case c.isNumberedRoomOrDocument(), c.isLetteredNoun(), c.endsInVersion():
		return true
	case c.words() > 1 && c.endsInTypeSuffix() && !c.isInHeadline():
		return true
	case c.isRoleOrTitle():
		return false
	case c.words() == 1:
		return c.isNameOfOneCommonWord()
	case c.first().sentenceStart && c.words() > 1:
		return c.isNameAtSentenceStart()
	}
	return !c.isInHeadline()
}

// isNumberedRoomOrDocument holds for "Room 214" and "Annex 3".
func (c candidate) isNumberedRoomOrDocument() bool {
	first := c.first().lower
	return c.PlacePrefixes.Has(first) && c.words() < c.to-c.from || c.DocPrefixes.Has(first) && c.to-c.from == 2
}

// isLetteredNoun holds for "Hangar C" and "Annex B".
func (c candidate) isLetteredNoun() bool {
	first := c.first().lower
	return c.to-c.from == 2 && len(c.last().lower) == 1 && (c.PlacePrefixes.Has(first) || c.DocPrefixes.Has(first))
}

// endsInVersion holds for "Corvid 4.2".
func (c candidate) endsInVersion() bool {
	return c.last().kind == numberToken && c.at(c.to-2).lower == "."
}

// isRoleOrTitle reports whether c is a role, a function team or a bare
// honorific.
func (c candidate) isRoleOrTitle() bool {
	first := c.first().lower
	return c.RoleHeads.Has(c.last().lower) || c.words() == 1 && (c.Functions.Has(first) || c.Honorifics.Has(first))
}

// isNameOfOneCommonWord decides by given names and by how the rest of the text
// writes the word.
func (c candidate) isNameOfOneCommonWord() bool {
	first := c.first()
	switch {
	case c.MaybeGivenName(first.lower):
		return c.isNameAtStart(c.from) && !c.isInHeadline()
	case first.sentenceStart:
		return c.capitals[first.lower] > 0 && c.last().kind != numberToken && !c.isInLowercase(first.lower)
	case c.Demonyms.Has(first.lower), c.FormatNames.Has(first.lower):
		return false
	}
	return !c.isInHeadline()
}

// isNameAtSentenceStart judges several common words at the beginning of a
// sentence, where the capital of the first word is no evidence.
func (c candidate) isNameAtSentenceStart() bool {
	first, words := c.first(), c.words()
	return c.capitals[first.lower] > 0 || c.last().kind == numberToken ||
		(words > 2 || first.lineStart && words == 2) && !c.isInHeadline()
}

// isInHeadline reports whether the line around c is written with capitals
// throughout, so that a capital is no evidence.
func (c candidate) isInHeadline() bool {
	const window = 12
	lower, capital := 0, 0
	count := func(t token) {
		switch {
		case !t.isWord() || len(t.lower) <= 3:
		case t.capital:
			capital++
		default:
			lower++
		}
	}
	for k := c.from - 1; k >= 0 && c.from-k < window && !c.tokens[k+1].lineStart; k-- {
		count(c.tokens[k])
	}
	for k := c.to; k < len(c.tokens) && k-c.to < window && !c.tokens[k].lineStart; k++ {
		count(c.tokens[k])
	}
	return capital >= 2 && lower == 0
}

// isNameOfOneWord judges one capitalised word that is not common.
func (d *document) isNameOfOneWord(i int) bool {
	t := d.tokens[i]
	switch {
	case d.isFunctionalCapital(i):
		return false
	case !d.isEnglish(i) && t.latin, !t.latin && !isUncased(t.lower):
		return d.isForeignName(i)
	case d.isDerivedNounAtStart(t), d.isAdjectivalCompound(t), isLetterWithNumber(t.lower):
		return false
	case t.allCaps:
		return d.IsGivenName(t.lower) || d.isAcronym(i)
	}
	return true
}

// isFunctionalCapital reports whether token i has its capital for what it is: a
// legal form, a format, a demonym, a date, a team, a title or a role.
func (d *document) isFunctionalCapital(i int) bool {
	t := d.tokens[i]
	return t.allCaps && d.isLegalForm(t.lower) ||
		d.SurnameParticles.Has(t.lower) || d.FormatNames.Has(t.lower) ||
		d.Demonyms.Has(t.lower) || d.Functions.Has(t.lower) ||
		d.CalendarWords.Has(t.lower) && !d.isDatedName(i) ||
		d.Honorifics.Has(t.lower) && d.at(i+1).lower != ":" ||
		d.RoleHeads.Has(t.lower) && !d.IsGivenName(t.lower)
}

// isDerivedNounAtStart reports whether t begins a sentence, ends as derived
// nouns and adjectives do, and has a capital nowhere else.
func (d *document) isDerivedNounAtStart(t token) bool {
	return t.sentenceStart && d.capitals[t.lower] == 0 && hasDerivationalSuffix(t.lower) &&
		!d.IsGivenName(t.lower) && !d.Places.Has(t.lower)
}

// isContraction holds for a function word with an auxiliary: "that'd".
func (d *document) isContraction(w string) bool {
	head, tail, ok := strings.Cut(strings.ReplaceAll(w, "’", "'"), "'")
	return ok && contractions.Has(tail) && d.SentenceStarters.Has(head)
}

// contractions are auxiliaries after an apostrophe.
var contractions = words.NewSet("d ll ve re m")

// isLetterWithNumber holds for "d3", a place in a list or a plan.
func isLetterWithNumber(w string) bool {
	return len(w) >= 2 && w[0] >= 'a' && w[0] <= 'z' && strings.Trim(w[1:], "0123456789") == ""
}

// hasDerivationalSuffix reports whether w ends in a suffix that makes nouns and
// adjectives. Compounds with a hyphen do not count.
func hasDerivationalSuffix(w string) bool {
	return words.HasLongerSuffix(w, derivationalSuffixes...) && !strings.Contains(w, "-")
}

var derivationalSuffixes = []string{
	"tion", "ness", "ment", "ence", "ance", "ency", "ancy", "ing", "able", "less", "ful", "ous", "ism", "ings", "tions", "ments",
}

// isAdjectivalCompound reports whether t is a name with a common word after a
// hyphen: "Spain-adjacent".
func (d *document) isAdjectivalCompound(t token) bool {
	head, tail, ok := strings.Cut(d.text[t.start:t.end], "-")
	return ok && head != "" && tail == strings.ToLower(tail) && d.IsCommon(tail) && !d.IsGivenName(tail)
}

// isUncased reports whether no letter of w has an upper case.
func isUncased(w string) bool {
	for _, r := range w {
		if unicode.IsUpper(unicode.ToUpper(r)) {
			return false
		}
	}
	return true
}

// isAcronym reports whether token i, in capitals, is short enough for a name and
// stands inside an English sentence.
func (d *document) isAcronym(i int) bool {
	t := d.tokens[i]
	n := len(t.lower)
	return n >= 3 && n <= 6 && !t.sentenceStart && d.isEnglish(i) && !d.IsCommon(t.lower) &&
		!strings.ContainsAny(t.lower, "_0123456789") && d.at(i+1).kind != numberToken
}

// isForeignName judges a capitalised word in a sentence that is not English. In
// German every noun has a capital.
func (d *document) isForeignName(i int) bool {
	t := d.tokens[i]
	inGerman := d.language(i) == german
	switch {
	case d.IsGivenName(t.lower) || d.Places.Has(t.lower):
		return true
	case d.Foreign.Has(t.lower):
		return false
	case t.sentenceStart && d.at(i+1).lower != ":":
		return d.capitals[t.lower] > 0 && !inGerman
	case inGerman:
		return germanTownPrepositions.Has(d.at(i-1).lower) && !hasGermanNounSuffix(t.lower) || d.isNamedInEnglish(t.lower)
	}
	return true
}

// hasGermanNounSuffix reports whether w ends as common nouns of German do.
func hasGermanNounSuffix(w string) bool {
	for _, s := range germanNounSuffixes {
		if strings.HasSuffix(w, s) {
			return true
		}
	}
	return false
}

var germanNounSuffixes = []string{
	"ung", "heit", "keit", "schaft", "tion", "tät", "nis", "tum", "chen", "lein", "ment", "ik", "eile", "rage", "acht",
	"ordnung", "ieb", "aub", "trag",
}

// isNamedInEnglish reports whether an English sentence of the text writes w with
// a capital.
func (d *document) isNamedInEnglish(w string) bool { return !d.IsCommon(w) && d.isCapitalInEnglish(w) }
