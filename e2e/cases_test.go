package e2e

import (
	"fmt"
	"strings"
)

// Contradictions that wait for an answer: how they are listed, who works on them, and what each answer does.
var cases = []scenario{
	{"case-tells-who-said-what", caseTold},
	{"case-does-not-leak-texts", caseGates},
	{"cases-by-worth", casesByWorth},
	{"cases-are-chosen", casesChosen},
	{"case-leased", caseLeased},
	{"case-put-off", casePutOff},
	{"case-both-are-true", caseBoth},
	{"case-one-from-a-date", caseFrom},
	{"case-one-from-a-date-refused", caseFromRefused},
	{"case-answered-once", caseOnce},
	{"cases-answered-together", casesTogether},
	{"case-across-scopes-both", caseBothAcross},
	{"resolver-answers-look-ups", resolverAnswers},
	{"settlement-dry-run", settlementDryRun},
	{"observation-dry-run", observationDryRun},
	{"tasks-of-both-kinds", tasksListed},
}

// spoken has a text in the observation.
func spoken(text string) edit { return field(inObservation, "text", text) }

// tied has two people say two things of a subject, and returns the case.
func (w *world) tied(name, predicate, one, other string, edits ...edit) (first, second told, kase string) {
	w.Helper()
	first = w.say(name, predicate, one, append(edits, by("Dana"), spoken("I am sure that "+name+" has "+one+" as "+predicate+"."))...)
	second = w.say(name, predicate, other, append(edits, by("Eve"), spoken(name+", as I heard: "+other+"."))...)
	kase = second.text("/beliefs/0/case_id")
	if kase == "" {
		w.Fatalf("no case is open: %s", second.raw)
	}
	return first, second, kase
}

func (w *world) kase(id string) answer {
	w.Helper()
	return w.get("/v1/quarantine/" + id).is(200)
}

// settle answers a case as it is now.
func (w *world) settle(id string, in obj) answer {
	w.Helper()
	in["version"] = w.kase(id).seq("/version")
	return w.post("/v1/quarantine/"+id+"/resolution", in)
}

func (w *world) cases(filters string) []string {
	w.Helper()
	return w.get("/v1/quarantine?"+filters).is(200).texts("/items", "/case_id")
}

func caseTold(w *world) {
	boston, chicago, id := w.tied("Jon Smith", "office", "Boston", "Chicago")
	want := map[string][]string{
		boston.belief:  {"Boston", "I am sure that Jon Smith has Boston as office.", "Dana"},
		chicago.belief: {"Chicago", "Jon Smith, as I heard: Chicago.", "Eve"},
	}
	for _, c := range []any{w.kase(id).body, w.get("/v1/quarantine").is(200).at("/items/0")} {
		same(w.T, "whom it is about", text(c, "/subject_name")+" "+text(c, "/predicate"), "Jon Smith office")
		same(w.T, "how much waits", text(c, "/pending_beliefs"), "2")
		sides, _ := at(c, "/sides").(list)
		same(w.T, "the sides", texts(sides, "/belief_id"), sorted(boston.belief, chicago.belief))
		for _, s := range sides {
			same(w.T, "who said what", []string{text(s, "/value"), text(s, "/excerpt"), text(s, "/source/speaker")}, want[text(s, "/belief_id")])
			if text(s, "/source/authority_level") != "2" || text(s, "/observed_at") == "" || text(s, "/source/origin") == "" {
				w.Errorf("a side does not tell level, origin and time: %v", s)
			}
		}
	}
	other := w.relate("Jon Smith", "boss", "Ann Lee", by("Dana"))
	w.relate("Jon Smith", "boss", "Bob Ray", by("Eve"))
	c := w.kase(w.belief(other.belief).text("/case_id"))
	same(w.T, "the names of values", sorted(c.texts("/sides", "/value_name")...), []string{"Ann Lee", "Bob Ray"})
}

