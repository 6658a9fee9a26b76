package ner

import (
	"strings"
	"unicode"
)

// isName says whether a capitalised span names something.
func (d *document) isName(i, j int, titled bool) bool {
	t := d.tokens[i]
	if titled {
		return true
	}
	if j-i == 1 && (d.fieldLabel(i) || d.greeting(i)) || j-i == 2 && d.tokens[j-1].kind == numberToken && counted.has(t.lower) {
		return false
	}
	if d.allCommonWords(i, j) {
		return d.isNameOfCommonWords(i, j)
	}
	if j-i == 1 {
		return d.isNameOfOneWord(i, t)
	}
	return true
}

// counted are what a number behind a capital counts: "Step 2", "Sev 2".
var counted = newWordSet("step phase option priority prio sev severity level grade part section article chapter paragraph page line row item question round day week month year version number figure fig table deposit total score point points rank case attempt try run session lesson unit module task story milestone sprint quarter tier class rule clause verse act scene vol volume issue season episode candidate order")

// greeting says whether a word belongs to a greeting of another language, as in
// "Guten Tag".
func (d *document) greeting(i int) bool {
	t, before := d.tokens[i], d.at(i-1)
	return d.foreign.has(t.lower) && !d.isGivenName(t.lower) && before.word() && t.spaceBefore && !t.lineStart && d.foreign.has(before.lower) && !d.sentenceStarters.has(before.lower)
}

// fieldLabel says whether a word with a colon is the label of a value ("Sak:
// DRIFT-88") or of a speaker without a name ("S1:").
func (d *document) fieldLabel(i int) bool {
	t := d.tokens[i]
	if d.at(i+1).lower != ":" || d.isGivenName(t.lower) {
		return false
	}
	return d.at(i+2).kind == identifierToken || d.at(i+2).kind == numberToken || len(t.lower) <= 3 && isDigit(t.lower[len(t.lower)-1])
}

// allCommon says whether a span has only ordinary words and numbers.
func (d *document) allCommonWords(i, j int) bool {
	for _, t := range d.tokens[i:j] {
		if t.word() && !d.isCommonToken(t) {
			return false
		}
	}
	return true
}

func (d *document) isCommonToken(t token) bool {
	return (d.isCommon(t.lower) || d.demonyms.has(t.lower) || d.formatNames.has(t.lower) || d.roleHeads.has(t.lower) || d.calendarWords.has(t.lower)) &&
		!d.isGivenName(t.lower) && !d.places.has(t.lower)
}

// commonName judges spans of ordinary words: "Blood Moon", "Room 214", "Wait".
func (d *document) isNameOfCommonWords(i, j int) bool {
	t, last := d.tokens[i], d.tokens[j-1]
	words := 0
	for _, t := range d.tokens[i:j] {
		words += boolInt(t.word())
	}
	switch {
	case d.placePrefixes.has(t.lower) && words < j-i, d.docPrefixes.has(t.lower) && j-i == 2:
		return true
	case d.placeLetter(i, j):
		return true
	case last.kind == numberToken && d.at(j-2).lower == ".": // a version: no ordinal
		return true
	case words > 1 && d.endsInTypeSuffix(i, j) && !d.headline(i, j):
		return true
	case d.roleHeads.has(last.lower) || d.functions.has(t.lower) && words == 1 || d.honorifics.has(t.lower) && words == 1:
		return false
	case words == 1 && d.maybeGivenName(t.lower):
		return d.nameAtStart(i) && !d.headline(i, j)
	case t.sentenceStart && words == 1:
		return d.seen[t.lower] > 0 && last.kind != numberToken && d.allCapitalised(t.lower)
	case d.demonyms.has(t.lower) && words == 1, d.formatNames.has(t.lower) && words == 1:
		return false
	case t.sentenceStart && words > 1:
		// the first word has its capital from the sentence
		return words > 2 && !d.headline(i, j) || d.seen[t.lower] > 0 || last.kind == numberToken || t.lineStart && words == 2 && !d.headline(i, j)
	}
	return !d.headline(i, j)
}

// placeLetter says whether a span is a class word and a letter: "Hangar C".
func (d *document) placeLetter(i, j int) bool {
	return j-i == 2 && len(d.tokens[j-1].lower) == 1 && (d.placePrefixes.has(d.tokens[i].lower) || d.docPrefixes.has(d.tokens[i].lower))
}

