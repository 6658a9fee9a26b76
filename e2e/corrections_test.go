package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Merges and splits that people make, and take back.
var corrections = []scenario{
	{"merge-reconciles-and-undo-restores", mergeReconciles},
	{"merge-that-ties-opens-a-case", mergeTies},
	{"merged-ids-answer-for-ever", mergedAnswer},
	{"merge-gathers-relations", mergeRelations},
	{"undo-under-a-later-merge", undoUnder},
	{"split-moves-beliefs-and-undo-brings-them-back", splitMoves},
	{"bad-merges", badMerges},
	{"bad-splits", badSplits},
}

// views reads all that is told of some entities. Left out is what tells of
// versions, and of the decisions themselves.
func (w *world) views(entities ...string) func() map[string]any {
	return func() map[string]any {
		w.Helper()
		paths := []string{"/v1/quarantine", "/v1/conflicts?valid_at=2022-01-01T00:00:00Z", "/v1/entities?name=Jon+Smith", "/v1/reviews"}
		for _, id := range entities {
			paths = append(paths, "/v1/entities/"+id, "/v1/entities/"+id+"/neighborhood?hops=2", "/v1/conflicts?valid_at=2022-01-01T00:00:00Z&entity_id="+id)
			for _, day := range []string{"2021-03-01", "2021-08-01", "2022-01-01"} {
				paths = append(paths, "/v1/beliefs?status=any&limit=500&entity_id="+id+"&valid_at="+day+"T00:00:00Z")
			}
		}
		all := map[string]any{}
		for _, p := range paths {
			all[p] = timeless(w.get(p).is(200).body)
		}
		all["compile"] = timeless(w.compile(obj{"query": "Where is the office of Jon Smith?", "entities": entities, "hops": 2}).at("/envelope"))
		return all
	}
}

// timeless is an answer without what every write, and the time, changes.
func timeless(v any) any {
	switch v := v.(type) {
	case obj:
		out := maps.Clone(v)
		for name := range out {
			if slices.Contains([]string{"tx_start", "tx_end", "as_of", "version", "priority", "identity_decisions"}, name) {
				delete(out, name)
				continue
			}
			out[name] = timeless(out[name])
		}
		return out
	case list:
		out := slices.Clone(v)
		for i := range out {
			out[i] = timeless(out[i])
		}
		return out
	}
	return v
}

func (w *world) merge(from, into string) answer {
	w.Helper()
	return w.post("/v1/entities/"+from+"/merge", obj{"into": into, "reason": "one and the same"}).is(201)
}

func mergeReconciles(w *world) {
	jon := w.say("Jon Smith", "office", "Boston", from("2021-01-01T00:00:00Z"))
	rests := w.say("Jon Smith", "tax", "MA", from("2021-01-01T00:00:00Z"), dependsOn(jon.belief))
	elvis := w.say("Elvis Ray", "office", "Chicago", from("2021-06-01T00:00:00Z"))
	w.relate("Ann Lee", "boss", "Jon Smith", from("2021-01-01T00:00:00Z"))
	w.relate("Ann Lee", "boss", "Elvis Ray", from("2021-02-01T00:00:00Z"))
	views := w.views(jon.entity, elvis.entity)
	before := views()

	m := w.merge(elvis.entity, jon.entity)
	same(w.T, "the merge", []string{m.text("/entity_id"), m.text("/root_id"), m.header.Get("Location")},
		[]string{elvis.entity, jon.entity, "/v1/merges/" + m.text("/merge_id")})
	if !slices.Contains(m.texts("/displaced", ""), jon.belief) {
		w.Errorf("the older office still stands: %s", m.raw)
	}
	same(w.T, "the office", w.believed(jon.entity, "office", "valid_at=2022-01-01T00:00:00Z"), []string{"Chicago"})
	same(w.T, "the office in March", w.believed(elvis.entity, "office", "valid_at=2021-03-01T00:00:00Z"), []string{"Boston"})
	same(w.T, "who is told of", w.belief(elvis.belief).text("/canonical_entity_ids/0"), jon.entity)
	same(w.T, "as it was known before", w.believed(jon.entity, "office", "valid_at=2022-01-01T00:00:00Z", fmt.Sprint("known_at=", m.seq("/seq")-1)), []string{"Boston"})
	w.compile(obj{"query": "Where is the office of Jon Smith?"}).shows("Chicago", not, "Boston")
	_ = rests

	u := w.post("/v1/merges/"+m.text("/merge_id")+"/undo", nil).is(200)
	if !slices.Contains(u.texts("/restored", ""), jon.belief) {
		w.Errorf("the older office does not stand again: %s", u.raw)
	}
	same(w.T, "all as before", views(), before)
	same(w.T, "both decisions", w.get("/v1/entities/"+jon.entity).is(200).texts("/identity_decisions", "/undone"), []string{"true"})
	verify(w.T, w.srv.store, w.tenant)
}

