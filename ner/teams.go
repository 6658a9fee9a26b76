package ner

// findTeams finds function teams without an article ("ask legal"), departments
// ("guest relations"), and bodies known by a common noun ("the port authority").
func (d *document) findTeams() {
	for i, t := range d.tokens {
		if !t.isWord() {
			continue
		}
		if d.isPublicBody(i) {
			d.add(span{start: t.start, end: d.at(i + 1).end, typ: Organization, rule: "body", certain: true})
			continue
		}
		if d.Functions.Has(t.lower) && d.isTeam(i) {
			d.addRole(i, i+1)
		}
		if d.isDepartment(i) {
			d.addRole(i-1, i+1)
		}
	}
}

// isPublicBody reports whether tokens i and i+1 are a body, and no modifier of a
// role ("the tax office manager").
func (d *document) isPublicBody(i int) bool {
	next, second := d.at(i+1), d.at(i+2)
	if !next.adjacent() || !d.IsPublicBody(d.tokens[i].lower, next.lower) {
		return false
	}
	return !second.isWord() || !second.spaceBefore || !d.isRoleHead(second.lower) && second.lower != "team"
}

// isDepartment holds for token i of "guest relations" and "stock management".
func (d *document) isDepartment(i int) bool {
	w := d.tokens[i].lower
	return (w == "relations" || w == "management") &&
		teamModifiers.Has(d.at(i-1).lower) && !determiners.Has(d.at(i-2).lower)
}

// isTeam reports whether a function such as "legal" or "IT", token i, stands for
// people: as the subject of what people do, or as the object of asking.
func (d *document) isTeam(i int) bool {
	t, before, after := d.tokens[i], d.at(i-1).lower, d.at(i+1)
	switch {
	case t.lower == "it" && (d.text[t.start:t.end] != "IT" || after.lower == "'s"),
		t.lower == "operations" && t.capital,
		after.lower == "team" || after.kind == identifierToken,
		determiners.Has(before):
		return false
	}
	return d.isTeamAsSubject(i) || d.isTeamAsObject(i)
}

func (d *document) isTeamAsSubject(i int) bool {
	before, verb := d.at(i-1).lower, d.at(i+1).lower
	acts := before == "can" || d.PersonVerbs.Has(verb) || teamVerbs.Has(verb)
	return acts && (d.tokens[i].sentenceStart || clauseStarters.Has(before))
}

func (d *document) isTeamAsObject(i int) bool {
	before, after := d.at(i-1).lower, d.at(i+1)
	if !teamTriggers.Has(before) || after.isWord() && after.adjacent() && !teamFollowers.Has(after.lower) {
		return false
	}
	switch d.tokens[i].lower {
	case "quality", "catering", "support": // more often an activity
		return before == "ask" || before == "tell" || before == "from"
	}
	return true
}

// isTeamPhrase reports whether the words [i, k] are a team: a modifier and a
// noun for a group ("night crew"), or a team that needs no modifier.
func (d *document) isTeamPhrase(i, k int) bool {
	w := d.tokens[k].lower
	switch {
	case k > i:
		return teamHeads.Has(w) && !d.tokens[i].capital
	case soleTeams.Has(w):
		return d.isSoleTeam(k)
	}
	next := d.at(k + 1)
	return d.Functions.Has(w) && next.lower != "of" && !next.spaceBefore
}

// isSoleTeam reports whether "board" or "crew" at k acts as persons do, or ends
// its phrase after a word of asking.
func (d *document) isSoleTeam(k int) bool {
	next := d.at(k + 1)
	acts := d.PersonVerbs.Has(next.lower) || teamVerbs.Has(next.lower)
	return (next.breaks() || acts) && (next.isWord() || addressTriggers.Has(d.at(k-2).lower))
}