// allCapitalised says whether no small writing of w speaks against its name.
func (d *document) allCapitalised(w string) bool { return !d.small.has(w) }

// headline says whether the line of a span is written with capitals
// throughout, so that they say nothing.
func (d *document) headline(i, j int) bool {
	small, capital := 0, 0
	for k := i - 1; k >= 0 && i-k < 12 && !d.tokens[k+1].lineStart; k-- {
		countCase(d.tokens[k], &small, &capital)
	}
	for k := j; k < len(d.tokens) && k-j < 12 && !d.tokens[k].lineStart; k++ {
		countCase(d.tokens[k], &small, &capital)
	}
	return capital >= 2 && small == 0
}

func countCase(t token, small, capital *int) {
	if t.word() && len(t.lower) > 3 {
		if t.capital {
			*capital++
		} else {
			*small++
		}
	}
}

// singleName judges one unknown word with a capital.
func (d *document) isNameOfOneWord(i int, t token) bool {
	switch {
	case d.legal(t.lower) && t.allCaps, d.surnameParticles.has(t.lower), d.formatNames.has(t.lower):
		return false
	case d.demonyms.has(t.lower) || d.calendarWords.has(t.lower) && !d.datedName(i) || d.functions.has(t.lower) || d.honorifics.has(t.lower) && d.at(i+1).lower != ":":
		return false
	case d.roleHeads.has(t.lower) && !d.isGivenName(t.lower):
		return false
	case d.language(i) != "en" && t.latin || !t.latin && !d.caseless(t):
		return d.foreignName(i, t)
	case t.sentenceStart && !d.isGivenName(t.lower) && !d.places.has(t.lower) && nominal(t.lower) && d.seen[t.lower] == 0:
		return false
	case d.adjectivalHyphen(t):
		return false
	case t.allCaps:
		return d.isGivenName(t.lower) || d.acronym(i, t)
	}
	return true
}

// nominal says whether a word at the beginning of a sentence ends as nouns and
// adjectives do that have their capital from there.
func nominal(w string) bool {
	for _, e := range []string{"tion", "ness", "ment", "ing", "able", "less", "ful", "ous", "ism", "ings", "tions", "ments"} {
		if strings.HasSuffix(w, e) && len(w) > len(e)+2 && !strings.Contains(w, "-") {
			return true
		}
	}
	return false
}

// adjectivalHyphen says whether a word is like "Spain-adjacent".
func (d *document) adjectivalHyphen(t token) bool {
	head, tail, ok := strings.Cut(d.text[t.start:t.end], "-")
	return ok && head != "" && tail == strings.ToLower(tail) && d.isCommon(tail) && !d.isGivenName(tail)
}

func (d *document) caseless(t token) bool {
	for _, r := range t.lower {
		if unicode.IsUpper(unicode.ToUpper(r)) {
			return false
		}
	}
	return true
}

// acronym says whether a word in capitals names something that the text does
// not spell out.
func (d *document) acronym(i int, t token) bool {
	n := len(t.lower)
	return n >= 3 && n <= 6 && !t.sentenceStart && !d.isCommon(t.lower) && !strings.ContainsAny(t.lower, "_0123456789") && d.englishAt(i) && d.at(i+1).kind != numberToken
}

// foreignName judges a capitalised word in a sentence that is not English. In
// German every noun has a capital.
func (d *document) foreignName(i int, t token) bool {
	if d.isGivenName(t.lower) || d.places.has(t.lower) {
		return true
	}
	if d.foreign.has(t.lower) || t.sentenceStart && d.at(i+1).lower != ":" {
		return d.seen[t.lower] > 0 && !d.foreign.has(t.lower) && d.language(i) != "de"
	}
	if d.language(i) == "de" {
		return townPrepositions.has(d.at(i-1).lower) && !germanNoun(t.lower) || d.namedInEnglish(t.lower)
	}
	return true
}

// townPrepositions come before towns without an article in German.
var townPrepositions = newWordSet("nach aus in bei")

// germanNoun knows nouns by their endings.
func germanNoun(w string) bool {
	for _, e := range []string{"ung", "heit", "keit", "schaft", "tion", "tät", "nis", "tum", "chen", "lein", "ment", "ik", "eile", "rage", "acht", "ordnung", "ieb", "aub", "trag"} {
		if strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

// namedInEnglish says whether the word is also a name in an English sentence.
func (d *document) namedInEnglish(w string) bool { return d.english.has(w) && !d.isCommon(w) }
