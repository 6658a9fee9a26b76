package compile

import (
	"slices"
	"strings"

	"tenure"
	"tenure/ner/words"
	"tenure/search"
	"tenure/text"
	"tenure/vocabulary"
)

// broadWords ask for all that is known.
var broadWords = words.NewSet(`everything overview summary summarize summarise brief briefing background profile details
	prepare introduce introduction describe status update recap history context`)

// selfWords ask for all that is known of the person whose they are: "my CV".
var selfWords = words.NewSet(`bio biography cv resume résumé curriculum vita lebenslauf`)

// pointingWords refer to what is supposed to be known: "the price", "our plan", "can it be approved".
var pointingWords = words.NewSet(`the this that these those it its they them their he she him her his we our ours us i me
	der die das den dem dies diese dieser dieses es wir uns unser unsere unseren unserem unserer ich mir mich
	le la les ce cette ces nous notre nos je me moi el los las eso esto este esta nosotros nuestro nuestra yo il lo`)

// ownWords say that something of the person who asks is asked for. Those of exactOwn are other words in capitals.
var (
	ownWords = words.NewSet(`my mine mein meine meinen meinem meiner meines mío mía mis mes meu minha mio mia miei mijn`)
	exactOwn = map[string]bool{"mi": true, "Mi": true, "ma": true, "mon": true, "mij": true}
)

