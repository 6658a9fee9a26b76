package ner

import "strings"

// findLower finds names in lower case, as in chats and transcripts: words that
// the text writes with a capital elsewhere, known given names, towns and
// tools, and unknown words where English puts a name.
func (d *document) findLower() {
	names := d.nameWords()
	for i := 0; i < len(d.toks); i++ {
		t := d.toks[i]
		if !t.word() || t.cap || !t.latin || len(t.low) < 3 || d.joinedLeft(i) || strings.ContainsAny(t.low, "_0123456789") {
			continue
		}
		if end := d.lowerName(i, names); end > i {
			if last := d.spans[len(d.spans)-1]; end == i+1 && names[t.low] == "" {
				names[t.low] = last.typ
			}
			i = end - 1
		}
	}
}

// nameWords are the words of the persons found so far, with the type of the
// names that are one word.
func (d *document) nameWords() map[string]string {
	words := map[string]string{}
	for _, s := range d.spans {
		if s.rule != "name" && s.rule != "alias" {
			continue
		}
		low := strings.ToLower(d.text[s.start:s.end])
		if s.typ == Person {
			for w := range strings.FieldsSeq(low) {
				words[w] = Person
			}
		} else if !strings.Contains(low, " ") && words[low] == "" {
			words[low] = s.typ
		}
	}
	return words
}

// joinedLeft says whether token i continues something that is not a word.
func (d *document) joinedLeft(i int) bool {
	p, n := d.at(i-1), d.at(i+1)
	return i > 0 && !d.toks[i].gap && strings.ContainsAny(p.low, "/\\@#$%&~^.-_'") || !n.gap && strings.ContainsAny(n.low, "(=/\\@_") && n.low != ""
}

// lowerName adds the name that begins at i and returns its end, or i.
func (d *document) lowerName(i int, names map[string]string) int {
	t := d.toks[i]
	plain := d.common(t.low) || d.ambiguous.has(t.low) || d.foreign.has(t.low) && !d.givenName(t.low)
	add := func(end int, typ, rule string) int {
		d.add(span{start: t.start, end: d.toks[end-1].end, typ: typ, rule: rule})
		return end
	}
	switch typ := names[t.low]; {
	case typ != "" && (!plain || typ == Person && d.withSurname(i, true) > i+1):
		return add(d.withSurname(i, typ == Person), typ, "lower repeat")
	case d.givenName(t.low) && d.usual(i):
		return add(d.withSurname(i, true), Person, "lower given name")
	case d.anyName(t.low) && !d.starters.has(t.low) && d.toks[i].line && d.in("personverbs", d.at(i+1).low):
		return add(d.withSurname(i, true), Person, "lower given name")
	case t.low == "project" && d.lowerProject(i+1):
		d.add(span{start: d.toks[i].start, end: d.toks[i+1].end, typ: Project, rule: "lower project"})
		return i + 2
	case plain:
		return i
	case d.places.has(t.low):
		return add(i+1, Place, "lower town")
	case d.tools[t.low] != "":
		return add(i+1, d.tools[t.low], "lower tool")
	case d.foreign.has(t.low) || !d.englishAt(i) || strings.Contains(t.low, "'") || d.in("particles", t.low):
		return i
	}
	return d.unknownWord(i, add)
}

// usual says whether a given name in lower case is not a word of the language
// around it.
func (d *document) usual(i int) bool {
	w := d.toks[i].low
	if d.foreign.has(w) && !d.englishAt(i) {
		return false
	}
	return !shortNames.has(w) || d.in("personcue", d.at(i-1).low) || d.in("verbs", d.at(i+1).low)
}

// shortNames are given names that are also words or abbreviations.
var shortNames = cues("per mei sue pat jun ali max liv kim jan dan don ray eva ada ana art una ira ten rut eli mina per sid marc lin")

// withSurname is the end of a given name and the unknown word behind it.
func (d *document) withSurname(i int, person bool) int {
	n := d.at(i + 1)
	if !person || !n.word() || n.cap || !n.gap || n.line || len(n.low) < 3 || !n.latin || strings.ContainsAny(n.low, "_0123456789") {
		return i + 1
	}
	if d.in("verbs", n.low) || d.foreign.has(n.low) || d.starters.has(n.low) || d.places.has(n.low) || d.tools[n.low] != "" {
		return i + 1
	}
	if !d.common(n.low) || surnames.has(n.low) && d.toks[i].low != n.low {
		return i + 2
	}
	return i + 1
}

