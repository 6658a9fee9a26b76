package statements

import (
	"strings"

	"tenure"
	"tenure/ner"
	"tenure/values"
)

// reading is a clause as it was parsed.
type reading struct {
	clause
	// body is where the clause itself begins, after a lead-in or a frame such as "Anna says that".
	body int
	// lead is where it begins with the frame.
	lead int
	// verb is the index of the finite verb, -1 if there is none; rest is where what follows the verb begins.
	verb, rest int
	// close is where adverbials at the end begin.
	close  int
	hits   []hit
	values []value
	voice  string
	// owner is the subject of an earlier clause of the sentence.
	owner tenure.Span
	// settles is the phrase by which the clause decides about the current topic; repairs reports whether it begins by
	// correcting what was just said: "no wait".
	settles hit
	repairs bool
	// decreed reports whether the clause begins by naming who decided it: "per the CEO".
	decreed  bool
	bounds   bounds
	decision decision
	// likely is the probability that its words change what stands.
	likely float64
}

// parse finds the verb of a clause, what is before and after it, and the values.
func (c clause) parse(mentions []ner.Mention) reading {
	c.tokens = append([]token(nil), c.tokens...)
	for i := range c.tokens {
		c.tokens[i].hits, c.tokens[i].within = nil, 0
	}
	c.lex.mark(c.tokens)
	r := reading{clause: c}
	for _, t := range c.tokens {
		r.hits = append(r.hits, t.hits...)
	}
	r.lead = r.afterLead(0)
	r.body = r.afterFrame(r.lead)
	r.verb = findVerb(r.tokens, r.body)
	r.rest = r.body
	if r.verb >= 0 {
		r.rest = r.afterVerb(r.verb)
	}
	r.close = r.beforeTail(r.rest)
	r.values = r.valuesIn(r.body, len(r.tokens), mentions)
	r.settled()
	return r
}

// afterLead returns where the clause begins after greetings, conjunctions and lead-ins.
func (r *reading) afterLead(i int) int {
	for i < len(r.tokens) {
		next := max(r.leadAt(i), r.afterSalutation(i), r.afterRepair(i))
		if t := r.tokens[i]; t.kind == punct && !isSign(t.low) || t.kind == emoji {
			next = max(next, i+1)
		}
		if next <= i || next >= len(r.tokens) {
			return i
		}
		i = next
	}
	return i
}

// leadAt returns where the longest lead-in ends that begins at i, 0 if none does.
func (r *reading) leadAt(i int) int {
	end := 0
	for _, h := range r.tokens[i].hits {
		if h.class&(lead|yes) == 0 || h.to >= len(r.tokens) || r.isLeadVerb(h) {
			continue
		}
		if h.class&lead != 0 || h.to == h.from+1 || r.tokens[h.to].kind == punct {
			end = max(end, h.to)
		}
	}
	return end
}

var salutations = words("salutation")

// afterSalutation returns where what follows "Dear all," begins, 0 if there is no such thing at i.
func (r *reading) afterSalutation(i int) int {
	if !salutations[r.tokens[i].low] {
		return 0
	}
	for j := i + 1; j < len(r.tokens)-1 && j < i+6; j++ {
		if r.tokens[j].low == "," {
			return j + 1
		}
	}
	return 0
}

// isLeadVerb reports whether a word that may lead in is the subject or the verb: "today is", "note the".
func (r *reading) isLeadVerb(h hit) bool {
	return h.to == h.from+1 && at(r.tokens, h.to).is(be) && !r.tokens[h.from].is(relativeDay|now)
}

var (
	objectPronouns, thats = words("object pronoun"), words("that")
	firstPersons, pers    = words("first person"), words("per")
)

// afterFrame returns where the reported clause begins: after "Anna says that", "I heard".
func (r *reading) afterFrame(i int) int {
	if k := r.afterPer(i); k > 0 {
		return k
	}
	for j := i + 1; j < len(r.tokens) && j < i+9; j++ {
		t := r.tokens[j]
		if !t.is(say) || t.is(be) {
			continue
		}
		k := r.afterSay(j + 1)
		named := r.tokens[j-1].capital && isNamed(at(r.tokens, k))
		if k >= len(r.tokens) || findVerb(r.tokens, k) < 0 && !named {
			continue
		}
		if !firstPersons[r.tokens[i].low] && !firstPersons[r.tokens[j-1].low] {
			r.voice = r.nounText(i, j)
		}
		return k
	}
	return i
}

