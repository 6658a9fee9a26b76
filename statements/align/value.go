package align

import (
	"slices"
	"strings"
	"unicode/utf8"

	"tenure"
)

// valueScore is the evidence of the value: whether it would do for the slot, given what else the clause says of it.
func (a *alignment) valueScore(r *compared, c *candidate, e evidence) float64 {
	v := r.value()
	score := fit(c, r.group, v)
	switch {
	case v.text == "":
		return 0
	case !r.Act.Changes():
		return max(score, 0)
	case c.isOf(v), allIn(v.words, r.property):
		return fitNever
	case a.awaits(c) && score >= 0 && (r.group != groupText || r.bareOf(c)):
		return score + answers
	}
	spoken := e.property > 0 || e.old > 0
	if !spoken && !v.likeAny(c.held) {
		score += a.unspoken(r, c)
	}
	if a.set[c] && (r.Act == tenure.Asserts || !spoken) {
		score += setBefore
	}
	return score
}

// awaits reports whether a value is asked for, or missing since the statement before.
func (a *alignment) awaits(c *candidate) bool { return c.Asked && !a.set[c] || a.vacant[c] }

// unspoken is what speaks against a value whose property the clause does not name.
func (a *alignment) unspoken(r *compared, c *candidate) float64 {
	named, bare := c.inClause.known(), r.bareOf(c)
	against := 0.0
	switch {
	case r.group == groupNumber && !named:
		against = unspokenNumber
	case !r.group.words(), r.group != groupText && named, a.understood(r, c, bare):
	case r.group == groupText:
		against = unspokenText
	default:
		against = unspokenName
	}
	if (r.Act == tenure.Corrects || a.corrected) && (r.group != groupText || bare) {
		against /= 2
	}
	return against
}

// understood reports whether a property goes without saying: under a heading, for a title in quotation marks, for a
// subject and a value alone, and for what "it" is after it was spoken of.
func (a *alignment) understood(r *compared, c *candidate, bare bool) bool {
	switch {
	case a.headed == c, r.quoted() && c.titles():
		return true
	case !bare:
		return false
	}
	return c.inClause.known() && r.leads(c) || a.last == c && (r.pronoun && r.it || r.inherited)
}

// quoted reports whether the new value stands in quotation marks.
func (r *compared) quoted() bool {
	at := r.New.Start - r.Start
	if r.New.Text == "" || at < 1 || at > len(r.Text) {
		return false
	}
	mark, _ := utf8.DecodeLastRuneInString(r.Text[:at])
	return strings.ContainsRune("\"“”„«»‘", mark)
}

// titles reports whether the values of a slot are titles.
func (c *candidate) titles() bool {
	return slices.ContainsFunc(c.of.fields, func(f propertyField) bool { return f.heads["title"] })
}

// leads reports whether the name of a slot's subject stands before the value.
func (r *compared) leads(c *candidate) bool {
	return slices.ContainsFunc(r.clause, func(t wordAt) bool {
		in := func(n subjectName) bool { return containsWord(n.words, t.word) }
		return t.at < r.valueAt() && slices.ContainsFunc(c.names, in)
	})
}

// bareOf reports whether a clause has nothing but the subject and the value: "OPS-311 closed".
func (r *compared) bareOf(c *candidate) bool {
	return len(withoutNames(c, r.full)) == 0
}

// isOf reports whether a value is only words of the subject's name or of the property's.
func (c *candidate) isOf(v worded) bool {
	return allIn(v.words, c.of.phrases[0]) || slices.ContainsFunc(c.names, func(n subjectName) bool {
		return allIn(v.words, n.words) || allIn(n.words, v.words)
	})
}
