package registry

import (
	"context"
	"slices"

	"tenure"
	"tenure/blocking"
	"tenure/similarity"
)

// addRelated adds the entities that beliefs relate to the mention's co-mentions and whose name the mention
// may abbreviate: "Ada", mentioned together with the project that Ada Park leads.
func (s *candidateSet) addRelated(ctx context.Context) error {
	if len(s.hints.CoMentions) == 0 || slices.ContainsFunc(s.list,
		func(c Scored) bool { return c.Comparison.Score >= similarity.MergeAt }) {
		return nil
	}
	related, err := s.known.Related(ctx, s.hints.CoMentions)
	if err != nil {
		return err
	}
	for _, id := range related {
		e, err := s.known.Entity(ctx, id)
		if err != nil {
			return err
		}
		if e == nil || !s.mayMean(*e) {
			continue
		}
		if _, err := s.add(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (s *candidateSet) mayMean(e tenure.Entity) bool {
	return blocking.MayMean(s.mention.Name, e.Name) ||
		slices.ContainsFunc(e.Names, func(n string) bool { return blocking.MayMean(s.mention.Name, n) })
}
