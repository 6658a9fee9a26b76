package ner

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tenure/ner/words"
)

// maxName bounds the tokens of a name, so that the rules take linear time.
const maxName = 14

// extendName returns the end of the longest run from token i that may be one
// name.
func (d *document) extendName(i int) int {
	j := i
	for j < len(d.tokens) && j < i+maxName {
		n := d.extension(i, j)
		if n == 0 {
			break
		}
		j += n
	}
	return j
}

// extension returns how many tokens from j continue the name [i, j), 0 if none
// does.
func (d *document) extension(i, j int) int {
	t, inside := d.tokens[j], j > i
	if inside && d.beginsAnew(j) {
		return 0
	}
	if n := d.extendByLetter(i, j); n > 0 {
		return n
	}
	switch {
	case inside && t.isWord() && !t.spaceBefore:
		return 0
	case inside && t.kind == numberToken:
		return d.extendByNumber(j)
	case t.isCapitalWord():
		return d.extendByCapital(i, j)
	case inside && t.isWord():
		return d.extendByLowercase(j)
	case inside && t.kind == punctToken:
		return d.extendByPunctuation(i, j)
	}
	return 0
}

// beginsAnew reports whether a line or a sentence begins at token j. A dot
// after an initial and a closing quotation mark end no sentence.
func (d *document) beginsAnew(j int) bool {
	t, before := d.tokens[j], d.at(j-1)
	if t.lineStart || !t.sentenceStart || t.kind == punctToken || before.kind != punctToken {
		return t.lineStart
	}
	return !d.followsAbbreviation(j) && !closesQuote(before.lower) && !d.isLegalForm(t.lower)
}

// followsAbbreviation reports whether the dot before token j belongs to an
// initial, an honorific or "St.".
func (d *document) followsAbbreviation(j int) bool {
	word := d.at(j - 2)
	if d.at(j-1).lower != "." || !word.isWord() || d.PlacePrefixes.Has(d.at(j-3).lower) { // "Cellar B. The"
		return false
	}
	return utf8.RuneCountInString(word.lower) == 1 || d.Honorifics.Has(word.lower) || word.lower == "st"
}

// extendByLetter takes single letters: the number of "Ward C", the Ó of "Ó
// Briain", the abbreviated surname of "Viktor L.", and initials with their dot.
func (d *document) extendByLetter(i, j int) int {
	t := d.tokens[j]
	switch {
	case j > i && len(t.lower) == 1 && t.capital && d.isNumberedNounAt(j-1):
		return 1
	case j == i && t.lower == "ó":
		return 1
	case j == i+1 && d.isShortSurname(j):
		return 1 + boolInt(d.isDotOf(j))
	case d.isInitial(j):
		return 2 - boolInt(isDotted(t.lower))
	}
	return 0
}

// isDotOf reports whether a dot without a space follows token j.
func (d *document) isDotOf(j int) bool {
	dot := d.at(j + 1)
	return dot.lower == "." && !dot.spaceBefore
}

// isShortSurname reports whether token j is the letter of "Viktor L.".
func (d *document) isShortSurname(j int) bool {
	t, next := d.tokens[j], d.at(j+1)
	return t.isCapitalWord() && utf8.RuneCountInString(t.lower) == 1 && t.lower != "i" && t.spaceBefore &&
		d.IsGivenName(d.at(j-1).lower) && (next.breaks() || d.Verbs.Has(next.lower))
}

// isInitial reports whether token i is the first letter of "J. Okafor" or "J. R.
// Okafor", or the "J.R." of "J.R. Okafor".
func (d *document) isInitial(i int) bool {
	t, next := d.at(i), d.at(i+1)
	switch {
	case !t.isCapitalWord():
		return false
	case isDotted(t.lower):
		return next.isCapitalWord() && next.adjacent()
	case utf8.RuneCountInString(t.lower) > 1 || !d.isDotOf(i):
		return false
	}
	name := d.at(i + 2)
	return name.isCapitalWord() && !name.lineStart && !d.SentenceStarters.Has(name.lower)
}

// isDotted reports whether w is an abbreviation of single letters with a final
// dot.
func isDotted(w string) bool {
	return strings.HasSuffix(w, ".") && words.IsAbbreviation(strings.TrimSuffix(w, "."))
}

// extendByCapital takes a capitalised word, with the dot of its abbreviation.
func (d *document) extendByCapital(i, j int) int {
	switch {
	case j > i && d.isOtherCapital(j):
		return 0
	case j > i && !d.isFunctionWordSurname(i, j) && d.isFunctionWord(j):
		return 0
	}
	return 1 + boolInt(d.hasAbbreviationDot(i, j))
}

