package storetest

import (
	"encoding/json"
	"strings"

	"tenure"
	"tenure/store"
)

var identityDecisionPromises = []promise{
	{"Mentions finds mentions by id, with what they are assigned to now.", mentionsByID},
	{"IdentityDecisions finds identity decisions by id, undone ones too.", identityDecisionsByID},
	{"IdentityDecisionsOn lists the identity decisions whose From or Into is one of the entities, undone ones too.", identityDecisionsOn},
	{"Reviews finds reviews by id.", reviewsByID},
	{"ListReviews pages through reviews in ascending order of their ids, or, if the query is Ranked, of their ranks.", reviewsByPage},
	{"OpenReviews lists the open reviews that ask about one of the entities or have it as a candidate, each once and at " +
		"most limit, in ascending order of their ids.", openReviews},
	{"Of ranked reviews the most valuable are first, of closed ones the last decided.", reviewsByRank},
	{"Saying finds the beliefs whose value is one of the texts, of at most LongestSaid bytes and whatever the case of " +
		"ASCII letters: the newest perText of each, of one change set those of the greatest ids, whether they stand or not.",
		saying},
	{"Referring finds the beliefs whose value is one of the entities, whether they stand or not.", referring},
	{"A claim is in the slot that it was moved to, and not in the one before.", movedClaims},
	{"without those that were closed.", closedAliases},
}

func decision(kind tenure.IdentityDecisionKind, from, into tenure.ID) tenure.IdentityDecision {
	return tenure.IdentityDecision{
		ID: newID(), Kind: kind, From: from, Into: into, FromStatus: tenure.EntityPending,
		Moved:     []tenure.Assignment{{Mention: newID(), Entity: from, Score: 0.99, Outcome: tenure.AutoMerge, Reason: "r"}},
		Automatic: true, Score: 0.96, Reason: "\"similar\"", Reviews: ids(2), Actor: "storetest", At: 5,
	}
}

func mentionsByID(w *world) {
	one := tenure.Mention{ID: newID(), Observation: newID(), Name: "Zoë", Attributes: map[string][]string{"dob": {"1999"}}}
	two := tenure.Mention{ID: newID(), Observation: newID(), Index: 1, Name: "zoe"}
	assigned := tenure.Assignment{Mention: one.ID, Entity: newID(), Score: 0.5, Outcome: tenure.InReview, Reason: "r"}
	first := w.apply(tenure.MentionAdded{Mention: one}, tenure.MentionAssigned{Assignment: assigned})
	w.apply(tenure.MentionAdded{Mention: two})
	moved := assigned
	moved.Entity, moved.Outcome = newID(), tenure.NewEntity
	w.apply(tenure.MentionAssigned{Assignment: moved})
	w.same("mentions", []store.MentionRecord{{Mention: one, Assignment: moved}, {Mention: two}},
		read(w, w.now().Mentions, []tenure.ID{two.ID, newID(), one.ID}))
	w.same("before", []store.MentionRecord{{Mention: one, Assignment: assigned}},
		read(w, w.view(tenure.AsOf{Seq: first.Seq}).Mentions, []tenure.ID{two.ID, one.ID}))
}

func identityDecisionsByID(w *world) {
	one, two := decision(tenure.Merge, newID(), newID()), decision(tenure.CannotLink, newID(), newID())
	w.apply(tenure.IdentityDecisionPut{Decision: one})
	second := w.apply(tenure.IdentityDecisionPut{Decision: two})
	undone := one
	undone.Undone, undone.UndoneBy, undone.UndoneAt = true, "somebody", 9
	w.apply(tenure.IdentityDecisionPut{Decision: undone})
	w.same("now", []tenure.IdentityDecision{two, undone},
		read(w, w.now().IdentityDecisions, []tenure.ID{one.ID, newID(), two.ID}))
	w.same("before", []tenure.IdentityDecision{one, two},
		read(w, w.view(tenure.AsOf{Seq: second.Seq}).IdentityDecisions, []tenure.ID{two.ID, one.ID}))
}

