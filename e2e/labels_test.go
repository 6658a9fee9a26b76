package e2e

import (
	"slices"
)

// Labels in texts and values: what they mean is what holds.
var labelled = []scenario{
	{"a-labelled-draft", labelledDraft},
	{"a-labelled-audience", labelledAudience},
	{"a-labelled-text-of-which-nothing-became-a-belief", labelledQuestion},
	{"a-labelled-withdrawal", labelledWithdrawal},
	{"a-labelled-text", labelledText},
	{"what-is-no-label", noLabel},
	{"news-of-a-named-thing", newsOfThing},
	{"a-stretch-of-talk", stretchOfTalk},
	{"what-was-said-before-it-was-stated", saidBeforeStated},
	{"what-says-a-belief-over-again", saidOverAgain},
	{"a-revision-of-a-predicate", revisedPredicate},
}

func labelledDraft(w *world) {
	w.say("Plover", "launch city", "Kotka", kind("project"), seen("2025-02-01T09:00:00Z"))
	d := w.say("Plover", "launch city", "[DRAFT] Namur", kind("project"), seen("2025-02-02T09:00:00Z"))
	same(w.T, "warnings", d.warnings(), []string{"label_scope /claims/0/value"})
	b := w.belief(d.belief)
	same(w.T, "value, scope and evidence",
		[]string{b.text("/value"), b.text("/scope/kind"), b.text("/supersession_evidence/trigger")},
		[]string{"Namur", "draft", "[DRAFT]"})
	w.compile(obj{"query": "Where does Plover launch?"}).shows("Kotka", not, "Namur")
	w.compile(obj{"query": "Where does Plover launch?", "scope": obj{"kind": "draft"}}).shows("Namur")

	s := w.say("Plover", "price", "[SCOPE: pricing exercise] EUR 40", kind("project"))
	same(w.T, "a named scope", []string{w.belief(s.belief).text("/scope/kind"), w.belief(s.belief).text("/scope/task_id")},
		[]string{"hypothetical", "pricing exercise"})
	told := w.say("Plover", "launch city", "Ghent (tentative)", kind("project"), func(s statement) {
		s.observation["extract"] = "none"
	})
	same(w.T, "as written", w.belief(told.belief).text("/value"), "Ghent (tentative)")
}

func labelledAudience(w *world) {
	r := w.say("Globex", "price floor", "[CONFIDENTIAL: pricing restricted to VP+ and Finance] EUR 30", kind("organization"))
	same(w.T, "warnings", r.warnings(), []string{"label_restricted /claims/0/value"})
	w.get("/v1/beliefs/"+r.belief).problem(404, "not_found")
	finance := w.issue(obj{"roles": list{"agent"}, "clearance": "confidential", "role": "Finance"})
	b := finance.belief(r.belief)
	same(w.T, "value, classification, audience",
		append([]string{b.text("/value"), b.text("/security_classification")}, b.texts("/permission_scope/allow_roles", "")...),
		[]string{"EUR 30", "confidential", "VP+", "Finance"})
	ask := func(roles ...string) answer {
		return w.compile(obj{"query": "What is the price floor of Globex?", "identity": obj{"name": "Ann", "roles": append([]string{}, roles...)}})
	}
	ask().shows(not, "EUR 30")
	ask("Sales Rep").shows(not, "EUR 30")
	ask("Engineering Manager").shows(not, "EUR 30")
	ask("VP Sales").shows("EUR 30")
	ask("CEO").shows("EUR 30")
	ask("finance").shows("EUR 30")
}

// A label closes a text also where nothing of it became a belief: to be listed, to be read, and to be answered.
func labelledQuestion(w *world) {
	known := w.say("Rita Sand", "salary", "EUR 70,000", kind("person"), seen("2025-03-02T09:00:00Z"))
	asked := w.post("/v1/observations", chat("Ilka", "2025-03-02T09:02:00Z",
		"[CONFIDENTIAL] Shall the salary of Rita Sand be EUR 95,000 now?")).is(201).text("/observation_id")
	low := w.issue(obj{"roles": list{"agent"}, "clearance": "restricted"})
	low.get("/v1/observations/"+asked).problem(404, "not_found")
	for _, o := range low.get("/v1/observations").is(200).items("/items") {
		if text(o, "/observation_id") == asked {
			w.Error("it is listed")
		}
	}
	low.post("/v1/observations", chat("Dana", "2025-03-02T09:04:00Z", "Yes.")).is(201)
	same(w.T, "what stands", w.believed(known.entity, "salary"), []string{"EUR 70,000"})
	w.get("/v1/observations/" + asked).is(200)
}

