package ner

import (
	"strings"
	"unicode"
)

// isName says whether a capitalised span names something.
func (d *document) isName(i, j int, titled bool) bool {
	t := d.toks[i]
	if titled {
		return true
	}
	if j-i == 1 && (d.fieldLabel(i) || d.greeting(i)) || j-i == 2 && d.toks[j-1].kind == numberTok && counted.has(t.low) {
		return false
	}
	if d.allCommon(i, j) {
		return d.commonName(i, j)
	}
	if j-i == 1 {
		return d.singleName(i, t)
	}
	return true
}

// counted are what a number behind a capital counts: "Step 2", "Sev 2".
var counted = cues("step phase option priority prio sev severity level grade part section article chapter paragraph page line row item question round day week month year version number figure fig table deposit total score point points rank case attempt try run session lesson unit module task story milestone sprint quarter tier class rule clause verse act scene vol volume issue season episode candidate order")

// greeting says whether a word belongs to a greeting of another language, as in
// "Guten Tag".
func (d *document) greeting(i int) bool {
	t, before := d.toks[i], d.at(i-1)
	return d.foreign.has(t.low) && !d.givenName(t.low) && before.word() && t.gap && !t.line && d.foreign.has(before.low) && !d.starters.has(before.low)
}

// fieldLabel says whether a word with a colon is the label of a value ("Sak:
// DRIFT-88") or of a speaker without a name ("S1:").
func (d *document) fieldLabel(i int) bool {
	t := d.toks[i]
	if d.at(i+1).low != ":" || d.givenName(t.low) {
		return false
	}
	return d.at(i+2).kind == idTok || d.at(i+2).kind == numberTok || len(t.low) <= 3 && isDigit(t.low[len(t.low)-1])
}

// allCommon says whether a span has only ordinary words and numbers.
func (d *document) allCommon(i, j int) bool {
	for _, t := range d.toks[i:j] {
		if t.word() && !d.ordinary(t) {
			return false
		}
	}
	return true
}

func (d *document) ordinary(t token) bool {
	return (d.common(t.low) || d.in("adjectives", t.low) || d.in("formats", t.low) || d.roleHeads.has(t.low) || d.in("days", t.low)) &&
		!d.givenName(t.low) && !d.places.has(t.low)
}

// commonName judges spans of ordinary words: "Blood Moon", "Room 214", "Wait".
func (d *document) commonName(i, j int) bool {
	t, last := d.toks[i], d.toks[j-1]
	words := 0
	for _, t := range d.toks[i:j] {
		words += boolInt(t.word())
	}
	switch {
	case d.in("placefirst", t.low) && words < j-i && !d.in("documentparts", t.low), d.in("docfirst", t.low) && j-i == 2:
		return true
	case d.placeLetter(i, j):
		return true
	case last.kind == numberTok && d.at(j-2).low == ".": // a version: no ordinal
		return true
	case words > 1 && d.endsInClass(i, j) && !d.headline(i, j):
		return true
	case d.roleHeads.has(last.low) || d.functions.has(t.low) && words == 1 || d.in("persontitles", t.low) && words == 1:
		return false
	case words == 1 && d.anyName(t.low):
		return d.nameAtStart(i) && !d.headline(i, j)
	case t.first && words == 1:
		return d.seen[t.low] > 0 && last.kind != numberTok && d.allCapitalised(t.low)
	case d.in("adjectives", t.low) && words == 1, d.in("formats", t.low) && words == 1:
		return false
	case t.first && words > 1:
		// the first word has its capital from the sentence
		return words > 2 && !d.headline(i, j) || d.seen[t.low] > 0 || last.kind == numberTok || t.line && words == 2 && !d.headline(i, j)
	}
	return !d.headline(i, j)
}

// placeLetter says whether a span is a class word and a letter: "Hangar C".
func (d *document) placeLetter(i, j int) bool {
	return j-i == 2 && len(d.toks[j-1].low) == 1 && (d.in("placefirst", d.toks[i].low) || d.in("docfirst", d.toks[i].low))
}

// allCapitalised says whether no small writing of w speaks against its name.
func (d *document) allCapitalised(w string) bool { return !d.small.has(w) }

// headline says whether the line of a span is written with capitals
// throughout, so that they say nothing.
func (d *document) headline(i, j int) bool {
	small, capital := 0, 0
	for k := i - 1; k >= 0 && i-k < 12 && !d.toks[k+1].line; k-- {
		countCase(d.toks[k], &small, &capital)
	}
	for k := j; k < len(d.toks) && k-j < 12 && !d.toks[k].line; k++ {
		countCase(d.toks[k], &small, &capital)
	}
	return capital >= 2 && small == 0
}

func countCase(t token, small, capital *int) {
	if t.word() && len(t.low) > 3 {
		if t.cap {
			*capital++
		} else {
			*small++
		}
	}
}

// singleName judges one unknown word with a capital.
func (d *document) singleName(i int, t token) bool {
	switch {
	case d.legal(t.low) && t.upper, d.in("particles", t.low), d.in("formats", t.low):
		return false
	case d.in("adjectives", t.low) || d.in("days", t.low) && !d.datedName(i) || d.functions.has(t.low) || d.in("persontitles", t.low) && d.at(i+1).low != ":":
		return false
	case d.roleHeads.has(t.low) && !d.givenName(t.low):
		return false
	case d.language(i) != "en" && t.latin || !t.latin && !d.caseless(t):
		return d.foreignName(i, t)
	case t.first && !d.givenName(t.low) && !d.places.has(t.low) && nominal(t.low) && d.seen[t.low] == 0:
		return false
	case d.adjectivalHyphen(t):
		return false
	case t.upper:
		return d.givenName(t.low) || d.acronym(i, t)
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
	return ok && head != "" && tail == strings.ToLower(tail) && d.common(tail) && !d.givenName(tail)
}

func (d *document) caseless(t token) bool {
	for _, r := range t.low {
		if unicode.IsUpper(unicode.ToUpper(r)) {
			return false
		}
	}
	return true
}

// acronym says whether a word in capitals names something that the text does
// not spell out.
func (d *document) acronym(i int, t token) bool {
	n := len(t.low)
	return n >= 3 && n <= 6 && !t.first && !d.common(t.low) && !strings.ContainsAny(t.low, "_0123456789") && d.englishAt(i) && d.at(i+1).kind != numberTok
}

// foreignName judges a capitalised word in a sentence that is not English. In
// German every noun has a capital.
func (d *document) foreignName(i int, t token) bool {
	if d.givenName(t.low) || d.places.has(t.low) {
		return true
	}
	if d.foreign.has(t.low) || t.first && d.at(i+1).low != ":" {
		return d.seen[t.low] > 0 && !d.foreign.has(t.low) && d.language(i) != "de"
	}
	if d.language(i) == "de" {
		return townPrepositions.has(d.at(i-1).low) && !germanNoun(t.low) || d.namedInEnglish(t.low)
	}
	return true
}

// townPrepositions come before towns without an article in German.
var townPrepositions = cues("nach aus in bei")

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
func (d *document) namedInEnglish(w string) bool { return d.english.has(w) && !d.common(w) }
