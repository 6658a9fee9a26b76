package storetest

import (
	"encoding/json"
	"slices"
	"strings"

	"tenure"
	"tenure/store"
)

var beliefPromises = []promise{
	{"Beliefs finds beliefs by id.", beliefsByID},
	{"BeliefsByKey finds the beliefs whose claims carry one of the keys.", beliefsByKey},
	{"Dependents finds the beliefs whose claims depend directly on one of the beliefs.", dependents},
	{"Superseders finds the beliefs whose claims name one of the beliefs as superseded.", superseders},
	{"Amendments lists the amendments of the beliefs.", amendments},
	{"AmendmentsByID finds amendments by id.", amendmentsByID},
	{"List pages through beliefs in ascending order of their ids.", beliefsByPage},
	{"BeliefQuery chooses beliefs. What is zero does not choose.", beliefsChosen},
	{"Contested beliefs have a segment that was lost by authority, trust, tie or a barred value", contested},
}

// fullClaim uses every field of a claim.
func fullClaim() tenure.Claim {
	c := claim(newID(), "Prädikat \U0001F600")
	c.Index, c.Key = 3, "key \u2028 <&>"
	c.Value = tenure.Value{JSON: json.RawMessage(`{"a":[1.50,"ü<b>&",null,true],"b":"\ud83d\ude00"}`),
		Canonical: `{"x":1}`}
	c.Scope = tenure.Scope{Kind: tenure.ScopeHypothetical, UserID: "u", ProjectID: "p", SessionID: "s", TaskID: "t"}
	c.Layer, c.Confidence = tenure.LayerWorkingSet, 0.1+0.2
	c.Window = tenure.Window{From: tenure.MinTime, Until: 1_700_000_000_000_001}
	c.Basis, c.ObservedAt = tenure.Observed, -1
	c.Evidence = &tenure.Evidence{Rule: "r", Span: "s", Trigger: "t", Source: "o"}
	c.ObjectType, c.Content, c.NormalizedClaim = tenure.PolicyRule, strings.Repeat("1 MB of text, ", 75_000), "n"
	c.MemoryType, c.IsConstraint, c.ConstraintType = "m", true, "hard"
	c.Classification = tenure.Confidential
	c.Permission = tenure.PermissionScope{AllowRoles: []string{"a", "b"}, DenyRoles: []string{"c"}}
	c.WhyItMatters, c.ApplicableTaskTypes, c.BehavioralImplication = "w", []string{"x"}, "i"
	c.DecayRule = &tenure.DecayRule{HalfLifeDays: 30.5, MinimumThreshold: 0.2}
	c.UpdatePath, c.RetirementRule = "u", "r"
	return c
}

func beliefsByID(w *world) {
	ground := w.believe(claim(newID(), "office"))
	c := fullClaim()
	c.Supersedes, c.DependsOn = []tenure.ID{ground.ID}, []tenure.ID{ground.ID}
	put := standing(c, stands(tenure.MinTime, 5), segment(tenure.ByName, 5, 1_700_000_000_000_001))
	put.Standing.Segments[1].By, put.Standing.Segments[1].Relation = ground.ID, "overlaps"
	put.Standing.NeedsReview, put.Standing.LastConfirmed, put.Standing.Case = true, -7, newID()
	r := w.apply(tenure.ClaimAdded{Claim: c}, put)
	want := tenure.Belief{
		Claim: c, Standing: put.Standing, RecordedAt: r.Tx, StandingTx: tenure.Window{From: r.Tx, Until: tenure.MaxTime},
	}
	for range 2 { // the second time it may come from elsewhere
		w.same("belief", []tenure.Belief{want}, read(w, w.now().Beliefs, []tenure.ID{c.ID}))
	}
	w.same("before", 0, len(read(w, w.view(tenure.AsOf{Seq: 1}).Beliefs, []tenure.ID{c.ID})))
}

