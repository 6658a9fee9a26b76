package compile

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"tenure"
	"tenure/search"
	"tenure/text"
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

// leastRepeated is the number of bytes that a value has at least to be recognised in a remark.
const leastRepeated = 3

// current drops the remarks that repeat a value of their subject that does not stand, or paraphrase it if it is a
// sentence. The value may have become a belief only after the remark.
func (c *topicSet) current(objects []*object, lost []omission) []*object {
	stands := map[string]bool{}
	for _, o := range objects {
		if !isRemark(o.claim()) {
			stands[text.Spaced(valueText(o.claim().Value, nil, c.known))] = true
		}
	}
	former, spoken := c.former(lost, stands)
	if len(former) == 0 {
		return objects
	}
	holds := map[tenure.ID][]terms{}
	for _, o := range objects {
		if len(spoken[o.root]) > 0 && !isRemark(o.claim()) {
			holds[o.root] = append(holds[o.root], termsOf(valueText(o.claim().Value, nil, c.known)))
		}
	}
	return slices.DeleteFunc(objects, func(o *object) bool {
		if !isRemark(o.claim()) {
			return false
		}
		said := valueText(o.claim().Value, nil, c.known)
		words, told := text.Spaced(said), termsOf(said)
		return slices.ContainsFunc(former[o.root], func(value string) bool {
			return strings.Contains(words, value) || strings.Count(words, " ") > leastSaid && strings.Contains(value, words)
		}) || slices.ContainsFunc(spoken[o.root], func(value terms) bool { return told.retell(value, holds[o.root]) })
	})
}

// former returns the lost values that stand nowhere, by root: as words, and for displaced sentences as terms.
func (c *topicSet) former(
	lost []omission, stands map[string]bool,
) (values map[tenure.ID][]string, sentences map[tenure.ID][]terms) {
	values, sentences = map[tenure.ID][]string{}, map[tenure.ID][]terms{}
	for _, l := range lost {
		written, root := valueText(l.object.claim().Value, nil, c.known), l.object.root
		value := text.Spaced(written)
		if isRemark(l.object.claim()) || len(value)-2 < leastRepeated || stands[value] {
			continue
		}
		values[root] = append(values[root], value)
		if strings.Count(value, " ") > leastOfSentence && l.displaced() {
			sentences[root] = append(sentences[root], termsOf(written))
		}
	}
	return values, sentences
}

// leastSaid is the least number of words of a remark that is recognised within a value, leastOfSentence that of a
// value that is recognised in a paraphrase.
const leastSaid, leastOfSentence = 3, 5

// displaced reports whether an object was omitted for a reason other than its valid time or decay.
func (o omission) displaced() bool {
	return o.reason != reasonNotYetValid && o.reason != reasonExpired && o.reason != reasonDecayed
}

// terms are the search terms of a text.
type terms map[string]bool

func termsOf(s string) terms {
	set := terms{}
	text.Terms(s, nil, func(term []byte) { set[string(term)] = true })
	return set
}

// common counts the terms that a set has in common with one and not with any of others.
func (t terms) common(with terms, but ...terms) (n int) {
	for term := range with {
		if t[term] && !slices.ContainsFunc(but, func(o terms) bool { return o[term] }) {
			n++
		}
	}
	return n
}

// leastOwn is the number of words that only a displaced sentence has, and a remark at least repeats of it.
const leastOwn = 2

// retell reports whether a remark paraphrases a displaced sentence: it shares several terms with it that no standing
// one has, and more than with any of those alone.
func (t terms) retell(sentence terms, hold []terms) bool {
	own := t.common(sentence, hold...)
	return own >= leastOwn && !slices.ContainsFunc(hold, func(o terms) bool { return t.common(o, sentence) >= own })
}

// open drops overtaken remarks: those that offer another answer of the kind that a question asks for than a fact of
// their conversation, observed no earlier, that answers it.
func (c *topicSet) open(said, facts []*object) []*object {
	remarks, known := c.documents(said), c.documents(facts)
	overtaken := make([]bool, len(said))
	for _, q := range c.questions {
		if q.Kind == search.Anything {
			continue
		}
		offers := q.Find(remarks)
		for i, f := range q.Find(known) {
			if !q.Fits(f) || !f.HasHalf() {
				continue
			}
			fact, value := facts[i].claim(), text.Spaced(known[i].Answer)
			for n, o := range said {
				overtaken[n] = overtaken[n] || q.Fits(offers[n]) && o.claim().ObservedAt <= fact.ObservedAt &&
					ofOneConversation(o.claim().Source, fact.Source) && !strings.Contains(text.Spaced(remarks[n].Answer), value)
			}
		}
	}
	var list []*object
	for n, o := range said {
		if !overtaken[n] {
			list = append(list, o)
		}
	}
	return list
}

// documents are some objects as they are searched.
func (c *topicSet) documents(list []*object) []search.Document {
	docs := make([]search.Document, len(list))
	for i, o := range list {
		docs[i] = search.Document{
			Parts: o.worded(c), Answer: valueText(o.claim().Value, nil, c.known), About: c.askedByName(o.root),
		}
	}
	return docs
}

// answered reports whether some facts answer each question.
func (c *topicSet) answered(facts []*object) bool {
	docs := c.documents(facts)
	return !slices.ContainsFunc(c.questions, func(q search.Query) bool {
		return !slices.ContainsFunc(q.Find(docs), func(f search.Found) bool { return q.Fits(f) && f.HasMost() })
	})
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
		value := valueText(o.claim().Value, nil, c.known)
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
