package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"tenure"
	"tenure/store"
)

var viewPromises = []promise{
	{"Tenants are apart: no call with one tenant's name sees or changes what another's did.", tenantsApart},
	{`Keys compare as bytes: "Zoe", "zoe" and "Zoë" are three, and so are the composed and the decomposed form of "Zoë".`,
		keysAsBytes},
	{"Errors are *tenure.Error.", errorsHaveCodes},
	{"View reads one state of a tenant.", statesBySeqAndTime},
	{"The state does not move while the view is used, whatever is written meanwhile.", viewsAreStable},
	{"A sequence or a time that has not come yet is Unprocessable.", futureIsUnprocessable},
	{"A tenant that never wrote is empty.", neverWrote},
	{"State is the number and the transaction time of the state that is read.", stateIsNumbered},
	{"Lists are in ascending order of the transaction time and then the id of what they list", listsAreOrdered},
	{"what is not there is left out of a list, and is no error. Empty input gives an empty list.", absentIsLeftOut},
}

// scene is one of everything, made of ids of its own or those of another
// scene, so that two tenants can hold the same ids.
type scene struct {
	entity, object      tenure.Entity
	form                tenure.AliasKey
	alias               tenure.Alias
	observation         tenure.Observation
	mention             tenure.Mention
	ground, claim, rest tenure.Claim
	amended             tenure.Amended
	quarantine          tenure.Case
	vocabulary          tenure.Vocabulary
	term                tenure.Term
}

func newScene(name string) scene {
	var s scene
	s.entity, s.object = entity(newID(), name), entity(newID(), name+" Ltd")
	s.form = tenure.AliasKey{Kind: tenure.NameAlias, Key: name}
	s.mention = tenure.Mention{ID: newID(), Observation: newID(), Name: name}
	s.alias = alias(s.form, s.entity.ID, s.mention.ID)
	s.observation = tenure.Observation{
		ID: s.mention.Observation, Source: tenure.Source{Origin: "test://1"}, ObservedAt: 5, ReceivedAt: 6,
		Text: name + " works here", Actor: "storetest", Mentions: []tenure.ID{s.mention.ID},
	}
	s.ground = claim(s.entity.ID, "employer")
	s.claim = to(claim(s.entity.ID, "works_for"), s.object.ID)
	s.claim.DependsOn, s.claim.Supersedes = []tenure.ID{s.ground.ID}, []tenure.ID{s.ground.ID}
	s.rest = claim(s.entity.ID, "office")
	s.amended = retract(s.ground)
	s.quarantine = quarantine(s.ground.Slot(), s.ground.ID)
	s.vocabulary = tenure.Vocabulary{Name: tenure.Predicates, Version: 1}
	s.term = tenure.Term{Vocabulary: tenure.Predicates, Name: "employer", Cardinality: tenure.One,
		ValueType: tenure.TextValue}
	return s
}

func (s scene) changes() []tenure.Change {
	list := []tenure.Change{
		tenure.ObservationAdded{Observation: s.observation}, tenure.MentionAdded{Mention: s.mention},
		tenure.MentionAssigned{Assignment: s.assignment()},
		tenure.EntityPut{Entity: s.entity}, tenure.EntityPut{Entity: s.object}, tenure.AliasAdded{Alias: s.alias},
		s.amended, tenure.CasePut{Case: s.quarantine}, tenure.VocabularyPut{Vocabulary: s.vocabulary},
		tenure.TermPut{Term: s.term},
	}
	list = append(list, believed(s.ground, segment(tenure.ByTie, 100, tenure.MaxTime))...)
	list = append(list, believed(s.claim)...)
	return append(list, believed(s.rest)...)
}

func (s scene) assignment() tenure.Assignment {
	return tenure.Assignment{Mention: s.mention.ID, Entity: s.entity.ID, Score: 0.96, Outcome: tenure.AutoMerge,
		Reason: "x"}
}

// always is a window that everything stands in.
var always = tenure.Window{From: tenure.MinTime, Until: tenure.MaxTime}

