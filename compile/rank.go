package compile

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"tenure"
	"tenure/search"
	"tenure/text"
	"tenure/vocabulary"
)

// The tiers of Context Architecture, pipeline stage 5. Irrelevant objects are omitted.
const (
	tierCritical   = "critical"
	tierImportant  = "important"
	tierUseful     = "useful"
	tierMinimal    = "minimal"
	tierIrrelevant = "irrelevant"
)

// mostTerms bounds the terms of a query that objects are ranked by.
const mostTerms = 256

// rank scores the objects against the words of the query and the task and by the other signals of [Priority], assigns
// tiers and sorts: what binds, then by priority, then what is about what was asked, what leads to it, fewer hops, newer
// valid time, content, id.
func rank(objects []*object, who *topicSet, req Request) {
	asked := who.unnamed(req.Query)
	score(objects, who, asked+" "+vocabulary.Mentioned(asked)+" "+req.Task.Name+" "+req.Task.Type)
	best := 0.0
	for _, o := range objects {
		best = max(best, o.score)
	}
	for _, o := range objects {
		o.priority = priorityOf(o, who, best, req)
		o.tier = tierOf(o)
	}
	slices.SortFunc(objects, before)
}

// unnamed returns the words of a query without the names of what it asks about, which all that is known of that has in
// common; the whole query if it has no others.
func (c *topicSet) unnamed(query string) string {
	var rest []string
	counts := false
	for _, w := range c.Words {
		if !w.Taken {
			rest = append(rest, query[w.From:w.Until])
			counts = counts || c.asksFor(query[w.From:w.Until])
		}
	}
	if !counts {
		return query
	}
	return strings.Join(rest, " ")
}

// asksFor reports whether a word of the query counts.
func (c *topicSet) asksFor(word string) (counts bool) {
	text.Terms(word, nil, func(term []byte) {
		_, asked := c.search.Number[string(term)]
		counts = counts || asked
	})
	return counts
}

// before orders ranked objects.
func before(a, b *object) int {
	switch {
	case (a.tier == tierCritical) != (b.tier == tierCritical):
		if a.tier == tierCritical {
			return -1
		}
		return 1
	case a.priority.Score != b.priority.Score:
		return cmp.Compare(b.priority.Score, a.priority.Score)
	case a.distance() != b.distance():
		return cmp.Compare(a.distance(), b.distance())
	case a.claim().Window.From != b.claim().Window.From:
		return cmp.Compare(b.claim().Window.From, a.claim().Window.From)
	case a.line != b.line:
		return strings.Compare(a.line, b.line)
	}
	return cmp.Compare(a.claim().ID, b.claim().ID)
}

// distance orders objects by how far they are from what was asked: about it, leading to it, then by hops.
func (o *object) distance() int {
	if o.leads() {
		return 1
	}
	return 2 * o.hops
}

// leads reports whether an object was found since it leads to what was asked, and not as something about it.
func (o *object) leads() bool { return o.asked != "" || o.byValue || o.byWords || o.likeness > 0 }

// score computes BM25 over the fetched objects. The text of an object is the name of its entity, its
// predicate from either side, key and value, and why it matters; the other words for its predicate count half.
func score(objects []*object, who *topicSet, query string) {
	number := map[string]int{}
	room := text.Terms(query, nil, func(term []byte) {
		if _, ok := number[string(term)]; !ok && len(number) < mostTerms {
			number[string(term)] = len(number)
		}
	})
	n := len(number)
	if n == 0 || len(objects) == 0 {
		return
	}
	counts := make([]float64, n*len(objects)) // of the query's terms, by object
	synonyms := map[string][]int{}            // the query's terms among the words for a predicate
	lengths := make([]int, len(objects))
	for i, o := range objects {
		mine := counts[i*n : (i+1)*n]
		tally := func(term []byte) {
			lengths[i]++
			if t, ok := number[string(term)]; ok {
				mine[t]++
			}
		}
		for _, content := range o.searchable(who) {
			room = text.Terms(content, room, tally)
		}
		o.countSynonyms(mine, synonyms, number)
	}
	for i, score := range search.BM25(counts, n, lengths) {
		objects[i].score = score
	}
}

func (o *object) searchable(who *topicSet) [7]string {
	root, _ := who.Known.Root(o.root)
	if o.contested {
		return [7]string{root.Name, o.claim().Predicate}
	}
	key := o.claim().Key
	if key == o.claim().Predicate {
		key = ""
	}
	c := o.claim()
	return [7]string{root.Name, c.Predicate, c.PredicateAsWritten, o.said, key, o.value, c.WhyItMatters}
}

// countSynonyms counts the query's terms that an object has in a synonym alone.
func (o *object) countSynonyms(counts []float64, known map[string][]int, number map[string]int) {
	for _, t := range o.synonyms(known, number) {
		if counts[t] == 0 {
			counts[t] = search.SynonymCount
		}
	}
}

// synonyms lists the query's terms, by their numbers, that are in a name or a synonym of the object's predicate, or of
// the inverse if its line says that. It remembers them by predicate.
func (o *object) synonyms(known map[string][]int, number map[string]int) []int {
	term := o.term
	if o.said != "" {
		term = o.inverse
	}
	list, ok := known[term.Name]
	if !ok {
		list = synonymsOf(term, number)
		known[term.Name] = list
	}
	return list
}

// shapes lists the query's terms, by their numbers, in which questions ask for what is written like the object's value.
func (o *object) shapes(number map[string]int) (list []int) {
	if o.claim().Value.Entity != "" || o.contested {
		return nil
	}
	for _, word := range search.AskedBy(o.claim().Value.Text()) {
		if t, asked := number[word]; asked {
			list = append(list, t)
		}
	}
	return list
}

// synonymsOf lists the query's terms, by their numbers, that are in a name or a synonym of a predicate.
func synonymsOf(term *tenure.Term, number map[string]int) (list []int) {
	add := func(word string) {
		if t, asked := number[word]; asked {
			list = append(list, t)
		}
	}
	if base, ok := vocabulary.Lookup(term.Name); ok {
		for _, word := range wordsOfTerms()[base.Name] {
			add(word)
		}
	}
	for _, own := range term.Synonyms {
		text.Terms(own, nil, func(word []byte) { add(string(word)) })
	}
	return list
}

// wordsOfTerms holds the search terms in the names and synonyms of the base vocabulary, by the name of the predicate.
var wordsOfTerms = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, t := range vocabulary.All() {
		for _, content := range append([]string{t.Name}, t.Synonyms...) {
			text.Terms(content, nil, func(term []byte) {
				if word := string(term); !slices.Contains(all[t.Name], word) {
					all[t.Name] = append(all[t.Name], word)
				}
			})
		}
	}
	return all
})