// isOtherCapital reports whether token j has its capital as a date or a format,
// or follows the number that ends a name.
func (d *document) isOtherCapital(j int) bool {
	t := d.tokens[j]
	return d.CalendarWords.Has(t.lower) && !d.MaybeGivenName(t.lower) ||
		t.allCaps && d.FormatNames.Has(t.lower) && !d.isLegalForm(t.lower) && !d.ProductSuffixes.Has(t.lower) ||
		d.at(j-1).kind == numberToken
}

// isFunctionWordSurname holds for the last word of "Xiaolin He".
func (d *document) isFunctionWordSurname(i, j int) bool {
	t := d.tokens[j]
	return j == i+1 && !t.allCaps && functionWordSurnames.Has(t.lower) &&
		d.IsGivenName(d.at(j-1).lower) && !d.at(j+1).capital
}

// isFunctionWord reports whether token j is a function word that no title or
// type of name accounts for.
func (d *document) isFunctionWord(j int) bool {
	t := d.tokens[j]
	return d.SentenceStarters.Has(t.lower) && !d.StarterNouns.Has(t.lower) && !d.isTypeWord(t.lower) &&
		!d.MaybeGivenName(t.lower) && !d.isTitleCased(j) && (!t.allCaps || !d.isLegalForm(t.lower))
}

// hasAbbreviationDot reports whether the dot after token j belongs to it: "Dr.",
// "St.", and inside a name "Co.".
func (d *document) hasAbbreviationDot(i, j int) bool {
	w := d.tokens[j].lower
	return d.isDotOf(j) && (d.Honorifics.Has(w) || w == "st" || j > i && dottedLegalForms.Has(w))
}

// extendByNumber takes the number of "Lagoon 8", "Corvid 4.2" and "Fixtures List
// 2032".
func (d *document) extendByNumber(j int) int {
	t, next, second := d.tokens[j], d.at(j+1), d.at(j+2)
	switch {
	case len(t.lower) > 4 || !t.spaceBefore || d.at(j-1).kind == numberToken || d.isRatio(j):
		return 0
	case d.isDotOf(j) && second.kind == numberToken && !second.spaceBefore: // a version
		return 3
	case next.lower == "." && second.isLowercaseWord() && second.adjacent(): // a list: "open Corvid 2. paste it"
		return 0
	}
	return 1
}

// isRatio reports whether a time, a percentage or a fraction begins at token j.
func (d *document) isRatio(j int) bool {
	sign := d.at(j + 1)
	switch sign.lower {
	case ":", "%", "/":
		return !sign.spaceBefore && d.at(j+2).kind == numberToken
	}
	return false
}

// extendByLowercase takes what a name holds in lower case: surname particles,
// legal forms, the conjunctions of partners, "of".
func (d *document) extendByLowercase(j int) int {
	t := d.tokens[j]
	switch {
	case partnerConjunctions.Has(t.lower) && d.isCapitalNext(j) && d.hasLegalFormAhead(j+2):
		return 2
	case lowercaseLegalForms.Has(t.lower), strings.Contains(t.lower, ".") && d.isLegalForm(t.lower):
		return d.legalFormLength(j)
	case strings.HasPrefix(t.lower, "al-"), strings.HasPrefix(t.lower, "el-"):
		return boolInt(unicode.IsUpper(firstAfterHyphen(d.text[t.start:t.end])))
	case d.SurnameParticles.Has(t.lower) && !homographParticles.Has(t.lower):
		return d.extendByParticle(j)
	}
	return d.extendByConnective(j)
}

// isCapitalNext reports whether a capitalised word follows token j on its
// line.
func (d *document) isCapitalNext(j int) bool {
	next := d.at(j + 1)
	return next.isCapitalWord() && next.adjacent()
}

// extendByParticle takes "van Meer" and "van der Meer".
func (d *document) extendByParticle(j int) int {
	next, second := d.at(j+1), d.at(j+2)
	capital := d.isCapitalNext(j)
	switch {
	case capital && d.OrgPrefixes.Has(next.lower) && d.IsGivenName(d.at(j-1).lower): // "Iñaki de Talleres Urkiola"
		return 0
	case capital && !d.SentenceStarters.Has(next.lower):
		return 2
	case d.SurnameParticles.Has(next.lower) && second.isCapitalWord() && !second.lineStart:
		return 3
	}
	return 0
}