func caseGates(w *world) {
	w.say("Jon Smith", "office", "Boston", by("Dana"), spoken("A word in public."))
	o := stating("Jon Smith", "office", "Chicago", by("Eve"), spoken("Chicago, and his salary is 9."))
	o["claims"] = append(o["claims"].(list), obj{
		"subject": obj{"mention": 0}, "predicate": "salary", "value": 9, "object_type": "identity_fact", "confidence_score": .8,
		"security_classification": "highly_restricted",
	})
	told := w.record(o)
	id := told.text("/beliefs/0/case_id")
	low := w.issue(obj{"roles": list{"reviewer"}, "clearance": "restricted"})
	same(w.T, "what may be read", sorted(low.kase(id).texts("/sides", "/excerpt")...), []string{"", "A word in public."})
	same(w.T, "the value is told", sorted(low.kase(id).texts("/sides", "/value")...), []string{"Boston", "Chicago"})
}

func casesByWorth(w *world) {
	_, _, weak := w.tied("Ann Lee", "office", "Boston", "Chicago", level(4))
	_, _, old := w.tied("Eve Orr", "office", "Boston", "Chicago", seen("2021-03-01T09:00:00Z"))
	_, _, plain := w.tied("Bob Ray", "office", "Boston", "Chicago")
	ground := w.say("Cid Low", "office", "Boston", by("Dana"))
	w.say("Cid Low", "tax", "MA", dependsOn(ground.belief))
	w.say("Cid Low", "parking", "P1", dependsOn(ground.belief))
	held := w.say("Cid Low", "office", "Chicago", by("Eve")).text("/beliefs/0/case_id")
	_, _, strong := w.tied("Dee Fox", "office", "Boston", "Chicago", level(1))
	order := []string{held, strong, plain, weak, old}
	same(w.T, "what is worth most first", w.cases(""), order)
	same(w.T, "what waits", w.kase(held).text("/pending_beliefs"), "4")
	var paged []string
	for path := "/v1/quarantine?limit=2"; path != ""; {
		page := w.get(path).is(200)
		paged = append(paged, page.texts("/items", "/case_id")...)
		if path = ""; page.text("/next_cursor") != "" {
			path = "/v1/quarantine?limit=2&cursor=" + page.text("/next_cursor")
		}
	}
	same(w.T, "page by page", paged, order)
	same(w.T, "by age", w.cases("order=age"), sorted(order...))
	w.settle(held, obj{"reject_all": true}).is(200)
	w.settle(weak, obj{"reject_all": true}).is(200)
	same(w.T, "the open ones", w.cases(""), []string{strong, plain, old})
	same(w.T, "the settled, the last first", w.cases("state=settled"), []string{weak, held})
	w.settle(strong, obj{"defer": true}).is(200)
	same(w.T, "what was put off", w.cases(""), []string{plain, strong, old})
}

func casesChosen(w *world) {
	one, _, office := w.tied("Ann Lee", "office", "Boston", "Chicago")
	_, _, floor := w.tied("Ann Lee", "floor", "3", "4", within(obj{"project_id": "p1"}))
	_, _, tool := w.tied("Bob Ray", "office", "Boston", "Chicago", claims("update_path", "tool://hr/office"))
	all := sorted(office, floor, tool)
	w.post("/v1/quarantine/"+office+"/lease", nil).is(200)
	opened := w.kase(tool).text("/opened_at")
	for filter, want := range map[string][]string{
		"": all, "state=any": all, "state=settled": {}, "entity_id=" + one.entity: {office, floor}, "name=ann": {office, floor},
		"name=bob": {tool}, "name=zoe": {}, "predicate=floor": {floor}, "predicate=none": {}, "project_id=p1": {floor},
		"resolver=tool_lookup": {tool}, "resolver=user_confirmation": {office, floor}, "lease=held": {office},
		"lease=mine": {office}, "lease=free": {floor, tool}, "opened_after=" + opened: {tool}, "opened_before=" + opened: {office, floor},
		"predicate=office&resolver=user_confirmation": {office},
	} {
		same(w.T, filter, sorted(w.cases(filter)...), sorted(want...))
	}
	for _, bad := range []string{"state=ajar", "lease=x", "resolver=dog", "order=size", "opened_after=now", "due=perhaps"} {
		name, _, _ := strings.Cut(bad, "=")
		w.get("/v1/quarantine?"+bad).problem(400, "invalid", name)
	}
	w.settle(office, obj{"both": true, "reviewer": "Zoë"}).problem(409, "conflict")
	w.settle(office, obj{"both": true}).is(200)
	w.settle(floor, obj{"both": true, "reviewer": "Zoë"}).is(200)
	same(w.T, "who settled", w.cases("state=settled&settled_by=Zo%C3%AB"), []string{floor})
	same(w.T, "with which key", w.cases("state=any&settled_by="+w.kase(floor).text("/settled_by/actor")), sorted(office, floor))
}

