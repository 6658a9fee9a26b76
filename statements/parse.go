package statements

import (
	"tenure"
	"tenure/statements/clauses"
	"tenure/statements/lex"
	"tenure/text"
	"tenure/values"
)

// reading is a clause as it was parsed.
type reading struct {
	clauses.Clause
	// body is where the clause itself begins, after a lead-in or a frame such as "Anna says that".
	body int
	// lead is where it begins with the frame.
	lead int
	// verb is the index of the finite verb, -1 if there is none; rest is where what follows the verb begins.
	verb, rest int
	// close is where adverbials at the end begin.
	close  int
	hits   []lex.Hit
	values []clauses.Value
	voice  string
	// owner is the subject of an earlier clause of the sentence.
	owner tenure.Span
	// settles is the phrase by which the clause decides about the current topic; repairs reports whether it begins by
	// correcting what was just said: "no wait".
	settles lex.Hit
	repairs bool
	// decreed reports whether the clause begins by naming who decided it: "per the CEO".
	decreed  bool
	bounds   bounds
	decision decision
	// likely is the probability that its words change what stands.
	likely float64
}

// parse finds the verb of a clause, what is before and after it, and the values.
func parse(c clauses.Clause, names []text.Span) *reading {
	r := &reading{Clause: c}
	for _, t := range c.Tokens {
		r.hits = append(r.hits, t.Hits...)
	}
	r.lead = r.afterLead(0)
	r.body = r.afterFrame(r.lead)
	r.verb = clauses.FindVerb(r.Tokens, r.body)
	r.rest = r.body
	if r.verb >= 0 {
		r.rest = r.afterVerb(r.verb)
	}
	r.close = r.beforeTail(r.rest)
	r.values = r.Values(r.body, len(r.Tokens), names)
	r.settled()
	return r
}

// afterLead returns where the clause begins after greetings, conjunctions and lead-ins.
func (r *reading) afterLead(i int) int {
	for i < len(r.Tokens) {
		next := max(r.leadAt(i), r.afterSalutation(i), r.afterRepair(i))
		if t := r.Tokens[i]; t.Kind == lex.Punct && !clauses.IsSign(t.Low) || t.Kind == lex.Emoji {
			next = max(next, i+1)
		}
		if next <= i || next >= len(r.Tokens) {
			return i
		}
		i = next
	}
	return i
}

// leadAt returns where the longest lead-in ends that begins at i, 0 if none does.
func (r *reading) leadAt(i int) int {
	end := 0
	for _, h := range r.Tokens[i].Hits {
		if h.Class&(lex.Lead|lex.Yes) == 0 || h.To >= len(r.Tokens) || r.isLeadVerb(h) {
			continue
		}
		if h.Class&lex.Lead != 0 || h.To == h.From+1 || r.Tokens[h.To].Kind == lex.Punct {
			end = max(end, h.To)
		}
	}
	return end
}

var salutations = lex.Words("salutation")

// afterSalutation returns where what follows "Dear all," begins, 0 if there is no such thing at i.
func (r *reading) afterSalutation(i int) int {
	if !salutations[r.Tokens[i].Low] {
		return 0
	}
	for j := i + 1; j < len(r.Tokens)-1 && j < i+6; j++ {
		if r.Tokens[j].Low == "," {
			return j + 1
		}
	}
	return 0
}

// isLeadVerb reports whether a word that may lead in is the subject or the verb: "today is", "note the".
func (r *reading) isLeadVerb(h lex.Hit) bool {
	return h.To == h.From+1 && lex.At(r.Tokens, h.To).Is(lex.Be) && !r.Tokens[h.From].Is(lex.RelativeDay|lex.Now)
}

var (
	objectPronouns, thats = lex.Words("object pronoun"), lex.Words("that")
	firstPersons, pers    = lex.Words("first person"), lex.Words("per")
)

// afterFrame returns where the reported clause begins: after "Anna says that", "I heard".
func (r *reading) afterFrame(i int) int {
	if k := r.afterPer(i); k > 0 {
		return k
	}
	for j := i + 1; j < len(r.Tokens) && j < i+9; j++ {
		t := r.Tokens[j]
		if !t.Is(lex.Say) || t.Is(lex.Be) {
			continue
		}
		k := r.afterSay(j + 1)
		named := r.Tokens[j-1].Capital && isNamed(lex.At(r.Tokens, k))
		if k >= len(r.Tokens) || clauses.FindVerb(r.Tokens, k) < 0 && !named {
			continue
		}
		if !firstPersons[r.Tokens[i].Low] && !firstPersons[r.Tokens[j-1].Low] {
			r.voice = r.nounText(i, j)
		}
		return k
	}
	return i
}

