package beliefs

import (
	"cmp"
	"slices"

	"tenure"
	"tenure/conflicts"
)

// Stand computes the standing of each claim. It is a pure function of the evidence and does not depend on the
// order of any list.
func Stand(e Evidence) map[tenure.ID]tenure.Standing {
	b := newEvaluator(e)
	out := make(map[tenure.ID]tenure.Standing, len(e.Claims))
	var claimants []conflicts.Claimant
	early := map[tenure.ID][]tenure.Segment{} // the parts of windows before a start
	for i := range e.Claims {
		c := &e.Claims[i]
		g, excluded := b.exclusion(c)
		if !excluded {
			if g, excluded = b.beforeStart(c); excluded && g.Until < c.Window.Until {
				early[c.ID], excluded = []tenure.Segment{g}, false
				c = startedAt(c, g.Until)
			}
		}
		if excluded {
			out[c.ID] = tenure.Standing{Belief: c.ID, Segments: []tenure.Segment{g}}
			continue
		}
		b.admitted = append(b.admitted, c)
	}
	terminations := make([]termination, len(b.admitted))
	var residues []conflicts.Residue
	for i, c := range b.admitted {
		terminations[i] = b.earliestTermination(c)
		if w := terminations[i].remaining(c.Window); !w.Empty() {
			claimants = append(claimants, conflicts.Claimant{Claim: c, Window: w, Beside: b.beside[c.Value.Canonical]})
		}
		if g, ok := terminations[i].segment(c.Window); ok && !b.inSlot[g.By] {
			residues = append(residues, conflicts.Residue{
				Claim: c, Window: g.Window, TerminatedAt: terminations[i].at, Beside: b.beside[c.Value.Canonical],
			})
		}
	}
	swept := map[tenure.ID][]tenure.Segment{}
	for i, segments := range conflicts.Reconcile(claimants, residues, e.Term) {
		swept[claimants[i].Claim.ID] = segments
	}
	for i, c := range b.admitted {
		segments := swept[c.ID]
		if g, late := early[c.ID]; late {
			segments = slices.Concat(g, segments)
		}
		if g, ok := terminations[i].segment(c.Window); ok {
			segments = append(segments, g)
		}
		out[c.ID] = tenure.Standing{Belief: c.ID, Segments: segments}
	}
	for i := range e.Claims {
		c := &e.Claims[i]
		s := out[c.ID]
		s.LastConfirmed = b.lastConfirmed(c)
		out[c.ID] = ApplyGrounds(s, c.DependsOn, e.Grounds)
	}
	return out
}

// evaluator indexes the evidence of a slot for the rules.
type evaluator struct {
	inSlot        map[tenure.ID]bool // ids of claims
	claims        []*tenure.Claim
	admitted      []*tenure.Claim
	withdrawals   map[tenure.ID][]tenure.Amendment // retract and reject, least id first
	ends          []end
	starts        []start
	beside        map[string][]conflicts.Beside // by value
	confirmed     map[tenure.ID]tenure.Instant
	supersessions []supersession
}

// end is an amendment that ends a value.
type end struct {
	amendment tenure.Amendment
	value     string
}

// start is an amendment that says since when a claim's value is true.
type start struct {
	amendment tenure.Amendment
	claim     *tenure.Claim
}

// supersession is a named supersession of a claim of the slot.
type supersession struct {
	by     *tenure.Claim
	target *tenure.Claim
}