func caseLeased(w *world) {
	_, second, id := w.tied("Jon Smith", "office", "Boston", "Chicago")
	path := "/v1/quarantine/" + id
	eve := w.issue(obj{"roles": list{"reviewer"}})
	l := w.post(path+"/lease", obj{"reviewer": "Dana", "for_seconds": 60}).is(200)
	same(w.T, "the lease", l.text("/reviewer")+" "+l.text("/version"), "Dana 1")
	c := eve.kase(id)
	same(w.T, "whose it is", c.text("/reviewer")+" "+c.text("/leased_by")+" "+c.text("/leased_until"), "Dana "+l.text("/leased_by")+" "+l.text("/leased_until"))
	w.unchanged("while another has it", func() {
		p := eve.settle(id, obj{"reject_all": true}).problem(409, "conflict")
		if d := p.text("/detail"); !strings.Contains(d, "Dana") || !strings.Contains(d, l.text("/leased_until")[:16]) {
			w.Errorf("who has it until when is not told: %s", d)
		}
		eve.post(path+"/lease", nil).problem(409, "conflict")
		eve.post(path+"/release", nil).problem(409, "conflict")
		w.settle(id, obj{"defer": true, "reviewer": "Frank"}).problem(409, "conflict")
	})
	w.post(path+"/lease", obj{"reviewer": "Dana", "for_seconds": 120}).is(200)
	w.post(path+"/release", obj{"reviewer": "Dana"}).is(200)
	w.unchanged("released again", func() { eve.post(path+"/release", nil).is(200) })
	eve.post(path+"/lease", obj{"for_seconds": 1}).is(200)
	eventually(w.T, "the lease ends by itself", func() bool { return w.kase(id).text("/leased_by") == "" })
	w.post(path+"/lease", nil).is(200)
	w.settle(id, obj{"accept": second.belief}).is(200)
	same(w.T, "settled and nobody's", w.kase(id).text("/state")+w.kase(id).text("/leased_by"), "settled")
	w.post(path+"/lease", nil).problem(409, "conflict")
	w.issue(obj{"roles": list{"agent"}}).post(path+"/lease", nil).problem(403, "forbidden")
	w.post(path+"/lease", obj{"for_seconds": 0}).problem(400, "invalid", "/for_seconds")
	w.post("/v1/quarantine/"+second.entity+"/lease", nil).problem(404, "not_found")
	verify(w.T, w.srv.store, w.tenant)
}

func casePutOff(w *world) {
	first, second, id := w.tied("Jon Smith", "office", "Boston", "Chicago")
	a := w.settle(id, obj{"defer": true, "until": "2999-01-01T00:00:00Z", "note": "Ask Jon.", "reviewer": "Dana"}).is(200)
	same(w.T, "it stays open", a.text("/case/state")+" "+a.text("/case/version"), "open 2")
	c := w.kase(id)
	same(w.T, "the note", c.text("/defer_note")+" "+c.text("/deferred_until"), "Ask Jon. 2999-01-01T00:00:00Z")
	same(w.T, "the history", []string{c.text("/history/0/action"), c.text("/history/0/reviewer"), c.text("/history/0/until"), c.text("/history/0/note")},
		[]string{"defer", "Dana", "2999-01-01T00:00:00Z", "Ask Jon."})
	same(w.T, "listed", w.cases(""), []string{id})
	same(w.T, "not due", w.cases("due=true"), []string{})
	same(w.T, "no task", len(w.get("/v1/tasks").is(200).items("/items")), 0)
	path := "/v1/quarantine/" + id + "/resolution"
	w.unchanged("what is not to be", func() {
		w.post(path, obj{"defer": true, "version": 1}).problem(409, "conflict", "/version")
		w.settle(id, obj{"defer": true, "until": "2001-01-01T00:00:00Z"}).problem(422, "unprocessable", "/until")
		w.settle(id, obj{"accept": first.belief, "until": "2999-01-01T00:00:00Z"}).problem(400, "invalid", "/until")
		w.settle(id, obj{"defer": true, "both": true}).problem(400, "invalid", "")
	})
	w.settle(id, obj{"defer": true}).is(200)
	same(w.T, "without a date it is due", w.cases("due=true"), []string{id})
	w.settle(id, obj{"accept": second.belief}).is(200)
	same(w.T, "all of it", w.kase(id).texts("/history", "/action"), []string{"defer", "defer", "accept"})
	verify(w.T, w.srv.store, w.tenant)
}

