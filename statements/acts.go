package statements

import (
	"strings"

	"tenure"
	"tenure/statements/clauses"
	"tenure/statements/lex"
)

// find returns the first phrase of a class from token lo to hi.
func (r *reading) find(c lex.Class, lo, hi int) (lex.Hit, bool) {
	best, ok := lex.Hit{}, false
	for _, h := range r.hits {
		first := !ok || h.From < best.From || h.From == best.From && h.To > best.To
		if h.Class&c != 0 && h.From >= lo && h.To <= hi && first {
			best, ok = h, true
		}
	}
	return best, ok
}

func (r *reading) has(c lex.Class) bool {
	_, ok := r.find(c, 0, len(r.Tokens))
	return ok
}

// decision is the act of a clause, the words that decided it, and how sure that is.
type decision struct {
	act        tenure.Act
	trigger    string
	hit        lex.Hit
	confidence float64
	// reported reports whether the clause has a frame such as "Anna says", whose object goes on after a comma.
	reported bool
	// firm reports whether the words of the clause cannot make it an assertion: it is said in a hypothetical frame.
	firm bool
}

// elsewhere returns the decision for another clause, which does not have the words that decided it.
func (d decision) elsewhere() decision {
	d.hit = lex.Hit{}
	return d
}

// rule is one of the ordered rules by which the act is found.
type rule struct {
	act  tenure.Act
	when func(r *reading) (lex.Hit, bool)
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
			return decision{act: rule.act, trigger: r.Between(h.From, h.To), hit: h, confidence: rule.sure,
				reported: rule.act == tenure.Reports}
		}
	}
	return decision{act: tenure.Asserts, confidence: .8}
}

var scorns = lex.Words("scorn")

func isJoke(r *reading) (lex.Hit, bool) {
	if h, ok := r.find(lex.Irony, 0, len(r.Tokens)); ok {
		return h, true
	}
	for i, t := range r.Tokens {
		if t.Kind == lex.Emoji && scorns[t.Low] {
			return lex.Hit{From: i, To: i + 1}, true
		}
	}
	return lex.Hit{}, false
}

// isSuggestion holds for what begins as "how about", "could we".
func isSuggestion(r *reading) (lex.Hit, bool) { return r.opensWith(lex.Propose) }

// isAskedFor holds for what begins as "could you".
func isAskedFor(r *reading) (lex.Hit, bool) {
	h, ok := r.opensWith(lex.Request)
	return h, ok && !r.isTelling(h.To)
}

// opensWith finds a phrase of several words that the clause begins with, where it does not ask whether.
func (r *reading) opensWith(c lex.Class) (lex.Hit, bool) {
	h, ok := r.find(c, r.lead, len(r.Tokens))
	return h, ok && h.From == r.lead && h.To > h.From+1 && !r.has(lex.Whether)
}

// isQuestion holds for the form of a question, and for words that leave open what is so.
func isQuestion(r *reading) (lex.Hit, bool) {
	if r.Asked {
		return lex.Hit{}, !r.isTelling(r.body)
	}
	if h, ok := r.find(lex.Whether, r.lead, len(r.Tokens)); ok {
		return h, true
	}
	h, ok := r.find(lex.Question, r.body, len(r.Tokens))
	if ok && (h.From == r.body || h.To-h.From > 1) && !r.hasSubjectBefore(h.From) {
		return h, true
	}
	if r.isInverted() {
		return lex.Hit{From: r.body, To: r.body + 1}, true
	}
	return r.tagged()
}

// isInverted reports whether the verb stands before the subject: "is ines on call".
func (r *reading) isInverted() bool {
	if !r.Opens || r.Language != "en" || !lex.At(r.Tokens, r.body).Is(lex.Inverting) || r.isRequestForm() {
		return false
	}
	next := lex.At(r.Tokens, r.body+1)
	return next.Is(lex.Pronoun|lex.Det|lex.Possessive) || next.Capital ||
		next.IsOpen() && !next.Is(lex.Verb|lex.Adverb|lex.Unit|lex.UnitNoun|lex.Attribute)
}