func mergeTies(w *world) {
	jon := w.say("Jon Smith", "office", "Boston", by("Dana"), seen("2021-06-06T12:00:00Z"))
	elvis := w.say("Elvis Ray", "office", "Chicago", by("Eve"), seen("2021-06-06T12:00:00Z"))
	views := w.views(jon.entity, elvis.entity)
	before := views()
	same(w.T, "cases before", w.openCases(), 0)
	m := w.merge(elvis.entity, jon.entity)
	same(w.T, "cases", w.openCases(), 1)
	kase := w.get("/v1/quarantine?entity_id=" + elvis.entity).is(200)
	same(w.T, "what is held", sorted(kase.texts("/items/0/holds", "")...), sorted(jon.belief, elvis.belief))
	same(w.T, "what stands", w.believed(jon.entity, "office"), []string{})
	w.post("/v1/merges/"+m.text("/merge_id")+"/undo", nil).is(200)
	same(w.T, "all as before", views(), before)
	same(w.T, "cases after", w.openCases(), 0)
	verify(w.T, w.srv.store, w.tenant)
}

func mergedAnswer(w *world) {
	jon := w.say("Jon Smith", "office", "Boston", identified("email", "jon@acme.example"))
	elvis := w.say("Elvis Ray", "floor", "3", identified("phone", "+1 617 555 0100"))
	last := elvis.seq
	m := w.merge(elvis.entity, jon.entity)
	e := w.get("/v1/entities/" + elvis.entity).is(200)
	same(w.T, "the old id", []string{e.text("/entity_id"), e.text("/status"), e.text("/root_id"), e.text("/merged_into"), e.text("/name")},
		[]string{elvis.entity, "merged", jon.entity, jon.entity, "Elvis Ray"})
	root := w.get("/v1/entities/" + jon.entity).is(200)
	same(w.T, "the root", root.text("/status")+" "+strings.Join(root.texts("/members", ""), " "), "canonical "+elvis.entity)
	same(w.T, "its aliases", sorted(root.texts("/aliases", "/spelling")...), []string{"+1 617 555 0100", "Elvis Ray", "Jon Smith", "jon@acme.example"})
	same(w.T, "its attributes", fmt.Sprint(root.at("/attributes")), "map[email:[jon@acme.example] phone:[+1 617 555 0100]]")
	same(w.T, "its decisions", root.text("/identity_decisions/0/kind")+" "+root.text("/identity_decisions/0/from"), "merge "+elvis.entity)
	found := w.get("/v1/entities?name=elvis+ray").is(200)
	same(w.T, "by the old name", found.texts("/items", "/entity_id"), []string{jon.entity})
	same(w.T, "which member goes by it", found.texts("/items/0/matched_ids", ""), []string{elvis.entity})
	same(w.T, "the next mention", w.say("elvis ray", "desk", "7").entity, jon.entity)
	same(w.T, "what is believed of the old id", w.believed(elvis.entity, "office"), []string{"Boston"})
	for _, id := range []string{jon.entity, elvis.entity} {
		h := w.get("/v1/entities/" + id + "/history?limit=2").is(200)
		rest := w.get("/v1/entities/" + id + "/history?limit=2&cursor=" + h.text("/next_cursor")).is(200)
		same(w.T, "history", append(h.texts("/items", "/operation"), rest.texts("/items", "/operation")...), []string{"ingest", "ingest", "merge", "ingest"})
		old := w.get(fmt.Sprintf("/v1/entities/%s?known_at=%d", id, last)).is(200)
		same(w.T, "as it was known", old.text("/root_id")+" "+old.text("/status"), id+" canonical")
	}
	o := w.get("/v1/observations/" + elvis.id).is(200)
	same(w.T, "the observation", o.text("/mentions/0/entity_id")+" "+o.text("/mentions/0/root_id"), elvis.entity+" "+jon.entity)
	r := w.post("/v1/resolve", obj{"mentions": list{obj{"name": "Elvis Ray"}}}).is(200)
	same(w.T, "resolved", r.text("/mentions/0/entity_id"), jon.entity)
	r = w.post("/v1/resolve", obj{"mentions": list{obj{"name": "Elvis Ray"}}, "known_at": fmt.Sprint(last)}).is(200)
	same(w.T, "resolved as it was known", r.text("/mentions/0/entity_id"), elvis.entity)
	w.post("/v1/merges/"+m.text("/merge_id")+"/undo", nil).is(200)
	same(w.T, "two again", w.get("/v1/entities?name=elvis+ray").is(200).texts("/items", "/entity_id"), []string{elvis.entity})
}

