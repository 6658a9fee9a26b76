package registry

import (
	"math"

	"tenure"
	"tenure/similarity"
)

// mostInQuestion is how many candidates may come into question for a person to be asked about them.
const mostInQuestion = 5

// askAboutFew has the few candidates that come into question scored as that, if the mention would make an entity. The
// prior of a registry says that most of what looks alike is different; whether one of so few is the same, a person
// knows. A row is not asked about: the rows that follow decide.
func (s *candidateSet) askAboutFew() {
	best := settledAt(s.list)
	if s.mention.Record != nil || best < 0 || s.list[best].Comparison.Score > similarity.NewAt {
		return
	}
	var few []int
	var asked []Scored
	for i := range s.list {
		if c, ok := s.inQuestion(s.list[i]); ok {
			few, asked = append(few, i), append(asked, c)
		}
	}
	if len(few) > mostInQuestion {
		return
	}
	for k, i := range few {
		asked[k].InQuestion = len(few)
		s.list[i] = asked[k]
	}
	inOrder(s.list)
}

// inQuestion returns a candidate with the score by which it comes into question, and reports whether it does: at even
// odds, or with the prior of a variant of its name, it would be asked about. It is never merged by that.
func (s *candidateSet) inQuestion(c Scored) (Scored, bool) {
	if c.Comparison.Veto != "" || c.Root.Status == tenure.EntityPending {
		return c, false
	}
	model := s.matcher.Model
	variant := model.Variants(s.prepared, c.like)
	if !variant && !model.NamesMeet(s.prepared, c.like) {
		return c, false
	}
	c.prior = similarity.EvenPrior()
	c.Comparison = model.CompareCached(s.prepared, c.like, c.prior)
	if variant && c.Comparison.Score <= similarity.NewAt {
		c.prior = similarity.VariantPrior()
		c.Comparison = model.CompareCached(s.prepared, c.like, c.prior)
	}
	c.Comparison.Score = min(c.Comparison.Score, math.Nextafter(similarity.MergeAt, 0))
	return c, similarity.Band(c.Comparison.Score) == tenure.InReview
}
