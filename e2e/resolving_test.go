package e2e

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Asking who is meant, without writing.
var resolving = []scenario{
	{"resolve-writes-nothing", resolveOnly},
	{"resolve-says-what-a-write-does", resolveForetells},
	{"resolve-sees-its-project", resolveInProject},
	{"resolve-a-text", resolveText},
	{"resolve-a-projects-own-name", resolveOwnName},
	{"compare-two", compareTwo},
	{"a-name-in-another-writing", otherWriting},
	{"offers-of-one-title", offersOfOneTitle},
	{"odd-names", oddNames},
	{"contradictory-attributes", contradictory},
	{"born-by-id", bornByID},
	{"bad-questions", badQuestions},
	{"rows-of-a-deduplicated-source-are-never-merged", deduplicated},
	{"a-row-seen-again-replaces-what-it-said", rowAgain},
	{"a-reused-row-is-somebody-else", rowReused},
	{"a-description-is-of-its-talk", describedInTalks},
	{"whom-somebody-is-met-with-is-evidence", inCompany},
	{"candidates-among-acquaintances", acquaintances},
}

func (w *world) resolve(mention obj, more ...obj) answer {
	w.Helper()
	body := obj{"mentions": list{mention}}
	for _, m := range more {
		for k, v := range m {
			body[k] = v
		}
	}
	return w.post("/v1/resolve", body).is(200)
}

func resolveOnly(w *world) {
	jon := w.say("Jon Smith", "office", "Boston", identified("email", "jon@acme.example"))
	w.say("Jon Smith", "floor", "3", field(inMention, "aliases", list{"J. Smith"}))
	w.unchanged("a question", func() {
		r := w.post("/v1/resolve", obj{"mentions": list{
			obj{"name": "JON  SMITH"}, obj{"name": "Nobody At All"}, obj{"name": "Smith, J", "attributes": obj{"email": list{"jon@acme.example"}}},
		}}).is(200)
		same(w.T, "the decisions", r.texts("/mentions", "/decision"), []string{"auto_merge", "new_entity", "auto_merge"})
		same(w.T, "the reasons", r.texts("/mentions", "/reason"), []string{"exact_name", "no_candidate", "identifier"})
		same(w.T, "who", r.texts("/mentions", "/entity_id"), []string{jon.entity, "", jon.entity})
		c := r.at("/mentions/0/candidates/0")
		same(w.T, "the candidate", []string{text(c, "/entity_id"), text(c, "/name"), text(c, "/type"), text(c, "/status"), text(c, "/aliases/0")},
			[]string{jon.entity, "Jon Smith", "person", "canonical", "J. Smith"})
		lines, _ := at(c, "/contributions").(list)
		if len(lines) < 2 || text(lines[len(lines)-1], "/feature") != "prior_unique_name" || text(lines[0], "/reason") == "" {
			w.Errorf("the explanation: %v", lines)
		}
		same(w.T, "the state", r.text("/as_of/seq"), "2")
	})
}

func resolveForetells(w *world) {
	w.asked("Jon Smith")
	for _, m := range []obj{
		{"name": "Jon Smith", "type": "person"},
		{"name": "jon smith", "type": "person", "attributes": obj{"email": list{"jon@other.example"}}},
		{"name": "Jon Smith", "type": "ship"},
		{"name": "Jon Smith", "type": "person", "attributes": obj{"email": list{"jon@acme.example"}}},
		{"name": "Zoë"},
	} {
		asked := w.resolve(m)
		got := w.record(stating("", "floor", "3", func(s statement) {
			s.observation["mentions"], s.claim["subject"] = list{m}, obj{"mention": 0}
		}))
		for _, part := range []string{"/decision", "/reason"} {
			same(w.T, fmt.Sprint(m, part), asked.text("/mentions/0"+part), got.text("/mentions/0"+part))
		}
		if asked.text("/mentions/0/decision") == "auto_merge" {
			same(w.T, fmt.Sprint(m, " is"), asked.text("/mentions/0/entity_id"), got.entity)
		}
	}
}