// tagged finds what makes a question of a statement at its end: "right", "or what".
func (r *reading) tagged() (lex.Hit, bool) {
	n := len(r.Tokens)
	for i := max(r.body+1, n-3); i < n; i++ {
		for _, h := range r.Tokens[i].Hits {
			before := r.Tokens[i-1]
			if h.Class&lex.Tag != 0 && h.To == n && before.Kind != lex.Punct && !before.Is(lex.Be|lex.Adverb|lex.Not) {
				return h, true
			}
		}
	}
	return lex.Hit{}, false
}

// hasSubjectBefore reports whether a question word at i only joins a clause: "the city where it is".
func (r *reading) hasSubjectBefore(i int) bool {
	return i > r.body && r.Tokens[i-1].IsOpen()
}

// isRequestForm reports whether a question asks to do something: "could you".
func (r *reading) isRequestForm() bool {
	h, ok := r.find(lex.Request|lex.Propose, r.lead, len(r.Tokens))
	return ok && h.From == r.body && h.To-h.From > 1
}

func isRequest(r *reading) (lex.Hit, bool) {
	h, ok := r.find(lex.Request, 0, len(r.Tokens))
	before := lex.At(r.Tokens, h.From-1)
	counted := ok && (before.Kind == lex.Number || before.Is(lex.NumberWord)) // "100 requests"
	if ok && !counted && !r.isTelling(h.To) && !r.isWish(h) {
		return h, true
	}
	// an imperative
	i := r.body
	if i < len(r.Tokens) && r.Language == "en" && r.Tokens[i].Is(lex.Infinitive) && r.verb == i && !r.isTelling(i) {
		return lex.Hit{From: i, To: i + 1}, true
	}
	return lex.Hit{}, false
}

// isWish reports whether the clause states that somebody else wants something: "Hugo wants the sepia theme".
func (r *reading) isWish(h lex.Hit) bool {
	low, before := r.Tokens[h.From].Low, lex.At(r.Tokens, h.From-1)
	return (low == "wants" || low == "asked" && h.To == h.From+2) && before.Capital && !before.Is(lex.Month|lex.Weekday) &&
		lex.At(r.Tokens, h.To).Is(lex.Det|lex.Possessive)
}

var tellings = lex.Words("telling")

// isTelling reports whether a request asks to pass on what is so: "please tell them that it is".
func (r *reading) isTelling(i int) bool {
	told := false
	for j := r.lead; j < len(r.Tokens); j++ {
		told = told || tellings[r.Tokens[j].Low]
		if told && j >= i && j > 0 && r.Tokens[j].Low == "that" && clauses.FindVerb(r.Tokens, j+1) >= 0 {
			return true
		}
	}
	return false
}

func isSupposition(r *reading) (lex.Hit, bool) {
	h, ok := r.find(lex.Suppose, r.lead, len(r.Tokens))
	polite := ok && lex.At(r.Tokens, h.From-1).Low == "that" && r.Tokens[h.From].Low == "'d" // "that'd be Anna"
	if !ok || polite || r.Tokens[h.From].Is(lex.Month) && !r.IsPlainWord(h.From) {
		return lex.Hit{}, false
	}
	w, is := r.find(lex.Request|lex.Propose, r.lead, len(r.Tokens))
	if is && w.From <= h.From && h.To <= w.To && w.To > w.From+1 {
		return lex.Hit{}, false // "would like", "could we"
	}
	return h, true
}

func isProposal(r *reading) (lex.Hit, bool) {
	if h, ok := r.find(lex.Propose, r.lead, len(r.Tokens)); ok {
		return h, true
	}
	if v := r.verb; v > r.body && r.Tokens[v].Low == "be" && !r.has(lex.Authority) { // "that Anna be appointed"
		return lex.Hit{From: v, To: v + 1}, true
	}
	return lex.Hit{}, false
}

// isFramed holds after "Anna says that", where it is not that she suggests or decides something.
func isFramed(r *reading) (lex.Hit, bool) {
	_, other := r.find(lex.Authority|lex.Propose|lex.Suppose, r.lead, r.body)
	return lex.Hit{To: r.body}, r.voice != "" && !other && !r.decreed
}

