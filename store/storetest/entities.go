package storetest

import (
	"slices"
	"strings"

	"tenure"
	"tenure/store"
)

var entityPromises = []promise{
	{"Entities finds entities by id.", entitiesByID},
	{"AliasesByKey lists the aliases with the keys, of every project and type", aliasesByKey},
	{"AliasesOf lists the aliases of the entities.", formsOfEntities},
	{"Observation finds an observation with its mentions, in order of their index, and what they are assigned to now; " +
		"NotFound if there is none.", observations},
	{"MentionsOf pages through the mentions that are assigned to an entity, in ascending order of their ids.", mentionsOf},
	{"Cases finds cases by id.", casesByID},
	{"ListCases pages through cases in ascending order of their ids, or, if the query is Ranked, of their ranks.", casesByPage},
	{"Of ranked cases the most valuable are first, of closed ones the last closed.", casesByRank},
	{"Vocabularies finds vocabularies by name.", vocabularies},
	{"Terms finds terms by their ids (see tenure.TermID), removed ones too.", terms},
	{"ListTerms pages through the terms of a vocabulary by name, removed ones left out.", termsByPage},
	{"Observations finds observations by id, without what was made of them.", observationsByID},
	{"ListObservations pages through observations, those observed last first and of one instant those of the greatest id, " +
		"without what was made of them.", observationsByPage},
	{"A decision is in the history of both its sides.", identityDecisionHistory},
	{"History lists the entries that changed something of the entity, after a number and up to the state that is read, in order.",
		history},
}

func entitiesByID(w *world) {
	full := tenure.Entity{
		ID: newID(), Type: "system", Status: tenure.EntityMerged, Name: "Ünïcode \U0001F600 <b>\"x\"\\ \u2028",
		Project: "p", MergedInto: newID(), Reason: "ambiguous", CreatedAt: 1_700_000_000_000_001,
		Members: ids(3), Attributes: map[string][]string{"dob": {"1.2.1999", ""}, "Ü": nil}, Context: []string{"a\x1fb"},
	}
	plain := entity(newID(), "")
	w.apply(tenure.EntityPut{Entity: full})
	w.apply(tenure.EntityPut{Entity: plain})
	w.same("entities", []tenure.Entity{full, plain}, read(w, w.now().Entities, []tenure.ID{plain.ID, full.ID}))
	many := make([]tenure.ID, 0, 500)
	var changes []tenure.Change
	for range cap(many) {
		e := entity(newID(), "x")
		many = append(many, e.ID)
		changes = append(changes, tenure.EntityPut{Entity: e})
	}
	w.apply(changes...)
	w.same("many", len(many), len(read(w, w.now().Entities, many)))
}

func aliasesByKey(w *world) {
	name, mail := tenure.AliasKey{Kind: tenure.NameAlias, Key: "jon"}, tenure.AliasKey{Kind: "email", Key: "jon"}
	one := alias(name, newID(), newID())
	one.Type, one.Project, one.Exclusive = "system", "p", true
	two, three := alias(name, newID(), newID()), alias(mail, one.Entity, newID())
	w.apply(tenure.AliasAdded{Alias: one})
	w.apply(tenure.AliasAdded{Alias: two})
	w.apply(tenure.AliasAdded{Alias: three})
	r := w.now()
	w.same("of the name", []tenure.Alias{one, two}, read(w, r.AliasesByKey, []tenure.AliasKey{name}))
	w.same("of the address", []tenure.Alias{three}, read(w, r.AliasesByKey, []tenure.AliasKey{mail}))
	w.same("of both", []tenure.Alias{one, two, three}, read(w, r.AliasesByKey, []tenure.AliasKey{mail, name}))
	w.same("before", []tenure.Alias{one}, read(w, w.view(tenure.AsOf{Seq: 1}).AliasesByKey, []tenure.AliasKey{name}))
}

func formsOfEntities(w *world) {
	e, f := newID(), newID()
	name, mail := tenure.AliasKey{Kind: tenure.NameAlias, Key: "jon"}, tenure.AliasKey{Kind: "email", Key: "j@x.example"}
	one, two, three := alias(name, e, newID()), alias(mail, e, newID()), alias(name, f, newID())
	w.apply(tenure.AliasAdded{Alias: one})
	w.apply(tenure.AliasAdded{Alias: two})
	w.apply(tenure.AliasAdded{Alias: three})
	r := w.now()
	w.same("of one", []tenure.Alias{one, two}, read(w, r.AliasesOf, []tenure.ID{e}))
	w.same("of both", []tenure.Alias{one, two, three}, read(w, r.AliasesOf, []tenure.ID{f, e}))
}