func resolveInProject(w *world) {
	own := w.say("Nova", "status", "green", within(obj{"project_id": "p1"}))
	ask := func(as *world, scope obj) string {
		w.Helper()
		return as.resolve(obj{"name": "Nova"}, obj{"scope": scope}).text("/mentions/0/entity_id")
	}
	same(w.T, "in the project", ask(w, obj{"project_id": "p1"}), own.entity)
	same(w.T, "outside it", ask(w, obj{}), "")
	same(w.T, "in another", ask(w, obj{"project_id": "p2"}), "")
	bound := w.issue(obj{"roles": list{"agent"}, "bound": obj{"project_id": "p1"}})
	same(w.T, "bound to it", ask(bound, obj{}), own.entity)
	bound.post("/v1/resolve", obj{"mentions": list{obj{"name": "Nova"}}, "scope": obj{"project_id": "p2"}}).problem(403, "forbidden", "/scope/project_id")
}

func resolveText(w *world) {
	zoe := w.say("Zoë Müller", "office", "Boston")
	own := w.say("Project Heron", "status", "green", kind("project"), within(obj{"project_id": "p1"}))
	w.settled()
	const said = "Grüße! Zoë Müller asked ann@acme.example about Project Heron."
	ask := func(scope obj) map[string]string {
		w.Helper()
		r := w.post("/v1/resolve", obj{"text": said, "scope": scope}).is(200)
		found := map[string]string{}
		for _, m := range r.items("/mentions") {
			name := text(m, "/name")
			found[name] = text(m, "/entity_id")
			var start, end int
			if _, err := fmt.Sscan(text(m, "/start")+" "+text(m, "/end"), &start, &end); err != nil || said[start:end] != name {
				w.Errorf("%q is not at %d to %d: %v", name, start, end, err)
			}
		}
		return found
	}
	w.unchanged("reading", func() {
		found := ask(obj{"project_id": "p1"})
		same(w.T, "who is in the text", []string{found["Zoë Müller"], found["Project Heron"]}, []string{zoe.entity, own.entity})
		if _, ok := found["ann@acme.example"]; !ok {
			w.Errorf("the address is not found: %v", found)
		}
		same(w.T, "outside the project", ask(obj{})["Project Heron"], "")
		chains := w.post("/v1/resolve", obj{"text": "Zoë Müller asked Jon. Zoë thanked Jon."}).is(200)
		same(w.T, "one chain for one person", chains.texts("/mentions", "/chain"), []string{"1", "2", "1", "2"})
		none := w.post("/v1/resolve", obj{"text": "and so on"}).is(200)
		same(w.T, "nobody in a text", fmt.Sprint(none.at("/mentions")), "[]")
		w.post("/v1/resolve", obj{"text": strings.Repeat("x", 262_145)}).problem(400, "invalid", "/text")
	})
}

// otherWriting checks that a mention merges with the only entity whose name is the same in another writing, and that a
// missing legal form and a second such entity are reviewed.
func otherWriting(w *world) {
	org := kind("organization")
	tools := w.say("Harrow Tools Ltd", "city", "Leeds", org)
	bell := w.say("Bell & Sons", "city", "York", org)
	person := w.say("Thomas Keane, Jr.", "city", "Hull")
	w.settled()
	decided := func(name, typ string) string {
		w.Helper()
		m := w.resolve(obj{"name": name, "type": typ})
		return m.text("/mentions/0/decision") + " " + m.text("/mentions/0/entity_id")
	}
	same(w.T, "a legal form", decided("Harrow Tools Limited", "organization"), "auto_merge "+tools.entity)
	same(w.T, "and", decided("Bell and Sons", "organization"), "auto_merge "+bell.entity)
	same(w.T, "a generation", decided("Thomas Keane II", "person"), "auto_merge "+person.entity)
	same(w.T, "the father", strings.Fields(decided("Thomas Keane, Sr.", "person"))[0] == "auto_merge", false)
	same(w.T, "no legal form", decided("Harrow Tools", "organization"), "review ")
	same(w.T, "another one", strings.Fields(decided("Harrow Tools GmbH", "organization"))[0] == "auto_merge", false)
	numbered := func(name, number string) told {
		w.Helper()
		return w.say(name, "city", "Lagos", org, identified("company_number", number))
	}
	first, second := numbered("Orrin Group Ltd", "RC 1"), numbered("Orrin Group Limited", "RC 2")
	review := second.text("/mentions/0/review_id")
	w.post("/v1/reviews/"+review+"/decision", obj{"decision": "new_entity", "version": 1}).is(200)
	w.settled()
	same(w.T, "two of them", decided("The Orrin Group Ltd", "organization"), "review ")
	same(w.T, "as written", decided("Orrin Group Ltd", "organization"), "auto_merge "+first.entity)
	verify(w.T, w.srv.store, w.tenant)
}

