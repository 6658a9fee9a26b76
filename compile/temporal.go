package compile

import (
	"math"
	"time"

	"tenure"
	"tenure/vocabulary"
)

// reasonOf returns the reason for omitting an object that does not stand: the cause of its segment, but for a
// tie the word of Context Architecture.
func reasonOf(c tenure.Cause) string {
	if c == tenure.ByTie {
		return reasonConflict
	}
	return string(c)
}

// standing keeps objects that stand at the instant (Context Architecture, Temporal Validity; StateBench
// specification, step 3: valid facts only) and have not decayed.
func standing(objects []*object, at tenure.Instant) (kept []*object, dropped []omission) {
	for _, o := range objects {
		seg, ok := o.belief.Standing.At(at)
		switch {
		case !ok && at < o.claim().Window.From:
			dropped = append(dropped, omission{object: o, reason: reasonNotYetValid})
		case !ok:
			dropped = append(dropped, omission{object: o, reason: reasonExpired})
		case seg.Cause == tenure.ByTie:
			dropped = append(dropped, omission{object: o, reason: reasonOf(seg.Cause), caseID: o.belief.Standing.Case})
		case seg.Cause != tenure.Stands:
			dropped = append(dropped, omission{object: o, reason: reasonOf(seg.Cause), by: seg.By})
		case decayed(o.belief, at):
			dropped = append(dropped, omission{object: o, reason: reasonDecayed})
		default:
			o.stood = seg.Window
			kept = append(kept, o)
		}
	}
	return kept, dropped
}

// decayed reports whether the remaining confidence is below the threshold of the object's decay rule: it halves
// every half-life, counted in whole days since the last confirmation.
func decayed(b *tenure.Belief, at tenure.Instant) bool {
	rule := b.Claim.DecayRule
	if rule == nil || rule.HalfLifeDays <= 0 || at <= b.Standing.LastConfirmed {
		return false
	}
	return b.Claim.Confidence*math.Pow(.5, unconfirmedDays(b, at)/rule.HalfLifeDays) < rule.MinimumThreshold
}

// unconfirmedDays counts the whole days since a belief was confirmed last.
func unconfirmedDays(b *tenure.Belief, at tenure.Instant) float64 {
	return float64(at.Time().Sub(b.Standing.LastConfirmed.Time()) / (24 * time.Hour))
}

// stale reports whether half of the confidence in a belief has gone: by its own rule, else by what is known of its
// predicate. It is told and omits nothing.
func stale(b *tenure.Belief, decay tenure.Decay, at tenure.Instant) bool {
	half := halfLife(b, decay)
	return half > 0 && b.Standing.LastConfirmed > 0 && at > b.Standing.LastConfirmed && unconfirmedDays(b, at) >= half
}

// halfLife returns the days in which confidence in a belief halves, 0 for never: by its own rule, else by what is known
// of its predicate.
func halfLife(b *tenure.Belief, decay tenure.Decay) float64 {
	if rule := b.Claim.DecayRule; rule != nil && rule.HalfLifeDays > 0 {
		return rule.HalfLifeDays
	}
	return vocabulary.HalfLifeDays(decay)
}
