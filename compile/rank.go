package compile

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"tenure/text"
	"tenure/vocabulary"
)

// The parameters of BM25.
const (
	bm25K = 1.2
	bm25B = 0.75
)

// The tiers of Context Architecture, pipeline stage 5. Irrelevant objects are omitted.
const (
	tierCritical   = "critical"
	tierImportant  = "important"
	tierUseful     = "useful"
	tierMinimal    = "minimal"
	tierIrrelevant = "irrelevant"
)

// rank scores the objects against the words of the query and the task, assigns tiers and sorts: constraints,
// then score, then fewer hops, newer valid time, content, id.
//
// A constraint is critical. Other objects are important from half of the best score on, useful above zero,
// else minimal; unconfirmed objects are minimal.
func rank(objects []*object, who *topicSet, req Request) {
	score(objects, who, req.Query+" "+vocabulary.Mentioned(req.Query)+" "+req.Task.Name+" "+req.Task.Type)
	best := 0.0
	for _, o := range objects {
		best = max(best, o.score)
	}
	for _, o := range objects {
		switch {
		case o.zone == zonePolicy:
			o.tier = tierCritical
		case o.zone == zoneUnconfirmed:
			o.tier = tierMinimal
		case o.score > 0 && o.score >= best/2:
			o.tier = tierImportant
		case o.score > 0:
			o.tier = tierUseful
		default:
			o.tier = tierMinimal
		}
	}
	slices.SortFunc(objects, before)
}

// before orders ranked objects.
func before(a, b *object) int {
	switch {
	case (a.tier == tierCritical) != (b.tier == tierCritical):
		if a.tier == tierCritical {
			return -1
		}
		return 1
	case a.score != b.score:
		return cmp.Compare(b.score, a.score)
	case a.hops != b.hops:
		return cmp.Compare(a.hops, b.hops)
	case a.claim().Window.From != b.claim().Window.From:
		return cmp.Compare(b.claim().Window.From, a.claim().Window.From)
	case a.line != b.line:
		return strings.Compare(a.line, b.line)
	}
	return cmp.Compare(a.claim().ID, b.claim().ID)
}

// score computes BM25 over the fetched objects. The text of an object is the name of its entity, its
// predicate, key and value, and why it matters.
func score(objects []*object, who *topicSet, query string) {
	number := map[string]int{}
	room := text.Terms(query, nil, func(term []byte) {
		if _, ok := number[string(term)]; !ok {
			number[string(term)] = len(number)
		}
	})
	n := len(number)
	if n == 0 || len(objects) == 0 {
		return
	}
	counts := make([]int, n*len(objects)) // of the query's terms, by object
	lengths := make([]int, len(objects))
	holders := make([]int, n)
	total := 0
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
		total += lengths[i]
		for t, c := range mine {
			if c > 0 {
				holders[t]++
			}
		}
	}
	average := max(float64(total)/float64(len(objects)), 1)
	for i, o := range objects {
		norm := bm25K * (1 - bm25B + bm25B*float64(lengths[i])/average)
		for t, c := range counts[i*n : (i+1)*n] {
			if c > 0 {
				rare := math.Log(1 + (float64(len(objects)-holders[t])+.5)/(float64(holders[t])+.5))
				o.score += rare * float64(c) * (bm25K + 1) / (float64(c) + norm)
			}
		}
	}
}

func (o *object) searchable(who *topicSet) [6]string {
	root, _ := who.known.root(o.root)
	key := o.claim().Key
	if key == o.claim().Predicate {
		key = ""
	}
	return [6]string{root.Name, o.claim().Predicate, o.claim().PredicateAsWritten, key, o.value, o.claim().WhyItMatters}
}