// afterPer returns where what "per the CEO," decides begins, 0 if the clause does not begin so. The speaker asserts it,
// too.
func (r *reading) afterPer(i int) int {
	if !pers[r.Tokens[i].Low] {
		return 0
	}
	for j := i + 2; j < min(len(r.Tokens)-1, i+7); j++ {
		if r.Tokens[j].Low == "," && clauses.FindVerb(r.Tokens, j+1) >= 0 {
			r.voice, r.decreed = r.nounText(i+1, j), true
			return j + 1
		}
	}
	return 0
}

// afterSay returns where the object of a verb of saying begins: after "me that", "us:".
func (r *reading) afterSay(k int) int {
	for k < len(r.Tokens) {
		low := r.Tokens[k].Low
		if !objectPronouns[low] && !thats[low] && low != "," && low != ":" || low == "it" {
			return k
		}
		k++
	}
	return k
}

// isNamed reports whether a token begins a value that is said by itself.
func isNamed(t lex.Token) bool {
	return t.Kind == lex.Number || t.Kind == lex.Quoted || t.Is(lex.NumberWord) || t.Capital
}

// nounText is the text of a noun phrase without articles, or "" for a pronoun.
func (r *reading) nounText(lo, hi int) string {
	lo, hi = r.trimNoun(lo, hi)
	if lo >= hi {
		return ""
	}
	return r.Between(lo, hi)
}

// trimNoun leaves out what a noun phrase begins and ends with that is no part of a name: articles, adverbs, signs.
func (r *reading) trimNoun(lo, hi int) (int, int) {
	const small = lex.Det | lex.Prep | lex.Conj | lex.Pronoun | lex.Filler | lex.Adverb | lex.Not | lex.Be | lex.Have |
		lex.Modal | lex.Possessive
	loose := func(t lex.Token) bool {
		return t.Kind == lex.Punct && !clauses.IsSign(t.Low) && t.Low != "%" || t.Kind == lex.Emoji || t.Kind == lex.Word && !isUnitLetter(t) &&
			(t.Is(small) || t.Low == "new")
	}
	for lo < hi && loose(r.Tokens[lo]) {
		lo++
	}
	for hi > lo && loose(r.Tokens[hi-1]) {
		hi--
	}
	return lo, hi
}

// isUnitLetter reports whether a token is a letter that is a name, as in "gate A".
func isUnitLetter(t lex.Token) bool { return len(t.Low) == 1 && t.Capital && t.Low != "i" }

// afterVerb returns where the complement begins: after auxiliaries, participles and adverbs.
func (r *reading) afterVerb(i int) int {
	for i++; i < len(r.Tokens) && r.isOfVerb(i); i++ {
	}
	return i
}

// isOfVerb reports whether the token at i still belongs to the verb before it.
func (r *reading) isOfVerb(i int) bool {
	t, before, next := r.Tokens[i], lex.At(r.Tokens, i-1), lex.At(r.Tokens, i+1)
	last := i+1 >= len(r.Tokens)
	switch {
	case t.Kind == lex.Punct:
		return verbSigns[t.Low]
	case t.Is(lex.Be|lex.Have|lex.Modal|lex.Do|lex.Not|lex.Adverb) && t.Kind == lex.Word:
		return !t.Is(lex.Prep) || last || next.Is(lex.Verb|lex.Be)
	case t.Low == "to":
		return next.Is(lex.Infinitive|lex.Be|lex.Have) && !next.Capital
	case t.Low == "as":
		return before.Is(lex.Verb) && !last && !next.Is(lex.Prep|lex.Conj)
	}
	return isParticiple(t) && (last || isLed(t, before)) && r.chained(i)
}

// isParticiple reports whether a word may be the part of a verb behind its auxiliary.
func isParticiple(t lex.Token) bool { return t.Is(lex.Verb) && !t.Capital && !t.Is(lex.UnitNoun) }

// isLed reports whether a verb has the form that its auxiliary asks for.
func isLed(t, before lex.Token) bool {
	return !t.Is(lex.Infinitive) || before.Low == "to" || before.Is(lex.Modal|lex.Do|lex.Not)
}

var becoming, verbSigns = lex.Words("becoming"), lex.Set{":": true, ",": true, "=": true}

// chained reports whether the verb at i belongs to the one before: "is held", "will lead", "has been moved".
func (r *reading) chained(i int) bool {
	for j := i - 1; j >= 0 && j >= i-4; j-- {
		t := r.Tokens[j]
		if t.Is(lex.Be|lex.Have|lex.Modal|lex.Do) || becoming[t.Low] {
			return true
		}
		if !t.Is(lex.Adverb|lex.Not) && t.Low != "to" && !t.Is(lex.Verb) {
			return false
		}
	}
	return false
}

