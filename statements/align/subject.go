package align

import (
	"math"
	"slices"
)

// share is how much of a name a list of words has, 0 to 1. A word that other subjects have too says less; a capital, a
// number and the last word, which says what kind of thing it is, say more. It is distinct if that is enough to know the
// subject by.
func (a *alignment) share(n subjectName, list []string) (share float64, distinct bool) {
	have, all, own := 0.0, 0.0, 0.0
	for i, w := range n.words {
		weight := 1.0
		switch {
		case n.titled(i):
			weight = 0.2
		case n.proper[i]:
			weight = 2
		case i == len(n.words)-1:
			weight = 1.4
		}
		shared := float64(max(a.bearers[w], 1))
		all += weight / shared
		if hasWord(list, w) {
			have += weight / shared
			if shared == 1 && (len(w) > 1 || len(n.words) == 1 || len(list) == 1) {
				own += weight
			}
		}
	}
	if all == 0 {
		return 0, false
	}
	return have / all, own/all >= 0.4
}

// titled reports whether a word of a name is a title before the rest of it.
func (n subjectName) titled(i int) bool { return i == 0 && len(n.words) > 1 && isTitle(n.words[0]) }

// hasWord reports whether a list has a word of a name, be it in the plural or the genitive.
func hasWord(list []string, w string) bool {
	for _, x := range list {
		if x == w || kinNames[x] == w || len(w) > 3 && (x == w+"s" || x == w+"es" || w == x+"s" && len(x) > 2) {
			return true
		}
	}
	return false
}

// nameOf is the best share of the names of a slot that a list of words has.
func (a *alignment) nameOf(c *candidate, list []string) (share float64, distinct bool) {
	for _, n := range c.names {
		if s, d := a.share(n, list); s > share || s == share && d {
			share, distinct = s, d
		}
	}
	return share, distinct
}

// subjectScore is the evidence that a statement is about the entity of a slot.
func (a *alignment) subjectScore(r *compared, c *candidate) float64 {
	if c.inSubject.share > 0 {
		if a.apartFrom(r, c) {
			return subjectOther
		}
		return a.rival(c, c.inSubject, a.inSubject, func(o *candidate) naming { return o.inSubject })
	}
	if c.inClause.share > 0 && (c.inClause.distinct || c.inClause.share > 0.5) {
		return a.rival(c, c.inClause, a.inClause, func(o *candidate) naming { return o.inClause })
	}
	if a.otherNamed(c) {
		return subjectOther
	}
	recent := a.recency(r, c)
	if c.inClause.share > 0 {
		recent += subjectVaguely
	}
	switch {
	case r.pronoun || speaksOf(r, c):
		return recent
	case r.own, r.proper, slices.ContainsFunc(r.subject, isKin):
		return recent + subjectForeign
	}
	return recent + subjectThing
}

// apartFrom reports whether the subject as named and every name of the slot each have a proper word that the other
// lacks: "Castle Street" is not "Market Street".
func (a *alignment) apartFrom(r *compared, c *candidate) bool {
	said := r.name
	for _, n := range c.names {
		if !lacks(said, n.words) || !lacks(n, said.words) {
			return false
		}
	}
	return true
}

// lacks reports whether a list has not all proper words of a name.
func lacks(n subjectName, list []string) bool {
	for i, w := range n.words {
		if n.proper[i] && !n.titled(i) && !hasWord(list, w) {
			return true
		}
	}
	return false
}

func graded(n naming) float64 {
	switch {
	case n.share > 0.99:
		return subjectNamed
	case n.distinct:
		return subjectPartly*0.7 + subjectPartly*0.3*n.share
	}
	return subjectVaguely + subjectPartly*n.share/2
}

