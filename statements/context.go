package statements

import (
	"slices"
	"strings"

	"tenure"
	"tenure/statements/lex"
)

// settle applies to the clauses of a turn what their neighbours imply: an item has the act of its heading, a clause
// after "Anna says that" is still Anna's, "only from May" limits the clause before, what follows "typo" corrects.
func settle(list []*reading) {
	for i, r := range list {
		if i == 0 {
			continue
		}
		r.underHeading(list[:i])
		r.inSentence(list[:i])
		r.afterCorrection(list[i-1])
		r.limits(list[i-1])
		r.weakens(list[:i])
		r.questions(list[:i])
		r.nameOwner(list[:i])
	}
}

// opens reports whether an act of a heading or of a sentence's beginning is also that of what follows.
func opens(act tenure.Act) bool {
	switch act {
	case tenure.Supposes, tenure.Proposes, tenure.Reports, tenure.Recounts, tenure.Jokes:
		return true
	}
	return false
}

// underHeading takes over the act of a heading: a clause without a verb that names no value, before items or fragments.
func (r *reading) underHeading(before []*reading) {
	if r.decision.act != tenure.Asserts && r.decision.act != tenure.Plans {
		return
	}
	for i := len(before) - 1; i >= 0 && i >= len(before)-12; i-- {
		h := before[i]
		if !h.isHeading() {
			continue
		}
		if opens(h.decision.act) && r.isUnder(h, i == len(before)-1) {
			r.decision = h.decision.elsewhere()
			r.decision.confidence -= .1
		}
		return
	}
}

// isUnder reports whether a clause stands under a heading: as an item, a fragment, or right behind it.
func (r *reading) isUnder(h *reading, next bool) bool {
	return (!h.Item || r.Line == h.Line) && (r.Item || r.verb < 0 || next && !h.Item)
}

// isHeading reports whether a clause only says what follows is about.
func (r *reading) isHeading() bool {
	bare := r.verb < 0 || r.rest >= r.close && !r.Tokens[r.verb].Is(lex.Be)
	return bare && len(r.Tokens) <= 10 && (len(r.values) == 0 || r.decision.act != tenure.Asserts)
}

var contrasts = lex.Words("contrast")

// inSentence takes over the act of a clause before in the same sentence.
func (r *reading) inSentence(before []*reading) {
	if r.decision.act != tenure.Asserts || contrasts[r.Tokens[0].Low] {
		return
	}
	for i := len(before) - 1; i >= 0 && before[i].Sentence == r.Sentence; i-- {
		if h := before[i]; r.goesOn(h) {
			r.decision, r.voice = h.decision.elsewhere(), h.voice
			return
		}
	}
}

// goesOn reports whether a clause is part of what one before it in its sentence says.
func (r *reading) goesOn(h *reading) bool {
	switch act := h.decision.act; {
	case r.Listed && opens(act), act == tenure.Jokes:
		return true
	case act == tenure.Reports:
		return h.decision.reported
	case act == tenure.Recounts:
		return r.isPast()
	case act == tenure.Supposes, act == tenure.Proposes, act == tenure.Requests, act == tenure.Asks:
		return thats[r.Tokens[0].Low]
	}
	return false
}

// isPast reports whether the verb of a clause is a past form of "be" or ends in -ed.
func (r *reading) isPast() bool {
	if r.verb < 0 {
		return true
	}
	low := r.Tokens[r.verb].Low
	return r.Tokens[r.verb].Is(lex.PastBe) || low == "had" || len(low) > 3 && low[len(low)-2:] == "ed"
}

// afterCorrection makes a correction of what follows "typo" or "sorry, wrong file".
func (r *reading) afterCorrection(h *reading) {
	if r.decision.act != tenure.Asserts || len(r.values) == 0 && r.verb < 0 {
		return
	}
	if h.decision.act == tenure.Corrects && (len(h.pairs()) == 0 || h.verb < 0 && len(h.values) == 0) {
		r.decision = decision{act: tenure.Corrects, trigger: h.decision.trigger, confidence: .75}
	}
}

