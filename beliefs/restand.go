package beliefs

import (
	"slices"
	"time"

	"tenure"
	"tenure/conflicts"
)

// Restand is [Stand] for a slot to which claims were added and of which nothing else has changed: it returns the
// standings of the claims that can have changed, which is a part of what Stand returns. Before are the standings of
// all other claims as they were.
//
// It judges as few claims as it can show to be enough. Where cardinality is many, these are the claims whose values
// are those of the new ones. Else they are the claims that may still win something from the time f on at which the
// first new claim begins: what was displaced by succession or authority before f, and all through from f on, stays
// displaced by the same claim, as long as nobody of more authority speaks, nobody says its value, and it is older
// than the succession gap beside whatever stands. What happened before f is taken from the standings before.
func Restand(e Evidence, before map[tenure.ID]tenure.Standing, added map[tenure.ID]bool) map[tenure.ID]tenure.Standing {
	n := &narrowing{e: e, before: before, added: added, from: tenure.MaxTime, byID: map[tenure.ID]*tenure.Claim{}}
	if !n.begin() {
		return Stand(e)
	}
	if e.Term.Cardinality != tenure.Many {
		if !n.plain() {
			return Stand(e)
		}
		n.unsettled()
		n.close()
	}
	part := n.part()
	if len(part.Claims) == len(e.Claims) {
		return Stand(e)
	}
	after := Stand(part)
	if e.Term.Cardinality == tenure.Many {
		return after
	}
	if !n.newOnesHold(after) {
		return Stand(e)
	}
	for _, c := range part.Claims {
		if !added[c.ID] {
			after[c.ID] = n.stitch(c, after[c.ID])
		}
	}
	return after
}

// narrowing finds the claims of a slot that have to be judged again.
type narrowing struct {
	e      Evidence
	before map[tenure.ID]tenure.Standing
	added  map[tenure.ID]bool
	from   tenure.Instant // at which the first new claim begins
	byID   map[tenure.ID]*tenure.Claim
	level  int // the strongest of the new claims
	// values are those of which every claim is judged.
	values map[string]bool
}

// begin indexes the claims. It reports false if something else than claims of the slot's own may have changed.
func (n *narrowing) begin() bool {
	n.values = map[string]bool{}
	first := true
	for i := range n.e.Claims {
		c := &n.e.Claims[i]
		if (c.Value.Entity == "") != (n.e.Claims[0].Value.Entity == "") {
			return false // a text has another form once an entity is stated by it
		}
		n.byID[c.ID] = c
		if !n.added[c.ID] {
			if len(n.before[c.ID].Segments) == 0 {
				return false
			}
			continue
		}
		n.values[c.Value.Canonical] = true
		n.from = min(n.from, c.Window.From)
		if first || c.Source.AuthorityLevel < n.level {
			n.level, first = c.Source.AuthorityLevel, false
		}
	}
	return !first && n.onlyAdded()
}

// onlyAdded reports whether nothing is said of the new claims but what they say themselves. It adds the values that
// they name.
func (n *narrowing) onlyAdded() bool {
	for _, a := range n.e.Amendments {
		if n.added[a.Belief] {
			return false
		}
	}
	for _, list := range [][]tenure.Claim{n.e.Claims, n.e.Superseders} {
		for i := range list {
			for _, id := range list[i].Supersedes {
				if n.added[id] {
					return false
				}
				if t := n.byID[id]; t != nil && n.added[list[i].ID] {
					n.values[t.Value.Canonical] = true
				}
			}
		}
	}
	return true
}

// plain reports whether authority, time and trust alone decide between the claims of different observations: nobody
// speaks in a role, recalls, ends a value, displaces one from another slot, or lets values stand beside each other, and
// no value covers another.
func (n *narrowing) plain() bool {
	said := map[tenure.ID]bool{}
	type moment struct {
		source string
		from   tenure.Instant
	}
	words := map[moment]bool{}
	for _, a := range n.e.Amendments {
		if a.Kind != tenure.Confirm && a.Kind != tenure.Retract {
			return false
		}
	}
	for i := range n.e.Superseders {
		if n.byID[n.e.Superseders[i].ID] == nil {
			return false
		}
	}
	for _, c := range n.e.Claims {
		at := moment{c.Source.Identity(), c.Window.From}
		if c.Source.Role != "" || c.Recalls || c.Many || said[c.Observation] || words[at] {
			return false
		}
		if g := Grain(n.e.Term, c.Value); g != nil && (g.None || g.Vague) {
			return false
		}
		said[c.Observation], words[at] = true, true
	}
	return true
}

