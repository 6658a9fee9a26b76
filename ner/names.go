package ner

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// findNames finds spans of capitalised words.
func (d *document) findNames() {
	d.unshout()
	d.findLanguages()
	for i := 0; i < len(d.toks); {
		end := i + 1
		if d.beginsName(i) {
			from, to := i, d.grow(i)
			end = max(end, to)
			from, to, titled := d.trim(from, to)
			if from < to && d.isName(from, to, titled) {
				d.addName(from, to, titled)
			}
		}
		i = end
	}
}

// unshout gives runs of words in capitals the case that prose would have:
// ordinary words small, the others with a capital.
func (d *document) unshout() {
	for i := 0; i < len(d.toks); {
		words, j := 0, i
		for ; j < len(d.toks); j++ {
			t := d.toks[j]
			if t.word() && !t.upper && utf8.RuneCountInString(t.low) > 1 || j > i && t.line && words < 3 {
				break
			}
			if t.word() {
				words++
			}
		}
		for k := i; k < j; k++ {
			d.unshoutWord(k, words >= 3)
		}
		i = max(j, i+1)
	}
}

func (d *document) unshoutWord(k int, shouted bool) {
	t := &d.toks[k]
	if !t.word() || !t.upper {
		return
	}
	name := d.anyName(t.low)
	switch {
	case shouted && (d.common(t.low) || d.foreign.has(t.low)) && (!name || d.starters.has(t.low)):
		t.cap, t.upper = d.in("orglast", t.low) && d.at(k-1).cap, false
	case shouted && !d.in("formats", t.low), name, t.line && d.at(k+1).low == ":" && !d.common(t.low) && !d.in("formats", t.low):
		t.upper = false
	}
}

// beginsName says whether a name may begin at token i.
func (d *document) beginsName(i int) bool {
	t := d.toks[i]
	if !t.word() || !t.cap || t.low == "i" || possessive("'"+t.low) > 0 {
		return false
	}
	if !t.gap && i > 0 && d.toks[i-1].end == t.start && strings.ContainsAny(d.toks[i-1].low, "@#/\\_$%&=~^") && d.toks[i-1].low != "=" {
		return false
	}
	switch {
	case utf8.RuneCountInString(t.low) == 1:
		return d.initial(i) || d.at(i+1).low == "&" || t.low == "ó" && d.at(i+1).cap && d.at(i+1).gap
	case t.upper && d.in("formats", t.low), d.in("days", t.low) && !d.datedName(i):
		return false
	case t.low == "the":
		return !t.first && d.at(i+1).cap && d.at(i+1).word()
	case d.starters.has(t.low) || d.foreignStarter(i):
		return d.anyName(t.low) && d.nameAtStart(i) || !t.first && d.titleWord(i) || d.classAndNumber(i)
	}
	return true
}

// classAndNumber says whether token i begins "Room 214" or "Ward C".
func (d *document) classAndNumber(i int) bool {
	n := d.at(i + 1)
	return (d.in("placefirst", d.toks[i].low) || d.in("docfirst", d.toks[i].low)) && n.gap && !n.line &&
		(n.kind == numberTok || n.word() && n.cap && len(n.low) == 1)
}

// titleWord says whether a function word is capitalised because a title is.
func (d *document) titleWord(i int) bool {
	n := d.at(i + 1)
	return d.toks[i].cap && n.gap && !n.line && (n.word() && n.cap && !d.starters.has(n.low) || n.kind == numberTok && d.at(i-1).cap)
}

// datedName says whether the name of a month or day is that of a person.
func (d *document) datedName(i int) bool {
	n, before := d.at(i+1), d.at(i-1)
	if d.anyName(d.toks[i].low) && d.in("verbs", before.low) && !auxiliaries.has(before.low) && n.kind == punctTok {
		return true
	}
	return d.anyName(d.toks[i].low) && (n.cap && n.gap && n.word() && !d.starters.has(n.low) && !d.in("days", n.low) ||
		n.low == "'s" && !d.toks[i].first || d.in("personverbs", n.low) && !datePrepositions.has(d.at(i-1).low))
}

var auxiliaries = cues("is was has had have will would can could may might must be isn't wasn't and")

var datePrepositions = cues("on in by until till since last next this every from before after to early late mid")