func observations(w *world) {
	id, e := newID(), newID()
	o := tenure.Observation{
		ID: id, Source: tenure.Source{Origin: "test://1", AuthorityLevel: 3, SourceAuthority: 0.5, Speaker: "s", Role: "r"},
		Scope: tenure.Scope{Kind: tenure.ScopeTask, TaskID: "t"}, ObservedAt: -5, ReceivedAt: 6,
		Text: strings.Repeat("ß\U0001F600", 100_000), Actor: "a",
	}
	changes := []tenure.Change{}
	mentions := make([]tenure.Mention, 3)
	for i := range mentions {
		m := tenure.Mention{
			ID: newID(), Observation: id, Index: i, Name: "Zoë", Aliases: []string{"Z"},
			Attributes: map[string][]string{"email": {"a@b.example", "c@d.example"}},
			Record:     &tenure.Record{Source: "crm", ID: "7"},
		}
		mentions[i] = m
		o.Mentions = append(o.Mentions, m.ID)
		// The last one is written first, and the order is that of the index.
		changes = append([]tenure.Change{
			tenure.MentionAdded{Mention: m},
			tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: m.ID, Entity: e, Score: 0.5,
				Outcome: tenure.InReview}},
		}, changes...)
	}
	first := w.apply(append(changes, tenure.ObservationAdded{Observation: o})...)
	moved := tenure.Assignment{Mention: mentions[1].ID, Entity: newID(), Score: 1, Outcome: tenure.NewEntity,
		Reason: "split"}
	w.apply(tenure.MentionAssigned{Assignment: moved})
	got, err := w.now().Observation(background(), id)
	w.ok(err)
	w.same("observation", o, got.Observation)
	w.same("recorded", first.Tx, got.RecordedAt)
	w.same("mentions", mentions, got.Mentions)
	if len(got.Assignments) != 3 || got.Assignments[0].Entity != e || got.Assignments[1] != moved {
		w.Errorf("the assignments are %+v", got.Assignments)
	}
	old, err := w.view(tenure.AsOf{Seq: first.Seq}).Observation(background(), id)
	w.ok(err)
	w.same("assigned before", e, old.Assignments[1].Entity)
	_, err = w.now().Observation(background(), newID())
	w.code(tenure.NotFound, err)
}

func mentionsOf(w *world) {
	e, all := newID(), ids(7)
	var changes []tenure.Change
	for _, id := range slices.Backward(all) {
		changes = append(changes, tenure.MentionAdded{Mention: tenure.Mention{ID: id, Observation: newID(), Name: "x"}},
			tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: id, Entity: e}})
	}
	w.apply(changes...)
	w.apply(tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: all[2], Entity: newID()}})
	page := func(r store.Reader, after tenure.ID, limit int) []tenure.ID {
		list, err := r.MentionsOf(background(), e, after, limit)
		w.ok(err)
		found := make([]tenure.ID, 0, len(list))
		for _, m := range list {
			found = append(found, m.ID)
		}
		return found
	}
	now := w.now()
	w.same("first page", []tenure.ID{all[0], all[1], all[3]}, page(now, "", 3))
	w.same("second page", []tenure.ID{all[4], all[5], all[6]}, page(now, all[3], 3))
	w.same("past the end", []tenure.ID{}, page(now, all[6], 3))
	w.same("before the move", all, page(w.view(tenure.AsOf{Seq: 1}), "", 100))
}

func casesByID(w *world) {
	q := quarantine(tenure.Slot{Subject: newID(), Predicate: "office", Scope: tenure.Scope{Kind: tenure.ScopeGlobal}},
		ids(2)...)
	q.Windows = []tenure.Window{{From: tenure.MinTime, Until: 5}, {From: 7, Until: tenure.MaxTime}}
	q.Resolver = tenure.Resolver{Kind: tenure.ResolverTool, Target: "crm://7", Task: "look"}
	w.apply(tenure.CasePut{Case: q})
	settled := q
	settled.State, settled.ClosedAt, settled.Accepted, settled.Version = tenure.CaseSettled, 9, q.Holds[0], 2
	w.apply(tenure.CasePut{Case: settled})
	w.same("now", []tenure.Case{settled}, read(w, w.now().Cases, []tenure.ID{q.ID, newID()}))
	w.same("before", []tenure.Case{q}, read(w, w.view(tenure.AsOf{Seq: 1}).Cases, []tenure.ID{q.ID}))
}