// afterPer returns where what "per the CEO," decides begins, 0 if the clause does not begin so. The speaker asserts it,
// too.
func (r *reading) afterPer(i int) int {
	if !pers[r.tokens[i].low] {
		return 0
	}
	for j := i + 2; j < min(len(r.tokens)-1, i+7); j++ {
		if r.tokens[j].low == "," && findVerb(r.tokens, j+1) >= 0 {
			r.voice, r.decreed = r.nounText(i+1, j), true
			return j + 1
		}
	}
	return 0
}

// afterSay returns where the object of a verb of saying begins: after "me that", "us:".
func (r *reading) afterSay(k int) int {
	for k < len(r.tokens) {
		low := r.tokens[k].low
		if !objectPronouns[low] && !thats[low] && low != "," && low != ":" || low == "it" {
			return k
		}
		k++
	}
	return k
}

// isNamed reports whether a token begins a value that is said by itself.
func isNamed(t token) bool {
	return t.kind == number || t.kind == quoted || t.is(numberWord) || t.capital
}

// nounText is the text of a noun phrase without articles, or "" for a pronoun.
func (r *reading) nounText(lo, hi int) string {
	lo, hi = r.trimNoun(lo, hi)
	if lo >= hi {
		return ""
	}
	return r.between(lo, hi)
}

// trimNoun leaves out what a noun phrase begins and ends with that is no part of a name: articles, adverbs, signs.
func (r *reading) trimNoun(lo, hi int) (int, int) {
	loose := func(t token) bool {
		return t.kind == punct && !isSign(t.low) && t.low != "%" || t.kind == emoji || t.kind == word && !isUnitLetter(t) &&
			(t.is(det|prep|conj|pronoun|filler|adverb|not|be|have|modal|possessive) || t.low == "new")
	}
	for lo < hi && loose(r.tokens[lo]) {
		lo++
	}
	for hi > lo && loose(r.tokens[hi-1]) {
		hi--
	}
	return lo, hi
}

// isUnitLetter reports whether a token is a letter that is a name, as in "gate A".
func isUnitLetter(t token) bool { return len(t.low) == 1 && t.capital && t.low != "i" }

// findVerb returns the index of the finite verb of the tokens from i on, -1 if there is none.
func findVerb(tokens []token, from int) int {
	for i := from; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.kind != word:
		case t.low == "'s":
			if !isPossessive(tokens, i) {
				return i
			}
		case t.is(be | have | modal | do):
			if isAuxiliaryHere(tokens, from, i) {
				return i
			}
		case t.is(verb) && isVerbHere(tokens, from, i):
			return i
		}
	}
	return -1
}

// isAuxiliaryHere reports whether an auxiliary is the finite verb: not after "to", no "been" alone, no month of May.
func isAuxiliaryHere(tokens []token, from, i int) bool {
	t, before := tokens[i], token{kind: breaks}
	if i > from {
		before = tokens[i-1]
	}
	switch {
	case before.low == "to":
		return false
	case t.low == "been":
		return before.is(have | be | adverb | not | pronoun)
	case t.is(month):
		return before.kind != number && at(tokens, i+1).kind != number && (!t.capital || i == from)
	}
	return true
}

// isPossessive reports whether an 's is a genitive: after a noun, before one that a verb or the end follows.
func isPossessive(tokens []token, i int) bool {
	if i == 0 || tokens[i-1].is(pronoun|question) && !isOpen(tokens[i-1]) {
		return false
	}
	next := at(tokens, i+1)
	switch {
	case i+1 >= len(tokens):
		return true
	case next.kind != word, next.is(det | prep | adverb | not | pronoun | numberWord | weekday):
		return false
	}
	for j := i + 2; j < min(len(tokens), i+10); j++ {
		t := tokens[j]
		if t.low != "'s" && (t.is(be|have|modal) || t.is(verb) && !t.is(infinitive|attribute|unitNoun)) {
			return true
		}
	}
	return next.is(attribute) || isOpen(next) && !next.is(verb) && !endsClause(tokens, i)
}

// endsClause reports whether the word after i is the last of a clause and no part of an adverbial: "the colour's teal".
func endsClause(tokens []token, i int) bool {
	if at(tokens, i+2).kind == word {
		return false
	}
	for j := max(0, i-4); j < i; j++ {
		if tokens[j].is(prep) {
			return false
		}
	}
	return true
}

