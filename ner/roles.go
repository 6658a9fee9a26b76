package ner

import (
	"strings"
	"unicode/utf8"
)

// determiners make a phrase definite.
var determiners = cues("the our their my his her your its")

// findRoles finds definite phrases for who holds a job or function, job titles
// after a name, and capitalised titles ("Head of Design").
func (d *document) findRoles() {
	for i, t := range d.toks {
		switch {
		case t.word() && d.language(i) != "en":
			d.foreignRole(i)
		case t.word() && determiners.has(t.low):
			d.rolePhrase(i+1, i+1)
		case t.word() && !t.cap && (rolePreps.has(t.low) || spacedRolePreps.has(t.low)):
			d.bareRole(i + 1)
		case t.low == "(":
			d.bracketRole(i + 1)
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

var (
	// rolePreps are followed by who does or hears something, with or without an
	// article; after the others only phrases of several words are roles.
	rolePreps       = cues("by ask tell paging page paged informed notified notify notifies contact cc")
	spacedRolePreps = cues("to from via call called through with")
)

// bareRole takes "approved by curator" and "sent to data steward".
func (d *document) bareRole(i int) {
	end := d.roleEnd(i)
	if end == 0 || determiners.has(d.at(i).low) || d.at(i).line || d.at(i).cap {
		return
	}
	n, last := d.at(end), d.at(end-1)
	if end == i+1 && (!rolePreps.has(d.at(i-1).low) || strings.HasSuffix(last.low, "s")) || strings.HasSuffix(last.low, "s") && !teams.has(last.low) {
		return
	}
	if n.kind == punctTok || n.line || !n.cap && (d.in("verbs", n.low) || d.starters.has(n.low)) {
		d.addRole(i, end)
	}
}

// bracketRole takes "(warehouse manager, Plzeň)".
func (d *document) bracketRole(i int) {
	end := d.roleEnd(i)
	if end == 0 {
		return
	}
	if n := d.at(end).low; (n == ")" || n == ",") && !strings.HasSuffix(d.at(end-1).low, "s") && (end > i+1 || d.personBeforeBracket(i)) {
		d.addRole(i, end)
	}
}

func (d *document) personBeforeBracket(i int) bool { return i > 1 && d.personEnds(d.toks[i-2].end) }

var (
	// foreignDeterminers make a role definite in languages with articles.
	foreignDeterminers = map[string]set{
		"de":     cues("der die das den dem des mein meine meinen meinem meiner unser unsere unseren unserem unserer dein deine deinen deinem sein seine seinen seinem ihr ihre ihren ihrem ihrer beim zum zur vom im am"),
		"fr":     cues("le la les du au mon ma notre votre son sa leur ton ta"),
		"es":     cues("el la los las del al mi tu su nuestro nuestra"),
		"it":     cues("il lo la i gli le del della dello al alla allo dal dalla nostro nostra mio mia tuo tua suo sua vostro vostra nel nella"),
		"pt":     cues("o a os as do da ao à no na pelo pela meu minha nosso nossa seu sua"),
		"nl":     cues("de het onze ons mijn jouw zijn haar hun jullie"),
		"nordic": cues("den det min din vår vårt sin hans hennes deres vores"),
		"el":     cues("ο η το τον την του της τους στον στην στο ο"),
		"hu":     cues("a az"),
		"ro":     cues("al a ai ale"),
	}
	// articleless languages have no article that a role could lack.
	articleless = cues("pl cs ru uk bg hr fi tr id sw")
	// linkers go on with what somebody is head of.
	linkers = cues("de di des du do da della van")
)

// foreignRole takes roles of other languages: behind an article, bare where
// there is none, with the article as an ending in the north and in Romania.
func (d *document) foreignRole(i int) {
	language, t := d.language(i), d.toks[i]
	if at, size := apostrophe(d.text[t.start:t.end]); at > 0 {
		from := t.start + at + size
		if elisions.has(strings.ToLower(d.text[t.start:t.start+at])) && d.foreignHead(language, strings.ToLower(d.text[from:t.end])) {
			d.add(span{start: from, end: t.end, typ: Role, rule: "role"})
			return
		}
	}
	if !d.foreignHead(language, t.low) {
		return
	}
	before, n := d.at(i-1), d.at(i+1)
	definite := foreignDeterminers[language].has(before.low) && t.gap && !t.line || articleless.has(language) ||
		language == "nordic" && (strings.HasSuffix(t.low, "en") || strings.HasSuffix(t.low, "an") || strings.HasSuffix(t.low, "et")) ||
		language == "ro" && strings.HasSuffix(t.low, "ul")
	if !definite || n.cap && n.word() && n.gap && !n.line && language != "de" {
		return // "der Techniker" is one, the title in "usta Hynek" is none
	}
	if language == "de" && (!t.cap || n.cap && d.givenName(n.low)) && !d.lowerLine(i) {
		return
	}
	end := i + 1
	if m := d.at(i + 2); linkers.has(n.low) && m.word() && !m.cap && m.gap && !m.line && d.language(i+2) == language && !d.foreign.has(m.low) {
		end = i + 3
	}
	d.addRole(i, end)
}

// apostrophe is the place of the first apostrophe in a word, and its bytes; -1
// if there is none.
func apostrophe(w string) (at, size int) {
	at = strings.IndexAny(w, "'’")
	if at < 0 {
		return at, 0
	}
	_, size = utf8.DecodeRuneInString(w[at:])
	return at, size
}

var elisions = cues("l dell all dall nell sull")

// foreignHead says whether a word is a role in a language; German and its
// neighbours make new ones by putting words together.
func (d *document) foreignHead(language, w string) bool {
	if d.roleHeads.has(w) {
		return true
	}
	for _, e := range roleEndings[language] {
		if len(w) > len(e)+2 && strings.HasSuffix(w, e) {
			return true
		}
	}
	return false
}

var roleEndings = map[string][]string{
	"de":     {"leiter", "leiterin", "meister", "meisterin", "führer", "führerin", "ingenieur", "techniker", "technikerin", "verwalter", "verwalterin", "beauftragte", "beauftragter", "vertreter", "vertreterin", "abteilung", "berater", "beraterin", "sekretärin", "chef", "chefin"},
	"nl":     {"leider", "meester", "beheerder", "manager"},
	"nordic": {"leder", "lederen", "sjef", "sjefen", "chef", "chefen", "ansvarig", "ansvarlig", "mester", "mästare"},
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
		if soleTeams.has(d.toks[k].low) {
			n := d.at(k + 1)
			return (n.kind == punctTok || n.line || d.in("personverbs", n.low) || teamVerbs.has(n.low)) && (directCues.has(d.at(k-2).low) || n.word())
		}
		return d.functions.has(d.toks[k].low) && d.at(k+1).low != "of" && !d.at(k+1).gap
	}
	return teams.has(d.toks[k].low) && !d.toks[i].cap
}

// soleTeams are teams by themselves where they do what people do.
var soleTeams = cues("board committee council jury secretariat crew")

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
	case t.low == "on" && (n.low == "duty" || n.low == "call"), t.low == "in" && (n.low == "charge" || n.low == "chief" || n.low == "residence"):
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
	teamVerbs  = cues("gets got gives gave takes took sends sent prefers decides decided complains complained noticed notices blocks blocked refuses refused handles checks checked reviewed reviews thinks tells told claims claimed will nods says said wants needs agrees agreed approves approved signs signed has insists insisted confirmed confirms asks asked pays paid knows rejects rejected")
	teamPreps  = cues("call ask tell by from to with in cc ping told asked via until for loop")
	teamFollow = cues("and or to for about before after says said wants needs if when whether today tomorrow first on at again by in is has please why who it they we she he i you now")
)

// soleRoles may stand at the beginning of a sentence without an article.
var soleRoles = cues("landlord insurer auditor management reception counsel")
