package statements

// pair is a new value and the old one that it stands against; either may be empty.
type pair struct {
	now, old  value
	property  string
	alternate bool
}

func (v value) empty() bool { return v.hi <= v.lo }

// contrast finds values that a clause sets against each other: from X to Y, X instead of Y, not X but Y, X -> Y.
func (r *reading) contrast() (pair, bool) {
	for i, t := range r.tokens {
		switch {
		case t.kind == punct && (t.low == "->" || t.low == "=>" || t.low == "→" || t.low == "⇒" || t.low == "-->"):
			if old, now := r.valueBefore(i), r.valueAfter(i+1); !now.empty() {
				return pair{now: now, old: old}, true
			}
		case t.low == "from" || t.low == "von" || t.low == "de" || t.low == "del" || t.low == "du":
			if p, ok := r.fromTo(i); ok {
				return p, true
			}
		case r.phraseAt(i, "instead", "of"), r.phraseAt(i, "rather", "than"), r.phraseAt(i, "in", "place"), t.low == "statt",
			t.low == "anstatt", t.low == "replaces", t.low == "replacing":
			if old, now := r.valueAfter(i+1), r.valueBefore(i); !old.empty() && !now.empty() {
				return pair{now: now, old: old}, true
			}
		case t.is(not) && i+1 < len(r.tokens):
			if p, ok := r.notBut(i); ok {
				return p, true
			}
		}
	}
	return pair{}, false
}

func (r *reading) phraseAt(i int, words ...string) bool { return matches(r.tokens, i, words) > 0 }

// valueAfter returns the value that begins at i, or after an article or preposition there.
func (r *reading) valueAfter(i int) value {
	for j := i; j < len(r.tokens) && j < i+4; j++ {
		for _, v := range r.values {
			if v.lo == j {
				return v
			}
		}
		if t := r.tokens[j]; isOpen(t) {
			k := j
			for k < len(r.tokens) && k < j+4 && isOpen(r.tokens[k]) {
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
	for k > r.rest && !isOpen(r.tokens[k-1]) {
		k--
	}
	j := k
	for j > r.rest && isOpen(r.tokens[j-1]) {
		j--
	}
	return value{j, k, kindText, 0}
}

// fromTo reads "from X to Y" where the verb is one of change.
func (r *reading) fromTo(i int) (pair, bool) {
	if !r.has(moves) {
		return pair{}, false
	}
	for j := i + 2; j < len(r.tokens) && j < i+9; j++ {
		switch r.tokens[j].low {
		case "to", "auf", "zu", "nach", "à", "a", "al", "au":
			old, now := r.valueAfter(i+1), r.valueAfter(j+1)
			if !old.empty() && !now.empty() && old.hi <= j {
				return pair{now: now, old: old}, true
			}
		}
	}
	return pair{}, false
}

// notBut reads "not X but Y" and "Y, not X".
func (r *reading) notBut(i int) (pair, bool) {
	old := r.valueAfter(i + 1)
	if old.empty() || old.lo > i+3 {
		return pair{}, false
	}
	for j := old.hi; j < len(r.tokens) && j < old.hi+6; j++ {
		if low := r.tokens[j].low; low == "but" || low == "sondern" || low == "mais" || low == "sino" {
			if now := r.valueAfter(j + 1); !now.empty() {
				return pair{now: now, old: old}, true
			}
		}
	}
	if now := r.valueBefore(i); !now.empty() && now.hi >= i-1 && now.lo >= r.body && r.tokens[i-1].low == "," {
		return pair{now: now, old: old}, true
	}
	return pair{}, false
}

// pairs returns the values that a clause states, each with what it is of.
func (r *reading) pairs() []pair {
	if p, ok := r.contrast(); ok {
		return []pair{p}
	}
	if r.verb < 0 {
		return r.fragments()
	}
	var list []pair
	for _, v := range r.values {
		if v.lo >= r.rest && v.lo < r.close && !r.bounds.isSpent(v) {
			p := pair{now: v}
			if v.unit > v.hi {
				p.property = r.between(v.hi, v.unit)
			}
			list = append(list, p)
		}
	}
	lo, hi := r.complement(r.rest, r.beforeTimes(r.rest, r.close))
	if hi > lo && hi-lo <= 8 && !(len(list) > 0 && list[0].now.lo == lo && list[0].now.hi == hi) {
		list = append(list, pair{now: value{lo, hi, r.kindOfSpan(lo, hi), 0}, alternate: len(list) > 0})
	}
	if n := r.nameBefore(); !n.empty() && (hi > lo || r.rest < len(r.tokens)) && !r.tokens[r.verb].is(be) {
		list = append(list, pair{now: n, alternate: len(list) > 0, property: "\x00"})
	}
	return list
}

// nameBefore returns the name before the verb, where it may be the value: "Ines has the pager".
func (r *reading) nameBefore() value {
	lo, hi := r.trimNoun(r.body, r.verb)
	if lo >= hi || hi-lo > 4 {
		return value{}
	}
	return value{lo, hi, r.kindOfSpan(lo, hi), 0}
}

// fragments returns the values of a clause without a verb: "desk 4C", "Ember lamp £45".
func (r *reading) fragments() []pair {
	var list []pair
	for _, v := range r.values {
		if r.bounds.isSpent(v) {
			continue
		}
		p := pair{now: v}
		if v.unit > v.hi {
			p.property = r.between(v.hi, v.unit)
		}
		list = append(list, p)
	}
	lo, hi := r.body, r.close
	for i := r.body; i < hi; i++ {
		if low := r.tokens[i].low; low == ":" || low == "=" {
			lo = i + 1
			break
		}
	}
	lo, hi = r.complement(lo, r.beforeTimes(lo, hi))
	if hi > lo && hi-lo <= 8 && !(len(list) > 0 && list[0].now.lo == lo && list[0].now.hi == hi) {
		list = append(list, pair{now: value{lo, hi, r.kindOfSpan(lo, hi), 0}, alternate: len(list) > 0})
	}
	return list
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
