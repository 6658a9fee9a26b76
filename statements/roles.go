package statements

import (
	"strings"

	"tenure/statements/clauses"
	"tenure/statements/lex"
	"tenure/values"
)

// pair is a new value and the old one that it stands against; either may be empty.
type pair struct {
	now, old clauses.Value
	// counted is the noun that a number counts: a word for the property.
	counted string
	// alternate reports whether it is another reading than the pair before.
	alternate bool
	// dated reports whether the value is the date of the clause itself; inverted whether it is what the clause begins
	// with, as in "Ines has the pager".
	dated, inverted bool
	// moved reports whether the values are where something moves from and to: denied, it has not moved.
	moved bool
}

// covers reports whether one of the values overlaps tokens lo to hi.
func (p pair) covers(lo, hi int) bool {
	return p.now.Lo < hi && lo < p.now.Hi || p.old.Lo < hi && lo < p.old.Hi
}

// within reports whether the values are words that decided the act.
func (p pair) within(h lex.Hit) bool { return h.To > 0 && p.now.Lo >= h.From && p.now.Hi <= h.To }

var (
	froms, tos, buts = lex.Words("from"), lex.Words("to"), lex.Words("but")
	instead, arrows  = lex.Phrases("instead"), lex.Words("arrow")
)

// contrast finds values that a clause sets against each other: from X to Y, X instead of Y, not X but Y, X -> Y.
func (r *reading) contrast() (pair, bool) {
	for i, t := range r.Tokens {
		p, ok := pair{}, false
		switch {
		case t.Kind == lex.Punct && arrows[t.Low]:
			p = pair{now: r.valueAfter(i + 1), old: r.valueBefore(i)}
			ok = !p.now.Empty()
		case froms[t.Low]:
			p, ok = r.fromTo(i)
		case r.begins(i, lex.Replaces):
			p = pair{now: r.nameUpTo(i), old: r.valueAfter(r.endOf(i, lex.Replaces))}
			ok = !p.now.Empty() && !p.old.Empty()
		case r.isHandedOver(i), r.begins(i, lex.Yields):
			p, ok = r.yielded(i)
		case r.insteadOf(i) > 0:
			p = pair{now: r.valueBefore(i), old: r.valueAfter(r.insteadOf(i))}
			ok = !p.now.Empty() && !p.old.Empty()
		case r.begins(i, lex.Repair) && !r.begins(i, lex.End): // "no longer"
			p, ok = r.repaired(i)
		}
		if !ok && t.Is(lex.Not) {
			p, ok = r.notBut(i)
		}
		if ok {
			return p, true
		}
	}
	return pair{}, false
}

// yielded reads "X gives way to Y", and "X hands something over to Y". At i are the words before Y.
func (r *reading) yielded(i int) (pair, bool) {
	if r.isHandedOver(i) {
		p := pair{now: r.valueAfter(i + 2), old: r.nameUpTo(r.verb)}
		return p, !p.now.Empty() && !p.old.Empty()
	}
	p := pair{now: r.valueAfter(r.endOf(i, lex.Yields)), old: r.nameUpTo(i)}
	return p, !p.now.Empty()
}

// handers are verbs of giving something away, before "over to".
var handers = lex.Words("hander")

// isHandedOver reports whether "over to" stands at i after a verb of giving away: "Lena handed Plover over to Marco".
func (r *reading) isHandedOver(i int) bool {
	return r.verb > r.body && r.verb < i-1 && handers[r.Tokens[r.verb].Low] && r.Tokens[i].Low == "over" &&
		lex.At(r.Tokens, i+1).Low == "to"
}

// insteadOf returns where "instead of" or the like ends that stands at i, 0 if none does.
func (r *reading) insteadOf(i int) int {
	for _, phrase := range instead {
		if end := lex.Matches(r.Tokens, i, phrase); end > 0 {
			return end
		}
	}
	return 0
}

// valueAfter returns the value that begins at i, or after an article or preposition there.
func (r *reading) valueAfter(i int) clauses.Value {
	for j := i; j < len(r.Tokens) && j < i+4; j++ {
		for _, v := range r.values {
			if v.Lo == j {
				return v
			}
		}
		if t := r.Tokens[j]; t.IsOpen() {
			k := j
			for k < len(r.Tokens) && k < j+4 && r.Tokens[k].IsOpen() {
				k++
			}
			return clauses.Value{Lo: j, Hi: k, Kind: clauses.KindText}
		}
	}
	return clauses.Value{}
}

// valueBefore returns the value that ends before i.
func (r *reading) valueBefore(i int) clauses.Value {
	for n := len(r.values) - 1; n >= 0; n-- {
		if v := r.values[n]; v.Hi <= i && v.Hi >= i-3 && v.Lo >= r.body {
			return v
		}
	}
	k := i
	for k > r.rest && !r.Tokens[k-1].IsOpen() {
		k--
	}
	j := k
	for j > r.rest && r.Tokens[j-1].IsOpen() {
		j--
	}
	return clauses.Value{Lo: j, Hi: k, Kind: clauses.KindText}
}