// unsettled adds the values of the claims that may win or lose something from the time on at which the first new claim
// begins.
func (n *narrowing) unsettled() {
	oldest := n.from // of the claims to which others were lost
	var lost []*tenure.Claim
	for i := range n.e.Claims {
		c := &n.e.Claims[i]
		if n.added[c.ID] || c.Window.Until < n.from {
			continue
		}
		switch settled, displaced := n.settled(c); {
		case !settled:
			n.values[c.Value.Canonical] = true
			oldest = min(oldest, c.Window.From)
		case displaced:
			lost = append(lost, c)
		}
	}
	gap := time.Duration(n.e.Term.SuccessionGap) * time.Second
	for _, c := range lost {
		if c.Source.AuthorityLevel > n.level || c.Window.From.Add(gap) >= oldest {
			n.values[c.Value.Canonical] = true
		}
	}
}

// settled reports whether a claim takes no part any more, or has lost before the first new claim begins and all
// through from then on, and whether it was displaced by succession.
func (n *narrowing) settled(c *tenure.Claim) (settled, displaced bool) {
	for _, g := range n.before[c.ID].Segments {
		if g.Until < n.from {
			continue
		}
		switch g.Cause {
		case tenure.ByRetraction, tenure.ByRejection, tenure.ByBar:
			return true, false // the only segment
		case tenure.ByName:
			if n.byID[g.By] == nil || g.From >= n.from {
				return false, false // what a claim of another slot ended still defeats others
			}
		case tenure.BySuccession, tenure.ByAuthority:
			if g.From >= n.from || g.Until == n.from {
				return false, false
			}
			displaced = displaced || g.Cause == tenure.BySuccession
		default:
			return false, false
		}
	}
	return true, displaced
}

// close adds the values of claims that name a claim with one of the values.
func (n *narrowing) close() {
	namers := map[string][]string{} // values, by the value that they name
	for _, c := range n.e.Claims {
		for _, id := range c.Supersedes {
			if t := n.byID[id]; t != nil {
				namers[t.Value.Canonical] = append(namers[t.Value.Canonical], c.Value.Canonical)
			}
		}
	}
	var queue []string
	for v := range n.values {
		queue = append(queue, v)
	}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, by := range namers[v] {
			if !n.values[by] {
				n.values[by] = true
				queue = append(queue, by)
			}
		}
	}
}

// part returns the evidence of the claims with the values. Claims of the slot that name one of them, and are not among
// them, are superseders.
func (n *narrowing) part() Evidence {
	e := n.e
	e.Claims, e.Superseders = nil, slices.Clip(n.e.Superseders)
	for _, c := range n.e.Claims {
		switch {
		case n.values[c.Value.Canonical]:
			e.Claims = append(e.Claims, c)
		case len(c.Supersedes) > 0:
			e.Superseders = append(e.Superseders, c)
		}
	}
	return e
}

// newOnesHold reports whether each new claim that names another one takes its place for good: else older ones may come
// back.
func (n *narrowing) newOnesHold(after map[tenure.ID]tenure.Standing) bool {
	for id := range n.added {
		c := n.byID[id]
		if c == nil || len(c.Supersedes) == 0 {
			continue
		}
		if c.Window.Until != tenure.MaxTime {
			return false
		}
		for _, g := range after[id].Segments {
			switch g.Cause {
			case tenure.ByBar, tenure.ByEnd, tenure.ByName:
				return false
			default:
			}
		}
	}
	return true
}

// stitch returns the standing before until the first new claim begins, and the standing after from then on.
func (n *narrowing) stitch(c tenure.Claim, after tenure.Standing) tenure.Standing {
	var segments []tenure.Segment
	add := func(list []tenure.Segment, w tenure.Window) {
		for _, g := range list {
			g.From, g.Until = max(g.From, w.From), min(g.Until, w.Until)
			if g.Empty() {
				continue
			}
			if g.Cause == tenure.ByDependency {
				g = tenure.Segment{Window: g.Window, Cause: tenure.Stands} // as before grounds were looked at
			}
			segments = conflicts.Extend(segments, g)
		}
	}
	add(n.before[c.ID].Segments, tenure.Window{From: tenure.MinTime, Until: n.from})
	add(after.Segments, tenure.Window{From: n.from, Until: tenure.MaxTime})
	after.Segments = segments
	return ApplyGrounds(after, c.DependsOn, n.e.Grounds)
}
