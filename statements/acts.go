package statements

import (
	"strings"

	"tenure"
)

// find returns the first phrase of a class from token lo to hi.
func (r *reading) find(c class, lo, hi int) (hit, bool) {
	best, ok := hit{}, false
	for _, h := range r.hits {
		first := !ok || h.from < best.from || h.from == best.from && h.to > best.to
		if h.class&c != 0 && h.from >= lo && h.to <= hi && first {
			best, ok = h, true
		}
	}
	return best, ok
}

func (r *reading) has(c class) bool {
	_, ok := r.find(c, 0, len(r.tokens))
	return ok
}

// decision is the act of a clause, the words that decided it, and how sure that is.
type decision struct {
	act        tenure.Act
	trigger    string
	hit        hit
	confidence float64
	// reported reports whether the clause has a frame such as "Anna says", whose object goes on after a comma.
	reported bool
	// firm reports whether the words of the clause cannot make it an assertion: it is said in a hypothetical frame.
	firm bool
}

// elsewhere returns the decision for another clause, which does not have the words that decided it.
func (d decision) elsewhere() decision {
	d.hit = hit{}
	return d
}

// rule is one of the ordered rules by which the act is found.
type rule struct {
	act  tenure.Act
	when func(r *reading) (hit, bool)
	sure float64
}

// rules are tried in their order; the first that holds decides.
var rules = []rule{
	{tenure.Jokes, isJoke, .8},
	{tenure.Asserts, isSettled, .8},
	{tenure.Corrects, isRevised, .8},
	{tenure.Retracts, isRetraction, .85},
	{tenure.Proposes, isSuggestion, .85},
	{tenure.Requests, isAskedFor, .85},
	{tenure.Asks, isQuestion, .9},
	{tenure.Corrects, isCorrection, .85},
	{tenure.Reports, isFramed, .8},
	{tenure.Supposes, isSupposition, .85},
	{tenure.Requests, isRequest, .85},
	{tenure.Proposes, isProposal, .85},
	{tenure.Reports, isReport, .8},
	{tenure.Ends, isEnd, .85},
	{tenure.Denies, isDenial, .8},
	{tenure.Recounts, isHistory, .8},
}

// decide returns the act of a clause.
func (r *reading) decide() decision {
	for _, rule := range rules {
		if h, ok := rule.when(r); ok {
			return decision{act: rule.act, trigger: r.between(h.from, h.to), hit: h, confidence: rule.sure,
				reported: rule.act == tenure.Reports}
		}
	}
	return decision{act: tenure.Asserts, confidence: .8}
}

var scorns = words("scorn")

func isJoke(r *reading) (hit, bool) {
	if h, ok := r.find(irony, 0, len(r.tokens)); ok {
		return h, true
	}
	for i, t := range r.tokens {
		if t.kind == emoji && scorns[t.low] {
			return hit{0, i, i + 1}, true
		}
	}
	return hit{}, false
}

// isSuggestion holds for what begins as "how about", "could we".
func isSuggestion(r *reading) (hit, bool) { return r.opensWith(propose) }

// isAskedFor holds for what begins as "could you".
func isAskedFor(r *reading) (hit, bool) {
	h, ok := r.opensWith(request)
	return h, ok && !r.isTelling(h.to)
}

// opensWith finds a phrase of several words that the clause begins with, where it does not ask whether.
func (r *reading) opensWith(c class) (hit, bool) {
	h, ok := r.find(c, r.lead, len(r.tokens))
	return h, ok && h.from == r.lead && h.to > h.from+1 && !r.has(whether)
}

// isQuestion holds for the form of a question, and for words that leave open what is so.
func isQuestion(r *reading) (hit, bool) {
	if r.asked {
		return hit{0, 0, 0}, !r.isTelling(r.body)
	}
	if h, ok := r.find(whether, r.lead, len(r.tokens)); ok {
		return h, true
	}
	h, ok := r.find(question, r.body, len(r.tokens))
	if ok && (h.from == r.body || h.to-h.from > 1) && !r.hasSubjectBefore(h.from) {
		return h, true
	}
	if r.isInverted() {
		return hit{0, r.body, r.body + 1}, true
	}
	return r.tagged()
}

// isInverted reports whether the verb stands before the subject: "is ines on call".
func (r *reading) isInverted() bool {
	if !r.opens || r.lex.language != "en" || !at(r.tokens, r.body).is(inverting) || r.isRequestForm() {
		return false
	}
	next := at(r.tokens, r.body+1)
	return next.is(pronoun|det|possessive) || next.capital ||
		isOpen(next) && !next.is(verb|adverb|unit|unitNoun|attribute)
}

// tagged finds what makes a question of a statement at its end: "right", "or what".
func (r *reading) tagged() (hit, bool) {
	n := len(r.tokens)
	for i := max(r.body+1, n-3); i < n; i++ {
		for _, h := range r.tokens[i].hits {
			if h.class&tag != 0 && h.to == n && r.tokens[i-1].kind != punct && !r.tokens[i-1].is(be|adverb|not) {
				return h, true
			}
		}
	}
	return hit{}, false
}