func beliefsByKey(w *world) {
	a, b, c := claim(newID(), "office"), claim(newID(), "office"), claim(newID(), "office")
	a.Key, b.Key, c.Key = "one", "two", "one"
	w.believe(a)
	w.believe(b)
	w.believe(c)
	w.same("one", []tenure.ID{a.ID, c.ID}, idsOf(read(w, w.now().BeliefsByKey, []string{"one"})))
	w.same("both", []tenure.ID{a.ID, b.ID, c.ID}, idsOf(read(w, w.now().BeliefsByKey, []string{"two", "one"})))
	w.same("before", []tenure.ID{a.ID}, idsOf(read(w, w.view(tenure.AsOf{Seq: 2}).BeliefsByKey, []string{"one"})))
}

func dependents(w *world) {
	a, b := w.believe(claim(newID(), "office")), w.believe(claim(newID(), "office"))
	direct, both, indirect := claim(newID(), "x"), claim(newID(), "x"), claim(newID(), "x")
	direct.DependsOn, both.DependsOn = []tenure.ID{a.ID}, []tenure.ID{b.ID, a.ID}
	indirect.DependsOn, indirect.Supersedes = []tenure.ID{direct.ID}, []tenure.ID{a.ID}
	for _, c := range []tenure.Claim{direct, both, indirect} {
		w.believe(c)
	}
	now := w.now()
	w.same("of one", []tenure.ID{direct.ID, both.ID}, idsOf(read(w, now.Dependents, []tenure.ID{a.ID})))
	w.same("of both, each once", []tenure.ID{direct.ID, both.ID}, idsOf(read(w, now.Dependents, []tenure.ID{b.ID, a.ID})))
	w.same("before", []tenure.ID{direct.ID},
		idsOf(read(w, w.view(tenure.AsOf{Seq: 3}).Dependents, []tenure.ID{a.ID, b.ID})))
}

func superseders(w *world) {
	a, b := w.believe(claim(newID(), "office")), w.believe(claim(newID(), "office"))
	one, both, far := claim(newID(), "x"), claim(newID(), "x"), claim(newID(), "x")
	one.Supersedes, both.Supersedes = []tenure.ID{a.ID}, []tenure.ID{b.ID, a.ID}
	far.Supersedes, far.DependsOn = []tenure.ID{one.ID}, []tenure.ID{a.ID}
	for _, c := range []tenure.Claim{one, both, far} {
		w.believe(c)
	}
	w.same("of one", []tenure.ID{one.ID, both.ID}, idsOf(read(w, w.now().Superseders, []tenure.ID{a.ID})))
	w.same("of both, each once", []tenure.ID{one.ID, both.ID},
		idsOf(read(w, w.now().Superseders, []tenure.ID{a.ID, b.ID})))
	w.same("before", []tenure.ID{one.ID}, idsOf(read(w, w.view(tenure.AsOf{Seq: 3}).Superseders, []tenure.ID{a.ID, b.ID})))
}

func amendments(w *world) {
	a, b := w.believe(claim(newID(), "office")), w.believe(claim(newID(), "office"))
	var want []tenure.Amendment
	for _, c := range []tenure.Claim{a, b, a} {
		x := retract(c)
		want = append(want, x.Amendment)
		w.apply(x)
	}
	w.same("of one", []tenure.Amendment{want[0], want[2]}, read(w, w.now().Amendments, []tenure.ID{a.ID}))
	w.same("of both", want, read(w, w.now().Amendments, []tenure.ID{b.ID, a.ID}))
	w.same("before", want[:1], read(w, w.view(tenure.AsOf{Seq: 3}).Amendments, []tenure.ID{a.ID, b.ID}))
}

func amendmentsByID(w *world) {
	a := w.believe(claim(newID(), "office"))
	retracted := retract(a)
	undo := retract(a)
	undo.Amendment.Kind, undo.Amendment.Undoes, undo.Amendment.Role = tenure.Undo, retracted.Amendment.ID, "manager"
	w.apply(retracted)
	w.apply(undo)
	both := []tenure.ID{undo.Amendment.ID, newID(), retracted.Amendment.ID}
	w.same("both", []tenure.Amendment{retracted.Amendment, undo.Amendment}, read(w, w.now().AmendmentsByID, both))
	w.same("before", []tenure.Amendment{retracted.Amendment}, read(w, w.view(tenure.AsOf{Seq: 2}).AmendmentsByID, both))
	w.same("of the belief", []tenure.Amendment{retracted.Amendment, undo.Amendment},
		read(w, w.now().Amendments, []tenure.ID{a.ID}))
}

