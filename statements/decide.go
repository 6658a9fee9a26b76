package statements

import "slices"

var (
	decidings = func() (list [][]string) {
		for phrase := range words("deciding") {
			list = append(list, wordsOf(phrase, "en"))
		}
		return list
	}()
	revisers = words("reviser")
	those    = words("those")
	insteads = words("at last instead")
)

// settled finds the phrase of a clause that decides about the current topic without naming it: "let's go with Acme",
// "make that $150,000", "send it to New York instead". What follows the phrase is the value.
func (r *reading) settled() {
	h := r.deciding()
	if h.to == 0 {
		h = r.revising()
	}
	if h.to == 0 || h.to >= len(r.tokens) {
		return
	}
	r.settles, r.body, r.verb, r.rest = h, h.to-1, h.to-1, h.to
	r.close = r.beforeTail(r.rest)
}

// deciding finds how a clause begins that chooses a value: "let's go back to".
func (r *reading) deciding() hit {
	for _, phrase := range decidings {
		if end := matches(r.tokens, r.lead, phrase); end > 0 && !r.asked {
			return hit{0, r.lead, end}
		}
	}
	return hit{}
}

// revising finds the beginning of a clause that orders another value for what was said: "change that to". It might also
// be a request about a thing in the world, so it must have a typed value, repair what the speaker has just said, or say
// "instead".
func (r *reading) revising() hit {
	i := r.body
	verb, object := at(r.tokens, i), at(r.tokens, i+1)
	if r.asked || !those[object.low] || !verb.is(infinitive) || r.has(request) && !verb.is(request) {
		return hit{}
	}
	end := i + 2
	if tos[at(r.tokens, end).low] || at(r.tokens, end).is(prep) {
		end++
	}
	instead := insteads[r.tokens[len(r.tokens)-1].low]
	typed := slices.ContainsFunc(r.values, func(v value) bool { return v.lo == end && v.kind != kindText })
	if instead || revisers[verb.low] && (typed || r.repairs) {
		return hit{0, i, end}
	}
	return hit{}
}

// afterRepair returns where the clause goes on after "no wait," at i, 0 if it does not begin so.
func (r *reading) afterRepair(i int) int {
	for _, h := range r.tokens[i].hits {
		long := h.class&repair != 0 && h.class&correct == 0 && h.to > h.from+1
		if end := h.to; long && r.tokens[i].is(no|repair) && end+1 < len(r.tokens) {
			if r.tokens[end].low == "," {
				end++
			}
			r.repairs = true
			return end
		}
	}
	return 0
}

// isSettled holds for a clause that decides about the current topic.
func isSettled(r *reading) (hit, bool) {
	return r.settles, r.settles.to > 0 && r.settles.from == r.lead && r.isLets()
}

// isRevised holds for a clause that orders another value for the current topic.
func isRevised(r *reading) (hit, bool) { return r.settles, r.settles.to > 0 && !r.isLets() }

// isLets reports whether the clause chooses a value: "let's go with".
func (r *reading) isLets() bool { return r.deciding().to > 0 }
