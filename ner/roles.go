package ner

import "strings"

// findRoles finds definite phrases for the holder of a job or office, job titles
// beside a name, and capitalised titles ("Head of Design").
func (d *document) findRoles() {
	for i, t := range d.tokens {
		switch {
		case !t.isWord():
			d.findRoleAtPunctuation(i)
		case !d.isEnglish(i):
			d.findForeignRole(i)
		default:
			d.findRoleAtWord(i)
		}
	}
}

func (d *document) findRoleAtWord(i int) {
	t := d.tokens[i]
	switch {
	case determiners.Has(t.lower):
		if end := d.roleEnd(i + 1); end > 0 {
			d.addRole(i+1, end)
		}
	case !t.capital && (roleTriggers.Has(t.lower) || phraseTriggers.Has(t.lower)):
		d.findBareRole(i + 1)
	case t.capital && (t.lineStart || d.at(i-1).lower == ","):
		d.findSignature(i)
	case d.beginsValue(i):
		d.findRoleAsValue(i)
	case d.isSoleRole(i):
		d.addRole(i, i+1)
	}
}

func (d *document) findRoleAtPunctuation(i int) {
	t := d.tokens[i]
	switch t.lower {
	case "(":
		d.findBracketedRole(i + 1)
	case "'s":
		if i > 0 && t.start == d.tokens[i-1].end {
			d.findPossessedRole(i)
		}
	case ",":
		if d.at(i+1).isWord() && d.endsPerson(t.start) {
			d.findApposition(i + 1)
		}
	}
}

func (d *document) addRole(from, to int) {
	d.add(span{start: d.tokens[from].start, end: d.tokens[to-1].end, typ: Role, rule: "role"})
}

// maxRoleWords bounds the words of a role phrase up to its head.
const maxRoleWords = 5

// roleEnd returns the end of the role phrase that begins at token i, 0 if none
// does: modifiers, the head, and what follows it ("of security", "on duty").
func (d *document) roleEnd(i int) int {
	best := 0
	for k := i; k < i+maxRoleWords; k++ {
		t := d.at(k)
		if !t.isWord() || k > i && !t.adjacent() || roleStopWords.Has(t.lower) {
			break
		}
		if d.endsRole(i, k) {
			best = k + 1
		}
		if k > i && d.Verbs.Has(t.lower) && t.lower != "call" && t.lower != "works" && !d.isRoleHead(t.lower) {
			break
		}
	}
	if best == 0 {
		return 0
	}
	return d.withComplement(best)
}

// endsRole reports whether the words [i, k] are a role or a team, and no
// modifier of a noun after them.
func (d *document) endsRole(i, k int) bool {
	role := d.isRoleHead(d.tokens[k].lower) && d.areModifiers(i, k)
	return (role || d.isTeamPhrase(i, k)) && !d.modifiesNext(k)
}

// isRoleHead reports whether w, or its part after the last hyphen, is a noun for
// the holder of a job.
func (d *document) isRoleHead(w string) bool {
	if d.RoleHeads.Has(w) {
		return true
	}
	i := strings.LastIndexByte(w, '-')
	return i > 0 && d.RoleHeads.Has(w[i+1:])
}

// areModifiers reports whether the words [i, k) may modify a role: no verbs, and
// no adjectives of contrast.
func (d *document) areModifiers(i, k int) bool {
	for _, t := range d.tokens[i:k] {
		verb := d.Verbs.Has(t.lower) && t.lower != "call" && t.lower != "left"
		if !t.isWord() || verb || contrastAdjectives.Has(t.lower) {
			return false
		}
	}
	return true
}

// modifiesNext reports whether the word at k modifies the noun after it, as in
// "the lead time".
func (d *document) modifiesNext(k int) bool {
	n := d.at(k + 1)
	if compoundHeads.Has(n.lower) && n.adjacent() {
		return true
	}
	return n.isLowercaseWord() && n.adjacent() && len(n.lower) > 2 &&
		!d.isVerbOrStarter(n.lower) && !d.Foreign.Has(n.lower) && !d.isRoleHead(n.lower) &&
		!isInflectedForm(n.lower) && d.IsCommon(n.lower)
}

// isInflectedForm reports whether w ends as plurals, past tenses, participles and
// adverbs do.
func isInflectedForm(w string) bool {
	switch {
	case strings.HasSuffix(w, "ss"):
		return false
	case strings.HasSuffix(w, "s"), strings.HasSuffix(w, "ed"), strings.HasSuffix(w, "ing"), strings.HasSuffix(w, "ly"):
		return true
	}
	return false
}

// withComplement returns the end of the role that ends before token end, with
// its complement: "of security", "on duty", "in charge".
func (d *document) withComplement(end int) int {
	preposition, n := d.at(end), d.at(end+1)
	if !preposition.adjacent() || !n.isWord() || !n.adjacent() {
		return end
	}
	switch preposition.lower + " " + n.lower {
	case "on duty", "on call", "in charge", "in chief", "in residence":
		return end + 2
	}
	if preposition.lower != "of" || !officeHeads.Has(d.at(end-1).lower) || determiners.Has(n.lower) {
		return end
	}
	return d.departmentEnd(end + 1)
}

// departmentEnd returns the end of the department at token i, after "head of".
func (d *document) departmentEnd(i int) int {
	capital, end := d.at(i).capital, i+1
	for t := d.at(end); t.isWord() && t.adjacent() && (t.capital && capital || d.Functions.Has(t.lower)); t = d.at(end) {
		end++
	}
	if capital && d.at(end).lower == "and" && d.at(end+1).capital {
		end += 2
	}
	return end
}