func newEvaluator(e Evidence) *evaluator {
	b := &evaluator{inSlot: map[tenure.ID]bool{}, withdrawals: map[tenure.ID][]tenure.Amendment{},
		confirmed: map[tenure.ID]tenure.Instant{}, beside: map[string][]conflicts.Beside{}}
	byID := map[tenure.ID]*tenure.Claim{}
	for i := range e.Claims {
		b.claims = append(b.claims, &e.Claims[i])
		byID[e.Claims[i].ID] = &e.Claims[i]
		b.inSlot[e.Claims[i].ID] = true
	}
	amendments := slices.SortedFunc(slices.Values(e.Amendments),
		func(x, y tenure.Amendment) int { return cmp.Compare(x.ID, y.ID) })
	for _, a := range amendments {
		switch a.Kind {
		case tenure.Retract, tenure.Reject:
			b.withdrawals[a.Belief] = append(b.withdrawals[a.Belief], a)
		case tenure.Confirm:
			if last, ok := b.confirmed[a.Belief]; !ok || a.At > last {
				b.confirmed[a.Belief] = a.At
			}
		}
	}
	for _, a := range amendments {
		if c := byID[a.Belief]; c != nil && !b.withdrawn(c.ID) {
			b.ofValue(a, c)
		}
	}
	b.findSupersessions(e, byID)
	return b
}

// ofValue indexes an amendment that speaks of the value of a claim.
func (b *evaluator) ofValue(a tenure.Amendment, c *tenure.Claim) {
	switch a.Kind {
	case tenure.End:
		b.ends = append(b.ends, end{a, c.Value.Canonical})
	case tenure.Start:
		b.starts = append(b.starts, start{a, c})
	case tenure.Beside:
		v := c.Value.Canonical
		b.beside[v] = append(b.beside[v], conflicts.Beside{Case: a.Case, Level: a.AuthorityLevel})
	}
}

func (b *evaluator) findSupersessions(e Evidence, byID map[tenure.ID]*tenure.Claim) {
	seen := map[tenure.ID]bool{}
	for _, list := range [][]tenure.Claim{e.Superseders, e.Claims} {
		for i := range list {
			s := &list[i]
			if seen[s.ID] || b.withdrawn(s.ID) {
				continue
			}
			seen[s.ID] = true
			for _, id := range s.Supersedes {
				if c := byID[id]; c != nil && s.Source.AuthorityLevel <= c.Source.AuthorityLevel && supersedesIn(s.Scope, c.Scope) {
					b.supersessions = append(b.supersessions, supersession{s, c})
				}
			}
		}
	}
}

// supersedesIn reports whether a statement in scope s displaces a claim in scope c: a hypothetical or draft
// displaces nothing outside its own scope.
func supersedesIn(s, c tenure.Scope) bool { return !s.Provisional() || s.Key() == c.Key() }

// withdrawn reports whether a claim carries a retract or a reject amendment.
func (b *evaluator) withdrawn(id tenure.ID) bool { return len(b.withdrawals[id]) > 0 }

// exclusion returns the only segment of a claim that is withdrawn or barred, and reports whether it is.
func (b *evaluator) exclusion(c *tenure.Claim) (tenure.Segment, bool) {
	if list := b.withdrawals[c.ID]; len(list) > 0 {
		by, cause := list[0], tenure.ByRejection
		for _, a := range list {
			if a.Kind == tenure.Retract {
				by, cause = a, tenure.ByRetraction
				break
			}
		}
		return tenure.Segment{Window: c.Window, Cause: cause, By: by.ID}, true
	}
	var by tenure.ID
	for _, d := range b.claims {
		if d.Value.Canonical != c.Value.Canonical || by != "" && by < d.ID {
			continue
		}
		for _, a := range b.withdrawals[d.ID] {
			if a.AuthorityLevel <= c.Source.AuthorityLevel {
				by = d.ID
			}
		}
	}
	return tenure.Segment{Window: c.Window, Cause: tenure.ByBar, By: by}, by != ""
}

// beforeStart returns the part of the claim's window before the latest start of its value, and reports whether there
// is one. The part may be the whole window.
func (b *evaluator) beforeStart(c *tenure.Claim) (tenure.Segment, bool) {
	var last *start
	for i := range b.starts {
		s := &b.starts[i]
		if s.claim.Value.Canonical != c.Value.Canonical || s.amendment.AuthorityLevel > c.Source.AuthorityLevel ||
			!s.claim.Window.Overlaps(c.Window) || s.amendment.At <= c.Window.From {
			continue
		}
		if last == nil || s.amendment.At > last.amendment.At {
			last = s
		}
	}
	if last == nil {
		return tenure.Segment{}, false
	}
	w := tenure.Window{From: c.Window.From, Until: min(c.Window.Until, last.amendment.At)}
	return tenure.Segment{Window: w, Cause: tenure.ByStart, By: last.amendment.ID}, true
}

