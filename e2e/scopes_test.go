package e2e

import (
	"fmt"
	"strings"
)

// Who sees what: scopes, projects, clearance, roles, compilations.
var scopes = []scenario{
	{"tie-across-scopes", tieAcrossScopes},
	{"narrower-scope-wins", narrowerScope},
	{"hypothetical-displaces-nothing", func(w *world) { provisional(w, "hypothetical") }},
	{"draft-displaces-nothing", func(w *world) { provisional(w, "draft") }},
	{"one-name-in-two-projects", twoProjects},
	{"one-identifier-in-two-projects", sharedIdentifier},
	{"clearance-and-roles-do-not-leak", gates},
	{"what-is-hidden-changes-no-answer", hiddenEvidence},
	{"what-another-user-said", anotherUser},
	{"what-another-project-said", anotherProject},
	{"a-guess-tells-nothing", guesses},
	{"a-hidden-text-changes-nothing-for-others", hiddenText},
	{"a-claim-names-nothing-hidden", hiddenReferences},
	{"a-hidden-side-leaves-a-tie-without-a-case", hiddenSide},
	{"bound-key", boundKey},
	{"compilation-again", compilationAgain},
	{"same-state-same-bytes", sameBytes},
}

func tieAcrossScopes(w *world) {
	user, project := obj{"user_id": "u1"}, obj{"project_id": "p1"}
	both := obj{"user_id": "u1", "project_id": "p1"}
	// The person is everybody's; what is said of them is of a scope.
	jon := w.say("Jon Smith", "group", "Platform").entity
	cocoa := w.say("", "drink", "cocoa", about(jon), within(user), by("Dana"))
	coffee := w.say("", "drink", "coffee", about(jon), within(project), by("Eve"))
	same(w.T, "each stands in its own scope", cocoa.status+" "+coffee.status, "clean clean")

	ask := func(scope obj) answer {
		w.Helper()
		return w.compile(obj{"query": "What does Jon Smith drink?", "scope": scope})
	}
	same(w.T, "cases before anybody asked", w.openCases(), 0)
	c := ask(both)
	c.shows(not, "cocoa", "coffee")
	same(w.T, "held out", c.held(), sorted(cocoa.belief, coffee.belief))
	ask(user).shows("cocoa", not, "coffee")
	ask(project).shows("coffee", not, "cocoa")

	eventually(w.T, "a case is opened after the response", func() bool { return w.openCases() == 1 })
	kase := w.get("/v1/quarantine").is(200)
	same(w.T, "the case", kase.text("/items/0/cross_scope"), "true")
	same(w.T, "what it holds", kase.texts("/items/0/holds", ""), sorted(cocoa.belief, coffee.belief))
	same(w.T, "the case in the trace", ask(both).text("/trace/state_compilation_metadata/quarantined_objects/0/case_id"), kase.text("/items/0/case_id"))
	same(w.T, "one case is enough", w.openCases(), 1)

	w.post("/v1/quarantine/"+kase.text("/items/0/case_id")+"/resolution", obj{"accept": cocoa.belief, "version": 1}).is(200)
	c = ask(both)
	c.shows("cocoa", not, "coffee")
	same(w.T, "why coffee is not there", c.omitted(coffee.belief), "rejection")
	ask(user).shows("cocoa", not, "coffee")
	ask(project).shows("coffee", not, "cocoa")
	same(w.T, "the rejected still stands where it was said", w.belief(coffee.belief).text("/contradiction_status"), "clean")
}

func narrowerScope(w *world) {
	jon := w.say("Jon Smith", "editor", "vim").entity
	w.say("", "editor", "emacs", about(jon), within(obj{"project_id": "p1"}))
	w.compile(obj{"query": "Which editor uses Jon Smith?", "scope": obj{"project_id": "p1"}}).shows("emacs", not, "vim")
	w.compile(obj{"query": "Which editor uses Jon Smith?"}).shows("vim", not, "emacs")
	w.compile(obj{"query": "Which editor uses Jon Smith?", "scope": obj{"project_id": "p2"}}).shows("vim", not, "emacs")
	w.say("", "editor", "ed", about(jon), level(1))
	w.compile(obj{"query": "Which editor uses Jon Smith?", "scope": obj{"project_id": "p1"}}).shows("ed", not, "emacs", "vim")
}

