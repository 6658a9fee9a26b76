package conflicts

import (
	"cmp"
	"math"
	"slices"
	"time"

	"tenure"
)

// Claimant is an admitted claim with the part of its window before its termination.
type Claimant struct {
	Claim  *tenure.Claim
	Window tenure.Window
	// Beside lists the settlements that put the value beside others.
	Beside []Beside
}

// Beside is a settlement that put several values beside each other: where the strongest authority is of Level or
// weaker, they count as one value.
type Beside struct {
	Case  tenure.ID
	Level int
}

// Residue is the part of a window that a termination took from a claim. It does not stand, but it still defeats
// what it had displaced, so that the older value does not come back.
type Residue struct {
	Claim        *tenure.Claim
	Window       tenure.Window  // the part taken
	TerminatedAt tenure.Instant // a claim that starts then or later is not defeated
	Beside       []Beside
}

// Reconcile splits the window of each claimant into segments, parallel to claimants. It sweeps along valid time;
// the result does not depend on the order of the input.
func Reconcile(claimants []Claimant, residues []Residue, term tenure.Term) [][]tenure.Segment {
	out := make([][]tenure.Segment, len(claimants))
	if term.Cardinality == tenure.Many {
		for i, p := range claimants {
			out[i] = append(out[i], tenure.Segment{Window: p.Window, Cause: tenure.Stands})
		}
		return out
	}
	s := newSweep(claimants, residues, term)
	for k := 0; k+1 < len(s.bounds); k++ {
		span := tenure.Window{From: s.bounds[k], Until: s.bounds[k+1]}
		var active []int
		for _, i := range s.moveTo(span.From) {
			if g, defeated := s.defeat(i, span); defeated {
				out[i] = Extend(out[i], g)
				continue
			}
			active = append(active, i)
		}
		if len(active) == 0 {
			continue
		}
		found := s.compare(active)
		for _, i := range active {
			out[i] = Extend(out[i], found.segment(s, i, span))
		}
	}
	return out
}

// Extend appends a segment, or lengthens the last one if the cause is the same and the segments adjoin.
func Extend(list []tenure.Segment, g tenure.Segment) []tenure.Segment {
	if n := len(list); n > 0 && list[n-1].Cause == g.Cause && list[n-1].Until == g.From {
		list[n-1].Until = g.Until
		return list
	}
	return append(list, g)
}

// sweep walks along valid time from bound to bound; between two bounds nothing changes.
type sweep struct {
	claimants []Claimant
	residues  []Residue // in the order in which they take precedence
	term      tenure.Term
	bounds    []tenure.Instant // of the windows of claimants and residues, sorted
	value     []int            // the claimants' values, numbered
	values    int
	beside    bool          // some values are beside others
	valuesAt  map[int][]int // value, by the level of the strongest authority
	source    []string
	trust     []int
	byFrom    []int // claimants in order of the start of their window
	next      int
	active    []int
}

func newSweep(claimants []Claimant, residues []Residue, term tenure.Term) *sweep {
	s := &sweep{claimants: claimants, residues: slices.Clone(residues), term: term}
	slices.SortFunc(s.residues, func(a, b Residue) int { return newerFirst(a.Claim, b.Claim) })
	for _, g := range residues {
		s.bounds = append(s.bounds, g.Window.From, g.Window.Until)
	}
	numbers := map[string]int{}
	for i, p := range claimants {
		s.bounds = append(s.bounds, p.Window.From, p.Window.Until)
		canonical := p.Claim.Value.Canonical
		n, ok := numbers[canonical]
		if !ok {
			n = len(numbers)
			numbers[canonical] = n
		}
		s.value = append(s.value, n)
		s.beside = s.beside || len(p.Beside) > 0
		s.source = append(s.source, p.Claim.Source.Identity())
		s.trust = append(s.trust, Trust(*p.Claim))
		s.byFrom = append(s.byFrom, i)
	}
	s.values = len(numbers)
	slices.Sort(s.bounds)
	s.bounds = slices.Compact(s.bounds)
	slices.SortFunc(s.byFrom, func(a, b int) int {
		return cmp.Compare(claimants[a].Window.From, claimants[b].Window.From)
	})
	return s
}

