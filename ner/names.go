package ner

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// findNames finds spans of capitalised words.
func (d *document) findNames() {
	d.truecase()
	d.findLanguages()
	for i := 0; i < len(d.tokens); {
		end := i + 1
		if d.beginsName(i) {
			from, to := i, d.extendName(i)
			end = max(end, to)
			from, to, titled := d.trimName(from, to)
			if from < to && d.isName(from, to, titled) {
				d.addName(from, to, titled)
			}
		}
		i = end
	}
}

// unshout gives runs of words in capitals the case that prose would have:
// ordinary words small, the others with a capital.
func (d *document) truecase() {
	for i := 0; i < len(d.tokens); {
		words, j := 0, i
		for ; j < len(d.tokens); j++ {
			t := d.tokens[j]
			if t.word() && !t.allCaps && utf8.RuneCountInString(t.lower) > 1 || j > i && t.lineStart && words < 3 {
				break
			}
			if t.word() {
				words++
			}
		}
		for k := i; k < j; k++ {
			d.truecaseWord(k, words >= 3)
		}
		i = max(j, i+1)
	}
}

func (d *document) truecaseWord(k int, shouted bool) {
	t := &d.tokens[k]
	if !t.word() || !t.allCaps {
		return
	}
	name := d.maybeGivenName(t.lower)
	switch {
	case shouted && (d.isCommon(t.lower) || d.foreign.has(t.lower)) && (!name || d.sentenceStarters.has(t.lower)):
		t.capital, t.allCaps = d.orgSuffixes.has(t.lower) && d.at(k-1).capital, false
	case shouted && !d.formatNames.has(t.lower), name, t.lineStart && d.at(k+1).lower == ":" && !d.isCommon(t.lower) && !d.formatNames.has(t.lower):
		t.allCaps = false
	}
}

// beginsName says whether a name may begin at token i.
func (d *document) beginsName(i int) bool {
	t := d.tokens[i]
	if !t.word() || !t.capital || t.lower == "i" || possessive("'"+t.lower) > 0 {
		return false
	}
	if !t.spaceBefore && i > 0 && d.tokens[i-1].end == t.start && strings.ContainsAny(d.tokens[i-1].lower, "@#/\\_$%&=~^") && d.tokens[i-1].lower != "=" {
		return false
	}
	switch {
	case utf8.RuneCountInString(t.lower) == 1:
		return d.initial(i) || d.at(i+1).lower == "&" || t.lower == "ó" && d.at(i+1).capital && d.at(i+1).spaceBefore
	case t.allCaps && d.formatNames.has(t.lower), d.calendarWords.has(t.lower) && !d.datedName(i):
		return false
	case t.lower == "the":
		return !t.sentenceStart && d.at(i+1).capital && d.at(i+1).word()
	case d.sentenceStarters.has(t.lower) || d.foreignStarter(i):
		return d.maybeGivenName(t.lower) && d.nameAtStart(i) || !t.sentenceStart && d.titleWord(i) || d.classAndNumber(i)
	}
	return true
}

// classAndNumber says whether token i begins "Room 214" or "Ward C".
func (d *document) classAndNumber(i int) bool {
	n := d.at(i + 1)
	return (d.placePrefixes.has(d.tokens[i].lower) || d.docPrefixes.has(d.tokens[i].lower)) && n.spaceBefore && !n.lineStart &&
		(n.kind == numberToken || n.word() && n.capital && len(n.lower) == 1)
}

// titleWord says whether a function word is capitalised because a title is.
func (d *document) titleWord(i int) bool {
	n := d.at(i + 1)
	return d.tokens[i].capital && n.spaceBefore && !n.lineStart && (n.word() && n.capital && !d.sentenceStarters.has(n.lower) || n.kind == numberToken && d.at(i-1).capital)
}

