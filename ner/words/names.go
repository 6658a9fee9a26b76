package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The bounds of what looks like a name, in words and in bytes.
const (
	nameWords = 6
	nameBytes = 80
)

// LooksLikeName reports whether a whole text is written like a name: one to six words with capitals, but for particles
// between them ("Ludwig van Dijk") and numbers after the first ("Ward 4B"), no part of a date, and, alone, no ordinary
// word. Letters without case count as capitals. What is in doubt is none.
func (l *Lexicon) LooksLikeName(s string) bool {
	parts := strings.Fields(s)
	if len(parts) == 0 || len(parts) > nameWords || len(s) > nameBytes || strings.ContainsAny(s, ",;:!?()[]{}<>\"/@=%|") {
		return false
	}
	for i, p := range parts {
		inner := i > 0 && i < len(parts)-1
		if !l.partOfName(p, i > 0, inner) {
			return false
		}
	}
	only := strings.ToLower(strings.Trim(parts[0], ".'’"))
	return len(parts) > 1 || utf8.RuneCountInString(only) > 1 && (l.IsGivenName(only) || !l.IsCommon(only))
}

// partOfName reports whether a word may be part of a name: with a capital, and, behind the first, a number; within, a
// particle.
func (l *Lexicon) partOfName(word string, behind, within bool) bool {
	w := strings.ToLower(strings.Trim(word, ".'’"))
	if w == "" || l.CalendarWords.Has(w) || timeWords.Has(w) {
		return false
	}
	return capitalized(word) || behind && unicode.IsDigit(rune(word[0])) || within && l.particle(w)
}

// LooksLikePerson reports whether a text that looks like a name has a title or a given name before it.
func (l *Lexicon) LooksLikePerson(s string) bool {
	if !l.LooksLikeName(s) {
		return false
	}
	first, _, _ := strings.Cut(s, " ")
	w := strings.ToLower(first)
	return l.MaybeGivenName(strings.Trim(w, ".'’")) || l.Honorifics.Has(w) && first != s
}

// FullName reports whether a text is surely the full name of a person: a given name, and at the end neither an ordinary
// word nor one that ends the name of something else ("Victoria Station"). Of what is said to be a person, any name of
// several words is.
func (l *Lexicon) FullName(s string, person bool) bool {
	parts := l.Untitled(s)
	return len(parts) > 1 && len(parts) <= nameWords && (person || l.LooksLikeName(s) && l.surelyPerson(parts))
}

// Untitled returns the words of a name without a title before it.
func (l *Lexicon) Untitled(s string) []string {
	parts := strings.Fields(s)
	if len(parts) > 1 && l.Honorifics.Has(strings.ToLower(parts[0])) {
		return parts[1:]
	}
	return parts
}

func (l *Lexicon) surelyPerson(parts []string) bool {
	last := strings.ToLower(parts[len(parts)-1])
	for _, other := range []Set{l.LegalForms, l.OrgSuffixes, l.PlaceSuffixes, l.PlaceNouns, l.DocSuffixes,
		l.ProductSuffixes, l.ProductNouns, l.ProjectTriggers, l.SystemTriggers, l.ToolTriggers} {
		if other.Has(last) {
			return false
		}
	}
	return l.IsGivenName(strings.ToLower(parts[0])) && !l.IsCommon(last)
}

// capitalized reports whether a word has a capital and more, or no case.
func capitalized(w string) bool {
	for _, r := range w {
		if unicode.IsUpper(r) || unicode.IsLetter(r) && !unicode.IsLower(r) {
			return true
		}
	}
	return false
}

// particle reports whether a word in small letters may stand within a name.
func (l *Lexicon) particle(w string) bool {
	return l.SurnameParticles.Has(w) || innerWords.Has(w)
}

var (
	innerWords = NewSet("of the and for in on at de la le du des del der den di da y und & zu am im")
	timeWords  = NewSet("next last this before after until since early late mid end start soon today tomorrow " +
		"yesterday tonight now never always not no none yes true false morning noon afternoon evening midnight " +
		"day days week weeks weekend weekends month months quarter year years hour hours sprint phase asap tba tbc tbd")
)