func caseBoth(w *world) {
	boston, chicago, id := w.tied("Jon Smith", "office", "Boston", "Chicago")
	a := w.settle(id, obj{"both": true, "note": "He has two.", "reviewer": "Zoë", "authority_level": 2}).is(200)
	same(w.T, "both stand", sorted(w.believed(boston.entity, "office")...), []string{"Boston", "Chicago"})
	same(w.T, "restored", a.texts("/restored", ""), sorted(boston.belief, chicago.belief))
	same(w.T, "rejected", len(a.items("/rejected")), 0)
	c := w.kase(id)
	same(w.T, "by whom", []string{c.text("/state"), c.text("/settled_by/how"), c.text("/settled_by/reviewer"), c.text("/note")},
		[]string{"settled", "both", "Zoë", "He has two."})
	same(w.T, "when", c.text("/settled_by/at"), c.text("/closed_at"))
	w.compile(obj{"query": "Where is the office of Jon Smith?"}).shows("Boston", "Chicago")
	w.say("Jon Smith", "office", "Boston", by("Frank"))
	same(w.T, "one of them said again", sorted(w.believed(boston.entity, "office")...), []string{"Boston", "Boston", "Chicago"})
	same(w.T, "no case", w.openCases(), 0)
	w.say("Jon Smith", "office", "Denver", from("2090-01-01T00:00:00Z"))
	same(w.T, "what he says later displaces both", w.believed(boston.entity, "office", "valid_at=2091-01-01T00:00:00Z"), []string{"Denver"})
	w.say("Jon Smith", "office", "Chicago", by("Boss"), level(1))
	same(w.T, "a stronger authority is not bound", w.believed(boston.entity, "office"), []string{"Chicago", "Chicago"})
	verify(w.T, w.srv.store, w.tenant)
}

func caseFrom(w *world) {
	boston, chicago, id := w.tied("Jon Smith", "office", "Boston", "Chicago", seen("2021-03-01T09:00:00Z"))
	a := w.settle(id, obj{"accept": chicago.belief, "from": "2022-01-01T00:00:00Z", "note": "He moved at New Year."}).is(200)
	at := func(day string) []string { return w.believed(boston.entity, "office", "valid_at="+day+"T00:00:00Z") }
	same(w.T, "before", at("2021-12-31"), []string{"Boston"})
	same(w.T, "since", at("2022-01-01"), []string{"Chicago"})
	same(w.T, "now", w.believed(boston.entity, "office"), []string{"Chicago"})
	same(w.T, "the case", a.text("/case/accepted")+" "+a.text("/case/accepted_from"), chicago.belief+" 2022-01-01T00:00:00Z")
	same(w.T, "nothing is rejected", len(a.items("/rejected")), 0)
	same(w.T, "the causes", w.belief(chicago.belief).texts("/segments", "/cause"), []string{"start", "stands"})
	same(w.T, "of the other", w.belief(boston.belief).texts("/segments", "/cause"), []string{"stands", "end"})
	w.say("Jon Smith", "office", "Chicago", by("Frank"), seen("2021-03-01T09:01:00Z"))
	same(w.T, "said again, it is not from before", at("2021-12-31"), []string{"Boston"})
	same(w.T, "no case", w.openCases(), 0)
	verify(w.T, w.srv.store, w.tenant)
}