// datedName says whether the name of a month or day is that of a person.
func (d *document) datedName(i int) bool {
	n, before := d.at(i+1), d.at(i-1)
	if d.maybeGivenName(d.tokens[i].lower) && d.verbs.has(before.lower) && !auxiliaries.has(before.lower) && n.kind == punctToken {
		return true
	}
	return d.maybeGivenName(d.tokens[i].lower) && (n.capital && n.spaceBefore && n.word() && !d.sentenceStarters.has(n.lower) && !d.calendarWords.has(n.lower) ||
		n.lower == "'s" && !d.tokens[i].sentenceStart || d.personVerbs.has(n.lower) && !datePrepositions.has(d.at(i-1).lower))
}

var auxiliaries = newWordSet("is was has had have will would can could may might must be isn't wasn't and")

var datePrepositions = newWordSet("on in by until till since last next this every from before after to early late mid")

// nameAtStart says whether an ordinary word that is also a given name is a
// name at i: what follows, or the rest of the text, must say so.
func (d *document) nameAtStart(i int) bool {
	t, n := d.tokens[i], d.at(i+1)
	switch {
	case !t.sentenceStart:
		return true
	case n.lower == "'s" || d.verbs.has(n.lower) && n.spaceBefore:
		return !d.sentenceStarters.has(t.lower) || t.lower != "will" || d.personVerbs.has(n.lower)
	case n.word() && n.capital && n.spaceBefore && !d.isCommon(n.lower):
		return !d.sentenceStarters.has(t.lower)
	case n.lower == "," || n.lower == ":" && !d.sentenceStarters.has(t.lower):
		return d.at(i-1).lineStart || d.seen[t.lower] > 0
	}
	return d.seen[t.lower] > 0 && !pronounAfter.has(n.lower)
}

var pronounAfter = newWordSet("i you he she it we they the a an this that there be not my our your")

// foreignStarter says whether t begins a sentence of another language with one
// of its function words.
func (d *document) foreignStarter(i int) bool {
	return d.tokens[i].sentenceStart && d.foreign.has(d.tokens[i].lower) && !d.isGivenName(d.tokens[i].lower)
}

// initial says whether token i is the letter of "J." or "J. R.".
func (d *document) initial(i int) bool {
	t := d.at(i)
	if !t.word() || !t.capital || utf8.RuneCountInString(t.lower) > 1 && !dotted(t.lower) {
		return false
	}
	n := d.at(i + 1)
	if dotted(t.lower) {
		return n.word() && n.capital && n.spaceBefore && !n.lineStart
	}
	m := d.at(i + 2)
	return n.lower == "." && !n.spaceBefore && m.word() && m.capital && !m.lineStart && !d.sentenceStarters.has(m.lower)
}

func dotted(w string) bool {
	return strings.HasSuffix(w, ".") && isAbbreviation(strings.TrimSuffix(w, "."))
}

// maxName bounds the tokens of a name, so that no text makes rules look far.
const maxName = 14

// grow returns the end of the name that begins at i.
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

// joins is how many tokens at j belong to the name of [i, j), 0 for none.
func (d *document) extension(i, j int) int {
	t := d.tokens[j]
	if j > i && (t.lineStart || t.sentenceStart && t.kind != punctToken && d.at(j-1).kind == punctToken && !d.afterInitial(j) && !closesQuote(d.at(j-1).lower) && !d.legal(t.lower)) {
		return 0
	}
	switch {
	case j > i && len(t.lower) == 1 && t.capital && d.classAndNumber(j-1):
		return 1
	case j == i && t.lower == "ó":
		return 1
	case j == i+1 && d.shortSurname(j):
		return 1 + boolInt(d.at(j+1).lower == "." && !d.at(j+1).spaceBefore)
	case d.initial(j):
		if dotted(t.lower) {
			return 1
		}
		return 2
	case j > i && !t.spaceBefore && t.word():
		return 0
	case t.kind == numberToken:
		return d.extendByNumber(i, j)
	case t.word() && t.capital:
		return d.extendByCapital(i, j)
	case t.word() && j > i:
		return d.extendByLowercase(j)
	case t.kind == punctToken && j > i:
		return d.extendByPunctuation(i, j)
	}
	return 0
}

