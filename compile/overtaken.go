package compile

import (
	"slices"
	"strings"

	"tenure"
	"tenure/search"
	"tenure/text"
)

// overtaken returns the remarks that no longer say how things are, each with the belief that says it now, "" where that
// is not known: those that repeat a value which was displaced, and those that offer something else of the kind that a
// question asks for than a fact which answers it and was told later in their conversation.
func (c *topicSet) overtaken(said, facts []*object, lost []omission) map[*object]tenure.ID {
	past := c.repeating(said, facts, lost)
	kinds := slices.DeleteFunc(slices.Clone(c.questions), func(q search.Query) bool { return q.Kind == search.Anything })
	if len(kinds) == 0 || len(facts) == 0 {
		return past
	}
	remarks, known := c.documents(said), c.documents(facts)
	for _, q := range kinds {
		var offers []search.Found
		for i, f := range q.Find(known) {
			if asked := f.HasHalf() || known[i].About && q.AsksOfNamed(f); !asked || !q.Fits(f) {
				continue
			}
			if offers == nil {
				offers = q.Find(remarks)
			}
			fact, value := facts[i].claim(), text.Spaced(known[i].Answer)
			for n, o := range said {
				later := o.claim().ObservedAt <= fact.ObservedAt && ofOneConversation(o.claim().Source, fact.Source)
				if q.Fits(offers[n]) && later && !strings.Contains(text.Spaced(remarks[n].Answer), value) {
					past[o] = fact.ID
				}
			}
		}
	}
	return past
}

// leastRepeated is the number of bytes that a value has at least to be recognised in a remark.
const leastRepeated = 3

// repeating returns the remarks that repeat a value of their subject that does not stand, or paraphrase it if it is a
// sentence. The value may have become a belief only after the remark.
func (c *topicSet) repeating(said, facts []*object, lost []omission) map[*object]tenure.ID {
	past, stands := map[*object]tenure.ID{}, map[string]bool{}
	for _, o := range facts {
		stands[text.Spaced(valueText(o.claim().Value, nil, c.Known))] = true
	}
	former, spoken := c.former(lost, stands)
	if len(former) == 0 {
		return past
	}
	holds := map[tenure.ID][]terms{}
	for _, o := range facts {
		if len(spoken[o.root]) > 0 {
			holds[o.root] = append(holds[o.root], termsOf(valueText(o.claim().Value, nil, c.Known)))
		}
	}
	for _, o := range said {
		remark := valueText(o.claim().Value, nil, c.Known)
		words, told := text.Spaced(remark), termsOf(remark)
		if slices.ContainsFunc(former[o.root], func(value string) bool {
			return strings.Contains(words, value) || strings.Count(words, " ") > leastSaid && strings.Contains(value, words)
		}) || slices.ContainsFunc(spoken[o.root], func(value terms) bool { return told.retell(value, holds[o.root]) }) {
			past[o] = ""
		}
	}
	return past
}

// former returns the lost values that stand nowhere, by root: as words, and for displaced sentences as terms.
func (c *topicSet) former(
	lost []omission, stands map[string]bool,
) (values map[tenure.ID][]string, sentences map[tenure.ID][]terms) {
	values, sentences = map[tenure.ID][]string{}, map[tenure.ID][]terms{}
	for _, l := range lost {
		written, root := valueText(l.object.claim().Value, nil, c.Known), l.object.root
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

// documents are some objects as they are searched.
func (c *topicSet) documents(list []*object) []search.Document {
	docs := make([]search.Document, len(list))
	for i, o := range list {
		docs[i] = search.Document{
			Parts: o.worded(c), Answer: valueText(o.claim().Value, nil, c.Known), About: c.askedByName(o.root),
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
