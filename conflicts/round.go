package conflicts

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"tenure"
)

// finding is what a round found about a value.
type finding struct {
	round int // the number of the round
	is    verdict
}

type verdict int

const (
	unknown verdict = iota
	stands
	held   // tied
	goesOn // contradicts nothing that was found
	beaten
)

// round is one comparison of claimants. Those that contradict nothing that it finds are compared again.
type round struct {
	*sweep

	level     int
	outranked map[int]bool
	contender map[int]bool
	strongest []int // the contenders of the greatest trust, newest first
	winners   []int // their values
	// said holds the pairs of values that one observation says together (see findTogether).
	said map[[2]int]bool
}

func (s *sweep) compare(claimants []int) *round {
	s.rounds++
	r := &round{sweep: s, level: math.MaxInt, contender: map[int]bool{}}
	for _, i := range claimants {
		r.level = min(r.level, s.level(i))
	}
	var top []int
	for _, i := range claimants {
		if s.level(i) == r.level {
			top = append(top, i)
		}
	}
	top = r.unoutranked(top)
	contenders := s.contenders(top)
	best := math.MinInt
	for _, i := range contenders {
		r.contender[i] = true
		best = max(best, s.trust[i])
	}
	for _, i := range contenders {
		if s.trust[i] < best {
			continue
		}
		r.strongest = append(r.strongest, i)
		if v := s.value[i]; s.mark[v].round != s.rounds {
			s.mark[v] = finding{s.rounds, stands}
			r.winners = append(r.winners, v)
		}
	}
	slices.SortFunc(r.strongest, func(a, b int) int { return newerFirst(s.claimants[a], s.claimants[b]) })
	r.findTogether(claimants, top)
	for n, v := range r.winners {
		for _, w := range r.winners[:n] {
			if r.apart(v, w) {
				s.mark[v].is, s.mark[w].is = held, held
			}
		}
	}
	return r
}

func (s *sweep) level(i int) int { return s.claimants[i].Claim.Source.AuthorityLevel }

// unoutranked returns those of the top that nobody outranks who says something else and is not outranked in turn.
func (r *round) unoutranked(top []int) []int {
	if r.rule.Outranks == nil {
		return top
	}
	members := map[string][]int{}
	var roles []string
	for _, i := range top {
		role := r.claimants[i].Claim.Source.Role
		if members[role] == nil {
			roles = append(roles, role)
		}
		members[role] = append(members[role], i)
	}
	if len(roles) < 2 {
		return top
	}
	r.outranked = map[int]bool{}
	slices.Sort(roles)
	var left []int
	kept := map[string][]int{} // values by role
	for len(roles) > 0 {
		n := max(0, slices.IndexFunc(roles, func(role string) bool {
			return !slices.ContainsFunc(roles, func(o string) bool { return r.rule.outranks(o, role) })
		}))
		role := roles[n]
		roles = slices.Delete(roles, n, n+1)
		lost := map[int]bool{} // by value
		for _, i := range members[role] {
			v := r.value[i]
			out, known := lost[v]
			if !known {
				out = r.contradicted(role, v, kept)
				lost[v] = out
				if !out {
					kept[role] = append(kept[role], v)
				}
			}
			if out {
				r.outranked[i] = true
			} else {
				left = append(left, i)
			}
		}
	}
	return left
}

// contradicted reports whether a higher role holds a value that contradicts one.
func (r *round) contradicted(role string, value int, kept map[string][]int) bool {
	for higher, list := range kept {
		if !r.rule.outranks(higher, role) {
			continue
		}
		if slices.ContainsFunc(list, func(w int) bool { return r.sweep.apart(w, value, r.level) }) {
			return true
		}
	}
	return false
}

// contenders returns the claimants of the top that no other of them succeeds (see [Rule.succeeds]).
func (s *sweep) contenders(top []int) []int {
	newest, stated := tenure.MinTime, tenure.MinTime
	for _, i := range top {
		newest = max(newest, s.said[i])
		if !s.observed(i) {
			stated = max(stated, s.said[i])
		}
	}
	unrevised := s.lastWords(top)
	var list, near []int
	for _, i := range top {
		if s.observed(i) && newest <= s.said[i].Add(s.rule.gap()) {
			near = append(near, i)
		}
		if unrevised(i) && (s.rule.Term.Constant || s.said[i] == newest) {
			list = append(list, i)
		}
	}
	if s.rule.Term.Constant || len(near) == 0 {
		return list
	}
	for _, i := range s.unfollowed(near) {
		if stated <= s.said[i] && s.said[i] < newest && unrevised(i) {
			list = append(list, i)
		}
	}
	return list
}

func (s *sweep) observed(i int) bool { return s.claimants[i].said().Basis == tenure.Observed }

// unfollowed returns the claimants that none of the others, said later, [follows].
func (s *sweep) unfollowed(claimants []int) []int {
	slices.SortFunc(claimants, func(a, b int) int { return cmp.Compare(s.said[b], s.said[a]) })
	var list []int
	var last tenure.ID // the last observation of what was uttered later
	for len(claimants) > 0 {
		n := 1
		for n < len(claimants) && s.said[claimants[n]] == s.said[claimants[0]] {
			n++
		}
		then := last
		for _, i := range claimants[:n] {
			c := s.claimants[i].said()
			if !uttered(c) || then <= c.Observation {
				list = append(list, i)
			}
			if uttered(c) {
				last = max(last, c.Observation)
			}
		}
		claimants = claimants[n:]
	}
	return list
}