// shortSurname says whether token j is the letter of "Viktor L.".
func (d *document) shortSurname(j int) bool {
	t, n := d.tokens[j], d.at(j+1)
	return t.word() && t.capital && utf8.RuneCountInString(t.lower) == 1 && t.lower != "i" && t.spaceBefore && d.isGivenName(d.at(j-1).lower) &&
		(n.kind == punctToken || n.lineStart || d.verbs.has(n.lower))
}

// afterInitial says whether the dot before j belongs to an initial, a title or
// another abbreviation.
func (d *document) afterInitial(j int) bool {
	b := d.at(j - 2)
	if d.placePrefixes.has(d.at(j - 3).lower) {
		return false // "Cellar B. The"
	}
	return d.at(j-1).lower == "." && b.word() && (utf8.RuneCountInString(b.lower) == 1 || d.honorifics.has(b.lower) || b.lower == "st")
}

func (d *document) extendByCapital(i, j int) int {
	t := d.tokens[j]
	if j > i {
		p := d.at(j - 1)
		switch {
		case d.calendarWords.has(t.lower) && !d.maybeGivenName(t.lower), t.allCaps && d.formatNames.has(t.lower) && !d.legal(t.lower) && !d.productSuffixes.has(t.lower):
			return 0
		case p.kind == numberToken:
			return 0
		case surnameStarters.has(t.lower) && j == i+1 && !t.allCaps && d.isGivenName(p.lower) && !d.at(j+1).capital:
			return 1
		case d.sentenceStarters.has(t.lower) && !d.starterNouns.has(t.lower) && !d.titleWord(j) && !d.isTypeWord(t.lower) && !d.maybeGivenName(t.lower) && (!t.allCaps || !d.legal(t.lower)):
			return 0
		}
	}
	// the dot of "Dr." and "St.", and of "Co." where it stays with the name
	if n := d.at(j + 1); n.lower == "." && !n.spaceBefore && (d.honorifics.has(t.lower) || t.lower == "st" || j > i && dottedForms.has(t.lower)) {
		return 2
	}
	return 1
}

// surnameStarters are family names that are also English function words; in
// the middle of a sentence only the name has a capital.
var surnameStarters = newWordSet("he an so do you my long may see will her")

// smallForms are legal forms that are also written small.
var smallForms = newWordSet("plc ltd inc llc gmbh sp sarl ag oy")

var dottedForms = newWordSet("co inc corp bros lda ltda")

func (d *document) isTypeWord(w string) bool {
	return d.orgSuffixes.has(w) || d.placeSuffixes.has(w) || d.docSuffixes.has(w) || d.orgPrefixes.has(w) || d.placePrefixes.has(w) || d.productSuffixes.has(w)
}

// joinsNumber takes the number of "Lagoon 8" and "Fixtures List 2032".
func (d *document) extendByNumber(i, j int) int {
	t := d.tokens[j]
	if j == i {
		return 0
	}
	n := d.at(j + 1)
	if len(t.lower) > 4 || !t.spaceBefore || d.at(j-1).kind == numberToken || !n.spaceBefore && (n.lower == ":" || n.lower == "%" || n.lower == "/") && d.at(j+2).kind == numberToken {
		return 0
	}
	m := d.at(j + 2)
	if n.lower == "." && !n.spaceBefore && m.kind == numberToken && !m.spaceBefore { // version 4.2
		return 3
	}
	if n.lower == "." && m.word() && !m.capital && m.spaceBefore && !m.lineStart { // "open Corvid 2. paste the name"
		return 0
	}
	return 1
}

