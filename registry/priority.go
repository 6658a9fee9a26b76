package registry

import (
	"math"

	"tenure"
	"tenure/queue"
)

// surest bounds the probability of a candidate away from 0 and 1: an open question is never beyond doubt.
const surest = 0.99

// Priority returns the expected information gain of an answer to the review: the doubt in bits times the
// number of things that the answer affects (the question itself, pending mentions, pending beliefs). It is finite
// and not negative.
func Priority(r tenure.Review) float64 {
	worth := doubt(r.Candidates) * float64(1+max(r.PendingMentions, 0)+max(r.PendingBeliefs, 0))
	if r.DeferredBy != "" {
		worth *= queue.PutOff
	}
	return worth
}

// doubt returns the entropy of the answer in bits. The outcomes are each candidate, weighted by its odds, and
// none of them. A candidate with a veto counts as probability 0.5, because its score and the rule contradict
// each other.
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