func identityDecisionsOn(w *world) {
	a, b, c := newID(), newID(), newID()
	one, two, three := decision(tenure.Merge, a, b), decision(tenure.Split, b, c), decision(tenure.CannotLink, c, newID())
	w.apply(tenure.IdentityDecisionPut{Decision: one})
	w.apply(tenure.IdentityDecisionPut{Decision: two})
	last := w.apply(tenure.IdentityDecisionPut{Decision: three})
	undone := three
	undone.Undone = true
	w.apply(tenure.IdentityDecisionPut{Decision: undone})
	r := w.now()
	w.same("of the first", []tenure.IdentityDecision{one}, read(w, r.IdentityDecisionsOn, []tenure.ID{a}))
	w.same("of either side", []tenure.IdentityDecision{one, two}, read(w, r.IdentityDecisionsOn, []tenure.ID{b}))
	w.same("once each", []tenure.IdentityDecision{one, two, undone}, read(w, r.IdentityDecisionsOn, []tenure.ID{c, b, a}))
	w.same("before", []tenure.IdentityDecision{two, three},
		read(w, w.view(tenure.AsOf{Seq: last.Seq}).IdentityDecisionsOn, []tenure.ID{c}))
	w.same("of another tenant", []tenure.IdentityDecision{},
		read(w, w.other().now().IdentityDecisionsOn, []tenure.ID{a, b, c}))
}

func reviewOf(id, entity tenure.ID, candidates ...tenure.ID) tenure.Review {
	r := tenure.Review{
		ID: id, State: tenure.ReviewOpen, Entity: entity, Reason: "similar", Name: "Zoë", Type: "person",
		Project: "p", OpenedAt: 5, Version: 1,
	}
	for _, c := range candidates {
		r.Candidates = append(r.Candidates, tenure.Candidate{Entity: c, Score: 0.9, Veto: "v"})
	}
	return r
}

func reviewsByID(w *world) {
	one, two := reviewOf(newID(), newID(), newID(), newID()), reviewOf(newID(), newID())
	w.apply(tenure.ReviewPut{Review: one})
	second := w.apply(tenure.ReviewPut{Review: two})
	settled := one
	settled.State, settled.Decision, settled.Into, settled.DecidedBy = tenure.ReviewSettled, "merge",
		one.Candidates[0].Entity, "x"
	settled.DecidedAt, settled.Note, settled.Version, settled.Candidates = 9, "sure", 2, one.Candidates[:1]
	w.apply(tenure.ReviewPut{Review: settled})
	w.same("now", []tenure.Review{two, settled}, read(w, w.now().Reviews, []tenure.ID{one.ID, newID(), two.ID}))
	w.same("before", []tenure.Review{one, two}, read(w, w.view(tenure.AsOf{Seq: second.Seq}).Reviews,
		[]tenure.ID{two.ID, one.ID}))
}

func reviewsByPage(w *world) {
	const n = 12
	all, asked, other := ids(n), newID(), newID()
	var want []tenure.ID
	for i, id := range all {
		r := reviewOf(id, newID(), other)
		if i%3 == 0 {
			r.Entity = asked
		}
		if i%2 == 1 {
			r.Type, r.Project, r.Reason = "system", "q", "ambiguous_name"
		}
		w.apply(tenure.ReviewPut{Review: r})
		want = append(want, id)
	}
	open := w.now()
	closed := reviewOf(all[3], asked, other)
	closed.State, closed.Version = tenure.ReviewSettled, 2
	w.apply(tenure.ReviewPut{Review: closed})
	pages := func(r store.Reader, q store.ReviewQuery) []tenure.ID {
		var got []tenure.ID
		for q.Limit = 2; ; q.After = string(got[len(got)-1]) {
			page, err := r.ListReviews(background(), q)
			w.ok(err)
			for _, r := range page {
				got = append(got, r.ID)
			}
			if len(page) < q.Limit {
				return got
			}
		}
	}
	w.same("all", want, pages(w.now(), store.ReviewQuery{}))
	w.same("open", append(append([]tenure.ID{}, want[:3]...), want[4:]...),
		pages(w.now(), store.ReviewQuery{State: tenure.ReviewOpen}))
	w.same("settled", want[3:4], pages(w.now(), store.ReviewQuery{State: tenure.ReviewSettled}))
	w.same("open before", want, pages(open, store.ReviewQuery{State: tenure.ReviewOpen}))
	w.same("of an entity", []tenure.ID{want[0], want[3], want[6], want[9]},
		pages(w.now(), store.ReviewQuery{Entity: asked}))
	w.same("open ones of an entity", []tenure.ID{want[0], want[6], want[9]},
		pages(w.now(), store.ReviewQuery{Entity: asked, State: tenure.ReviewOpen}))
	w.same("of a candidate", want, pages(w.now(), store.ReviewQuery{Entity: other}))
	w.same("of a type", []tenure.ID{want[1], want[5], want[7], want[9], want[11]},
		pages(w.now(), store.ReviewQuery{Type: "system"}))
	w.same("by reason and project", []tenure.ID{want[1], want[5], want[7], want[9], want[11]},
		pages(w.now(), store.ReviewQuery{Project: "q", Reason: "ambiguous_name"}))
}

