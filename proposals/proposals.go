package proposals

import (
	"slices"

	"tenure"
	"tenure/labels"
	"tenure/store"
	"tenure/values"
)

// The states of a proposed change. Dissolved: what it would change has changed since.
const (
	Open      = "open"
	Accepted  = "accepted"
	Refused   = "refused"
	Dissolved = "dissolved"
)

// Change is a change that a statement proposes.
type Change struct {
	ID tenure.ID
	// Observation has the statement, which has the Number: the first is 1.
	Observation tenure.Observation
	Number      int
	Said        tenure.Said
	// RecordedAt is when the observation was recorded.
	RecordedAt tenure.Instant

	// State is "" until [Load] has found it, and of what the reader may not know of.
	State string
	// Stands are the beliefs that it would displace, end or retract.
	Stands []tenure.Belief
	// Answered is the observation with the answer; nil without one.
	Answered *tenure.Observation
}

// Of lists the changes that an observation proposes.
func Of(rec store.ObservationRecord) (list []Change) {
	for i, s := range rec.Observation.Statements {
		if s.Proposal != nil {
			list = append(list, Change{
				ID: tenure.ProposalID(rec.Observation.ID, i+1), Observation: rec.Observation, Number: i + 1, Said: s,
				RecordedAt: rec.RecordedAt,
			})
		}
	}
	return list
}

// evidence is what decides on proposed changes: the observations that they are of, their answers, the beliefs that
// these observations made, and those that they would displace, end or retract.
type evidence struct {
	observations map[tenure.ID]tenure.Observation
	beliefs      map[tenure.ID]tenure.Belief
}

// load sets what is known of a proposed change at an instant, if a reader may know of it.
func (c *Change) load(e evidence, sees func(tenure.Claim) bool, at tenure.Instant) {
	if !c.seen(e, sees) {
		return
	}
	for _, id := range c.Said.Proposal.Stands {
		c.Stands = append(c.Stands, e.beliefs[id])
	}
	if answer, ok := e.observations[tenure.AnswerID(c.Observation.ID, c.Number)]; ok {
		c.Answered = &answer
	}
	c.State = c.state(at)
}

// state is the state that follows from the answer and from what stands at an instant.
func (c *Change) state(at tenure.Instant) string {
	switch {
	case c.Answered != nil && c.Answered.Answer.Accepted:
		return Accepted
	case c.Answered != nil:
		return Refused
	case slices.ContainsFunc(c.Stands, func(b tenure.Belief) bool { return !stands(b, at) }):
		return Dissolved
	}
	return Open
}

func stands(b tenure.Belief, at tenure.Instant) bool {
	g, ok := b.Standing.At(at)
	return ok && g.Cause == tenure.Stands
}

// seen reports whether a reader may know of a proposed change: of the words, of what was made of them, of what stands,
// and of what the words would say.
func (c *Change) seen(e evidence, sees func(tenure.Claim) bool) bool {
	hidden := func(id tenure.ID) bool { b, ok := e.beliefs[id]; return !ok || !sees(b.Claim) }
	told := func(o tenure.Observation) bool { return sees(wouldBe(o)) && !slices.ContainsFunc(o.Claims, hidden) }
	if of := c.Observation.Of; of != "" {
		first, ok := e.observations[of]
		if !ok || !told(first) {
			return false
		}
	}
	return told(c.Observation) && !slices.ContainsFunc(c.Said.Proposal.Stands, hidden)
}

// wouldBe is what a claim of a text would show: of the scope of the text, at least restricted, and as its label says.
func wouldBe(o tenure.Observation) tenure.Claim {
	would := tenure.Claim{Scope: o.Scope}
	would.Classification = tenure.Restricted
	l := labels.Of(o.Text)
	if l.Classification != "" && l.Classification.Rank() > would.Classification.Rank() {
		would.Classification = l.Classification
	}
	would.Permission.AllowRoles = l.Audience
	return would
}

// overtaken reports whether a belief that stands about what is meant answers the question: the property was given a
// value since or, if values stand beside each other, this one.
func (c *Change) overtaken(b tenure.Belief) bool {
	would, claim := c.Said.Proposal, b.Claim
	if claim.Predicate != c.Said.Predicate || b.RecordedAt < c.RecordedAt ||
		!claim.Scope.VisibleIn(c.Observation.Scope) || slices.Contains(would.Stands, claim.ID) {
		return false
	}
	return !would.Many || says(claim.Value, would.Value)
}

// says reports whether a value, or the name of one that is an entity, is that of a text.
func says(v tenure.Value, text string) bool {
	same := func(s string) bool { return values.Of(s).Canonical() == values.Of(text).Canonical() }
	return same(v.Text()) || v.Name != "" && same(v.Name)
}