// hasSubjectBefore reports whether a question word at i only joins a clause: "the city where it is".
func (r *reading) hasSubjectBefore(i int) bool {
	return i > r.body && isOpen(r.tokens[i-1])
}

// isRequestForm reports whether a question asks to do something: "could you".
func (r *reading) isRequestForm() bool {
	h, ok := r.find(request|propose, r.lead, len(r.tokens))
	return ok && h.from == r.body && h.to-h.from > 1
}

func isRequest(r *reading) (hit, bool) {
	h, ok := r.find(request, 0, len(r.tokens))
	before := at(r.tokens, h.from-1)
	counted := ok && (before.kind == number || before.is(numberWord)) // "100 requests"
	if ok && !counted && !r.isTelling(h.to) && !r.isWish(h) {
		return h, true
	}
	// an imperative
	i := r.body
	if i < len(r.tokens) && r.lex.language == "en" && r.tokens[i].is(infinitive) && r.verb == i && !r.isTelling(i) {
		return hit{0, i, i + 1}, true
	}
	return hit{}, false
}

// isWish reports whether the clause states that somebody else wants something: "Hugo wants the sepia theme".
func (r *reading) isWish(h hit) bool {
	low, before := r.tokens[h.from].low, at(r.tokens, h.from-1)
	return (low == "wants" || low == "asked" && h.to == h.from+2) && before.capital && !before.is(month|weekday) &&
		at(r.tokens, h.to).is(det|possessive)
}

var tellings = words("telling")

// isTelling reports whether a request asks to pass on what is so: "please tell them that it is".
func (r *reading) isTelling(i int) bool {
	told := false
	for j := r.lead; j < len(r.tokens); j++ {
		told = told || tellings[r.tokens[j].low]
		if told && j >= i && j > 0 && r.tokens[j].low == "that" && findVerb(r.tokens, j+1) >= 0 {
			return true
		}
	}
	return false
}

func isSupposition(r *reading) (hit, bool) {
	h, ok := r.find(suppose, r.lead, len(r.tokens))
	polite := ok && at(r.tokens, h.from-1).low == "that" && r.tokens[h.from].low == "'d" // "that'd be Anna"
	if !ok || polite || r.tokens[h.from].is(month) && !r.isPlainWord(h.from) {
		return hit{}, false
	}
	w, is := r.find(request|propose, r.lead, len(r.tokens))
	if is && w.from <= h.from && h.to <= w.to && w.to > w.from+1 {
		return hit{}, false // "would like", "could we"
	}
	return h, true
}

func isProposal(r *reading) (hit, bool) {
	if h, ok := r.find(propose, r.lead, len(r.tokens)); ok {
		return h, true
	}
	if v := r.verb; v > r.body && r.tokens[v].low == "be" && !r.has(authority) { // "that Anna be appointed"
		return hit{0, v, v + 1}, true
	}
	return hit{}, false
}

// isFramed holds after "Anna says that", where it is not that she suggests or decides something.
func isFramed(r *reading) (hit, bool) {
	_, other := r.find(authority|propose|suppose, r.lead, r.body)
	return hit{0, 0, r.body}, r.voice != "" && !other && !r.decreed
}

func isReport(r *reading) (hit, bool) {
	if r.has(authority) {
		return hit{}, false
	}
	if v := r.verb; v > r.body && r.tokens[v].is(say) && r.rest >= r.close && !r.tokens[v-1].is(pronoun) {
		return hit{0, v, v + 1}, true // "Anna maintains, ..."
	}
	return r.find(report, 0, len(r.tokens))
}

func isRetraction(r *reading) (hit, bool) {
	h, ok := r.find(retract, 0, len(r.tokens))
	return h, ok && !r.asked
}

func isCorrection(r *reading) (hit, bool) {
	h, ok := r.find(correct, 0, len(r.tokens))
	if ok && r.tokens[h.to-1].low == "be" && !r.valueSoon(h.to) { // "should be grateful"
		return hit{}, false
	}
	return h, ok && !r.asked
}

// valueSoon reports whether a value begins at i, or after a word there.
func (r *reading) valueSoon(i int) bool {
	for _, v := range r.values {
		if v.lo == i || v.lo == i+1 {
			return true
		}
	}
	return i < len(r.tokens) && r.tokens[i].is(prep|det)
}

// endless are words which tell that the word of ending before them ends nothing: "leaves from gate B".
var endless = set{"from": true, "at": true}

// isEnd holds for words of ending; those that mean other things too must be the predicate.
func isEnd(r *reading) (hit, bool) {
	if h, ok := r.find(end, 0, len(r.tokens)); ok {
		return h, true
	}
	for _, form := range []func() (hit, bool){r.around, r.takenOff, r.none} {
		if h, ok := form(); ok {
			return h, true
		}
	}
	h, ok := r.find(endState, 0, len(r.tokens))
	if !ok {
		return hit{}, false
	}
	before, next := at(r.tokens, h.from-1), at(r.tokens, h.to)
	if before.is(det) || r.tokens[h.from].low+" "+next.low == "left for" || endless[next.low] ||
		next.low == "the" && r.tokens[h.from].low == "over" {
		return hit{}, false // "on the left", "leaves from gate B", "left for Ghent"
	}
	auxiliary := before.is(be|have) || before.is(adverb) && at(r.tokens, h.from-2).is(be|have)
	return h, auxiliary || h.from <= r.body || h.from == r.verb || h.to == len(r.tokens)
}