// extendByConnective takes "and Sons", "of Ghent", "for Guests" and "of the
// North".
func (d *document) extendByConnective(j int) int {
	t, next := d.tokens[j].lower, d.at(j+1).lower
	switch {
	case t == "and":
		return 2 * boolInt(partnerNouns.Has(next) && d.isCapitalNext(j))
	case t != "of" && t != "for" || !d.takesOf(d.at(j-1).lower):
		return 0
	case d.isCapitalNext(j):
		return 2
	case t == "of" && next == "the" && d.at(j+2).capital:
		return 3
	}
	return 0
}

// takesOf reports whether "of" after w continues the name: "Bank of", "City
// of".
func (d *document) takesOf(w string) bool {
	switch w {
	case "house", "city", "port", "isle":
		return true
	}
	return d.OrgPrefixes.Has(w) || d.OrgSuffixes.Has(w) && !d.Honorifics.Has(w) || d.DocSuffixes.Has(w)
}

// hasLegalFormAhead reports whether a legal form is among the three words from
// token j.
func (d *document) hasLegalFormAhead(j int) bool {
	for k := j; k < j+3; k++ {
		t := d.at(k)
		if !t.isWord() || t.lineStart {
			return false
		}
		if d.isLegalForm(t.lower) && !partnerConjunctions.Has(t.lower) || t.lower == "sp" {
			return true
		}
	}
	return false
}

func firstAfterHyphen(s string) rune {
	r, _ := utf8.DecodeRuneInString(s[strings.IndexByte(s, '-')+1:])
	return r
}

// extendByPunctuation takes "& Co", ", Inc.", "'s Hall" and the nickname of
// Eleanor "Nell" Holm.
func (d *document) extendByPunctuation(i, j int) int {
	t, next := d.tokens[j], d.at(j+1)
	capital := next.isCapitalWord() && !next.lineStart
	switch t.lower {
	case "&":
		if capital && t.spaceBefore == next.spaceBefore {
			return 1 + max(d.legalFormLength(j+1), 1)
		}
	case ",":
		return d.extendByComma(j)
	case "'s":
		if capital && next.spaceBefore {
			return d.extendByPossessive(i, j)
		}
	case "\"", "“", "'", "‘":
		if capital && d.isNickname(j) {
			return 3
		}
	}
	return 0
}

// extendByComma takes a legal form after a comma.
func (d *document) extendByComma(j int) int {
	form := d.at(j + 1)
	written := form.spaceBefore && (form.capital || form.lower == "s.r.o.")
	if !written || !d.isLegalForm(form.lower) || d.MaybeGivenName(form.lower) {
		return 0
	}
	n := d.legalFormLength(j + 1)
	return 1 + n + boolInt(n == 1 && d.isDotOf(j+1))
}

// isNickname reports whether the quotation mark at j opens one word between a
// given name and a surname.
func (d *document) isNickname(j int) bool {
	return d.MaybeGivenName(d.at(j-1).lower) && closesQuote(d.at(j+2).lower) && d.at(j+3).isCapitalWord()
}

// extendByPossessive takes the "'s Hall" of "St. Olave's Hall": only a place, an
// organization or a title has a possessive inside.
func (d *document) extendByPossessive(i, j int) int {
	k := j + 1
	for k < j+maxName && d.at(k).isCapitalWord() && !d.at(k).lineStart {
		k++
	}
	last := d.at(k - 1).lower
	if d.PlaceSuffixes.Has(last) || d.OrgSuffixes.Has(last) || d.at(i).lower == "the" {
		return k - j
	}
	return 0
}

func closesQuote(s string) bool {
	return s == "\"" || s == "”" || s == "'" || s == "’" || s == "“"
}

// isLegalForm reports whether w, with or without its dots, is a legal form.
func (d *document) isLegalForm(w string) bool {
	return d.LegalForms.Has(w) || strings.Contains(w, ".") &&
		(d.LegalForms.Has(strings.TrimSuffix(w, ".")) || d.LegalForms.Has(strings.ReplaceAll(w, ".", "")))
}

// legalFormLength returns how many tokens the legal form at j has: 1, or more
// with the dots of "Co." and "sp. z o.o.".
func (d *document) legalFormLength(j int) int {
	n := 1
	if d.at(j).lower == "sp" {
		for d.isPolishLegalForm(d.at(j + n).lower) {
			n++
		}
		return n
	}
	return n + boolInt(dottedLegalForms.Has(d.at(j).lower) && d.isDotOf(j))
}

// isPolishLegalForm reports whether w continues "sp. z o.o.".
func (d *document) isPolishLegalForm(w string) bool {
	return w == "." || w == "z" || strings.HasPrefix(w, "o.o")
}
