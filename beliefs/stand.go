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
	b := newBench(e)
	out := make(map[tenure.ID]tenure.Standing, len(e.Claims))
	var parties []conflicts.Party
	for i := range e.Claims {
		c := &e.Claims[i]
		if g, shut := b.shut(c); shut {
			out[c.ID] = tenure.Standing{Belief: c.ID, Segments: []tenure.Segment{g}}
			continue
		}
		b.admitted = append(b.admitted, c)
	}
	cuts := make([]cut, len(b.admitted))
	var shadows []conflicts.Shadow
	for i, c := range b.admitted {
		cuts[i] = b.earliestCut(c)
		if w := cuts[i].left(c.Window); !w.Empty() {
			parties = append(parties, conflicts.Party{Claim: c, Window: w})
		}
		if g, ok := cuts[i].segment(c.Window); ok && !b.inSlot[g.By] {
			shadows = append(shadows, conflicts.Shadow{Claim: c, Window: g.Window, Cut: cuts[i].at})
		}
	}
	swept := map[tenure.ID][]tenure.Segment{}
	for i, segments := range conflicts.Reconcile(parties, shadows, e.Term) {
		swept[parties[i].Claim.ID] = segments
	}
	for i, c := range b.admitted {
		segments := swept[c.ID]
		if g, ok := cuts[i].segment(c.Window); ok {
			segments = append(segments, g)
		}
		out[c.ID] = tenure.Standing{Belief: c.ID, Segments: segments}
	}
	for i := range e.Claims {
		c := &e.Claims[i]
		s := out[c.ID]
		s.LastConfirmed = b.lastConfirmed(c)
		out[c.ID] = Withhold(s, c.DependsOn, e.Grounds)
	}
	return out
}

// bench indexes the evidence of a slot for the rules.
type bench struct {
	inSlot    map[tenure.ID]bool // ids of claims
	claims    []*tenure.Claim
	admitted  []*tenure.Claim
	voids     map[tenure.ID][]tenure.Amendment // retract and reject, least id first
	ends      []end
	confirmed map[tenure.ID]tenure.Instant
	kills     []kill
}

// end is an amendment that ends a value.
type end struct {
	amendment tenure.Amendment
	value     string
}

// kill is a named supersession of a claim of the slot.
type kill struct {
	by     *tenure.Claim
	victim *tenure.Claim
}

func newBench(e Evidence) *bench {
	b := &bench{inSlot: map[tenure.ID]bool{}, voids: map[tenure.ID][]tenure.Amendment{}, confirmed: map[tenure.ID]tenure.Instant{}}
	byID := map[tenure.ID]*tenure.Claim{}
	for i := range e.Claims {
		b.claims = append(b.claims, &e.Claims[i])
		byID[e.Claims[i].ID] = &e.Claims[i]
		b.inSlot[e.Claims[i].ID] = true
	}
	amendments := slices.SortedFunc(slices.Values(e.Amendments), func(x, y tenure.Amendment) int { return cmp.Compare(x.ID, y.ID) })
	for _, a := range amendments {
		switch a.Kind {
		case tenure.Retract, tenure.Reject:
			b.voids[a.Belief] = append(b.voids[a.Belief], a)
		case tenure.Confirm:
			if last, ok := b.confirmed[a.Belief]; !ok || a.At > last {
				b.confirmed[a.Belief] = a.At
			}
		}
	}
	for _, a := range amendments {
		if c := byID[a.Belief]; a.Kind == tenure.End && c != nil && !b.void(c.ID) {
			b.ends = append(b.ends, end{a, c.Value.Canonical})
		}
	}
	b.findKills(e, byID)
	return b
}

func (b *bench) findKills(e Evidence, byID map[tenure.ID]*tenure.Claim) {
	seen := map[tenure.ID]bool{}
	for _, list := range [][]tenure.Claim{e.Superseders, e.Claims} {
		for i := range list {
			s := &list[i]
			if seen[s.ID] || b.void(s.ID) {
				continue
			}
			seen[s.ID] = true
			for _, id := range s.Supersedes {
				if c := byID[id]; c != nil && s.Source.AuthorityLevel <= c.Source.AuthorityLevel && reaches(s.Scope, c.Scope) {
					b.kills = append(b.kills, kill{s, c})
				}
			}
		}
	}
}