func caseFromRefused(w *world) {
	boston, chicago, id := w.tied("Jon Smith", "office", "Boston", "Chicago", seen("2021-03-01T09:00:00Z"), until("2030-01-01T00:00:00Z"))
	w.unchanged("dates that say nothing", func() {
		w.settle(id, obj{"accept": chicago.belief, "from": "2020-01-01T00:00:00Z"}).problem(422, "unprocessable", "/from")
		w.settle(id, obj{"accept": chicago.belief, "from": "2031-01-01T00:00:00Z"}).problem(422, "unprocessable", "/from")
		w.settle(id, obj{"both": true, "from": "2022-01-01T00:00:00Z"}).problem(400, "invalid", "/from")
		w.settle(id, obj{"accept": chicago.belief, "from": "yesterday"}).problem(400, "invalid", "/from")
	})
	w.say("Jon Smith", "office", "Denver", by("Frank"), seen("2021-03-01T09:00:00Z"))
	w.unchanged("three values", func() {
		w.settle(id, obj{"accept": boston.belief, "from": "2022-01-01T00:00:00Z"}).problem(422, "unprocessable", "/from")
	})
}

func caseOnce(w *world) {
	boston, chicago, id := w.tied("Jon Smith", "office", "Boston", "Chicago")
	path := "/v1/quarantine/" + id + "/resolution"
	eve := w.issue(obj{"roles": list{"reviewer"}})
	w.post(path, obj{"accept": chicago.belief, "version": 1}).is(200)
	w.unchanged("answered again", func() {
		for _, again := range []obj{{"accept": boston.belief}, {"accept": chicago.belief}, {"both": true}, {"reject_all": true}, {"defer": true}} {
			again["version"] = 2
			w.post(path, again).problem(409, "conflict")
			eve.post(path, again).problem(409, "conflict")
		}
		may := w.issue(obj{"roles": list{"agent"}}).post(path, obj{"both": true, "version": 2}).problem(403, "forbidden").text("/detail")
		same(w.T, "who may", strings.Contains(may, "reviewer") && strings.Contains(may, "admin"), true)
	})
	same(w.T, "the first answer holds", w.believed(boston.entity, "office"), []string{"Chicago"})
}

func casesTogether(w *world) {
	one, _, first := w.tied("Ann Lee", "office", "Boston", "Chicago")
	_, _, second := w.tied("Bob Ray", "office", "Boston", "Chicago")
	_, _, third := w.tied("Cid Low", "office", "Boston", "Chicago")
	answers := obj{"settlements": list{
		obj{"case_id": first, "accept": one.belief, "version": 1},
		obj{"case_id": second, "both": true, "version": 7},
		obj{"case_id": third, "reject_all": true, "version": 1},
		obj{"case_id": one.entity, "reject_all": true, "version": 1},
	}}
	a := w.post("/v1/quarantine:settle", answers, idem+"k").is(200)
	same(w.T, "what became of each", a.texts("/results", "/status"), []string{"200", "409", "200", "404"})
	same(w.T, "the states", a.texts("/results", "/answer/case/state"), []string{"settled", "", "settled", ""})
	same(w.T, "the open ones", w.cases(""), []string{second})
	w.unchanged("the same again", func() {
		again := w.post("/v1/quarantine:settle", answers, idem+"k").is(200)
		same(w.T, "replayed", again.texts("/results", "/replayed"), []string{"true", "", "true", ""})
	})
	w.unchanged("a fault in one", func() {
		w.post("/v1/quarantine:settle", obj{"settlements": list{
			obj{"case_id": second, "both": true, "version": 1}, obj{"case_id": second, "both": true, "reject_all": true, "version": 1},
		}}).problem(400, "invalid", "/settlements/1")
	})
}

func caseBothAcross(w *world) {
	jon := w.say("Jon Smith", "group", "Platform").entity
	w.say("", "drink", "tea", about(jon), by("Dana"), within(obj{"user_id": "u1"}))
	w.say("", "drink", "cocoa", about(jon), by("Eve"), within(obj{"project_id": "p1"}))
	ask := obj{"query": "What does Jon Smith drink?", "scope": obj{"user_id": "u1", "project_id": "p1"}}
	w.compile(ask).shows(not, "tea", "cocoa")
	eventually(w.T, "the case across scopes is open", func() bool { return w.openCases() == 1 })
	id := w.cases("")[0]
	w.settle(id, obj{"accept": w.kase(id).text("/holds/0"), "from": "2022-01-01T00:00:00Z"}).problem(422, "unprocessable", "/from")
	w.settle(id, obj{"both": true}).is(200)
	w.compile(ask).shows("tea", "cocoa")
}