func openReviews(w *world) {
	a, b, c := newID(), newID(), newID()
	all := ids(5)
	w.apply(tenure.ReviewPut{Review: reviewOf(all[0], newID(), a, b)})
	w.apply(tenure.ReviewPut{Review: reviewOf(all[1], b, newID())})
	w.apply(tenure.ReviewPut{Review: reviewOf(all[2], newID(), newID())})
	w.apply(tenure.ReviewPut{Review: reviewOf(all[3], newID(), b)})
	before := w.apply(tenure.ReviewPut{Review: reviewOf(all[4], newID(), a)})
	settled := reviewOf(all[3], newID(), b)
	settled.State, settled.Version = tenure.ReviewSettled, 2
	w.apply(tenure.ReviewPut{Review: settled})
	of := func(r store.Reader, limit int, entities ...tenure.ID) []tenure.ID {
		list, err := r.OpenReviews(background(), entities, limit)
		w.ok(err)
		got := []tenure.ID{}
		for _, v := range list {
			got = append(got, v.ID)
		}
		return got
	}
	w.same("of two", []tenure.ID{all[0], all[1], all[4]}, of(w.now(), 9, a, b, c))
	w.same("the first", all[:2], of(w.now(), 2, b, a))
	w.same("before", []tenure.ID{all[0], all[1], all[3]}, of(w.view(tenure.AsOf{Seq: before.Seq}), 9, b))
	w.same("of none", []tenure.ID{}, of(w.now(), 9))
	w.same("of nobody that is asked about", []tenure.ID{}, of(w.now(), 9, c))
	w.same("of another tenant", []tenure.ID{}, of(w.other().now(), 9, a, b))
}

func reviewsByRank(w *world) {
	all, entity, other := ids(7), newID(), newID()
	values := []float64{1, 3, 0, 2, 3, 0.25, 7}
	put := func(i int, change func(*tenure.Review)) {
		r := reviewOf(all[i], entity, other)
		r.Priority = values[i]
		if i%2 == 0 {
			r.Type = "system"
		}
		if change != nil {
			change(&r)
		}
		w.apply(tenure.ReviewPut{Review: r})
	}
	for i := range all {
		put(i, nil)
	}
	before := w.now()
	settle := func(at tenure.Instant) func(*tenure.Review) {
		return func(r *tenure.Review) { r.State, r.DecidedAt = tenure.ReviewSettled, at }
	}
	put(4, settle(10))
	put(6, settle(30))
	put(0, settle(20))
	values[5] = 4
	put(5, nil)
	of := func(r store.Reader, q store.ReviewQuery) []tenure.ID {
		w.Helper()
		q.Ranked = true
		var got []tenure.ID
		for q.Limit = 2; ; {
			page, err := r.ListReviews(background(), q)
			w.ok(err)
			for _, v := range page {
				got = append(got, v.ID)
			}
			if len(page) < q.Limit {
				return got
			}
			q.After = q.Key(page[len(page)-1])
		}
	}
	places := func(list ...int) []tenure.ID {
		var want []tenure.ID
		for _, i := range list {
			want = append(want, all[i])
		}
		return want
	}
	open := store.ReviewQuery{State: tenure.ReviewOpen}
	w.same("open", places(5, 1, 3, 2), of(w.now(), open))
	w.same("open before", places(6, 1, 4, 3, 0, 5, 2), of(before, open))
	w.same("settled", places(6, 0, 4), of(w.now(), store.ReviewQuery{State: tenure.ReviewSettled}))
	w.same("of a candidate", places(5, 1, 3, 2), of(w.now(), store.ReviewQuery{State: tenure.ReviewOpen, Entity: other}))
	w.same("of an entity before", places(6, 1, 4, 3, 0, 5, 2), of(before, store.ReviewQuery{Entity: entity}))
	w.same("of a type", places(2), of(w.now(), store.ReviewQuery{State: tenure.ReviewOpen, Type: "system"}))
	w.same("any before", places(6, 1, 4, 3, 0, 5, 2), of(before, store.ReviewQuery{}))
	if got := of(w.now(), store.ReviewQuery{}); len(got) != len(all) {
		w.Errorf("any: %d of %d", len(got), len(all))
	}
	w.same("of another tenant", 0, len(of(w.other().now(), open)))
}