// findBareRole finds a role without an article from token i, after a trigger
// word: "approved by curator", "sent to data steward".
func (d *document) findBareRole(i int) {
	first, end := d.at(i), d.roleEnd(i)
	if end == 0 || determiners.Has(first.lower) || first.lineStart || first.capital {
		return
	}
	next, head := d.at(end), d.at(end-1).lower
	oneWord, plural := end == i+1, isPlural(head)
	if plural && (oneWord || !teamHeads.Has(head)) || oneWord && !roleTriggers.Has(d.at(i-1).lower) {
		return
	}
	if next.breaks() || !next.capital && d.isVerbOrStarter(next.lower) {
		d.addRole(i, end)
	}
}

func isPlural(w string) bool { return strings.HasSuffix(w, "s") }

// findBracketedRole finds the role of "(warehouse manager, Plzeň)". One word
// alone needs a person before the bracket.
func (d *document) findBracketedRole(i int) {
	end := d.roleEnd(i)
	if end == 0 || isPlural(d.at(end-1).lower) {
		return
	}
	closed := d.at(end).lower == ")" || d.at(end).lower == ","
	if closed && (end > i+1 || i > 1 && d.endsPerson(d.tokens[i-2].end)) {
		d.addRole(i, end)
	}
}

// findPossessedRole finds "Sam's team", where i is the 's. A possessor with a
// name belongs to the role; other possessors do not ("yesterday's host").
func (d *document) findPossessedRole(i int) {
	owner, end := d.tokens[i-1], d.possessedEnd(i+1)
	if end == 0 || relatives.Has(d.at(end-1).lower) || !owner.isWord() && owner.kind != identifierToken {
		return
	}
	start := d.spanStart(owner)
	if start == owner.start && !owner.capital && !d.isRoleHead(owner.lower) && !genericOwners.Has(owner.lower) {
		d.addRole(i+1, end)
		return
	}
	d.add(span{start: start, end: d.tokens[end-1].end, typ: Role, rule: "possessed role"})
}

// possessedEnd returns the end of the role or team from token i, 0 if there is
// none. A possessor makes a role of "team", with one word before it or alone.
func (d *document) possessedEnd(i int) int {
	if end := d.roleEnd(i); end > 0 {
		return end
	}
	switch {
	case d.at(i).lower == "team":
		return i + 1
	case d.at(i).isLowercaseWord() && d.at(i+1).lower == "team":
		return i + 2
	}
	return 0
}

// spanStart returns the start of the longest name that ends with token t, t's
// own start if none does.
func (d *document) spanStart(t token) int {
	const lookBack = 63
	start := t.start
	for _, s := range d.spans[max(0, len(d.spans)-lookBack):] {
		if s.end == t.end && s.typ != Role {
			start = min(start, s.start)
		}
	}
	return start
}

// endsPerson reports whether a person's name ends at a byte.
func (d *document) endsPerson(end int) bool {
	const lookBack = 399
	for _, s := range d.spans[max(0, len(d.spans)-lookBack):] {
		if s.end == end && s.typ == Person {
			return true
		}
	}
	return false
}

// findApposition finds the role of "Rikke Damgaard, controller," from token i,
// after the comma.
func (d *document) findApposition(i int) {
	first, end := d.at(i), d.roleEnd(i)
	if end == 0 || determiners.Has(first.lower) || first.lower == "a" || first.lower == "an" || first.lineStart {
		return
	}
	next := d.at(end)
	preposition := next.lower == "at" || next.lower == "of" || next.lower == "in"
	if (next.breaks() || preposition) && !isPlural(d.at(end-1).lower) {
		d.addRole(i, end)
	}
}

// findSignature finds a capitalised title that fills the rest of its line, or
// that a comma follows.
func (d *document) findSignature(i int) {
	end := d.roleEnd(i)
	if end == 0 || !d.at(end-1).capital || d.at(i-1).lower == "#" {
		return
	}
	next, several := d.at(end), end-i > 1
	if (several || d.tokens[i].lineStart) && (next.lineStart || several && next.lower == ",") {
		d.addRole(i, end)
	}
}

// beginsValue reports whether a table cell, a quoted value or a new title begins
// at token i.
func (d *document) beginsValue(i int) bool {
	switch d.at(i - 1).lower {
	case "|", "\"":
		return true
	case "as", "new":
		return d.tokens[i].capital
	}
	return false
}

// findRoleAsValue finds a role that fills its cell or its quotation marks.
func (d *document) findRoleAsValue(i int) {
	end := d.roleEnd(i)
	if end == 0 {
		return
	}
	fills := true
	switch open, closing := d.at(i-1).lower, d.at(end).lower; open {
	case "|":
		fills = closing == "|" && (end-i > 1 || !d.isInTableHead(i))
	case "\"":
		fills = closing == "\"" && d.at(end+1).lower != ":"
	}
	if fills {
		d.addRole(i, end)
	}
}

// isInTableHead reports whether token i is in the first row of a table.
func (d *document) isInTableHead(i int) bool {
	const lookBack = 200
	k := i
	for k > 0 && i-k < lookBack && !d.tokens[k].lineStart {
		k--
	}
	return k == 0 || d.tokens[k-1].lower != "|"
}

// isSoleRole reports whether token i begins a sentence as a role without an
// article: "Landlord says no."
func (d *document) isSoleRole(i int) bool {
	t, next := d.tokens[i], d.at(i+1).lower
	return t.sentenceStart && soleRoles.Has(t.lower) && (t.lineStart || isStop(d.at(i-1).lower)) &&
		(next == "(" || d.Verbs.Has(next))
}
