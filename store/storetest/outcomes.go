package storetest

import (
	"cmp"
	"slices"
	"sync"

	"tenure"
	"tenure/store"
)

// usedObject is an object that every outcome says was used.
var usedObject = newID()

// everybody chooses the compilations of all requesters.
var everybody = store.Requesters{Clearances: []tenure.Classification{
	tenure.Public, tenure.Restricted, tenure.Confidential, tenure.HighlyRestricted,
}}

// outcome reports the first outcome of a compilation, of the actor "agent" unless changed, and returns it.
func (w *world) outcome(c tenure.Compilation, change func(*tenure.CompilationOutcome)) *tenure.CompilationOutcome {
	w.Helper()
	tokens, none := 1000, 0
	o := tenure.CompilationOutcome{
		Compilation: c.ID, CompiledAt: c.CreatedAt, Actor: "agent", Clearance: tenure.Restricted, CacheKey: "k\u00e9y",
		PrefixTokens: 400, Compiled: 7, Version: 1, ReportedAt: 50, Report: tenure.OutcomeReport{
			PromptTokens: &tokens, CachedTokens: &none, Retries: &none, Used: []tenure.ID{usedObject},
			Result: tenure.AnswerSucceeded, Note: "Zo\u00eb \U0001F600\r\n",
		},
	}
	if change != nil {
		change(&o)
	}
	w.ok(w.s.PutOutcome(background(), w.tenant, o, 0))
	return &o
}

// compiled keeps a compilation that was made at an instant.
func (w *world) compiled(at tenure.Instant) tenure.Compilation {
	w.Helper()
	c := tenure.Compilation{ID: newID(), CreatedAt: at, Body: []byte("x")}
	w.ok(w.s.PutCompilation(background(), w.tenant, c))
	return c
}

func (w *world) outcomes(q store.OutcomeQuery) []tenure.CompilationOutcome {
	w.Helper()
	list, err := w.s.Outcomes(background(), w.tenant, q)
	w.ok(err)
	return list
}

// lastUsed reads when usedObject, and an object that nothing used, were last used.
func (w *world) lastUsed(actor string, clearances ...tenure.Classification) map[tenure.ID]tenure.Instant {
	w.Helper()
	last, err := w.s.LastUsed(background(), w.tenant, []tenure.ID{newID(), usedObject, usedObject},
		store.Requesters{Actor: actor, Clearances: clearances})
	w.ok(err)
	return last
}

func outcomes(w *world) {
	c := w.compiled(7)
	c.Outcome = w.outcome(c, nil)
	got, err := w.s.Compilation(background(), w.tenant, c.ID)
	w.ok(err)
	w.same("with its outcome", c, got)
	next := *c.Outcome
	next.Version, next.Report = 2, tenure.OutcomeReport{Used: []tenure.ID{}}
	w.ok(w.s.PutOutcome(background(), w.tenant, next, 1))
	c.Outcome = &next
	w.s = w.opts.Reopen(w.T, w.s)
	got, err = w.s.Compilation(background(), w.tenant, c.ID)
	w.ok(err)
	w.same("the second", c, got)
	w.same("none used is not nil", true, got.Outcome.Report.Used != nil)
	w.same("what is used no more", map[tenure.ID]tenure.Instant{}, w.lastUsed("agent"))
	page, err := w.archive().Compilations(background(), w.tenant, "", 9)
	w.ok(err)
	w.same("in a page", []tenure.Compilation{c}, page)
	w.ok(w.s.PutCompilation(background(), w.tenant, tenure.Compilation{ID: c.ID, CreatedAt: 9}))
	got, err = w.s.Compilation(background(), w.tenant, c.ID)
	w.ok(err)
	w.same("kept again", c, got)
	seq, _ := w.now().State()
	w.same("an outcome is no entry", tenure.Seq(0), seq)
}

func outcomesRefused(w *world) {
	c, erased := w.compiled(7), w.compiled(7)
	o := w.outcome(c, nil)
	for _, base := range []int{0, 2} {
		w.code(tenure.Conflicting, w.s.PutOutcome(background(), w.tenant, *o, base))
	}
	chosen := func(k tenure.Compilation) bool { return k.ID == erased.ID }
	_, err := w.s.EraseCompilations(background(), w.tenant, chosen)
	w.ok(err)
	for _, id := range []tenure.ID{newID(), erased.ID} {
		p := *o
		p.Compilation = id
		w.code(tenure.NotFound, w.s.PutOutcome(background(), w.tenant, p, 0))
	}
	w.code(tenure.NotFound, w.other().s.PutOutcome(background(), w.other().tenant, *o, 0))
	w.same("outcomes", []tenure.CompilationOutcome{*o}, w.outcomes(store.OutcomeQuery{Of: everybody, Limit: 9}))
}

