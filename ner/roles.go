package ner

import "strings"

// determiners make a phrase definite.
var determiners = cues("the our their my his her your its")

// findRoles finds definite phrases for who holds a job or function, job titles
// after a name, and capitalised titles ("Head of Design").
func (d *document) findRoles() {
	for i, t := range d.toks {
		switch {
		case t.word() && determiners.has(t.low):
			d.rolePhrase(i+1, i+1)
		case t.low == "'s" && i > 0 && t.start == d.toks[i-1].end:
			d.possessedRole(i)
		case t.low == "," && d.at(i+1).word() && d.personEnds(t.start):
			d.apposition(i + 1)
		case t.word() && t.cap && (t.line || d.at(i-1).low == ","):
			d.signature(i)
		case t.word() && d.cell(i):
			d.cellRole(i)
		case t.word() && t.first && (t.line || isStop(d.at(i-1).low)) && soleRoles.has(t.low) && (d.at(i+1).low == "(" || d.in("verbs", d.at(i+1).low)):
			d.addRole(i, i+1)
		}
	}
}

// rolePhrase adds the phrase of tokens from i whose head is a role, if there
// is one; the span begins at from.
func (d *document) rolePhrase(from, i int) bool {
	end := d.roleEnd(i)
	if end == 0 {
		return false
	}
	d.addRole(from, end)
	return true
}

func (d *document) addRole(from, to int) {
	d.add(span{start: d.toks[from].start, end: d.toks[to-1].end, typ: Role, rule: "role"})
}

// roleEnd is the end of the role phrase that begins at i, 0 for none: up to
// three words before the head, and what belongs to it behind ("of security",
// "on duty").
func (d *document) roleEnd(i int) int {
	best := 0
	for k := i; k < i+5; k++ {
		t := d.at(k)
		if !t.word() || t.line && k > i || k > i && !t.gap || stopsRole.has(t.low) {
			break
		}
		if (d.roleHead(t.low) && (k == i || d.modifiers(i, k)) || d.teamHead(i, k)) && !d.nounFollows(k) {
			best = k + 1
		}
		if d.in("verbs", t.low) && k > i && !d.roleHead(t.low) && t.low != "call" && t.low != "works" {
			break
		}
	}
	if best == 0 {
		return 0
	}
	return d.roleTail(best)
}

// nounFollows says whether the word behind k makes a compound of it, as in
// "the lead time".
func (d *document) nounFollows(k int) bool {
	n := d.at(k + 1)
	if compounds.has(n.low) && n.gap && !n.line {
		return true
	}
	if !n.word() || n.cap || !n.gap || n.line || d.in("verbs", n.low) || d.starters.has(n.low) || d.foreign.has(n.low) || d.roleHead(n.low) {
		return false
	}
	for _, e := range []string{"s", "ed", "ing", "ly"} {
		if strings.HasSuffix(n.low, e) && !strings.HasSuffix(n.low, "ss") {
			return false
		}
	}
	return d.common(n.low) && len(n.low) > 2
}

var compounds = cues("name names list number numbers page section system text version key side part role policy")

var stopsRole = cues("the a an and or of to in is was has with who that which this our their my his her your for from by on at as if not")

// roleHead says whether a word, as it is, names the holder of a job.
func (d *document) roleHead(w string) bool {
	if d.roleHeads.has(w) {
		return true
	}
	i := strings.LastIndexByte(w, '-')
	return i > 0 && d.roleHeads.has(w[i+1:])
}

// teamHead says whether the phrase [i, k] is a function team.
func (d *document) teamHead(i, k int) bool {
	if k == i {
		return d.functions.has(d.toks[k].low) && d.at(k+1).low != "of" && !d.at(k+1).gap
	}
	return teams.has(d.toks[k].low) && !d.toks[i].cap
}

var teams = cues("team crew desk office department squad guild helpdesk committee staff board relations management group unit shift")

// modifiers says whether the words between a determiner and a role may
// describe it: no name, no verb.
func (d *document) modifiers(i, k int) bool {
	for ; i < k; i++ {
		w := d.toks[i].low
		if d.toks[i].kind != wordTok || d.in("verbs", w) && w != "call" && w != "left" || pastAdjectives.has(w) {
			return false
		}
	}
	return true
}

var pastAdjectives = cues("own following other same whole next")

// roleTail takes "of security", "on duty", "in charge" behind a head.
func (d *document) roleTail(end int) int {
	t, n := d.at(end), d.at(end+1)
	if !t.gap || t.line || !n.word() || !n.gap || n.line {
		return end
	}
	switch {
	case t.low == "of" && (headOf.has(d.at(end - 1).low)) && !determiners.has(n.low):
		end += 2
		for d.at(end).word() && d.at(end).gap && !d.at(end).line && (d.at(end).cap && n.cap || d.functions.has(d.at(end).low)) {
			end++
		}
		if d.at(end).low == "and" && n.cap && d.at(end+1).cap {
			end += 2
		}
	case t.low == "on" && (n.low == "duty" || n.low == "call"), t.low == "in" && n.low == "charge":
		end += 2
	}
	return end
}

var headOf = cues("head director chief master minister secretary manager vp chair dean keeper president officer lead")

