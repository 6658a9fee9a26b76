package statements

import "tenure"

// find returns the first phrase of a class from token lo to hi.
func (r *reading) find(c class, lo, hi int) (hit, bool) {
	best, ok := hit{}, false
	for _, h := range r.hits {
		if h.class&c != 0 && h.from >= lo && h.to <= hi && (!ok || h.from < best.from || h.from == best.from && h.to > best.to) {
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
	confidence float64
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
	{tenure.Retracts, isRetraction, .85},
	{tenure.Corrects, isCorrection, .85},
	{tenure.Asks, isQuestion, .9},
	{tenure.Requests, isRequest, .85},
	{tenure.Supposes, isSupposition, .85},
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
			return decision{rule.act, r.between(h.from, h.to), rule.sure}
		}
	}
	return decision{tenure.Asserts, "", .8}
}

func isJoke(r *reading) (hit, bool) {
	if h, ok := r.find(ironyStrong, 0, len(r.tokens)); ok {
		return h, true
	}
	for i, t := range r.tokens {
		if t.kind == emoji && (t.low == "🙄" || t.low == "😜" || t.low == "😏" || t.low == "🤡" || t.low == "🤪") {
			return hit{0, i, i + 1}, true
		}
	}
	return hit{}, false
}

// isQuestion holds for the form of a question, and for words that leave open what is so.
func isQuestion(r *reading) (hit, bool) {
	first := r.tokens[min(r.body, len(r.tokens)-1)]
	if r.asked {
		return hit{0, 0, 0}, !r.isRequestForm()
	}
	if h, ok := r.find(question, r.body, len(r.tokens)); ok && (h.from == r.body || h.to-h.from > 1) && !r.hasSubjectBefore(h.from) {
		return h, true
	}
	if first.is(inverting) && r.lex.language == "en" && r.body+1 < len(r.tokens) && !r.isRequestForm() {
		next := r.tokens[r.body+1]
		if next.is(pronoun|det|possessive) || next.capital {
			return hit{0, r.body, r.body + 1}, true
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
	h, ok := r.find(request|propose, r.body, len(r.tokens))
	return ok && h.from == r.body && h.to-h.from > 1
}

func isRequest(r *reading) (hit, bool) {
	if h, ok := r.find(request, 0, len(r.tokens)); ok && !r.isTelling(h.to) {
		return h, true
	}
	// an imperative
	i := r.body
	if i < len(r.tokens) && r.lex.language == "en" && r.tokens[i].is(infinitive) && r.verb == i && !r.isTelling(i) {
		return hit{0, i, i + 1}, true
	}
	return hit{}, false
}

// isTelling reports whether what is asked for is to pass something on that is so: "please tell them that it is".
func (r *reading) isTelling(i int) bool {
	for j := max(i-1, 0); j < len(r.tokens); j++ {
		if r.tokens[j].low == "that" && j > 0 && findVerb(r.tokens, j+1) >= 0 {
			return true
		}
	}
	return false
}

func isSupposition(r *reading) (hit, bool) { return r.find(suppose, 0, len(r.tokens)) }

func isProposal(r *reading) (hit, bool) { return r.find(propose, 0, len(r.tokens)) }

func isReport(r *reading) (hit, bool) {
	if r.has(authority) {
		return hit{}, false
	}
	return r.find(report, 0, len(r.tokens))
}

func isRetraction(r *reading) (hit, bool) {
	h, ok := r.find(retract, 0, len(r.tokens))
	return h, ok && !r.asked
}

func isCorrection(r *reading) (hit, bool) {
	h, ok := r.find(correct, 0, len(r.tokens))
	return h, ok && !r.asked
}

func isEnd(r *reading) (hit, bool) { return r.find(end, 0, len(r.tokens)) }

func isHistory(r *reading) (hit, bool) {
	if h, ok := r.find(history, 0, len(r.tokens)); ok {
		return h, true
	}
	if r.bounds.past.to > 0 {
		return r.bounds.past, true
	}
	if r.verb >= 0 && r.tokens[r.verb].is(pastBe) && !r.has(now) && r.rest < len(r.tokens) && !r.chained(r.rest) {
		return hit{0, r.verb, r.verb + 1}, true
	}
	return hit{}, false
}

func isDenial(r *reading) (hit, bool) {
	if h, ok := r.find(stay, 0, len(r.tokens)); ok && len(r.values) == 0 {
		return h, true
	}
	return r.find(deny|not, 0, len(r.tokens))
}