// nameAtStart says whether an ordinary word that is also a given name is a
// name at i: what follows, or the rest of the text, must say so.
func (d *document) nameAtStart(i int) bool {
	t, n := d.toks[i], d.at(i+1)
	switch {
	case !t.first:
		return true
	case n.low == "'s" || d.in("verbs", n.low) && n.gap:
		return !d.starters.has(t.low) || t.low != "will" || d.in("personverbs", n.low)
	case n.word() && n.cap && n.gap && !d.common(n.low):
		return !d.starters.has(t.low)
	case n.low == "," || n.low == ":" && !d.starters.has(t.low):
		return d.at(i-1).line || d.seen[t.low] > 0
	}
	return d.seen[t.low] > 0 && !pronounAfter.has(n.low)
}

var pronounAfter = cues("i you he she it we they the a an this that there be not my our your")

// foreignStarter says whether t begins a sentence of another language with one
// of its function words.
func (d *document) foreignStarter(i int) bool {
	return d.toks[i].first && d.foreign.has(d.toks[i].low) && !d.givenName(d.toks[i].low)
}

// initial says whether token i is the letter of "J." or "J. R.".
func (d *document) initial(i int) bool {
	t := d.at(i)
	if !t.word() || !t.cap || utf8.RuneCountInString(t.low) > 1 && !dotted(t.low) {
		return false
	}
	n := d.at(i + 1)
	if dotted(t.low) {
		return n.word() && n.cap && n.gap && !n.line
	}
	m := d.at(i + 2)
	return n.low == "." && !n.gap && m.word() && m.cap && !m.line && !d.starters.has(m.low)
}

func dotted(w string) bool {
	return strings.HasSuffix(w, ".") && isAbbreviation(strings.TrimSuffix(w, "."))
}

// maxName bounds the tokens of a name, so that no text makes rules look far.
const maxName = 14

// grow returns the end of the name that begins at i.
func (d *document) grow(i int) int {
	j := i
	for j < len(d.toks) && j < i+maxName {
		n := d.joins(i, j)
		if n == 0 {
			break
		}
		j += n
	}
	return j
}

// joins is how many tokens at j belong to the name of [i, j), 0 for none.
func (d *document) joins(i, j int) int {
	t := d.toks[j]
	if j > i && (t.line || t.first && t.kind != punctTok && d.at(j-1).kind == punctTok && !d.afterInitial(j) && !closesQuote(d.at(j-1).low) && !d.legal(t.low)) {
		return 0
	}
	switch {
	case j > i && len(t.low) == 1 && t.cap && d.classAndNumber(j-1):
		return 1
	case j == i && t.low == "ó":
		return 1
	case j == i+1 && d.shortSurname(j):
		return 1 + boolInt(d.at(j+1).low == "." && !d.at(j+1).gap)
	case d.initial(j):
		if dotted(t.low) {
			return 1
		}
		return 2
	case j > i && !t.gap && t.word():
		return 0
	case t.kind == numberTok:
		return d.joinsNumber(i, j)
	case t.word() && t.cap:
		return d.joinsCapital(i, j)
	case t.word() && j > i:
		return d.joinsLower(j)
	case t.kind == punctTok && j > i:
		return d.joinsPunct(i, j)
	}
	return 0
}

// shortSurname says whether token j is the letter of "Viktor L.".
func (d *document) shortSurname(j int) bool {
	t, n := d.toks[j], d.at(j+1)
	return t.word() && t.cap && utf8.RuneCountInString(t.low) == 1 && t.low != "i" && t.gap && d.givenName(d.at(j-1).low) &&
		(n.kind == punctTok || n.line || d.in("verbs", n.low))
}

// afterInitial says whether the dot before j belongs to an initial, a title or
// another abbreviation.
func (d *document) afterInitial(j int) bool {
	b := d.at(j - 2)
	if d.in("placefirst", d.at(j-3).low) {
		return false // "Cellar B. The"
	}
	return d.at(j-1).low == "." && b.word() && (utf8.RuneCountInString(b.low) == 1 || d.in("persontitles", b.low) || b.low == "st")
}

func (d *document) joinsCapital(i, j int) int {
	t := d.toks[j]
	if j > i {
		p := d.at(j - 1)
		switch {
		case d.in("days", t.low) && !d.anyName(t.low), t.upper && d.in("formats", t.low) && !d.legal(t.low) && !d.in("productlast", t.low):
			return 0
		case p.kind == numberTok:
			return 0
		case surnameStarters.has(t.low) && j == i+1 && !t.upper && d.givenName(p.low) && !d.at(j+1).cap:
			return 1
		case d.starters.has(t.low) && !d.labels.has(t.low) && !d.titleWord(j) && !d.classWord(t.low) && !d.anyName(t.low) && (!t.upper || !d.legal(t.low)):
			return 0
		}
	}
	// the dot of "Dr." and "St.", and of "Co." where it stays with the name
	if n := d.at(j + 1); n.low == "." && !n.gap && (d.in("persontitles", t.low) || t.low == "st" || j > i && dottedForms.has(t.low)) {
		return 2
	}
	return 1
}