// reaches reports whether a statement in scope s displaces a claim in scope c: a hypothetical or draft
// displaces nothing outside its own scope.
func reaches(s, c tenure.Scope) bool { return !s.Provisional() || s.Key() == c.Key() }

func (b *bench) void(id tenure.ID) bool { return len(b.voids[id]) > 0 }

// shut returns the only segment of a claim that is retracted, rejected or barred, and reports whether it is.
func (b *bench) shut(c *tenure.Claim) (tenure.Segment, bool) {
	if voids := b.voids[c.ID]; len(voids) > 0 {
		by, cause := voids[0], tenure.ByRejection
		for _, a := range voids {
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
		for _, a := range b.voids[d.ID] {
			if a.AuthorityLevel <= c.Source.AuthorityLevel {
				by = d.ID
			}
		}
	}
	return tenure.Segment{Window: c.Window, Cause: tenure.ByBar, By: by}, by != ""
}

// cut ends a window early.
type cut struct {
	at    tenure.Instant
	cause tenure.Cause
	by    tenure.ID
}

var noCut = cut{at: tenure.Forever}

func (k cut) left(w tenure.Window) tenure.Window {
	return tenure.Window{From: w.From, Until: min(w.Until, k.at)}
}

func (k cut) segment(w tenure.Window) (tenure.Segment, bool) {
	if k.at >= w.Until {
		return tenure.Segment{}, false
	}
	w.From = max(w.From, k.at)
	return tenure.Segment{Window: w, Cause: k.cause, By: k.by}, true
}

// before orders by time, then named supersession before end, then id.
func (k cut) before(o cut) bool {
	if k.at != o.at {
		return k.at < o.at
	}
	if k.cause != o.cause {
		return k.cause == tenure.ByName
	}
	return k.by < o.by
}

func (b *bench) earliestCut(c *tenure.Claim) cut {
	first := noCut
	consider := func(k cut) {
		if k.at < c.Window.Until && (first == noCut || k.before(first)) {
			first = k
		}
	}
	for _, e := range b.ends {
		if e.value == c.Value.Canonical && e.amendment.AuthorityLevel <= c.Source.AuthorityLevel && c.Window.From < e.amendment.At {
			consider(cut{e.amendment.At, tenure.ByEnd, e.amendment.ID})
		}
	}
	for _, k := range b.kills {
		if b.cutsOff(k, c) {
			consider(cut{k.by.Window.From, tenure.ByName, k.by.ID})
		}
	}
	return first
}

// cutsOff reports whether a named supersession ends the claim: the named one itself, or a claim that repeats
// its value without reasserting it.
func (b *bench) cutsOff(k kill, c *tenure.Claim) bool {
	if k.victim.ID == c.ID {
		return true
	}
	if k.by.ID == c.ID || k.victim.Value.Canonical != c.Value.Canonical || k.by.Source.AuthorityLevel > c.Source.AuthorityLevel {
		return false
	}
	for _, n := range b.admitted {
		if n.ID != k.victim.ID && n.Value.Canonical == c.Value.Canonical && n.Window.From <= c.Window.From && news(n, k.by.Window.From) {
			return false
		}
	}
	return true
}

// news reports whether the claim reasserts its value after t: it supersedes by name, or states a later start
// of its own.
func news(n *tenure.Claim, t tenure.Instant) bool {
	return len(n.Supersedes) > 0 && n.Window.From >= t || n.Basis == tenure.Stated && n.Window.From > t
}

// lastConfirmed returns when the claim was last confirmed. The oldest claim of a value that is not retracted
// speaks for all claims of that value, because restating confirms.
func (b *bench) lastConfirmed(c *tenure.Claim) tenure.Instant {
	last := b.seen(c)
	if b.void(c.ID) {
		return last
	}
	latest := last
	for _, o := range b.claims {
		if o.Value.Canonical != c.Value.Canonical || b.void(o.ID) {
			continue
		}
		if o.ID < c.ID {
			return last
		}
		latest = max(latest, b.seen(o))
	}
	return latest
}

// seen returns when the claim was last observed or confirmed.
func (b *bench) seen(c *tenure.Claim) tenure.Instant {
	if at, ok := b.confirmed[c.ID]; ok {
		return max(c.ObservedAt, at)
	}
	return c.ObservedAt
}
