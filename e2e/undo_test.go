package e2e

import "fmt"

// What people say of beliefs and of contradictions, and take back; and in which role they say it.
var undoing = []scenario{
	{"undone-retraction-is-as-if-never", undoneRetraction},
	{"undone-end-and-confirmation", undoneEnd},
	{"undone-answer-to-a-case", undoneAnswer},
	{"undone-answers-of-each-kind", undoneAnswers},
	{"undone-answer-across-scopes", undoneAcrossScopes},
	{"bad-undos", badUndos},
	{"role-of-a-key", roleOfKey},
	{"order-of-roles", orderOfRoles},
	{"keys-write-as-users", keysWriteAsUsers},
}

// undo undoes an amendment.
func (w *world) undo(amendment string) answer {
	w.Helper()
	return w.post("/v1/amendments/"+amendment+"/undo", obj{"reason": "It was right after all."})
}

func undoneRetraction(w *world) {
	o := movesOffice(w)
	rests := w.say("Jon Smith", "tax", "IL", from("2021-06-06T12:00:00Z"), dependsOn(o.chicago.belief))
	done := w.post("/v1/beliefs/"+o.chicago.belief+"/retract", obj{"reason": "he never moved"}).is(200)
	same(w.T, "what stands no longer", done.texts("/displaced", ""), []string{rests.belief})
	again := w.say("Jon Smith", "office", "chicago", from("2021-07-01T00:00:00Z"))
	same(w.T, "the barred value", again.status, "quarantined")

	retraction := done.text("/amendment_id")
	undone := w.undo(retraction).is(200)
	same(w.T, "what was undone", undone.text("/undoes"), retraction)
	same(w.T, "it stands", undone.text("/belief/contradiction_status"), "clean")
	same(w.T, "what else stands again", undone.texts("/restored", ""), sorted(rests.belief, again.belief))
	same(w.T, "what is displaced again", undone.texts("/displaced", ""), []string{o.boston.belief})
	same(w.T, "what was believed meanwhile", w.believed(o.boston.entity, "office", fmt.Sprint("known_at=", done.seq("/seq"))), []string{"Boston"})

	list := w.get("/v1/beliefs/" + o.chicago.belief + "/amendments").is(200)
	same(w.T, "what was amended", list.texts("/items", "/kind"), []string{"retract", "undo"})
	same(w.T, "by what it was undone", list.text("/items/0/undone_by"), undone.text("/amendment_id"))
	same(w.T, "what the undo names", list.text("/items/1/undoes"), retraction)
	same(w.T, "the amendment", w.get("/v1/amendments/"+retraction).is(200).text("/undone_by"), undone.text("/amendment_id"))
	same(w.T, "known before the undo", w.get(fmt.Sprint("/v1/beliefs/", o.chicago.belief, "/amendments?known_at=", done.seq("/seq"))).is(200).texts("/items", "/kind"), []string{"retract"})

	same(w.T, "the value is barred no longer", w.belief(again.belief).text("/contradiction_status"), "clean")
	anew := w.post("/v1/beliefs/"+again.belief+"/retract", nil).is(200).text("/amendment_id")
	same(w.T, "another retraction bars it anew", w.belief(o.chicago.belief).text("/contradiction_status"), "quarantined")
	w.undo(anew).is(200)
	views := w.views(o.boston.entity)
	before := views()
	w.undo(w.post("/v1/beliefs/"+o.boston.belief+"/retract", nil).is(200).text("/amendment_id")).is(200)
	same(w.T, "all as before", views(), before)
	verify(w.T, w.srv.store, w.tenant)
}