func (d *document) extendByLowercase(j int) int {
	t, n := d.tokens[j], d.at(j+1)
	capital := n.word() && n.capital && n.spaceBefore && !n.lineStart
	switch {
	case conjunctions.has(t.lower) && capital && d.firmAhead(j+2):
		return 2
	case smallForms.has(t.lower) || strings.Contains(t.lower, ".") && d.legal(t.lower):
		return d.legalForm(j)
	case strings.HasPrefix(t.lower, "al-") || strings.HasPrefix(t.lower, "el-"):
		return boolInt(unicode.IsUpper(firstAfterHyphen(d.text[t.start:t.end])))
	case d.surnameParticles.has(t.lower) && !englishParticles.has(t.lower):
		m := d.at(j + 2)
		if capital && d.isGivenName(d.at(j-1).lower) && d.orgPrefixes.has(n.lower) {
			return 0 // "Iñaki de Talleres Urkiola"
		}
		if capital && !d.sentenceStarters.has(n.lower) {
			return 2
		}
		if d.surnameParticles.has(n.lower) && m.word() && m.capital && !m.lineStart {
			return 3
		}
	case t.lower == "and" && capital && andForms.has(n.lower), (t.lower == "of" || t.lower == "for") && capital && d.takesOf(d.at(j-1).lower):
		return 2
	case t.lower == "of" && n.lower == "the" && d.at(j+2).capital && d.takesOf(d.at(j-1).lower):
		return 3
	}
	return 0
}

// conjunctions join the names of partners in a firm.
var conjunctions = newWordSet("i y e and und et en og och ja és ve и та a")

// firmAhead says whether a legal form follows within two words.
func (d *document) firmAhead(j int) bool {
	for k := j; k < j+3; k++ {
		t := d.at(k)
		if !t.word() || t.lineStart {
			return false
		}
		if d.legal(t.lower) && !conjunctions.has(t.lower) || t.lower == "sp" {
			return true
		}
	}
	return false
}

func firstAfterHyphen(s string) rune {
	r, _ := utf8.DecodeRuneInString(s[strings.IndexByte(s, '-')+1:])
	return r
}

// englishParticles are more often English words.
var englishParticles = newWordSet("do y e am et")

var andForms = newWordSet("sons daughters co partners company associates brothers sister sisters son")

func (d *document) takesOf(w string) bool {
	return d.orgPrefixes.has(w) || d.orgSuffixes.has(w) && !d.honorifics.has(w) || d.docSuffixes.has(w) || w == "house" || w == "city" || w == "port" || w == "isle"
}

func (d *document) extendByPunctuation(i, j int) int {
	t, n := d.tokens[j], d.at(j+1)
	capital := n.word() && n.capital && !n.lineStart
	switch t.lower {
	case "&":
		if capital && t.spaceBefore == n.spaceBefore {
			return 1 + max(d.legalForm(j+1), 1)
		}
	case ",":
		if d.legal(n.lower) && n.spaceBefore && (n.capital || n.lower == "s.r.o.") && !d.maybeGivenName(n.lower) {
			k := d.legalForm(j + 1)
			if dot := d.at(j + 1 + k); k == 1 && dot.lower == "." && !dot.spaceBefore {
				k++
			}
			return 1 + k
		}
	case "'s":
		if capital && n.spaceBefore {
			return d.extendByPossessive(i, j)
		}
	case "\"", "“", "'", "‘":
		if capital && d.maybeGivenName(d.at(j-1).lower) && closesQuote(d.at(j+2).lower) && d.at(j+3).capital && d.at(j+3).word() {
			return 3
		}
	}
	return 0
}

// joinsPossessive takes "'s Hall" of "St. Olave's Hall": only where the whole
// is a place, a firm or a title.
func (d *document) extendByPossessive(i, j int) int {
	k := j + 1
	for k < j+maxName && d.at(k).word() && d.at(k).capital && !d.at(k).lineStart {
		k++
	}
	last := d.at(k - 1).lower
	if d.placeSuffixes.has(last) || d.orgSuffixes.has(last) || d.at(i).lower == "the" {
		return k - j
	}
	return 0
}

func closesQuote(s string) bool {
	return s == "\"" || s == "”" || s == "'" || s == "’" || s == "“"
}