// focused omits the facts that say nothing of what the query asks for, where it asks for something beside the entities
// that it names, and others say that: of "Which port does the basket service listen on?" all but what the service
// listens on (Context Architecture, pipeline stage 5: irrelevant objects are omitted entirely). A query that asks for
// all that is known omits nothing. Nor does one if no fact has half of its words, except facts about neighbours where
// similarity is known and no fact is similar to it, and what [topicSet.impersonal] says of the person who asks.
//
// The other values of a property that is kept are kept, and a relation that leads to what is kept: it says why that is
// there.
func focused(objects []*object, who *topicSet, req Request) (kept []*object, dropped []omission) {
	if asksForAll(req.Query) {
		return objects, nil
	}
	if question := search.AsksWhatIs(req.Query); (!question || !asksOfOwn(req.Query)) && !who.search.Empty() {
		objects, dropped = who.impersonal(objects, question && asks(req.Query, pointingWords))
	}
	facts := slices.DeleteFunc(slices.Clone(objects), func(o *object) bool {
		beside := o.byWords && !isRemark(o.claim()) // it may be what is asked
		return !o.yields(who) && !o.contested && !beside
	})
	if len(facts) == 0 {
		return objects, dropped
	}
	fits, ok := who.fitting(facts)
	if !ok {
		return objects, dropped
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

// asksForAll reports whether a query asks for all that is known of what it names, or of the person who asks.
func asksForAll(query string) bool {
	return asks(query, broadWords) || asksOfOwn(query) && asks(query, selfWords)
}

// asksOfOwn reports whether a query asks for something of the person who asks: "my". A text in a script without spaces
// between words may.
func asksOfOwn(query string) bool {
	for _, w := range text.Words(query) {
		written := query[w.From:w.Until]
		if ownWords.Has(text.Fold(written)) || exactOwn[written] || strings.ContainsFunc(written, text.Unspaced) {
			return true
		}
	}
	return false
}

// impersonal omits the facts about the person who asks, and what relates to no more than that person, that have no word
// of the query: who asks for a poem does not ask for the own job title. What directs the model stays, and so does what
// decides how anything is done for that person: allergies, a time zone, an address. A question that points to what is
// supposed to be known, and names nothing else, may be about anything that the person keeps or works on, under whatever
// words: "Can it be approved?".
func (c *topicSet) impersonal(objects []*object, pointing bool) (kept []*object, dropped []omission) {
	synonyms, affairs := map[string][]int{}, pointing && !c.namesOthers()
	for _, o := range objects {
		own := o.root == c.Requester
		stays := own && (slices.Contains(ranking().Personal, o.term.Name) || affairs && !ofPeople(o.term.Name))
		if o.yields(c) && c.ofRequester(o.root) && o.asked == "" && !stays && !c.shares(o, synonyms) {
			dropped = append(dropped, omission{object: o, reason: reasonIrrelevant})
			continue
		}
		kept = append(kept, o)
	}
	return kept, dropped
}

// namesOthers reports whether a query lists or names an entity beside "this project". An ordinary word in small letters
// may be no name: "Which vendor do we select?".
func (c *topicSet) namesOthers() bool {
	lexicon := words.Load()
	for root, m := range c.Topics {
		ordinary := m.Text != "" && m.Text == strings.ToLower(m.Text) && lexicon.IsCommon(m.Text)
		if root != c.project && c.askedByName(root) && !ordinary {
			return true
		}
	}
	return false
}

// ofPeople reports whether a predicate is one that people have: a job title, a diagnosis.
func ofPeople(predicate string) bool {
	t, _ := vocabulary.Lookup(predicate)
	return slices.Contains(t.Subjects, "person")
}

// shares reports whether an object has a word of the query.
func (c *topicSet) shares(o *object, synonyms map[string][]int) (shared bool) {
	for _, part := range o.searchable(c) {
		text.Terms(part, nil, func(term []byte) {
			_, ok := c.search.Number[string(term)]
			shared = shared || ok
		})
	}
	return shared || len(o.synonyms(synonyms, c.search.Number)) > 0
}

// ofRequester reports whether a root is the person who asks, or was reached from there alone, and not by a name.
func (c *topicSet) ofRequester(root tenure.ID) bool {
	if c.askedByName(root) {
		return false
	}
	return root == c.Requester || c.near[root].origin == c.Requester && c.Requester != ""
}

// yields reports whether an object is a fact about what was asked, or related to it, that was found by nothing else.
func (o *object) yields(who *topicSet) bool {
	near := who.Topics[o.root] != nil || o.asked != ""
	plain := o.zone == zoneFacts || o.zone == zoneUntrusted
	found := o.byValue || o.byWords || o.likeness > 0
	return plain && !o.contested && !o.inForce && near && !found && !isRemark(o.claim()) &&
		!who.required[o.claim().Predicate]
}

// asks reports whether a query has one of some words.
func asks(query string, list words.Set) bool {
	for _, w := range text.Words(query) {
		if list.Has(text.Fold(query[w.From:w.Until])) {
			return true
		}
	}
	return false
}

// fitting returns the facts that have a word of the query beside the names in it, the other values of these properties,
// and the relations that lead to them. It reports whether together they have half of these words, or more. Where they
// have not, those count that are similar to the query, if that is known; if none is, those about what is named itself.
func (c *topicSet) fitting(facts []*object) (fits map[*object]bool, ok bool) {
	docs, synonyms := make([]search.Document, len(facts)), map[string][]int{}
	for i, o := range facts {
		about := o.root != c.Requester || c.askedByName(o.root)
		docs[i] = search.Document{Parts: o.worded(c), Synonyms: o.synonyms(synonyms, c.search.Number), About: about}
	}
	asked, found := c.search.Covered(docs)
	if asked == 0 {
		return nil, false
	}
	if len(found.Docs) == 0 || 2*found.Terms < asked {
		if len(c.similarity) == 0 {
			return nil, false
		}
		near := c.nearest(facts)
		if len(near) == 0 {
			near = c.named(facts)
		}
		found.Docs = append(found.Docs, near...)
	}
	return c.belonging(facts, found.Docs), true
}

// named lists the places of the facts about what is named itself.
func (c *topicSet) named(facts []*object) (places []int) {
	for i, o := range facts {
		if o.hops == 0 && c.askedByName(o.root) {
			places = append(places, i)
		}
	}
	return places
}

// belonging returns some of the facts with the other values of their properties and the relations that lead to them.
func (c *topicSet) belonging(facts []*object, some []int) map[*object]bool {
	fits, roots, slots := map[*object]bool{}, map[tenure.ID]bool{}, map[rootSlot]bool{}
	for _, i := range some {
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
	return fits
}
