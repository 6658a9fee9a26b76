package ner

import (
	"strings"
	"unicode/utf8"
)

// determiners make a phrase definite.
var determiners = newWordSet("the our their my his her your its")

// findRoles finds definite phrases for who holds a job or function, job titles
// after a name, and capitalised titles ("Head of Design").
func (d *document) findRoles() {
	for i, t := range d.tokens {
		switch {
		case t.word() && d.language(i) != "en":
			d.foreignRole(i)
		case t.word() && determiners.has(t.lower):
			d.rolePhrase(i+1, i+1)
		case t.word() && !t.capital && (rolePreps.has(t.lower) || spacedRolePreps.has(t.lower)):
			d.bareRole(i + 1)
		case t.lower == "(":
			d.bracketRole(i + 1)
		case t.lower == "'s" && i > 0 && t.start == d.tokens[i-1].end:
			d.possessedRole(i)
		case t.lower == "," && d.at(i+1).word() && d.personEnds(t.start):
			d.apposition(i + 1)
		case t.word() && t.capital && (t.lineStart || d.at(i-1).lower == ","):
			d.signature(i)
		case t.word() && d.cell(i):
			d.cellRole(i)
		case t.word() && t.sentenceStart && (t.lineStart || isStop(d.at(i-1).lower)) && soleRoles.has(t.lower) && (d.at(i+1).lower == "(" || d.verbs.has(d.at(i+1).lower)):
			d.addRole(i, i+1)
		}
	}
}

var (
	// rolePreps are followed by who does or hears something, with or without an
	// article; after the others only phrases of several words are roles.
	rolePreps       = newWordSet("by ask tell paging page paged informed notified notify notifies contact cc")
	spacedRolePreps = newWordSet("to from via call called through with")
)

// bareRole takes "approved by curator" and "sent to data steward".
func (d *document) bareRole(i int) {
	end := d.roleEnd(i)
	if end == 0 || determiners.has(d.at(i).lower) || d.at(i).lineStart || d.at(i).capital {
		return
	}
	n, last := d.at(end), d.at(end-1)
	if end == i+1 && (!rolePreps.has(d.at(i-1).lower) || strings.HasSuffix(last.lower, "s")) || strings.HasSuffix(last.lower, "s") && !teams.has(last.lower) {
		return
	}
	if n.kind == punctToken || n.lineStart || !n.capital && (d.verbs.has(n.lower) || d.sentenceStarters.has(n.lower)) {
		d.addRole(i, end)
	}
}

// bracketRole takes "(warehouse manager, Plzeň)".
func (d *document) bracketRole(i int) {
	end := d.roleEnd(i)
	if end == 0 {
		return
	}
	if n := d.at(end).lower; (n == ")" || n == ",") && !strings.HasSuffix(d.at(end-1).lower, "s") && (end > i+1 || d.personBeforeBracket(i)) {
		d.addRole(i, end)
	}
}

func (d *document) personBeforeBracket(i int) bool { return i > 1 && d.personEnds(d.tokens[i-2].end) }

var (
	// foreignDeterminers make a role definite in languages with articles.
	foreignDeterminers = map[string]wordSet{
		"de":     newWordSet("der die das den dem des mein meine meinen meinem meiner unser unsere unseren unserem unserer dein deine deinen deinem sein seine seinen seinem ihr ihre ihren ihrem ihrer beim zum zur vom im am"),
		"fr":     newWordSet("le la les du au mon ma notre votre son sa leur ton ta"),
		"es":     newWordSet("el la los las del al mi tu su nuestro nuestra"),
		"it":     newWordSet("il lo la i gli le del della dello al alla allo dal dalla nostro nostra mio mia tuo tua suo sua vostro vostra nel nella"),
		"pt":     newWordSet("o a os as do da ao à no na pelo pela meu minha nosso nossa seu sua"),
		"nl":     newWordSet("de het onze ons mijn jouw zijn haar hun jullie"),
		"nordic": newWordSet("den det min din vår vårt sin hans hennes deres vores"),
		"el":     newWordSet("ο η το τον την του της τους στον στην στο ο"),
		"hu":     newWordSet("a az"),
		"ro":     newWordSet("al a ai ale"),
	}
	// articleless languages have no article that a role could lack.
	articleless = newWordSet("pl cs ru uk bg hr fi tr id sw")
	// linkers go on with what somebody is head of.
	linkers = newWordSet("de di des du do da della van")
)