func provisional(w *world, scope string) {
	fact := w.say("Jon Smith", "office", "Boston", key("fact"))
	what := obj{"kind": scope, "session_id": "s1"}
	w.say("Jon Smith", "office", "Mars", within(what))
	w.say("Jon Smith", "office", "Venus", within(what), level(0), supersedes("fact"))
	ask := obj{"query": "Where is the office of Jon Smith?"}
	w.compile(ask).shows("Boston", not, "Mars", "Venus")
	ask["scope"] = obj{"session_id": "s1"}
	w.compile(ask).shows("Boston", not, "Mars", "Venus")
	ask["scope"] = what
	w.compile(ask).shows("Venus", not, "Mars")
	same(w.T, "the fact", w.belief(fact.belief).text("/contradiction_status"), "clean")
}

func twoProjects(w *world) {
	a := w.say("Apollo", "deadline", "May", kind("project"), within(obj{"project_id": "a"}))
	b := w.say("Apollo", "deadline", "June", kind("project"), within(obj{"project_id": "b"}))
	if a.entity == b.entity {
		w.Error("one name in two projects is one entity")
	}
	for _, c := range []struct{ project, shows, hides, id string }{{"a", "May", "June", a.entity}, {"b", "June", "May", b.entity}} {
		w.compile(obj{"query": "deadline of Apollo", "scope": obj{"project_id": c.project}}).shows(c.shows, not, c.hides)
		found := w.get("/v1/entities?name=apollo&project_id=" + c.project).is(200)
		same(w.T, "who goes by the name", found.texts("/items", "/entity_id"), []string{c.id})
	}
	w.compile(obj{"query": "deadline of Apollo"}).shows(not, "May", "June")
	w.post("/v1/compile", obj{"query": "deadline", "entities": list{a.entity}, "scope": obj{"project_id": "b"}}).
		problem(422, "unprocessable", "/entities/0")
}

func sharedIdentifier(w *world) {
	w.say("Jon Smith", "desk", "12", within(obj{"project_id": "a"}), identified("email", "jon@acme.example"))
	b := w.say("Jon Smith", "desk", "34", within(obj{"project_id": "b"}), identified("email", "jon@acme.example"))
	same(w.T, "in the second project", b.status, "clean")
	w.compile(obj{"query": "desk of Jon Smith", "scope": obj{"project_id": "b"}}).shows("34", not, "12")
	w.compile(obj{"query": "desk of Jon Smith", "scope": obj{"project_id": "a"}}).shows("12", not, "34")
}

func gates(w *world) {
	open := w.say("Jon Smith", "office", "Boston", claims("security_classification", "public"))
	secret := w.say("Jon Smith", "salary", "123456", claims("security_classification", "confidential"))
	hr := w.say("Jon Smith", "illness", "influenza", claims("security_classification", "public"),
		claims("permission_scope", obj{"allow_roles": list{"hr"}}))
	denied := w.say("Jon Smith", "grade", "L7", claims("security_classification", "public"),
		claims("permission_scope", obj{"deny_roles": list{"agent"}}))

	low := w.issue(obj{"roles": list{"agent", "analyst"}, "clearance": "restricted", "act_for": true})
	ask := obj{"query": "office, salary, illness and grade of Jon Smith"}
	c := low.compile(ask)
	c.shows("Boston", not, "123456", "influenza", "L7")
	for _, leak := range []string{"123456", "influenza", "L7", secret.belief, hr.belief, denied.belief, "illness\":"} {
		if strings.Contains(string(c.raw), leak) {
			w.Errorf("the answer tells of %q: %s", leak, c.raw)
		}
	}
	hidden := c.at("/trace/state_compilation_metadata/denied_counts")
	same(w.T, "how much is hidden", len(hidden.(map[string]any)), 0)

	ask["identity"] = obj{"name": "Hanna", "roles": list{"HR"}}
	low.compile(ask).shows("influenza", not, "123456", "L7")
	low.get("/v1/beliefs/"+secret.belief).problem(404, "not_found")
	low.get("/v1/beliefs/"+secret.belief+"/chain").problem(404, "not_found")
	low.get("/v1/observations/"+secret.id).problem(404, "not_found")
	low.post("/v1/beliefs/"+secret.belief+"/confirm", nil).problem(404, "not_found")
	for _, name := range []string{secret.belief, "salary"} {
		for _, naming := range []edit{supersedes(name), dependsOn(name)} {
			low.post("/v1/observations", stating("Jon Smith", "rank", "A", naming)).problem(422, "unprocessable")
		}
	}
	same(w.T, "the list", low.page("entity_id="+open.entity, "predicate=salary").texts("/items", "/value"), []string{})
	w.issue(obj{"roles": list{"admin", "agent"}, "clearance": "highly_restricted"}).compile(obj{"query": "salary of Jon Smith"}).shows("123456")
}

