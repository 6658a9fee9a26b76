package view

import (
	"tenure"
	"tenure/similarity"
)

// Comparison is the similarity of two profiles. Band is the decision that the score alone implies.
type Comparison struct {
	Score         float64
	Band          tenure.Outcome
	Veto          string
	Prior         similarity.Prior
	Contributions []similarity.Contribution
	Model         string
}

// Compare compares two profiles.
func Compare(m *similarity.Model, left, right similarity.Profile, prior similarity.Prior) Comparison {
	c := m.Compare(m.Prepare(left), m.Prepare(right), prior)
	return Comparison{
		Score: c.Score, Band: c.Band(), Veto: c.Veto, Prior: prior, Contributions: c.Contributions, Model: m.Version,
	}
}