// surnameStarters are family names that are also English function words; in
// the middle of a sentence only the name has a capital.
var surnameStarters = cues("he an so do you my long may see will her")

// smallForms are legal forms that are also written small.
var smallForms = cues("plc ltd inc llc gmbh sp sarl ag oy")

var dottedForms = cues("co inc corp bros lda ltda")

func (d *document) classWord(w string) bool {
	return d.in("orglast", w) || d.in("placelast", w) || d.in("doclast", w) || d.in("orgfirst", w) || d.in("placefirst", w) || d.in("productlast", w)
}

// joinsNumber takes the number of "Lagoon 8" and "Fixtures List 2032".
func (d *document) joinsNumber(i, j int) int {
	t := d.toks[j]
	if j == i {
		return 0
	}
	n := d.at(j + 1)
	if len(t.low) > 4 || !t.gap || d.at(j-1).kind == numberTok || !n.gap && (n.low == ":" || n.low == "%" || n.low == "/") && d.at(j+2).kind == numberTok {
		return 0
	}
	m := d.at(j + 2)
	if n.low == "." && !n.gap && m.kind == numberTok && !m.gap { // version 4.2
		return 3
	}
	if n.low == "." && m.word() && !m.cap && m.gap && !m.line { // "open Corvid 2. paste the name"
		return 0
	}
	return 1
}

func (d *document) joinsLower(j int) int {
	t, n := d.toks[j], d.at(j+1)
	capital := n.word() && n.cap && n.gap && !n.line
	switch {
	case conjunctions.has(t.low) && capital && d.firmAhead(j+2):
		return 2
	case smallForms.has(t.low) || strings.Contains(t.low, ".") && d.legal(t.low):
		return d.legalForm(j)
	case strings.HasPrefix(t.low, "al-") || strings.HasPrefix(t.low, "el-"):
		return boolInt(unicode.IsUpper(firstAfterHyphen(d.text[t.start:t.end])))
	case d.in("particles", t.low) && !englishParticles.has(t.low):
		m := d.at(j + 2)
		if capital && d.givenName(d.at(j-1).low) && d.in("orgfirst", n.low) {
			return 0 // "Iñaki de Talleres Urkiola"
		}
		if capital && !d.starters.has(n.low) {
			return 2
		}
		if d.in("particles", n.low) && m.word() && m.cap && !m.line {
			return 3
		}
	case t.low == "and" && capital && andForms.has(n.low), (t.low == "of" || t.low == "for") && capital && d.takesOf(d.at(j-1).low):
		return 2
	case t.low == "of" && n.low == "the" && d.at(j+2).cap && d.takesOf(d.at(j-1).low):
		return 3
	}
	return 0
}

// conjunctions join the names of partners in a firm.
var conjunctions = cues("i y e and und et en og och ja és ve и та a")