// isVerbHere reports whether a word that may be a verb is the finite one at i.
func isVerbHere(tokens []token, from, i int) bool {
	t, next := tokens[i], at(tokens, i+1)
	object, first := takesObject(next), i == from
	if first && t.is(infinitive) {
		return isImperative(t, next, object)
	}
	if strings.HasSuffix(t.low, "ing") {
		return first && object
	}
	if first {
		return object && !t.is(noun) || beginsObject(next)
	}
	before := tokens[i-1]
	if t.capital || inNoun(before) {
		return false
	}
	if t.is(infinitive) {
		return isBaseHere(before, next, object)
	}
	counted := before.kind == number || before.is(numberWord)
	return !counted && !next.is(be|have|modal) && (object || !t.is(attribute|unitNoun|noun))
}

// inNoun reports whether what follows a token belongs to a noun phrase.
func inNoun(before token) bool {
	return before.low == "'s" || before.is(prep) || before.is(det|possessive) && !before.is(pronoun)
}

// isBaseHere reports whether the base form of a verb, a noun as often as not, is one between two tokens.
func isBaseHere(before, next token, object bool) bool {
	switch {
	case before.is(split|lead|request) && next.is(det|possessive): // "so send the rest"
		return true
	case before.is(pronoun) && !before.is(det), before.is(modal | do):
		return true
	}
	return strings.HasSuffix(before.low, "s") && object && !before.is(be)
}

// takesObject reports whether a token begins what may follow a verb.
func takesObject(t token) bool {
	return t.kind == number || t.kind == quoted || t.capital || isSign(t.low) ||
		t.is(det|prep|pronoun|adverb|numberWord|weekday|unitNoun|relativeDay|not)
}

// isImperative reports whether a clause that begins with a verb is an imperative, and not a noun.
func isImperative(t, next token, object bool) bool {
	if next.is(det|possessive) && !next.is(conj) || objectPronouns[next.low] && next.low != "her" && next.low != "him" {
		return true
	}
	return !t.is(attribute|unitNoun|noun) && (object || beginsObject(next))
}

// beginsObject reports whether a token is a word and no part of a verb.
func beginsObject(t token) bool { return t.kind == word && !t.is(be|have|modal|verb) }

// afterVerb returns where the complement begins: after auxiliaries, participles and adverbs.
func (r *reading) afterVerb(i int) int {
	for i++; i < len(r.tokens) && r.isOfVerb(i); i++ {
	}
	return i
}

// isOfVerb reports whether the token at i still belongs to the verb before it.
func (r *reading) isOfVerb(i int) bool {
	t, before, next := r.tokens[i], at(r.tokens, i-1), at(r.tokens, i+1)
	last := i+1 >= len(r.tokens)
	switch {
	case t.kind == punct:
		return verbSigns[t.low]
	case t.is(be|have|modal|do|not|adverb) && t.kind == word:
		return !t.is(prep) || last || next.is(verb|be)
	case t.low == "to":
		return next.is(infinitive|be|have) && !next.capital
	case t.low == "as":
		return before.is(verb) && !last && !next.is(prep|conj)
	}
	return isParticiple(t) && (last || isLed(t, before)) && r.chained(i)
}

// isParticiple reports whether a word may be the part of a verb behind its auxiliary.
func isParticiple(t token) bool { return t.is(verb) && !t.capital && !t.is(unitNoun) }

// isLed reports whether a verb has the form that its auxiliary asks for.
func isLed(t, before token) bool {
	return !t.is(infinitive) || before.low == "to" || before.is(modal|do|not)
}

var becoming, verbSigns = words("becoming"), set{":": true, ",": true, "=": true}

// chained reports whether the verb at i belongs to the one before: "is held", "will lead", "has been moved".
func (r *reading) chained(i int) bool {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		t := r.tokens[j]
		if t.is(be|have|modal|do) || becoming[t.low] {
			return true
		}
		if !t.is(adverb|not) && t.low != "to" && !t.is(verb) {
			return false
		}
	}
	return false
}

// beforeTail returns where adverbials at the end of the clause begin.
func (r *reading) beforeTail(lo int) int {
	hi := len(r.tokens)
	for hi > lo+1 {
		cut := hi
		for i := max(lo+1, hi-5); i < hi; i++ {
			for _, h := range r.tokens[i].hits {
				if h.to == hi && h.class&tail != 0 {
					cut = min(cut, h.from)
				}
			}
		}
		if t := r.tokens[hi-1]; t.kind == punct && t.low != "%" && !isSign(t.low) || t.kind == emoji {
			cut = min(cut, hi-1)
		}
		if cut == hi {
			return hi
		}
		hi = cut
	}
	return hi
}

