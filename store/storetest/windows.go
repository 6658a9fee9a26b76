package storetest

import (
	"slices"

	"tenure"
	"tenure/store"
)

var windowPromises = []promise{
	{"Live lists the beliefs about the entities that stand somewhere in the window", liveInWindow},
	{"newest first within an entity and at most perEntity of each.", liveNewestFirst},
	{"Facts is Live without what is held under tenure.Remark.", facts},
	{"Displaced lists the newest beliefs about the entities that do not stand anywhere in the window, newest first, " +
		"at most limit in all.", displaced},
	{"DisplacedFacts is Displaced without what is held under tenure.Remark.", displacedFacts},
	{"Recent lists, newest first, the beliefs made in a scope that is visible in q.In that stand somewhere in the window", recent},
	{"With Fallen those that do not stand in the window are listed, too.", recentFallen},
	{"Of the claims of each set of ids it looks at the newest RecentReach times as many.", recentReach},
	{"Remarks are the claims that were made under tenure.Remark alone.", recentRemarks},
	{"Directives are the claims that direct (see tenure.Claim.Directs).", recentDirectives},
	{"Relations lists the beliefs whose value is an entity and whose subject or value is one of the entities, and which " +
		"stand somewhere in the window", relations},
	{"for each entity the newest perEntity of each direction.", relationsNewest},
}

// windowed is a scene of beliefs with all manner of standings.
type windowed struct {
	subject tenure.ID
	claims  map[string]tenure.Claim
}

func (w *world) windowed() windowed {
	w.Helper()
	out := segment
	s := windowed{subject: newID(), claims: map[string]tenure.Claim{}}
	for _, x := range []struct {
		name     string
		segments []tenure.Segment
	}{
		{"open", []tenure.Segment{stands(100, tenure.MaxTime)}},
		{"from dawn", []tenure.Segment{stands(tenure.MinTime, 150), out(tenure.BySuccession, 150, tenure.MaxTime)}},
		{"ended", []tenure.Segment{stands(100, 200), out(tenure.BySuccession, 200, tenure.MaxTime)}},
		{"future", []tenure.Segment{out(tenure.ByAuthority, 100, 300), stands(300, tenure.MaxTime)}},
		{"gap", []tenure.Segment{stands(100, 200), out(tenure.ByTrust, 200, 300), stands(300, tenure.MaxTime)}},
		{"gap and end", []tenure.Segment{stands(tenure.MinTime, 200), out(tenure.ByTie, 200, 300), stands(300, 400)}},
		{"joined", []tenure.Segment{stands(100, 250), stands(250, 400), out(tenure.ByEnd, 400, tenure.MaxTime)}},
		{"never", []tenure.Segment{out(tenure.ByRetraction, 100, tenure.MaxTime)}},
	} {
		c := claim(s.subject, x.name)
		s.claims[x.name] = w.believe(c, x.segments...)
	}
	return s
}

// names tells the beliefs by the names of the scene, newest first.
func (s windowed) names(list []tenure.Belief) []string {
	var found []string
	for _, b := range list {
		found = append(found, b.Claim.Predicate)
	}
	return found
}

// windows are asked for, with what stands in them, newest first; the rest does
// not.
var windows = []struct {
	window tenure.Window
	stands []string
}{
	{tenure.Window{From: 250, Until: 251}, []string{"joined", "open"}},
	{tenure.Window{From: 199, Until: 200}, []string{"joined", "gap and end", "gap", "ended", "open"}},
	{tenure.Window{From: 200, Until: 300}, []string{"joined", "open"}},
	{tenure.Window{From: 200, Until: 301}, []string{"joined", "gap and end", "gap", "future", "open"}},
	{tenure.Window{From: 0, Until: 50}, []string{"gap and end", "from dawn"}},
	{tenure.Window{From: 400, Until: tenure.MaxTime}, []string{"gap", "future", "open"}},
	{tenure.Window{From: tenure.MinTime, Until: tenure.MaxTime},
		[]string{"joined", "gap and end", "gap", "future", "ended", "from dawn", "open"}},
}

