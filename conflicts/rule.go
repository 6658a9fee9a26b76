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
	case r.revises(g, p), r.inTime(p, g) && p.saidAt() < g.saidAt():
		return tenure.BySuccession
	case r.revises(p, g), r.inTime(p, g):
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

// joins reports whether the values that an observation states together stand beside one another: unless the predicate
// is defined to have one value.
func (r Rule) joins(observation tenure.ID) bool {
	return observation != "" && (r.Term.Registered || r.Term.Cardinality != tenure.One)
}

// revises reports whether p is a later word of the speaker of g. Of a constant, only a word from the same time on is.
func (r Rule) revises(p, g Claimant) bool {
	if p.Claim.Source.Identity() != g.Claim.Source.Identity() {
		return false
	}
	if at, before := p.saidAt(), g.saidAt(); at != before {
		return at > before && !r.Term.Constant
	}
	return p.said().Observation > g.said().Observation
}

// inTime reports whether time is an argument between two claims.
func (r Rule) inTime(p, g Claimant) bool {
	return !r.Term.Constant && p.saidAt() != g.saidAt() && !r.concurrent(p, g)
}

// concurrent reports whether two sources observed, without stating a start, within the succession gap.
func (r Rule) concurrent(p, g Claimant) bool {
	a, b := p.saidAt(), g.saidAt()
	return p.Claim.Basis == tenure.Observed && g.Claim.Basis == tenure.Observed &&
		p.Claim.Source.Identity() != g.Claim.Source.Identity() && max(a, b) <= min(a, b).Add(r.gap())
}

func (r Rule) gap() time.Duration { return time.Duration(r.Term.SuccessionGap) * time.Second }
