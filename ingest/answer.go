package ingest

import (
	"slices"

	"tenure"
	"tenure/projection"
)

// maxCandidates bounds the candidates of a mention in an answer.
const maxCandidates = 10

func (in *intake) answer(claims []tenure.Claim, p projection.Projection) Answer {
	a := Answer{
		ObservationID: in.observation.ID, Mentions: []MentionAnswer{}, Beliefs: []BeliefAnswer{},
		Registered: append([]string{}, in.registered...), Statements: in.observation.Statements,
	}
	for i, d := range in.decisions {
		m := MentionAnswer{
			MentionID: in.mentions[i].ID, Outcome: d.Outcome, Score: d.Score, EntityID: d.Root, Reason: d.Reason,
			ReviewID: d.Review, Candidates: []Candidate{},
		}
		for _, c := range d.Candidates[:min(len(d.Candidates), maxCandidates)] {
			m.Candidates = append(m.Candidates, Candidate{c.Root.ID, c.Root.Name, c.Comparison.Score})
		}
		if d.Outcome == tenure.InReview {
			m.PendingID = d.Entity
		}
		a.Mentions = append(a.Mentions, m)
	}
	if in.inFuture(in.observation.ObservedAt) {
		in.warn(tenure.FutureTime, "/observed_at")
	}
	for _, c := range claims {
		b := in.belief(c, p)
		a.Beliefs = append(a.Beliefs, b)
		in.warnOfStanding(c, b, p.After[c.ID])
		in.warnOfTimes(c, p)
		in.warnOfSuccession(c, in.succeeded(c, b.Superseded, p), p)
	}
	in.warnOfNames()
	in.warnOfLabels()
	a.Warnings = in.ofText(inOrder(in.warnings))
	return a
}

// succeeded lists the beliefs that a claim displaced since it is newer.
func (in *intake) succeeded(c tenure.Claim, displaced []tenure.ID, p projection.Projection) []tenure.ID {
	return slices.DeleteFunc(slices.Clone(displaced), func(id tenure.ID) bool {
		return !slices.ContainsFunc(p.After[id].Segments, func(g tenure.Segment) bool {
			return g.By == c.ID && g.Cause == tenure.BySuccession
		})
	})
}

// openCase returns the case of a standing, "" if the caller does not see it.
func (in *intake) openCase(s tenure.Standing) tenure.ID {
	if in.openCases[s.Case] {
		return s.Case
	}
	return ""
}

func (in *intake) belief(c tenure.Claim, p projection.Projection) BeliefAnswer {
	s := p.After[c.ID]
	g := Decisive(s, in.mint.Now)
	b := BeliefAnswer{
		BeliefID: c.ID, Status: g.Cause.Status(), Superseded: []tenure.ID{}, Restored: []tenure.ID{},
		CaseID: in.openCase(s), NeedsReview: s.NeedsReview, Predicate: heldUnder(c),
	}
	if g.Cause != tenure.Stands && g.Cause != tenure.ByTie {
		b.OverriddenBy = g.By
	}
	for id, after := range p.After {
		if id == c.ID {
			continue
		}
		if before, ok := p.Before[id]; ok && lostTo(before, after, c.ID) {
			b.Superseded = append(b.Superseded, id)
		}
	}
	for _, id := range p.Held[s.Case] {
		if id != c.ID {
			b.DisputedWith = append(b.DisputedWith, id)
		}
	}
	if g.Cause == tenure.ByTie && !slices.Contains(b.DisputedWith, g.By) {
		b.DisputedWith = append(b.DisputedWith, g.By)
	}
	slices.Sort(b.Superseded)
	slices.Sort(b.DisputedWith)
	for _, id := range p.Restored() {
		lost := func(g tenure.Segment) bool {
			return slices.Contains(b.Superseded, g.By) || c.SaysMany() && in.together(c, p.Claims[id])
		}
		if slices.ContainsFunc(p.Before[id].Segments, lost) {
			b.Restored = append(b.Restored, id)
		}
	}
	return b
}

// heldUnder returns the predicate that a claim is held under, "" if it is the one written.
func heldUnder(c tenure.Claim) string {
	if c.PredicateAsWritten == "" {
		return ""
	}
	return c.Predicate
}

// together reports whether two claims are judged in one slot, that of the root of their subjects.
func (in *intake) together(a, b tenure.Claim) bool {
	return in.rootSlot(a) == in.rootSlot(b)
}

func (in *intake) rootSlot(c tenure.Claim) tenure.Slot {
	s := c.Slot()
	if e := in.txn.CachedEntity(s.Subject); e != nil {
		s.Subject = e.Root()
	}
	return s
}

// Decisive returns the segment that summarises the standing: the segment at now, else the nearest one.
func Decisive(s tenure.Standing, now tenure.Instant) tenure.Segment {
	if g, ok := s.At(now); ok {
		return g
	}
	if len(s.Segments) == 0 {
		return tenure.Segment{}
	}
	if first := s.Segments[0]; now < first.From {
		return first
	}
	return s.Segments[len(s.Segments)-1]
}

// lostTo reports whether a segment that stood before now loses to the belief.
func lostTo(before, after tenure.Standing, to tenure.ID) bool {
	for _, g := range after.Segments {
		if g.By != to || g.Cause.Status() != tenure.Overridden {
			continue
		}
		for _, h := range before.Segments {
			if h.Cause == tenure.Stands && h.Overlaps(g.Window) {
				return true
			}
		}
	}
	return false
}