func liveInWindow(w *world) {
	s := w.windowed()
	w.believe(claim(newID(), "about another"))
	before := w.now()
	check := func(r store.Reader, when string) {
		for _, x := range windows {
			list, err := r.Live(background(), []tenure.ID{s.subject}, x.window, 100)
			w.ok(err)
			w.same(when, x.stands, s.names(list))
		}
	}
	check(before, "now")
	for _, c := range s.claims {
		w.apply(standing(c, segment(tenure.ByAuthority, 100, tenure.MaxTime)))
	}
	check(before, "in the view of before")
	check(w.view(tenure.AsOf{Seq: 9}), "by number")
	none, err := w.now().Live(background(), []tenure.ID{s.subject}, always, 100)
	w.ok(err)
	w.same("displaced meanwhile", 0, len(none))
	for _, c := range s.claims {
		w.apply(standing(c, stands(100, tenure.MaxTime)))
	}
	all, err := w.now().Live(background(), []tenure.ID{s.subject}, always, 100)
	w.ok(err)
	w.same("restored", len(s.claims), len(all))
	empty, err := w.now().Live(background(), []tenure.ID{s.subject}, tenure.Window{From: 150, Until: 150}, 100)
	w.ok(err)
	w.same("an empty window", 0, len(empty))
}

func liveNewestFirst(w *world) {
	a, b := newID(), newID()
	perSubject := map[tenure.ID][]tenure.ID{}
	for i := range 10 {
		for _, subject := range []tenure.ID{a, b} {
			c := claim(subject, "x")
			segments := []tenure.Segment{stands(100, tenure.MaxTime)}
			if i%2 == 0 { // bounded ones between those that are not
				segments = []tenure.Segment{stands(100, 200), segment(tenure.BySuccession, 200, tenure.MaxTime)}
			}
			w.believe(c, segments...)
			perSubject[subject] = append([]tenure.ID{c.ID}, perSubject[subject]...)
		}
	}
	before := w.now()
	// A belief whose standing is new is no newer for it.
	last := read(w, before.Beliefs, perSubject[a][9:])[0].Claim
	w.apply(standing(last, stands(100, tenure.MaxTime)))
	for _, r := range []store.Reader{before, w.now()} {
		for _, n := range []int{1, 3, 10, 100} {
			list, err := r.Live(background(), []tenure.ID{a, b, newID(), a}, tenure.Window{From: 150, Until: 151}, n)
			w.ok(err)
			got := map[tenure.ID][]tenure.ID{}
			for _, x := range list {
				got[x.Claim.Subject] = append(got[x.Claim.Subject], x.Claim.ID)
			}
			n = min(n, 10)
			w.same("live", map[tenure.ID][]tenure.ID{a: perSubject[a][:n], b: perSubject[b][:n]}, got)
		}
	}
}

func facts(w *world) {
	s := w.windowed()
	before := w.now()
	var remarks []tenure.Claim
	for range 3 {
		remarks = append(remarks, w.believe(claim(s.subject, tenure.Remark)))
	}
	check := func(r store.Reader, when string) {
		for _, x := range windows {
			list, err := r.Facts(background(), []tenure.ID{s.subject}, x.window, 100)
			w.ok(err)
			w.same(when, x.stands, s.names(list))
		}
		list, err := r.Facts(background(), []tenure.ID{s.subject}, windows[0].window, 1)
		w.ok(err)
		w.same("the newest "+when, windows[0].stands[:1], s.names(list))
	}
	check(before, "before anything was remarked")
	check(w.now(), "beside remarks")
	then := w.now()
	w.apply(standing(remarks[0], segment(tenure.ByRetraction, 100, tenure.MaxTime)))
	check(then, "in the view of before")
	check(w.now(), "when a remark is retracted")
}

func displacedFacts(w *world) {
	s := w.windowed()
	fallen := w.believe(claim(s.subject, tenure.Remark), segment(tenure.ByRetraction, 100, tenure.MaxTime))
	ended := w.believe(claim(s.subject, tenure.Remark), stands(100, 200), segment(tenure.ByEnd, 200, tenure.MaxTime))
	then := w.now()
	w.apply(standing(fallen, stands(100, tenure.MaxTime)), standing(ended, stands(100, tenure.MaxTime)))
	for _, r := range []store.Reader{then, w.now()} {
		for _, x := range windows {
			all, err := r.Displaced(background(), []tenure.ID{s.subject}, x.window, 100)
			w.ok(err)
			var want []string
			for _, b := range all {
				if b.Claim.Predicate != tenure.Remark {
					want = append(want, b.Claim.Predicate)
				}
			}
			list, err := r.DisplacedFacts(background(), []tenure.ID{s.subject}, x.window, 100)
			w.ok(err)
			w.same("displaced", want, s.names(list))
		}
		list, err := r.DisplacedFacts(background(), []tenure.ID{s.subject}, windows[0].window, 1)
		w.ok(err)
		w.same("the newest", 1, len(list))
	}
}

