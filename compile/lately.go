package compile

import (
	"cmp"
	"slices"
	"time"

	"tenure"
	"tenure/search"
)

// The bounds of what is shown for a question that nothing answers.
const (
	latelyKept = 3              // things said
	latelyRead = 20             // remarks
	lately     = 24 * time.Hour // before the instant
)

// latest is the fallback for questions that nothing answers: the newest few objects that were read from text within a
// day and share a word with a question, or have a value of the kind that it asks for. It returns nil if there were
// several conversations within that day, because the question may be about any of them.
func (c *topicSet) latest(objects []*object, at tenure.Instant) (list []*object) {
	said := slices.DeleteFunc(slices.Clone(objects), func(o *object) bool {
		e, ago := o.claim().Evidence, at.Time().Sub(o.claim().ObservedAt.Time())
		return e == nil || e.Source != "text" || ago < 0 || ago > lately
	})
	slices.SortStableFunc(said, func(a, b *object) int {
		return cmp.Compare(b.claim().ObservedAt, a.claim().ObservedAt)
	})
	for _, o := range said {
		if !ofOneConversation(o.claim().Source, said[0].claim().Source) {
			return nil
		}
	}
	docs := make([]search.Document, len(said))
	for i, o := range said {
		docs[i] = search.Document{Parts: o.worded(c), Answer: o.value, About: c.askedByName(o.root)}
	}
	for _, q := range c.questions {
		found := q.Find(docs)
		for _, i := range search.Best(found, latelyKept, func(i int) bool { return q.MayAnswer(found[i]) }) {
			if len(list) < latelyKept && !slices.Contains(list, said[i]) {
				list = append(list, said[i])
			}
		}
	}
	return list
}

// withoutLately drops what only [topicSet.latest] found, if found is set.
func (c *topicSet) withoutLately(objects []*object, found bool) []*object {
	if !found {
		return objects
	}
	return slices.DeleteFunc(objects, func(o *object) bool { return c.lately[o.claim().ID] })
}

// answers reports whether an object is one of what was asked for, and not only said last.
func (c *topicSet) answers(o *object) bool {
	asked := c.wasAsked(o.root) || o.leads()
	return asked && !c.lately[o.claim().ID] && isFact(o.claim())
}