func mergeRelations(w *world) {
	ab := w.relate("Ann", "boss", "Bob")
	cd := w.relate("Quincy", "boss", "Dee")
	bob, quincy := ab.text("/mentions/1/entity_id"), cd.entity
	w.merge(quincy, bob)
	n := w.get("/v1/entities/" + ab.entity + "/neighborhood?hops=2").is(200)
	same(w.T, "from Ann", sorted(n.texts("/nodes", "/name")...), []string{"Ann", "Bob", "Dee"})
	same(w.T, "between whom", sorted(n.texts("/edges", "/subject")...), sorted(ab.entity, bob))
	n = w.get("/v1/entities/" + quincy + "/neighborhood").is(200)
	same(w.T, "from the old id", sorted(n.texts("/nodes", "/name")...), []string{"Ann", "Bob", "Dee"})
	same(w.T, "the centre", n.text("/entity_id")+" "+n.text("/nodes/0/entity_id"), quincy+" "+bob)
}

func undoUnder(w *world) {
	a, b, c := w.say("Ann Lee", "desk", "1"), w.say("Bea Ross", "lamp", "2"), w.say("Cora Finch", "chair", "3")
	first := w.merge(a.entity, b.entity)
	w.merge(b.entity, c.entity)
	root := func(id string) string {
		w.Helper()
		return w.get("/v1/entities/" + id).is(200).text("/root_id")
	}
	same(w.T, "one root", []string{root(a.entity), root(b.entity), root(c.entity)}, []string{c.entity, c.entity, c.entity})
	w.post("/v1/merges/"+first.text("/merge_id")+"/undo", nil).is(200)
	same(w.T, "the part has left", []string{root(a.entity), root(b.entity), root(c.entity)}, []string{a.entity, c.entity, c.entity})
	same(w.T, "with what is its own", w.believed(a.entity, "desk"), []string{"1"})
	same(w.T, "and not the others'", append(w.believed(a.entity, "lamp"), w.believed(c.entity, "desk")...), []string{})
	verify(w.T, w.srv.store, w.tenant)
}