// spread makes beliefs about a subject with ids that are not in the order in
// which they are written.
func (w *world) spread(subject tenure.ID, predicate string, order []tenure.ID) {
	w.Helper()
	for _, id := range slices.Backward(order) {
		c := claim(subject, predicate)
		c.ID = id
		w.believe(c)
	}
}

func beliefsByPage(w *world) {
	order := ids(7)
	w.spread(newID(), "office", order)
	list := func(q store.BeliefQuery) []tenure.ID { return idsOf(read(w, w.now().List, q)) }
	w.same("first", order[:3], list(store.BeliefQuery{Limit: 3}))
	w.same("second", order[3:6], list(store.BeliefQuery{After: order[2], Limit: 3}))
	w.same("last", order[6:], list(store.BeliefQuery{After: order[5], Limit: 3}))
	w.same("past the end", []tenure.ID{}, list(store.BeliefQuery{After: order[6], Limit: 3}))
	w.same("before", order[5:], idsOf(read(w, w.view(tenure.AsOf{Seq: 2}).List, store.BeliefQuery{})))
}

func beliefsChosen(w *world) {
	subject := newID()
	a, b, c := ids(3), ids(2), ids(2)
	w.spread(subject, "office", a)
	w.spread(subject, "phone", b)
	w.spread(newID(), "office", c)
	list := func(q store.BeliefQuery) []tenure.ID { return idsOf(read(w, w.now().List, q)) }
	join := func(lists ...[]tenure.ID) []tenure.ID {
		all := slices.Concat(lists...)
		slices.Sort(all)
		return all
	}
	w.same("all", join(a, b, c), list(store.BeliefQuery{}))
	w.same("of a subject", join(a, b), list(store.BeliefQuery{Subject: subject}))
	w.same("of a predicate", join(a, c), list(store.BeliefQuery{Predicate: "office"}))
	w.same("of both", a, list(store.BeliefQuery{Subject: subject, Predicate: "office"}))
	w.same("of both, a page", a[1:2],
		list(store.BeliefQuery{Subject: subject, Predicate: "office", After: a[0], Limit: 1}))
	w.same("of neither", []tenure.ID{}, list(store.BeliefQuery{Subject: newID()}))
	w.same("contested", []tenure.ID{}, list(store.BeliefQuery{Contested: true}))
}

func contested(w *world) {
	subject := newID()
	var want []tenure.ID
	for _, cause := range []tenure.Cause{
		tenure.Stands, tenure.ByAuthority, tenure.BySuccession, tenure.ByTrust, tenure.ByTie, tenure.ByName,
		tenure.ByRetraction, tenure.ByEnd, tenure.ByBar, tenure.ByDependency, tenure.ByRank, tenure.NoValue,
	} {
		c := w.believe(claim(subject, string(cause)), stands(100, 200), segment(cause, 200, tenure.MaxTime))
		switch cause {
		case tenure.ByAuthority, tenure.ByRank, tenure.ByTrust, tenure.ByTie, tenure.ByBar:
			want = append(want, c.ID)
		}
	}
	slices.Sort(want)
	list := func(r store.Reader, q store.BeliefQuery) []tenure.ID {
		q.Contested = true
		return idsOf(read(w, r.List, q))
	}
	now := w.now()
	w.same("all", want, list(now, store.BeliefQuery{}))
	w.same("of a subject", want, list(now, store.BeliefQuery{Subject: subject}))
	w.same("a page", want[1:3], list(now, store.BeliefQuery{After: want[0], Limit: 2}))
	w.same("of a predicate", 1, len(list(now, store.BeliefQuery{Predicate: string(tenure.ByTie)})))
	w.same("of nobody", 0, len(list(now, store.BeliefQuery{Subject: newID()})))

	c := read(w, now.Beliefs, want[:1])[0].Claim
	w.apply(standing(c, stands(100, tenure.MaxTime)))
	w.same("no longer", want[1:], list(w.now(), store.BeliefQuery{}))
	w.same("before", want, list(now, store.BeliefQuery{}))
}
