package compile_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/compile"
	"tenure/recall"
)

// space says how similar beliefs and passages are to whatever is asked, by their ids, or fails.
type space struct {
	of       map[tenure.ID]float64
	passages map[tenure.ID]float64
	fail     error
	partly   error // for passages alone
}

func (s space) Nearest(
	_ context.Context, _, _ string, _ tenure.Seq, q recall.Wanted,
) (list []recall.Near, all bool, err error) {
	of := s.of
	if slices.Contains(q.Kinds, recall.Passage) {
		if of = s.passages; s.partly != nil {
			return nil, false, s.partly
		}
	}
	for id, similarity := range of {
		list = append(list, recall.Near{ID: id, Similarity: similarity})
	}
	slices.SortFunc(list, func(a, b recall.Near) int { return cmp.Compare(a.ID, b.ID) })
	return list, true, s.fail
}

func (s space) Compare(
	_ context.Context, _, _ string, _ tenure.Seq, what recall.Compared,
) (map[tenure.ID]float64, error) {
	found := map[tenure.ID]float64{}
	for _, b := range what.Beliefs {
		found[b.Claim.ID] = s.of[b.Claim.ID]
	}
	for _, p := range what.Passages {
		found[p] = s.passages[p]
	}
	return found, s.fail
}

// compiledIn compiles a query with similarities.
func (w *world) compiledIn(t *testing.T, s space, query string, change func(*compile.Request)) compile.Result {
	t.Helper()
	c, err := compile.New(tokens, compile.Config{Similar: s})
	if err != nil {
		t.Fatal(err)
	}
	req := ask(query)
	if change != nil {
		change(&req)
	}
	res, err := c.Compile(t.Context(), w, agent(), req, day(15))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// depot is a world in which nothing has a word of "What brings letters to us?"
func depot() *world {
	w := &world{}
	heron, swift := w.entity(1, "Heron"), w.entity(2, "Swift")
	w.claim(11, heron, "courier", "", func(b *tenure.Belief) {
		b.Claim.Value = tenure.Value{Entity: swift, Canonical: "entity:" + string(swift)}
	})
	w.claim(12, swift, "telephone", "555 0100")
	for i := range 8 {
		w.claim(20+i, heron, fmt.Sprint("shelf ", i), "timber")
	}
	return w
}

const unworded = "What brings letters to us?"

func TestSimilarityAddsAFew(t *testing.T) {
	w := depot()
	s := space{of: map[tenure.ID]float64{id(11): .5, id(12): .1, id(20): .45, id(21): .39, id(22): .2}}
	res := w.compiledIn(t, s, unworded, nil)
	// 12 is about the value of 11 and inherits .4; 21 has less than .8 of the best.
	want := map[tenure.ID]float64{id(11): .5, id(12): .4, id(20): .45}
	got := map[tenure.ID]float64{}
	for _, o := range res.Trace.State.CompiledObjects {
		got[o.ObjectID] = o.Similarity
		if o.ByWords || o.InForce || o.PriorityTier != "minimal" {
			t.Errorf("%s: %+v", o.ObjectID, o)
		}
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, e := range res.Trace.State.ResolvedEntities {
		if e.FoundBy != "similarity" {
			t.Errorf("%+v", e)
		}
	}
	for i := range 8 {
		s.of[id(20+i)] = .49
	}
	if got := w.compiledIn(t, s, unworded, nil).Trace.State.CompiledObjects; len(got) != 5 {
		t.Errorf("%d of ten that are as similar", len(got))
	}
}

func TestWhatIsHardlySimilarIsLeftOut(t *testing.T) {
	w := depot()
	s := space{of: map[tenure.ID]float64{id(11): .24, id(20): .2}}
	if got := w.compiledIn(t, s, unworded, nil).Trace.State.CompiledObjects; len(got) != 0 {
		t.Errorf("compiled: %+v", got)
	}
}

// TestSimilarityAddsOneToWhatWordsFound, which needs no entry of its own where words found it, and nothing to a query that
// names an entity.
func TestSimilarityAddsOneToWhatWordsFound(t *testing.T) {
	w := depot()
	s := space{of: map[tenure.ID]float64{id(12): .6, id(20): .59, id(21): .58}}
	for query, want := range map[string][]tenure.ID{
		"Which courier do we have?":      {id(11), id(12)},
		"What is the telephone number?":  {id(12)},
		"Which telephone does Swift use": {id(12)},
	} {
		var got []tenure.ID
		for _, o := range w.compiledIn(t, s, query, nil).Trace.State.CompiledObjects {
			got = append(got, o.ObjectID)
			if (o.Similarity > 0) != (query == "Which courier do we have?" && o.ObjectID == id(12)) {
				t.Errorf("%s: %s has the similarity %f", query, o.ObjectID, o.Similarity)
			}
		}
		slices.Sort(got)
		if query == "Which telephone does Swift use" {
			got = slices.DeleteFunc(got, func(o tenure.ID) bool { return o == id(11) }) // which leads there
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
}

// TestSimilarityFillsNoRequiredProperty: what has to be known is known or not.
func TestSimilarityFillsNoRequiredProperty(t *testing.T) {
	w := depot()
	s := space{of: map[tenure.ID]float64{id(12): .6}}
	res := w.compiledIn(t, s, unworded, func(r *compile.Request) {
		r.Required = []compile.Required{{Predicate: "telephone"}}
	})
	if got := res.Trace.State.UnknownSlots; len(got) != 1 {
		t.Errorf("unknown are %+v", got)
	}
}

func TestWithoutVectorsWordsAreSearched(t *testing.T) {
	w := depot()
	s := space{fail: tenure.Errorf(tenure.Unavailable, "not all beliefs have vectors yet")}
	res := w.compiledIn(t, s, "Which courier do we have?", nil)
	if got := res.Trace.State.Retrieval.Degraded; got != "not all beliefs have vectors yet" {
		t.Errorf("it says %q", got)
	}
	if got := lines(res, "facts"); len(got) != 1 {
		t.Errorf("facts: %q", got)
	}
	c, err := compile.New(tokens, compile.Config{Similar: space{fail: errors.New("broken")}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Compile(t.Context(), w, agent(), ask(unworded), day(15)); err == nil {
		t.Error("another fault is swallowed")
	}
}

// TestFactsAboutWhatIsNamedAreChosenBySimilarity checks that of a named entity those facts stay that are about as similar
// to a query as the most similar one, where its words say nothing of them; that words decide where they do; that a query
// for all, and one of which similarity knows nothing, leave nothing out.
func TestFactsAboutWhatIsNamedAreChosenBySimilarity(t *testing.T) {
	w := &world{}
	drug := w.entity(1, "Vancomycin")
	w.claim(11, drug, "stability_after_reconstitution", "14 days")
	w.claim(12, drug, "reorder_level", "40")
	w.claim(13, drug, "diluent", "water")
	w.claim(14, drug, "storage_place", "shelf 4", constraint())
	kept, second, third := "Vancomycin / stability_after_reconstitution: 14 days", "Vancomycin / diluent: water", "Vancomycin / reorder_level: 40"
	for name, c := range map[string]struct {
		s     space
		query string
		want  []string
	}{
		"similarity-chooses": {space{of: similarities(.5, .1, .2)}, "How long is mixed Vancomycin good in the fridge?", []string{kept}},
		"about-as-similar":   {space{of: similarities(.5, .1, .42)}, "How long is mixed Vancomycin good in the fridge?", []string{kept, second}},
		"words-decide":       {space{of: similarities(.5, .1, .2)}, "Which diluent for Vancomycin?", []string{second}},
		"all-is-asked-for":   {space{of: similarities(.5, .1, .2)}, "A summary of Vancomycin", []string{second, third, kept}},
		"only-the-name":      {space{of: similarities(.5, .1, .2)}, "Vancomycin", []string{second, third, kept}},
		"nothing-is-similar": {space{of: similarities(.2, .1, .1)}, "How long is mixed Vancomycin good in the fridge?", []string{second, third, kept}},
		"not-known-now": {
			space{fail: tenure.Errorf(tenure.Unavailable, "later")}, "How long is mixed Vancomycin good in the fridge?", []string{second, third, kept},
		},
	} {
		t.Run(name, func(t *testing.T) {
			res := w.compiledIn(t, c.s, c.query, nil)
			got := lines(res, "facts")
			slices.Sort(got)
			slices.Sort(c.want)
			if d := gocmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			if rule := lines(res, "policy"); len(rule) != 1 {
				t.Errorf("what binds: %v", rule)
			}
			if told := res.Trace.State.Retrieval.Degraded != ""; told != (name == "not-known-now") {
				t.Errorf("degraded: %q", res.Trace.State.Retrieval.Degraded)
			}
		})
	}
}

// TestNeighboursOfWhatIsNamedNeedSimilarity checks that where no fact is similar to a query, and none has its words, those
// about what it names stay, and those about what that relates to do not; with nothing but the name, all do.
func TestNeighboursOfWhatIsNamedNeedSimilarity(t *testing.T) {
	w := &world{}
	drug, maker := w.entity(1, "Vancomycin"), w.entity(2, "Alder Works")
	w.claim(11, drug, "reorder_level", "40")
	w.claim(12, drug, "diluent", "water")
	w.claim(13, drug, "maker", "", toEntity(maker))
	w.claim(14, maker, "registered_seat", "Oslo")
	own := []string{"Vancomycin / diluent: water", "Vancomycin / maker: Alder Works", "Vancomycin / reorder_level: 40"}
	for query, want := range map[string][]string{
		"How long is mixed Vancomycin good in the fridge?": own,
		"Vancomycin": append([]string{"Alder Works / registered_seat: Oslo"}, own...),
	} {
		got := lines(w.compiledIn(t, space{of: similarities(.2, .1, .1, .1)}, query, nil), "facts")
		slices.Sort(got)
		if d := gocmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", query, d)
		}
	}
}

// TestFactsAboutWhoAsksAreChosenBySimilarity checks that of the facts about the person who asks those come without a word
// of the query that are about as similar to it as the most similar one, even if little; none where none is; and all where
// that is not known.
func TestFactsAboutWhoAsksAreChosenBySimilarity(t *testing.T) {
	w := &world{}
	noor := w.entity(1, "Noor Haddad")
	w.claim(11, noor, "note_1", "borrowed 3,000 from a brother")
	w.claim(12, noor, "note_2", "birthday bash on Saturday")
	w.claim(13, noor, "note_3", "the van is in the garage")
	ben := w.entity(2, "Ben Ortiz")
	w.claim(14, ben, "desk", "window")
	d := tenure.Document{ID: id(30), Title: "Parties", URI: "https://wiki.example/parties"}
	w.documents = append(w.documents, d)
	w.passages = append(w.passages, tenure.Passage{ID: id(31), Document: d.ID, Text: "On Saturday there is a party."})
	desk := "Ben Ortiz / desk: window"
	loan, bash, van := "Noor Haddad / note_1: borrowed 3,000 from a brother", "Noor Haddad / note_2: birthday bash on Saturday",
		"Noor Haddad / note_3: the van is in the garage"
	for name, c := range map[string]struct {
		s     space
		query string
		want  []string
	}{
		"the-nearest":     {space{of: similarities(.05, .2, .18)}, "When is the party?", []string{bash, van}},
		"much-less":       {space{of: similarities(.05, .24, .16)}, "When is the party?", []string{bash}},
		"found-among-all": {space{of: similarities(.2, .9, .2)}, "When is the party?", []string{bash}},
		"my":              {space{of: similarities(.2, .1, .05)}, "What are my debts?", []string{loan}},
		"my-own-alone":    {space{of: similarities(.35, .1, .05, .9)}, "What are my debts?", []string{desk, loan}},
		"a-passage":       {space{of: similarities(.2, .1, .1), passages: map[tenure.ID]float64{id(31): .9}}, "When is the party?", nil},
		"nothing-is-near": {space{of: similarities(.05, .1, .1)}, "Why is the sky blue?", nil},
		"nobody-can-tell": {space{fail: tenure.Errorf(tenure.Unavailable, "later")}, "When is the party?", []string{loan, bash, van}},
	} {
		t.Run(name, func(t *testing.T) {
			got := lines(w.compiledIn(t, c.s, c.query, func(r *compile.Request) {
				r.Identity = &compile.Identity{EntityID: noor}
			}), "facts")
			slices.Sort(got)
			if d := gocmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestTheKindThatIsAskedForChooses checks that of what is similar to a question those beliefs stay that have a time, a
// place, a number or a person where it asks for one, if any has, beside the most similar one and what leads to them.
func TestTheKindThatIsAskedForChooses(t *testing.T) {
	w := &world{}
	ward, firm := w.entity(1, "Ward 4"), w.entity(2, "Halden", func(e *tenure.Entity) { e.Type = "organization" })
	w.claim(11, ward, "patients", "children after operations")
	w.claim(12, ward, "delivery_round", "07:15")
	w.claim(13, ward, "supplier", "", toEntity(firm))
	w.claim(14, ward, "floor_colour", "green")
	for query, want := range map[string][]string{
		"When do boxes arrive upstairs?":  {"Ward 4 / delivery_round: 07:15", "Ward 4 / patients: children after operations"},
		"Who carries boxes upstairs?":     {"Ward 4 / patients: children after operations", "Ward 4 / supplier: Halden"},
		"What becomes of boxes upstairs?": {"Ward 4 / delivery_round: 07:15", "Ward 4 / floor_colour: green", "Ward 4 / patients: children after operations", "Ward 4 / supplier: Halden"},
	} {
		got := lines(w.compiledIn(t, space{of: similarities(.5, .45, .45, .45)}, query, nil), "facts")
		slices.Sort(got)
		if d := gocmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", query, d)
		}
	}
}

// TestWhatIsAskedOfAValueInheritsAll checks that a fact about the value of a similar one comes along where it is what the
// query asks for, by the word for it or by how it is written, and another one does not.
func TestWhatIsAskedOfAValueInheritsAll(t *testing.T) {
	w := &world{}
	room, sanne, clock := w.entity(1, "Cold Room"), w.entity(2, "Sanne"), w.entity(3, "ThermoWatch")
	w.claim(11, room, "kept_by", "", toEntity(sanne))
	w.claim(12, sanne, "desk_line", "+47 900 55 512")
	w.claim(13, sanne, "shoe_size", "39")
	w.claim(14, clock, "interval", "every 5 minutes")
	got := lines(w.compiledIn(t, space{of: similarities(.4, .1, .1, .45)}, "Whom can I ring about fridges?", nil), "facts")
	slices.Sort(got)
	want := []string{"Cold Room / kept_by: Sanne", "Sanne / desk_line: +47 900 55 512", "ThermoWatch / interval: every 5 minutes"}
	if d := gocmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestAMeasureOfWhatIsNamed checks that a question that asks for nothing but how old, how long or when does not ask for
// all that is known.
func TestAMeasureOfWhatIsNamed(t *testing.T) {
	w := &world{}
	odile := w.entity(1, "Odile")
	w.claim(11, odile, "years", "11")
	w.claim(12, odile, "wears", "a raincoat")
	for query, want := range map[string]int{"Odile: how old is she?": 1, "Who is Odile?": 2, "Odile": 2} {
		if got := lines(w.compiledIn(t, space{of: similarities(.5, .1)}, query, nil), "facts"); len(got) != want {
			t.Errorf("%s: %q", query, got)
		}
	}
}

// TestFewFactsInheritSimilarity checks that of what a similar fact leads to the most similar facts come along, and few.
func TestFewFactsInheritSimilarity(t *testing.T) {
	w := &world{}
	ann, acme := w.entity(1, "Ann"), w.entity(2, "Acme")
	w.claim(11, ann, "employer", "", toEntity(acme))
	list := []float64{.5}
	for i := range 9 {
		w.claim(12+i, acme, fmt.Sprint("property ", i), "such")
		list = append(list, .1+.01*float64(i))
	}
	got := lines(w.compiledIn(t, space{of: similarities(list...)}, "Where does Ann earn a living?", nil), "facts")
	slices.Sort(got)
	want := []string{
		"Acme / property 4: such", "Acme / property 5: such", "Acme / property 6: such", "Acme / property 7: such",
		"Acme / property 8: such", "Ann / employer: Acme",
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func similarities(list ...float64) map[tenure.ID]float64 {
	of := map[tenure.ID]float64{}
	for i, s := range list {
		of[id(11+i)] = s
	}
	return of
}

// TestPassagesAreChosenBySimilarity checks that a passage in other words is compiled where it is about what is asked and
// no belief is nearer, that one which merely shares words is not where a belief is much nearer, and that what is far
// less similar than the passage is left out.
func TestPassagesAreChosenBySimilarity(t *testing.T) {
	const extension, parking = "An extension is asked for a week before the term ends.", "Cars are left behind the boathouse."
	const query, shares = "How early must more time be requested?", "Are cars left behind the court?"
	for name, c := range map[string]struct {
		query    string
		belief   float64
		passages [2]float64
		want     []string
		fact     bool
	}{
		"in-other-words":            {query, .2, [2]float64{.5, .1}, []string{extension}, false},
		"both-are-similar":          {query, .2, [2]float64{.6, .57}, []string{extension, parking}, false},
		"less-than-the-best":        {query, .2, [2]float64{.6, .5}, []string{extension}, false},
		"a-belief-is-nearer":        {query, .55, [2]float64{.5, .1}, nil, true},
		"a-belief-is-far-behind":    {query, .39, [2]float64{.5, .1}, []string{extension}, false},
		"hardly-similar":            {query, .2, [2]float64{.29, .1}, nil, false},
		"shares-words":              {shares, .3, [2]float64{.1, .3}, []string{parking}, true},
		"shares-words-and-is-far":   {shares, .6, [2]float64{.1, .3}, nil, true},
		"shares-words-and-another":  {shares, .3, [2]float64{.4, .33}, []string{parking, extension}, false},
		"shares-words-and-a-nearer": {shares, .3, [2]float64{.5, .3}, []string{extension}, false},
		"named-and-not-much-nearer": {"How early must more time be requested at Marlow Court?", .6, [2]float64{.5, .1}, []string{extension}, true},
		"named-and-only-it-answers": {"How early must more time be requested at Marlow Court?", .2, [2]float64{.5, .1}, []string{extension}, false},
		"named-and-much-nearer":     {"How early must more time be requested at Marlow Court?", .65, [2]float64{.5, .1}, nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := &world{}
			court := w.entity(1, "Marlow Court")
			w.claim(11, court, "registry_hours", "10 to 16")
			w.document(21, "Handbook", extension)
			w.document(23, "Feast", parking)
			s := space{
				of:       map[tenure.ID]float64{id(11): c.belief},
				passages: map[tenure.ID]float64{id(22): c.passages[0], id(24): c.passages[1]},
			}
			res := w.compiledIn(t, s, c.query, nil)
			var got []string
			for _, p := range res.Trace.State.CompiledPassages {
				got = append(got, map[tenure.ID]string{id(22): extension, id(24): parking}[p.PassageID])
				if want := s.passages[p.PassageID]; p.Similarity != want {
					t.Errorf("the trace says the similarity %v, not %v", p.Similarity, want)
				}
			}
			if d := gocmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			if facts := lines(res, "facts"); (len(facts) > 0) != c.fact {
				t.Errorf("facts: %q", facts)
			}
		})
	}
}

// TestPassagesWithoutVectors: words choose them, and the trace says so, where the embedder does not answer.
func TestPassagesWithoutVectors(t *testing.T) {
	w := &world{}
	w.document(21, "Feast", "Cars are left behind the boathouse.")
	s := space{fail: tenure.Errorf(tenure.Unavailable, "not all vectors are made yet")}
	res := w.compiledIn(t, s, "Where are cars left?", nil)
	if len(res.Trace.State.CompiledPassages) != 1 || res.Trace.State.Retrieval.Degraded == "" {
		t.Errorf("%+v, degraded %q", res.Trace.State.CompiledPassages, res.Trace.State.Retrieval.Degraded)
	}
	s = space{partly: tenure.Errorf(tenure.Unavailable, "not all vectors are made yet")}
	if res = w.compiledIn(t, s, "Where are cars left?", nil); res.Trace.State.Retrieval.Degraded == "" {
		t.Error("that passages were not searched by similarity is not said")
	}
	unasked := func(r *compile.Request) { r.Query, r.Entities = "", []tenure.ID{w.entity(1, "Heron")} }
	if res = w.compiledIn(t, space{fail: errors.New("asked for the vector of nothing")}, "", unasked); len(res.Trace.State.CompiledPassages) != 0 {
		t.Errorf("without a query: %+v", res.Trace.State.CompiledPassages)
	}
}