func labelledWithdrawal(w *world) {
	known := w.say("Heron", "code freeze", "15 February", kind("project"), key("freeze"), seen("2025-02-01T09:00:00Z"))
	v := w.say("Heron", "code freeze review", "[INVALIDATED - wrong data] Original conclusion: 15 February", kind("project"),
		supersedes("freeze"), seen("2025-02-02T09:00:00Z"))
	if !slices.Contains(v.warnings(), "label_void /claims/0/value") {
		w.Errorf("warnings %v", v.warnings())
	}
	same(w.T, "what it names", w.belief(known.belief).text("/segments/0/cause"), "retraction")
	same(w.T, "the claim itself", w.belief(v.belief).text("/segments/0/cause"), "retraction")
	w.compile(obj{"query": "When is the code freeze of Heron?"}).shows(not, "15 February")

	trip := w.say("Heron", "offsite", "Lisbon", kind("project"), seen("2025-02-01T09:00:00Z"))
	w.say("Heron", "offsite", "[CANCELLED] Lisbon", kind("project"), seen("2025-03-01T09:00:00Z"))
	same(w.T, "until then it held", w.belief(trip.belief).text("/segments/0/cause"), "stands")
	same(w.T, "what stands", w.believed(trip.entity, "offsite"), []string{})
	w.say("Heron", "offsite", "Lisbon", kind("project"), seen("2025-04-01T09:00:00Z"))
	same(w.T, "said again", w.believed(trip.entity, "offsite"), []string{"Lisbon"})

	law := w.say("Heron", "licence", "MIT", kind("project"), level(1), key("licence"))
	w.post("/v1/observations", stating("Heron", "licence", "[VOID] MIT", kind("project"), level(3), supersedes("licence"))).is(403)
	same(w.T, "a stronger word", w.belief(law.belief).text("/segments/0/cause"), "stands")
}

func labelledText(w *world) {
	w.launch()
	a := w.post("/v1/observations", chat("Ilka", "2025-03-02T09:00:00Z", "[DRAFT] The launch city of Plover is Namur now.")).is(201)
	if !slices.Contains(a.warnings(), "label_scope /text") {
		w.Errorf("warnings %v", a.warnings())
	}
	w.compile(obj{"query": "Where does Plover launch?"}).shows("Kotka", not, "Namur")
	w.compile(obj{"query": "Where does Plover launch?", "scope": obj{"kind": "draft"}}).shows("Namur")
	same(w.T, "the text is whole", w.get("/v1/observations/"+a.text("/observation_id")).text("/text"),
		"[DRAFT] The launch city of Plover is Namur now.")
	same(w.T, "the place of the statement", a.text("/statements/0/text"), "The launch city of Plover is Namur now")

	b := w.post("/v1/observations", chat("Ilka", "2025-03-03T09:00:00Z", "[WITHDRAWN] The launch city of Plover is Kotka.")).is(201)
	same(w.T, "statements", b.effects(), []string{"assert retract launch_city"})
	w.compile(obj{"query": "Where does Plover launch?"}).shows(not, "Kotka")
}

func noLabel(w *world) {
	for value, predicate := range map[string]string{
		"[Example Corp] signed": "note", "Basic plan (deprecated)": "plan", "Draft: waiting for legal": "status",
		"[DRAFT]": "version name", "Rooftop pool (restricted to members)": "facility", "Guinness (draft)": "beer",
		"VOID: the novel": "book title", "ARCHIVED: general": "channels", "[DRAFT] Plan": "file_name",
	} {
		a := w.say("Heron", predicate, value, kind("project"))
		same(w.T, value, []string{w.belief(a.belief).text("/value"), w.belief(a.belief).text("/scope/kind")}, []string{value, "global"})
	}
}

