package e2e

import "slices"

// Values that are sentences: of two that disagree about one matter one stands, and what is said to be wrong goes.
var sentences = []scenario{
	{"a-limit-and-what-is-beyond-it", limitAndBeyond},
	{"a-limit-that-others-may-not-read", confidentialLimit},
	{"a-stronger-sentence-comes-later", strongerSentence},
	{"a-later-sentence-of-one-voice", laterSentence},
	{"sentences-that-both-stand", bothSentences},
	{"a-late-sentence", lateSentence},
	{"somebody-was-wrong", somebodyWrong},
	{"a-quoted-conclusion-was-wrong", quotedWrong},
	{"a-word-for-a-sentence", wordForSentence},
	{"why-something-was-displaced", whyDisplaced},
}

const (
	discountLimit = "[VP] Vera (VP Sales): Maximum discount is 15% without my approval"
	discountGiven = "[MANAGER] Mark (Sales Manager): Give this customer a 25% discount to close the deal"
)

func limitAndBeyond(w *world) {
	limit := w.say("Globex", "first instruction", discountLimit, kind("organization"), seen("2025-03-03T09:00:00Z"))
	a := w.say("Globex", "second instruction", discountGiven, kind("organization"), seen("2025-03-03T09:01:00Z"))
	same(w.T, "warnings", a.warnings(), []string{"outranked /claims/0/value", "not_standing /claims/0"})
	same(w.T, "by", a.texts("/warnings/0/beliefs", ""), []string{limit.belief})
	same(w.T, "cause", w.belief(a.belief).text("/segments/0/cause"), "end")
	w.post("/v1/observations", chat("Ilka", "2025-03-03T10:00:00Z",
		"VP Sales set a 15% maximum discount policy. Sales Manager Mark is trying to give a 25% discount to close a deal.")).is(201)
	w.compile(obj{"query": "Which discount may we give at Globex?"}).shows("Maximum discount", not, "25%")

	told := stating("Globex", "third instruction", "[MANAGER] Mona (Sales Manager): Give this school a 40% discount",
		kind("organization"), seen("2025-03-03T11:00:00Z"))
	told["extract"] = "none"
	same(w.T, "unread", w.belief(w.record(told).belief).text("/segments/0/cause"), "stands")
}

// The reason why something does not stand is for all who may read that; what they may not read is none.
func confidentialLimit(w *world) {
	w.say("Globex", "first instruction", "[CONFIDENTIAL: restricted to VP+] "+discountLimit, kind("organization"),
		seen("2025-03-03T09:00:00Z"))
	a := w.say("Globex", "second instruction", discountGiven, kind("organization"), seen("2025-03-03T09:01:00Z"))
	same(w.T, "warnings", a.warnings(), []string{})
	same(w.T, "cause", w.belief(a.belief).text("/segments/0/cause"), "stands")
}

func strongerSentence(w *world) {
	old := w.say("Globex", "signing bonus", "[C_LEVEL] Charles (CEO): Give the new CFO a $2M signing bonus",
		kind("organization"), seen("2025-03-03T09:00:00Z"))
	cap := w.say("Globex", "bonus policy", "[BOARD] Board of Directors (Compensation Committee): Executive signing bonuses capped at $500k",
		kind("organization"), seen("2025-03-03T09:01:00Z"))
	same(w.T, "superseded", cap.texts("/beliefs/0/superseded", ""), []string{old.belief})
	same(w.T, "evidence", w.belief(cap.belief).text("/supersession_evidence/trigger"), "$2M is beyond the limit of $500k")
	w.post("/v1/observations", chat("Ilka", "2025-03-03T10:00:00Z", "CEO Charles wanted to offer a $2M signing bonus to a CFO candidate.")).is(201)
	w.compile(obj{"query": "What signing bonus can we offer at Globex?"}).shows("$500k", not, "$2M")
	w.post("/v1/beliefs/"+cap.belief+"/retract", obj{"reason": "the board did not meet"}).is(200)
	w.compile(obj{"query": "What signing bonus can we offer at Globex?"}).shows("$2M", not, "$500k")
}

func laterSentence(w *world) {
	w.say("Globex", "first instruction", "Catherine (CEO): Approved: Launch Project Phoenix in Q1", kind("organization"),
		seen("2025-03-03T09:00:00Z"))
	w.say("Globex", "second instruction", "Catherine (CEO): Project Phoenix is cancelled due to budget constraints",
		kind("organization"), seen("2025-03-03T09:01:00Z"))
	w.compile(obj{"query": "What is the status of Project Phoenix at Globex?"}).shows("cancelled", not, "Approved")
}

