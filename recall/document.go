package recall

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"tenure"
	"tenure/text"
	"tenure/vocabulary"
)

// Kind is the kind of a document.
type Kind string

// The kinds: a belief, something that was said (see [tenure.Remark]), and a passage of a document, of its newest
// version or of a former one.
const (
	Belief        Kind = "belief"
	Remark        Kind = "remark"
	Passage       Kind = "passage"
	FormerPassage Kind = "former passage"
)

// Kinds lists the kinds of what [Find] finds.
var Kinds = []Kind{Belief, Remark}

// KindOf returns the kind of a claim's document.
func KindOf(c *tenure.Claim) Kind {
	if c.Predicate == tenure.Remark {
		return Remark
	}
	return Belief
}

// Place is where in a document a word stands.
type Place string

// The places: the names of the subject, the predicate, the key, the value with the names of an entity, why it matters
// and what follows from it, and the words in which it was said with the question that they answered.
const (
	InName     Place = "name"
	InKind     Place = "predicate"
	InKey      Place = "key"
	InValue    Place = "value"
	InMeaning  Place = "meaning"
	InSentence Place = "sentence"
)

// Part is a text of a document.
type Part struct {
	Place Place
	Text  string
}

// The bounds of what is searched of a document.
const (
	maxText  = 8192 // bytes of a text
	maxNames = 256  // names of an entity
)

// Parts lists the texts of a claim's document. names returns the names of an entity.
func Parts(c *tenure.Claim, names func(tenure.ID) []string) []Part {
	var parts []Part
	add := func(p Place, list ...string) {
		for _, s := range list {
			if s != "" {
				parts = append(parts, Part{p, s[:min(len(s), maxText)]})
			}
		}
	}
	add(InName, names(c.Subject)...)
	add(InKind, c.Predicate, c.PredicateAsWritten)
	if c.Key != c.Predicate {
		add(InKey, c.Key)
	}
	if c.Value.Entity != "" {
		add(InValue, names(c.Value.Entity)...)
		add(InValue, c.Value.Name)
	} else {
		add(InValue, valueText(c.Value.JSON))
	}
	add(InMeaning, c.WhyItMatters, c.BehavioralImplication)
	if e := c.Evidence; e != nil {
		add(InSentence, e.Span, e.Question)
	}
	return parts
}

// valueText returns the words of a JSON value: a text as it is, of others the JSON.
func valueText(value json.RawMessage) string {
	var s string
	if json.Unmarshal(value, &s) == nil {
		return s
	}
	return string(value)
}

// Terms yields the search terms of texts.
func Terms(parts []Part, yield func(p Place, term []byte)) {
	var room []byte
	for _, p := range parts {
		room = text.Terms(p.Text, room, func(term []byte) { yield(p.Place, term) })
	}
}

// Synonyms returns the search terms in the name and the synonyms that the base vocabulary has for a predicate. The
// list is shared.
func Synonyms(predicate string) []string {
	if t, ok := vocabulary.Lookup(predicate); ok {
		return synonyms()[t.Name]
	}
	return nil
}

var synonyms = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, t := range vocabulary.All() {
		all[t.Name] = termsOf(append([]string{t.Name}, t.Synonyms...))
	}
	return all
})

// OwnSynonyms returns the search terms in the synonyms that a tenant has defined for a predicate.
func OwnSynonyms(t *tenure.Term) []string {
	if t == nil || t.Registered || t.Removed {
		return nil
	}
	return termsOf(t.Synonyms)
}

// termsOf lists the search terms of texts, each once.
func termsOf(texts []string) (list []string) {
	for _, s := range texts {
		text.Terms(s, nil, func(term []byte) {
			if !slices.Contains(list, string(term)) {
				list = append(list, string(term))
			}
		})
	}
	return list
}

// Version is equal for programs that make the same documents of the same evidence, as far as the base vocabulary goes.
func Version() string {
	var b strings.Builder
	for _, t := range vocabulary.All() {
		b.WriteString(t.Name + " " + strings.Join(t.Synonyms, " ") + "\n")
	}
	return string(tenure.DerivedID("documents", b.String()))
}

// namesOf lists the names of entities.
func namesOf(list []tenure.Entity) (names []string) {
	for _, e := range list {
		all := e.Spellings()
		names = append(names, all[:min(len(all), maxNames)]...)
	}
	return names
}

// Related finds all that is known of entities.
type Related interface {
	Entities(ctx context.Context, ids []tenure.ID) ([]tenure.Entity, error)
	IdentityDecisionsOn(ctx context.Context, entities []tenure.ID) ([]tenure.IdentityDecision, error)
}

// Families are sets of entities that were, or are, held to be one, in whatever state and by whatever evidence. The
// names of a family are all by which a document about one of them may be found.
type Families struct {
	joined   map[tenure.ID]tenure.ID // towards the entity that stands for the family
	entities map[tenure.ID][]tenure.Entity
	members  map[tenure.ID][]tenure.ID
}

// FamiliesOf finds the families of entities.
func FamiliesOf(ctx context.Context, r Related, ids []tenure.ID) (*Families, error) {
	f := &Families{
		joined: map[tenure.ID]tenure.ID{}, entities: map[tenure.ID][]tenure.Entity{}, members: map[tenure.ID][]tenure.ID{},
	}
	for fresh := f.add(ids); len(fresh) > 0; {
		decisions, err := r.IdentityDecisionsOn(ctx, fresh)
		if err != nil {
			return nil, err
		}
		var ends []tenure.ID
		for _, d := range decisions {
			if d.Kind != tenure.CannotLink {
				ends = append(ends, d.From, d.Into)
			}
		}
		fresh = f.add(ends)
		for _, d := range decisions {
			if d.Kind != tenure.CannotLink {
				f.joined[f.top(d.From)] = f.top(d.Into)
			}
		}
	}
	all := make([]tenure.ID, 0, len(f.joined))
	for id := range f.joined {
		all = append(all, id)
	}
	slices.Sort(all)
	found, err := r.Entities(ctx, all)
	if err != nil {
		return nil, err
	}
	for _, id := range all {
		f.members[f.top(id)] = append(f.members[f.top(id)], id)
	}
	for _, e := range found {
		f.entities[f.top(e.ID)] = append(f.entities[f.top(e.ID)], e)
	}
	return f, nil
}

// add adds entities, and returns those that were not there.
func (f *Families) add(ids []tenure.ID) (fresh []tenure.ID) {
	for _, id := range ids {
		if _, ok := f.joined[id]; !ok && id != "" {
			f.joined[id] = id
			fresh = append(fresh, id)
		}
	}
	return fresh
}

func (f *Families) top(id tenure.ID) tenure.ID {
	for f.joined[id] != id {
		id = f.joined[id]
	}
	return id
}

// Members lists the family of an entity.
func (f *Families) Members(id tenure.ID) []tenure.ID { return f.members[f.top(id)] }

// Names lists the names of the family of an entity.
func (f *Families) Names(id tenure.ID) []string {
	if id == "" {
		return nil
	}
	return namesOf(f.entities[f.top(id)])
}
