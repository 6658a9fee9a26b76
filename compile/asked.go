package compile

import (
	"slices"
	"strings"
	"unicode"

	"tenure"
	"tenure/linking"
	"tenure/search"
	"tenure/vocabulary"
)

// askedUnknown lists the property that a question asks of the one entity that it names, if nothing in the context may
// say it: "What is the phone number of Ada Novak?" The words beside the name have to be a name or a synonym of a
// predicate of the base vocabulary, and all of them, so that it is clear what is asked. Something may say it that has
// any of these words, or is about what the query names or what relates to that, and could be a value of the type,
// unless its similarity to the question is known and low; and so may a passage.
func (c *topicSet) askedUnknown(kept []*object, query string) []unknownSlot {
	root, known := c.onlyNamed()
	if !known || !c.asking.Question || c.asking.All || c.beliefsCut > 0 || len(c.found) > 0 {
		return nil
	}
	term, ok := c.propertyAsked(query)
	if !ok || c.required[term.Name] || slices.ContainsFunc(kept, func(o *object) bool { return c.maySay(o, term) }) {
		return nil
	}
	return []unknownSlot{{pointer: "/query", predicate: term.Name, root: root}}
}

// onlyNamed returns the root of the settled entity that a query names, if it names one and nothing that is unclear.
func (c *topicSet) onlyNamed() (root tenure.ID, ok bool) {
	if len(c.Unresolved)+len(c.underReview) > 0 {
		return "", false
	}
	named := 0
	for id, m := range c.Topics {
		if c.isOther(id) {
			root, ok = id, m.Entity.Status == tenure.EntityCanonical
			named++
		}
	}
	return root, ok && named == 1
}

// propertyAsked returns the term of which a query has a name or a synonym, and nothing else that counts beside names.
func (c *topicSet) propertyAsked(query string) (vocabulary.Term, bool) {
	from, until := -1, 0
	for _, w := range c.Words {
		if w.Taken || !c.asksFor(query[w.From:w.Until]) {
			continue
		}
		if from < 0 {
			from = w.From
		}
		until = w.Until
	}
	if from < 0 || slices.ContainsFunc(c.Words, func(w linking.Word) bool {
		return w.Taken && w.From >= from && w.Until <= until
	}) {
		return vocabulary.Term{}, false
	}
	return vocabulary.Lookup(vocabulary.Normal(query[from:until]))
}

// maySay reports whether an object may say a property that the query asks for.
func (c *topicSet) maySay(o *object, term vocabulary.Term) bool {
	if o.claim().Predicate == term.Name || o.inverse != nil && o.inverse.Name == term.Name {
		return true
	}
	value := valueText(o.claim().Value, nil, c.Known)
	doc := search.Document{
		Parts: append(o.worded(c), value), About: c.wasAsked(o.root),
		Synonyms: slices.Concat(o.synonyms(map[string][]int{}, c.search.Number), o.shapes(c.search.Number)),
	}
	if _, found := c.search.Covered([]search.Document{doc}); len(found.Docs) > 0 {
		return true
	}
	if own, base := vocabulary.Lookup(o.claim().Predicate); base && (shaped(own.ValueType) || shaped(term.ValueType)) {
		return false // it says another property
	}
	likeness, compared := c.similarity[o.claim().ID]
	return c.Topics[o.root] != nil && mayBe(value, term.ValueType) && (!compared || likeness >= leastSimilar)
}

// shaped reports whether values of a type are known by how they are written.
func shaped(t tenure.ValueType) bool {
	switch t {
	case tenure.AnyValue, tenure.TextValue, tenure.EntityValue, tenure.JSONValue, "":
		return false
	}
	return true
}

// mayBe reports whether a text may be a value of a type, or have one in it.
func mayBe(value string, t tenure.ValueType) bool {
	switch t {
	case vocabulary.Email:
		return strings.Contains(value, "@")
	case vocabulary.URL:
		return strings.Contains(value, ".")
	}
	digits := 0
	for _, r := range value {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	least := 1
	if t == vocabulary.Phone {
		least = 4 // of an extension
	}
	return !shaped(t) || t == tenure.BooleanValue || digits >= least
}
