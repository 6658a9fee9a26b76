package compile

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"tenure"
	"tenure/passages"
	"tenure/recall"
)

// The bounds of rescue.
const (
	rescuePool    = 50 // passages that are not selected
	rescueSources = 20 // selected objects and passages, the best
	rescueKept    = 3  // sentences
	rescueTokens  = 60 // of a sentence
)

//go:embed affinity.json
var affinityFile []byte

// affinities say by how much each term of an affinity counts, and which sum and which compatibility are the least to be
// rescued.
type affinities struct {
	Weights            Affinity `json:"weights"`
	Least              float64  `json:"least"`
	LeastCompatibility float64  `json:"least_compatibility"`
}

var affinityTable = sync.OnceValue(func() *affinities {
	var t affinities
	if err := json.Unmarshal(affinityFile, &t); err != nil {
		panic(err) // the file is part of the program
	}
	return &t
})

// Affinity is why a sentence of a passage that was not selected belongs to something that was: Aff(u, s | q) (Context
// Architecture, pipeline stage 6). Each term is from 0 to 1.
type Affinity struct {
	// QueryRelevance is the share of the query's words, by weight, that the sentence has.
	QueryRelevance float64 `json:"query_relevance"`
	// Compatibility is the share of what the source says beyond the query that the sentence speaks of.
	Compatibility float64 `json:"compatibility"`
	// SourceRelevance is how well the source answers the query, as a share of the best.
	SourceRelevance float64 `json:"source_relevance"`
	// SameSource is 1 if both are of one document, or the document is about what the source is about.
	SameSource float64 `json:"same_source"`
	// Active is 1 if the sentence names what is asked about, or the entity that a selected fact has as its value.
	Active float64 `json:"active"`
}

func (a Affinity) sum() float64 {
	w := affinityTable().Weights
	return round(w.QueryRelevance*a.QueryRelevance + w.Compatibility*a.Compatibility +
		w.SourceRelevance*a.SourceRelevance + w.SameSource*a.SameSource + w.Active*a.Active)
}

// subunit is a sentence of a passage that was not selected, with the source that it is attached to: an object or a
// passage.
type subunit struct {
	passage
	sentence string
	affinity Affinity
	object   *object
	beside   *passage
}

// chosen is a selected object or passage, as rescue compares with it.
type chosen struct {
	object    *object
	passage   *passage
	says      terms // beyond the query
	about     terms // the name of its entity
	relevance float64
}

// rescue finds the sentences of passages which belong to what was selected, the best first, each attached to the source
// that it is nearest to. A hit of the query alone is none: its passage was not selected since it has too few of the
// words. Which of them are admitted is decided with the budget: see [sections.rescuable].
func (c *topicSet) rescue(objects []*object, count func(string) int) (list []subunit) {
	if len(c.found)+len(c.pool) == 0 {
		return nil // most compilations have no document at hand
	}
	selected := c.selection(objects)
	if len(selected) == 0 {
		return nil
	}
	weight, all := map[string]float64{}, 0.0
	for _, t := range recall.TermsOf(c.search) {
		weight[t.Word] = float64(t.Weight)
		all += float64(t.Weight)
	}
	active := c.activeNames(objects)
	for _, p := range slices.Concat(c.found, c.pool) { // one that was selected may not fit
		title := termsOf(strings.Join(p.Headings, " ") + " " + p.document.Title)
		for _, sentence := range passages.Sentences(p.Text, p.document.MediaType) {
			u := subunit{passage: p, sentence: sentence}
			said := termsOf(sentence)
			u.affinity.QueryRelevance = said.weightIn(weight) / max(all, 1)
			u.affinity.Active = oneIf(slices.ContainsFunc(active, said.haveAll))
			u.attach(selected, said, title)
			if u.affinity.Compatibility >= affinityTable().LeastCompatibility && u.affinity.sum() >= affinityTable().Least &&
				count(sentence) <= rescueTokens {
				list = append(list, u)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b subunit) int { return cmp.Compare(b.affinity.sum(), a.affinity.sum()) })
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(u subunit) bool {
		before := seen[u.sentence]
		seen[u.sentence] = true
		return before
	})
}

// rescuable lists the entries of subunits whose source is among what was admitted and whose passage is not.
func (s sections) rescuable(list []entry) (kept []entry) {
	sources, whole := map[tenure.ID]bool{}, map[tenure.ID]bool{}
	for _, entries := range s {
		for _, e := range entries {
			switch {
			case e.object != nil:
				sources[e.object.claim().ID] = true
			case e.passage != nil:
				sources[e.passage.ID], whole[e.passage.ID] = true, true
			}
		}
	}
	for _, e := range list {
		u := e.rescued
		of := u.object != nil && sources[u.object.claim().ID] || u.beside != nil && sources[u.beside.ID]
		if of && !whole[u.ID] && len(kept) < rescueKept {
			kept = append(kept, e)
		}
	}
	return kept
}