// offersOfOneTitle checks that offers merge by a model number and not by title, and that a bare name merges with the
// known product.
func offersOfOneTitle(w *world) {
	offer := func(title, price string) obj {
		return obj{"name": title, "type": "product", "attributes": obj{"price": list{price}}}
	}
	say := func(m obj) string {
		w.Helper()
		return w.record(stating("", "shelf", "3", func(s statement) {
			s.observation["mentions"], s.claim["subject"] = list{m}, obj{"mention": 0}
		})).entity
	}
	suite, drill := say(offer("Heronwell Photo Suite Deluxe", "49.90")), say(offer("Heronwell drill TX-500", "89.00"))
	w.settled()
	decided := func(m obj) string {
		w.Helper()
		r := w.resolve(m)
		return r.text("/mentions/0/decision") + " " + r.text("/mentions/0/entity_id")
	}
	same(w.T, "one title", decided(offer("Heronwell Photo Suite Deluxe", "19.90")), "review ")
	same(w.T, "one number", decided(offer("Heronwell TX500 drill", "92.00")), "auto_merge "+drill)
	same(w.T, "named only", decided(obj{"name": "Heronwell Photo Suite Deluxe", "type": "product"}), "auto_merge "+suite)
}

// resolveOwnName: a project may call what is everybody's by a name of its own.
func resolveOwnName(w *world) {
	zoe := w.say("Zoë Müller", "office", "Boston")
	p1 := obj{"project_id": "p1"}
	w.say("Zoë Müller", "desk", "4", within(p1), field(inMention, "aliases", list{"Quite Tall"}))
	w.settled()
	ask := func(scope obj) []string {
		w.Helper()
		r := w.post("/v1/resolve", obj{"text": "so ask Quite Tall about it", "scope": scope}).is(200)
		return append(r.texts("/mentions", "/name"), r.texts("/mentions", "/entity_id")...)
	}
	same(w.T, "in the project", ask(p1), []string{"Quite Tall", zoe.entity})
}

func (w *world) compare(left, right obj) answer {
	w.Helper()
	return w.post("/v1/compare", obj{"left": left, "right": right}).is(200)
}

func compareTwo(w *world) {
	w.unchanged("comparing", func() {
		a := w.compare(obj{"name": "Jon Smith", "type": "person"}, obj{"name": "Smith, Jon", "type": "person"})
		b := w.compare(obj{"name": "Smith, Jon", "type": "person"}, obj{"name": "Jon Smith", "type": "person"})
		same(w.T, "either way", a.text("/score"), b.text("/score"))
		same(w.T, "the prior", a.text("/prior/name")+" "+a.text("/prior/log_odds"), "prior_even 0")
		if a.text("/model") == "" || len(a.items("/contributions")) < 2 {
			w.Errorf("not explained: %s", a.raw)
		}
		far := w.compare(obj{"name": "Jon Smith", "type": "person"}, obj{"name": "Aigerim Zhaksybekova", "type": "person"})
		same(w.T, "strangers", far.text("/decision"), "new_entity")
		same(w.T, "a person and a ship", w.compare(obj{"name": "Jon Smith", "type": "person"}, obj{"name": "Jon Smith", "type": "vessel"}).text("/veto"), "incompatible_type")
		same(w.T, "look-alike letters", w.compare(obj{"name": "Pavel Novak"}, obj{"name": "Раvel Novak"}).text("/veto"), "suspicious_spelling")
	})
}

// oddNames are taken, each as itself: none is taken for another, and the same
// again is the same, or asks whether it is where so short a name says little.
func oddNames(w *world) {
	entities := map[string]string{}
	for _, name := range []string{
		"x", "🦊", "🦊🎉", "👩‍👩‍👧", "Pavel", "Раvel", "Павел", "\u202elevaP", "أحمد Smith", "Smith أحمد", "Ⅷ", "…", "-", "ﷺ",
		strings.Repeat("n", 1000), strings.Repeat("長", 1000),
	} {
		asked := w.resolve(obj{"name": name, "type": "person"})
		if d := asked.text("/mentions/0/decision"); d == "auto_merge" {
			w.Errorf("%.20q is taken for another: %s", name, short(asked.raw))
		}
		first := w.say(name, "office", "Boston")
		for other, id := range entities {
			if id == first.entity {
				w.Errorf("%.20q and %.20q are one entity", name, other)
			}
		}
		entities[name] = first.entity
		again := w.say(name, "office", "Boston")
		asks := again.text("/mentions/0/decision") == "review" && again.text("/mentions/0/candidates/0/entity_id") == first.entity
		if again.entity != first.entity && !asks {
			w.Errorf("%.20q again is %s %s", name, again.text("/mentions/0/decision"), again.text("/mentions/0/reason"))
		}
		c := w.compare(obj{"name": name}, obj{"name": name})
		if s := c.text("/score"); s == "" || strings.HasPrefix(s, "-") || s > "1" {
			w.Errorf("%.20q is itself with a score of %s", name, s)
		}
	}
}