func isReport(r *reading) (lex.Hit, bool) {
	if r.has(lex.Authority) {
		return lex.Hit{}, false
	}
	if v := r.verb; v > r.body && r.Tokens[v].Is(lex.Say) && r.rest >= r.close && !r.Tokens[v-1].Is(lex.Pronoun) {
		return lex.Hit{From: v, To: v + 1}, true // "Anna maintains, ..."
	}
	return r.find(lex.Report, 0, len(r.Tokens))
}

func isRetraction(r *reading) (lex.Hit, bool) {
	h, ok := r.find(lex.Retract, 0, len(r.Tokens))
	return h, ok && !r.Asked
}

func isCorrection(r *reading) (lex.Hit, bool) {
	h, ok := r.find(lex.Correct, 0, len(r.Tokens))
	if ok && r.Tokens[h.To-1].Low == "be" && !r.valueSoon(h.To) { // "should be grateful"
		return lex.Hit{}, false
	}
	return h, ok && !r.Asked
}

// valueSoon reports whether a value begins at i, or after a word there.
func (r *reading) valueSoon(i int) bool {
	for _, v := range r.values {
		if v.Lo == i || v.Lo == i+1 {
			return true
		}
	}
	return i < len(r.Tokens) && r.Tokens[i].Is(lex.Prep|lex.Det)
}

// endless are words which tell that the word of ending before them ends nothing: "leaves from gate B".
var endless = lex.Set{"from": true, "at": true}

// isEnd holds for words of ending; those that mean other things too must be the predicate.
func isEnd(r *reading) (lex.Hit, bool) {
	if h, ok := r.find(lex.End, 0, len(r.Tokens)); ok {
		return h, true
	}
	for _, form := range []func() (lex.Hit, bool){r.around, r.takenOff, r.none} {
		if h, ok := form(); ok {
			return h, true
		}
	}
	h, ok := r.find(lex.EndState, 0, len(r.Tokens))
	if !ok {
		return lex.Hit{}, false
	}
	before, next := lex.At(r.Tokens, h.From-1), lex.At(r.Tokens, h.To)
	if before.Is(lex.Det) || r.Tokens[h.From].Low+" "+next.Low == "left for" || endless[next.Low] ||
		next.Low == "the" && r.Tokens[h.From].Low == "over" {
		return lex.Hit{}, false // "on the left", "leaves from gate B", "left for Ghent"
	}
	auxiliary := before.Is(lex.Be|lex.Have) || before.Is(lex.Adverb) && lex.At(r.Tokens, h.From-2).Is(lex.Be|lex.Have)
	return h, auxiliary || h.From <= r.body || h.From == r.verb || h.To == len(r.Tokens)
}

// takenOff finds "take Marco off the list".
func (r *reading) takenOff() (lex.Hit, bool) {
	for i := r.body; i < len(r.Tokens); i++ {
		if low := r.Tokens[i].Low; !takers[low] || low[0] != 't' {
			continue
		}
		for j := i + 2; j < min(len(r.Tokens), i+6); j++ {
			if r.Tokens[j].Low == "off" {
				return lex.Hit{From: i, To: i + 1}, true
			}
		}
	}
	return lex.Hit{}, false
}

// none finds that there is no value: "has no limit", "OPS-311 off hold".
func (r *reading) none() (lex.Hit, bool) {
	if v := r.verb; v >= 0 && v+2 < len(r.Tokens) && r.Tokens[v+1].Low == "no" {
		return lex.Hit{From: v, To: v + 2}, r.Tokens[v].Is(lex.Have) || lex.At(r.Tokens, v-1).Low == "there"
	}
	h, ok := r.find(lex.EndState, r.body+1, len(r.Tokens))
	return h, ok && r.verb < 0 && r.Tokens[h.From].Low == "off" && lex.At(r.Tokens, h.To).Is(lex.StateNoun)
}

