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
	// owner is what a clause before in the sentence is about.
	owner    tenure.Span
	bounds   bounds
	decision decision
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
	return r
}

// afterLead returns where the clause begins after greetings, conjunctions and lead-ins.
func (r *reading) afterLead(i int) int {
	for i < len(r.tokens) {
		next := i
		for _, h := range r.tokens[i].hits {
			if h.class&(lead|yes) != 0 && h.to > next && h.to < len(r.tokens) && !r.isLeadVerb(h) &&
				(h.class&lead != 0 || h.to == h.from+1 || r.tokens[h.to].kind == punct) {
				next = h.to
			}
		}
		if r.tokens[i].kind == punct && !isSign(r.tokens[i].low) || r.tokens[i].kind == emoji {
			next = i + 1
		}
		if k := r.afterSalutation(i); k > next {
			next = k
		}
		if next == i || next >= len(r.tokens) {
			return i
		}
		i = next
	}
	return i
}

// afterSalutation returns where what follows "Dear all," begins, 0 if there is no such thing at i.
func (r *reading) afterSalutation(i int) int {
	switch r.tokens[i].low {
	case "dear", "hi", "hello", "hallo", "hey", "morning", "liebe", "lieber", "liebes", "cher", "chère", "chers", "bonjour", "hola",
		"estimado", "estimada", "estimados", "querido", "querida", "moin", "salut", "evening", "afternoon":
		for j := i + 1; j < len(r.tokens)-1 && j < i+6; j++ {
			if r.tokens[j].low == "," {
				return j + 1
			}
		}
	}
	return 0
}

// isLeadVerb reports whether a word that may lead in is the subject or the verb: "today is", "note the".
func (r *reading) isLeadVerb(h hit) bool {
	return h.to < len(r.tokens) && r.tokens[h.to].is(be) && r.tokens[h.from].class&(relativeDay|now) == 0 && h.to-h.from == 1
}

// afterFrame returns where the reported clause begins: after "Anna says that", "I heard".
func (r *reading) afterFrame(i int) int {
	for j := i; j < len(r.tokens) && j < i+9; j++ {
		t := r.tokens[j]
		if !t.is(say|report) || t.is(be) || j == i && t.capital && r.lex.language == "de" {
			continue
		}
		k := j + 1
		for k < len(r.tokens) && (r.tokens[k].low == "me" || r.tokens[k].low == "us" || r.tokens[k].low == "him" ||
			r.tokens[k].low == "her" || r.tokens[k].low == "that" || r.tokens[k].low == "," || r.tokens[k].low == ":" ||
			r.tokens[k].low == "dass" || r.tokens[k].low == "que") {
			k++
		}
		if k >= len(r.tokens) || !t.is(say) || j == i {
			continue
		}
		next := r.tokens[k]
		named := r.tokens[j-1].capital && (next.kind == number || next.kind == quoted || next.is(numberWord) || next.capital)
		if findVerb(r.tokens, k) >= 0 || named {
			if !r.isFirstPerson(i) && !r.isFirstPerson(j-1) {
				r.voice = r.nounText(i, j)
			}
			return k
		}
	}
	return i
}

// isFirstPerson reports whether a token means the speaker: what one says oneself is no report.
func (r *reading) isFirstPerson(i int) bool {
	switch r.tokens[i].low {
	case "i", "we", "ich", "wir", "je", "j'", "nous", "yo", "nosotros":
		return true
	}
	return false
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
		t := tokens[i]
		if t.kind != word {
			continue
		}
		switch {
		case t.low == "'s" || t.low == "s":
			if t.low == "'s" && !isPossessive(tokens, i) {
				return i
			}
		case t.is(be | have | modal | do):
			if i > from && tokens[i-1].low == "to" || t.low == "been" && (i == from || !tokens[i-1].is(have|be|adverb|not|pronoun)) {
				continue
			}
			if t.is(month) && (i > from && (t.capital || tokens[i-1].kind == number) || i+1 < len(tokens) && tokens[i+1].kind == number) {
				continue // "5 May"
			}
			return i
		case t.is(verb) && isVerbHere(tokens, from, i):
			return i
		}
	}
	return -1
}

// isPossessive reports whether an 's is a genitive: after a noun, before one that a verb or the end follows.
func isPossessive(tokens []token, i int) bool {
	if i == 0 || tokens[i-1].is(pronoun|question) && !isOpen(tokens[i-1]) {
		return false
	}
	if i+1 >= len(tokens) {
		return true
	}
	next := tokens[i+1]
	if next.kind != word || next.class&(det|prep|adverb|not|pronoun|numberWord|weekday) != 0 {
		return false
	}
	for j := i + 2; j < min(len(tokens), i+10); j++ {
		if t := tokens[j]; t.low != "'s" && (t.is(be|have|modal) || t.is(verb) && !t.is(infinitive|attribute|unitNoun)) {
			return true
		}
	}
	alone := i+2 >= len(tokens) || tokens[i+2].kind != word
	for j := max(0, i-4); alone && j < i; j++ {
		alone = !tokens[j].is(prep)
	}
	return next.is(attribute) || isOpen(next) && !next.is(verb) && !alone
}

