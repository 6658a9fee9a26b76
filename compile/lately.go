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

// latest lists what was said last, of all that was found, for questions that nothing answers: the newest few things
// that were said within a day in the one conversation that went on then, and that have a word of a question or
// something of the kind that it asks for. Where several conversations went on it is not known of which one a question
// speaks.
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

// withoutLately leaves out, where something else was found, what was only said last.
func (c *topicSet) withoutLately(objects []*object, found bool) []*object {
	if !found {
		return objects
	}
	return slices.DeleteFunc(objects, func(o *object) bool { return c.lately[o.claim().ID] })
}

// answers reports whether an object is one of what was asked for, and not only said last.
func (c *topicSet) answers(o *object) bool {
	asked := c.wasAsked(o.root) || o.asked != "" || o.byValue || o.byWords
	return asked && !c.lately[o.claim().ID] && zoneOf(o.claim()) == zoneFacts
}