// surnames are common English words that follow a given name often enough.
var surnames = cues("fisher smith taylor baker cooper carter turner walker miller mason parker porter potter cook hunter archer clark wright young king bell brown green white black gray stone wood woods hill brooks banks fox wolf bird rivers reed marsh ford lane price long short field barnes weaver shepherd gardner fields bishop pope knight cross day")

// lowerProject says whether token i is the name behind "project".
func (d *document) lowerProject(i int) bool {
	t, before, after := d.at(i), d.at(i-2), d.at(i+1)
	return t.word() && !t.cap && t.gap && !t.line && len(t.low) > 3 && !determiners.has(before.low) && !articles.has(before.low) &&
		!d.roleHead(t.low) && !teams.has(t.low) && !d.starters.has(t.low) && !d.in("verbs", t.low) && !projectNouns.has(t.low) &&
		(after.kind == punctTok || after.line || d.in("verbs", after.low) || d.starters.has(after.low))
}

var projectNouns = cues("plan plans planning room board budget name code work page file files root folder directory settings scope status meeting review start goals data id team")

// unknownWord judges a word that is on no list by its neighbours.
func (d *document) unknownWord(i int, add func(end int, typ, rule string) int) int {
	t, before, after := d.toks[i], d.at(i-1), d.at(i+1)
	if typ := d.byApposition(i, i+1); typ != "" && !endsLikeWord(t.low) && !determiners.has(before.low) && !articles.has(before.low) {
		return add(i+1, typ, "lower name by apposition")
	}
	switch {
	case d.in("orglast", after.low) && after.gap && !after.line && (d.in("personcue", before.low) || before.low == "at"):
		return add(i+2, Organization, "lower firm")
	case d.in("persontitles", before.low) && before.gap && !d.common(before.low) || before.low == "mister":
		return add(i+1, Person, "lower title")
	case after.kind == punctTok && after.low == ":" && (t.line || before.low == "]" || before.low == "-"):
		return add(i+1, Person, "speaker")
	case (before.low == "(" || before.low == "<") && (after.low == ")" || after.low == ">") && before.line:
		return add(i+1, Person, "speaker")
	case (toolBefore.has(before.low) || (before.low == "by" || before.low == "with") && toolBefore.has(d.at(i-3).low)) && !strings.HasSuffix(t.low, "ing") && !strings.HasSuffix(t.low, "ed"):
		return add(i+1, Tool, "lower tool by cue")
	case before.low == "in" && (after.kind == punctTok || after.line || d.starters.has(after.low)) && len(t.low) > 4 && !d.inComment(i):
		return add(i+1, Place, "lower town by cue")
	case d.strongPersonCue(i):
		return add(d.withSurname(i, true), Person, "lower person by cue")
	}
	return i
}

var toolBefore = cues("install installed uninstall bump bumps pin pinned upgrade upgraded replace replaced use using uses via import vendored run drop")

// strongPersonCue says whether English has a person at token i.
func (d *document) strongPersonCue(i int) bool {
	t, before, after := d.toks[i], d.at(i-1), d.at(i+1)
	if endsLikeWord(t.low) {
		return false
	}
	asked := directCues.has(before.low) && before.word() && (after.kind != wordTok || after.line || !after.gap || d.starters.has(after.low) || d.in("verbs", after.low) || !d.common(after.low))
	says := d.in("personverbs", after.low) && after.gap && !after.line && !d.in("formats", t.low)
	questioned := askingVerbs.has(before.low) && d.in("verbs", after.low) && after.gap && !after.line
	return asked || questioned || says && !determiners.has(before.low) && !articles.has(before.low) && !d.ordinaryBefore(i) || after.low == "'s" && !determiners.has(before.low) && (before.first || before.kind == punctTok || d.starters.has(before.low))
}

// askingVerbs come before the subject of a question: "did baldwin send it".
var askingVerbs = cues("did does will can could should would has")

// directCues take a person as what follows.
var directCues = cues("ask asked tell told thank thanks thx hi hello hey dear ping cc remind invite page todo fixme hack by from")

func (d *document) ordinaryBefore(i int) bool {
	b := d.at(i - 1)
	return b.word() && b.gap && !d.starters.has(b.low) && d.common(b.low) && !d.toks[i].line
}

// endsLikeWord says whether an unknown word has an ending of English words.
func endsLikeWord(w string) bool {
	for _, e := range []string{"tion", "ness", "ment", "ing", "able", "less", "ful", "ous", "ity", "ism", "ize", "ise", "ed", "ly", "ware", "ship", "wise", "like"} {
		if strings.HasSuffix(w, e) && len(w) > len(e)+2 {
			return true
		}
	}
	return false
}

func (d *document) inComment(i int) bool { return d.at(i-2).kind == punctTok && d.at(i-2).low == "/" }