// startedAt returns the claim as if it had stated that start.
func startedAt(c *tenure.Claim, at tenure.Instant) *tenure.Claim {
	late := *c
	late.Window.From, late.Basis = at, tenure.Stated
	return &late
}

// termination ends a window early, by an end or by a named supersession.
type termination struct {
	at    tenure.Instant
	cause tenure.Cause
	by    tenure.ID
}

var notTerminated = termination{at: tenure.MaxTime}

func (k termination) remaining(w tenure.Window) tenure.Window {
	return tenure.Window{From: w.From, Until: min(w.Until, k.at)}
}

func (k termination) segment(w tenure.Window) (tenure.Segment, bool) {
	if k.at >= w.Until {
		return tenure.Segment{}, false
	}
	w.From = max(w.From, k.at)
	return tenure.Segment{Window: w, Cause: k.cause, By: k.by}, true
}

// before orders by time, then named supersession before end, then id.
func (k termination) before(o termination) bool {
	if k.at != o.at {
		return k.at < o.at
	}
	if k.cause != o.cause {
		return k.cause == tenure.ByName
	}
	return k.by < o.by
}

func (b *evaluator) earliestTermination(c *tenure.Claim) termination {
	first := notTerminated
	consider := func(k termination) {
		if k.at < c.Window.Until && (first == notTerminated || k.before(first)) {
			first = k
		}
	}
	for _, e := range b.ends {
		if e.value == c.Value.Canonical && e.amendment.AuthorityLevel <= c.Source.AuthorityLevel &&
			(c.Window.From < e.amendment.At || c.ID == e.amendment.Belief) {
			consider(termination{e.amendment.At, tenure.ByEnd, e.amendment.ID})
		}
	}
	for _, k := range b.supersessions {
		if b.terminates(k, c) {
			consider(termination{k.by.Window.From, tenure.ByName, k.by.ID})
		}
	}
	return first
}

// terminates reports whether a named supersession terminates the claim: it names the claim itself, or one whose
// value the claim repeats without a reassertion.
func (b *evaluator) terminates(k supersession, c *tenure.Claim) bool {
	if k.target.ID == c.ID {
		return true
	}
	if k.by.ID == c.ID || k.target.Value.Canonical != c.Value.Canonical ||
		k.by.Source.AuthorityLevel > c.Source.AuthorityLevel {
		return false
	}
	for _, n := range b.admitted {
		if n.ID != k.target.ID && n.Value.Canonical == c.Value.Canonical && n.Window.From <= c.Window.From &&
			isReassertion(n, k.by.Window.From) {
			return false
		}
	}
	return true
}

// isReassertion reports whether the claim reasserts its value after t: it supersedes by name, or states a later start
// of its own.
func isReassertion(n *tenure.Claim, t tenure.Instant) bool {
	return len(n.Supersedes) > 0 && n.Window.From >= t || n.Basis == tenure.Stated && n.Window.From > t
}

// lastConfirmed returns when the claim was last confirmed. The oldest claim of a value that is not withdrawn
// speaks for all claims of that value, because restating confirms.
func (b *evaluator) lastConfirmed(c *tenure.Claim) tenure.Instant {
	last := b.lastSeen(c)
	if b.withdrawn(c.ID) {
		return last
	}
	latest := last
	for _, o := range b.claims {
		if o.Value.Canonical != c.Value.Canonical || b.withdrawn(o.ID) {
			continue
		}
		if o.ID < c.ID {
			return last
		}
		latest = max(latest, b.lastSeen(o))
	}
	return latest
}

// lastSeen returns when the claim was last observed or confirmed.
func (b *evaluator) lastSeen(c *tenure.Claim) tenure.Instant {
	if at, ok := b.confirmed[c.ID]; ok {
		return max(c.ObservedAt, at)
	}
	return c.ObservedAt
}