// isVerbHere reports whether a word that may be a verb is the finite one at i.
func isVerbHere(tokens []token, from, i int) bool {
	t := tokens[i]
	if i > from {
		before := tokens[i-1]
		if before.kind == word && before.is(det|possessive) && !before.is(pronoun) || before.is(prep) && before.low != "'s" ||
			before.low == "'s" || before.low == "to" {
			return false
		}
	}
	next := token{kind: breaks}
	if i+1 < len(tokens) {
		next = tokens[i+1]
	}
	if t.capital && i > from {
		return false
	}
	object := next.kind == number || next.kind == quoted || next.capital || isSign(next.low) ||
		next.is(det|prep|pronoun|adverb|numberWord|weekday|unitNoun|relativeDay|not)
	switch {
	case t.is(infinitive): // a noun as often as a verb
		if i == from {
			return next.is(det|possessive) && !next.is(conj) || next.low == "it" || next.low == "them" || next.low == "me" || next.low == "us" ||
				!t.is(attribute|unitNoun|noun) && (object || next.kind == word && !next.is(be|have|modal|verb))
		}
		before := tokens[i-1]
		if before.is(split|lead|request) && next.is(det|possessive) { // "so send the rest"
			return true
		}
		return before.is(pronoun) && !before.is(det) || before.is(modal|do) || strings.HasSuffix(before.low, "s") && object && !before.is(be)
	case strings.HasSuffix(t.low, "ing"):
		return i == from && object
	case i == from:
		return object && !t.is(noun) || next.kind == word && !next.is(be|have|modal|verb)
	}
	if i > from && (tokens[i-1].kind == number || tokens[i-1].is(numberWord)) {
		return false
	}
	return !next.is(be|have|modal) && (object || !t.is(attribute|unitNoun|noun))
}

// afterVerb returns where the complement begins: after auxiliaries, participles and adverbs.
func (r *reading) afterVerb(i int) int {
	i++
	for i < len(r.tokens) {
		t := r.tokens[i]
		switch {
		case t.kind == word && t.is(be|have|modal|do|not|adverb) && !(t.is(prep) && i+1 < len(r.tokens) && !r.tokens[i+1].is(verb|be)):
		case t.low == "to" && i+1 < len(r.tokens) && r.tokens[i+1].is(infinitive|be|have) && !r.tokens[i+1].capital:
		case t.is(verb) && !t.capital && !t.is(unitNoun) && (i+1 >= len(r.tokens) || !t.is(infinitive) || r.tokens[i-1].is(modal) || r.tokens[i-1].low == "to" ||
			r.tokens[i-1].is(do|not)) && r.chained(i):
		case t.low == "as" && r.tokens[i-1].is(verb) && i+1 < len(r.tokens) && !r.tokens[i+1].is(prep|conj):
		case t.kind == punct && (t.low == ":" || t.low == "," || t.low == "="):
		default:
			return i
		}
		i++
	}
	return i
}

// chained reports whether the verb at i belongs to the one before: "is held", "will lead", "has been moved".
func (r *reading) chained(i int) bool {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		t := r.tokens[j]
		if t.is(be|have|modal|do) || t.low == "gets" || t.low == "get" || t.low == "got" || t.low == "getting" {
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
func (r *reading) subject(hi int) (lo, end int, property string) {
	lo = r.body
	for _, s := range r.bounds.spent {
		if s[0] <= lo+1 && s[1] <= hi {
			lo = s[1]
		}
	}
	lo, hi = r.trimNoun(lo, hi)
	if lo >= hi {
		return lo, lo, ""
	}
	for i := lo + 1; i < hi; i++ {
		t := r.tokens[i]
		switch {
		case t.low == "'s" && i+1 < hi:
			return lo, i, r.between(i+1, hi)
		case t.low == "'s":
			return lo, i, ""
		case t.is(prep) && i+1 < hi && r.isGenitive(t.low):
			a, b := r.trimNoun(i+1, r.endOfNoun(i+1, hi))
			if a < b {
				return a, b, r.nounText(lo, i)
			}
		}
	}
	for i := lo + 1; i+1 < hi; i++ {
		if r.tokens[i].low == "," || r.tokens[i].low == ":" {
			a, b := r.trimNoun(i+1, hi)
			if a < b {
				return lo, i, r.between(a, b)
			}
		}
	}
	if at := r.attributeAt(lo, hi); at > lo {
		return lo, at, r.between(at, hi)
	}
	if r.tokens[hi-1].is(attribute) {
		return lo, hi, r.between(lo, hi)
	}
	return lo, hi, ""
}

// isGenitive reports whether a preposition joins a property to what has it: "the code for the door".
func (r *reading) isGenitive(s string) bool {
	switch s {
	case "of", "for", "at", "on", "in", "von", "vom", "für", "bei", "beim", "der", "de", "du", "des", "d'", "pour", "del", "para", "to":
		return true
	}
	return false
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
		t := r.tokens[j]
		if t.low == "," || t.low == ":" || t.kind == punct && isBullet(t.low) && spacedDash(r.tokens, j) ||
			t.is(split) && !t.is(prep|det) && t.low != "and" && t.low != "plus" || r.begins(j, since|until) {
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
	return a, b
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
	text := r.between(lo, hi)
	if k := values.Of(text).Kind; k != values.Text && k != values.JSON && len(text) < 60 {
		return string(k)
	}
	return kindText
}
