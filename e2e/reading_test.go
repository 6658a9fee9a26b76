package e2e

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// What was written is read back, page by page.
var reading = []scenario{
	{"a-text-read-again-at-once", readAgainAtOnce},
	{"observation-read-back", observationAgain},
	{"pages-are-stable-while-writing", stablePages},
	{"cursors-of-others-are-refused", foreignCursors},
	{"another-tenants-ids-are-unknown", foreignIDs},
	{"change-log", changeLog},
}

func observationAgain(w *world) {
	sent := obj{
		"source": obj{"origin": "conversation://s1/7", "authority_level": 2, "source_authority": .9, "speaker": "Dana", "role": "agent"},
		"scope":  obj{"project_id": "p1"}, "observed_at": "2021-06-06T14:15:00.123456+02:00",
		"text": "Jön moved to Chicago \U0001F600 <b>\u2028.",
		"mentions": list{
			obj{"name": "Jön", "type": "person", "aliases": list{"Jon"}, "attributes": obj{"email": list{"jon@acme.example"}}, "context": "moved"},
			obj{"name": "Chicago", "type": "city"},
		},
		"claims": list{obj{"subject": obj{"mention": 0}, "predicate": "office", "value": obj{"mention": 1}, "confidence_score": .9,
			"valid_from": "2021-06-06T12:00:00Z", "content": "Jön is in Chicago", "why_it_matters": "mail", "applicable_task_types": list{"data_extraction"}}},
	}
	a := w.record(sent)
	got := w.get("/v1/observations/" + a.id).is(200)
	for pointer, want := range map[string]string{
		"/source/origin": "conversation://s1/7", "/source/source_authority": "0.9", "/source/role": "agent", "/scope/project_id": "p1",
		"/observed_at": "2021-06-06T12:15:00.123456Z", "/recorded_at": a.recordedAt, "/text": sent["text"].(string),
		"/mentions/0/name": "Jön", "/mentions/0/aliases/0": "Jon", "/mentions/0/attributes/email/0": "jon@acme.example",
		"/mentions/0/context": "moved", "/mentions/0/entity_id": a.entity, "/mentions/0/decision": "new_entity",
		"/mentions/1/name": "Chicago", "/mentions/1/type": "city", "/claims/0": a.belief,
	} {
		same(w.T, pointer, got.text(pointer), want)
	}
	b := w.belief(a.belief)
	for pointer, want := range map[string]string{
		"/observation_id": a.id, "/subject": a.entity, "/value/entity_id": a.text("/mentions/1/entity_id"), "/content": "Jön is in Chicago",
		"/valid_from": "2021-06-06T12:00:00Z", "/valid_until": "", "/valid_from_basis": "stated", "/confidence_score": "0.9",
		"/why_it_matters": "mail", "/applicable_task_types/0": "data_extraction", "/security_classification": "restricted",
		"/object_type": "inferred_belief", "/layer": "fact", "/tenant_id": w.tenant, "/project_id": "p1", "/authority_level": "2",
	} {
		same(w.T, pointer, b.text(pointer), want)
	}
}

func stablePages(w *world) {
	want := []string{}
	var entity string
	for i := range 11 {
		a := w.say("Jon Smith", fmt.Sprintf("fact_%02d", i), i)
		want, entity = append(want, a.belief), a.entity
	}
	for _, limit := range []int{1, 3, 4, 11, 500} {
		got, cursor := []string{}, ""
		for pages := 0; ; pages++ {
			filters := []string{"entity_id=" + entity, fmt.Sprint("limit=", limit)}
			if cursor != "" {
				filters = append(filters, "cursor="+cursor)
			}
			page := w.page(filters...)
			got = append(got, page.texts("/items", "/object_id")...)
			// Others write meanwhile: new facts, and news about what is listed.
			w.say("Jon Smith", "fact_05", fmt.Sprint("other ", limit, pages), level(4))
			w.say("Jon Smith", fmt.Sprint("more_", limit, "_", pages), "x", level(4))
			if cursor = page.text("/next_cursor"); cursor == "" {
				break
			}
		}
		if len(got) < len(want) {
			w.Fatalf("limit %d: %d beliefs, want %d", limit, len(got), len(want))
		}
		same(w.T, fmt.Sprint("the first, limit ", limit), got[:len(want)], want)
		// The state of the first page: all that was written before it, and no more.
		again := w.page("entity_id="+entity, "limit=500", fmt.Sprint("known_at=", len(w.entries())))
		if len(again.items("/items")) <= len(want) {
			w.Error("what was written meanwhile is not there")
		}
	}
}

func foreignCursors(w *world) {
	for i := range 4 {
		w.say("Jon Smith", fmt.Sprint("fact_", i), i)
	}
	cursor := w.page("limit=2").text("/next_cursor")
	w.page("limit=3", "cursor="+cursor)
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil {
		raw = []byte(cursor)
	}
	raw[len(raw)-2] ^= 1
	altered := base64.RawURLEncoding.EncodeToString(raw)
	for _, path := range []string{
		"/v1/beliefs?cursor=" + altered,
		"/v1/beliefs?cursor=" + cursor[:len(cursor)-4],
		"/v1/beliefs?cursor=abc",
		"/v1/beliefs?predicate=fact_1&cursor=" + cursor,
		"/v1/quarantine?cursor=" + cursor,
	} {
		w.get(path).problem(400, "stale_cursor", "cursor")
	}
	stranger := w.with(newKey(w.T, w.srv.store, newTenant()))
	stranger.get("/v1/beliefs?cursor="+cursor).problem(400, "stale_cursor", "cursor")
	w.get("/v1/beliefs?cursor="+strings.Repeat("a", 5000)).problem(400, "invalid", "cursor")
}