func resolverAnswers(w *world) {
	_, _, person := w.tied("Ann Lee", "office", "Boston", "Chicago")
	tool := claims("update_path", "tool://hr/office")
	_, law, strong := w.tied("Bob Ray", "office", "Boston", "Chicago", tool, level(1))
	_, fact, plain := w.tied("Cid Low", "office", "Boston", "Chicago", tool)
	agent := w.issue(obj{"roles": list{"resolver"}, "max_authority": 2})
	tasks := agent.get("/v1/tasks?waits_for=tool_lookup").is(200)
	same(w.T, "what waits for a tool", tasks.texts("/items", "/id"), []string{strong, plain})
	same(w.T, "which", tasks.text("/items/0/target")+" "+tasks.text("/items/0/path"), "tool://hr/office /v1/quarantine/"+strong)
	w.unchanged("what it may not", func() {
		agent.settle(person, obj{"both": true}).problem(403, "forbidden")
		agent.settle(strong, obj{"accept": law.belief}).problem(403, "authority_too_high")
		agent.post("/v1/quarantine/"+strong+"/lease", nil).problem(403, "authority_too_high")
		agent.settle(plain, obj{"accept": fact.belief, "authority_level": 1}).problem(403, "authority_too_high", "/authority_level")
		agent.get("/v1/reviews").problem(403, "forbidden")
		agent.post("/v1/observations", stating("Jon", "office", "Boston")).problem(403, "forbidden")
	})
	agent.post("/v1/quarantine/"+plain+"/lease", nil).is(200)
	a := agent.settle(plain, obj{"accept": fact.belief, "note": "looked up"}).is(200)
	same(w.T, "settled", a.text("/case/state"), "settled")
	w.issue(obj{"roles": list{"resolver"}, "max_authority": 1}).settle(strong, obj{"accept": law.belief}).is(200)
}

func settlementDryRun(w *world) {
	boston, chicago, id := w.tied("Jon Smith", "office", "Boston", "Chicago")
	path := "/v1/quarantine/" + id + "/resolution"
	var foretold answer
	w.unchanged("a dry run", func() {
		foretold = w.post(path+"?dry_run=true", obj{"accept": chicago.belief, "version": 1}, idem+"k").is(200)
		same(w.T, "the case is as it was", foretold.text("/case/state")+" "+foretold.text("/dry_run"), "open true")
		w.post(path+"?dry_run=true", obj{"accept": chicago.belief, "version": 9}).problem(409, "conflict", "/version")
		w.post(path+"?dry_run=true", obj{"accept": chicago.belief, "both": true, "version": 1}).problem(400, "invalid", "")
	})
	same(w.T, "what stands", w.believed(boston.entity, "office"), []string{})
	done := w.post(path, obj{"accept": chicago.belief, "version": 1}, idem+"k").is(200)
	for _, part := range []string{"/rejected", "/restored", "/displaced"} {
		same(w.T, part, foretold.at(part), done.at(part))
	}
	same(w.T, "rejected", done.texts("/rejected", ""), []string{boston.belief})
}

func observationDryRun(w *world) {
	old := w.say("Jon Smith", "office", "Boston", seen("2021-03-01T09:00:00Z"))
	tie := w.say("Jon Smith", "floor", "3", by("Dana"))
	ask := func(o obj, path string) answer { return w.post(path, o) }
	news := stating("Jon Smith", "office", "Chicago", seen("2022-03-01T09:00:00Z"))
	held := stating("Jon Smith", "floor", "4", by("Eve"))
	w.unchanged("dry runs", func() {
		a := ask(news, "/v1/observations?dry_run=true").is(200)
		same(w.T, "what it would displace", a.texts("/beliefs/0/superseded", ""), []string{old.belief})
		same(w.T, "it says so", a.text("/dry_run")+" "+a.text("/seq"), fmt.Sprint("true ", tie.seq))
		same(w.T, "of whom", a.text("/mentions/0/entity_id"), old.entity)
		b := ask(held, "/v1/observations?dry_run=true").is(200)
		same(w.T, "what it would hold", b.text("/beliefs/0/status")+" "+strings.Join(b.texts("/beliefs/0/disputed_with", ""), " "), "disputed "+tie.belief)
		w.get("/v1/observations/"+a.text("/observation_id")).problem(404, "not_found")
		w.post("/v1/observations?dry_run=true", stating("Jon Smith", "office", "Chicago", level(9))).problem(400, "invalid", "/source/authority_level")
		w.post("/v1/observations?dry_run=perhaps", news).problem(400, "invalid", "dry_run")
	})
	same(w.T, "what stands", w.believed(old.entity, "office"), []string{"Boston"})
	same(w.T, "no case", w.openCases(), 0)
	w.unchanged("somebody new", func() {
		w.post("/v1/observations?dry_run=true", stating("Zoë Müller", "office", "Chicago")).is(200)
		same(w.T, "is not known after", len(w.get("/v1/entities?name=zo%C3%AB+m%C3%BCller").is(200).items("/items")), 0)
	})
	a := ask(news, "/v1/observations?dry_run=false").is(201)
	same(w.T, "and then in earnest", a.texts("/beliefs/0/superseded", "")[0]+a.text("/dry_run"), old.belief)
}