func contradictory(w *world) {
	jon := w.say("Jon Smith", "office", "Boston", identified("email", "jon@acme.example"))
	ann := w.say("Ann Lee", "office", "Boston", identified("email", "ann@acme.example"))
	both := obj{"name": "Jon Smith", "type": "person", "attributes": obj{"email": list{"jon@acme.example", "ann@acme.example"}}}
	r := w.resolve(both)
	same(w.T, "two mailboxes of two people", r.text("/mentions/0/decision")+" "+r.text("/mentions/0/reason"), "review identifiers_disagree")
	same(w.T, "which two", sorted(r.texts("/mentions/0/candidates", "/entity_id")...), sorted(jon.entity, ann.entity))
	born := obj{"name": "Eve Orr", "type": "person", "attributes": obj{"birth_date": list{"1980-01-01", "1991-12-31"}}}
	r = w.resolve(born)
	same(w.T, "born twice", r.text("/mentions/0/decision"), "new_entity")
	c := w.compare(born, obj{"name": "Eve Orr", "type": "person", "attributes": obj{"birth_date": list{"1991-12-31"}}})
	same(w.T, "one of the two dates", c.text("/veto"), "")
}

// bornByID checks that what is stated of an entity by its id tells it from another of its name, until it is retracted.
func bornByID(w *world) {
	eve := w.say("Eve Orr", "office", "Boston")
	byID := func(predicate, value string) string {
		o := stating("Eve Orr", predicate, value)
		delete(o, "mentions")
		o["claims"].(list)[0].(obj)["subject"] = obj{"entity_id": eve.entity}
		return w.post("/v1/observations", o).is(201).text("/beliefs/0/belief_id")
	}
	born := byID("birth_date", "1950-03-12")
	namesake := func(attribute, value string) string {
		r := w.resolve(obj{"name": "Eve Orr", "type": "person", "attributes": obj{attribute: list{value}}})
		return r.text("/mentions/0/decision") + " " + r.text("/mentions/0/reason")
	}
	same(w.T, "born on another day", namesake("dob", "1980-07-01"), "review contradicting_birth_date")
	same(w.T, "born on that day", namesake("dob", "12 March 1950"), "auto_merge exact_name")
	w.post("/v1/beliefs/"+born+"/retract", obj{"reason": "another Eve"}).is(200)
	same(w.T, "once it is retracted", namesake("dob", "1980-07-01"), "auto_merge exact_name")
	byID("passport", "X1234567")
	same(w.T, "another passport", namesake("passport", "Q7651239"), "review contradicting_identifier")
	byID("birth_date", "1951-04-17")
	namesakes := w.say("Eve Orr", "birth_date", "1980-07-01")
	same(w.T, "a claim about a namesake", namesakes.text("/mentions/0/decision")+" "+namesakes.text("/mentions/0/reason"), "review contradicting_birth_date")
}