// firmAhead says whether a legal form follows within two words.
func (d *document) firmAhead(j int) bool {
	for k := j; k < j+3; k++ {
		t := d.at(k)
		if !t.word() || t.line {
			return false
		}
		if d.legal(t.low) && !conjunctions.has(t.low) || t.low == "sp" {
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
var englishParticles = cues("do y e am et")

var andForms = cues("sons daughters co partners company associates brothers sister sisters son")

func (d *document) takesOf(w string) bool {
	return d.in("orgfirst", w) || d.in("orglast", w) && !d.in("persontitles", w) || d.in("doclast", w) || w == "house" || w == "city" || w == "port" || w == "isle"
}

func (d *document) joinsPunct(i, j int) int {
	t, n := d.toks[j], d.at(j+1)
	capital := n.word() && n.cap && !n.line
	switch t.low {
	case "&":
		if capital && t.gap == n.gap {
			return 1 + max(d.legalForm(j+1), 1)
		}
	case ",":
		if d.legal(n.low) && n.gap && (n.cap || n.low == "s.r.o.") && !d.anyName(n.low) {
			k := d.legalForm(j + 1)
			if dot := d.at(j + 1 + k); k == 1 && dot.low == "." && !dot.gap {
				k++
			}
			return 1 + k
		}
	case "'s":
		if capital && n.gap {
			return d.joinsPossessive(i, j)
		}
	case "\"", "“", "'", "‘":
		if capital && d.anyName(d.at(j-1).low) && closesQuote(d.at(j+2).low) && d.at(j+3).cap && d.at(j+3).word() {
			return 3
		}
	}
	return 0
}

// joinsPossessive takes "'s Hall" of "St. Olave's Hall": only where the whole
// is a place, a firm or a title.
func (d *document) joinsPossessive(i, j int) int {
	k := j + 1
	for k < j+maxName && d.at(k).word() && d.at(k).cap && !d.at(k).line {
		k++
	}
	last := d.at(k - 1).low
	if d.in("placelast", last) || d.in("orglast", last) || d.at(i).low == "the" {
		return k - j
	}
	return 0
}

func closesQuote(s string) bool {
	return s == "\"" || s == "”" || s == "'" || s == "’" || s == "“"
}

// legal says whether w, with or without its dots, is a legal form.
func (d *document) legal(w string) bool {
	return d.in("legal", w) || d.in("legal", strings.TrimSuffix(w, ".")) || d.in("legal", strings.ReplaceAll(w, ".", "")) && strings.Contains(w, ".")
}

// legalForm is how many tokens the legal form at j has, with "sp. z o.o.".
func (d *document) legalForm(j int) int {
	n := 1
	if d.at(j).low == "sp" {
		for d.at(j+n).low == "." || d.at(j+n).low == "z" || strings.HasPrefix(d.at(j+n).low, "o.o") {
			n++
		}
		return n
	}
	if dottedForms.has(d.at(j).low) && d.at(j+1).low == "." && !d.at(j+1).gap {
		n++
	}
	return n
}

// trim takes honorifics, job titles and stray words off a span.
func (d *document) trim(i, j int) (from, to int, titled bool) {
	for k := i + 1; k < j-1; k++ {
		// "Sie Frau Steindl"
		if d.in("persontitles", d.toks[k].low) && !d.anyName(d.toks[i].low) && d.toks[i].first && !d.endsInClass(i, j) {
			i = k
		}
	}
	for i < j {
		t := d.toks[i]
		rest := d.at(i + 1)
		more := i+1 < j && rest.word() || i+2 < j && rest.low == "."
		switch {
		case more && d.in("persontitles", t.low) && !d.endsInClass(i, j):
			titled = true
			i++
			if d.at(i).low == "." {
				i++
			}
		case more && rest.word() && d.jobBefore(i, j):
			i++
		default:
			return i, d.trimEnd(i, j), titled
		}
	}
	return i, j, titled
}

// jobBefore says whether token i is a job title or a label before a name.
func (d *document) jobBefore(i, j int) bool {
	t, n := d.toks[i], d.at(i+1)
	if d.anyName(t.low) && !t.first || d.classWord(t.low) && d.endsInClass(i, j) {
		return false
	}
	if d.roleHeads.has(t.low) || labels.has(t.low) {
		return !d.endsInClass(i, j) || t.first
	}
	return t.first && d.common(t.low) && !d.anyName(t.low) && (d.givenName(n.low) || d.starters.has(t.low) || d.in("orgfirst", n.low) && strings.HasSuffix(t.low, "ed"))
}

var labels = cues("model brand assignee reporter watcher customer candidate patient guest user caller author contact attn cc signed regards cheers best greetings sincerely present absent welcome")

func (d *document) trimEnd(i, j int) int {
	for j > i+1 {
		t := d.toks[j-1]
		if t.word() && t.cap && (d.in("adjectives", t.low) && j-i == 2 && d.common(d.toks[i].low) || posts.has(t.low)) {
			j--
			continue
		}
		break
	}
	return j
}

// posts are honorifics that follow a name.
var posts = cues("hanım bey abla efendi")

// endsInClass says whether the last word of a span says what it names.
func (d *document) endsInClass(i, j int) bool {
	last := d.toks[j-1]
	if last.low == "." && j-i > 1 {
		last = d.toks[j-2]
	}
	return d.legal(last.low) && (last.upper || last.cap || last.low == "plc" || strings.Contains(last.low, ".")) && !d.anyName(last.low) ||
		d.in("orglast", last.low) && last.low != "post" || d.in("placelast", last.low) && !d.anyName(last.low) || d.in("doclast", last.low) && !d.anyName(last.low)
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