// nameUpTo returns the value that ends at i, where verbs and adverbs may stand between: in a clause, its subject.
func (r *reading) nameUpTo(i int) clauses.Value {
	for i > r.body && (r.Tokens[i-1].Is(lex.Be|lex.Have|lex.Modal|lex.Adverb|lex.Do) || r.Tokens[i-1].Low == "to") {
		i--
	}
	for _, v := range r.values {
		if v.Hi == i {
			return v
		}
	}
	if lo, hi := r.trimNoun(r.body, i); hi > lo && hi-lo <= 3 {
		return clauses.Value{Lo: lo, Hi: hi, Kind: clauses.KindText}
	}
	return clauses.Value{}
}

// endOf returns where the longest phrase of a class ends that begins at i.
func (r *reading) endOf(i int, c lex.Class) int {
	end := i + 1
	for _, h := range r.Tokens[i].Hits {
		if h.Class&c != 0 {
			end = max(end, h.To)
		}
	}
	return end
}

var takers = lex.Words("taker")

// takenOver reads "Vera took over the newsletter from Tom". At i is "from".
func (r *reading) takenOver(i int) (pair, bool) {
	v := r.verb
	if v <= r.body || !takers[r.Tokens[v].Low] || lex.At(r.Tokens, v+1).Low != "over" && r.Tokens[v].Low[0] == 't' {
		return pair{}, false
	}
	p := pair{now: r.nameUpTo(v), old: r.valueAfter(i + 1), inverted: true}
	return p, !p.now.Empty() && !p.old.Empty()
}

// fromTo reads "from X to Y" where the verb is one of change.
func (r *reading) fromTo(i int) (pair, bool) {
	if p, ok := r.takenOver(i); ok {
		return p, true
	}
	if !r.has(lex.Moves) {
		return pair{}, false
	}
	for j := i + 2; j < len(r.Tokens) && j < i+9; j++ {
		if !tos[r.Tokens[j].Low] {
			continue
		}
		old, now := r.valueAfter(i+1), r.valueAfter(j+1)
		if !old.Empty() && !now.Empty() && old.Hi <= j {
			return pair{now: now, old: old, moved: true}, true
		}
	}
	return pair{}, false
}

// repaired reads a slip of the tongue that is put right at once: "Tuesday, no, Wednesday". At i is what says so.
func (r *reading) repaired(i int) (pair, bool) {
	var old, now clauses.Value
	for _, v := range r.values {
		switch {
		case v.Hi <= i && v.Hi >= i-2:
			old = v
		case v.Lo > i && now.Empty() && !old.Empty() && v.Lo <= i+8 && v.Kind == old.Kind && !r.negated(v.Lo):
			now = v
		case !now.Empty() && v.Kind == now.Kind && v.Lo <= now.Hi+1 && v.Kind == clauses.KindName:
			now = v
		}
	}
	return pair{now: now, old: old}, !old.Empty() && !now.Empty()
}

// negated reports whether "not" stands before i.
func (r *reading) negated(i int) bool { return i > 0 && r.Tokens[i-1].Is(lex.Not) }

// notBut reads "not X but Y" and "Y, not X".
func (r *reading) notBut(i int) (pair, bool) {
	old := r.valueAfter(i + 1)
	if old.Empty() || old.Lo > i+3 {
		return pair{}, false
	}
	for j := old.Hi; j < len(r.Tokens) && j < old.Hi+6; j++ {
		if buts[r.Tokens[j].Low] {
			if now := r.valueAfter(j + 1); !now.Empty() {
				return pair{now: now, old: old}, true
			}
		}
	}
	now := r.valueBefore(i)
	alike := now.Hi == i && now.Kind == old.Kind && now.Kind != clauses.KindText // "6pm not 5pm"
	if !now.Empty() && now.Hi >= i-1 && now.Lo >= r.body && (alike || r.Tokens[i-1].Low == ",") {
		return pair{now: now, old: old}, true
	}
	return pair{}, false
}

// longestValue bounds the words of a value that has no type.
const longestValue = 8

