package compile

import (
	"slices"

	"tenure"
	"tenure/ner/words"
	"tenure/search"
	"tenure/text"
)

// broadWords ask for all that is known.
var broadWords = words.NewSet(`everything overview summary summarize summarise brief briefing background profile details
	prepare introduce introduction describe status update recap history context`)

// focused omits the facts that say nothing of what the query asks for, where it asks for something beside the entities
// that it names, and others say that: of "Which port does the basket service listen on?" all but what the service
// listens on (Context Architecture, pipeline stage 5: irrelevant objects are omitted entirely). A query that asks for
// all that is known, or most words of which no fact has, omits nothing.
//
// The other values of a property that is kept are kept, and a relation that leads to what is kept: it says why that is
// there.
func focused(objects []*object, who *topicSet, req Request) (kept []*object, dropped []omission) {
	facts := slices.DeleteFunc(slices.Clone(objects), func(o *object) bool { return !o.yields(who) && !o.contested })
	if len(facts) == 0 || asksForAll(req.Query) {
		return objects, nil
	}
	fits, ok := who.fitting(facts)
	if !ok {
		return objects, nil
	}
	for _, o := range objects {
		if o.yields(who) && !fits[o] {
			dropped = append(dropped, omission{object: o, reason: reasonIrrelevant})
			continue
		}
		kept = append(kept, o)
	}
	return kept, dropped
}

// yields reports whether an object is a fact about what was asked, or related to it, that was found by nothing else.
func (o *object) yields(who *topicSet) bool {
	near := who.Topics[o.root] != nil || o.asked != ""
	plain := o.zone == zoneFacts || o.zone == zoneUntrusted
	return plain && !o.contested && !o.inForce && near && !o.byValue && !o.byWords && !isRemark(o.claim()) &&
		!who.required[o.claim().Predicate]
}

func asksForAll(query string) bool {
	for _, w := range text.Words(query) {
		if broadWords.Has(text.Fold(query[w.From:w.Until])) {
			return true
		}
	}
	return false
}

// fitting returns the facts that have a word of the query beside the names in it, the other values of these properties,
// and the relations that lead to them. It reports whether together they have half of these words, or more.
func (c *topicSet) fitting(facts []*object) (fits map[*object]bool, ok bool) {
	docs, synonyms := make([]search.Document, len(facts)), map[string][]int{}
	for i, o := range facts {
		docs[i] = search.Document{Parts: o.worded(c), Synonyms: o.synonyms(synonyms, c.search.Number), About: true}
	}
	asked, found := c.search.Covered(docs)
	if asked == 0 || len(found.Docs) == 0 || 2*found.Terms < asked {
		return nil, false
	}
	fits, roots, slots := map[*object]bool{}, map[tenure.ID]bool{}, map[rootSlot]bool{}
	for _, i := range found.Docs {
		fits[facts[i]] = true
		roots[facts[i].root] = true
		slots[rootSlot{facts[i].root, facts[i].claim().Predicate}] = true
	}
	for _, o := range facts {
		if slots[rootSlot{o.root, o.claim().Predicate}] {
			fits[o] = true
		}
		if value, isEntity := c.Known.Root(o.claim().Value.Entity); isEntity && roots[value.ID] && !c.wasAsked(value.ID) {
			fits[o] = true
		}
	}
	return fits, true
}