// lastWords returns a test for what no source has revised.
func (s *sweep) lastWords(top []int) func(int) bool {
	if s.rule.Term.Constant {
		return func(i int) bool {
			return !slices.ContainsFunc(top, func(k int) bool { return s.revises(k, i) })
		}
	}
	last := make([]int, s.sources) // one more than a claimant of the last word
	for _, i := range top {
		if k := last[s.source[i]] - 1; k < 0 || s.revises(i, k) {
			last[s.source[i]] = i + 1
		}
	}
	return func(i int) bool { return !s.revises(last[s.source[i]]-1, i) }
}

// revises is [Rule.revises] of two claimants.
func (s *sweep) revises(i, k int) bool {
	if s.source[i] != s.source[k] || s.said[i] < s.said[k] {
		return false
	}
	if s.said[i] > s.said[k] {
		return !s.rule.Term.Constant
	}
	return s.claimants[i].said().Observation > s.claimants[k].said().Observation
}

// findTogether finds the pairs of values, one of them a winner's, that an observation says together: one of the
// strongest, or one after which the top says nothing but its values.
func (r *round) findTogether(claimants, top []int) {
	members := map[int][]int{} // of groups
	for _, i := range claimants {
		if g := r.breath[i]; g >= 0 && len(r.groups[g]) > 1 {
			members[g] = append(members[g], i)
		}
	}
	if len(members) == 0 {
		return
	}
	r.said = map[[2]int]bool{}
	pair := func(i, k int) {
		v, w := r.value[i], r.value[k]
		r.said[[2]int{v, w}], r.said[[2]int{w, v}] = true, true
	}
	for _, k := range r.strongest {
		if r.breath[k] >= 0 {
			for _, i := range members[r.breath[k]] {
				pair(i, k)
			}
		}
	}
	newest := r.newestValues(top)
	for _, group := range members {
		if !r.lastOf(newest, group) {
			continue
		}
		for _, k := range group {
			if r.mark[r.value[k]].round != r.rounds {
				continue
			}
			for _, i := range group {
				pair(i, k)
			}
		}
	}
}

// newestValues returns the last claimant of each value of some, newest first.
func (r *round) newestValues(claimants []int) []int {
	last := map[int]int{}
	for _, i := range claimants {
		if k, ok := last[r.value[i]]; !ok || r.sweep.said[i] > r.sweep.said[k] {
			last[r.value[i]] = i
		}
	}
	said := r.sweep.said
	return slices.SortedFunc(maps.Values(last), func(a, b int) int { return cmp.Compare(said[b], said[a]) })
}

// lastOf reports whether nothing but the values of a group that was said at once is said after it.
func (r *round) lastOf(newest, group []int) bool {
	for _, i := range newest {
		if r.sweep.said[i] <= r.sweep.said[group[0]] {
			break
		}
		if !slices.ContainsFunc(group, func(k int) bool { return r.value[k] == r.value[i] }) {
			return false
		}
	}
	return true
}

// apart reports whether two values contradict each other, and no observation that counts says both.
func (r *round) apart(v, w int) bool { return r.sweep.apart(v, w, r.level) && !r.said[[2]int{v, w}] }

// finds returns what the round found about a value.
func (r *round) finds(v int) verdict {
	if r.mark[v].round != r.rounds {
		is := goesOn
		if slices.ContainsFunc(r.winners, func(w int) bool { return r.apart(v, w) }) {
			is = beaten
		}
		r.mark[v] = finding{r.rounds, is}
	}
	return r.mark[v].is
}

func (r *round) segment(i int, span tenure.Window) tenure.Segment {
	switch is := r.finds(r.value[i]); {
	case is == stands:
		return tenure.Segment{Window: span, Cause: tenure.Stands}
	case is == held:
		return r.lost(i, span, tenure.ByTie)
	case r.sweep.level(i) > r.level:
		return r.lost(i, span, tenure.ByAuthority)
	case r.outranked[i]:
		return r.lost(i, span, tenure.ByRank)
	case !r.contender[i]:
		return r.lost(i, span, tenure.BySuccession)
	}
	return r.lost(i, span, tenure.ByTrust)
}

// lost returns a segment that was lost to the newest of the strongest that says something else.
func (r *round) lost(i int, span tenure.Window, cause tenure.Cause) tenure.Segment {
	g := tenure.Segment{Window: span, Cause: cause}
	if n := len(r.out[i]); n > 0 && r.out[i][n-1].Cause == cause && r.out[i][n-1].Until == span.From {
		return g // it lengthens a segment that was lost before
	}
	for _, k := range r.strongest {
		if r.apart(r.value[k], r.value[i]) {
			g.By = r.claimants[k].Claim.ID
			g.Relation = string(relate(r.claimants[i].Claim.Window, r.claimants[k].Claim.Window))
			break
		}
	}
	return g
}
