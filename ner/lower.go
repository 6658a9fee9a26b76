package ner

import "strings"

// findLower finds names in lower case, as in chats and transcripts: words that
// the text writes with a capital elsewhere, known given names, towns and
// tools, and unknown words where English puts a name.
func (d *document) findLower() {
	names := d.nameWords()
	for i := 0; i < len(d.tokens); i++ {
		t := d.tokens[i]
		if !t.word() || t.capital || !t.latin || len(t.lower) < 3 || d.joinedLeft(i) || strings.ContainsAny(t.lower, "_0123456789") {
			continue
		}
		if end := d.lowerName(i, names); end > i {
			if last := d.spans[len(d.spans)-1]; end == i+1 && names[t.lower] == "" {
				names[t.lower] = last.typ
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
	return i > 0 && !d.tokens[i].spaceBefore && strings.ContainsAny(p.lower, "/\\@#$%&~^.-_'") || !n.spaceBefore && strings.ContainsAny(n.lower, "(=/\\@_") && n.lower != ""
}

// lowerName adds the name that begins at i and returns its end, or i.
func (d *document) lowerName(i int, names map[string]string) int {
	t := d.tokens[i]
	plain := d.isCommon(t.lower) || d.ambiguous.has(t.lower) || d.foreign.has(t.lower) && !d.isGivenName(t.lower)
	add := func(end int, typ, rule string) int {
		d.add(span{start: t.start, end: d.tokens[end-1].end, typ: typ, rule: rule})
		return end
	}
	switch typ := names[t.lower]; {
	case typ != "" && (!plain || typ == Person && d.withSurname(i, true) > i+1):
		return add(d.withSurname(i, typ == Person), typ, "lower repeat")
	case d.isGivenName(t.lower) && d.readsAsGivenName(i):
		return add(d.withSurname(i, true), Person, "lower given name")
	case d.maybeGivenName(t.lower) && !d.sentenceStarters.has(t.lower) && d.tokens[i].lineStart && d.personVerbs.has(d.at(i+1).lower):
		return add(d.withSurname(i, true), Person, "lower given name")
	case t.lower == "project" && d.lowerProject(i+1):
		d.add(span{start: d.tokens[i].start, end: d.tokens[i+1].end, typ: Project, rule: "lower project"})
		return i + 2
	case plain:
		return i
	case d.places.has(t.lower):
		return add(i+1, Place, "lower town")
	case d.tools[t.lower] != "":
		return add(i+1, d.tools[t.lower], "lower tool")
	case d.foreign.has(t.lower) || !d.englishAt(i) || strings.Contains(t.lower, "'") || d.surnameParticles.has(t.lower):
		return i
	}
	return d.unknownWordName(i, add)
}

// usual says whether a given name in lower case is not a word of the language
// around it.
func (d *document) readsAsGivenName(i int) bool {
	w := d.tokens[i].lower
	if d.foreign.has(w) && !d.englishAt(i) {
		return false
	}
	return !shortNames.has(w) || d.personTriggers.has(d.at(i-1).lower) || d.verbs.has(d.at(i+1).lower)
}

// shortNames are given names that are also words or abbreviations.
var shortNames = newWordSet("per mei sue pat jun ali max liv kim jan dan don ray eva ada ana art una ira ten rut eli mina per sid marc lin")

// withSurname is the end of a given name and the unknown word behind it.
func (d *document) withSurname(i int, person bool) int {
	n := d.at(i + 1)
	if !person || !n.word() || n.capital || !n.spaceBefore || n.lineStart || len(n.lower) < 3 || !n.latin || strings.ContainsAny(n.lower, "_0123456789") {
		return i + 1
	}
	if d.verbs.has(n.lower) || d.foreign.has(n.lower) || d.sentenceStarters.has(n.lower) || d.places.has(n.lower) || d.tools[n.lower] != "" {
		return i + 1
	}
	if !d.isCommon(n.lower) || surnames.has(n.lower) && d.tokens[i].lower != n.lower {
		return i + 2
	}
	return i + 1
}

// surnames are common English words that follow a given name often enough.
var surnames = newWordSet("fisher smith taylor baker cooper carter turner walker miller mason parker porter potter cook hunter archer clark wright young king bell brown green white black gray stone wood woods hill brooks banks fox wolf bird rivers reed marsh ford lane price long short field barnes weaver shepherd gardner fields bishop pope knight cross day")

// lowerProject says whether token i is the name behind "project".
func (d *document) lowerProject(i int) bool {
	t, before, after := d.at(i), d.at(i-2), d.at(i+1)
	return t.word() && !t.capital && t.spaceBefore && !t.lineStart && len(t.lower) > 3 && !determiners.has(before.lower) && !articles.has(before.lower) &&
		!d.roleHead(t.lower) && !teams.has(t.lower) && !d.sentenceStarters.has(t.lower) && !d.verbs.has(t.lower) && !projectNouns.has(t.lower) &&
		(after.kind == punctToken || after.lineStart || d.verbs.has(after.lower) || d.sentenceStarters.has(after.lower))
}

var projectNouns = newWordSet("plan plans planning room board budget name code work page file files root folder directory settings scope status meeting review start goals data id team")

// unknownWord judges a word that is on no list by its neighbours.
func (d *document) unknownWordName(i int, add func(end int, typ, rule string) int) int {
	t, before, after := d.tokens[i], d.at(i-1), d.at(i+1)
	if typ := d.typeByApposition(i, i+1); typ != "" && !endsLikeWord(t.lower) && !determiners.has(before.lower) && !articles.has(before.lower) {
		return add(i+1, typ, "lower name by apposition")
	}
	switch {
	case d.orgSuffixes.has(after.lower) && after.spaceBefore && !after.lineStart && (d.personTriggers.has(before.lower) || before.lower == "at"):
		return add(i+2, Organization, "lower firm")
	case d.honorifics.has(before.lower) && before.spaceBefore && !d.isCommon(before.lower) || before.lower == "mister":
		return add(i+1, Person, "lower title")
	case after.kind == punctToken && after.lower == ":" && (t.lineStart || before.lower == "]" || before.lower == "-"):
		return add(i+1, Person, "speaker")
	case (before.lower == "(" || before.lower == "<") && (after.lower == ")" || after.lower == ">") && before.lineStart:
		return add(i+1, Person, "speaker")
	case (toolBefore.has(before.lower) || (before.lower == "by" || before.lower == "with") && toolBefore.has(d.at(i-3).lower)) && !strings.HasSuffix(t.lower, "ing") && !strings.HasSuffix(t.lower, "ed"):
		return add(i+1, Tool, "lower tool by cue")
	case before.lower == "in" && (after.kind == punctToken || after.lineStart || d.sentenceStarters.has(after.lower)) && len(t.lower) > 4 && !d.inComment(i):
		return add(i+1, Place, "lower town by cue")
	case d.strongPersonCue(i):
		return add(d.withSurname(i, true), Person, "lower person by cue")
	}
	return i
}

var toolBefore = newWordSet("install installed uninstall bump bumps pin pinned upgrade upgraded replace replaced use using uses via import vendored run drop")

// strongPersonCue says whether English has a person at token i.
func (d *document) strongPersonCue(i int) bool {
	t, before, after := d.tokens[i], d.at(i-1), d.at(i+1)
	if endsLikeWord(t.lower) {
		return false
	}
	asked := directCues.has(before.lower) && before.word() && (after.kind != wordToken || after.lineStart || !after.spaceBefore || d.sentenceStarters.has(after.lower) || d.verbs.has(after.lower) || !d.isCommon(after.lower))
	says := d.personVerbs.has(after.lower) && after.spaceBefore && !after.lineStart && !d.formatNames.has(t.lower)
	questioned := askingVerbs.has(before.lower) && d.verbs.has(after.lower) && after.spaceBefore && !after.lineStart
	return asked || questioned || says && !determiners.has(before.lower) && !articles.has(before.lower) && !d.ordinaryBefore(i) || after.lower == "'s" && !determiners.has(before.lower) && (before.sentenceStart || before.kind == punctToken || d.sentenceStarters.has(before.lower))
}

// askingVerbs come before the subject of a question: "did baldwin send it".
var askingVerbs = newWordSet("did does will can could should would has")

// directCues take a person as what follows.
var directCues = newWordSet("ask asked tell told thank thanks thx hi hello hey dear ping cc remind invite page todo fixme hack by from")

func (d *document) ordinaryBefore(i int) bool {
	b := d.at(i - 1)
	return b.word() && b.spaceBefore && !d.sentenceStarters.has(b.lower) && d.isCommon(b.lower) && !d.tokens[i].lineStart
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

func (d *document) inComment(i int) bool {
	return d.at(i-2).kind == punctToken && d.at(i-2).lower == "/"
}