func bothSentences(w *world) {
	at := "2025-03-03T09:00:00Z"
	for predicate, value := range map[string]string{
		"i1": "Chris (CEO): VP Sales can approve partnerships under $1M annual value",
		"i2": "Vanessa (VP Sales): Approve the $800k partnership with TechCorp",
		"i3": "Victoria (VP Sales): Maximum discount is 15%",
		"i4": "Mark (Sales Manager): Give this customer a 25% larger storage quota",
		"i5": "David (Product Director): Prioritize the mobile app launch",
		"i6": "Diane (Engineering Director): Prioritize technical debt reduction",
		"i7": "Diane (Engineering Director): Use PostgreSQL for all new services",
		"i8": "Carl (Contractor): Use MongoDB for the analytics sandbox",
	} {
		a := w.say("Globex", predicate, value, kind("organization"), seen(at))
		same(w.T, value, w.belief(a.belief).text("/segments/0/cause"), "stands")
	}
	w.compile(obj{"query": "What was decided at Globex?"}).shows("$800k", "under $1M", "15%", "25%", "mobile app", "technical debt",
		"PostgreSQL", "MongoDB")
}

func lateSentence(w *world) {
	now := w.say("Globex", "second instruction", "Vince (VP HR): PTO over 3 days requires VP approval", kind("organization"),
		seen("2025-03-03T11:00:00Z"))
	late := w.say("Globex", "first instruction", "Vince (VP HR): Manager Mia can approve PTO up to 2 weeks", kind("organization"),
		seen("2025-03-03T09:00:00Z"))
	same(w.T, "of the later", w.belief(now.belief).text("/segments/0/cause"), "stands")
	b := w.belief(late.belief)
	same(w.T, "of the earlier", []string{b.text("/segments/0/cause"), b.text("/segments/0/valid_until"), b.text("/segments/1/cause")},
		[]string{"stands", "2025-03-03T11:00:00Z", "end"})
}

func somebodyWrong(w *world) {
	turn := func(at, text string) answer {
		return w.post("/v1/observations", chat("Desk", at, text, inThread("ticket"))).is(201)
	}
	ask := obj{"query": "Does the Heron dashboard read from the cache or from the replica?"}
	turn("2025-03-02T09:00:00Z", "[L1 (Support)]: The Heron dashboard reads from the broken cache.")
	turn("2025-03-02T09:30:00Z", "[Customer (Customer)]: The Heron dashboard reads slowly.")
	w.compile(ask).shows("broken cache")
	a := turn("2025-03-02T10:00:00Z", "[L2 (Senior Support)]: L1's diagnosis was wrong. The Heron dashboard reads from the lagging replica.")
	if !slices.Contains(a.effects(), "retract retract") {
		w.Errorf("effects %q\n%s", a.effects(), a.raw)
	}
	w.compile(ask).shows("lagging replica", not, "broken cache")
	turn("2025-03-02T10:30:00Z", "[Ops (Engineer)]: Is it possible that L2 was wrong?")
	turn("2025-03-02T10:40:00Z", "[Ops (Engineer)]: Customer data was wrong for a while.")
	w.compile(ask).shows("lagging replica")
	turn("2025-03-02T11:00:00Z", "[Ops (Engineer)]: Actually L2 was also wrong.")
	w.compile(ask).shows(not, "broken cache", "lagging replica")
}

func quotedWrong(w *world) {
	known := w.say("Ilka", "conclusion", "Code freeze Feb 15, QA Feb 16-28, Launch March 1", by("Ilka"), seen("2025-01-03T09:00:00Z"))
	w.say("Ilka", "budget", "EUR 500", by("Ilka"), about(known.entity), seen("2025-01-03T09:00:00Z"))
	w.post("/v1/observations", chat("Ilka", "2025-01-04T09:00:00Z",
		"Our conclusion 'Code freeze Feb 15, QA Feb 16-28, Launch March 1' was based on incorrect information.")).is(201)
	same(w.T, "cause", w.belief(known.belief).text("/segments/0/cause"), "retraction")
	w.compile(obj{"query": "What is the plan?", "entities": []string{known.entity}}).shows("EUR 500", not, "Feb 15")
}

func wordForSentence(w *world) {
	known := w.say("Ilka", "submission deadline", "RFP due Friday 5pm", by("Ilka"), seen("2025-03-05T09:00:00Z"))
	for _, text := range []string{"Just to confirm: RFP submission deadline is Friday 5pm", "It's Thursday."} {
		w.post("/v1/observations", chat("Ilka", "2025-03-06T09:00:00Z", text, inThread("rfp"))).is(201)
	}
	same(w.T, "cause", w.belief(known.belief).text("/segments/0/cause"), "stands")
	w.compile(obj{"query": "Can we submit on time?", "entities": []string{known.entity}}).shows("Friday 5pm", not, "Thursday")
}

func whyDisplaced(w *world) {
	known := w.say("Ilka", "rehearsal plan", "Choir rehearses in the old hall on Mondays", by("Ilka"), seen("2025-03-02T09:00:00Z"))
	w.post("/v1/observations", chat("Ilka", "2025-03-09T09:00:00Z", "Heating failed over the weekend", inThread("choir"))).is(201)
	w.say("Ilka", "rehearsal plan", "Everybody meets at the school from now on", by("Ilka"), about(known.entity),
		seen("2025-03-09T09:02:00Z"))
	w.compile(obj{"query": "Where does the choir rehearse, in the old hall?", "entities": []string{known.entity}}).
		shows("school", not, "Mondays")
}