func casesByPage(w *world) {
	slot := tenure.Slot{Subject: newID(), Predicate: "office"}
	order := ids(5)
	cases := make([]tenure.Case, len(order))
	for i := len(order) - 1; i >= 0; i-- {
		cases[i] = quarantine(slot, newID())
		cases[i].ID = order[i]
		if i == 3 {
			cases[i].Subject = newID()
		}
		w.apply(tenure.CasePut{Case: cases[i]})
	}
	settled := cases[1]
	settled.State = tenure.CaseSettled
	w.apply(tenure.CasePut{Case: settled})
	page := func(r store.Reader, q store.CaseQuery) []tenure.ID {
		found := []tenure.ID{}
		for _, c := range read(w, r.ListCases, q) {
			found = append(found, c.ID)
		}
		return found
	}
	now, before := w.now(), w.view(tenure.AsOf{Seq: 5})
	w.same("all", order, page(now, store.CaseQuery{}))
	w.same("a page", order[2:4], page(now, store.CaseQuery{After: string(order[1]), Limit: 2}))
	w.same("open", []tenure.ID{order[0], order[2], order[3], order[4]}, page(now, store.CaseQuery{State: tenure.CaseOpen}))
	w.same("settled", order[1:2], page(now, store.CaseQuery{State: tenure.CaseSettled}))
	w.same("open before", order, page(before, store.CaseQuery{State: tenure.CaseOpen}))
	w.same("settled before", []tenure.ID{}, page(before, store.CaseQuery{State: tenure.CaseSettled}))
	w.same("of a subject", order[3:4], page(now, store.CaseQuery{Subject: cases[3].Subject}))
	w.same("open, of a subject", []tenure.ID{order[0], order[2], order[4]},
		page(now, store.CaseQuery{Subject: slot.Subject, State: tenure.CaseOpen, Limit: 3}))
}

func casesByRank(w *world) {
	slot := tenure.Slot{Subject: newID(), Predicate: "office"}
	order := ids(5)
	cases := make([]tenure.Case, len(order))
	for i := range order {
		cases[i] = quarantine(slot, newID())
		cases[i].ID, cases[i].Score = order[i], []float64{-3, 12.5, 700, 12.5, 0}[i]
		w.apply(tenure.CasePut{Case: cases[i]})
	}
	before := w.now()
	later := func(i int, change func(*tenure.Case)) {
		change(&cases[i])
		w.apply(tenure.CasePut{Case: cases[i]})
	}
	later(2, func(c *tenure.Case) { c.State, c.ClosedAt = tenure.CaseSettled, 100 })
	later(4, func(c *tenure.Case) { c.State, c.ClosedAt = tenure.CaseSettled, 200 })
	later(0, func(c *tenure.Case) { c.Score = 13 })
	list := func(r store.Reader, q store.CaseQuery) []tenure.ID {
		var found []tenure.ID
		q.Ranked = true
		for {
			page := read(w, r.ListCases, q)
			for _, c := range page {
				found, q.After = append(found, c.ID), q.Key(c)
			}
			if q.Limit == 0 || len(page) < q.Limit {
				return found
			}
		}
	}
	open, settled := []tenure.ID{order[0], order[1], order[3]}, []tenure.ID{order[4], order[2]}
	then := []tenure.ID{order[2], order[1], order[3], order[4], order[0]}
	for _, limit := range []int{0, 1, 2} {
		w.same("open", open, list(w.now(), store.CaseQuery{State: tenure.CaseOpen, Limit: limit}))
		w.same("open, of a subject", open, list(w.now(), store.CaseQuery{State: tenure.CaseOpen, Subject: slot.Subject, Limit: limit}))
		w.same("settled", settled, list(w.now(), store.CaseQuery{State: tenure.CaseSettled, Limit: limit}))
		w.same("open before", then, list(before, store.CaseQuery{State: tenure.CaseOpen, Limit: limit}))
		w.same("of a subject, before", then, list(before, store.CaseQuery{Subject: slot.Subject, Limit: limit}))
	}
}

func vocabularies(w *world) {
	one, two := tenure.Vocabulary{Name: "a", Version: 1}, tenure.Vocabulary{Name: "b", Version: 1}
	closed := tenure.Vocabulary{Name: "a", Closed: true, Version: 2}
	w.apply(tenure.VocabularyPut{Vocabulary: one})
	w.apply(tenure.VocabularyPut{Vocabulary: two})
	w.apply(tenure.VocabularyPut{Vocabulary: closed})
	w.same("now", []tenure.Vocabulary{closed}, read(w, w.now().Vocabularies, []string{"a"}))
	w.same("both", 2, len(read(w, w.now().Vocabularies, []string{"b", "a"})))
	w.same("before", []tenure.Vocabulary{one}, read(w, w.view(tenure.AsOf{Seq: 2}).Vocabularies, []string{"a"}))
}

