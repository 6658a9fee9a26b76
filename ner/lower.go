package ner

import (
	"strings"

	"tenure/ner/words"
)

// findLowercaseNames finds names in lower case, as chats and transcripts write
// them: words that the text capitalises elsewhere, given names, towns and tools
// of the gazetteers, and unknown words where English has a name.
func (d *document) findLowercaseNames() {
	d.collectNameWords()
	for i := 0; i < len(d.tokens); i++ {
		t := d.tokens[i]
		if !t.isLowercaseWord() || !isPlainWord(t) || d.isPartOfCode(i) {
			continue
		}
		name, ok := d.lowercaseName(i)
		if !ok {
			continue
		}
		d.add(span{start: t.start, end: d.tokens[name.end-1].end, typ: name.typ, rule: name.rule})
		if name.end == i+1 && d.nameWords[t.lower] == "" {
			d.nameWords[t.lower] = name.typ
		}
		i = name.end - 1
	}
}

// lowercaseName is a name found in lower case; end is the token after it.
type lowercaseName struct {
	end       int
	typ, rule string
}

// isPlainWord reports whether t is a Latin word of at least three bytes, without
// underscores and digits.
func isPlainWord(t token) bool {
	return t.latin && len(t.lower) >= 3 && !strings.ContainsAny(t.lower, "_0123456789")
}

// collectNameWords collects the words of the persons found so far, and other names
// of one word.
func (d *document) collectNameWords() {
	for _, s := range d.spans {
		if s.rule != "name" && s.rule != "alias" {
			continue
		}
		low := d.lowered(s.start, s.end)
		if s.typ == Person {
			for w := range strings.FieldsSeq(low) {
				d.nameWords[w] = Person
			}
		} else if !strings.Contains(low, " ") && d.nameWords[low] == "" {
			d.nameWords[low] = s.typ
		}
	}
}

// isPartOfCode reports whether token i continues or begins a path, a call or an
// expression.
func (d *document) isPartOfCode(i int) bool {
	before, next := d.at(i-1), d.at(i+1)
	return !d.tokens[i].spaceBefore && i > 0 && strings.ContainsAny(before.lower, "/\\@#$%&~^.-_'") ||
		!next.spaceBefore && next.lower != "." && next.lower != "," && strings.ContainsAny(next.lower, "(=/\\@_")
}

// lowercaseName returns the name that begins at token i.
func (d *document) lowercaseName(i int) (lowercaseName, bool) {
	if name, ok := d.repeatedName(i); ok {
		return name, true
	}
	w := d.tokens[i].lower
	switch {
	case d.IsGivenName(w) && d.readsAsGivenName(i), d.isSubjectOfLine(i):
		return lowercaseName{d.withSurname(i), Person, "lower given name"}, true
	case w == "project" && d.isLowercaseProject(i+1):
		return lowercaseName{i + 2, Project, "lower project"}, true
	case d.tokens[i].stem || d.isKnownWord(w):
		return lowercaseName{}, false
	case d.Places.Has(w):
		return lowercaseName{i + 1, Place, "lower town"}, true
	case d.IsTool(w):
		return lowercaseName{i + 1, d.Tools[w], "lower tool"}, true
	case d.Foreign.Has(w) || !d.isEnglish(i) || strings.Contains(w, "'") || d.SurnameParticles.Has(w):
		return lowercaseName{}, false
	}
	return d.unknownName(i)
}

// isKnownWord reports whether w is more often a word than a name.
func (d *document) isKnownWord(w string) bool {
	return d.IsCommon(w) || d.CalendarWords.Has(w) || d.Ambiguous.Has(w) || d.Foreign.Has(w) && !d.IsGivenName(w)
}

// repeatedName returns the name at token i that the text writes with a capital
// elsewhere.
func (d *document) repeatedName(i int) (lowercaseName, bool) {
	w := d.tokens[i].lower
	typ := d.nameWords[w]
	if typ == "" {
		return lowercaseName{}, false
	}
	end := i + 1
	if typ == Person {
		end = d.withSurname(i)
	}
	return lowercaseName{end, typ, "lower repeat"}, end > i+1 || !d.isKnownWord(w)
}

