package conflicts

import (
	"cmp"
	"math"
	"slices"

	"tenure"
	"tenure/grain"
)

// Claimant is an admitted claim with the part of its window before its termination.
type Claimant struct {
	Claim  *tenure.Claim
	Window tenure.Window
	// Grain is how fine the value is; nil is compatible with its equals alone.
	Grain *grain.Grain
	// Recalled is the earlier claim of the value that a recalling claim repeats, nil if the claim states something.
	Recalled *tenure.Claim
	// Many reports whether the value stands beside any other.
	Many bool
	// Beside lists the settlements that put the value beside others.
	Beside []Beside
}

// Beside is a settlement that put several values beside each other: where the strongest authority is of Level or
// weaker, they do not contradict each other.
type Beside struct {
	Case  tenure.ID
	Level int
}

// said returns the claim that says when the value of the claimant was said.
func (p Claimant) said() *tenure.Claim {
	if p.Recalled != nil {
		return p.Recalled
	}
	return p.Claim
}

func (p Claimant) saidAt() tenure.Instant { return p.said().Window.From }

// silent reports whether the claim says that no value is known, and does not say it of anything by name.
func (p Claimant) silent() bool {
	return p.Grain != nil && p.Grain.None && len(p.Claim.Supersedes) == 0
}

// Residue is the part of a window that a termination took from a claim. It does not stand, but it still defeats
// what it had displaced, so that the older value does not come back.
type Residue struct {
	Claimant // its window is the part taken

	TerminatedAt tenure.Instant // a claim that was said then or later is not defeated
}

// Reconcile splits the window of each claimant into segments, parallel to claimants. It sweeps along valid time;
// the result does not depend on the order of the input.
func Reconcile(claimants []Claimant, residues []Residue, rule Rule) [][]tenure.Segment {
	s := newSweep(claimants, residues, rule)
	for k := 0; k+1 < len(s.bounds); k++ {
		s.between(tenure.Window{From: s.bounds[k], Until: s.bounds[k+1]})
	}
	return s.out
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
	rule      Rule
	claimants []Claimant
	residues  []Residue        // in the order in which they take precedence
	bounds    []tenure.Instant // of the windows of claimants and residues, sorted
	source    []int            // the claimants' sources, numbered
	sources   int
	trust     []int
	said      []tenure.Instant
	byFrom    []int // claimants that are compared, in order of the start of their window
	next      int
	active    []int
	out       [][]tenure.Segment

	value   []int          // the claimants' values, numbered
	grains  []*grain.Grain // by number
	varied  bool           // some may be finer than others
	beside  [][]Beside     // by number
	settled bool           // some values are beside others
	breath  []int          // the claimants' groups of values said together, -1 for none
	groups  [][]int        // claimants by group
	mark    []finding      // by value: what the last round found
	rounds  int
}

func newSweep(claimants []Claimant, residues []Residue, rule Rule) *sweep {
	s := &sweep{rule: rule, claimants: claimants, out: make([][]tenure.Segment, len(claimants))}
	for _, g := range residues {
		if !g.Many && !g.silent() {
			s.residues = append(s.residues, g)
			s.bounds = append(s.bounds, g.Window.From, g.Window.Until)
		}
	}
	slices.SortFunc(s.residues, func(a, b Residue) int { return newerFirst(a.Claimant, b.Claimant) })
	numbers, sources := map[string]int{}, map[string]int{}
	for i, p := range claimants {
		canonical := p.Claim.Value.Canonical
		n, ok := numbers[canonical]
		if !ok {
			n = len(numbers)
			numbers[canonical] = n
			s.grains, s.beside = append(s.grains, p.Grain), append(s.beside, nil)
		}
		for _, b := range p.Beside {
			if !slices.Contains(s.beside[n], b) {
				s.beside[n], s.settled = append(s.beside[n], b), true
			}
		}
		s.grains[n] = grain.Finer(s.grains[n], p.Grain)
		s.varied = s.varied || p.Grain != nil && p.Grain.Vague
		s.value = append(s.value, n)
		source := p.said().Source.Identity()
		if _, ok := sources[source]; !ok {
			sources[source] = len(sources)
		}
		s.source = append(s.source, sources[source])
		s.trust = append(s.trust, Trust(*p.Claim))
		s.said = append(s.said, p.saidAt())
		if p.Many || rule.Term.Cardinality == tenure.Many {
			s.out[i] = []tenure.Segment{{Window: p.Window, Cause: tenure.Stands}}
			continue
		}
		s.bounds = append(s.bounds, p.Window.From, p.Window.Until)
		s.byFrom = append(s.byFrom, i)
	}
	s.mark, s.sources = make([]finding, len(numbers)), len(sources)
	s.together()
	slices.Sort(s.bounds)
	s.bounds = slices.Compact(s.bounds)
	slices.SortFunc(s.byFrom, func(a, b int) int {
		return cmp.Compare(claimants[a].Window.From, claimants[b].Window.From)
	})
	return s
}

