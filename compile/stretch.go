package compile

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"tenure"
	"tenure/search"
)

// pause is the least time without a word between two stretches of a conversation.
const pause = time.Duration(tenure.DefaultSuccessionGap) * time.Second

// alongside lists the remarks of the stretches of conversation that contain an anchor, nearest in time first. Such
// remarks may answer a question without its words, so only those with the kind of answer that it asks for count.
func (c *topicSet) alongside(said, anchors []*object) []*object {
	claimsOf := func(list []*object) []*tenure.Claim {
		claims := make([]*tenure.Claim, len(list))
		for i, o := range list {
			claims[i] = o.claim()
		}
		return claims
	}
	near := stretches(claimsOf(said), claimsOf(anchors))
	places := slices.SortedFunc(maps.Keys(near), func(i, j int) int {
		return cmp.Or(cmp.Compare(near[i], near[j]), cmp.Compare(i, j))
	})
	docs := make([]search.Document, len(places))
	for n, i := range places {
		docs[n] = search.Document{Parts: said[i].worded(c), Answer: said[i].value}
	}
	var found []*object
	for _, q := range c.questions {
		for n, f := range q.Find(docs) {
			if o := said[places[n]]; q.Fits(f) && !slices.Contains(found, o) {
				found = append(found, o)
			}
		}
	}
	return found
}

// stretches returns the indices of the claims that no pause separates from an anchor, and their distances in time.
func stretches(said, anchors []*tenure.Claim) map[int]time.Duration {
	order := make([]int, len(said))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(said[i].ObservedAt, said[j].ObservedAt) })
	near := map[int]time.Duration{}
	for _, a := range anchors {
		from, _ := slices.BinarySearchFunc(order, a.ObservedAt, func(i int, at tenure.Instant) int {
			return cmp.Compare(said[i].ObservedAt, at)
		})
		walk := func(start, step int) {
			last := a.ObservedAt
			for n := start; n >= 0 && n < len(order); n += step {
				o := said[order[n]]
				if apart(last, o.ObservedAt) > pause {
					return
				}
				if !ofOneConversation(a.Source, o.Source) {
					continue
				}
				last = o.ObservedAt
				if d, known := near[order[n]]; !known || apart(a.ObservedAt, last) < d {
					near[order[n]] = apart(a.ObservedAt, last)
				}
			}
		}
		walk(from, 1)
		walk(from-1, -1)
	}
	return near
}

func apart(a, b tenure.Instant) time.Duration {
	d := a.Time().Sub(b.Time())
	return max(d, -d)
}

// ofOneConversation reports whether two sources are of one thread or session, or one speaker where one of them is of
// neither.
func ofOneConversation(a, b tenure.Source) bool {
	x, y := cmp.Or(a.Thread, a.Session), cmp.Or(b.Thread, b.Session)
	if x != "" && y != "" {
		return x == y
	}
	return a.Speaker != "" && a.Speaker == b.Speaker
}

// explained lists the displaced objects, except remarks: remarks made near them in time may say why.
func explained(lost []omission) (list []*object) {
	for _, l := range lost {
		if l.displaced() && !isRemark(l.object.claim()) {
			list = append(list, l.object)
		}
	}
	return list
}

// anchors lists the objects that concern what a question asks about: they have half of its terms and all that name
// something, or nearly all of its terms, or in their value alone all that name something.
func (c *topicSet) anchors(objects []*object) (list []*object) {
	docs, values := make([]search.Document, len(objects)), make([]search.Document, len(objects))
	for i, o := range objects {
		value := valueText(o.claim().Value, nil, c.Known)
		docs[i] = search.Document{Parts: append(o.worded(c), value)}
		values[i] = search.Document{Parts: []string{value}}
	}
	for _, q := range c.questions {
		of := q.Find(values)
		for i, f := range q.Find(docs) {
			if (f.HasHalf() || f.HasNearlyAll() || of[i].HasNames()) && !slices.Contains(list, objects[i]) {
				list = append(list, objects[i])
			}
		}
	}
	return list
}