func boundKey(w *world) {
	w.issue(obj{"roles": list{"admin"}, "bound": obj{"project_id": "a"}}).get("/v1/changes").problem(403, "forbidden")
	mine := w.issue(obj{"roles": list{"agent"}, "bound": obj{"project_id": "p1"}})
	said := mine.say("Apollo", "deadline", "May", kind("project"))
	same(w.T, "the scope that was left out", w.belief(said.belief).text("/scope/project_id"), "p1")
	mine.post("/v1/observations", stating("Apollo", "deadline", "June", within(obj{"project_id": "p2"}))).
		problem(403, "forbidden", "/scope/project_id")
	other := w.say("Apollo", "deadline", "July", kind("project"), within(obj{"project_id": "p2"}))
	mine.get("/v1/beliefs/"+other.belief).problem(404, "not_found")
	mine.get("/v1/entities/"+other.entity).problem(404, "not_found")
	mine.get("/v1/observations/"+other.id).problem(404, "not_found")
	mine.post("/v1/observations", stating("", "deadline", "June", about(other.entity))).
		problem(422, "unprocessable", "/claims/0/subject/entity_id")
	same(w.T, "what the key lists", mine.page("predicate=deadline").texts("/items", "/value"), []string{"May"})
	mine.compile(obj{"query": "deadline of Apollo", "scope": obj{"project_id": "p1"}}).shows("May", not, "July")
	mine.post("/v1/compile", obj{"query": "deadline", "scope": obj{"project_id": "p2"}}).problem(403, "forbidden", "/scope/project_id")
	mine.post("/v1/keys", obj{"roles": list{"agent"}}).problem(403, "forbidden")
	mine.get("/v1/changes").problem(403, "forbidden")
}

func compilationAgain(w *world) {
	w.say("Jon Smith", "office", "Boston & Zürich <b>\u2028")
	for _, provider := range []string{"plain", "anthropic", "openai"} {
		c := w.compile(obj{"query": "office of Jon Smith", "provider": provider})
		path := "/v1/compilations/" + c.text("/run/trace_id")
		w.say("Jon Smith", "office", "Boston "+provider)
		again := w.get(path).is(200)
		same(w.T, "the bytes", string(again.raw), string(c.raw))
		same(w.T, "the type", again.header.Get("Content-Type"), c.header.Get("Content-Type"))
		w.with(newKey(w.T, w.srv.store, newTenant())).get(path).problem(404, "not_found")
		w.issue(obj{"roles": list{"agent"}, "clearance": "highly_restricted"}).get(path).problem(404, "not_found")
		same(w.T, "the administrator's", string(w.issue(obj{"roles": list{"admin"}, "clearance": "highly_restricted"}).get(path).is(200).raw), string(c.raw))
	}
	w.get("/v1/compilations/0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01").problem(404, "not_found")
}