func terms(w *world) {
	t := tenure.Term{
		Vocabulary: tenure.Predicates, Name: "office/main", Parent: "place", Cardinality: tenure.Many,
		ValueType: tenure.NumberValue, Constant: true, SuccessionGap: 60, Registered: true,
	}
	removed := t
	removed.Removed = true
	w.apply(tenure.TermPut{Term: t})
	w.apply(tenure.TermPut{Term: removed})
	w.same("now", []tenure.Term{removed}, read(w, w.now().Terms, []string{t.ID(), "predicates/none"}))
	w.same("before", []tenure.Term{t}, read(w, w.view(tenure.AsOf{Seq: 1}).Terms, []string{t.ID()}))
}

func termsByPage(w *world) {
	var changes []tenure.Change
	for _, name := range []string{"d", "b", "c", "a", "e"} {
		changes = append(changes, tenure.TermPut{Term: tenure.Term{Vocabulary: "v", Name: name}})
	}
	w.apply(append(changes, tenure.TermPut{Term: tenure.Term{Vocabulary: "other", Name: "b"}})...)
	w.apply(tenure.TermPut{Term: tenure.Term{Vocabulary: "v", Name: "c", Removed: true}})
	page := func(r store.Reader, after string, limit int) string {
		list, err := r.ListTerms(background(), "v", after, limit)
		w.ok(err)
		names := ""
		for _, t := range list {
			names += t.Name
		}
		return names
	}
	now := w.now()
	w.same("all", "abde", page(now, "", 10))
	w.same("first", "ab", page(now, "", 2))
	w.same("second", "de", page(now, "b", 2))
	w.same("past the end", "", page(now, "e", 2))
	w.same("before", "abcde", page(w.view(tenure.AsOf{Seq: 1}), "", 10))
}

func history(w *world) {
	e, other := newID(), newID()
	c := claim(e, "office")
	var want []tenure.Seq
	mark := func(r tenure.Receipt) { want = append(want, r.Seq) }
	mark(w.apply(tenure.EntityPut{Entity: entity(e, "x")}))
	w.apply(tenure.EntityPut{Entity: entity(other, "y")})
	mark(w.apply(tenure.AliasAdded{Alias: alias(tenure.AliasKey{Kind: tenure.NameAlias, Key: "x"}, e, newID())}))
	mark(w.apply(tenure.MentionAssigned{Assignment: tenure.Assignment{Mention: newID(), Entity: e}}))
	mark(w.apply(believed(c)...))
	w.apply(believed(claim(other, "office"))...)
	mark(w.apply(standing(c, segment(tenure.ByTrust, 100, tenure.MaxTime))))
	mark(w.apply(retract(c)))
	mark(w.apply(tenure.CasePut{Case: quarantine(c.Slot(), c.ID)}))
	list := func(r store.Reader, after tenure.Seq, limit int) []tenure.Seq {
		entries, err := r.History(background(), e, after, limit)
		w.ok(err)
		found := []tenure.Seq{}
		for _, entry := range entries {
			found = append(found, entry.Seq)
		}
		return found
	}
	w.same("all", want, list(w.now(), 0, 100))
	w.same("a page", want[2:4], list(w.now(), want[1], 2))
	w.same("up to a state", want[:3], list(w.view(tenure.AsOf{Seq: want[2]}), 0, 100))
	entries, err := w.now().History(background(), e, 0, 100)
	w.ok(err)
	log, err := w.s.Log(background(), w.tenant, want[3]-1, 1)
	w.ok(err)
	log[0].Salt = nil
	w.same("an entry of the log", log[0], entries[3])
}

func observationsByID(w *world) {
	one, two := tenure.Observation{ID: newID(), Text: "Zoë", Actor: "a", Claims: ids(1)},
		tenure.Observation{ID: newID(), Text: "2"}
	first := w.apply(tenure.ObservationAdded{Observation: one})
	w.apply(tenure.ObservationAdded{Observation: two})
	asked := []tenure.ID{two.ID, newID(), one.ID}
	w.same("now", []tenure.Observation{one, two}, read(w, w.now().Observations, asked))
	w.same("before", []tenure.Observation{one}, read(w, w.view(tenure.AsOf{Seq: first.Seq}).Observations, asked))
	w.same("of another tenant", []tenure.Observation{}, read(w, w.other().now().Observations, asked))
}