func displaced(w *world) {
	s := w.windowed()
	w.believe(claim(newID(), "about another"), segment(tenure.ByTrust, 100, tenure.MaxTime))
	newestFirst := []string{"never", "joined", "gap and end", "gap", "future", "ended", "from dawn", "open"}
	before := w.now()
	check := func(r store.Reader, when string) {
		for _, x := range windows {
			want := slices.DeleteFunc(slices.Clone(newestFirst), func(n string) bool { return slices.Contains(x.stands, n) })
			for _, limit := range []int{1, 3, 100} {
				list, err := r.Displaced(background(), []tenure.ID{s.subject}, x.window, limit)
				w.ok(err)
				w.same(when, want[:min(limit, len(want))], s.names(list))
			}
		}
	}
	check(before, "now")
	for _, c := range s.claims {
		w.apply(standing(c, stands(100, tenure.MaxTime)))
	}
	check(before, "in the view of before")
	none, err := w.now().Displaced(background(), []tenure.ID{s.subject}, always, 100)
	w.ok(err)
	w.same("restored", 0, len(none))

	// Newest first over all entities.
	a, b, want := newID(), newID(), []tenure.ID{}
	for range 3 {
		for _, subject := range []tenure.ID{a, b} {
			want = append([]tenure.ID{w.believe(claim(subject, "x"), segment(tenure.ByTie, 100, tenure.MaxTime)).ID}, want...)
		}
	}
	list, err := w.now().Displaced(background(), []tenure.ID{b, a}, always, 5)
	w.ok(err)
	w.same("of two", want[:5], idsOf(list))
}

func relations(w *world) {
	a, b, c := newID(), newID(), newID()
	ab := w.believe(to(claim(a, "knows"), b))
	ca := w.believe(to(claim(c, "knows"), a))
	w.believe(to(claim(b, "knows"), c))
	w.believe(claim(a, "office"))
	aa := w.believe(to(claim(a, "is"), a))
	ended := w.believe(to(claim(a, "knew"), c), stands(100, 200), segment(tenure.ByEnd, 200, tenure.MaxTime))
	never := w.believe(to(claim(c, "owned"), a), segment(tenure.ByRetraction, 100, tenure.MaxTime))
	before := w.now()
	list := func(r store.Reader, window tenure.Window, entities ...tenure.ID) []tenure.ID {
		got, err := r.Relations(background(), entities, window, 100)
		w.ok(err)
		return idsOf(got)
	}
	late, early := tenure.Window{From: 300, Until: 301}, tenure.Window{From: 150, Until: 151}
	w.same("of one", []tenure.ID{ab.ID, ca.ID, aa.ID}, list(before, late, a))
	w.same("early", []tenure.ID{ab.ID, ca.ID, aa.ID, ended.ID}, list(before, early, a))
	w.same("of all, each once", 4, len(list(before, late, a, b, c)))
	w.same("of nobody", 0, len(list(before, late, newID())))
	w.apply(standing(ab, segment(tenure.ByTrust, 100, tenure.MaxTime)), standing(never, stands(100, tenure.MaxTime)))
	w.same("after", []tenure.ID{ca.ID, aa.ID, never.ID}, list(w.now(), late, a))
	w.same("in the view of before", []tenure.ID{ab.ID, ca.ID, aa.ID}, list(before, late, a))
	w.same("the value's side", []tenure.ID{ab.ID}, list(w.view(tenure.AsOf{Seq: 1}), late, b))
}

func relationsNewest(w *world) {
	hub := newID()
	var out, in []tenure.ID
	for range 8 {
		out = append(out, w.believe(to(claim(hub, "has"), newID())).ID)
		in = append(in, w.believe(to(claim(newID(), "in"), hub)).ID)
	}
	for _, n := range []int{1, 3, 100} {
		got, err := w.now().Relations(background(), []tenure.ID{hub}, always, n)
		w.ok(err)
		m := min(n, 8)
		var want []tenure.ID
		for i := 8 - m; i < 8; i++ { // oldest first: the order of every list
			want = append(want, out[i], in[i])
		}
		w.same("relations", want, idsOf(got))
	}
}
