package conflicts

import (
	"time"

	"tenure"
	"tenure/grain"
)

// Rule is what decides between claims beside the claims themselves.
type Rule struct {
	Term tenure.Term
	// Outranks reports whether the word of one role counts for more than that of another. It is a strict partial
	// order; nil orders no roles.
	Outranks func(a, b string) bool
}

// Voice is how far somebody's word reaches.
type Voice struct {
	Level int
	Role  string
}

// VoiceOf returns the voice of a source.
func VoiceOf(s tenure.Source) Voice { return Voice{s.AuthorityLevel, s.Role} }

// Outspeaks reports whether a has the stronger authority, or the higher role on the same level.
func (r Rule) Outspeaks(a, b Voice) bool {
	if a.Level != b.Level {
		return a.Level < b.Level
	}
	return r.outranks(a.Role, b.Role)
}

func (r Rule) outranks(a, b string) bool { return a != b && r.Outranks != nil && r.Outranks(a, b) }

// losesTo returns the cause by which p alone loses to g alone, Stands if it does not.
func (r Rule) losesTo(p, g Claimant) tenure.Cause {
	a, b := VoiceOf(p.Claim.Source), VoiceOf(g.Claim.Source)
	switch {
	case r.agree(p, g):
		return tenure.Stands
	case p.silent():
		return tenure.NoValue
	case a.Level > b.Level:
		return tenure.ByAuthority
	case r.Outspeaks(b, a):
		return tenure.ByRank
	case r.Outspeaks(a, b):
		return tenure.Stands
	case r.succeeds(g, p):
		return tenure.BySuccession
	case r.succeeds(p, g):
		return tenure.Stands
	case Trust(*p.Claim) < Trust(*g.Claim):
		return tenure.ByTrust
	}
	return tenure.Stands
}

// agree reports whether two claims do not contradict each other: their values are equal or one is finer, or one
// observation says both, or a settlement that binds both put them beside each other.
func (r Rule) agree(p, g Claimant) bool {
	if p.Claim.Value.Canonical == g.Claim.Value.Canonical {
		return true
	}
	if o := p.Claim.Observation; r.joins(o) && o == g.Claim.Observation && p.saidAt() == g.saidAt() {
		return true
	}
	return grain.Compatible(p.Grain, g.Grain) ||
		besides(p.Beside, g.Beside, min(p.Claim.Source.AuthorityLevel, g.Claim.Source.AuthorityLevel))
}

// joins reports whether the values that an observation states together stand beside one another.
func (r Rule) joins(observation tenure.ID) bool { return observation != "" && r.Undefined() }

// Undefined reports whether nobody defined the predicate to have one value, so that its claims may say otherwise.
func (r Rule) Undefined() bool { return r.Term.Registered || r.Term.Cardinality != tenure.One }

// revises reports whether p is a later word of the speaker of g. Of a constant, only a word from the same time on is.
func (r Rule) revises(p, g Claimant) bool {
	if p.said().Source.Identity() != g.said().Source.Identity() {
		return false
	}
	if at, before := p.saidAt(), g.saidAt(); at != before {
		return at > before && !r.Term.Constant
	}
	return p.said().Observation > g.said().Observation
}

// succeeds reports whether p takes the place of g by time: it is a later word of one speaker, or said later and not
// concurrent.
func (r Rule) succeeds(p, g Claimant) bool {
	return r.revises(p, g) || !r.Term.Constant && p.saidAt() > g.saidAt() && !r.concurrent(p, g)
}

// concurrent reports whether two sources observed, without stating a start, within the succession gap, g first, and
// nothing tells that it was one after the other.
func (r Rule) concurrent(p, g Claimant) bool {
	a, b := p.said(), g.said()
	return a.Basis == tenure.Observed && b.Basis == tenure.Observed && a.Source.Identity() != b.Source.Identity() &&
		a.Window.From <= b.Window.From.Add(r.gap()) && !follows(a, b)
}

// follows reports whether a is what somebody said after b, as far as both clocks tell: of what was said later, that it
// came later, too.
func follows(a, b *tenure.Claim) bool {
	return uttered(a) && uttered(b) && a.Observation > b.Observation
}

// uttered reports whether a claim is the word of somebody named, and was not read from data or by a tool.
func uttered(c *tenure.Claim) bool {
	return c.Source.Speaker != "" && c.Source.AuthorityLevel <= tenure.UserLevel
}

func (r Rule) gap() time.Duration { return time.Duration(r.Term.SuccessionGap) * time.Second }