func newsOfThing(w *world) {
	signal := func(predicate, value, at string) told {
		return w.say("Ops", predicate, value, kind("team"), claims("layer", "environment"), seen(at))
	}
	old := signal("deadline", "VendorX contract renews in 30 days", "2025-03-01T09:00:00Z")
	other := signal("disk", "HostA-1 has 20 GB of disk left", "2025-03-01T09:00:00Z")
	a := signal("alert", "VendorX renews TOMORROW", "2025-03-30T09:00:00Z")
	same(w.T, "displaced", a.texts("/beliefs/0/superseded", ""), []string{old.belief})
	b := signal("alert", "HostA-1 was patched", "2025-03-30T10:00:00Z")
	if slices.Contains(b.texts("/beliefs/0/superseded", ""), other.belief) {
		w.Errorf("news of a thing displace what they do not speak of: %s", b.raw)
	}
	same(w.T, "a property of another thing", w.belief(other.belief).text("/segments/0/cause"), "stands")
	batch := w.batch([]string{line("news", stating("Ops", "alert", "HostB-2 has no disk left",
		kind("team"), claims("layer", "environment"), seen("2025-03-31T10:00:00Z")))})
	same(w.T, "news in a batch", batch[0].text("/status"), "201")
}

func stretchOfTalk(w *world) {
	turn := func(at, text string) { w.post("/v1/observations", chat("Ilka", at, text, inThread("desk"))).is(201) }
	turn("2025-03-02T09:00:00Z", "Found 2 leaks in the hull")
	turn("2025-03-02T09:03:00Z", "Engaged a second surveyor")
	turn("2025-03-02T09:06:00Z", "Committed to approve the Heron after repairs")
	turn("2025-03-02T09:20:00Z", "Chartered a bus for the choir")
	turn("2025-03-02T09:40:00Z", "Ordered new oars")
	w.compile(obj{"query": "What did we commit to approve on the Heron?"}).shows("2 leaks", "second surveyor", not, "choir", "oars")
	w.compile(obj{"query": "Who bought the Plover?"}).shows(not, "leaks", "choir")
}

func saidBeforeStated(w *world) {
	known := w.say("Ilka", "hometown", "Kotka", seen("2025-03-01T09:00:00Z"), by("Ilka"))
	w.post("/v1/observations", chat("Ilka", "2025-03-02T09:00:00Z", "Heard order 4521 was approved for EUR 50")).is(201)
	ask := obj{"query": "What about order 4521, was it approved?", "entities": []string{known.entity}}
	w.compile(ask).shows("Heard order")
	w.say("Ilka", "order news", "order 4521 was approved for EUR 50", seen("2025-03-02T09:01:00Z"), by("Ilka"), about(known.entity))
	w.say("Ilka", "order news", "order 4521 is off", seen("2025-03-03T09:00:00Z"), by("Ilka"), about(known.entity))
	w.compile(ask).shows("is off", not, "Heard order")
}

func saidOverAgain(w *world) {
	known := w.say("Ilka", "signal", "VendorX contract renews on 1 December unless cancelled", by("Ilka"), seen("2025-03-01T09:00:00Z"))
	w.post("/v1/observations", chat("Ilka", "2025-03-02T09:00:00Z", "Note: VendorX contract renews on 1 December unless cancelled")).is(201)
	w.say("Ilka", "signal", "VendorX contract renews tomorrow", by("Ilka"), seen("2025-03-03T09:00:00Z"), about(known.entity))
	w.compile(obj{"query": "When does the VendorX contract renew?", "entities": []string{known.entity}}).
		shows("renews tomorrow", not, "1 December")
}

func revisedPredicate(w *world) {
	first := w.say("Plover", "deadline", "4 May 2025", kind("project"), seen("2025-02-01T09:00:00Z"))
	v2 := w.say("Plover", "deadline_v2", "11 May 2025", kind("project"), seen("2025-02-02T09:00:00Z"))
	same(w.T, "displaced", v2.texts("/beliefs/0/superseded", ""), []string{first.belief})
	same(w.T, "held under", v2.text("/beliefs/0/predicate"), "due_date")
}