func undoneEnd(w *world) {
	o := movesOffice(w)
	views := w.views(o.boston.entity)
	before := views()
	end := w.post("/v1/beliefs/"+o.chicago.belief+"/end", obj{"at": "2021-09-01T00:00:00Z"}).is(200).text("/amendment_id")
	confirm := w.post("/v1/beliefs/"+o.boston.belief+"/confirm", obj{"at": "2021-09-02T00:00:00Z"}).is(200).text("/amendment_id")
	same(w.T, "what stands", w.believed(o.boston.entity, "office"), []string{})
	w.undo(confirm).is(200)
	w.undo(end).is(200)
	same(w.T, "all as before", views(), before)
	verify(w.T, w.srv.store, w.tenant)
}

func undoneAnswer(w *world) {
	boston, chicago, kase := holds(w)
	views := w.views(boston.entity)
	before := views()
	path := "/v1/quarantine/" + kase.text("/case_id")
	settle := obj{"accept": boston.belief, "version": kase.at("/version"), "note": "Asked Jon."}
	settled := w.post(path+"/resolution", settle).is(200)
	w.post(path+"/resolution", settle).problem(409, "conflict")
	settle["version"] = settled.at("/case/version")
	w.post(path+"/resolution", settle).problem(409, "conflict")
	same(w.T, "what stands", w.believed(boston.entity, "office"), []string{"Boston"})

	undone := w.post(path+"/undo", obj{"reason": "That was another Jon."}).is(200)
	same(w.T, "the case", []string{undone.text("/case/state"), undone.text("/case/version"), undone.text("/case/accepted"), undone.text("/case/note")},
		[]string{"open", "3", "", ""})
	same(w.T, "what stands no longer", undone.texts("/displaced", ""), []string{boston.belief})
	same(w.T, "all as before", views(), before)
	same(w.T, "what was said of it", w.get("/v1/beliefs/"+chicago.belief+"/amendments").is(200).texts("/items", "/kind"), []string{"reject", "undo"})
	w.post(path+"/undo", nil).problem(409, "conflict")
	settle["version"] = 1
	w.post(path+"/resolution", settle).problem(409, "conflict", "/version")
	settle["version"], settle["accept"] = 3, chicago.belief
	w.post(path+"/resolution", settle).is(200)
	same(w.T, "what stands with the other answer", w.believed(boston.entity, "office"), []string{"Chicago"})
	verify(w.T, w.srv.store, w.tenant)
}

func undoneAnswers(w *world) {
	boston, chicago, kase := w.tied("Jon Smith", "office", "Boston", "Chicago", seen("2021-03-01T09:00:00Z"))
	views := w.views(boston.entity)
	before := views()
	path := "/v1/quarantine/" + kase
	answers := []obj{
		{"both": true}, {"reject_all": true}, {"accept": boston.belief}, {"accept": chicago.belief, "from": "2022-01-01T00:00:00Z"},
	}
	var history []string
	for _, a := range answers {
		w.settle(kase, a).is(200)
		said := w.get("/v1/beliefs/"+chicago.belief+"/amendments").is(200).texts("/items", "/amendment_id")
		w.undo(said[len(said)-1]).problem(422, "unprocessable")
		w.post(path+"/undo", obj{"reason": "That was another Jon."}).is(200)
		same(w.T, fmt.Sprint("all as before ", a), views(), before)
		verify(w.T, w.srv.store, w.tenant)
	}
	for _, action := range []string{"both", "reject_all", "accept", "accept"} {
		history = append(history, action, "undone")
	}
	c := w.kase(kase)
	same(w.T, "the history", c.texts("/history", "/action"), history)
	same(w.T, "why", c.text("/history/1/note"), "That was another Jon.")
	same(w.T, "nobody has answered", []string{c.text("/accepted_from"), c.text("/settled_by/how"), c.text("/version")}, []string{"", "", "9"})
}