// possessedRole takes "Sam's team": the possessor belongs to the phrase, with
// the name that ends before the 's.
func (d *document) possessedRole(i int) {
	owner := d.toks[i-1]
	if !owner.word() && owner.kind != idTok {
		return
	}
	end := d.roleEnd(i + 1)
	if end == 0 && (d.at(i+1).low == "team" || d.at(i+2).low == "team" && d.at(i+1).word() && !d.at(i+1).cap) {
		end = i + 2 + boolInt(d.at(i+1).low != "team")
	}
	if end == 0 || relatives.has(d.at(end-1).low) {
		return
	}
	start := owner.start
	for k := len(d.spans) - 1; k >= 0 && k > len(d.spans)-64; k-- {
		if s := d.spans[k]; s.end == owner.end && s.typ != Role {
			start = min(start, s.start)
		}
	}
	if start == owner.start && !owner.cap && !d.roleHead(owner.low) && !genericOwners.has(owner.low) {
		// "yesterday's host": the head alone
		d.addRole(i+1, end)
		return
	}
	d.add(span{start: start, end: d.toks[end-1].end, typ: Role, rule: "possessed role"})
}

var (
	genericOwners = cues("user client customer company tenant landlord neighbour school")
	relatives     = cues("brother sister mother father son daughter wife husband nephew niece cousin uncle aunt child kid")
)

// personEnds says whether a person's name ends at a byte.
func (d *document) personEnds(at int) bool {
	for k := len(d.spans) - 1; k >= 0 && k > len(d.spans)-400; k-- {
		if d.spans[k].end == at && d.spans[k].typ == Person {
			return true
		}
	}
	return false
}

// apposition takes "Rikke Damgaard, controller," and "Mpho, the architect".
func (d *document) apposition(i int) {
	if determiners.has(d.at(i).low) || d.at(i).low == "a" || d.at(i).low == "an" || d.at(i).line {
		return
	}
	end := d.roleEnd(i)
	if n := d.at(end); end > 0 && (n.kind == punctTok || n.line || n.low == "at" || n.low == "of" || n.low == "in") && !strings.HasSuffix(d.at(end-1).low, "s") {
		d.addRole(i, end)
	}
}

// signature takes a line or a phrase that is a capitalised title.
func (d *document) signature(i int) {
	end := d.roleEnd(i)
	if end == 0 {
		return
	}
	n, last := d.at(end), d.at(end-1)
	if (end-i > 1 && last.cap || d.toks[i].line && last.cap) && (n.line || n.low == "," && end-i > 1) && d.at(i-1).low != "#" {
		d.addRole(i, end)
	}
}

// cell says whether token i begins a cell of a table or a quoted value.
func (d *document) cell(i int) bool {
	before := d.at(i - 1).low
	return before == "|" || before == "\"" || (before == "as" || before == "new") && d.toks[i].cap
}

// cellRole takes cells and values that are a role and nothing else.
func (d *document) cellRole(i int) {
	end := d.roleEnd(i)
	if end == 0 {
		return
	}
	open, closing := d.at(i-1).low, d.at(end).low
	switch {
	case open == "|" && closing == "|" && (end-i > 1 || !d.headerCell(i)), open == "\"" && closing == "\"" && d.at(end+1).low != ":", open == "as" || open == "new":
		d.addRole(i, end)
	}
}

// headerCell says whether a cell stands in the first row of a table.
func (d *document) headerCell(i int) bool {
	k := i
	for k > 0 && i-k < 200 && !d.toks[k].line {
		k--
	}
	return k == 0 || d.toks[k-1].low != "|"
}

// findTeams finds function teams without an article ("ask legal"), and bodies
// that are known by a common noun ("the port authority").
func (d *document) findTeams() {
	for i, t := range d.toks {
		if !t.word() {
			continue
		}
		n := d.at(i + 1)
		if d.in("orgfull", t.low+"-"+n.low) && n.gap && !n.line && !d.wordAfter(i+2) {
			d.add(span{start: t.start, end: n.end, typ: Organization, rule: "body", sure: true})
			continue
		}
		if d.functions.has(t.low) && d.isTeam(i) {
			d.addRole(i, i+1)
		}
		if (t.low == "relations" || t.low == "management") && i > 0 && teamKinds.has(d.toks[i-1].low) && !determiners.has(d.at(i-2).low) {
			d.addRole(i-1, i+1)
		}
	}
}

var teamKinds = cues("guest vendor customer client investor public media press product project facility facilities risk office people account partner community event property supplier stock quality change incident")

func (d *document) wordAfter(i int) bool {
	t := d.at(i)
	return t.word() && t.gap && (d.roleHead(t.low) || t.low == "team")
}

// isTeam says whether a word such as "legal" or "IT" stands for people: as
// the object of asking, or as a subject.
func (d *document) isTeam(i int) bool {
	t, before, after := d.toks[i], d.at(i-1).low, d.at(i+1)
	if t.low == "it" && d.text[t.start:t.end] != "IT" || t.low == "operations" && t.cap || after.low == "team" {
		return false
	}
	does := d.in("personverbs", after.low) || teamVerbs.has(after.low)
	switch {
	case determiners.has(before) || after.kind == idTok || after.low == "'s" && t.low == "it":
		return false
	case (t.first || before == "until" || before == "if" || before == "and" || before == "but" || before == "can" || before == "before" || before == "when" || before == ",") && (does || before == "can"):
		return true
	case teamPreps.has(before) && (!after.word() || !after.gap || after.line || teamFollow.has(after.low)):
		return t.low != "quality" && t.low != "catering" && t.low != "support" || before == "ask" || before == "tell" || before == "from"
	}
	return false
}

var (
	teamVerbs  = cues("nods says said wants needs agrees agreed approves approved signs signed has insists insisted confirmed confirms asks asked pays paid knows rejects rejected")
	teamPreps  = cues("ask tell by from to with in cc ping told asked via until for loop")
	teamFollow = cues("and or to for about before after says said wants needs if when whether today tomorrow first on at again by in is has")
)

// soleRoles may stand at the beginning of a sentence without an article.
var soleRoles = cues("landlord insurer auditor management reception counsel")