func sameBytes(w *world) {
	for _, city := range []string{"Boston", "Chicago", "Denver"} {
		w.say("Jon Smith", "office", city, from("2021-0"+string(rune('1'+len(city)%9))+"-01T00:00:00Z"))
		w.say("Jon Smith", "visited_"+city, true)
	}
	request := obj{"query": "office of Jon Smith", "valid_at": "2021-12-01T00:00:00Z", "environment": obj{"b": "2", "a": "1"}, "working_set": list{"x"}}
	a, b := w.compile(request), w.compile(request)
	same(w.T, "the envelope", b.at("/envelope"), a.at("/envelope"))
	same(w.T, "the trace", b.at("/trace"), a.at("/trace"))
	if a.text("/run/trace_id") == b.text("/run/trace_id") {
		w.Error("two compilations have one id")
	}
	if strings.Contains(a.text("/envelope"), w.tenant) {
		w.Error("the envelope names the tenant")
	}
}

// hiddenEvidence checks that nobody who is not cleared for what was observed learns of it: not that there is somebody, nor
// by what they are known, nor which words were used.
func hiddenEvidence(w *world) {
	open := w.say("Jon Smith", "office", "Boston", claims("security_classification", "public"))
	secret := w.say("Jane Roe", "cover_name", "Heron", identified("passport", "X1234567"),
		field(inObservation, "security_classification", "highly_restricted"), kind("person"))
	known := w.say("Jon Smith", "desk", "12", identified("passport", "P7654321"),
		field(inObservation, "security_classification", "confidential"))
	w.settled()
	same(w.T, "the one that was known", known.entity, open.entity)
	for _, clearance := range []string{"public", "restricted"} {
		low := w.issue(obj{"roles": list{"agent", "reviewer"}, "clearance": clearance})
		for _, query := range []string{"name=Jane+Roe", "q=Jane", "q=X1234567", "q=P7654321"} {
			same(w.T, clearance+" "+query, len(low.get("/v1/entities?"+query).is(200).items("/items")), 0)
		}
		low.get("/v1/entities/"+secret.entity).problem(404, "not_found")
		low.get("/v1/entities/"+secret.entity+"/history").problem(404, "not_found")
		e := low.get("/v1/entities/" + open.entity).is(200)
		history := low.get("/v1/entities/" + open.entity + "/history").is(200)
		terms := low.get("/v1/vocabularies/predicates").is(200)
		for _, a := range []answer{e, history, terms} {
			for _, leak := range []string{"P7654321", "cover_name", "desk", known.id, known.belief, secret.belief} {
				if strings.Contains(string(a.raw), leak) {
					w.Errorf("to %s it tells of %q: %s", clearance, leak, a.raw)
				}
			}
		}
		r := low.post("/v1/resolve", obj{"mentions": list{
			obj{"name": "J. S.", "attributes": obj{"passport": list{"P7654321"}}}, obj{"name": "Jane Roe", "type": "person"},
		}}).is(200)
		same(w.T, clearance+": who is meant", r.texts("/mentions", "/decision"), []string{"new_entity", "new_entity"})
		same(w.T, "what is compiled", low.compile(obj{"query": "Who is Jane Roe?"}).validation(),
			low.compile(obj{"query": "Who is Mary Poe?"}).validation())
	}
	cleared := w.issue(obj{"roles": list{"agent"}, "clearance": "highly_restricted"})
	same(w.T, "to the cleared", cleared.get("/v1/entities?q=P7654321").is(200).texts("/items", "/entity_id"), []string{open.entity})
	same(w.T, "whom they mean", cleared.post("/v1/resolve", obj{"mentions": list{
		obj{"name": "Jane Roe", "type": "person"}}}).is(200).text("/mentions/0/entity_id"), secret.entity)
}

// anotherUser checks that a key that is bound to a user sees nothing of what another user said, and that what is said of
// one name in two users' talk is said of two.
func anotherUser(w *world) {
	one := w.issue(obj{"roles": list{"agent"}, "bound": obj{"user_id": "u1"}})
	two := w.issue(obj{"roles": list{"agent"}, "bound": obj{"user_id": "u2"}})
	a := one.say("Mia Wong", "diagnosis", "influenza", identified("email", "mia@acme.example"))
	same(w.T, "who is known to the other", len(two.get("/v1/entities?name=Mia+Wong").is(200).items("/items")), 0)
	b := two.say("Mia Wong", "office", "Rome", identified("email", "mia@acme.example"))
	w.settled()
	if a.entity == b.entity {
		w.Error("the talk of two users is of one entity")
	}
	two.get("/v1/entities/"+a.entity).problem(404, "not_found")
	two.get("/v1/beliefs/"+a.belief).problem(404, "not_found")
	two.compile(obj{"query": "What is known of Mia Wong?"}).shows("Rome", not, "influenza")
	one.compile(obj{"query": "What is known of Mia Wong?"}).shows("influenza", not, "Rome")
	again := one.say("Mia Wong", "office", "Oslo")
	same(w.T, "the same to the first", again.entity, a.entity)
}

