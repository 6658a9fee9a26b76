package statements

import (
	"slices"

	"tenure/statements/clauses"
	"tenure/statements/lex"
)

// longestPhrase bounds the words of a noun phrase that may be a value, and mostOthers how many values a clause has
// beside those that its form tells.
const longestPhrase, mostOthers = 5, 8

// others returns the values that a clause names beside those of its pairs: typed values, names, noun phrases. Each may
// be the value that is meant where the form of the clause does not tell it.
func (r *reading) others(have []pair) (list []pair) {
	seen := map[[2]int]bool{}
	for _, p := range have {
		seen[[2]int{p.now.Lo, p.now.Hi}], seen[[2]int{p.old.Lo, p.old.Hi}] = true, true
	}
	add := func(v clauses.Value) {
		part := slices.ContainsFunc(have, func(p pair) bool { return r.isPart(v, p.now) })
		if k := [2]int{v.Lo, v.Hi}; v.Lo >= r.settles.To && !part && !seen[k] && !v.Empty() && len(list) < mostOthers {
			seen[k] = true
			list = append(list, pair{now: v, alternate: true})
		}
	}
	for _, v := range r.values {
		add(v)
	}
	lo := 0
	for i := 0; i <= len(r.Tokens); i++ {
		if i < len(r.Tokens) && mayBeOfValue(r.Tokens[i]) && !r.bounds.spends(i) {
			continue
		}
		if from, until := r.trimNoun(lo, i); until > from && until-from <= longestPhrase {
			add(clauses.Value{Lo: from, Hi: until, Kind: r.kindOfSpan(from, until)})
		}
		lo = i + 1
	}
	return list
}

// mayBeOfValue reports whether a token may be part of a value of words: a number, a name, a noun, an adjective.
func mayBeOfValue(t lex.Token) bool {
	switch t.Kind {
	case lex.Number, lex.Quoted:
		return true
	case lex.Word:
		closed := t.Is(lex.FunctionWord | lex.Filler | lex.Do | lex.Now | lex.Tail)
		return t.Is(lex.NumberWord) || t.Capital && len(t.Low) > 1 ||
			!closed && (!t.Is(lex.Verb) || t.Is(lex.Noun|lex.Attribute|lex.UnitNoun|lex.Infinitive))
	}
	return false
}

// isPart reports whether a value is the end of another that says which is meant: "UI" of "card-based UI", "week" of
// "this week".
func (r *reading) isPart(v, of clauses.Value) bool {
	first := lex.At(r.Tokens, of.Lo)
	return of.Lo < v.Lo && of.Hi == v.Hi && (isCompound(first) || nearby[first.Low])
}
