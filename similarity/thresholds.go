package similarity

import "math"

// The lines between the three bands, as probabilities: a score of MergeAt and
// more is the same entity, one of NewAt and less is another.
//
// Source: Context Architecture, Named Entity Resolution model, Similarity
// Score Decision.
const (
	MergeAt = 0.95
	NewAt   = 0.70
)

// Margin is how much more likely than the second the first has to be, as
// log-odds: taking the two for the only ones that it may be, as likely as one
// that is merged alone.
var Margin = math.Log(MergeAt / (1 - MergeAt))

func BoolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}