// legal says whether w, with or without its dots, is a legal form.
func (d *document) legal(w string) bool {
	return d.legalForms.has(w) || d.legalForms.has(strings.TrimSuffix(w, ".")) || d.legalForms.has(strings.ReplaceAll(w, ".", "")) && strings.Contains(w, ".")
}

// legalForm is how many tokens the legal form at j has, with "sp. z o.o.".
func (d *document) legalForm(j int) int {
	n := 1
	if d.at(j).lower == "sp" {
		for d.at(j+n).lower == "." || d.at(j+n).lower == "z" || strings.HasPrefix(d.at(j+n).lower, "o.o") {
			n++
		}
		return n
	}
	if dottedForms.has(d.at(j).lower) && d.at(j+1).lower == "." && !d.at(j+1).spaceBefore {
		n++
	}
	return n
}

// trim takes honorifics, job titles and stray words off a span.
func (d *document) trimName(i, j int) (from, to int, titled bool) {
	for k := i + 1; k < j-1; k++ {
		// "Sie Frau Steindl"
		if d.honorifics.has(d.tokens[k].lower) && !d.maybeGivenName(d.tokens[i].lower) && d.tokens[i].sentenceStart && !d.endsInTypeSuffix(i, j) {
			i = k
		}
	}
	for i < j {
		t := d.tokens[i]
		rest := d.at(i + 1)
		more := i+1 < j && rest.word() || i+2 < j && rest.lower == "."
		switch {
		case more && d.honorifics.has(t.lower) && !d.endsInTypeSuffix(i, j):
			titled = true
			i++
			if d.at(i).lower == "." {
				i++
			}
		case more && rest.word() && d.leadsWithTitle(i, j):
			i++
		default:
			return i, d.trimNameEnd(i, j), titled
		}
	}
	return i, j, titled
}

// jobBefore says whether token i is a job title or a label before a name.
func (d *document) leadsWithTitle(i, j int) bool {
	t, n := d.tokens[i], d.at(i+1)
	if d.maybeGivenName(t.lower) && !t.sentenceStart || d.isTypeWord(t.lower) && d.endsInTypeSuffix(i, j) {
		return false
	}
	if d.roleHeads.has(t.lower) || labels.has(t.lower) {
		return !d.endsInTypeSuffix(i, j) || t.sentenceStart
	}
	return t.sentenceStart && d.isCommon(t.lower) && !d.maybeGivenName(t.lower) && (d.isGivenName(n.lower) || d.sentenceStarters.has(t.lower) || d.orgPrefixes.has(n.lower) && strings.HasSuffix(t.lower, "ed"))
}

var labels = newWordSet("model brand assignee reporter watcher customer candidate patient guest user caller author contact attn cc signed regards cheers best greetings sincerely present absent welcome")

func (d *document) trimNameEnd(i, j int) int {
	for j > i+1 {
		t := d.tokens[j-1]
		if t.word() && t.capital && (d.demonyms.has(t.lower) && j-i == 2 && d.isCommon(d.tokens[i].lower) || posts.has(t.lower)) {
			j--
			continue
		}
		break
	}
	return j
}

// posts are honorifics that follow a name.
var posts = newWordSet("hanım bey abla efendi")

// endsInClass says whether the last word of a span says what it names.
func (d *document) endsInTypeSuffix(i, j int) bool {
	last := d.tokens[j-1]
	if last.lower == "." && j-i > 1 {
		last = d.tokens[j-2]
	}
	return d.legal(last.lower) && (last.allCaps || last.capital || last.lower == "plc" || strings.Contains(last.lower, ".")) && !d.maybeGivenName(last.lower) ||
		d.orgSuffixes.has(last.lower) && last.lower != "post" || d.placeSuffixes.has(last.lower) && !d.maybeGivenName(last.lower) || d.docSuffixes.has(last.lower) && !d.maybeGivenName(last.lower)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