// weakens changes the acts of earlier clauses that a clause takes back: "just a thought", "only a draft", "just
// kidding".
func (r *reading) weakens(before []*reading) {
	act, trigger := tenure.Proposes, ""
	h, ok := r.find(lex.Unmade, 0, len(r.Tokens))
	if ok {
		trigger = r.Between(h.From, h.To)
	}
	if r.decision.act == tenure.Jokes && len(r.pairs()) == 0 {
		act, trigger, ok = tenure.Jokes, r.decision.trigger, true
	}
	if r.denies(before) {
		return
	}
	if !ok {
		return
	}
	for i := len(before) - 1; i >= 0; i-- {
		b := before[i]
		if act == tenure.Jokes && b.Sentence != r.Sentence && b.Sentence != before[len(before)-1].Sentence {
			return
		}
		if b.decision.act.Changes() {
			b.decision = decision{act: act, trigger: trigger, confidence: .7}
		}
	}
}

// denies takes back the clause before in the sentence, or what was reported in the one before: "..., which is not so".
// So does a remark that it was so in the past: "that was back in 2021".
func (r *reading) denies(before []*reading) bool {
	last := before[len(before)-1]
	if last.decision.act != tenure.Asserts {
		return false
	}
	h, refuted := r.find(lex.Refute, 0, len(r.Tokens))
	switch {
	case refuted && (last.Sentence == r.Sentence || len(r.Tokens) <= 5):
		last.decision = decision{act: tenure.Denies, trigger: r.Between(h.From, h.To), confidence: .7}
	case r.datesBack() && last.isPast():
		last.decision = decision{act: tenure.Recounts, trigger: r.decision.trigger, confidence: .7}
	default:
		return false
	}
	return true
}

// datesBack reports whether a clause only says that the one before it was long ago.
func (r *reading) datesBack() bool {
	first := lex.At(r.Tokens, r.lead).Low
	return r.decision.act == tenure.Recounts && len(r.Tokens) < 10 && (first == "that" || first == "this" || first == "it")
}

// questions changes the acts of earlier assertions whose value the clause asks about or denies.
func (r *reading) questions(before []*reading) {
	act := r.decision.act
	if act != tenure.Asks && act != tenure.Denies || len(r.values) == 0 {
		return
	}
	for _, b := range before[max(0, len(before)-3):] {
		if b.decision.act == tenure.Asserts && b.sharesValue(r) {
			b.decision = decision{act: act, trigger: r.decision.trigger, confidence: .6}
		}
	}
}

// sharesValue reports whether two clauses name one value.
func (r *reading) sharesValue(o *reading) bool {
	for _, v := range r.values {
		for _, w := range o.values {
			if v.Lo >= r.rest && w.Lo >= o.rest && strings.EqualFold(r.Between(v.Lo, v.Hi), o.Between(w.Lo, w.Hi)) {
				return true
			}
		}
	}
	return false
}

// limits gives a time that stands by itself to the clause before: "..., but only from September".
func (r *reading) limits(h *reading) {
	if r.verb >= 0 || h.Sentence != r.Sentence || r.bounds.from == nil && r.bounds.until == nil {
		return
	}
	for _, v := range r.values {
		if !r.bounds.isSpent(v) {
			return
		}
	}
	if h.bounds.from == nil {
		h.bounds.from = r.bounds.from
	}
	if h.bounds.until == nil {
		h.bounds.until = r.bounds.until
	}
}

// nameOwner finds what a fragment such as "colour black" is about: the subject of a clause before it in the sentence.
func (r *reading) nameOwner(before []*reading) {
	for i := len(before) - 1; i >= 0 && before[i].Line == r.Line && i >= len(before)-6; i-- {
		h := before[i]
		if h.leadsIn() {
			continue
		}
		hi := h.endOfSubject()
		if hi <= h.body {
			continue
		}
		if lo, end, _ := h.subject(hi); end > lo && !h.Tokens[end-1].Is(lex.Attribute) {
			r.owner = h.span(lo, end)
			return
		}
		if h.owner.Text != "" {
			r.owner = h.owner
			return
		}
	}
}

// leadsIn reports whether a clause is a mere lead-in of several words, or a verb: "by the way", "noted".
func (r *reading) leadsIn() bool {
	return !slices.ContainsFunc(r.Tokens, func(t lex.Token) bool {
		return t.Kind != lex.Punct && t.Within&lex.Lead == 0 && (!t.Is(lex.Lead) || !t.Is(lex.Verb|lex.Say))
	})
}

// endOfSubject is where the noun phrase ends that a clause is about.
func (r *reading) endOfSubject() int {
	switch {
	case r.verb >= 0:
		return r.verb
	case len(r.values) == 0:
		return len(r.Tokens)
	case r.values[0].Lo <= r.body:
		return r.values[0].Hi
	}
	return r.values[0].Lo
}