// pairs returns the values that a clause states, each with what it is of.
func (r *reading) pairs() []pair {
	if p, ok := r.contrast(); ok {
		return []pair{p}
	}
	if r.verb < 0 {
		return r.fragments()
	}
	if p, ok := r.fronted(); ok {
		return []pair{p}
	}
	list := r.typed(r.rest, r.close)
	lo, hi := r.complement(r.rest, r.beforeTimes(r.rest, r.close))
	list = r.withWords(list, lo, hi)
	if at := r.participle(); len(list) == 0 && at > 0 {
		list = append(list, pair{now: clauses.Value{Lo: at, Hi: max(r.close, at+1), Kind: clauses.KindText}})
	}
	for _, d := range r.bounds.dates {
		if len(list) > 0 && d.Lo >= r.rest {
			list = append(list, pair{now: d, alternate: true, dated: true})
		}
	}
	n := r.nameBefore()
	switch {
	case n.Empty() || hi <= lo && r.rest >= len(r.Tokens) || !r.mayBeInverted():
	case r.isOffice(lo, hi):
		for i := range list {
			list[i].alternate = true
		}
		list = append([]pair{{now: n, inverted: true}}, list...)
	default:
		list = append(list, pair{now: n, alternate: len(list) > 0, inverted: true})
	}
	return list
}

// isOffice reports whether words behind a form of "be" say what somebody is of something: "the manager of Rosa", "the
// ward's head nurse".
func (r *reading) isOffice(lo, hi int) bool {
	if lo >= hi || lo == 0 || !r.Tokens[r.verb].Is(lex.Be) || !r.Tokens[lo-1].Is(lex.Det|lex.Possessive) {
		return false
	}
	_, _, property, ok := r.owned(lo, hi)
	return ok && property != ""
}

// fronted reads a clause whose value is what it begins with: "Bruges it is", "Bea is in".
func (r *reading) fronted() (pair, bool) {
	v := r.verb
	if v <= r.body || !r.Tokens[v].Is(lex.Be) {
		return pair{}, false
	}
	if v-1 > r.body && r.rest >= r.close && r.Tokens[v-1].Low == "it" {
		lo, hi := r.trimNoun(r.body, v-1)
		return pair{now: clauses.Value{Lo: lo, Hi: hi, Kind: r.kindOfSpan(lo, hi)}}, hi > lo
	}
	if r.rest >= len(r.Tokens) && lex.At(r.Tokens, v+1).Low == "in" {
		n := r.nameBefore()
		return pair{now: n}, !n.Empty()
	}
	return pair{}, false
}

// typed returns the typed values and names of tokens lo to hi that bound nothing.
func (r *reading) typed(lo, hi int) []pair {
	var list []pair
	for _, v := range r.values {
		if v.Lo < lo || v.Lo >= hi || r.bounds.isSpent(v) {
			continue
		}
		if v.Kind == clauses.KindName && v.Lo > lo && isCompound(r.Tokens[v.Lo-1]) {
			v.Lo--
		}
		p := pair{now: v}
		if v.Unit > v.Hi {
			p.counted = r.Between(v.Hi, v.Unit)
		}
		list = append(list, p)
	}
	return list
}

// isCompound reports whether a token is a word such as "card-based", which makes a name behind it a part of its phrase.
func isCompound(t lex.Token) bool {
	return t.IsOpen() && !t.Capital && strings.Contains(t.Low, "-") && t.Kind == lex.Word
}

// withWords adds tokens lo to hi as they stand, another reading where there are values already.
func (r *reading) withWords(list []pair, lo, hi int) []pair {
	if hi <= lo || hi-lo > longestValue || len(list) > 0 && list[0].now.Lo == lo && list[0].now.Hi == hi {
		return list
	}
	return append(list, pair{now: clauses.Value{Lo: lo, Hi: hi, Kind: r.kindOfSpan(lo, hi)}, alternate: len(list) > 0})
}

// participle returns where a state begins that is told by a participle: "is running normally"; 0 if there is none.
func (r *reading) participle() int {
	if !r.Tokens[r.verb].Is(lex.Be) || r.rest < r.close {
		return 0
	}
	for i := r.verb + 1; i < min(r.rest, len(r.Tokens)); i++ {
		if t := r.Tokens[i]; t.Is(lex.Verb) && !t.Is(lex.Be|lex.Have|lex.Modal|lex.Do) && len(r.Tokens)-i <= 4 {
			return i
		}
	}
	return 0
}

// mayBeInverted reports whether the value may be what the clause begins with: "Ines has the pager", "Ann is the chair".
func (r *reading) mayBeInverted() bool {
	if !r.Tokens[r.verb].Is(lex.Be) || r.rest > r.verb+1 && r.Tokens[r.rest-1].Is(lex.Verb) {
		return true
	}
	return r.rest < len(r.Tokens) && r.Tokens[r.rest].Is(lex.Det|lex.Possessive)
}