// together groups the claimants that one observation says from one time on.
func (s *sweep) together() {
	type breath struct {
		observation tenure.ID
		from        tenure.Instant
	}
	known := map[breath]int{}
	for i, p := range s.claimants {
		s.breath = append(s.breath, -1)
		if !s.rule.joins(p.Claim.Observation) {
			continue
		}
		b := breath{p.Claim.Observation, s.said[i]}
		n, ok := known[b]
		if !ok {
			n = len(s.groups)
			known[b] = n
			s.groups = append(s.groups, nil)
		}
		s.breath[i] = n
		s.groups[n] = append(s.groups[n], i)
	}
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

// between extends the segments of the active claimants from one bound to the next: claimants are compared in rounds,
// each among those that contradict nothing that was found before.
func (s *sweep) between(span tenure.Window) {
	var rest, silent []int
	for _, i := range s.moveTo(span.From) {
		if g, defeated := s.defeat(i, span); defeated {
			s.extend(i, g)
		} else if s.claimants[i].silent() {
			silent = append(silent, i)
		} else {
			rest = append(rest, i)
		}
	}
	var first *round
	for len(rest) > 0 {
		r := s.compare(rest)
		if first == nil {
			first = r
			for _, i := range silent {
				s.extend(i, s.nothing(r, i, span))
			}
		}
		next := rest[:0]
		for _, i := range rest {
			if r.finds(s.value[i]) == goesOn {
				next = append(next, i)
			} else {
				s.extend(i, r.segment(i, span))
			}
		}
		rest = next
	}
	if first == nil {
		for _, i := range silent {
			s.extend(i, tenure.Segment{Window: span, Cause: tenure.Stands})
		}
	}
}

func (s *sweep) extend(i int, g tenure.Segment) { s.out[i] = Extend(s.out[i], g) }

// nothing returns the segment of a claimant that says that nothing is known, where something is said.
func (s *sweep) nothing(r *round, i int, span tenure.Window) tenure.Segment {
	if f := r.finds(s.value[i]); f == stands || f == held {
		return r.segment(i, span)
	}
	return r.lost(i, span, tenure.NoValue)
}

// newerFirst orders by descending time, then ascending id.
func newerFirst(a, b Claimant) int {
	return cmp.Or(cmp.Compare(b.saidAt(), a.saidAt()), cmp.Compare(a.Claim.ID, b.Claim.ID))
}

// defeat returns the segment of a claimant that a residue defeats, and reports whether one does: the claimant
// began before the termination, and would lose had the termination not happened.
func (s *sweep) defeat(i int, span tenure.Window) (tenure.Segment, bool) {
	p := s.claimants[i]
	for _, g := range s.residues {
		if !g.Window.Contains(span.From) || s.said[i] >= g.TerminatedAt {
			continue
		}
		if cause := s.rule.losesTo(p, g.Claimant); cause != tenure.Stands {
			return tenure.Segment{Window: span, Cause: cause, By: g.Claim.ID,
				Relation: string(relate(p.Claim.Window, g.Claim.Window))}, true
		}
	}
	return tenure.Segment{}, false
}

// apart reports whether two values contradict each other where the strongest authority is of the level.
func (s *sweep) apart(v, w, level int) bool {
	agree := v == w || s.varied && grain.Compatible(s.grains[v], s.grains[w]) ||
		s.settled && besides(s.beside[v], s.beside[w], level)
	return !agree
}

// besides reports whether a settlement that binds the level put two values beside each other.
func besides(a, b []Beside, level int) bool {
	return slices.ContainsFunc(a, func(x Beside) bool {
		return x.Level <= level && slices.ContainsFunc(b, func(y Beside) bool { return y.Case == x.Case && y.Level <= level })
	})
}
