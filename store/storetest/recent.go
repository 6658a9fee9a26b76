package storetest

import (
	"slices"

	"tenure"
	"tenure/store"
)

// madeIn makes a belief in a scope.
func (w *world) madeIn(scope tenure.Scope, predicate string, segments ...tenure.Segment) tenure.Claim {
	w.Helper()
	c := claim(newID(), predicate)
	c.Scope = scope
	return w.believe(c, segments...)
}

func recent(w *world) {
	made := map[string]tenure.ID{}
	for _, x := range []struct {
		name  string
		scope tenure.Scope
	}{
		{"all", tenure.Scope{}}, {"global", tenure.Scope{Kind: tenure.ScopeGlobal}}, {"user", tenure.Scope{UserID: "u"}},
		{"another user", tenure.Scope{UserID: "v"}}, {"project", tenure.Scope{Kind: tenure.ScopeTask, ProjectID: "u"}},
		{"both", tenure.Scope{UserID: "u", ProjectID: "u"}}, {"draft", tenure.Scope{Kind: tenure.ScopeDraft}},
		{"user's draft", tenure.Scope{Kind: tenure.ScopeDraft, UserID: "u"}},
	} {
		made[x.name] = w.madeIn(x.scope, "x").ID
	}
	before := w.now()
	list := func(r store.Reader, q store.RecentQuery) []tenure.ID {
		return idsOf(read(w, r.Recent, q))
	}
	for _, x := range []struct {
		in   tenure.Scope
		want []string
	}{
		{tenure.Scope{}, []string{"global", "all"}},
		{tenure.Scope{UserID: "u"}, []string{"user", "global", "all"}},
		{tenure.Scope{UserID: "u", ProjectID: "u", SessionID: "s"}, []string{"both", "project", "user", "global", "all"}},
		{tenure.Scope{Kind: tenure.ScopeDraft, UserID: "u"}, []string{"user's draft", "draft", "user", "global", "all"}},
	} {
		var want []tenure.ID
		for _, name := range x.want {
			want = append(want, made[name])
		}
		w.same("in a scope", want, list(before, store.RecentQuery{In: x.in, Window: always, Limit: 10}))
		w.same("the newest", want[:2], list(before, store.RecentQuery{In: x.in, Window: always, Limit: 2}))
	}
	ended := w.madeIn(tenure.Scope{UserID: "w"}, "x", stands(100, 200), segment(tenure.ByEnd, 200, tenure.MaxTime))
	own := func(from, until tenure.Instant) int {
		return len(list(w.now(), store.RecentQuery{In: tenure.Scope{UserID: "w"}, Window: tenure.Window{From: from, Until: until}, Limit: 10}))
	}
	w.same("while it stands", 3, own(150, 151))
	w.same("when it has ended", 2, own(200, 201))
	w.apply(standing(ended, segment(tenure.ByRetraction, 100, tenure.MaxTime)))
	w.same("when it never stood", 2, own(150, 151))
	w.same("in the view of before", 2, len(list(before, store.RecentQuery{In: tenure.Scope{UserID: "w"}, Window: always, Limit: 10})))
	w.same("none", 0, len(list(w.now(), store.RecentQuery{Window: always})))
}

func recentReach(w *world) {
	old := w.madeIn(tenure.Scope{}, "x")
	for range store.RecentReach - 1 {
		w.madeIn(tenure.Scope{}, "x", segment(tenure.ByRetraction, 100, tenure.MaxTime))
	}
	q := store.RecentQuery{Window: always, Limit: 1}
	w.same("within reach", []tenure.ID{old.ID}, idsOf(read(w, w.now().Recent, q)))
	w.madeIn(tenure.Scope{}, "x", segment(tenure.ByRetraction, 100, tenure.MaxTime))
	w.same("out of reach", 0, len(read(w, w.now().Recent, q)))
	q.In = tenure.Scope{UserID: "u"}
	own := w.madeIn(q.In, "x")
	w.same("of another set of ids", []tenure.ID{own.ID}, idsOf(read(w, w.now().Recent, q)))
}

func recentFallen(w *world) {
	old := w.madeIn(tenure.Scope{}, "x")
	ended := w.madeIn(tenure.Scope{}, "x", stands(100, 200), segment(tenure.ByEnd, 200, tenure.MaxTime))
	never := w.madeIn(tenure.Scope{}, "x", segment(tenure.ByRetraction, 100, tenure.MaxTime))
	q := store.RecentQuery{Window: tenure.Window{From: 300, Until: 301}, Limit: 10, Fallen: true}
	w.same("all", []tenure.ID{never.ID, ended.ID, old.ID}, idsOf(read(w, w.now().Recent, q)))
	q.Limit = 2
	w.same("the newest", []tenure.ID{never.ID, ended.ID}, idsOf(read(w, w.now().Recent, q)))
	q.Fallen = false
	w.same("what stands", []tenure.ID{old.ID}, idsOf(read(w, w.now().Recent, q)))
}

func recentRemarks(w *world) {
	before := w.now()
	remark := w.madeIn(tenure.Scope{}, tenure.Remark)
	w.madeIn(tenure.Scope{}, "remarks")
	q := store.RecentQuery{Of: store.Remarks, Window: always, Limit: 10}
	w.same("remarks", []tenure.ID{remark.ID}, idsOf(read(w, w.now().Recent, q)))
	w.same("before", 0, len(read(w, before.Recent, q)))
}

func recentDirectives(w *world) {
	before := w.now()
	directive := func(in tenure.Scope, change func(c *tenure.Claim)) tenure.ID {
		c := claim(newID(), "x")
		c.ObjectType, c.Scope = tenure.IdentityFact, in
		change(&c)
		return w.believe(c).ID
	}
	directive(tenure.Scope{}, func(*tenure.Claim) {})
	want := []tenure.ID{
		directive(tenure.Scope{UserID: "u"}, func(c *tenure.Claim) { c.BehavioralImplication = "be brief" }),
		directive(tenure.Scope{}, func(c *tenure.Claim) { c.ObjectType = tenure.Preference }),
		directive(tenure.Scope{}, func(c *tenure.Claim) { c.IsConstraint = true }),
		directive(tenure.Scope{}, func(c *tenure.Claim) { c.ObjectType = tenure.ActionableConstraint }),
		directive(tenure.Scope{}, func(c *tenure.Claim) { c.ObjectType = tenure.PolicyRule }),
	}
	slices.Reverse(want)
	q := store.RecentQuery{Of: store.Directives, In: tenure.Scope{UserID: "u"}, Window: always, Limit: 10}
	w.same("directives", want, idsOf(read(w, w.now().Recent, q)))
	w.same("the newest", want[:2], idsOf(read(w, w.now().Recent, store.RecentQuery{Of: store.Directives, Window: always, Limit: 2})))
	w.same("before", 0, len(read(w, before.Recent, q)))
}