// beforeTail returns where adverbials at the end of the clause begin.
func (r *reading) beforeTail(lo int) int {
	hi := len(r.Tokens)
	for hi > lo+1 {
		cut := hi
		for i := max(lo+1, hi-5); i < hi; i++ {
			for _, h := range r.Tokens[i].Hits {
				if h.To == hi && h.Class&lex.Tail != 0 {
					cut = min(cut, h.From)
				}
			}
		}
		if t := r.Tokens[hi-1]; t.Kind == lex.Punct && t.Low != "%" && !clauses.IsSign(t.Low) || t.Kind == lex.Emoji {
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
		if r.begins(i, lex.End) && r.begins(i, lex.Adverb) {
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
		return lo, at, r.Between(at, hi)
	}
	if r.Tokens[hi-1].Is(lex.Attribute) {
		return lo, hi, r.Between(lo, hi)
	}
	return lo, hi, ""
}

var genitives = lex.Words("genitive")

// owned divides a noun phrase into what it is about and its property: "the printer's room", "the code for the door",
// "the printer, room".
func (r *reading) owned(lo, hi int) (a, b int, property string, ok bool) {
	for i := lo + 1; i < hi; i++ {
		switch t := r.Tokens[i]; {
		case t.Low == "'s" && i+1 < hi:
			return lo, i, r.Between(i+1, hi), true
		case t.Low == "'s":
			return lo, i, "", true
		case t.Is(lex.Prep) && i+1 < hi && genitives[t.Low]:
			if a, b := r.trimNoun(i+1, r.endOfNoun(i+1, hi)); a < b {
				return a, b, r.nounText(lo, i), true
			}
		}
	}
	for i := lo + 1; i+1 < hi; i++ {
		if low := r.Tokens[i].Low; low == "," || low == ":" {
			if a, b := r.trimNoun(i+1, hi); a < b {
				return lo, i, r.Between(a, b), true
			}
		}
	}
	return 0, 0, "", false
}

// endOfNoun returns where a noun phrase ends that begins at i: before a comma or a relative clause.
func (r *reading) endOfNoun(i, hi int) int {
	for j := i; j < hi; j++ {
		t := r.Tokens[j]
		if t.Low == "," || t.Is(lex.Question) && j > i || t.Low == "that" && j > i {
			return j
		}
	}
	return hi
}

// attributeAt returns where a property begins after a name: "Plover launch city", "OPS-311 status"; 0 if it is not so.
func (r *reading) attributeAt(lo, hi int) int {
	if !r.Tokens[hi-1].Is(lex.Attribute) {
		return 0
	}
	for i := hi - 1; i > lo; i-- {
		if t := r.Tokens[i-1]; t.Capital || t.Kind == lex.Number || clauses.IsCode(t.Low) {
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
	if a > lo && a < b && r.Tokens[a].Is(lex.StateNoun) && r.Tokens[a-1].Is(lex.Prep) {
		a-- // "in progress", "on hold"
		if a > lo && r.Tokens[a-1].Low == "out" {
			a--
		}
	}
	if a > lo && a < b && periods[r.Tokens[a].Low] && nearby[r.Tokens[a-1].Low] {
		a-- // "this week"
	}
	return a, b
}

var periods, nearby = lex.Words("period"), lex.Words("nearby")

// endsValue reports whether the words of a value end before i.
func (r *reading) endsValue(i int) bool {
	t := r.Tokens[i]
	switch {
	case t.Low == ",", t.Low == ":", r.begins(i, lex.Since|lex.Until):
		return true
	case t.Kind == lex.Punct:
		return clauses.IsDash(r.Tokens, i)
	}
	return t.Is(lex.Split) && !t.Is(lex.Prep|lex.Det) && t.Low != "and" && t.Low != "plus"
}

// begins reports whether a phrase of a class begins at i.
func (r *reading) begins(i int, c lex.Class) bool {
	for _, h := range r.Tokens[i].Hits {
		if h.Class&c != 0 {
			return true
		}
	}
	return false
}

// kindOfSpan returns what tokens lo to hi look like.
func (r *reading) kindOfSpan(lo, hi int) string {
	for _, v := range r.values {
		if v.Lo == lo && v.Hi == hi {
			return v.Kind
		}
	}
	if !clauses.HasValue(r.Tokens[lo:hi]) {
		return clauses.KindText
	}
	if k := values.Of(r.Between(lo, hi)).Kind; k != values.Text && k != values.JSON {
		return string(k)
	}
	return clauses.KindText
}