// attach chooses the source that the subunit is nearest to.
func (u *subunit) attach(selected []chosen, said, title terms) {
	best := u.affinity
	for _, s := range selected {
		a := u.affinity
		a.Compatibility, a.SourceRelevance = s.says.shareIn(said), s.relevance
		switch {
		case s.passage != nil:
			a.SameSource = oneIf(s.passage.Document == u.Document)
		default:
			a.SameSource = oneIf(title.haveAll(s.about))
		}
		if a.sum() > best.sum() || u.object == nil && u.beside == nil {
			best, u.object, u.beside = a, s.object, s.passage
		}
	}
	u.affinity = best
}

// selection lists the best of what is selected: facts about what was asked, and passages.
func (c *topicSet) selection(objects []*object) (list []chosen) {
	asked := terms{}
	for term := range c.search.Number {
		asked[term] = true
	}
	for _, o := range objects {
		plain := o.zone == zoneFacts || o.zone == zoneGuidance || o.zone == zoneConstraints || o.zone == zonePolicy
		if !plain || o.contested || o.tier == tierMinimal || len(list) == rescueSources {
			continue
		}
		root, _ := c.Known.Root(o.root)
		says := termsOf(o.value + " " + o.claim().BehavioralImplication)
		list = append(list, chosen{
			object: o, says: says.beyond(asked), about: termsOf(root.Name), relevance: o.priority.Relevance,
		})
	}
	best := 0.0
	for _, p := range c.found {
		best = max(best, p.score)
	}
	for i := range c.found {
		p := &c.found[i]
		says := termsOf(strings.Join(p.Headings, " ") + " " + p.document.Title)
		list = append(list, chosen{passage: p, says: says.beyond(asked), relevance: p.score / max(best, 1)})
	}
	return list
}

// activeNames lists the names of what is asked about, and of the entities that selected facts have as their values.
func (c *topicSet) activeNames(objects []*object) (names []terms) {
	add := func(name string) {
		if t := termsOf(name); len(t) > 0 {
			names = append(names, t)
		}
	}
	for _, name := range c.askedNames() {
		add(name)
	}
	for _, o := range objects {
		if value, ok := c.Known.Root(o.claim().Value.Entity); ok && o.zone == zoneFacts && !o.contested &&
			o.tier != tierMinimal {
			add(value.Name)
		}
	}
	return names
}

// rescuedEntries returns the entries of subunits. They are content from outside, as passages are.
func rescuedEntries(list []subunit) []entry {
	entries := make([]entry, len(list))
	for i, u := range list {
		entries[i] = outsideEntry(u.sentence, u.document.URI, u.document.Title, "")
		entries[i].rescued = &list[i]
	}
	return entries
}

// rescuedIn lists the subunits in an envelope.
func rescuedIn(kept sections) []RescuedSubunit {
	list := []RescuedSubunit{}
	for i, e := range kept[zoneUntrusted] {
		u := e.rescued
		if u == nil {
			continue
		}
		r := RescuedSubunit{
			PassageID: u.ID, DocumentID: u.document.ID, Version: u.Version, Number: u.Number,
			Affinity: round(u.affinity.sum()), Terms: u.affinity.rounded(), Zone: zoneUntrusted, Line: i + 1, Flags: e.flags,
		}
		if u.object != nil {
			r.ObjectID = u.object.claim().ID
		} else {
			r.BesidePassageID = u.beside.ID
		}
		list = append(list, r)
	}
	return list
}

func (a Affinity) rounded() Affinity {
	return Affinity{
		round(a.QueryRelevance), round(a.Compatibility), round(a.SourceRelevance), round(a.SameSource), round(a.Active),
	}
}

// haveAll reports whether others, of which there is one, are all among the terms.
func (t terms) haveAll(others terms) bool {
	for term := range others {
		if !t[term] {
			return false
		}
	}
	return len(others) > 0
}

// beyond returns the terms that are not among others, or all where there is no such one.
func (t terms) beyond(others terms) terms {
	rest := terms{}
	for term := range t {
		if !others[term] {
			rest[term] = true
		}
	}
	if len(rest) == 0 {
		return t
	}
	return rest
}

// shareIn returns the share of the terms that others have.
func (t terms) shareIn(others terms) float64 {
	n := 0
	for term := range t {
		if others[term] {
			n++
		}
	}
	return float64(n) / float64(max(len(t), 1))
}

func (t terms) weightIn(weight map[string]float64) (sum float64) {
	for term, w := range weight {
		if t[term] {
			sum += w
		}
	}
	return sum
}

func oneIf(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}