func observationsByPage(w *world) {
	all := ids(6)
	// Two were observed at once, and the last one long before it was recorded.
	at := []tenure.Instant{10, 20, 20, 30, 40, -5}
	var changes []tenure.Change
	for i, id := range all {
		o := tenure.Observation{ID: id, ObservedAt: at[i], Text: "x", Source: tenure.Source{Speaker: "Zoë"}}
		if i%2 == 0 {
			o.Scope.ProjectID, o.Source.Session = "p", "s1"
		} else {
			o.Source.Speaker, o.Scope.SessionID = "zoë", "s1"
			o.Statements = []tenure.Said{{Effect: tenure.Unsure, Proposal: &tenure.Proposal{Effect: tenure.Set}}}
		}
		if i == 2 {
			o.Claims = ids(1) // its author says what the text says
		}
		if i == 4 {
			o.Of, o.Claims = all[0], ids(1) // a further reading
		}
		changes = append(changes, tenure.ObservationAdded{Observation: o})
	}
	first := w.apply(changes[:5]...)
	w.apply(changes[5])
	list := func(r store.Reader, q store.ObservationQuery) []int {
		if q.Before == 0 {
			q.Before = tenure.MaxTime
		}
		found, err := r.ListObservations(background(), q)
		w.ok(err)
		places := []int{}
		for _, o := range found {
			places = append(places, slices.Index(all, o.Observation.ID))
			if o.Observation.Text != "x" || o.RecordedAt < first.Tx {
				w.Errorf("the record is %+v", o)
			}
		}
		return places
	}
	const ever = tenure.MinTime
	now := w.now()
	for what, c := range map[string]struct {
		q    store.ObservationQuery
		want []int
	}{
		"all":              {store.ObservationQuery{From: ever}, []int{4, 3, 2, 1, 0, 5}},
		"a page":           {store.ObservationQuery{From: ever, Limit: 3}, []int{4, 3, 2}},
		"the next page":    {store.ObservationQuery{From: ever, Limit: 3, Before: 20, BeforeID: all[2]}, []int{1, 0, 5}},
		"from, inclusive":  {store.ObservationQuery{From: 20}, []int{4, 3, 2, 1}},
		"until, exclusive": {store.ObservationQuery{From: ever, Before: 20}, []int{0, 5}},
		"of a session":     {store.ObservationQuery{From: ever, By: store.BySession, Name: "s1"}, []int{4, 3, 2, 1, 0, 5}},
		"of a project":     {store.ObservationQuery{From: ever, By: store.ByProject, Name: "p"}, []int{4, 2, 0}},
		"of a speaker":     {store.ObservationQuery{From: ever, By: store.BySpeaker, Name: "zoë", Limit: 2}, []int{3, 1}},
		"of a thread":      {store.ObservationQuery{From: ever, By: store.ByThread, Name: "s1", Limit: 2}, []int{4, 3}},
		"texts of one":     {store.ObservationQuery{From: ever, By: store.ByTextSpeaker, Name: "Zoë"}, []int{4, 0}},
		"texts of a thread": {
			store.ObservationQuery{From: ever, By: store.ByTextThread, Name: "s1"}, []int{4, 3, 1, 0, 5},
		},
		"proposing":       {store.ObservationQuery{From: ever, By: store.ByProposal, Name: store.Proposing}, []int{3, 1, 5}},
		"of another":      {store.ObservationQuery{From: ever, By: store.BySpeaker, Name: "Zoe"}, nil},
		"of none by name": {store.ObservationQuery{From: ever, By: store.ByProject}, nil},
	} {
		w.same(what, c.want, list(now, c.q))
	}
	w.same("before", []int{4, 3, 2, 1, 0}, list(w.view(tenure.AsOf{Seq: first.Seq}), store.ObservationQuery{From: ever}))
	w.same("of another tenant", []int{}, list(w.other().now(), store.ObservationQuery{From: ever}))
}

func identityDecisionHistory(w *world) {
	a, b := newID(), newID()
	v := decision(tenure.CannotLink, a, b)
	w.apply(tenure.IdentityDecisionPut{Decision: v})
	v.Undone = true
	put := w.apply(tenure.IdentityDecisionPut{Decision: v})
	for _, id := range []tenure.ID{a, b} {
		entries, err := w.now().History(background(), id, put.Seq-1, 10)
		w.ok(err)
		if len(entries) != 1 || len(entries[0].Changes) != 1 || entries[0].Changes[0].Entity != a ||
			entries[0].Changes[0].Other != b {
			w.Errorf("the history of %s is %+v", id, entries)
		}
	}
}
