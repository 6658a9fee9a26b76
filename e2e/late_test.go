package e2e

import "slices"

// What came late: a fact, or a turn, that is of an earlier time than turns that were read before it came.
var late = []scenario{
	{"a-fact-that-comes-after-the-words-about-it", lateFact},
	{"a-late-fact-in-a-batch", lateInBatch},
	{"a-late-fact-that-nobody-spoke-of", lateAlone},
	{"a-late-fact-that-was-to-be-forgotten", lateForgotten},
	{"a-late-fact-that-turns-refer-to-in-turn", lateInTurn},
	{"late-words", lateWords},
	{"any-order-of-a-fact-and-two-turns", everyOrder},
}

const (
	asksFor   = "Schedule the meeting for Monday."
	scheduled = "Meeting scheduled for Monday."
	corrects  = "No wait, change that to Thursday."
)

// meeting is a fact about Ilka that holds from a time on, without a thread.
func meeting(at string) obj {
	o := stating("Ilka", "meeting date", "Monday", kind("person"))
	o["source"] = obj{"origin": "calendar://heron", "speaker": "Ilka"}
	o["observed_at"] = at
	return o
}

func lateFact(w *world) {
	first := w.post("/v1/observations", chat("Ilka", "2025-03-02T09:02:00Z", asksFor)).is(201)
	echo := chat("assistant", "2025-03-02T09:04:00Z", scheduled)
	echo["source"].(obj)["authority_level"] = 3
	w.post("/v1/observations", echo).is(201)
	turn := w.post("/v1/observations", chat("Ilka", "2025-03-02T09:06:00Z", corrects)).is(201)
	same(w.T, "before the fact", turn.effects(), []string{"correct remark"})
	w.settled()

	fact := w.record(meeting("2025-03-02T09:01:00Z"), "Idempotency-Key: meeting")
	last := slices.IndexFunc(fact.items("/later"), func(l any) bool { return text(l, "/of") == turn.text("/observation_id") })
	if last < 0 {
		w.Fatalf("the turn was not read again: %v", fact.items("/later"))
	}
	read := answer{t: w.T, body: fact.items("/later")[last]}
	same(w.T, "what the turn says of it", read.effects(), []string{"correct set event_date"})
	if !slices.Contains(fact.warnings(), "later_text /claims/0") {
		w.Errorf("warnings: %v", fact.warnings())
	}
	same(w.T, "what stands", w.believed(fact.entity, "event_date"), []string{"Thursday"})
	w.compile(obj{"query": "When is the meeting?", "identity": obj{"name": "Ilka"}}).shows("Thursday", not, "Monday", "No wait")

	o := w.get("/v1/observations/" + read.text("/observation_id")).is(200)
	same(w.T, "of which text, for what, when", []string{o.text("/of"), o.text("/for"), o.text("/observed_at"), o.text("/text")},
		[]string{turn.text("/observation_id"), fact.id, "2025-03-02T09:06:00Z", ""})
	same(w.T, "the text as it was read first", w.get("/v1/observations/"+turn.text("/observation_id")).is(200).effects(),
		[]string{"correct remark"})
	same(w.T, "the first text", w.get("/v1/observations/"+first.text("/observation_id")).is(200).text("/text"), asksFor)
	w.unchanged("the same request again", func() {
		again := w.post("/v1/observations", meeting("2025-03-02T09:01:00Z"), "Idempotency-Key: meeting").is(201)
		same(w.T, "the same answer", again.at("/later"), fact.at("/later"))
	})
}

func lateInBatch(w *world) {
	fact := stating("Ilka", "top priority", "security compliance", kind("person"))
	fact["source"], fact["observed_at"] = obj{"origin": "notes://heron", "speaker": "Ilka"}, "2025-03-02T09:01:00Z"
	results := w.batch([]string{
		line("", chat("Ilka", "2025-03-02T09:02:00Z", "Our top priority is security compliance.")),
		line("", chat("Ilka", "2025-03-02T09:06:00Z", "By the way, the priority is market expansion now.")), line("", fact),
	})
	person := results[2].text("/observation/mentions/0/entity_id")
	same(w.T, "what stands", w.believed(person, "top_priority"), []string{"market expansion"})
	w.compile(obj{"query": "What is our top priority?", "identity": obj{"name": "Ilka"}}).shows("market expansion", not, "security compliance")
}