// isSubjectOfLine reports whether the given name at i, perhaps a common word
// too, is the first word of its line and the subject of a person verb.
func (d *document) isSubjectOfLine(i int) bool {
	t := d.tokens[i]
	return t.lineStart && d.MaybeGivenName(t.lower) && !d.SentenceStarters.Has(t.lower) &&
		d.PersonVerbs.Has(d.at(i+1).lower)
}

// readsAsGivenName reports whether the given name at i is no word of the
// sentence's language.
func (d *document) readsAsGivenName(i int) bool {
	w := d.tokens[i].lower
	if d.Foreign.Has(w) && !d.isEnglish(i) {
		return false
	}
	return !homographNames.Has(w) || d.PersonTriggers.Has(d.at(i-1).lower) || d.Verbs.Has(d.at(i+1).lower)
}

// withSurname returns the end of the given name at i with the surname after it.
func (d *document) withSurname(i int) int {
	n := d.at(i + 1)
	if n.isLowercaseWord() && n.adjacent() && isPlainWord(n) && d.mayBeSurname(n.lower, d.tokens[i].lower) {
		return i + 2
	}
	return i + 1
}

// mayBeSurname reports whether w is unknown, or a common surname that does not
// repeat the given name.
func (d *document) mayBeSurname(w, given string) bool {
	if d.Verbs.Has(w) || d.Foreign.Has(w) || d.SentenceStarters.Has(w) || d.Places.Has(w) || d.IsTool(w) {
		return false
	}
	return !d.IsCommon(w) || commonSurnames.Has(w) && w != given
}

// isLowercaseProject reports whether token i names the project of the word
// "project" before it.
func (d *document) isLowercaseProject(i int) bool {
	t, before, after := d.at(i), d.at(i-2).lower, d.at(i+1)
	return t.isLowercaseWord() && t.adjacent() && len(t.lower) > 3 && !d.isProjectCompound(t.lower) &&
		!determiners.Has(before) && !indefiniteArticles.Has(before) &&
		(after.breaks() || d.isVerbOrStarter(after.lower))
}

// isProjectCompound reports whether "project" before w makes a compound noun.
func (d *document) isProjectCompound(w string) bool {
	return d.isRoleHead(w) || teamHeads.Has(w) || d.isVerbOrStarter(w) || projectNouns.Has(w)
}

func (d *document) isVerbOrStarter(w string) bool { return d.Verbs.Has(w) || d.SentenceStarters.Has(w) }

// unknownName judges a word of no list by its neighbours.
func (d *document) unknownName(i int) (lowercaseName, bool) {
	c := d.candidate(i, i+1)
	if typ := c.typeByApposition(); typ != "" && !hasEnglishSuffix(c.first().lower) && !c.followsArticle() {
		return lowercaseName{i + 1, typ, "lower name by apposition"}, true
	}
	for _, r := range unknownNameRules {
		if r.holds(c) {
			return lowercaseName{r.end(c), r.typ, r.name}, true
		}
	}
	return lowercaseName{}, false
}

// unknownNameRules find names by trigger words; end is the token after the name.
var unknownNameRules = []struct {
	name, typ string
	holds     func(candidate) bool
	end       func(candidate) int
}{
	{"lower firm", Organization, candidate.isLowercaseFirm, func(c candidate) int { return c.to + 1 }},
	{"lower title", Person, candidate.followsHonorific, candidate.end},
	{"speaker", Person, candidate.isSpeaker, candidate.end},
	{"lower tool by cue", Tool, candidate.isObjectOfToolVerb, candidate.end},
	{"lower town by cue", Place, candidate.isLocation, candidate.end},
	{"lower person by cue", Person, candidate.isPersonByContext, func(c candidate) int { return c.withSurname(c.from) }},
}

func (c candidate) end() int { return c.to }

func (c candidate) followsArticle() bool {
	before := c.before().lower
	return determiners.Has(before) || indefiniteArticles.Has(before)
}