// Trust ranks how far a claim is trusted: the authority of its source, then the stated confidence, each in
// steps of .05 so that near-equal values tie.
func Trust(c tenure.Claim) int {
	return quantize(c.Source.SourceAuthority)*100 + quantize(c.Confidence)
}

func quantize(x float64) int { return int(math.Floor(x*20 + .5)) }

// moveTo moves to the instant and returns the claimants whose window contains it.
func (s *sweep) moveTo(at tenure.Instant) []int {
	s.active = slices.DeleteFunc(s.active, func(i int) bool { return s.claimants[i].Window.Until <= at })
	for s.next < len(s.byFrom) && s.claimants[s.byFrom[s.next]].Window.From <= at {
		if i := s.byFrom[s.next]; s.claimants[i].Window.Contains(at) {
			s.active = append(s.active, i)
		}
		s.next++
	}
	return s.active
}

// numbers returns the numbers of the values as they are compared where the strongest authority is of the level:
// values that a settlement put beside each other have one number.
func (s *sweep) numbers(level int) []int {
	if !s.beside {
		return s.value
	}
	if have, ok := s.valuesAt[level]; ok {
		return have
	}
	joined := make([]int, s.values) // the number that a number was joined to
	for n := range joined {
		joined[n] = n
	}
	number := func(n int) int {
		for joined[n] != n {
			n = joined[n]
		}
		return n
	}
	settled := map[tenure.ID]int{} // a value of the settlement
	for i, p := range s.claimants {
		for _, b := range p.Beside {
			if first, ok := settled[b.Case]; ok && b.Level <= level {
				joined[number(s.value[i])] = number(first)
			} else if b.Level <= level {
				settled[b.Case] = s.value[i]
			}
		}
	}
	list := make([]int, len(s.value))
	for i, n := range s.value {
		list[i] = number(n)
	}
	if s.valuesAt == nil {
		s.valuesAt = map[int][]int{}
	}
	s.valuesAt[level] = list
	return list
}

// together reports whether a settlement put two values beside each other that binds the level.
func together(a, b []Beside, level int) bool {
	return slices.ContainsFunc(a, func(x Beside) bool {
		return x.Level <= level && slices.ContainsFunc(b, func(y Beside) bool { return y.Case == x.Case && y.Level <= level })
	})
}

// comparison is the result of comparing the active claimants between two bounds.
type comparison struct {
	value     []int // of the claimants: see [sweep.numbers]
	level     int
	contender map[int]bool
	wins      []bool // by value: the winning value, or the values tied
	tie       bool
	strongest []int // the contenders of the greatest trust, newest first
}

func (s *sweep) compare(active []int) comparison {
	v := comparison{level: math.MaxInt, contender: map[int]bool{}, wins: make([]bool, s.values)}
	for _, i := range active {
		v.level = min(v.level, s.claim(i).Source.AuthorityLevel)
	}
	v.value = s.numbers(v.level)
	var top []int
	for _, i := range active {
		if s.claim(i).Source.AuthorityLevel == v.level {
			top = append(top, i)
		}
	}
	contenders := s.contenders(top)
	best := math.MinInt
	for _, i := range contenders {
		v.contender[i] = true
		best = max(best, s.trust[i])
	}
	winners := 0
	for _, i := range contenders {
		if s.trust[i] < best {
			continue
		}
		v.strongest = append(v.strongest, i)
		if !v.wins[v.value[i]] {
			v.wins[v.value[i]] = true
			winners++
		}
	}
	v.tie = winners > 1
	slices.SortFunc(v.strongest, func(a, b int) int { return newerFirst(s.claim(a), s.claim(b)) })
	return v
}

// newerFirst orders by descending valid_from, then ascending id.
func newerFirst(a, b *tenure.Claim) int {
	return cmp.Or(cmp.Compare(b.Window.From, a.Window.From), cmp.Compare(a.ID, b.ID))
}