// readAll asks a reader for everything of a scene, by each of its methods.
func (s scene) readAll(w *world, r store.Reader) map[string]any {
	w.Helper()
	ids := []tenure.ID{s.entity.ID, s.object.ID}
	claims := []tenure.ID{s.ground.ID, s.claim.ID, s.rest.ID}
	all := map[string]any{
		"entities": read(w, r.Entities, ids), "aliases": read(w, r.AliasesByKey, []tenure.AliasKey{s.form}),
		"owned": read(w, r.AliasesOf, ids), "beliefs": read(w, r.Beliefs, claims),
		"keys": read(w, r.BeliefsByKey, []string{s.claim.Key}), "dependents": read(w, r.Dependents, claims),
		"superseders": read(w, r.Superseders, claims), "amendments": read(w, r.Amendments, claims),
		"amendments by id": read(w, r.AmendmentsByID, []tenure.ID{s.amended.Amendment.ID}),
		"cases":            read(w, r.Cases, []tenure.ID{s.quarantine.ID}), "list": read(w, r.List, store.BeliefQuery{}),
		"contested":  read(w, r.List, store.BeliefQuery{Contested: true}),
		"list cases": read(w, r.ListCases, store.CaseQuery{}), "terms": read(w, r.Terms, []string{s.term.ID()}),
		"vocabularies": read(w, r.Vocabularies, []string{s.vocabulary.Name}),
	}
	keep := func(what string, list any, err error) {
		w.Helper()
		if err != nil && tenure.CodeOf(err) != tenure.NotFound {
			w.Fatal(what, err)
		}
		all[what] = list
	}
	b := background()
	slots, err := r.SlotsAfter(b, "", 1000)
	keep("slots after", slots, err)
	states, err := r.Slots(b, []tenure.Slot{s.ground.Slot()})
	for i := range states {
		states[i].Slot = tenure.Slot{}
	}
	keep("slots", states, err)
	live, err := r.Live(b, ids, always, 100)
	keep("live", live, err)
	displaced, err := r.Displaced(b, ids, always, 100)
	keep("displaced", displaced, err)
	relations, err := r.Relations(b, ids, always, 100)
	keep("relations", relations, err)
	observation, err := r.Observation(b, s.observation.ID)
	keep("observation", observation, err)
	mentions, err := r.MentionsOf(b, s.entity.ID, "", 100)
	keep("mentions", mentions, err)
	terms, err := r.ListTerms(b, s.vocabulary.Name, "", 100)
	keep("list terms", terms, err)
	history, err := r.History(b, s.entity.ID, 0, 100)
	keep("history", history, err)
	return all
}

func tenantsApart(w *world) {
	s := newScene("jon")
	a, b := w, w.other()
	a.apply(s.changes()...)
	want := a.now()
	had := s.readAll(a, want)
	for what, list := range s.readAll(b, b.now()) {
		if text := fmt.Sprintf("%+v", list); strings.Contains(text, "jon") || strings.Contains(text, string(s.ground.ID)) {
			w.Errorf("another tenant sees %s: %s", what, text)
		}
	}
	// The same ids, keys and keys in another tenant are other things.
	b.apply(s.changes()...)
	w.same("after another tenant wrote", had, s.readAll(a, a.now()))
	changed := s.entity
	changed.Name = "changed"
	b.apply(tenure.EntityPut{Entity: changed}, standing(s.rest, segment(tenure.ByTrust, 100, tenure.MaxTime)))
	w.same("after another tenant changed", had, s.readAll(a, a.now()))
	seqA, _ := a.now().State()
	seqB, _ := b.now().State()
	w.same("numbers", []tenure.Seq{1, 2}, []tenure.Seq{seqA, seqB})
	log, err := a.s.Log(background(), a.tenant, 0, 10)
	w.ok(err)
	w.same("log", 1, len(log))
	// Names of tenants are bytes too.
	for _, name := range []string{strings.ToUpper(w.tenant), w.tenant + " ", w.tenant + "\u0301"} {
		view, err := w.s.View(background(), name, tenure.Present)
		w.ok(err)
		if seq, _ := view.State(); seq != 0 {
			w.Errorf("the tenant %q is taken for %q", name, w.tenant)
		}
	}
}

// spellings are four texts that careless comparisons confuse, and one outside
// the basic plane.
var spellings = []string{"Zoe", "zoe", "Zo\u00eb", "Zoe\u0308", "Zo\U0001F600"}

