package ner

import (
	"slices"
	"strings"
	"unicode/utf8"

	"tenure/ner/words"
)

// definiteSuffixes are articles at the end of the noun.
var definiteSuffixes = map[string][]string{
	"nordic": {"en", "an", "et"},
	"ro":     {"ul"},
}

// compoundRoleHeads end compound nouns for roles: "Abteilungsleiterin".
var compoundRoleHeads = map[string][]string{
	"de": {
		"leiter", "leiterin", "meister", "meisterin", "führer", "führerin", "ingenieur", "techniker", "technikerin",
		"verwalter", "verwalterin", "beauftragte", "beauftragter", "vertreter", "vertreterin", "abteilung", "berater",
		"beraterin", "sekretärin", "chef", "chefin",
	},
	"nl":     {"leider", "meester", "beheerder", "manager"},
	"nordic": {"leder", "lederen", "sjef", "sjefen", "chef", "chefen", "ansvarig", "ansvarlig", "mester", "mästare"},
}

// findForeignRole finds a definite role in a language other than English.
func (d *document) findForeignRole(i int) {
	if d.findElidedRole(i) {
		return
	}
	if d.isForeignRoleHead(d.language(i), d.tokens[i].lower) && d.isDefinite(i) &&
		!d.isTitleBeforeName(i) && !d.lacksGermanCapital(i) {
		d.addRole(i, d.foreignRoleEnd(i))
	}
}

// findElidedRole finds the role of "l'avocat" and "dell'ufficio".
func (d *document) findElidedRole(i int) bool {
	t := d.tokens[i]
	word := d.text[t.start:t.end]
	at := strings.IndexAny(word, "'’")
	if at <= 0 {
		return false
	}
	_, size := utf8.DecodeRuneInString(word[at:])
	noun := word[at+size:]
	if !elidedArticles.Has(strings.ToLower(word[:at])) || !d.isForeignRoleHead(d.language(i), strings.ToLower(noun)) {
		return false
	}
	d.add(span{start: t.end - len(noun), end: t.end, typ: Role, rule: "role"})
	return true
}

// isForeignRoleHead reports whether w is a noun for the holder of a job.
// Germanic languages make new ones by compounding.
func (d *document) isForeignRoleHead(language, w string) bool {
	return d.RoleHeads.Has(w) || words.HasLongerSuffix(w, compoundRoleHeads[language]...)
}

// isDefinite reports whether the noun at i has an article before it or at its
// end, or is of a language without articles.
func (d *document) isDefinite(i int) bool {
	language, t := d.language(i), d.tokens[i]
	return articlelessLanguages.Has(language) ||
		t.adjacent() && d.Determiners[language].Has(d.at(i-1).lower) ||
		slices.ContainsFunc(definiteSuffixes[language], func(s string) bool { return strings.HasSuffix(t.lower, s) })
}

// isTitleBeforeName reports whether the noun at i is the title of a name after
// it: "usta Hynek". In German, where every noun has a capital, the name must be
// a given name.
func (d *document) isTitleBeforeName(i int) bool {
	next := d.at(i + 1)
	if d.language(i) != german {
		return next.isCapitalWord() && next.adjacent()
	}
	return next.capital && d.IsGivenName(next.lower) && !d.isLowercaseLine(i)
}

// lacksGermanCapital reports whether the word at i is in lower case in German,
// and so no noun. A line in lower case throughout does not count.
func (d *document) lacksGermanCapital(i int) bool {
	return d.language(i) == german && !d.tokens[i].capital && !d.isLowercaseLine(i)
}

// foreignRoleEnd returns the end of the role at i with its department: "jefe de
// taller".
func (d *document) foreignRoleEnd(i int) int {
	linker, department := d.at(i+1), d.at(i+2)
	if roleLinkers.Has(linker.lower) && department.isLowercaseWord() && department.adjacent() &&
		d.language(i+2) == d.language(i) && !d.Foreign.Has(department.lower) {
		return i + 3
	}
	return i + 1
}