func referring(w *world) {
	a, b := newID(), newID()
	one := w.believe(to(claim(newID(), "boss"), a))
	two := w.believe(to(claim(newID(), "boss"), b), segment(tenure.ByRetraction, 100, tenure.MaxTime))
	w.believe(claim(a, "office"))
	w.same("of one", []tenure.ID{one.ID}, idsOf(read(w, w.now().Referring, []tenure.ID{a})))
	w.same("of both", []tenure.ID{one.ID, two.ID}, idsOf(read(w, w.now().Referring, []tenure.ID{b, a})))
}

func saying(w *world) {
	says := func(text string) tenure.Claim {
		c := claim(newID(), "cast")
		c.Value = tenure.Value{JSON: json.RawMessage(text), Canonical: "text:" + text}
		return c
	}
	one := w.believe(says(`"Dmitri Örlov"`))
	two := w.believe(says(`"dmitri Örlov"`), segment(tenure.ByRetraction, 100, tenure.MaxTime))
	three := w.believe(says(`"Say \"Bo\""`))
	before := w.now()
	four := w.believe(says(`"DMITRI Örlov"`))
	w.believe(says(`7`))
	w.believe(says(`"` + strings.Repeat("x", store.LongestSaid+1) + `"`))
	of := func(r store.Reader, per int, texts ...string) []tenure.ID {
		list, err := r.Saying(w.Context(), texts, per)
		w.ok(err)
		return idsOf(list)
	}
	w.same("in any case", []tenure.ID{one.ID, two.ID, four.ID}, of(w.now(), 5, "Dmitri Örlov", "dmitri Örlov", "nobody"))
	w.same("the newest", []tenure.ID{four.ID}, of(w.now(), 1, "Dmitri Örlov"))
	w.same("then", []tenure.ID{one.ID, two.ID}, of(before, 5, "Dmitri Örlov"))
	w.same("with marks", []tenure.ID{three.ID}, of(w.now(), 5, `say "bo"`))
	w.same("what is no text, or long", []tenure.ID(nil), of(w.now(), 5, "7", "", strings.Repeat("x", store.LongestSaid+1)))
	five, six := says(`"Bo"`), says(`"bo"`)
	w.apply(append(believed(six), believed(five)...)...)
	w.same("of one change set", []tenure.ID{max(five.ID, six.ID)}, of(w.now(), 1, "Bo"))
	w.same("of another tenant", []tenure.ID(nil), of(w.other().now(), 5, "dmitri Örlov"))
}

// move puts a claim into the slot of another subject, and makes it say another
// object, if it is not "".
func move(c tenure.Claim, subject, object tenure.ID) []tenure.Change {
	from, to := c.Slot(), c.Slot()
	to.Subject = subject
	p := standing(c, stands(100, tenure.MaxTime))
	p.Slot, p.Standing.Subject, p.Standing.Object = to, subject, object
	return []tenure.Change{tenure.ClaimMoved{Claim: c.ID, From: from, To: to, Object: object}, p}
}