// defeat returns the segment of a claimant that a residue defeats, and reports whether one does: the claimant
// began before the termination, and would lose had the termination not happened.
func (s *sweep) defeat(i int, span tenure.Window) (tenure.Segment, bool) {
	c := s.claim(i)
	for _, g := range s.residues {
		if !g.Window.Contains(span.From) || c.Window.From >= g.TerminatedAt || c.Value.Canonical == g.Claim.Value.Canonical {
			continue
		}
		if together(s.claimants[i].Beside, g.Beside, min(c.Source.AuthorityLevel, g.Claim.Source.AuthorityLevel)) {
			continue
		}
		if cause := s.losesTo(c, g.Claim); cause != tenure.Stands {
			return tenure.Segment{Window: span, Cause: cause, By: g.Claim.ID,
				Relation: string(relate(c.Window, g.Claim.Window))}, true
		}
	}
	return tenure.Segment{}, false
}

// losesTo returns the cause by which c alone loses to g alone, Stands if it does not.
func (s *sweep) losesTo(c, g *tenure.Claim) tenure.Cause {
	switch {
	case c.Source.AuthorityLevel > g.Source.AuthorityLevel:
		return tenure.ByAuthority
	case c.Source.AuthorityLevel < g.Source.AuthorityLevel:
		return tenure.Stands
	case !s.term.Constant && c.Window.From != g.Window.From && !s.concurrent(c, g):
		if c.Window.From < g.Window.From {
			return tenure.BySuccession
		}
		return tenure.Stands
	case Trust(*c) < Trust(*g):
		return tenure.ByTrust
	}
	return tenure.Stands
}

// concurrent reports whether two sources observed, without stating a start, within the succession gap.
func (s *sweep) concurrent(a, b *tenure.Claim) bool {
	if a.Window.From > b.Window.From {
		a, b = b, a
	}
	return a.Basis == tenure.Observed && b.Basis == tenure.Observed && a.Source.Identity() != b.Source.Identity() &&
		b.Window.From <= a.Window.From.Add(s.gap())
}

func (s *sweep) gap() time.Duration { return time.Duration(s.term.SuccessionGap) * time.Second }

func (s *sweep) claim(i int) *tenure.Claim { return s.claimants[i].Claim }

// contenders returns the claimants of the strongest authority that are not displaced by a newer valid time.
func (s *sweep) contenders(top []int) []int {
	if s.term.Constant {
		return top
	}
	newest := tenure.MinTime
	latest := map[string]tenure.Instant{} // by source
	for _, i := range top {
		from := s.claim(i).Window.From
		newest = max(newest, from)
		if seen, ok := latest[s.source[i]]; !ok || from > seen {
			latest[s.source[i]] = from
		}
	}
	gap := s.gap()
	var list []int
	for _, i := range top {
		c := s.claim(i)
		switch {
		case c.Window.From == newest:
			list = append(list, i)
		case c.Basis == tenure.Observed && newest <= c.Window.From.Add(gap) && latest[s.source[i]] == c.Window.From:
			if s.observedElsewhere(top, newest, s.source[i]) {
				list = append(list, i)
			}
		}
	}
	return list
}

// observedElsewhere reports whether another source observed at the instant.
func (s *sweep) observedElsewhere(top []int, at tenure.Instant, source string) bool {
	for _, i := range top {
		if c := s.claim(i); c.Window.From == at && c.Basis == tenure.Observed && s.source[i] != source {
			return true
		}
	}
	return false
}

func (v comparison) segment(s *sweep, i int, span tenure.Window) tenure.Segment {
	g := tenure.Segment{Window: span}
	switch {
	case v.wins[v.value[i]] && v.tie:
		g.Cause = tenure.ByTie
	case v.wins[v.value[i]]:
		g.Cause = tenure.Stands
		return g
	case s.claim(i).Source.AuthorityLevel > v.level:
		g.Cause = tenure.ByAuthority
	case !v.contender[i]:
		g.Cause = tenure.BySuccession
	default:
		g.Cause = tenure.ByTrust
	}
	for _, k := range v.strongest {
		if v.value[k] != v.value[i] {
			g.By = s.claim(k).ID
			g.Relation = string(relate(s.claim(i).Window, s.claim(k).Window))
			break
		}
	}
	return g
}