func undoneAcrossScopes(w *world) {
	user, project := obj{"user_id": "u1"}, obj{"project_id": "p1"}
	jon := w.say("Jon Smith", "group", "Platform").entity
	cocoa := w.say("", "drink", "cocoa", about(jon), within(user), by("Dana"))
	w.say("", "drink", "coffee", about(jon), within(project), by("Eve"))
	ask := func() answer {
		w.Helper()
		return w.compile(obj{"query": "What does Jon Smith drink?", "scope": obj{"user_id": "u1", "project_id": "p1"}})
	}
	ask().shows(not, "cocoa", "coffee")
	eventually(w.T, "a case is opened after the response", func() bool { return w.openCases() == 1 })
	kase := w.get("/v1/quarantine").is(200)
	path := "/v1/quarantine/" + kase.text("/items/0/case_id")
	w.post(path+"/resolution", obj{"accept": cocoa.belief, "version": 1}).is(200)
	ask().shows("cocoa", not, "coffee")
	undone := w.post(path+"/undo", nil).is(200)
	same(w.T, "the case", undone.text("/case/state")+" "+undone.text("/case/version"), "open 3")
	ask().shows(not, "cocoa", "coffee")
	w.post(path+"/undo", nil).problem(409, "conflict")
	verify(w.T, w.srv.store, w.tenant)
}

func badUndos(w *world) {
	zoe := w.say("Zoe Park", "office", "Chicago")
	boss := w.say("Ann Lee", "office", "Denver", level(1))
	retraction := w.post("/v1/beliefs/"+zoe.belief+"/retract", nil).is(200).text("/amendment_id")
	strong := w.post("/v1/beliefs/"+boss.belief+"/end", obj{"at": "2030-01-01T00:00:00Z"}).is(200).text("/amendment_id")
	w.unchanged("what cannot be undone", func() {
		w.undo("00000000-0000-7000-8000-000000000001").problem(404, "not_found")
		w.undo("x").problem(400, "invalid", "id")
		w.with(newKey(w.T, w.srv.store, newTenant())).undo(retraction).problem(404, "not_found")
		w.issue(obj{"roles": list{"agent"}}).undo(strong).problem(403, "authority_too_high")
		w.issue(obj{"roles": list{"agent"}, "clearance": "public"}).undo(retraction).problem(404, "not_found")
		w.issue(obj{"roles": list{"analyst"}}).undo(retraction).problem(403, "forbidden")
		w.get("/v1/amendments/"+zoe.belief).problem(404, "not_found")
		w.get("/v1/beliefs/"+retraction+"/amendments").problem(404, "not_found")
	})
	undo := w.undo(retraction).is(200).text("/amendment_id")
	w.undo(retraction).problem(409, "conflict")
	w.undo(undo).problem(422, "unprocessable")
	boston, _, kase := holds(w)
	path := "/v1/quarantine/" + kase.text("/case_id")
	w.post(path+"/undo", nil).problem(409, "conflict")
	w.post(path+"/resolution", obj{"accept": boston.belief, "version": kase.at("/version")}).is(200)
	w.issue(obj{"roles": list{"agent"}}).post(path+"/undo", nil).problem(403, "forbidden")
	w.issue(obj{"roles": list{"reviewer"}, "clearance": "public"}).post(path+"/undo", nil).problem(404, "not_found")
	part := w.get("/v1/beliefs/" + boston.belief + "/amendments").is(200).text("/items/0/amendment_id")
	w.undo(part).problem(422, "unprocessable")
	verify(w.T, w.srv.store, w.tenant)
}

func role(r string) edit { return func(s statement) { s.source["role"] = r } }