func splitMoves(w *world) {
	jon := w.say("Jon Smith", "office", "Boston", from("2021-01-01T00:00:00Z"))
	son := w.say("Jon Smith", "office", "Chicago", from("2021-06-01T00:00:00Z"), identified("email", "son@acme.example"))
	w.relate("Ann Lee", "mentor", "Jon Smith", from("2021-01-01T00:00:00Z"))
	same(w.T, "one person so far", son.entity, jon.entity)
	views := w.views(jon.entity)
	before := views()
	s := w.post("/v1/entities/"+jon.entity+"/split", obj{"mentions": list{son.mention()}, "reason": "his son"}).is(201)
	other := s.text("/new_entity_id")
	same(w.T, "the split", []string{s.text("/entity_id"), s.header.Get("Location")}, []string{jon.entity, "/v1/splits/" + s.text("/split_id")})
	same(w.T, "what moved", s.texts("/moved_beliefs", ""), []string{son.belief})
	same(w.T, "the son's office", w.believed(other, "office"), []string{"Chicago"})
	same(w.T, "the father's", w.believed(jon.entity, "office"), []string{"Boston"})
	same(w.T, "the belief's subject", w.belief(son.belief).text("/subject"), other)
	e := w.get("/v1/entities/" + other).is(200)
	same(w.T, "the new entity", []string{e.text("/name"), e.text("/status"), e.text("/attributes/email/0"), e.text("/identity_decisions/0/kind")},
		[]string{"Jon Smith", "canonical", "son@acme.example", "split"})
	keeper := w.resolve(obj{"name": "J. S.", "type": "person", "attributes": obj{"email": list{"son@acme.example"}}})
	same(w.T, "who keeps the mailbox", keeper.text("/mentions/0/entity_id"), other)
	v := w.get("/v1/splits/" + s.text("/split_id")).is(200)
	same(w.T, "the decision", []string{v.text("/from"), v.text("/into"), v.text("/mentions/0"), v.text("/undone")}, []string{jon.entity, other, son.mention(), "false"})
	w.get("/v1/merges/"+s.text("/split_id")).problem(404, "not_found")

	w.post("/v1/splits/"+s.text("/split_id")+"/undo", nil).is(200)
	same(w.T, "all as before", views(), before)
	w.post("/v1/splits/"+s.text("/split_id")+"/undo", nil).problem(409, "conflict")
	verify(w.T, w.srv.store, w.tenant)
}

