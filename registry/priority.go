package registry

import (
	"math"

	"tenure"
)

const (
	// surest bounds the probability of a candidate from both sides: nothing that
	// is asked is beyond doubt.
	surest = 0.99
	// putOff is what is left of the worth of a review that somebody put off.
	putOff = 0.25
)

// Priority is what the answer to a review is worth: the doubt in bits, times the
// number of things that mean something else by the answer, which are the
// question itself, the mentions that wait and the claims that are held. It is
// finite and not negative.
func Priority(r tenure.Review) float64 {
	worth := doubt(r.Candidates) * float64(1+max(r.Waiting, 0)+max(r.Held, 0))
	if r.DeferredBy != "" {
		worth *= putOff
	}
	return worth
}

// doubt is the entropy, in bits, of the answer: one of the candidates, each by
// its odds, or none of them. Of a candidate with a veto, score and rule
// contradict each other: it is as likely as not.
func doubt(candidates []tenure.Candidate) float64 {
	weights, sum := []float64{1}, 1.0
	for _, c := range candidates {
		p := min(max(c.Score, 1-surest), surest)
		if c.Veto != "" || math.IsNaN(p) {
			p = 0.5
		}
		weights = append(weights, p/(1-p))
		sum += p / (1 - p)
	}
	bits := 0.0
	for _, w := range weights {
		bits -= w / sum * math.Log2(w/sum)
	}
	return max(bits, 0)
}