// ended returns the values that a clause of ending or taking back may mean.
func (r *reading) ended(trigger lex.Hit) []pair {
	if p, ok := r.contrast(); ok {
		return []pair{p}
	}
	var list []pair
	for _, v := range r.values {
		if !r.bounds.isSpent(v) && (v.Hi <= trigger.From || v.Lo >= trigger.To) {
			list = append(list, pair{old: v})
		}
	}
	if lo, hi := r.trimNoun(r.body, max(r.verb, r.body)); len(list) == 0 && hi > lo && hi-lo <= 4 && r.verb > r.body {
		list = append(list, pair{old: clauses.Value{Lo: lo, Hi: hi, Kind: clauses.KindText}})
	}
	if lo, hi := r.complement(max(r.rest, trigger.To), r.close); len(list) == 0 && hi > lo && hi-lo <= 5 {
		list = append(list, pair{old: clauses.Value{Lo: lo, Hi: hi, Kind: clauses.KindText}})
	}
	return list
}

// nameBefore returns the name before the verb, where it may be the value: "Ines has the pager".
func (r *reading) nameBefore() clauses.Value {
	lo, hi := r.trimNoun(r.body, r.verb)
	if lo >= hi || hi-lo > 4 {
		return clauses.Value{}
	}
	for _, v := range r.values {
		last := v.Lo > lo && v.Hi == hi // "her partner Mr Dijk"
		led := v.Lo == lo && v.Hi < hi && r.Tokens[v.Hi].Is(lex.Prep)
		if v.Kind == clauses.KindName && (last || led) {
			return v
		}
	}
	v := clauses.Value{Lo: lo, Hi: hi, Kind: r.kindOfSpan(lo, hi)}
	if t := r.Tokens[lo]; v.Kind == clauses.KindText &&
		(hi > lo+1 || lex.At(r.Tokens, lo-1).Is(lex.Det) || !t.IsOpen() || t.Is(lex.Attribute|lex.UnitNoun|lex.Noun)) {
		return clauses.Value{}
	}
	return v
}

// fragments returns the values of a clause without a verb: "desk 4C", "Ember lamp £45".
func (r *reading) fragments() []pair {
	lo, hi := r.afterColon(), r.close
	list := r.typed(lo, len(r.Tokens))
	if lo == r.body {
		list = r.typed(0, len(r.Tokens))
	}
	if p, ok := r.stateOf(list); ok {
		return []pair{p, {now: list[0].now, alternate: true}}
	}
	if len(list) > 1 && list[0].now.Lo == r.trimmedStart() && list[0].now.Hi == list[1].now.Lo {
		list[0].alternate = true // "Figma 18 seats"
		list = append(list[1:], list[0])
	}
	if at := r.afterAttribute(lo, hi); at > 0 {
		lo = at
	}
	lo, hi = r.complement(lo, r.beforeTimes(lo, hi))
	return r.withWords(list, lo, hi)
}

// afterColon is where a value begins that a colon or an equals sign leads in: "pick-up point: kiosk"; else where the
// clause does.
func (r *reading) afterColon() int {
	for i := r.body; i < r.close-1; i++ {
		if low := r.Tokens[i].Low; low == ":" || low == "=" {
			return i + 1
		}
	}
	return r.body
}

// stateOf reads "OPS-311 in progress": the only value stands first, and is what the words after it are about.
func (r *reading) stateOf(list []pair) (pair, bool) {
	if len(list) != 1 {
		return pair{}, false
	}
	v := list[0].now
	if k := values.Kind(v.Kind); k == values.Quantity || k == values.Money {
		return pair{}, false // "3 days in office"
	}
	if v.Lo != r.trimmedStart() || v.Hi >= r.close || r.Tokens[v.Hi].Is(lex.Conj) {
		return pair{}, false
	}
	lo, hi := r.complement(v.Hi, r.beforeTimes(v.Hi, r.close))
	return pair{now: clauses.Value{Lo: lo, Hi: hi, Kind: r.kindOfSpan(lo, hi)}}, hi > lo && hi-lo <= 5
}

// beforeTimes returns where times that bound the value begin, if they follow it.
func (r *reading) beforeTimes(lo, hi int) int {
	for _, s := range r.bounds.spent {
		if s[0] > lo {
			hi = min(hi, s[0])
		}
	}
	return hi
}

// trimmedStart is where the first noun phrase of the clause begins.
func (r *reading) trimmedStart() int {
	lo, _ := r.trimNoun(r.body, len(r.Tokens))
	return lo
}

// afterAttribute returns where the value begins of a fragment that begins with a property: "colour black with gold
// trim"; 0 if it does not.
func (r *reading) afterAttribute(lo, hi int) int {
	lo, _ = r.trimNoun(lo, hi)
	for i := lo; i < hi-1 && i < lo+3; i++ {
		t, next := r.Tokens[i], r.Tokens[i+1]
		if !t.IsOpen() {
			return 0
		}
		if t.Is(lex.Attribute) && !next.Is(lex.Attribute|lex.Prep|lex.Conj) && next.Kind != lex.Punct {
			return i + 1
		}
	}
	return 0
}