// anotherProject checks that what a project tells of an entity of the whole tenant is seen in that project and by keys
// that are bound to none.
func anotherProject(w *world) {
	bound := func(project string) *world {
		return w.issue(obj{"roles": list{"agent"}, "bound": obj{"project_id": project}})
	}
	one, two := bound("p1"), bound("p2")
	mia := w.say("Mia Wong", "office", "Rome").entity
	passport := identified("passport", "X1234567")
	same(w.T, "who is meant in the project", one.say("Mia Wong", "desk", "12", passport, field(inMention, "aliases", list{"Quite Tall"})).entity, mia)
	same(w.T, "whom a row is about", one.say("Mia Wong", "desk", "12", passport, field(inMention, "record", obj{"source": "crm", "id": "7"})).entity, mia)
	w.settled()
	told := func(as *world) string {
		e := as.get("/v1/entities/" + mia).is(200)
		found := len(as.get("/v1/entities?q=X1234567").is(200).items("/items")) + len(as.get("/v1/entities?name=quite+tall").is(200).items("/items"))
		return fmt.Sprint(e.text("/name"), " ", e.texts("/records", "/id"), " ", e.texts("/aliases", "/spelling"), " ", found)
	}
	all := "Mia Wong [7] [Mia Wong Quite Tall X1234567 7] 2"
	same(w.T, "in the project", told(one), all)
	same(w.T, "to a key that is bound to none", told(w), all)
	same(w.T, "in another project", told(two), "Mia Wong [] [Mia Wong] 0")
	ask := obj{"name": "Ottoline Featherstonehaugh", "attributes": obj{"passport": list{"X1234567"}}}
	same(w.T, "whose passport it is in the project", one.resolve(ask).texts("/mentions/0/candidates", "/entity_id"), []string{mia})
	same(w.T, "whose passport it is in another", two.resolve(ask).texts("/mentions/0/candidates", "/entity_id"), []string{})
	same(w.T, "whose passport it is outside", w.resolve(ask).texts("/mentions/0/candidates", "/entity_id"), []string{})
	if guessed := two.say("Ottoline Featherstonehaugh", "desk", "3", identified("passport", "X1234567")); guessed.entity == mia {
		w.Error("a write in another project tells whose passport it is")
	}
}

// guesses checks that neither a wrong nor a right guess of a hidden value is answered otherwise than where there is none,
// and that the guess stands for whoever does not see the value.
func guesses(w *world) {
	low := w.issue(obj{"roles": list{"agent"}, "clearance": "restricted", "max_authority": 2})
	jon := w.say("Jon Smith", "office", "Boston").entity
	secret := w.say("", "salary", 90000, about(jon), claims("security_classification", "highly_restricted"),
		field(inSource, "authority_level", 1))
	for _, guess := range []int{80000, 90000} {
		r := low.say("", "salary", guess, about(jon))
		same(w.T, fmt.Sprint(guess), r.status+" "+r.text("/beliefs/0/overridden_by")+r.text("/beliefs/0/case_id"), "clean ")
		if strings.Contains(string(r.raw), secret.belief) {
			w.Errorf("the answer names what is hidden: %s", r.raw)
		}
		same(w.T, "what it finds", low.get("/v1/beliefs/"+r.belief).is(200).text("/contradiction_status"), "clean")
		low.compile(obj{"query": "What is the salary of Jon Smith?"}).shows(fmt.Sprint(guess))
	}
	w.compile(obj{"query": "What is the salary of Jon Smith?"}).shows("90000", not, "80000")
}