func badQuestions(w *world) {
	w.say("Jon Smith", "office", "Boston")
	jon := obj{"name": "Jon Smith"}
	long := func(n int) list { return repeated(n, "a") }
	type question struct {
		name, path string
		body       any
		status     int
		code       string
		pointer    string
	}
	var cases []question
	// What a mention may not be, wherever one is asked about.
	for name, m := range map[string]struct {
		mention obj
		code    string
		pointer string
	}{
		"no name":          {obj{}, "invalid", "/name"},
		"empty name":       {obj{"name": ""}, "invalid", "/name"},
		"blank name":       {obj{"name": " \t\u3000"}, "invalid", "/name"},
		"10,000 letters":   {obj{"name": strings.Repeat("n", 10_000)}, "invalid", "/name"},
		"10,000 in all":    {obj{"name": "x", "context": strings.Repeat("n", 10_001)}, "invalid", "/context"},
		"1,000 aliases":    {obj{"name": "x", "aliases": long(1000)}, "invalid", "/aliases"},
		"blank alias":      {obj{"name": "x", "aliases": list{"a", " "}}, "invalid", "/aliases/1"},
		"long type":        {obj{"name": "x", "type": strings.Repeat("n", 201)}, "invalid", "/type"},
		"51 identifiers":   {obj{"name": "x", "attributes": manyKinds(51)}, "invalid", "/attributes"},
		"empty identifier": {obj{"name": "x", "attributes": obj{"email": list{""}}}, "invalid", "/attributes/email/0"},
		"half a record":    {obj{"name": "x", "record": obj{"source": "crm"}}, "invalid", "/record/id"},
		"unknown field":    {obj{"name": "x", "colour": "red"}, "malformed", "/colour"},
		"name of a number": {obj{"name": 7}, "malformed", "/name"},
		"NUL":              {obj{"name": "a\x00b"}, "malformed", "/name"},
	} {
		cases = append(cases,
			question{name, "/v1/resolve", obj{"mentions": list{jon, m.mention}}, 400, m.code, "/mentions/1" + m.pointer},
			question{name, "/v1/compare", obj{"left": m.mention, "right": jon}, 400, m.code, "/left" + m.pointer},
			question{name, "/v1/compare", obj{"left": jon, "right": m.mention}, 400, m.code, "/right" + m.pointer},
			question{name, "/v1/observations", obj{"source": obj{"origin": "test://x"}, "mentions": list{jon, m.mention}}, 400, m.code, "/mentions/1" + m.pointer},
		)
	}
	cases = append(cases, []question{
		{"1,001 aliases", "/v1/resolve", obj{"mentions": list{obj{"name": "x", "aliases": long(1001)}}}, 413, "too_large", "/mentions/0/aliases"},
		{"nothing", "/v1/resolve", obj{}, 400, "invalid", ""},
		{"no mentions", "/v1/resolve", obj{"mentions": list{}}, 400, "invalid", ""},
		{"mentions and text", "/v1/resolve", obj{"mentions": list{jon}, "text": "x"}, 400, "invalid", ""},
		{"101 mentions", "/v1/resolve", obj{"mentions": repeated(101, jon)}, 400, "invalid", "/mentions"},
		{"no candidates", "/v1/resolve", obj{"mentions": list{jon}, "max_candidates": 0}, 400, "invalid", "/max_candidates"},
		{"101 candidates", "/v1/resolve", obj{"mentions": list{jon}, "max_candidates": 101}, 400, "invalid", "/max_candidates"},
		{"a time that is none", "/v1/resolve", obj{"mentions": list{jon}, "known_at": "soon"}, 400, "invalid", "/known_at"},
		{"a state to come", "/v1/resolve", obj{"mentions": list{jon}, "known_at": "99"}, 422, "unprocessable", "/known_at"},
		{"a scope of no kind", "/v1/resolve", obj{"mentions": list{jon}, "scope": obj{"kind": "galaxy"}}, 400, "invalid", "/scope/kind"},
		{"one side", "/v1/compare", obj{"left": jon}, 400, "invalid", "/right"},
		{"no side", "/v1/compare", obj{}, 400, "invalid", "/left"},
		{"a third side", "/v1/compare", obj{"left": jon, "right": jon, "up": jon}, 400, "malformed", "/up"},
	}...)
	w.unchanged("questions", func() {
		for _, c := range cases {
			a := w.post(c.path, c.body)
			a.asked = c.path + " " + c.name
			a.problem(c.status, c.code, c.pointer)
		}
	})
}

// repeated is a list of one thing, so many times.
func repeated(n int, v any) list {
	l := make(list, n)
	for i := range l {
		l[i] = v
	}
	return l
}