// foreignIDs: what is another tenant's answers as what does not exist, to the
// byte.
func foreignIDs(w *world) {
	stranger := w.with(newKey(w.T, w.srv.store, newTenant()))
	mine, _, kase := holds(w)
	c := w.compile(obj{"query": "office of Jon Smith"})
	const unknown = "0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01"
	for _, path := range []struct{ method, path, id string }{
		{"GET", "/v1/entities/%s", mine.entity},
		{"GET", "/v1/entities/%s/history", mine.entity},
		{"GET", "/v1/entities/%s/aliases", mine.entity},
		{"GET", "/v1/entities/%s/neighborhood", mine.entity},
		{"GET", "/v1/observations/%s", mine.id},
		{"GET", "/v1/beliefs/%s", mine.belief},
		{"GET", "/v1/beliefs/%s/chain", mine.belief},
		{"GET", "/v1/quarantine/%s", kase.text("/case_id")},
		{"GET", "/v1/compilations/%s", c.text("/run/trace_id")},
		{"POST", "/v1/beliefs/%s/confirm", mine.belief},
		{"POST", "/v1/beliefs/%s/retract", mine.belief},
		{"POST", "/v1/beliefs/%s/end", mine.belief},
		{"DELETE", "/v1/keys/%s", strings.Split(w.key, "_")[1]},
	} {
		theirs := stranger.call(path.method, fmt.Sprintf(path.path, path.id), nil).problem(404, "not_found")
		nobodys := stranger.call(path.method, fmt.Sprintf(path.path, unknown), nil).problem(404, "not_found")
		same(w.T, path.path, string(theirs.raw), string(nobodys.raw))
	}
	settle := func(id string) answer {
		return stranger.post("/v1/quarantine/"+id+"/resolution", obj{"reject_all": true, "version": 1}).problem(404, "not_found")
	}
	same(w.T, "a settlement", string(settle(kase.text("/case_id")).raw), string(settle(unknown).raw))
	for _, ask := range []func(id string) (string, obj){
		func(id string) (string, obj) {
			o := stating("Ann", "boss", "x")
			delete(o, "mentions")
			o["claims"].(list)[0].(obj)["subject"] = obj{"entity_id": id}
			return "/v1/observations", o
		},
		func(id string) (string, obj) { return "/v1/observations", stating("Ann", "boss", obj{"entity_id": id}) },
		func(id string) (string, obj) { return "/v1/compile", obj{"query": "office", "entities": list{id}} },
	} {
		path, theirs := ask(mine.entity)
		_, nobodys := ask(unknown)
		same(w.T, path, string(stranger.post(path, theirs).raw), string(stranger.post(path, nobodys).raw))
	}
	for _, field := range []func(id string) edit{
		func(id string) edit { return supersedes(id) }, func(id string) edit { return dependsOn(id) },
	} {
		theirs, nobodys := stranger.post("/v1/observations", stating("Ann", "boss", "x", field(mine.belief))), stranger.post("/v1/observations", stating("Ann", "boss", "x", field(unknown)))
		theirs.problem(422, "unprocessable")
		same(w.T, "named in a claim", string(theirs.raw), string(nobodys.raw))
	}
	for _, list := range []string{"beliefs?status=any", "conflicts?", "quarantine?", "reviews?"} {
		stranger.get("/v1/"+list+"&entity_id="+mine.entity).problem(422, "unprocessable", "entity_id")
	}
	same(w.T, "the strangers' log", len(stranger.entries()), 0)
	same(w.T, "the case", w.get("/v1/quarantine/"+kase.text("/case_id")).is(200).text("/state"), "open")
}

func changeLog(w *world) {
	said := w.say("Jon Smith", "office", "Secret City")
	w.post("/v1/beliefs/"+said.belief+"/retract", obj{"reason": "hush"}).is(200)
	w.define("predicates", false, obj{"name": "born", "constant": true})
	log := w.get("/v1/changes").is(200)
	same(w.T, "the entries", log.texts("/items", "/seq"), []string{"1", "2", "3"})
	same(w.T, "the next", log.text("/next_after"), "3")
	same(w.T, "when", log.text("/items/0/recorded_at"), said.recordedAt)
	if strings.Contains(string(log.raw), "Secret City") || strings.Contains(string(log.raw), "hush") || strings.Contains(string(log.raw), "Jon Smith") {
		w.Errorf("the log tells content: %s", log.raw)
	}
	after := w.get("/v1/changes?after=2&limit=1").is(200)
	same(w.T, "after 2", after.texts("/items", "/seq"), []string{"3"})
	same(w.T, "at the end", w.get("/v1/changes?after=3").is(200).text("/next_after"), "3")
	if log.text("/items/0/hash") == "" || log.text("/items/0/hash") == log.text("/items/1/hash") {
		w.Error("entries are not sealed")
	}
}

// readAgainAtOnce: what the same extractor reads again says the same, though the entity is known by now.
func readAgainAtOnce(w *world) {
	said := w.remember(obj{"speaker": "Dana", "text": "The office of Lena Brandt is Graz."})
	same(w.T, "what is read", said.effects(), []string{"assert add office"})
	w.settled()
	w.unchanged("a further reading", func() {
		same(w.T, "what is told", w.reextract("1 texts, 1 as before, 0 otherwise", "--apply"), []string(nil))
	})
}