func roleOfKey(w *world) {
	manager := w.issue(obj{"roles": list{"agent", "admin"}, "role": "Manager"})
	said := manager.say("Jon Smith", "office", "Boston")
	same(w.T, "whose word it is", w.belief(said.belief).text("/role"), "Manager")
	same(w.T, "the key", w.get("/v1/keys").is(200).texts("/items", "/role")[1:], []string{"Manager"})
	same(w.T, "a lower role", w.belief(manager.say("Jon Smith", "desk", "3a", role("intern")).belief).text("/role"), "intern")
	w.unchanged("a higher role", func() {
		manager.post("/v1/observations", stating("Jon Smith", "office", "Denver", role("board member"))).
			problem(403, "authority_too_high", "/source/role")
		manager.post("/v1/keys", obj{"roles": list{"agent"}, "role": "ceo"}).problem(403, "forbidden", "/role")
		w.post("/v1/keys", obj{"roles": list{"agent"}, "role": "?!"}).problem(400, "invalid", "/role")
	})
	same(w.T, "a key of the manager's", manager.post("/v1/keys", obj{"roles": list{"agent"}}).is(201).text("/credential/role"), "Manager")
	intern := w.issue(obj{"roles": list{"agent"}, "role": "intern"})
	intern.post("/v1/beliefs/"+said.belief+"/retract", nil).problem(403, "forbidden")
	retraction := manager.post("/v1/beliefs/"+said.belief+"/retract", nil).is(200).text("/amendment_id")
	same(w.T, "the role of the retraction", w.get("/v1/amendments/"+retraction).is(200).text("/role"), "Manager")
	intern.undo(retraction).problem(403, "forbidden")
	manager.undo(retraction).is(200)
	verify(w.T, w.srv.store, w.tenant)
}

func orderOfRoles(w *world) {
	put := func(version int, terms ...any) answer {
		return w.call("PUT", "/v1/vocabularies/roles", obj{"closed": false, "version": version, "terms": terms})
	}
	w.say("Jon Smith", "office", "Boston", role("abbot"), by("Dana"), from("2021-01-01T00:00:00Z"))
	w.say("Jon Smith", "office", "Chicago", role("Novice"), by("Eve"), from("2021-02-01T00:00:00Z"))
	put(0, obj{"name": "Abbot", "outranks": list{"Novice"}}, obj{"name": "novice"}).is(200)
	verify(w.T, w.srv.store, w.tenant)
	terms := w.get("/v1/vocabularies/roles").is(200)
	same(w.T, "the terms", terms.texts("/terms", "/name"), []string{"abbot", "novice"})
	same(w.T, "what it outranks", terms.texts("/terms/0/outranks", ""), []string{"novice"})
	w.unchanged("bad orders", func() {
		put(1, obj{"name": "novice", "outranks": list{"abbot"}}).problem(422, "unprocessable", "/terms/0/outranks/0")
		put(1, obj{"name": "x", "outranks": list{"nobody"}}).problem(422, "unprocessable", "/terms/0/outranks/0")
		put(1, obj{"name": "x", "parent": "nobody"}).problem(422, "unprocessable", "/terms/0/parent")
		put(1, obj{"name": "guest", "outranks": list{"board"}}).problem(422, "unprocessable", "/terms/0/outranks/0")
		put(1, obj{"name": "Team Lead"}, obj{"name": "team-lead"}).problem(422, "unprocessable", "/terms/1/name")
		put(1, obj{"name": "novice", "removed": true}).problem(422, "unprocessable", "/terms/0")
		put(0, obj{"name": "x"}).problem(409, "conflict", "/version")
	})
	put(1, obj{"name": "novice", "removed": true}, obj{"name": "abbot", "removed": true}).is(200)
	verify(w.T, w.srv.store, w.tenant)
}

// keysWriteAsUsers: a key may state more than a user's level, and does so only where it says so.
func keysWriteAsUsers(w *world) {
	for name, key := range map[string]*world{"its own": w, "the default": w.issue(obj{"roles": list{"agent", "reviewer", "admin"}})} {
		said := key.record(stating("Jon Smith", name, "Boston", func(s statement) { delete(s.source, "authority_level") }))
		same(w.T, name, w.belief(said.belief).text("/authority_level"), "2")
	}
	same(w.T, "said so", w.belief(w.say("Jon Smith", "rule", "no", level(0)).belief).text("/authority_level"), "0")
	w.issue(obj{"roles": list{"admin", "agent"}}).post("/v1/observations", stating("Jon Smith", "rule", "yes", level(1))).
		problem(403, "authority_too_high", "/source/authority_level")
}
