package registry

import (
	"slices"

	"tenure"
	"tenure/similarity"
)

// shortInSession finds whom a name that cannot tell by itself who is meant is short for in its session: the entities
// that the session mentioned lately and whose name it has, is a part of, or describes. One such entity is presumed to
// be meant unless something speaks against it; of several, a person decides.
func (s *candidateSet) shortInSession() {
	if !s.vague || s.mention.Record != nil {
		return
	}
	for i := range s.list {
		c := &s.list[i]
		c.InSession = s.mentioned(c.Root) && c.Comparison.Veto == "" &&
			(c.Exact || s.matcher.Model.ShortFor(s.prepared, c.like)) && unopposed(s.reasons(c))
		if !c.InSession {
			continue
		}
		score := scoreBySession
		switch {
		case c.Exact:
			score = scoreByName
		case similarity.Description(s.mention.Name, s.mention.Type):
			score = scoreByDescription
		}
		c.Comparison.Score = max(c.Comparison.Score, score)
	}
}

// mentioned reports whether the mention's session mentioned a root lately.
func (s *candidateSet) mentioned(root tenure.Entity) bool {
	whole := root.Whole()
	return slices.ContainsFunc(s.hints.Session, func(id tenure.ID) bool { return slices.Contains(whole, id) })
}
