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
func (l *candidateSet) addRelated(ctx context.Context) error {
	if len(l.coMentions) == 0 || slices.ContainsFunc(l.list,
		func(c Scored) bool { return c.Comparison.Score >= similarity.MergeAt }) {
		return nil
	}
	related, err := l.known.Related(ctx, l.coMentions)
	if err != nil {
		return err
	}
	for _, id := range related {
		e, err := l.known.Entity(ctx, id)
		if err != nil {
			return err
		}
		if e == nil || !l.mayMean(*e) {
			continue
		}
		if _, err := l.add(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

func (l *candidateSet) mayMean(e tenure.Entity) bool {
	return blocking.MayMean(l.mention.Name, e.Name) ||
		slices.ContainsFunc(e.Names, func(n string) bool { return blocking.MayMean(l.mention.Name, n) })
}