// rival is the evidence of a name, lower where there is another's as well: of two the one nearest to the value is
// meant, the one before it rather than the one behind. Others are one slot of each subject that is known by its name.
func (a *alignment) rival(c *candidate, own naming, others []*candidate, named func(*candidate) naming) float64 {
	for _, o := range others {
		n := named(o)
		switch {
		case sameSubject(o, c):
		case n.share > own.share+0.01 && n.share > 0.99 && covers(o, c):
			return subjectOther // "Ember lamp mini" has the words of "Ember lamp" too
		case o.distance < c.distance:
			return graded(own) + subjectOther
		}
	}
	return graded(own)
}

// covers reports whether a name of one has all words of a name of another.
func covers(o, c *candidate) bool {
	for _, n := range o.names {
		for _, m := range c.names {
			if allIn(m.words, n.words) {
				return true
			}
		}
	}
	return false
}

// distance is how far from the value the clause names a slot's entity.
func (a *alignment) distance(r *compared, c *candidate) float64 {
	best := math.Inf(1)
	for _, n := range c.names {
		for _, t := range r.clause {
			if !hasWord(n.words, t.word) || a.bearers[t.word] > 1 && len(n.words) > 1 {
				continue
			}
			best = min(best, apart(t.at, r.valueAt()))
		}
	}
	return best
}

// otherNamed reports whether the clause names another known subject by a word of its own.
func (a *alignment) otherNamed(c *candidate) bool {
	list := a.inClause
	if a.anySubject {
		list = a.inSubject
	}
	return slices.ContainsFunc(list, func(o *candidate) bool { return !sameSubject(o, c) })
}

func sameSubject(o, c *candidate) bool { return o.key == c.key && o.key != "" }

func (c *candidate) sameSubject(o *candidate) bool { return sameSubject(o, c) }

// recency is the evidence that a clause that names nothing is about the entity of a slot.
func (a *alignment) recency(r *compared, c *candidate) float64 {
	score := 0.0
	turn, said := a.turns(c)
	switch {
	case r.first && c.Own:
		return subjectOwn
	case c.Named && a.namedAt[c.key] > r.Start:
		score = subjectLater
	case c.Named:
		score = subjectInText
	case turn > 0:
		score = subjectRecent * math.Pow(subjectFading, turn-1)
	}
	if said > 0 {
		score += subjectSaid * math.Pow(subjectFading, said-1)
	}
	if a.subjects == 1 {
		score += subjectSole
	}
	if a.later(c) {
		score += subjectPassed
	}
	return score
}

// later reports whether the thread spoke of another subject after that of a slot.
func (a *alignment) later(c *candidate) bool {
	if c.key == a.newestKey && c.key != "" {
		return a.agoNext < c.ago
	}
	return a.ago < c.ago
}

// since is how many turns ago the thread spoke of a subject, the text itself being less than a turn.
func (a *alignment) since(c *candidate) float64 {
	turn, _ := a.turns(c)
	switch {
	case turn == 0.5:
		return turn
	case c.Named:
		return 0.7
	case turn == 0:
		return math.Inf(1)
	}
	return turn
}

// turns is how long ago the subject and the slot were spoken of, a statement of the text before being half a turn.
func (a *alignment) turns(c *candidate) (turn, said float64) {
	turn, said = float64(c.Turn), float64(c.Said)
	if a.last != nil && sameSubject(a.last, c) {
		turn = 0.5
		if a.last == c {
			said = 0.5
		}
	}
	return turn, said
}

// foreign reports whether a clause names a subject that is not known: then it is never sure to mean a slot.
func (r *compared) foreign(c *candidate) bool {
	return !r.pronoun && !c.inSubject.known() && !c.inClause.known() && !speaksOf(r, c)
}

// speaksOf reports whether the words in the place of a subject are the property, its value or the new value: then the
// clause names no subject, as "launch city is Namur".
func speaksOf(r *compared, c *candidate) bool {
	if p, _ := c.of.share(r.subject); p > 0 {
		return true
	}
	return c.of.way(r.subject) || r.named.in(c.held) || r.named.same(r.fresh) || r.named.same(r.stale)
}