func tasksListed(w *world) {
	_, _, office := w.tied("Ann Lee", "office", "Boston", "Chicago")
	_, pending := w.asked("Jon Smith")
	_, _, floor := w.tied("Bob Ray", "floor", "3", "4", level(4), within(obj{"project_id": "p1"}))
	all := w.get("/v1/tasks").is(200)
	same(w.T, "what waits", sorted(all.texts("/items", "/id")...), sorted(office, pending.review(), floor))
	previous := ""
	for _, item := range all.items("/items") {
		path, kind := text(item, "/path"), text(item, "/kind")
		one := w.get(path).is(200)
		same(w.T, "its version", text(item, "/version"), one.text("/version"))
		if kind == "review" {
			same(w.T, "its name", text(item, "/name"), "Jon Smith")
		}
		var p float64
		if _, err := fmt.Sscan(text(item, "/priority"), &p); err != nil || p <= 0 {
			w.Errorf("the priority is %q", text(item, "/priority"))
		}
		var before float64
		if _, err := fmt.Sscan(previous, &before); previous != "" && (err != nil || before < p) {
			w.Errorf("%v comes after %s", item, previous)
		}
		previous = text(item, "/priority")
	}
	var paged []string
	for path := "/v1/tasks?limit=1"; path != ""; {
		page := w.get(path).is(200)
		paged = append(paged, page.texts("/items", "/id")...)
		if path = ""; page.text("/next_cursor") != "" {
			path = "/v1/tasks?limit=1&cursor=" + page.text("/next_cursor")
		}
	}
	same(w.T, "one by one", paged, all.texts("/items", "/id"))
	w.post("/v1/quarantine/"+office+"/lease", nil).is(200)
	for filter, want := range map[string][]string{
		"kind=case": {office, floor}, "kind=review": {pending.review()}, "waits_for=tool_lookup": {}, "project_id=p1": {floor},
		"lease=held": {office}, "lease=free": {floor, pending.review()}, "waits_for=user_confirmation": {office, floor, pending.review()},
	} {
		same(w.T, filter, sorted(w.get("/v1/tasks?"+filter).is(200).texts("/items", "/id")...), sorted(want...))
	}
	for path, want := range map[string]string{
		"tasks?count=true": "3", "tasks?count=true&limit=1": "3", "tasks?count=true&kind=case": "2", "tasks?count=false": "", "tasks": "",
		"quarantine?count=true&limit=1": "2", "quarantine?count=true&state=settled": "0", "quarantine?count=true&project_id=p1": "1",
		"reviews?count=true": "1", "reviews?count=true&state=settled": "0",
	} {
		same(w.T, "how many, "+path, w.get("/v1/"+path).is(200).text("/total"), want)
	}
	first := w.get("/v1/quarantine?count=true&limit=1").is(200).text("/next_cursor")
	same(w.T, "of a later page", w.get("/v1/quarantine?limit=1&cursor="+first).is(200).texts("/items", "/case_id"), []string{floor})
	w.get("/v1/tasks?kind=dog").problem(400, "invalid", "kind")
	w.issue(obj{"roles": list{"agent"}}).get("/v1/tasks").problem(403, "forbidden")
	same(w.T, "what a resolver sees", sorted(w.issue(obj{"roles": list{"resolver"}}).get("/v1/tasks").is(200).texts("/items", "/id")...), sorted(office, floor))
}