// outcomesAtOnce checks that of those who report over one version exactly one succeeds.
func outcomesAtOnce(w *world) {
	c := w.compiled(7)
	o := w.outcome(c, nil)
	const reporters = 8
	var wg sync.WaitGroup
	errs := make([]error, reporters)
	for i := range reporters {
		wg.Go(func() {
			next := *o
			next.Version, next.Report.Retries = 2, &i
			errs[i] = w.s.PutOutcome(background(), w.tenant, next, 1)
		})
	}
	wg.Wait()
	var kept []int
	for i, err := range errs {
		if err == nil {
			kept = append(kept, i)
			continue
		}
		w.code(tenure.Conflicting, err)
	}
	w.same("how many succeed", 1, len(kept))
	got, err := w.s.Compilation(background(), w.tenant, c.ID)
	w.ok(err)
	w.same("the one that is kept", kept[0], *got.Outcome.Report.Retries)
	w.same("its version", 2, got.Outcome.Version)
}

func outcomePages(w *world) {
	var all []tenure.CompilationOutcome
	for i := range 8 {
		all = append(all, *w.outcome(w.compiled(7), func(o *tenure.CompilationOutcome) {
			o.Actor = []string{"a", "b"}[i%2]
			o.Clearance = everybody.Clearances[i%4]
		}))
	}
	w.compiled(8) // of which nothing is reported
	slices.SortFunc(all, func(a, b tenure.CompilationOutcome) int { return cmp.Compare(b.Compilation, a.Compilation) })
	for name, q := range map[string]store.OutcomeQuery{
		"of an actor": {Of: store.Requesters{Actor: "a"}}, "of everybody": {Of: everybody},
		"of an actor and a clearance": {Of: store.Requesters{Actor: "a", Clearances: []tenure.Classification{tenure.Restricted}}},
		"from a compilation on":       {Of: everybody, From: all[4].Compilation},
		"of an actor, from one on":    {Of: store.Requesters{Actor: "b"}, From: all[4].Compilation},
		"of nobody":                   {},
	} {
		var want, got []tenure.CompilationOutcome
		for _, o := range all {
			if q.Of.Include(o.Actor, o.Clearance) && o.Compilation >= q.From {
				want = append(want, o)
			}
		}
		for q.Limit = 2; ; q.Before = got[len(got)-1].Compilation {
			page := w.outcomes(q)
			w.same("at most the limit", true, len(page) <= 2)
			if len(page) == 0 {
				break
			}
			got = append(got, page...)
		}
		w.same(name, want, got)
	}
	other := w.other()
	w.same("of another tenant", 0, len(other.outcomes(store.OutcomeQuery{Of: everybody, Limit: 9})))
}

func lastUses(w *world) {
	for i, by := range []store.Requesters{
		{Actor: "a", Clearances: everybody.Clearances[:1]}, {Actor: "a", Clearances: everybody.Clearances[3:]},
		{Actor: "b", Clearances: everybody.Clearances[1:2]},
	} {
		w.outcome(w.compiled(tenure.Instant(100-10*i)), func(o *tenure.CompilationOutcome) {
			o.Actor, o.Clearance = by.Actor, by.Clearances[0]
		})
	}
	for _, want := range []struct {
		actor      string
		clearances []tenure.Classification
		at         tenure.Instant
	}{
		{"a", nil, 100}, {"b", nil, 80}, {"b", everybody.Clearances[3:], 90}, {"", everybody.Clearances[1:2], 80},
		{"", everybody.Clearances, 100}, {"c", nil, 0},
	} {
		found := map[tenure.ID]tenure.Instant{}
		if want.at != 0 {
			found[usedObject] = want.at
		}
		w.same("of "+want.actor, found, w.lastUsed(want.actor, want.clearances...))
	}
	w.same("in another tenant", map[tenure.ID]tenure.Instant{}, w.other().lastUsed("a", everybody.Clearances...))
	none, err := w.s.LastUsed(background(), w.tenant, nil, everybody)
	w.ok(err)
	w.same("of nothing", 0, len(none))
}