func badMerges(w *world) {
	a, b, c := w.say("Ann Lee", "desk", "1"), w.say("Bob Ray", "desk", "2"), w.say("Cid Low", "desk", "3")
	m := w.merge(b.entity, a.entity)
	stranger := newWorld(w.T, w.engine, w.srv)
	foreign := stranger.say("Ann Lee", "desk", "1")
	const unknown = "0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01"
	w.unchanged("what is not to be", func() {
		for _, t := range []struct {
			name, from string
			body       any
			status     int
			code       string
			pointer    []string
		}{
			{"with itself", a.entity, obj{"into": a.entity}, 422, "unprocessable", []string{"/into"}},
			{"into its own member", a.entity, obj{"into": b.entity}, 409, "conflict", []string{"/into"}},
			{"a member into its root", b.entity, obj{"into": a.entity}, 409, "conflict", []string{"/into"}},
			{"into nothing known", a.entity, obj{"into": unknown}, 422, "unprocessable", []string{"/into"}},
			{"into another tenant's", a.entity, obj{"into": foreign.entity}, 422, "unprocessable", []string{"/into"}},
			{"of another tenant's", foreign.entity, obj{"into": a.entity}, 404, "not_found", nil},
			{"of nothing known", unknown, obj{"into": a.entity}, 404, "not_found", nil},
			{"of no id", "JON", obj{"into": a.entity}, 400, "invalid", []string{"id"}},
			{"into no id", a.entity, obj{"into": "JON"}, 400, "invalid", []string{"/into"}},
			{"into nobody", a.entity, obj{}, 400, "invalid", []string{"/into"}},
			{"with no body", a.entity, "", 400, "malformed", []string{""}},
			{"with a long reason", a.entity, obj{"into": c.entity, "reason": strings.Repeat("x", 10_001)}, 400, "invalid", []string{"/reason"}},
		} {
			got := w.post("/v1/entities/"+t.from+"/merge", t.body)
			got.asked = t.name
			got.problem(t.status, t.code, t.pointer...)
		}
		for _, verb := range []string{"merges", "splits"} {
			w.get("/v1/"+verb+"/"+unknown).problem(404, "not_found")
			w.post("/v1/"+verb+"/"+unknown+"/undo", nil).problem(404, "not_found")
			stranger.get("/v1/"+verb+"/"+m.text("/merge_id")).problem(404, "not_found")
			stranger.post("/v1/"+verb+"/"+m.text("/merge_id")+"/undo", nil).problem(404, "not_found")
		}
		w.post("/v1/splits/"+m.text("/merge_id")+"/undo", nil).problem(404, "not_found")
	})

	// In a cycle: b is in a; a goes into c; then c into b is c into itself.
	w.merge(a.entity, c.entity)
	w.unchanged("a cycle", func() {
		w.post("/v1/entities/"+c.entity+"/merge", obj{"into": b.entity}).problem(409, "conflict", "/into")
	})
	// Into a merged entity: into what stands for it.
	d := w.say("Dee Fox", "desk", "4")
	same(w.T, "where it went", w.merge(d.entity, b.entity).text("/root_id"), c.entity)

	key := idem + "k"
	first := w.post("/v1/merges/"+m.text("/merge_id")+"/undo", nil, key).is(200)
	w.unchanged("undone twice", func() {
		w.post("/v1/merges/"+m.text("/merge_id")+"/undo", nil).problem(409, "conflict")
		again := w.post("/v1/merges/"+m.text("/merge_id")+"/undo", nil, key).is(200)
		same(w.T, "the same request", string(again.raw), string(first.raw))
	})
	same(w.T, "replayed", w.post("/v1/merges/"+m.text("/merge_id")+"/undo", nil, key).header.Get("Idempotency-Replayed"), "true")
}

func badSplits(w *world) {
	a := w.say("Ann Lee", "desk", "1")
	again := w.say("Ann Lee", "lamp", "2")
	b := w.say("Bob Ray", "desk", "2")
	const unknown = "0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01"
	w.unchanged("what is not to be", func() {
		for _, t := range []struct {
			name, from string
			body       obj
			status     int
			code       string
			pointer    []string
		}{
			{"of nothing", a.entity, obj{}, 400, "invalid", []string{"/mentions"}},
			{"of none", a.entity, obj{"mentions": list{}}, 400, "invalid", []string{"/mentions"}},
			{"of another's", a.entity, obj{"mentions": list{again.mention(), b.mention()}}, 422, "unprocessable", []string{"/mentions/1"}},
			{"of nothing known", a.entity, obj{"mentions": list{unknown}}, 422, "unprocessable", []string{"/mentions/0"}},
			{"of all", a.entity, obj{"mentions": list{a.mention(), again.mention()}}, 422, "unprocessable", []string{"/mentions"}},
			{"of the only one", b.entity, obj{"mentions": list{b.mention()}}, 422, "unprocessable", []string{"/mentions"}},
			{"of one twice", a.entity, obj{"mentions": list{a.mention(), a.mention()}}, 400, "invalid", []string{"/mentions"}},
			{"of no id", a.entity, obj{"mentions": list{"x"}}, 400, "invalid", []string{"/mentions/0"}},
			{"from nobody", unknown, obj{"mentions": list{a.mention()}}, 404, "not_found", nil},
		} {
			got := w.post("/v1/entities/"+t.from+"/split", t.body)
			got.asked = t.name
			got.problem(t.status, t.code, t.pointer...)
		}
	})
}