// deduplicated: two rows of a source that has one for each thing are two,
// whatever they look like; a row of another source may be either's.
func deduplicated(w *world) {
	w.call("PUT", "/v1/vocabularies/sources", obj{
		"closed": false, "version": 0, "terms": list{obj{"name": "register", "deduplicated": true}},
	}).is(200)
	same(w.T, "the term", w.get("/v1/vocabularies/sources").is(200).text("/terms/0/deduplicated"), "true")
	row := func(source, id string) obj {
		return stating("Ilse Brandt", "row", id, func(s statement) {
			s.mention["record"] = obj{"source": source, "id": id}
			s.mention["attributes"] = obj{"dob": list{"1980-02-03"}, "phone": list{"+49 30 5550199"}}
		})
	}
	one, two := w.record(row("register", "1")), w.record(row("register", "2"))
	w.settled()
	if one.entity == two.entity || w.get("/v1/entities/"+two.entity).is(200).text("/root_id") != two.entity {
		w.Error("two rows of one deduplicated source were merged")
	}
	same(w.T, "reviews", len(w.get("/v1/reviews").is(200).items("/items")), 0)
}

// rowAgain: a row that says something else takes back what it said before; what
// others said stays.
func rowAgain(w *world) {
	row := func(name, mail string) obj {
		return stating(name, "source", "crm", func(s statement) {
			s.mention["record"] = obj{"source": "crm", "id": "7"}
			s.mention["attributes"] = obj{"email": list{mail}}
		})
	}
	first := w.record(row("Ilse Brandt", "old@acme.example"))
	w.say("Ilse Brandt", "office", "Bonn")
	second := w.record(row("Ilse Brandt-Cohn", "new@acme.example"))
	same(w.T, "the entity", second.entity, first.entity)
	same(w.T, "the reason", second.text("/mentions/0/reason"), "record")
	e := w.get("/v1/entities/" + first.entity).is(200)
	same(w.T, "e-mail addresses", e.texts("/attributes/email", ""), []string{"new@acme.example"})
	same(w.T, "the old address", w.post("/v1/resolve", obj{"mentions": list{
		obj{"name": "Somebody", "attributes": obj{"email": list{"old@acme.example"}}},
	}}).is(200).text("/mentions/0/decision"), "new_entity")
	same(w.T, "by the name that a text gave too", len(w.get("/v1/entities?name=ilse+brandt").is(200).items("/items")), 1)
	third := w.record(row("Ilse Brandt-Cohn", "new@acme.example"))
	same(w.T, "the same again", third.entity, first.entity)
	verify(w.T, w.srv.store, w.tenant)
}

// rowReused checks that a row whose content is now about another person inherits no beliefs of the former one.
func rowReused(w *world) {
	row := func(name, born string) obj {
		return stating(name, "source", "crm", func(s statement) {
			s.mention["record"] = obj{"source": "crm", "id": "1"}
			s.mention["attributes"] = obj{"birth_date": list{born}}
		})
	}
	jon := w.record(row("Jon Smith", "1950-03-12"))
	allergy := w.say("Jon Smith", "allergic_to", "penicillin")
	same(w.T, "whose the allergy is", allergy.entity, jon.entity)
	asked := w.resolve(obj{"name": "Mary Brown", "type": "person", "record": obj{"source": "crm", "id": "1"},
		"attributes": obj{"birth_date": list{"1980-07-01"}}})
	same(w.T, "as foretold", asked.text("/mentions/0/decision")+" "+asked.text("/mentions/0/reason"), "new_entity record_reused")
	mary := w.record(row("Mary Brown", "1980-07-01"))
	same(w.T, "the reason", mary.text("/mentions/0/decision")+" "+mary.text("/mentions/0/reason"), "new_entity record_reused")
	w.settled()
	found := w.resolve(obj{"name": "Mary Brown", "type": "person"})
	same(w.T, "by her name", found.text("/mentions/0/entity_id"), mary.entity)
	same(w.T, "by his name", w.resolve(obj{"name": "Jon Smith", "type": "person"}).text("/mentions/0/entity_id"), jon.entity)
	same(w.T, "her allergies", len(w.get("/v1/beliefs?predicate=allergic_to&entity_id="+mary.entity).is(200).items("/items")), 0)
	same(w.T, "his allergies", len(w.get("/v1/beliefs?predicate=allergic_to&entity_id="+jon.entity).is(200).items("/items")), 1)

	again := w.record(row("Mary Brown-Lee", "1980-07-01"))
	same(w.T, "her row again", again.entity+" "+again.text("/mentions/0/reason"), mary.entity+" record")
	back := w.record(row("Jon Smith", "1950-03-12"))
	same(w.T, "his row again", back.entity, jon.entity)
	w.settled()
	same(w.T, "two people", w.resolve(obj{"name": "Mary Brown-Lee", "type": "person"}).text("/mentions/0/entity_id"), mary.entity)
	verify(w.T, w.srv.store, w.tenant)
}

