package similarity

import (
	"math"

	"tenure"
)

// Thresholds of the decision, as probabilities: a score of MergeAt or more is a match, a score of NewAt or
// less a non-match, a score between them a possible match.
//
// Source: Context Architecture, Named Entity Resolution model, Similarity Score Decision.
const (
	MergeAt = 0.95
	NewAt   = 0.70
)

// Margin is the least difference, in log-odds, between the best candidate and the second. If one of the two
// is the match, the best is then as probable as a single candidate at MergeAt.
var Margin = math.Log(MergeAt / (1 - MergeAt))

// Band returns the decision that a score alone implies.
func Band(score float64) tenure.Outcome {
	switch {
	case score >= MergeAt:
		return tenure.AutoMerge
	case score > NewAt:
		return tenure.InReview
	}
	return tenure.NewEntity
}

// Band returns the decision that a comparison alone implies: a veto turns a merge into a review.
func (c Comparison) Band() tenure.Outcome {
	band := Band(c.Score)
	if band == tenure.AutoMerge && c.Veto != "" {
		return tenure.InReview
	}
	return band
}
