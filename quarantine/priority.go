package quarantine

import (
	"math"
	"time"

	"tenure"
	"tenure/queue"
)

const (
	// halfLife is how long it takes until a contradiction that nobody repeats is worth half as much.
	halfLife = 30 * 24 * time.Hour
	// faintest bounds the strength of a voice away from 0.
	faintest = 0.01
)

// Score returns what orders open cases: the binary logarithm of their [Priority] at the epoch. The difference of two
// scores does not depend on when they are compared. sides are the beliefs that the case holds; what was recorded before
// it was observed counts as observed when it was recorded.
func Score(c tenure.Case, sides []tenure.Belief) float64 {
	values := map[string]bool{}
	voice, fresh := faintest, tenure.MinTime
	for _, b := range sides {
		values[b.Claim.Value.Canonical] = true
		voice = max(voice, strength(b.Claim.Source))
		fresh = max(fresh, min(b.Claim.ObservedAt, b.RecordedAt))
	}
	worth := math.Log2(float64(max(len(values), 2))) * float64(1+c.PendingBeliefs) * voice
	if c.DeferredBy != "" && c.DeferredUntil == 0 {
		worth *= queue.PutOff
	}
	return math.Log2(worth) + halfLives(fresh)
}

// strength returns how strong a voice is, 0 to 1: how far the source is trusted, times a fifth for each authority
// level down to its own.
func strength(s tenure.Source) float64 {
	const levels = 5
	return s.SourceAuthority * float64(levels-s.AuthorityLevel) / levels
}

func halfLives(at tenure.Instant) float64 {
	return float64(at) / float64(halfLife/time.Microsecond)
}

// Priority returns what an answer to an open case is worth at an instant: the doubt in bits (the binary logarithm of
// the number of values), times the number of things that wait (the question itself and the pending beliefs), times
// the strength of the strongest voice (0 to 1), halved for every thirty days since a side was last observed. A case
// that was put off without a date counts a quarter. It is finite and not negative.
func Priority(c tenure.Case, now tenure.Instant) float64 {
	const most = 1000
	return math.Exp2(min(c.Score-halfLives(now), most))
}