// describedInTalks: what cannot tell by itself who or what is meant is that of its talk, whatever its type and language;
// a name that begins with an article is one everywhere.
func describedInTalks(w *world) {
	said := func(session, name, kind string) told {
		mention := obj{"name": name}
		if kind != "" {
			mention["type"] = kind
		}
		return w.record(obj{
			"source":   obj{"origin": "test://conversation", "authority_level": 2, "source_authority": .8, "speaker": session, "session_id": session},
			"mentions": list{mention},
		})
	}
	vague := [][2]string{
		{"Sanjay", ""}, {"Mom", ""}, {"Chief Architect", ""}, {"our landlord", "organization"}, {"the database", "system"},
		{"my project", "project"}, {"der Chef", "person"}, {"mi jefe", "person"}, {"le patron", "person"},
	}
	names := [][2]string{{"The Hague", "place"}, {"Le Monde", "organization"}, {"Die Zeit", "organization"}, {"The Beatles", ""}}
	whose := map[string]string{}
	for _, x := range slices.Concat(vague, names) {
		whose[x[0]] = said("dana", x[0], x[1]).entity
		same(w.T, x[0]+" once more", said("dana", x[0], x[1]).entity, whose[x[0]])
	}
	w.settled()
	other := map[string]told{}
	for _, x := range slices.Concat(vague, names) {
		other[x[0]] = said("ilse", x[0], x[1])
	}
	w.settled()
	root := func(t told) string {
		return cmp.Or(w.get("/v1/entities/"+t.entity).is(200).text("/canonical_id"), t.entity)
	}
	for _, x := range vague {
		same(w.T, x[0]+" of another talk", other[x[0]].text("/mentions/0/decision"), "review")
		same(w.T, x[0]+" is another afterwards", root(other[x[0]]) != whose[x[0]], true)
	}
	for _, x := range names {
		same(w.T, x[0]+" in another talk", root(other[x[0]]), whose[x[0]])
	}
}

// inCompany: who is related to what is mentioned beside it is likelier meant.
func inCompany(w *world) {
	w.relate("Wojciech Kowalczyk", "works_on", "Atlas")
	w.settled()
	alone := w.resolve(obj{"name": "Wojciech Kowalczik"})
	together := w.post("/v1/resolve", obj{"mentions": list{obj{"name": "Atlas"}, obj{"name": "Wojciech Kowalczik"}}}).is(200)
	if a, b := alone.text("/mentions/0/score"), together.text("/mentions/1/score"); a >= b {
		w.Errorf("the score is %s alone and %s beside the project", a, b)
	}
	if !slices.Contains(together.texts("/mentions/1/candidates/0/contributions", "/feature"), "neighbours") {
		w.Error("the explanation does not say so")
	}
}

// acquaintances: who has the name of which one is a short form is found by it, and by the project mentioned beside it or
// by the session; another name is not.
func acquaintances(w *world) {
	heron := w.record(obj{
		"source":   obj{"origin": "test://conversation", "authority_level": 2, "source_authority": .8},
		"scope":    obj{"session_id": "s1"},
		"mentions": list{obj{"name": "Robert Quillfeather", "type": "person"}, obj{"name": "Project Heron", "type": "project"}},
	})
	robert, project := heron.entity, heron.text("/mentions/1/entity_id")
	w.say("", "leads", obj{"entity_id": project}, about(robert))
	w.settled()
	found := func(scope obj, mentions ...any) bool {
		w.Helper()
		r := w.post("/v1/resolve", obj{"mentions": mentions, "scope": scope}).is(200)
		last := fmt.Sprintf("/mentions/%d/candidates", len(mentions)-1)
		return slices.Contains(r.texts(last, "/entity_id"), robert)
	}
	bob, other := obj{"name": "Bob", "type": "person"}, obj{"name": "Ottoline", "type": "person"}
	same(w.T, "alone", found(obj{}, bob), true)
	same(w.T, "beside his project", found(obj{}, obj{"name": "Project Heron"}, bob), true)
	same(w.T, "another name beside it", found(obj{}, obj{"name": "Project Heron"}, other), false)
	same(w.T, "in his session", found(obj{"session_id": "s1"}, bob), true)
	same(w.T, "another name in it", found(obj{"session_id": "s1"}, other), false)
	same(w.T, "in another session", found(obj{"session_id": "s2"}, bob), true)
}
