package statements

import (
	"slices"

	"tenure/statements/clauses"
	"tenure/statements/lex"
)

var (
	decidings = lex.EnglishPhrases("deciding")
	revisers  = lex.Words("reviser")
	those     = lex.Words("those")
	insteads  = lex.Words("at last instead")
)

// settled finds the phrase of a clause that decides about the current topic without naming it: "let's go with Acme",
// "make that $150,000", "send it to New York instead". What follows the phrase is the value.
func (r *reading) settled() {
	h := r.deciding()
	if h.To == 0 {
		h = r.revising()
	}
	if h.To == 0 || h.To >= len(r.Tokens) {
		return
	}
	r.settles, r.body, r.verb, r.rest = h, h.To-1, h.To-1, h.To
	r.close = r.beforeTail(r.rest)
}

// deciding finds how a clause begins that chooses a value: "let's go back to".
func (r *reading) deciding() lex.Hit {
	for _, phrase := range decidings {
		if end := lex.Matches(r.Tokens, r.lead, phrase); end > 0 && !r.Asked {
			return lex.Hit{From: r.lead, To: end}
		}
	}
	return lex.Hit{}
}

// revising finds the beginning of a clause that orders another value for what was said: "change that to". It might also
// be a request about a thing in the world, so it must have a typed value, repair what the speaker has just said, or say
// "instead".
func (r *reading) revising() lex.Hit {
	i := r.body
	verb, object := lex.At(r.Tokens, i), lex.At(r.Tokens, i+1)
	if r.Asked || !those[object.Low] || !verb.Is(lex.Infinitive) || r.has(lex.Request) && !verb.Is(lex.Request) {
		return lex.Hit{}
	}
	end := i + 2
	if tos[lex.At(r.Tokens, end).Low] || lex.At(r.Tokens, end).Is(lex.Prep) {
		end++
	}
	instead := insteads[r.Tokens[len(r.Tokens)-1].Low]
	typed := slices.ContainsFunc(r.values, func(v clauses.Value) bool { return v.Lo == end && v.Kind != clauses.KindText })
	if instead || revisers[verb.Low] && (typed || r.repairs) {
		return lex.Hit{From: i, To: end}
	}
	return lex.Hit{}
}

// afterRepair returns where the clause goes on after "no wait," at i, 0 if it does not begin so.
func (r *reading) afterRepair(i int) int {
	for _, h := range r.Tokens[i].Hits {
		long := h.Class&lex.Repair != 0 && h.Class&lex.Correct == 0 && h.To > h.From+1
		if end := h.To; long && r.Tokens[i].Is(lex.No|lex.Repair) && end+1 < len(r.Tokens) {
			if r.Tokens[end].Low == "," {
				end++
			}
			r.repairs = true
			return end
		}
	}
	return 0
}

// isSettled holds for a clause that decides about the current topic.
func isSettled(r *reading) (lex.Hit, bool) {
	return r.settles, r.settles.To > 0 && r.settles.From == r.lead && r.isLets()
}

// isRevised holds for a clause that orders another value for the current topic.
func isRevised(r *reading) (lex.Hit, bool) { return r.settles, r.settles.To > 0 && !r.isLets() }

// isLets reports whether the clause chooses a value: "let's go with".
func (r *reading) isLets() bool { return r.deciding().To > 0 }
