package similarity

import (
	"math"

	"tenure"
)

// Cohesion measures how well the mentions of one entity hold together, when every pair is scored on its own
// under the registry's prior.
type Cohesion struct {
	// Compared is the number of mentions that were compared, Pairs the number of pairs among them.
	Compared, Pairs int
	// Apart counts the pairs that score as different entities, Contradicting the pairs with a veto for their
	// identifiers.
	Apart, Contradicting int
	// Weakest is the lowest score on a maximum spanning tree of the mentions: every other way of joining them
	// has a link at most as strong. It is 1 for a single mention. Side is the number of mentions on the
	// smaller side of that link.
	Weakest float64
	Side    int
}

// maxCohesion bounds the mentions that are compared pairwise.
const maxCohesion = 40

// Cohesion compares mentions pairwise, only the first maxCohesion of them.
func (m *Model) Cohesion(mentions []tenure.Mention) Cohesion {
	mentions = mentions[:min(len(mentions), maxCohesion)]
	prepared := make([]*Prepared, len(mentions))
	for i, x := range mentions {
		prepared[i] = m.Prepare(ProfileOfMention(x))
	}
	c := Cohesion{Compared: len(mentions), Weakest: 1}
	scores := make([][]float64, len(mentions))
	for i := range scores {
		scores[i] = make([]float64, len(mentions))
		for j := range i {
			var e evidence
			veto, _ := m.gather(prepared[i], prepared[j], &e)
			score := Probability(m.weigh(prepared[i], prepared[j], m.dot(&e), e.grounds(), m.RegistryPrior()).odds)
			scores[i][j], scores[j][i] = score, score
			c.Pairs++
			if score <= NewAt {
				c.Apart++
			}
			if veto == VetoIdentifier {
				c.Contradicting++
			}
		}
	}
	c.weakest(scores)
	return c
}

// weakest finds the weakest link of the maximum spanning tree (Prim's algorithm) and the size of its smaller
// side.
func (c *Cohesion) weakest(scores [][]float64) {
	n := len(scores)
	if n < 2 {
		return
	}
	nearest, joined := make([]int, n), make([]bool, n) // all mentions start nearest to the first
	joined[0] = true
	order := make([]int, 0, n)
	for range n - 1 {
		next, best := -1, math.Inf(-1)
		for i := range n {
			if !joined[i] && scores[i][nearest[i]] > best {
				next, best = i, scores[i][nearest[i]]
			}
		}
		joined[next] = true
		order = append(order, next)
		for i := range n {
			if !joined[i] && scores[i][next] > scores[i][nearest[i]] {
				nearest[i] = next
			}
		}
	}
	below := make([]int, n)
	for k := len(order) - 1; k >= 0; k-- {
		i := order[k]
		below[i]++
		below[nearest[i]] += below[i]
		if score := scores[i][nearest[i]]; score < c.Weakest {
			c.Weakest, c.Side = score, min(below[i], n-below[i])
		}
	}
}