// takenOff finds "take Marco off the list".
func (r *reading) takenOff() (hit, bool) {
	for i := r.body; i < len(r.tokens); i++ {
		if low := r.tokens[i].low; !takers[low] || low[0] != 't' {
			continue
		}
		for j := i + 2; j < min(len(r.tokens), i+6); j++ {
			if r.tokens[j].low == "off" {
				return hit{0, i, i + 1}, true
			}
		}
	}
	return hit{}, false
}

// none finds that there is no value: "has no limit", "OPS-311 off hold".
func (r *reading) none() (hit, bool) {
	if v := r.verb; v >= 0 && v+2 < len(r.tokens) && r.tokens[v+1].low == "no" {
		return hit{0, v, v + 2}, r.tokens[v].is(have) || at(r.tokens, v-1).low == "there"
	}
	h, ok := r.find(endState, r.body+1, len(r.tokens))
	return h, ok && r.verb < 0 && r.tokens[h.from].low == "off" && at(r.tokens, h.to).is(stateNoun)
}

// isPassive reports whether a participle follows the verb: "was moved".
func (r *reading) isPassive() bool {
	for i := r.verb + 1; i < r.rest; i++ {
		if r.tokens[i].is(verb) && !r.tokens[i].is(be|have|modal|do) {
			return true
		}
	}
	return false
}

// era finds a time such as "during the agency years".
func (r *reading) era() (hit, bool) {
	n := len(r.tokens)
	if last := at(r.tokens, n-1).low; n < 3 || last != "years" && last != "days" && last != "era" {
		return hit{}, false
	}
	for i := max(0, n-5); i < n-2; i++ {
		if low := r.tokens[i].low; (low == "during" || low == "in" || low == "from") && r.tokens[i+1].is(det) {
			return hit{0, i, n}, true
		}
	}
	return hit{}, false
}

var noLongers, anyMores = words("no longer"), words("any more")

// around finds "no longer" as German and French say it, around other words: "kein Auto mehr", "n'est plus".
func (r *reading) around() (hit, bool) {
	for i, t := range r.tokens {
		for j := i + 1; noLongers[t.low] && j < min(len(r.tokens), i+6); j++ {
			if anyMores[r.tokens[j].low] {
				return hit{0, i, i + 1}, true
			}
		}
	}
	return hit{}, false
}

func isHistory(r *reading) (hit, bool) {
	if h, ok := r.find(history, 0, len(r.tokens)); ok && (!lasts[r.tokens[h.from].low] || !r.brings()) {
		return h, true
	}
	if r.bounds.past.to > 0 {
		return r.bounds.past, true
	}
	if h, ok := r.era(); ok {
		return h, true
	}
	if r.verb >= 0 && r.tokens[r.verb].is(stateVerb) && !r.has(now|since|authority) {
		return hit{0, r.verb, r.verb + 1}, true
	}
	if r.verb >= 0 && r.tokens[r.verb].is(pastBe) && !r.has(now) && r.rest < len(r.tokens) && !r.isPassive() {
		return hit{0, r.verb, r.verb + 1}, true
	}
	return hit{}, false
}

// namesBeside reports whether the clause names a value after its verb that is no part of a phrase.
func (r *reading) namesBeside(h hit) bool {
	for _, v := range r.values {
		if v.lo >= r.rest && (v.hi <= h.from || v.lo >= h.to) {
			return true
		}
	}
	return false
}

// almost says, before a verb, that something did not happen.
var almost = words("almost")

func isDenial(r *reading) (hit, bool) {
	if before := r.verb - 1; before >= r.body && almost[r.tokens[before].low] && r.tokens[r.verb].is(moves) {
		return hit{0, before, before + 1}, true
	}
	if h, ok := r.find(stay, 0, len(r.tokens)); ok && !r.namesBeside(h) && !r.keepsOne(h) {
		return h, true
	}
	if h, ok := r.find(deny, 0, len(r.tokens)); ok {
		return h, true
	}
	h, ok := r.find(not, r.body, len(r.tokens))
	atVerb := r.verb >= 0 && h.from >= r.verb-1 && h.from <= r.rest
	return h, ok && (h.from == r.body || atVerb || len(r.values) > 0 && h.to == r.values[0].lo)
}

// keepsOne reports whether somebody keeps "a" thing, which is then mentioned for the first time.
func (r *reading) keepsOne(h hit) bool {
	next := at(r.tokens, h.to).low
	return strings.HasPrefix(r.tokens[h.from].low, "keep") && h.to == h.from+1 && (next == "a" || next == "an")
}