// isPassive reports whether a participle follows the verb: "was moved".
func (r *reading) isPassive() bool {
	for i := r.verb + 1; i < r.rest; i++ {
		if r.Tokens[i].Is(lex.Verb) && !r.Tokens[i].Is(lex.Be|lex.Have|lex.Modal|lex.Do) {
			return true
		}
	}
	return false
}

// era finds a time such as "during the agency years".
func (r *reading) era() (lex.Hit, bool) {
	n := len(r.Tokens)
	if last := lex.At(r.Tokens, n-1).Low; n < 3 || last != "years" && last != "days" && last != "era" {
		return lex.Hit{}, false
	}
	for i := max(0, n-5); i < n-2; i++ {
		if low := r.Tokens[i].Low; (low == "during" || low == "in" || low == "from") && r.Tokens[i+1].Is(lex.Det) {
			return lex.Hit{From: i, To: n}, true
		}
	}
	return lex.Hit{}, false
}

var noLongers, anyMores = lex.Words("no longer"), lex.Words("any more")

// around finds "no longer" as German and French say it, around other words: "kein Auto mehr", "n'est plus".
func (r *reading) around() (lex.Hit, bool) {
	for i, t := range r.Tokens {
		for j := i + 1; noLongers[t.Low] && j < min(len(r.Tokens), i+6); j++ {
			if anyMores[r.Tokens[j].Low] {
				return lex.Hit{From: i, To: i + 1}, true
			}
		}
	}
	return lex.Hit{}, false
}

var lastWords = lex.Words("last")

func isHistory(r *reading) (lex.Hit, bool) {
	if h, ok := r.find(lex.History, 0, len(r.Tokens)); ok && (!lastWords[r.Tokens[h.From].Low] || !r.brings()) {
		return h, true
	}
	if r.bounds.past.To > 0 {
		return r.bounds.past, true
	}
	if h, ok := r.era(); ok {
		return h, true
	}
	if r.verb >= 0 && r.Tokens[r.verb].Is(lex.StateVerb) && !r.has(lex.Now|lex.Since|lex.Authority) {
		return lex.Hit{From: r.verb, To: r.verb + 1}, true
	}
	if r.verb >= 0 && r.Tokens[r.verb].Is(lex.PastBe) && !r.has(lex.Now) && r.rest < len(r.Tokens) && !r.isPassive() {
		return lex.Hit{From: r.verb, To: r.verb + 1}, true
	}
	return lex.Hit{}, false
}

// namesBeside reports whether the clause names a value after its verb that is no part of a phrase.
func (r *reading) namesBeside(h lex.Hit) bool {
	for _, v := range r.values {
		if v.Lo >= r.rest && (v.Hi <= h.From || v.Lo >= h.To) {
			return true
		}
	}
	return false
}

// almost says, before a verb, that something did not happen.
var almost = lex.Words("almost")

func isDenial(r *reading) (lex.Hit, bool) {
	if before := r.verb - 1; before >= r.body && almost[r.Tokens[before].Low] && r.Tokens[r.verb].Is(lex.Moves) {
		return lex.Hit{From: before, To: before + 1}, true
	}
	if h, ok := r.find(lex.Stay, 0, len(r.Tokens)); ok && !r.namesBeside(h) && !r.keepsOne(h) {
		return h, true
	}
	if h, ok := r.find(lex.Deny, 0, len(r.Tokens)); ok {
		return h, true
	}
	h, ok := r.find(lex.Not, r.body, len(r.Tokens))
	atVerb := r.verb >= 0 && h.From >= r.verb-1 && h.From <= r.rest
	return h, ok && (h.From == r.body || atVerb || len(r.values) > 0 && h.To == r.values[0].Lo)
}

// keepsOne reports whether somebody keeps "a" thing, which is then mentioned for the first time.
func (r *reading) keepsOne(h lex.Hit) bool {
	next := lex.At(r.Tokens, h.To).Low
	return strings.HasPrefix(r.Tokens[h.From].Low, "keep") && h.To == h.From+1 && (next == "a" || next == "an")
}