// subject returns the noun phrase that the clause is about and the words for its property.
func (r *reading) subject(hi int) (lo, until int, property string) {
	lo = r.body
	for _, s := range r.bounds.spent {
		if s[0] <= lo+1 && s[1] <= hi {
			lo = s[1]
		}
	}
	for i := lo; i < hi; i++ {
		if r.begins(i, end) && r.begins(i, adverb) {
			hi = i // "no longer" before the verb
		}
	}
	lo, hi = r.trimNoun(lo, hi)
	if lo >= hi {
		return lo, lo, ""
	}
	if a, b, property, ok := r.owned(lo, hi); ok {
		return a, b, property
	}
	if at := r.attributeAt(lo, hi); at > lo {
		return lo, at, r.between(at, hi)
	}
	if r.tokens[hi-1].is(attribute) {
		return lo, hi, r.between(lo, hi)
	}
	return lo, hi, ""
}

var genitives = words("genitive")

// owned divides a noun phrase into what it is about and its property: "the printer's room", "the code for the door",
// "the printer, room".
func (r *reading) owned(lo, hi int) (a, b int, property string, ok bool) {
	for i := lo + 1; i < hi; i++ {
		switch t := r.tokens[i]; {
		case t.low == "'s" && i+1 < hi:
			return lo, i, r.between(i+1, hi), true
		case t.low == "'s":
			return lo, i, "", true
		case t.is(prep) && i+1 < hi && genitives[t.low]:
			if a, b := r.trimNoun(i+1, r.endOfNoun(i+1, hi)); a < b {
				return a, b, r.nounText(lo, i), true
			}
		}
	}
	for i := lo + 1; i+1 < hi; i++ {
		if low := r.tokens[i].low; low == "," || low == ":" {
			if a, b := r.trimNoun(i+1, hi); a < b {
				return lo, i, r.between(a, b), true
			}
		}
	}
	return 0, 0, "", false
}

// endOfNoun returns where a noun phrase ends that begins at i: before a comma or a relative clause.
func (r *reading) endOfNoun(i, hi int) int {
	for j := i; j < hi; j++ {
		t := r.tokens[j]
		if t.low == "," || t.is(question) && j > i || t.low == "that" && j > i {
			return j
		}
	}
	return hi
}

// attributeAt returns where a property begins after a name: "Plover launch city", "OPS-311 status"; 0 if it is not so.
func (r *reading) attributeAt(lo, hi int) int {
	if !r.tokens[hi-1].is(attribute) {
		return 0
	}
	for i := hi - 1; i > lo; i-- {
		if t := r.tokens[i-1]; t.capital || t.kind == number || isCode(t.low) {
			return i
		}
	}
	return 0
}

// complement returns the words of the value where it is no typed one: what follows the verb, without what leads in.
func (r *reading) complement(lo, hi int) (int, int) {
	for j := lo + 1; j < hi; j++ {
		if r.endsValue(j) {
			hi = j
			break
		}
	}
	a, b := r.trimNoun(lo, hi)
	if a > lo && a < b && r.tokens[a].is(stateNoun) && r.tokens[a-1].is(prep) {
		a-- // "in progress", "on hold"
		if a > lo && r.tokens[a-1].low == "out" {
			a--
		}
	}
	if a > lo && a < b && periods[r.tokens[a].low] && nearby[r.tokens[a-1].low] {
		a-- // "this week"
	}
	return a, b
}

var periods, nearby = words("period"), words("nearby")

// endsValue reports whether the words of a value end before i.
func (r *reading) endsValue(i int) bool {
	t := r.tokens[i]
	switch {
	case t.low == ",", t.low == ":", r.begins(i, since|until):
		return true
	case t.kind == punct:
		return isBullet(t.low) && spacedDash(r.tokens, i)
	}
	return t.is(split) && !t.is(prep|det) && t.low != "and" && t.low != "plus"
}

// begins reports whether a phrase of a class begins at i.
func (r *reading) begins(i int, c class) bool {
	for _, h := range r.tokens[i].hits {
		if h.class&c != 0 {
			return true
		}
	}
	return false
}

// kindOfSpan returns what tokens lo to hi look like.
func (r *reading) kindOfSpan(lo, hi int) string {
	for _, v := range r.values {
		if v.lo == lo && v.hi == hi {
			return v.kind
		}
	}
	if !hasValue(r.tokens[lo:hi]) {
		return kindText
	}
	if k := values.Of(r.between(lo, hi)).Kind; k != values.Text && k != values.JSON {
		return string(k)
	}
	return kindText
}
