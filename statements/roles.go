package statements

import (
	"strings"

	"tenure/statements/lex"
	"tenure/values"
)

// pair is a new value and the old one that it stands against; either may be empty.
type pair struct {
	now, old value
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
	return p.now.lo < hi && lo < p.now.hi || p.old.lo < hi && lo < p.old.hi
}

// within reports whether the values are words that decided the act.
func (p pair) within(h lex.Hit) bool { return h.To > 0 && p.now.lo >= h.From && p.now.hi <= h.To }

func (v value) empty() bool { return v.hi <= v.lo }

var (
	froms, tos, buts = lex.Words("from"), lex.Words("to"), lex.Words("but")
	instead, arrows  = lex.Phrases("instead"), lex.Words("arrow")
)

// contrast finds values that a clause sets against each other: from X to Y, X instead of Y, not X but Y, X -> Y.
func (r *reading) contrast() (pair, bool) {
	for i, t := range r.tokens {
		p, ok := pair{}, false
		switch {
		case t.Kind == lex.Punct && arrows[t.Low]:
			p = pair{now: r.valueAfter(i + 1), old: r.valueBefore(i)}
			ok = !p.now.empty()
		case froms[t.Low]:
			p, ok = r.fromTo(i)
		case r.begins(i, lex.Replaces):
			p = pair{now: r.nameUpTo(i), old: r.valueAfter(r.endOf(i, lex.Replaces))}
			ok = !p.now.empty() && !p.old.empty()
		case r.isHandedOver(i), r.begins(i, lex.Yields):
			p, ok = r.yielded(i)
		case r.isInstead(i):
			p = pair{now: r.valueBefore(i), old: r.valueAfter(i + 1)}
			ok = !p.now.empty() && !p.old.empty()
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
		return p, !p.now.empty() && !p.old.empty()
	}
	p := pair{now: r.valueAfter(r.endOf(i, lex.Yields)), old: r.nameUpTo(i)}
	return p, !p.now.empty()
}

// handers are verbs of giving something away, before "over to".
var handers = lex.Words("hander")

// isHandedOver reports whether "over to" stands at i after a verb of giving away: "Lena handed Plover over to Marco".
func (r *reading) isHandedOver(i int) bool {
	return r.verb > r.body && r.verb < i-1 && handers[r.tokens[r.verb].Low] && r.tokens[i].Low == "over" &&
		lex.At(r.tokens, i+1).Low == "to"
}

// isInstead reports whether "instead of" or the like stands at i.
func (r *reading) isInstead(i int) bool {
	for _, phrase := range instead {
		if lex.Matches(r.tokens, i, phrase) > 0 {
			return true
		}
	}
	return false
}

// valueAfter returns the value that begins at i, or after an article or preposition there.
func (r *reading) valueAfter(i int) value {
	for j := i; j < len(r.tokens) && j < i+4; j++ {
		for _, v := range r.values {
			if v.lo == j {
				return v
			}
		}
		if t := r.tokens[j]; t.IsOpen() {
			k := j
			for k < len(r.tokens) && k < j+4 && r.tokens[k].IsOpen() {
				k++
			}
			return value{j, k, kindText, 0}
		}
	}
	return value{}
}

// valueBefore returns the value that ends before i.
func (r *reading) valueBefore(i int) value {
	for n := len(r.values) - 1; n >= 0; n-- {
		if v := r.values[n]; v.hi <= i && v.hi >= i-3 && v.lo >= r.body {
			return v
		}
	}
	k := i
	for k > r.rest && !r.tokens[k-1].IsOpen() {
		k--
	}
	j := k
	for j > r.rest && r.tokens[j-1].IsOpen() {
		j--
	}
	return value{j, k, kindText, 0}
}

// nameUpTo returns the value that ends at i, where verbs and adverbs may stand between: in a clause, its subject.
func (r *reading) nameUpTo(i int) value {
	for i > r.body && (r.tokens[i-1].Is(lex.Be|lex.Have|lex.Modal|lex.Adverb|lex.Do) || r.tokens[i-1].Low == "to") {
		i--
	}
	for _, v := range r.values {
		if v.hi == i {
			return v
		}
	}
	if lo, hi := r.trimNoun(r.body, i); hi > lo && hi-lo <= 3 {
		return value{lo, hi, kindText, 0}
	}
	return value{}
}

// endOf returns where the longest phrase of a class ends that begins at i.
func (r *reading) endOf(i int, c lex.Class) int {
	end := i + 1
	for _, h := range r.tokens[i].Hits {
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
	if v <= r.body || !takers[r.tokens[v].Low] || lex.At(r.tokens, v+1).Low != "over" && r.tokens[v].Low[0] == 't' {
		return pair{}, false
	}
	p := pair{now: r.nameUpTo(v), old: r.valueAfter(i + 1), inverted: true}
	return p, !p.now.empty() && !p.old.empty()
}

// fromTo reads "from X to Y" where the verb is one of change.
func (r *reading) fromTo(i int) (pair, bool) {
	if p, ok := r.takenOver(i); ok {
		return p, true
	}
	if !r.has(lex.Moves) {
		return pair{}, false
	}
	for j := i + 2; j < len(r.tokens) && j < i+9; j++ {
		if !tos[r.tokens[j].Low] {
			continue
		}
		old, now := r.valueAfter(i+1), r.valueAfter(j+1)
		if !old.empty() && !now.empty() && old.hi <= j {
			return pair{now: now, old: old, moved: true}, true
		}
	}
	return pair{}, false
}

// repaired reads a slip of the tongue that is put right at once: "Tuesday, no, Wednesday". At i is what says so.
func (r *reading) repaired(i int) (pair, bool) {
	var old, now value
	for _, v := range r.values {
		switch {
		case v.hi <= i && v.hi >= i-2:
			old = v
		case v.lo > i && now.empty() && !old.empty() && v.lo <= i+8 && v.kind == old.kind && !r.negated(v.lo):
			now = v
		case !now.empty() && v.kind == now.kind && v.lo <= now.hi+1 && v.kind == kindName:
			now = v
		}
	}
	return pair{now: now, old: old}, !old.empty() && !now.empty()
}

// negated reports whether "not" stands before i.
func (r *reading) negated(i int) bool { return i > 0 && r.tokens[i-1].Is(lex.Not) }

// notBut reads "not X but Y" and "Y, not X".
func (r *reading) notBut(i int) (pair, bool) {
	old := r.valueAfter(i + 1)
	if old.empty() || old.lo > i+3 {
		return pair{}, false
	}
	for j := old.hi; j < len(r.tokens) && j < old.hi+6; j++ {
		if buts[r.tokens[j].Low] {
			if now := r.valueAfter(j + 1); !now.empty() {
				return pair{now: now, old: old}, true
			}
		}
	}
	now := r.valueBefore(i)
	alike := now.hi == i && now.kind == old.kind && now.kind != kindText // "6pm not 5pm"
	if !now.empty() && now.hi >= i-1 && now.lo >= r.body && (alike || r.tokens[i-1].Low == ",") {
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
		list = append(list, pair{now: value{at, max(r.close, at+1), kindText, 0}})
	}
	for _, d := range r.bounds.dates {
		if len(list) > 0 && d.lo >= r.rest {
			list = append(list, pair{now: d, alternate: true, dated: true})
		}
	}
	n := r.nameBefore()
	switch {
	case n.empty() || hi <= lo && r.rest >= len(r.tokens) || !r.mayBeInverted():
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
	if lo >= hi || lo == 0 || !r.tokens[r.verb].Is(lex.Be) || !r.tokens[lo-1].Is(lex.Det|lex.Possessive) {
		return false
	}
	_, _, property, ok := r.owned(lo, hi)
	return ok && property != ""
}

// fronted reads a clause whose value is what it begins with: "Bruges it is", "Bea is in".
func (r *reading) fronted() (pair, bool) {
	v := r.verb
	if v <= r.body || !r.tokens[v].Is(lex.Be) {
		return pair{}, false
	}
	if v-1 > r.body && r.rest >= r.close && r.tokens[v-1].Low == "it" {
		lo, hi := r.trimNoun(r.body, v-1)
		return pair{now: value{lo, hi, r.kindOfSpan(lo, hi), 0}}, hi > lo
	}
	if r.rest >= len(r.tokens) && lex.At(r.tokens, v+1).Low == "in" {
		n := r.nameBefore()
		return pair{now: n}, !n.empty()
	}
	return pair{}, false
}

// typed returns the typed values and names of tokens lo to hi that bound nothing.
func (r *reading) typed(lo, hi int) []pair {
	var list []pair
	for _, v := range r.values {
		if v.lo < lo || v.lo >= hi || r.bounds.isSpent(v) {
			continue
		}
		if v.kind == kindName && v.lo > lo && isCompound(r.tokens[v.lo-1]) {
			v.lo--
		}
		p := pair{now: v}
		if v.unit > v.hi {
			p.counted = r.between(v.hi, v.unit)
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
	if hi <= lo || hi-lo > longestValue || len(list) > 0 && list[0].now.lo == lo && list[0].now.hi == hi {
		return list
	}
	return append(list, pair{now: value{lo, hi, r.kindOfSpan(lo, hi), 0}, alternate: len(list) > 0})
}

// participle returns where a state begins that is told by a participle: "is running normally"; 0 if there is none.
func (r *reading) participle() int {
	if !r.tokens[r.verb].Is(lex.Be) || r.rest < r.close {
		return 0
	}
	for i := r.verb + 1; i < min(r.rest, len(r.tokens)); i++ {
		if t := r.tokens[i]; t.Is(lex.Verb) && !t.Is(lex.Be|lex.Have|lex.Modal|lex.Do) && len(r.tokens)-i <= 4 {
			return i
		}
	}
	return 0
}

// mayBeInverted reports whether the value may be what the clause begins with: "Ines has the pager", "Ann is the chair".
func (r *reading) mayBeInverted() bool {
	if !r.tokens[r.verb].Is(lex.Be) || r.rest > r.verb+1 && r.tokens[r.rest-1].Is(lex.Verb) {
		return true
	}
	return r.rest < len(r.tokens) && r.tokens[r.rest].Is(lex.Det|lex.Possessive)
}

// ended returns the values that a clause of ending or taking back may mean.
func (r *reading) ended(trigger lex.Hit) []pair {
	if p, ok := r.contrast(); ok {
		return []pair{p}
	}
	var list []pair
	for _, v := range r.values {
		if !r.bounds.isSpent(v) && (v.hi <= trigger.From || v.lo >= trigger.To) {
			list = append(list, pair{old: v})
		}
	}
	if lo, hi := r.trimNoun(r.body, max(r.verb, r.body)); len(list) == 0 && hi > lo && hi-lo <= 4 && r.verb > r.body {
		list = append(list, pair{old: value{lo, hi, kindText, 0}})
	}
	if lo, hi := r.complement(max(r.rest, trigger.To), r.close); len(list) == 0 && hi > lo && hi-lo <= 5 {
		list = append(list, pair{old: value{lo, hi, kindText, 0}})
	}
	return list
}

// nameBefore returns the name before the verb, where it may be the value: "Ines has the pager".
func (r *reading) nameBefore() value {
	lo, hi := r.trimNoun(r.body, r.verb)
	if lo >= hi || hi-lo > 4 {
		return value{}
	}
	for _, v := range r.values {
		last := v.lo > lo && v.hi == hi // "her partner Mr Dijk"
		led := v.lo == lo && v.hi < hi && r.tokens[v.hi].Is(lex.Prep)
		if v.kind == kindName && (last || led) {
			return v
		}
	}
	v := value{lo, hi, r.kindOfSpan(lo, hi), 0}
	if t := r.tokens[lo]; v.kind == kindText &&
		(hi > lo+1 || lex.At(r.tokens, lo-1).Is(lex.Det) || !t.IsOpen() || t.Is(lex.Attribute|lex.UnitNoun|lex.Noun)) {
		return value{}
	}
	return v
}

// fragments returns the values of a clause without a verb: "desk 4C", "Ember lamp £45".
func (r *reading) fragments() []pair {
	lo, hi := r.afterColon(), r.close
	list := r.typed(lo, len(r.tokens))
	if lo == r.body {
		list = r.typed(0, len(r.tokens))
	}
	if p, ok := r.stateOf(list); ok {
		return []pair{p, {now: list[0].now, alternate: true}}
	}
	if len(list) > 1 && list[0].now.lo == r.trimmedStart() && list[0].now.hi == list[1].now.lo {
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
		if low := r.tokens[i].Low; low == ":" || low == "=" {
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
	if k := values.Kind(v.kind); k == values.Quantity || k == values.Money {
		return pair{}, false // "3 days in office"
	}
	if v.lo != r.trimmedStart() || v.hi >= r.close || r.tokens[v.hi].Is(lex.Conj) {
		return pair{}, false
	}
	lo, hi := r.complement(v.hi, r.beforeTimes(v.hi, r.close))
	return pair{now: value{lo, hi, r.kindOfSpan(lo, hi), 0}}, hi > lo && hi-lo <= 5
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
	lo, _ := r.trimNoun(r.body, len(r.tokens))
	return lo
}

// afterAttribute returns where the value begins of a fragment that begins with a property: "colour black with gold
// trim"; 0 if it does not.
func (r *reading) afterAttribute(lo, hi int) int {
	lo, _ = r.trimNoun(lo, hi)
	for i := lo; i < hi-1 && i < lo+3; i++ {
		t, next := r.tokens[i], r.tokens[i+1]
		if !t.IsOpen() {
			return 0
		}
		if t.Is(lex.Attribute) && !next.Is(lex.Attribute|lex.Prep|lex.Conj) && next.Kind != lex.Punct {
			return i + 1
		}
	}
	return 0
}
