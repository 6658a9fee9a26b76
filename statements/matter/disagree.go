package matter

import (
	"fmt"
	"math/big"
	"slices"
	"time"

	"tenure"
	"tenure/roles"
)

// Verdict says how two sentences disagree. Bends is 1 or 2 if only the first or the second of them can be wrong, as
// what goes beyond a limit can and the limit cannot; else it is 0.
type Verdict struct {
	Why   string
	Bends int
}

// instead is how long after another a sentence may say "instead" of it.
const instead = time.Hour

// Disagree reports whether two sentences disagree about one matter, and how. They were said at times a and b.
func Disagree(m, n Sentence, a, b tenure.Instant) (Verdict, bool) {
	if v, ok := oneWay(m, n, a, b); ok {
		return v, true
	}
	v, ok := oneWay(n, m, b, a)
	if v.Bends > 0 {
		v.Bends = 3 - v.Bends
	}
	return v, ok
}

// oneWay compares what the first sentence limits, times, stops and chooses with what the second says.
func oneWay(m, n Sentence, a, b tenure.Instant) (v Verdict, ok bool) {
	for _, l := range m.limits {
		if v, ok = l.against(n); ok {
			return v, true
		}
	}
	switch {
	case meet(m.stops, n.starts, same):
		return Verdict{Why: "the one stops what the other lets go on"}, true
	case a >= b && a.Time().Sub(b.Time()) <= instead && meet(m.uses, n.uses, use.replaces):
		return Verdict{Why: "the one is to be used instead of the other"}, true
	case meet(m.shares, n.shares, share.divides):
		return Verdict{Why: "the same goes to one or to the other"}, true
	}
	for _, e := range m.estimates {
		for _, d := range n.deadlines {
			if e.misses(d, b.Time()) {
				return Verdict{Why: fmt.Sprintf("it takes %s, and is due %s", e.text, d.by)}, true
			}
		}
	}
	return Verdict{}, false
}

// meet reports whether holds is true of an element of a and one of b.
func meet[T, U any](a []T, b []U, holds func(T, U) bool) bool {
	for _, x := range a {
		for _, y := range b {
			if holds(x, y) {
				return true
			}
		}
	}
	return false
}

func (u use) replaces(o use) bool {
	return u.instead && u.verb == o.verb && u.thing != o.thing && (u.of == "" || u.of == o.thing)
}

func (s share) divides(o share) bool { return s.what == o.what && s.to != o.to }

// against compares a limit with what is done, and with other limits.
func (l limit) against(n Sentence) (Verdict, bool) {
	for _, d := range n.doings {
		if !n.exempt && l.forbids(d) {
			return Verdict{fmt.Sprintf("%s is beyond the limit of %s", d.text, l.text), 2}, true
		}
	}
	for _, o := range n.limits {
		if l.contradicts(o) {
			return Verdict{Why: fmt.Sprintf("the limits are %s and %s", l.text, o.text)}, true
		}
	}
	return Verdict{}, false
}

// forbids reports whether what is done is beyond a limit that is on it: what it is of is what the limit is of, and it
// meets all that narrows the limit.
func (l limit) forbids(d doing) bool {
	if !d.exceeds(l.amount) || !meets(l.topic, d.about) {
		return false
	}
	for _, w := range l.topic {
		if !has(d.words, w) && !names(w, d.words) {
			return false
		}
	}
	return true
}

// names reports whether one of some words is a title of a rank: a CFO is an executive.
func names(rank string, list []string) bool {
	order := roles.Base()
	want, ok := order.Role(rank)
	for _, w := range list {
		if have, known := order.Role(w); ok && known && have == want {
			return true
		}
	}
	return false
}

// contradicts reports whether two limits on the same thing cannot both hold: two amounts for the same people, or leave
// to go beyond what others have to be asked about.
func (l limit) contradicts(o limit) bool {
	if !l.like(o.amount) || l.is(o.amount) || !meets(l.topic, o.topic) {
		return false
	}
	switch {
	case l.gate && len(o.grantee) > 0 && !o.gate:
		return o.exceeds(l.amount) && covers(o.topic, l.topic) && !meets(o.grantee, l.approver)
	case l.gate == o.gate && (len(l.grantee) == 0) == (len(o.grantee) == 0):
		return slices.Equal(l.apart, o.apart) && same(l.topic, o.topic) && same(l.when, o.when) &&
			same(l.grantee, o.grantee) && same(l.approver, o.approver)
	}
	return false
}

func same(a, b []string) bool { return covers(a, b) && covers(b, a) }

// misses reports whether a thing takes longer than the time until it is due.
func (e estimate) misses(d deadline, said time.Time) bool {
	named := same(d.thing, e.topic) || len(e.topic) > 1 && same(d.topic, e.topic) // a word alone may be of many things
	if !named {
		return false
	}
	days := new(big.Rat).Quo(e.n, big.NewRat(24*60*60, 1))
	return days.Cmp(big.NewRat(int64(d.days(said)), 1)) > 0
}