func keysAsBytes(w *world) {
	subject := newID()
	for _, name := range spellings {
		id := tenure.ID(name)
		form := tenure.AliasKey{Kind: tenure.NameAlias, Key: name}
		c := claim(subject, name)
		c.Key = name
		changes := append(believed(c), tenure.EntityPut{Entity: entity(id, name)},
			tenure.AliasAdded{Alias: alias(form, id, newID())},
			tenure.VocabularyPut{Vocabulary: tenure.Vocabulary{Name: name, Version: 1}},
			tenure.TermPut{Term: tenure.Term{Vocabulary: "v", Name: name}})
		base, _ := w.now().State()
		cs := w.whole(set(changes...))
		cs.Key = &tenure.IdempotencyKey{Scope: name, Hash: name}
		_, err := w.s.Apply(background(), w.tenant, base, []tenure.ChangeSet{cs})
		w.ok(err)
	}
	r := w.now()
	for _, name := range spellings {
		id, form := tenure.ID(name), tenure.AliasKey{Kind: tenure.NameAlias, Key: name}
		w.same("entity", []tenure.Entity{entity(id, name)}, read(w, r.Entities, []tenure.ID{id}))
		aliases := read(w, r.AliasesByKey, []tenure.AliasKey{form})
		if len(aliases) != 1 || aliases[0].Entity != id {
			w.Errorf("the form %q is owned by %+v", name, aliases)
		}
		beliefs := read(w, r.BeliefsByKey, []string{name})
		slots := read(w, r.Slots, []tenure.Slot{{Subject: subject, Predicate: name}})
		listed := read(w, r.List, store.BeliefQuery{Predicate: name})
		if len(beliefs) != 1 || len(slots) != 1 || len(slots[0].Beliefs) != 1 || len(listed) != 1 ||
			listed[0].Claim.Predicate != name {
			w.Errorf("%q finds %d beliefs by key, %+v, %d by predicate", name, len(beliefs), slots, len(listed))
		}
		w.same("vocabulary", 1, len(read(w, r.Vocabularies, []string{name})))
		w.same("term", 1, len(read(w, r.Terms, []string{tenure.TermID("v", name)})))
		receipts, err := r.Receipts(background(), []string{name})
		w.ok(err)
		w.same("receipt", name, receipts[name].Hash)
	}
	terms, err := r.ListTerms(background(), "v", "", 10)
	w.ok(err)
	got := make([]string, 0, len(terms))
	for _, t := range terms {
		got = append(got, t.Name)
	}
	w.same("in the order of bytes", []string{"Zoe", "Zoe\u0308", "Zo\u00eb", "Zo\U0001F600", "zoe"}, got)
}

func errorsHaveCodes(w *world) {
	ended, cancel := context.WithCancel(background())
	cancel()
	_, err := w.s.View(ended, w.tenant, tenure.Present)
	w.code(tenure.Unavailable, err)
	_, err = w.s.Apply(ended, w.tenant, 0, []tenure.ChangeSet{set(tenure.EntityPut{Entity: entity(newID(), "x")})})
	w.code(tenure.Unavailable, err)
	w.apply(tenure.EntityPut{Entity: entity(newID(), "x")})
	r := w.now()
	_, err = r.Entities(ended, ids(1))
	w.code(tenure.Unavailable, err)
	_, err = w.s.Log(ended, w.tenant, 0, 1)
	w.code(tenure.Unavailable, err)
	_, err = w.s.Credential(background(), newID())
	var e *tenure.Error
	if !errors.As(err, &e) || e.Message == "" {
		w.Errorf("%v has no message for people", err)
	}
}

func statesBySeqAndTime(w *world) {
	id := newID()
	var receipts []tenure.Receipt
	for i := range 4 {
		receipts = append(receipts, w.apply(tenure.EntityPut{Entity: entity(id, fmt.Sprint(i))}))
	}
	for i, r := range receipts {
		want := []tenure.Entity{entity(id, fmt.Sprint(i))}
		w.same("by number", want, read(w, w.view(tenure.AsOf{Seq: r.Seq}).Entities, []tenure.ID{id}))
		w.same("by time", want, read(w, w.view(tenure.AsOf{Known: r.Tx}).Entities, []tenure.ID{id}))
		seq, tx := w.view(tenure.AsOf{Known: r.Tx}).State()
		w.same("state", [2]int64{int64(r.Seq), int64(r.Tx)}, [2]int64{int64(seq), int64(tx)})
	}
	before := w.view(tenure.AsOf{Known: receipts[2].Tx - 1})
	w.same("a moment before", []tenure.Entity{entity(id, "1")}, read(w, before.Entities, []tenure.ID{id}))
	first := w.view(tenure.AsOf{Known: receipts[0].Tx - 1})
	w.same("before the first", []tenure.Entity{}, read(w, first.Entities, []tenure.ID{id}))
	seq, _ := first.State()
	w.same("number before the first", tenure.Seq(0), seq)
}