func movedClaims(w *world) {
	a, b, x, y := newID(), newID(), newID(), newID()
	moved, stays := to(claim(a, "boss"), x), to(claim(a, "boss"), x)
	w.believe(moved)
	before := w.believe(stays)
	old := w.now()
	w.apply(move(moved, b, y)...)
	r := w.now()
	slot := func(r store.Reader, subject tenure.ID) []tenure.ID {
		s := before.Slot()
		s.Subject = subject
		list := read(w, r.Slots, []tenure.Slot{s})
		if len(list) != 1 {
			w.Fatalf("got %d states of one slot", len(list))
		}
		return idsOf(list[0].Beliefs)
	}
	window := tenure.Window{From: 200, Until: 201}
	live := func(r store.Reader, subject tenure.ID) []tenure.ID {
		list, err := r.Live(background(), []tenure.ID{subject}, window, 10)
		w.ok(err)
		return idsOf(list)
	}
	relations := func(r store.Reader, e tenure.ID) []tenure.ID {
		list, err := r.Relations(background(), []tenure.ID{e}, window, 10)
		w.ok(err)
		return idsOf(list)
	}
	listed := func(r store.Reader, subject tenure.ID) []tenure.ID {
		list, err := r.List(background(), store.BeliefQuery{Subject: subject, Limit: 5})
		w.ok(err)
		return idsOf(list)
	}
	check := func(r store.Reader, of func(store.Reader, tenure.ID) []tenure.ID, what string,
		want map[tenure.ID][]tenure.ID) {
		w.Helper()
		for e, ids := range want {
			w.same(what, ids, of(r, e))
		}
	}
	now := map[tenure.ID][]tenure.ID{a: {stays.ID}, b: {moved.ID}}
	then := map[tenure.ID][]tenure.ID{a: {moved.ID, stays.ID}, b: nil}
	check(r, slot, "slot", now)
	check(old, slot, "slot before", then)
	check(r, listed, "list", now)
	check(old, listed, "list before", map[tenure.ID][]tenure.ID{a: sorted(moved.ID, stays.ID), b: nil})
	check(r, live, "live", now)
	check(old, live, "live before", map[tenure.ID][]tenure.ID{a: {stays.ID, moved.ID}, b: nil})
	check(r, relations, "relations", map[tenure.ID][]tenure.ID{a: {stays.ID}, b: {moved.ID}, x: {stays.ID}, y: {moved.ID}})
	check(old, relations, "relations before", map[tenure.ID][]tenure.ID{a: {moved.ID, stays.ID}, b: nil,
		x: {moved.ID, stays.ID}, y: nil})
	refs := func(r store.Reader, e tenure.ID) []tenure.ID { return idsOf(read(w, r.Referring, []tenure.ID{e})) }
	check(r, refs, "referring", map[tenure.ID][]tenure.ID{x: {stays.ID}, y: {moved.ID}})
	check(old, refs, "referring before", map[tenure.ID][]tenure.ID{x: {moved.ID, stays.ID}, y: nil})
	for _, v := range []struct {
		r               store.Reader
		subject, object tenure.ID
	}{{r, b, y}, {old, a, x}} {
		got := read(w, v.r.Beliefs, []tenure.ID{moved.ID})
		if len(got) != 1 || got[0].Claim.Subject != v.subject || got[0].Claim.Value.Entity != v.object {
			w.Errorf("the belief is about %s and says %s, want %s and %s", got[0].Claim.Subject, got[0].Claim.Value.Entity,
				v.subject, v.object)
		}
	}

	// And back, as if it had never been moved.
	back := standing(moved, stands(100, tenure.MaxTime))
	gone := moved.Slot()
	gone.Subject = b
	w.apply(tenure.ClaimMoved{Claim: moved.ID, From: gone, To: moved.Slot(), Object: x}, back)
	check(w.now(), slot, "slot again", then)
	check(w.now(), live, "live again", map[tenure.ID][]tenure.ID{a: {stays.ID, moved.ID}, b: nil})
	check(w.now(), listed, "list again", map[tenure.ID][]tenure.ID{a: sorted(moved.ID, stays.ID), b: nil})
	check(w.now(), relations, "relations again", map[tenure.ID][]tenure.ID{x: {moved.ID, stays.ID}, y: nil})
	check(r, slot, "slot meanwhile", now)
	check(r, relations, "relations meanwhile", map[tenure.ID][]tenure.ID{x: {stays.ID}, y: {moved.ID}})
}

func sorted(a, b tenure.ID) []tenure.ID {
	if b < a {
		a, b = b, a
	}
	return []tenure.ID{a, b}
}

func closedAliases(w *world) {
	name := tenure.AliasKey{Kind: tenure.NameAlias, Key: "jon"}
	one, two := alias(name, newID(), newID()), alias(name, newID(), newID())
	w.apply(tenure.AliasAdded{Alias: one})
	before := w.apply(tenure.AliasAdded{Alias: two})
	closed := w.apply(tenure.AliasClosed{Alias: one})
	old := w.view(tenure.AsOf{Seq: before.Seq})
	w.same("now", []tenure.Alias{two}, read(w, w.now().AliasesByKey, []tenure.AliasKey{name}))
	w.same("of the entity", []tenure.Alias{}, read(w, w.now().AliasesOf, []tenure.ID{one.Entity}))
	w.same("before", []tenure.Alias{one, two}, read(w, old.AliasesByKey, []tenure.AliasKey{name}))
	w.same("of the entity before", []tenure.Alias{one}, read(w, old.AliasesOf, []tenure.ID{one.Entity}))
	w.apply(tenure.AliasAdded{Alias: one})
	w.same("again", []tenure.Alias{two, one}, read(w, w.now().AliasesByKey, []tenure.AliasKey{name}))
	meanwhile := w.view(tenure.AsOf{Seq: closed.Seq})
	w.same("meanwhile", []tenure.Alias{two}, read(w, meanwhile.AliasesByKey, []tenure.AliasKey{name}))
}