func lateAlone(w *world) {
	w.post("/v1/observations", chat("Ilka", "2025-03-02T09:02:00Z", "The lift is broken.")).is(201)
	w.post("/v1/observations", chat("Dana", "2025-03-02T09:03:00Z", "The meeting is on Friday.", inThread("elsewhere"))).is(201)
	fact := w.record(meeting("2025-03-02T09:01:00Z"))
	same(w.T, "nothing is said of it", len(fact.items("/later")), 0)
	same(w.T, "what stands", w.believed(fact.entity, "event_date"), []string{"Monday"})
}

func lateForgotten(w *world) {
	w.say("Plover", "owner", "Rita Sand", kind("project"), seen("2025-02-01T09:00:00Z"))
	w.post("/v1/observations", chat("Ilka", "2025-03-02T09:06:00Z", "Please forget the launch city of Plover.")).is(201)
	fact := stating("Plover", "launch city", "Kotka", kind("project"))
	fact["source"], fact["observed_at"] = obj{"origin": "chat://heron", "speaker": "Ilka", "thread": "chat://heron"}, "2025-03-01T09:00:00Z"
	a := w.record(fact)
	same(w.T, "what stands", w.believed(a.entity, "launch_city"), []string{})
}

// Turns that were read again for a fact are the context of those after them, though nothing of them is written.
func lateInTurn(w *world) {
	for _, o := range []obj{
		chat("Ilka", "2025-03-02T09:02:00Z", "I need to ship the package to Ghent."),
		chat("Desk", "2025-03-02T09:04:00Z", "Got it, I'll arrange shipping to Ghent."),
		chat("Ilka", "2025-03-02T09:06:00Z", "Actually, send it to Turin instead."),
	} {
		w.post("/v1/observations", o).is(201)
	}
	fact := stating("Ilka", "shipping location", "Ghent", kind("person"))
	fact["source"], fact["observed_at"] = obj{"origin": "notes://heron", "speaker": "Ilka"}, "2025-03-02T09:01:00Z"
	a := w.record(fact)
	same(w.T, "what stands", w.believed(a.entity, "shipping_location"), []string{"Turin"})
	w.compile(obj{"query": "Where should I ship the package?", "identity": obj{"name": "Ilka", "entity_id": a.entity}}).
		shows("Turin", not, "Ghent")
}

func lateWords(w *world) {
	known := w.launch()
	w.post("/v1/observations", chat("Dana", "2025-03-02T09:06:00Z", "Make that Ghent.")).is(201)
	a := w.post("/v1/observations", chat("Ilka", "2025-03-02T09:02:00Z", "The launch city of Plover is Namur now.")).is(201)
	same(w.T, "read again", len(a.items("/later")), 1)
	same(w.T, "warnings", a.warnings(), []string{"displaced_under_one /text", "later_text /text"})
	same(w.T, "what stands", w.believed(known.entity, "launch_city"), []string{"Ghent"})
}

// everyOrder says a fact and two turns in every order: what stands is the same.
func everyOrder(w *world) {
	orders := [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	names := []string{"Rita Sand", "Tomasz Wilk", "Beatriz Lomas", "Gordon Pell", "Nadia Okoro", "Femi Adeyemi"}
	for n, order := range orders {
		who := names[n]
		fact := stating(who, "hourly rate", "$125", kind("person"))
		fact["source"], fact["observed_at"] = obj{"origin": "notes://heron", "speaker": who}, "2025-03-02T09:01:00Z"
		scope := obj{"project_id": who}
		fact["scope"] = scope
		said := []obj{
			fact, chat(who, "2025-03-02T09:02:00Z", "The hourly rate is $125.", inThread(who), inScope(scope)),
			chat(who, "2025-03-02T09:06:00Z", "The rate is now $225.", inThread(who), inScope(scope)),
		}
		var person string
		for _, i := range order {
			if a := w.post("/v1/observations", said[i]).is(201); i == 0 {
				person = a.text("/mentions/0/entity_id")
			}
			w.settled()
		}
		same(w.T, "what stands", w.believed(person, "hourly_rate"), []string{"$225"})
		w.compile(obj{"query": "What is the current hourly rate?", "identity": obj{"name": who, "entity_id": person}, "scope": scope}).
			shows("$225", not, "$125")
	}
}