func viewsAreStable(w *world) {
	s := newScene("jon")
	w.apply(s.changes()...)
	r := w.now()
	past := w.view(tenure.AsOf{Seq: 1})
	before := s.readAll(w, r)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				disturb(w, s, i)
			}
		}
	})
	for range 10 {
		w.same("while others write", before, s.readAll(w, r))
		w.same("by number, while others write", before, s.readAll(w, past))
	}
	close(stop)
	wg.Wait()
	disturb(w, s, -1)
	w.same("after others wrote", before, s.readAll(w, r))
	if seq, _ := w.now().State(); seq < 2 {
		w.Error("nothing was written meanwhile")
	}
}

// disturb changes everything about a scene that can change.
func disturb(w *world, s scene, i int) {
	s.entity.Name, s.object.Name, s.quarantine.State = fmt.Sprint(i), "y", tenure.CaseSettled
	s.vocabulary.Version, s.term.Removed = i, true
	moved := s.assignment()
	moved.Entity = s.object.ID
	extra := claim(s.entity.ID, "employer")
	extra.Supersedes, extra.DependsOn = []tenure.ID{s.ground.ID}, []tenure.ID{s.ground.ID}
	extra.Key = s.claim.Key
	relation := to(claim(s.object.ID, "part_of"), s.entity.ID)
	o := s.alias
	o.Mention = newID()
	changes := []tenure.Change{
		tenure.EntityPut{Entity: s.entity}, tenure.EntityPut{Entity: s.object}, tenure.CasePut{Case: s.quarantine},
		tenure.VocabularyPut{Vocabulary: s.vocabulary}, tenure.TermPut{Term: s.term},
		tenure.MentionAssigned{Assignment: moved}, retract(s.ground), tenure.AliasAdded{Alias: o},
		standing(s.ground, segment(tenure.ByName, 100, tenure.MaxTime)),
		standing(s.claim, segment(tenure.ByTrust, 100, tenure.MaxTime)),
		standing(s.rest, stands(100, 200), segment(tenure.BySuccession, 200, tenure.MaxTime)),
	}
	changes = append(append(changes, believed(extra)...), believed(relation)...)
	view, err := w.s.View(background(), w.tenant, tenure.Present)
	if err != nil {
		w.Error(err)
		return
	}
	base, _ := view.State()
	if _, err := w.s.Apply(background(), w.tenant, base, []tenure.ChangeSet{w.whole(set(changes...))}); err != nil {
		w.Error(err)
	}
}

func futureIsUnprocessable(w *world) {
	for range 2 { // a tenant that never wrote, and one that did
		seq, _ := w.now().State()
		for _, at := range []tenure.AsOf{{Seq: seq + 1}, {Seq: 1 << 40}, {Known: tenure.MaxTime - 1}} {
			_, err := w.s.View(background(), w.tenant, at)
			w.code(tenure.Unprocessable, err)
		}
		w.apply(tenure.EntityPut{Entity: entity(newID(), "x")})
	}
}

func neverWrote(w *world) {
	s := newScene("jon")
	r := w.now()
	seq, tx := r.State()
	w.same("state", [2]int64{0, 0}, [2]int64{int64(seq), int64(tx)})
	for what, list := range s.readAll(w, r) {
		if text := fmt.Sprintf("%+v", list); strings.Contains(text, "jon") || strings.Contains(text, "employer") {
			w.Errorf("%s of nobody: %s", what, text)
		}
	}
	log, err := w.s.Log(background(), w.tenant, 0, 10)
	w.ok(err)
	w.same("log", 0, len(log))
}