// hiddenText checks that what a text ends or takes back, it does to those who may see the text, and that nobody else
// reads it as the reason.
func hiddenText(w *world) {
	low := w.issue(obj{"roles": list{"agent"}, "clearance": "public"})
	cleared := w.issue(obj{"roles": list{"agent"}, "role": "hr", "clearance": "highly_restricted"})
	for _, c := range []struct {
		name, label string
		value       any
	}{
		{"Vik Dahl", "security_classification", "highly_restricted"}, {"Wim Baas", "permission_scope", obj{"allow_roles": list{"hr"}}},
	} {
		say := func(text, at, label string, value any) told {
			return w.record(obj{"source": obj{"origin": "test://talk", "authority_level": 2, "speaker": "HR"},
				"observed_at": at, "text": text, label: value})
		}
		known := say("The employer of "+c.name+" is Nordic Lines.", "2025-02-01T00:00:00Z", "security_classification", "public")
		hidden := say(c.name+" left Nordic Lines because of an illness.", "2025-03-01T00:00:00Z", c.label, c.value)
		same(w.T, "what the text did", hidden.text("/statements/0/effect"), "end")
		path := "/v1/beliefs/" + known.belief
		same(w.T, "to those who may not see it", low.get(path).is(200).text("/contradiction_status"), "clean")
		same(w.T, "its amendments", len(low.get(path+"/amendments").is(200).items("/items")), 0)
		low.compile(obj{"query": "Where does " + c.name + " work?"}).shows("Nordic Lines")
		same(w.T, "to those who may", cleared.get(path).is(200).text("/contradiction_status"), "overridden")
		reason := cleared.get(path + "/amendments").is(200).text("/items/0/reason")
		if !strings.Contains(reason, "because of an illness") {
			w.Errorf("the reason: %q", reason)
		}
	}
}

// hiddenReferences checks that a claim does not name what it supersedes or rests on to those who may not see that.
func hiddenReferences(w *world) {
	low := w.issue(obj{"roles": list{"agent"}, "clearance": "public"})
	public := claims("security_classification", "public")
	firm := w.say("Heron Works", "field", "engines", public).entity
	secret := w.say("", "manager", "Bo", about(firm), claims("security_classification", "highly_restricted"))
	for member, predicate := range map[string]string{"supersedes": "manager", "depends_on": "office"} {
		open := w.say("", predicate, "Una", about(firm), public, claims(member, list{secret.belief}))
		same(w.T, member+" to the cleared", w.get("/v1/beliefs/"+open.belief).is(200).texts("/"+member, ""), []string{secret.belief})
		a := low.get("/v1/beliefs/" + open.belief).is(200)
		if strings.Contains(string(a.raw), secret.belief) {
			w.Errorf("%s names what is hidden: %s", member, a.raw)
		}
	}
}

// hiddenSide checks that a tie that hidden evidence decides is, to those who do not see it, one without a case, which
// names its sides and leads nowhere.
func hiddenSide(w *world) {
	low := w.issue(obj{"roles": list{"agent", "reviewer"}, "clearance": "public"})
	public := claims("security_classification", "public")
	level := func(n int) edit { return field(inSource, "authority_level", n) }
	may := low.say("Heron Works", "launch_month", "May", public, level(3), by("Dana"))
	w.say("", "launch_month", "July", about(may.entity), level(1), claims("security_classification", "highly_restricted"))
	june := low.say("", "launch_month", "June", about(may.entity), public, level(3), by("Eve"))
	same(w.T, "the answer", june.status+" "+june.text("/beliefs/0/case_id"), "disputed ")
	same(w.T, "with what", june.texts("/beliefs/0/disputed_with", ""), []string{may.belief})
	for _, id := range []string{may.belief, june.belief} {
		b := low.get("/v1/beliefs/" + id).is(200)
		same(w.T, "what is read", b.text("/contradiction_status")+" "+b.text("/case_id"), "disputed ")
	}
	same(w.T, "the queue", len(low.get("/v1/quarantine").is(200).items("/items")), 0)
}
