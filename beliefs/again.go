package beliefs

import (
	"tenure"
	"tenure/conflicts"
)

// StandAgain is [Stand] of the claims that are needed to judge added ones (see [Outline.Needed]): all others stand as
// they did. Before are the standings of all but the added. It reports false if the claims are not enough: if what an
// added claim does is not done by its standing there alone.
func StandAgain(e Evidence, before map[tenure.ID]tenure.Standing, added map[tenure.ID]bool) (
	after map[tenure.ID]tenure.Standing, enough bool,
) {
	from := tenure.MaxTime
	for i := range e.Claims {
		if c := &e.Claims[i]; added[c.ID] {
			from = min(from, c.Window.From)
		} else if len(before[c.ID].Segments) == 0 {
			return nil, false
		}
	}
	after = Stand(e)
	if e.Term.Cardinality == tenure.Many {
		return after, true
	}
	if !endsAsBefore(e, before, after, added) {
		return nil, false
	}
	for i := range e.Claims {
		if c := &e.Claims[i]; !added[c.ID] {
			after[c.ID] = stitch(before[c.ID], after[c.ID], from, c.DependsOn, e.Grounds)
		}
	}
	return after, true
}

// endsAsBefore reports whether each claim is terminated as before, unless an added claim supersedes it by name and
// [holds]. If so, no displaced claim is restored.
func endsAsBefore(e Evidence, before, after map[tenure.ID]tenure.Standing, added map[tenure.ID]bool) bool {
	inSlot := e.inSlot()
	residue := func(g tenure.Segment) bool {
		return g.Cause == tenure.ByEnd || g.Cause == tenure.ByName && !inSlot[g.By]
	}
	names, residues := false, false
	for i := range e.Claims {
		c := &e.Claims[i]
		is := terminated(after[c.ID])
		residues = residues || residue(is)
		if added[c.ID] {
			if residue(is) || len(c.Supersedes) > 0 && !holds(c, after[c.ID]) {
				return false
			}
			names = names || len(c.Supersedes) > 0
			continue
		}
		if was := terminated(before[c.ID]); was != is && (residue(was) || is.Cause != tenure.ByName || !added[is.By]) {
			return false
		}
	}
	return !names || !residues
}

// terminated returns the part of a window that a termination took, the zero Segment if none did.
func terminated(s tenure.Standing) tenure.Segment {
	n := len(s.Segments)
	if n > 0 && (s.Segments[n-1].Cause == tenure.ByEnd || s.Segments[n-1].Cause == tenure.ByName) {
		return s.Segments[n-1]
	}
	return tenure.Segment{}
}

// holds reports whether the supersessions that a claim names take effect from its start and are never lifted.
func holds(c *tenure.Claim, s tenure.Standing) bool {
	if c.SaysMany() || c.Window.Until != tenure.MaxTime {
		return false
	}
	for _, g := range s.Segments {
		switch g.Cause {
		case tenure.ByBar, tenure.ByStart, tenure.ByEnd, tenure.ByName:
			return false
		default:
		}
	}
	return true
}

// stitch returns the standing before until an instant, and the standing after from then on.
func stitch(
	before, after tenure.Standing, from tenure.Instant, dependsOn []tenure.ID, grounds map[tenure.ID]Ground,
) tenure.Standing {
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
	add(before.Segments, tenure.Window{From: tenure.MinTime, Until: from})
	add(after.Segments, tenure.Window{From: from, Until: tenure.MaxTime})
	after.Segments = segments
	return ApplyGrounds(after, dependsOn, grounds)
}
