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

// focused omits the facts that say nothing of what the query asks for, where it asks for something beside the entities
// that it names, and others say that: of "Which port does the basket service listen on?" all but what the service
// listens on (Context Architecture, pipeline stage 5: irrelevant objects are omitted entirely). A query that asks for
// all that is known omits nothing. Nor does one if no fact has half of its words, except facts about neighbours and the
// person who asks where similarity is known and no fact is similar to it, and what [topicSet.impersonal] omits. What
// decides how anything is done for the person who asks stays for a task.
//
// The other values of a property that is kept are kept, and a relation that leads to what is kept: it says why that is
// there.
func focused(objects []*object, who *topicSet) (kept []*object, dropped []omission) {
	asking := who.asking
	if asking.All {
		return objects, nil
	}
	if (!asking.Question || !asking.Own) && !who.search.Empty() {
		objects, dropped = who.impersonal(objects, asking.Question && asking.Pointing)
	}
	fits, ok := who.fitting(slices.DeleteFunc(slices.Clone(objects), func(o *object) bool {
		beside := o.byWords && !isRemark(o.claim()) // it may be what is asked
		return !o.yields(who) && !o.contested && !beside
	}))
	if !ok {
		return objects, dropped
	}
	for _, o := range objects {
		if o.yields(who) && !fits[o] && (asking.Question || !who.decidesHow(o)) {
			dropped = append(dropped, omission{object: o, reason: reasonNotAskedFor})
			continue
		}
		kept = append(kept, o)
	}
	return kept, dropped
}

// impersonal omits the facts about the person who asks, and what relates to no more than that person, that have no word
// of the query: who asks for a poem does not ask for the own job title. What directs the model stays, and so does what
// decides how anything is done for that person: allergies, a time zone, an address. A question that points to what is
// supposed to be known, and names nothing else, may be about anything that is kept of the person, under whatever words:
// "Can it be approved?".
func (c *topicSet) impersonal(objects []*object, pointing bool) (kept []*object, dropped []omission) {
	synonyms, affairs := map[string][]int{}, pointing && !c.namesOthers()
	for _, o := range objects {
		stays := c.decidesHow(o) || affairs && o.root == c.Requester && !ofPeople(o.term.Name)
		if o.yields(c) && c.ofRequester(o.root) && o.asked == "" && !stays && !c.shares(o, synonyms) {
			dropped = append(dropped, omission{object: o, reason: reasonNotAskedFor})
			continue
		}
		kept = append(kept, o)
	}
	return kept, dropped
}

// decidesHow reports whether an object decides how anything is done for the person who asks.
func (c *topicSet) decidesHow(o *object) bool {
	return o.root == c.Requester && slices.Contains(ranking().Personal, o.term.Name)
}

// namesOthers reports whether a query lists or names an entity beside "this project". An ordinary word in small letters
// may be no name, if nothing says of what type that entity is: "Which vendor do we select?".
func (c *topicSet) namesOthers() bool {
	lexicon := words.Load()
	for root, m := range c.Topics {
		ordinary := m.Entity.Type == "" && m.Text != "" && m.Text == strings.ToLower(m.Text) && lexicon.IsCommon(m.Text)
		if c.isOther(root) && !ordinary {
			return true
		}
	}
	return false
}

// ofPeople reports whether a predicate is one that above all people have: a job title, a birthday.
func ofPeople(predicate string) bool {
	t, _ := vocabulary.Lookup(predicate)
	return len(t.Subjects) > 0 && t.Subjects[0] == words.Person
}

// shares reports whether an object has a word of the query.
func (c *topicSet) shares(o *object, synonyms map[string][]int) (shared bool) {
	parts := o.searchable(c)
	for _, part := range c.withoutRequester(o, parts[:]) {
		text.Terms(part, nil, func(term []byte) {
			_, ok := c.search.Number[string(term)]
			shared = shared || ok
		})
	}
	return shared || len(o.synonyms(synonyms, c.search.Number)) > 0
}

// withoutRequester returns the texts of an object without the name of the person who asks, if it is about that person:
// all that is known of that person has it.
func (c *topicSet) withoutRequester(o *object, parts []string) []string {
	root, _ := c.Known.Root(o.root)
	if o.root != c.Requester || root.Name == "" {
		return parts
	}
	parts = slices.Clone(parts)
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(part, root.Name, " ")
	}
	return parts
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

// fitting returns the facts that have a word of the query beside the names in it, the other values of these properties,
// and the relations that lead to them. It reports whether together they have half of these words, or more. Where they
// have not, those count that are similar to the query, if that is known; if none is, those about what is named itself,
// unless it is a question that a passage is similar to.
func (c *topicSet) fitting(facts []*object) (fits map[*object]bool, ok bool) {
	if len(facts) == 0 {
		return nil, false
	}
	docs, synonyms := make([]search.Document, len(facts)), map[string][]int{}
	for i, o := range facts {
		docs[i] = search.Document{Parts: o.worded(c), Synonyms: o.synonyms(synonyms, c.search.Number), About: true}
		if len(c.similarity) > 0 {
			docs[i].Synonyms = append(slices.Clip(docs[i].Synonyms), o.shapes(c.search.Number)...)
		}
		if o.root == c.Requester && !c.askedByName(o.root) {
			docs[i].Parts, docs[i].About = c.withoutRequester(o, docs[i].Parts), false
		}
	}
	asked, found := c.search.Covered(docs)
	if asked == 0 && !c.asksForMeasure() {
		return nil, false
	}
	if len(found.Docs) == 0 || 2*found.Terms < asked {
		if len(c.similarity) == 0 {
			return nil, false
		}
		near := c.nearest(facts)
		if answered := c.asking.Question && !c.namesNobody() && c.nearestPassage() > 0; len(near) == 0 && !answered {
			near = c.named(facts)
		}
		found.Docs = append(found.Docs, near...)
	}
	return c.belonging(facts, found.Docs), true
}

// asksForMeasure reports whether all that a query asks for beside names is a time, a number or a place: "Odile: how old
// is she?" does not ask for all that is known.
func (c *topicSet) asksForMeasure() bool {
	return !slices.ContainsFunc(c.questions, func(q search.Query) bool {
		return q.Kind != search.ATime && q.Kind != search.ANumber && q.Kind != search.APlace
	})
}

// named lists the places of the facts about what is named itself.
func (c *topicSet) named(facts []*object) (places []int) {
	for i, o := range facts {
		if c.askedByName(o.root) {
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