func stateIsNumbered(w *world) {
	for i := range 3 {
		r := w.apply(tenure.EntityPut{Entity: entity(newID(), "x")})
		seq, tx := w.now().State()
		w.same("number", tenure.Seq(i+1), seq)
		w.same("receipt", [2]int64{int64(r.Seq), int64(r.Tx)}, [2]int64{int64(seq), int64(tx)})
	}
}

func listsAreOrdered(w *world) {
	order := ids(6)
	// By time first: what was put later comes later, whatever its id.
	w.apply(tenure.EntityPut{Entity: entity(order[5], "a")}, tenure.EntityPut{Entity: entity(order[3], "a")},
		tenure.EntityPut{Entity: entity(order[4], "a")})
	w.apply(tenure.EntityPut{Entity: entity(order[2], "b")}, tenure.EntityPut{Entity: entity(order[0], "b")})
	got := make([]tenure.ID, 0, len(order))
	for _, e := range read(w, w.now().Entities, order) {
		got = append(got, e.ID)
	}
	w.same("entities", []tenure.ID{order[3], order[4], order[5], order[0], order[2]}, got)

	subject, claims := newID(), ids(4)
	put := func(places ...int) {
		var changes []tenure.Change
		for _, i := range places {
			c := claim(subject, "office")
			c.ID = claims[i]
			changes = append(changes, believed(c)...)
		}
		w.apply(changes...)
	}
	put(3, 1)
	put(2, 0)
	want := []tenure.ID{claims[1], claims[3], claims[0], claims[2]}
	w.same("beliefs", want, idsOf(read(w, w.now().Beliefs, claims)))
	w.same("beliefs by key", want, idsOf(read(w, w.now().BeliefsByKey, []string{"office-key"})))
	// A new standing is no new claim.
	c := claim(subject, "office")
	c.ID = claims[1]
	w.apply(standing(c, segment(tenure.ByTrust, 100, tenure.MaxTime)))
	w.same("beliefs after a new standing", want, idsOf(read(w, w.now().Beliefs, claims)))
	states := read(w, w.now().Slots, []tenure.Slot{c.Slot()})
	w.same("slot", want, idsOf(states[0].Beliefs))
}

func absentIsLeftOut(w *world) {
	known := w.believe(claim(newID(), "office"))
	r := w.now()
	got := read(w, r.Beliefs, []tenure.ID{newID(), known.ID, newID(), known.ID})
	w.same("beliefs", []tenure.ID{known.ID}, idsOf(got))
	s := newScene("absent")
	all := s.readAll(w, r)
	for _, what := range []string{"list", "slots after", "observation", "slots"} {
		delete(all, what) // these do not ask for what is absent, or have another answer for it
	}
	for what, list := range all {
		if text := fmt.Sprint(list); text != "[]" {
			w.Errorf("%s: %s", what, text)
		}
	}
	var none []tenure.ID
	w.same("entities", 0, len(read(w, r.Entities, none)))
	w.same("aliases", 0, len(read(w, r.AliasesByKey, nil)))
	w.same("owned", 0, len(read(w, r.AliasesOf, none)))
	w.same("slots", 0, len(read(w, r.Slots, nil)))
	w.same("beliefs", 0, len(read(w, r.Beliefs, none)))
	w.same("keys", 0, len(read(w, r.BeliefsByKey, nil)))
	w.same("dependents", 0, len(read(w, r.Dependents, none)))
	w.same("superseders", 0, len(read(w, r.Superseders, none)))
	w.same("amendments", 0, len(read(w, r.Amendments, none)))
	w.same("amendments by id", 0, len(read(w, r.AmendmentsByID, none)))
	w.same("cases", 0, len(read(w, r.Cases, none)))
	w.same("vocabularies", 0, len(read(w, r.Vocabularies, nil)))
	w.same("terms", 0, len(read(w, r.Terms, nil)))
	live, err := r.Live(background(), nil, always, 10)
	w.ok(err)
	displaced, err := r.Displaced(background(), nil, always, 10)
	w.ok(err)
	relations, err := r.Relations(background(), nil, always, 10)
	w.ok(err)
	receipts, err := r.Receipts(background(), nil)
	w.ok(err)
	w.same("by entity", []int{0, 0, 0, 0}, []int{len(live), len(displaced), len(relations), len(receipts)})
}
