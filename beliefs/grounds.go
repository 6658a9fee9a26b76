package beliefs

import (
	"slices"

	"tenure"
	"tenure/conflicts"
)

// lostGround returns where a belief no longer grounds the dependent: everywhere if it is withdrawn or barred, else
// wherever it does not stand within its window; but not where an equal value stands. An expired ground is not lost, and
// neither is a ground that the dependent itself displaced: a new price may rest on the old one.
func lostGround(s Ground, dependent tenure.ID) []tenure.Window {
	var list []tenure.Window
	for _, g := range s.Segments {
		if g.By == dependent {
			continue
		}
		switch g.Cause {
		case tenure.Stands:
		case tenure.ByRetraction, tenure.ByRejection, tenure.ByBar:
			return except([]tenure.Window{{From: tenure.MinTime, Until: tenure.MaxTime}}, s.Again)
		default:
			list = append(list, g.Window)
		}
	}
	return except(list, s.Again)
}

// except returns what is left of some windows without others.
func except(list, without []tenure.Window) []tenure.Window {
	for _, cut := range without {
		var left []tenure.Window
		for _, w := range list {
			for _, part := range []tenure.Window{
				{From: w.From, Until: min(w.Until, cut.From)}, {From: max(w.From, cut.Until), Until: w.Until},
			} {
				if !part.Empty() {
					left = append(left, part)
				}
			}
		}
		list = left
	}
	return list
}

// Lost reports whether a ground is lost somewhere, so that an equal value that stands would repair it.
func (g Ground) Lost() bool { return len(lostGround(g, "")) > 0 }

// ApplyGrounds recomputes which parts of a standing rest on lost ground: these get the cause dependency, and parts
// whose ground stands again get it no longer. Grounds are the beliefs depended on; a missing ground counts as sound.
func ApplyGrounds(s tenure.Standing, dependsOn []tenure.ID, grounds map[tenure.ID]Ground) tenure.Standing {
	s.NeedsReview = false
	var base []tenure.Segment
	for _, g := range s.Segments {
		if g.Cause == tenure.ByDependency {
			g = tenure.Segment{Window: g.Window, Cause: tenure.Stands}
		}
		base = conflicts.Extend(base, g)
	}
	s.Segments = base
	deps := slices.Sorted(slices.Values(dependsOn))
	// descending ids, so that the least id wins where losses overlap
	slices.Reverse(deps)
	type loss struct {
		tenure.Window
		by tenure.ID
	}
	var losses []loss
	var bounds []tenure.Instant
	for _, id := range deps {
		for _, w := range lostGround(grounds[id], s.Belief) {
			losses = append(losses, loss{w, id})
			bounds = append(bounds, w.From, w.Until)
		}
	}
	if len(losses) == 0 {
		return s
	}
	slices.Sort(bounds)
	s.Segments = nil
	for _, g := range base {
		if g.Cause != tenure.Stands {
			s.Segments = conflicts.Extend(s.Segments, g)
			continue
		}
		for _, part := range split(g, bounds) {
			for _, l := range losses {
				if l.Contains(part.From) {
					part.Cause, part.By = tenure.ByDependency, l.by
					s.NeedsReview = true
				}
			}
			s.Segments = conflicts.Extend(s.Segments, part)
		}
	}
	return s
}

// split cuts a segment at each of the sorted instants inside it.
func split(g tenure.Segment, bounds []tenure.Instant) []tenure.Segment {
	var parts []tenure.Segment
	for _, at := range bounds {
		if g.From < at && at < g.Until {
			head := g
			head.Until = at
			parts = append(parts, head)
			g.From = at
		}
	}
	return append(parts, g)
}