// foreignRole takes roles of other languages: behind an article, bare where
// there is none, with the article as an ending in the north and in Romania.
func (d *document) foreignRole(i int) {
	language, t := d.language(i), d.tokens[i]
	if at, size := apostrophe(d.text[t.start:t.end]); at > 0 {
		from := t.start + at + size
		if elisions.has(strings.ToLower(d.text[t.start:t.start+at])) && d.foreignHead(language, strings.ToLower(d.text[from:t.end])) {
			d.add(span{start: from, end: t.end, typ: Role, rule: "role"})
			return
		}
	}
	if !d.foreignHead(language, t.lower) {
		return
	}
	before, n := d.at(i-1), d.at(i+1)
	definite := foreignDeterminers[language].has(before.lower) && t.spaceBefore && !t.lineStart || articleless.has(language) ||
		language == "nordic" && (strings.HasSuffix(t.lower, "en") || strings.HasSuffix(t.lower, "an") || strings.HasSuffix(t.lower, "et")) ||
		language == "ro" && strings.HasSuffix(t.lower, "ul")
	if !definite || n.capital && n.word() && n.spaceBefore && !n.lineStart && language != "de" {
		return // "der Techniker" is one, the title in "usta Hynek" is none
	}
	if language == "de" && (!t.capital || n.capital && d.isGivenName(n.lower)) && !d.lowerLine(i) {
		return
	}
	end := i + 1
	if m := d.at(i + 2); linkers.has(n.lower) && m.word() && !m.capital && m.spaceBefore && !m.lineStart && d.language(i+2) == language && !d.foreign.has(m.lower) {
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

var elisions = newWordSet("l dell all dall nell sull")

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
	d.add(span{start: d.tokens[from].start, end: d.tokens[to-1].end, typ: Role, rule: "role"})
}

// roleEnd is the end of the role phrase that begins at i, 0 for none: up to
// three words before the head, and what belongs to it behind ("of security",
// "on duty").
func (d *document) roleEnd(i int) int {
	best := 0
	for k := i; k < i+5; k++ {
		t := d.at(k)
		if !t.word() || t.lineStart && k > i || k > i && !t.spaceBefore || stopsRole.has(t.lower) {
			break
		}
		if (d.roleHead(t.lower) && (k == i || d.modifiers(i, k)) || d.teamHead(i, k)) && !d.nounFollows(k) {
			best = k + 1
		}
		if d.verbs.has(t.lower) && k > i && !d.roleHead(t.lower) && t.lower != "call" && t.lower != "works" {
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
	if compounds.has(n.lower) && n.spaceBefore && !n.lineStart {
		return true
	}
	if !n.word() || n.capital || !n.spaceBefore || n.lineStart || d.verbs.has(n.lower) || d.sentenceStarters.has(n.lower) || d.foreign.has(n.lower) || d.roleHead(n.lower) {
		return false
	}
	for _, e := range []string{"s", "ed", "ing", "ly"} {
		if strings.HasSuffix(n.lower, e) && !strings.HasSuffix(n.lower, "ss") {
			return false
		}
	}
	return d.isCommon(n.lower) && len(n.lower) > 2
}

var compounds = newWordSet("name names list number numbers page section system text version key side part role policy")

var stopsRole = newWordSet("the a an and or of to in is was has with who that which this our their my his her your for from by on at as if not")

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
		if soleTeams.has(d.tokens[k].lower) {
			n := d.at(k + 1)
			return (n.kind == punctToken || n.lineStart || d.personVerbs.has(n.lower) || teamVerbs.has(n.lower)) && (directCues.has(d.at(k-2).lower) || n.word())
		}
		return d.functions.has(d.tokens[k].lower) && d.at(k+1).lower != "of" && !d.at(k+1).spaceBefore
	}
	return teams.has(d.tokens[k].lower) && !d.tokens[i].capital
}

// soleTeams are teams by themselves where they do what people do.
var soleTeams = newWordSet("board committee council jury secretariat crew")

var teams = newWordSet("team crew desk office department squad guild helpdesk committee staff board relations management group unit shift")

// modifiers says whether the words between a determiner and a role may
// describe it: no name, no verb.
func (d *document) modifiers(i, k int) bool {
	for ; i < k; i++ {
		w := d.tokens[i].lower
		if d.tokens[i].kind != wordToken || d.verbs.has(w) && w != "call" && w != "left" || pastAdjectives.has(w) {
			return false
		}
	}
	return true
}

var pastAdjectives = newWordSet("own following other same whole next")

// roleTail takes "of security", "on duty", "in charge" behind a head.
func (d *document) roleTail(end int) int {
	t, n := d.at(end), d.at(end+1)
	if !t.spaceBefore || t.lineStart || !n.word() || !n.spaceBefore || n.lineStart {
		return end
	}
	switch {
	case t.lower == "of" && (headOf.has(d.at(end - 1).lower)) && !determiners.has(n.lower):
		end += 2
		for d.at(end).word() && d.at(end).spaceBefore && !d.at(end).lineStart && (d.at(end).capital && n.capital || d.functions.has(d.at(end).lower)) {
			end++
		}
		if d.at(end).lower == "and" && n.capital && d.at(end+1).capital {
			end += 2
		}
	case t.lower == "on" && (n.lower == "duty" || n.lower == "call"), t.lower == "in" && (n.lower == "charge" || n.lower == "chief" || n.lower == "residence"):
		end += 2
	}
	return end
}

var headOf = newWordSet("head director chief master minister secretary manager vp chair dean keeper president officer lead")

// possessedRole takes "Sam's team": the possessor belongs to the phrase, with
// the name that ends before the 's.
func (d *document) possessedRole(i int) {
	owner := d.tokens[i-1]
	if !owner.word() && owner.kind != identifierToken {
		return
	}
	end := d.roleEnd(i + 1)
	if end == 0 && (d.at(i+1).lower == "team" || d.at(i+2).lower == "team" && d.at(i+1).word() && !d.at(i+1).capital) {
		end = i + 2 + boolInt(d.at(i+1).lower != "team")
	}
	if end == 0 || relatives.has(d.at(end-1).lower) {
		return
	}
	start := owner.start
	for k := len(d.spans) - 1; k >= 0 && k > len(d.spans)-64; k-- {
		if s := d.spans[k]; s.end == owner.end && s.typ != Role {
			start = min(start, s.start)
		}
	}
	if start == owner.start && !owner.capital && !d.roleHead(owner.lower) && !genericOwners.has(owner.lower) {
		// "yesterday's host": the head alone
		d.addRole(i+1, end)
		return
	}
	d.add(span{start: start, end: d.tokens[end-1].end, typ: Role, rule: "possessed role"})
}

var (
	genericOwners = newWordSet("user client customer company tenant landlord neighbour school")
	relatives     = newWordSet("brother sister mother father son daughter wife husband nephew niece cousin uncle aunt child kid")
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
	if determiners.has(d.at(i).lower) || d.at(i).lower == "a" || d.at(i).lower == "an" || d.at(i).lineStart {
		return
	}
	end := d.roleEnd(i)
	if n := d.at(end); end > 0 && (n.kind == punctToken || n.lineStart || n.lower == "at" || n.lower == "of" || n.lower == "in") && !strings.HasSuffix(d.at(end-1).lower, "s") {
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
	if (end-i > 1 && last.capital || d.tokens[i].lineStart && last.capital) && (n.lineStart || n.lower == "," && end-i > 1) && d.at(i-1).lower != "#" {
		d.addRole(i, end)
	}
}

// cell says whether token i begins a cell of a table or a quoted value.
func (d *document) cell(i int) bool {
	before := d.at(i - 1).lower
	return before == "|" || before == "\"" || (before == "as" || before == "new") && d.tokens[i].capital
}

// cellRole takes cells and values that are a role and nothing else.
func (d *document) cellRole(i int) {
	end := d.roleEnd(i)
	if end == 0 {
		return
	}
	open, closing := d.at(i-1).lower, d.at(end).lower
	switch {
	case open == "|" && closing == "|" && (end-i > 1 || !d.headerCell(i)), open == "\"" && closing == "\"" && d.at(end+1).lower != ":", open == "as" || open == "new":
		d.addRole(i, end)
	}
}

// headerCell says whether a cell stands in the first row of a table.
func (d *document) headerCell(i int) bool {
	k := i
	for k > 0 && i-k < 200 && !d.tokens[k].lineStart {
		k--
	}
	return k == 0 || d.tokens[k-1].lower != "|"
}

// findTeams finds function teams without an article ("ask legal"), and bodies
// that are known by a common noun ("the port authority").
func (d *document) findTeams() {
	for i, t := range d.tokens {
		if !t.word() {
			continue
		}
		n := d.at(i + 1)
		if d.publicBodies.has(t.lower+"-"+n.lower) && n.spaceBefore && !n.lineStart && !d.wordAfter(i+2) {
			d.add(span{start: t.start, end: n.end, typ: Organization, rule: "body", sure: true})
			continue
		}
		if d.functions.has(t.lower) && d.isTeam(i) {
			d.addRole(i, i+1)
		}
		if (t.lower == "relations" || t.lower == "management") && i > 0 && teamKinds.has(d.tokens[i-1].lower) && !determiners.has(d.at(i-2).lower) {
			d.addRole(i-1, i+1)
		}
	}
}

var teamKinds = newWordSet("guest vendor customer client investor public media press product project facility facilities risk office people account partner community event property supplier stock quality change incident")

func (d *document) wordAfter(i int) bool {
	t := d.at(i)
	return t.word() && t.spaceBefore && (d.roleHead(t.lower) || t.lower == "team")
}

// isTeam says whether a word such as "legal" or "IT" stands for people: as
// the object of asking, or as a subject.
func (d *document) isTeam(i int) bool {
	t, before, after := d.tokens[i], d.at(i-1).lower, d.at(i+1)
	if t.lower == "it" && d.text[t.start:t.end] != "IT" || t.lower == "operations" && t.capital || after.lower == "team" {
		return false
	}
	does := d.personVerbs.has(after.lower) || teamVerbs.has(after.lower)
	switch {
	case determiners.has(before) || after.kind == identifierToken || after.lower == "'s" && t.lower == "it":
		return false
	case (t.sentenceStart || before == "until" || before == "if" || before == "and" || before == "but" || before == "can" || before == "before" || before == "when" || before == ",") && (does || before == "can"):
		return true
	case teamPreps.has(before) && (!after.word() || !after.spaceBefore || after.lineStart || teamFollow.has(after.lower)):
		return t.lower != "quality" && t.lower != "catering" && t.lower != "support" || before == "ask" || before == "tell" || before == "from"
	}
	return false
}

var (
	teamVerbs  = newWordSet("gets got gives gave takes took sends sent prefers decides decided complains complained noticed notices blocks blocked refuses refused handles checks checked reviewed reviews thinks tells told claims claimed will nods says said wants needs agrees agreed approves approved signs signed has insists insisted confirmed confirms asks asked pays paid knows rejects rejected")
	teamPreps  = newWordSet("call ask tell by from to with in cc ping told asked via until for loop")
	teamFollow = newWordSet("and or to for about before after says said wants needs if when whether today tomorrow first on at again by in is has please why who it they we she he i you now")
)

// soleRoles may stand at the beginning of a sentence without an article.
var soleRoles = newWordSet("landlord insurer auditor management reception counsel")