// isLowercaseFirm holds for "ask brindle bakery".
func (c candidate) isLowercaseFirm() bool {
	before, noun := c.before().lower, c.after()
	return c.OrgSuffixes.Has(noun.lower) && noun.adjacent() && (c.PersonTriggers.Has(before) || before == "at")
}

// followsHonorific holds for "dr petrakis" and "mister okafor".
func (c candidate) followsHonorific() bool {
	before := c.before()
	return before.lower == "mister" || before.spaceBefore && c.Honorifics.Has(before.lower) && !c.IsCommon(before.lower)
}

// isSpeaker holds for "oksana:" at the beginning of a line of a transcript, and
// for "<oksana>" and "(oksana)".
func (c candidate) isSpeaker() bool {
	before, after := c.before(), c.after().lower
	switch after {
	case ":":
		return c.first().lineStart || before.lower == "]" || before.lower == "-"
	case ")", ">":
		return before.lineStart && (before.lower == "(" || before.lower == "<")
	}
	return false
}

// isObjectOfToolVerb holds for "install brindlewick" and "replaced it by
// brindlewick".
func (c candidate) isObjectOfToolVerb() bool {
	w, before := c.first().lower, c.before().lower
	if strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "ed") {
		return false
	}
	return toolVerbs.Has(before) || (before == "by" || before == "with") && toolVerbs.Has(c.at(c.from-3).lower)
}

// isLocation holds for "we met in brindlewick."
func (c candidate) isLocation() bool {
	after := c.after()
	return c.before().lower == "in" && len(c.first().lower) > 4 && !c.isInComment() &&
		(after.breaks() || c.SentenceStarters.Has(after.lower))
}

func (c candidate) isInComment() bool {
	slash := c.at(c.from - 2)
	return slash.kind == punctToken && slash.lower == "/"
}

// isPersonByContext reports whether English has a person in the place of c: the
// one who is addressed, who says something or who owns something.
func (c candidate) isPersonByContext() bool {
	return !hasEnglishSuffix(c.first().lower) &&
		(c.isAddressed() || c.isSubjectOfQuestion() || c.isSubjectOfPersonVerb() || c.isPossessor())
}

// isAddressed holds for "ask baldwin" and "thanks baldwin, bye".
func (c candidate) isAddressed() bool {
	before, after := c.before(), c.after()
	if !before.isWord() || !addressTriggers.Has(before.lower) {
		return false
	}
	return !after.isWord() || !after.adjacent() || c.isVerbOrStarter(after.lower) || !c.IsCommon(after.lower)
}

// isSubjectOfQuestion holds for "did baldwin send it".
func (c candidate) isSubjectOfQuestion() bool {
	after := c.after()
	return questionAuxiliaries.Has(c.before().lower) && c.Verbs.Has(after.lower) && after.adjacent()
}

// isSubjectOfPersonVerb holds for "baldwin said".
func (c candidate) isSubjectOfPersonVerb() bool {
	verb := c.after()
	return c.PersonVerbs.Has(verb.lower) && verb.adjacent() && !c.FormatNames.Has(c.first().lower) &&
		!c.followsArticle() && !c.followsCommonWord()
}

// isPossessor holds for "baldwin's" after a function word or punctuation.
func (c candidate) isPossessor() bool {
	before := c.before()
	return c.after().lower == "'s" && !determiners.Has(before.lower) &&
		(before.sentenceStart || before.kind == punctToken || c.SentenceStarters.Has(before.lower))
}

// followsCommonWord reports whether c may be the last word of a noun phrase.
func (c candidate) followsCommonWord() bool {
	before := c.before()
	return before.isWord() && before.spaceBefore && !c.first().lineStart &&
		!c.SentenceStarters.Has(before.lower) && c.IsCommon(before.lower)
}

// hasEnglishSuffix reports whether an unknown word ends as English words do.
func hasEnglishSuffix(w string) bool { return words.HasLongerSuffix(w, englishSuffixes...) }

var englishSuffixes = []string{
	"tion", "ness", "ment", "ing", "able", "less", "ful", "ous", "ity", "ism", "ize", "ise", "ed", "ly", "ware", "ship",
	"wise", "like",
}
