package e2e

import (
	"fmt"
	"time"
)

// What becomes of beliefs: docs/standing.md, seen from outside.
var standings = []scenario{
	{"dead-value-restated", deadValueRestated},
	{"dead-value-said-anew", deadValueSaidAnew},
	{"held-then-settled", heldThenSettled},
	{"held-then-none-accepted", heldThenNone},
	{"held-then-dissolved", heldThenDissolved},
	{"near-equal-trust-is-held", nearEqualTrust},
	{"more-trust-wins", moreTrust},
	{"retracted-then-restored", retracted},
	{"ended", ended},
	{"ended-brings-nothing-back", nothingComesBack},
	{"superseded-by-name-brings-nothing-back", nothingBelow},
	{"confirmed", confirmed},
	{"dependency-withheld-and-given-back", dependency},
	{"constant-predicate-ties", constant},
	{"many-values-stand-together", manyValues},
	{"closed-vocabulary-refuses", closedVocabulary},
	{"a-finer-value-is-no-contradiction", finerValue},
	{"nothing-known-displaces-nothing", nothingKnown},
	{"values-of-one-breath", oneBreath},
	{"a-recalled-value-is-no-news", recalledValue},
	{"a-recalled-value-is-no-second-word", recalledSoon},
	{"turns-of-a-conversation", turns},
	{"readings-within-the-gap-are-held", readings},
	{"a-ground-said-again", groundSaidAgain},
	{"a-value-that-returns-is-warned-of", valueReturns},
	{"an-end-that-ends-not-all-is-warned-of", notAllEnds},
}

// valueReturns: somebody who had not heard of a change brings the old value back, and is told; who changes her mind, or
// names what she replaces, is not.
func valueReturns(w *world) {
	w.say("Morning Tide", "host", "Ann", by("Dana"), seen("2025-03-01T09:00:00Z"))
	changed := w.say("Morning Tide", "host", "Bea", by("Eve"), seen("2025-03-02T09:00:00Z"))
	same(w.T, "news", changed.warnings(), []string{"displaced_under_one /claims/0/predicate"})
	back := w.say("Morning Tide", "host", "Ann", by("Finn"), seen("2025-03-03T09:00:00Z"))
	same(w.T, "the old value", back.warnings(), []string{"displaced_under_one /claims/0/predicate", "value_returns /claims/0"})
	same(w.T, "in whose place", back.text("/warnings/1/beliefs/0"), changed.belief)
	w.say("Morning Tide", "host", "Bea", by("Finn"), seen("2025-03-04T09:00:00Z"))
	same(w.T, "her own word", w.say("Morning Tide", "host", "Ann", by("Finn"), seen("2025-03-05T09:00:00Z")).warnings(),
		[]string{"displaced_under_one /claims/0/predicate"})
	same(w.T, "held under", w.say("Ada Novak", "office_location", "Lodz").text("/beliefs/0/predicate"), "office")
}

// notAllEnds: who says until when a value was true is told that somebody has said it without an end.
func notAllEnds(w *world) {
	open := w.say("Ann", "desk", "G6", by("Ann"), seen("2025-03-01T09:00:00Z"))
	end := w.say("Ann", "desk", "G6", by("Ann"), seen("2025-03-02T09:00:00Z"), until("2025-03-05T09:00:00Z"))
	same(w.T, "which", end.texts("/warnings/0/beliefs", ""), []string{end.belief, open.belief})
}

func finerValue(w *world) {
	wide := w.say("Atlas Reed", "crew", "5-7", by("Dana"))
	fine := w.say("Atlas Reed", "crew", 6, by("Eve"))
	same(w.T, "the finer one", fine.status, "clean")
	same(w.T, "what stands", w.believed(wide.entity, "crew"), []string{"5-7", "6"})
	w.say("Atlas Reed", "site", "Oslo, Norway", by("Dana"))
	w.say("Atlas Reed", "site", "Norway", by("Eve"))
	same(w.T, "open cases", w.openCases(), 0)
	c := w.compile(obj{"query": "crew and site", "entities": list{wide.entity}})
	c.shows("crew: 6", "site: Oslo, Norway", not, "5-7", "site: Norway")
	same(w.T, "why not", w.get("/v1/beliefs/"+wide.belief).is(200).text("/contradiction_status"), "clean")
	other := w.say("Atlas Reed", "crew", 9, by("Eve"), from("2031-01-01T00:00:00Z"))
	same(w.T, "what contradicts both displaces both", w.believed(other.entity, "crew", "valid_at=2031-02-01T00:00:00Z"), []string{"9"})
}

func nothingKnown(w *world) {
	owner := w.say("Portia Reed", "owner", "Ada", from("2021-01-01T00:00:00Z"))
	silent := w.say("Portia Reed", "owner", "TBD", from("2022-01-01T00:00:00Z"), by("crm"))
	same(w.T, "no news", silent.status, "overridden")
	same(w.T, "why", w.belief(silent.belief).text("/segments/0/cause"), "no_value")
	same(w.T, "the owner", w.believed(owner.entity, "owner"), []string{"Ada"})
	gone := w.say("Portia Reed", "owner", "unknown", from("2023-01-01T00:00:00Z"), supersedes("owner"))
	same(w.T, "nothing is known any more", gone.status, "clean")
	same(w.T, "the owner then", w.belief(owner.belief).text("/contradiction_status"), "overridden")
}

func oneBreath(w *world) {
	said := w.post("/v1/observations", obj{
		"source": obj{"origin": "chat://1", "speaker": "Dana"}, "mentions": list{obj{"name": "Rosa", "type": "person"}},
		"claims": list{
			obj{"subject": obj{"mention": 0}, "predicate": "speaks", "value": "French"},
			obj{"subject": obj{"mention": 0}, "predicate": "speaks", "value": "German"},
		},
	}).is(201)
	rosa := said.text("/mentions/0/entity_id")
	same(w.T, "both", w.believed(rosa, "speaks"), []string{"French", "German"})
	w.compile(obj{"query": "What does Rosa speak?", "entities": list{rosa}}).shows("French", "German")
}

func recalledValue(w *world) {
	mysql := w.say("Apollo", "database", "MySQL", from("2021-01-01T00:00:00Z"))
	w.say("Apollo", "database", "Postgres", from("2022-01-01T00:00:00Z"))
	recalled := w.say("Apollo", "database", "MySQL", from("2023-01-01T00:00:00Z"), claims("recalls", true))
	same(w.T, "recalled", recalled.status, "overridden")
	same(w.T, "it says so", w.belief(recalled.belief).text("/recalls"), "true")
	same(w.T, "what stands", w.believed(mysql.entity, "database"), []string{"Postgres"})
}

// recalledSoon checks that to recall what its own speaker has replaced a moment
// ago is not a second source for it.
func recalledSoon(w *world) {
	old := w.say("Apollo", "database", "MySQL", by("Ada"), level(3), kind("project"), seen("2021-06-06T12:00:00Z"))
	w.say("Apollo", "database", "PostgreSQL", by("Ada"), level(3), kind("project"), seen("2021-06-06T12:00:20Z"))
	for i, speaker := range []string{"Chloe", "Ben"} {
		recalled := w.say("Apollo", "database", "MySQL", by(speaker), level(3), kind("project"),
			claims("recalls", true), seen(fmt.Sprintf("2021-06-06T12:00:%dZ", 40+i)))
		same(w.T, "recalled by "+speaker, recalled.text("/warnings/0/code")+" "+recalled.text("/warnings/0/cause"), "not_standing succession")
	}
	same(w.T, "what stands", w.believed(old.entity, "database"), []string{"PostgreSQL"})
	same(w.T, "open cases", w.openCases(), 0)
}

// turns checks that of what people say the later counts, however soon, unless it
// came in another order; and that nobody succeeds anybody about what never changes.
func turns(w *world) {
	e := w.say("Jon Smith", "office", "Boston", by("Dana"), seen("2021-06-06T12:00:00Z")).entity
	w.say("Jon Smith", "office", "Chicago", by("Eve"), seen("2021-06-06T12:00:20Z"))
	same(w.T, "the later word", w.believed(e, "office"), []string{"Chicago"})
	w.say("Jon Smith", "office", "Denver", by("Fay"), seen("2021-06-06T12:00:10Z"))
	same(w.T, "what came late is concurrent", w.openCases(), 1)
	same(w.T, "the other two", w.believed(e, "office", "status=disputed"), []string{"Chicago", "Denver"})

	w.define("predicates", false, obj{"name": "birth_date", "value_type": "time", "constant": true})
	w.say("Jon Smith", "birth_date", "1980-05-01", by("Dana"), seen("2021-06-06T12:00:00Z"))
	born := w.say("Jon Smith", "birth_date", "1981-05-01", by("Eve"), seen("2021-06-06T12:00:20Z"))
	same(w.T, "what never changes", born.status, "disputed")
}

// readings checks that two tools that read something within five minutes contradict, whichever came first.
func readings(w *world) {
	e := w.say("Jon Smith", "office", "Boston", by("badge reader"), level(4), seen("2021-06-06T12:00:00Z")).entity
	w.say("Jon Smith", "office", "Chicago", by("calendar"), level(4), seen("2021-06-06T12:00:20Z"))
	same(w.T, "what stands", w.believed(e, "office"), []string{})
	same(w.T, "open cases", w.openCases(), 1)
	w.say("Jon Smith", "office", "Denver", by("calendar"), level(4), seen("2021-06-06T12:05:21Z"))
	same(w.T, "after the gap", w.believed(e, "office"), []string{"Denver"})
}

func groundSaidAgain(w *world) {
	ground := w.say("Deal", "discount", "20%", level(3))
	total := w.say("Deal", "total", "$8,000", dependsOn(ground.belief))
	w.post("/v1/beliefs/"+ground.belief+"/retract", obj{"authority_level": 3}).is(200)
	same(w.T, "withheld", w.belief(total.belief).text("/contradiction_status"), "quarantined")
	w.say("Deal", "discount", "0.2", level(2), from("2020-01-01T00:00:00Z"))
	same(w.T, "given back", w.belief(total.belief).text("/contradiction_status"), "clean")
}

func deadValueRestated(w *world) {
	old := w.say("Order 4711", "status", "open", key("v1"))
	w.say("Order 4711", "status", "closed", key("v2"), supersedes("v1"))
	again := w.say("Order 4711", "status", "open")
	same(w.T, "restated", again.status, "overridden")
	w.compile(obj{"query": "status", "entities": list{old.entity}}).shows("closed", not, "open")
}

func deadValueSaidAnew(w *world) {
	old := w.say("Order 4711", "status", "open", key("v1"))
	w.say("Order 4711", "status", "closed", key("v2"), supersedes("v1"))
	anew := w.say("Order 4711", "status", "open", key("v3"), supersedes("v2"))
	same(w.T, "said anew", anew.status, "clean")
	w.compile(obj{"query": "status", "entities": list{old.entity}}).shows("open", not, "closed")
	chain := w.get("/v1/beliefs/" + anew.belief + "/chain").is(200)
	same(w.T, "the chain", chain.texts("/items", "/value"), []string{"open", "closed", "open"})
}

// holds has two equal sources say different things at about one time.
func holds(w *world) (boston, chicago told, kase answer) {
	boston = w.say("Jon Smith", "office", "Boston", by("Dana"))
	same(w.T, "the first", boston.status, "clean")
	chicago = w.say("Jon Smith", "office", "Chicago", by("Eve"))
	same(w.T, "the second", chicago.status, "disputed")
	same(w.T, "disputed with", chicago.texts("/beliefs/0/disputed_with", ""), []string{boston.belief})
	kase = w.get("/v1/quarantine/" + chicago.text("/beliefs/0/case_id")).is(200)
	return boston, chicago, kase
}

func heldThenSettled(w *world) {
	boston, chicago, kase := holds(w)
	same(w.T, "the case", kase.text("/state")+" "+kase.text("/resolver/kind")+" "+kase.text("/cross_scope"), "open user_confirmation false")
	same(w.T, "what it holds", kase.texts("/holds", ""), sorted(boston.belief, chicago.belief))
	same(w.T, "the open cases", w.get("/v1/quarantine").is(200).texts("/items", "/case_id"), []string{kase.text("/case_id")})
	same(w.T, "what stands", w.believed(boston.entity, "office"), []string{})
	same(w.T, "what is disputed", w.believed(boston.entity, "office", "status=disputed"), []string{"Boston", "Chicago"})
	same(w.T, "the conflicts", len(w.get("/v1/conflicts?entity_id="+boston.entity).is(200).items("/items")), 2)

	ask := obj{"query": "Where is the office of Jon Smith?"}
	c := w.compile(ask)
	c.shows(not, "Boston", "Chicago")
	same(w.T, "what is held out", c.held(), sorted(boston.belief, chicago.belief))

	path := "/v1/quarantine/" + kase.text("/case_id") + "/resolution"
	w.post(path, obj{"accept": chicago.belief, "version": 99}).problem(409, "conflict", "/version")
	w.post(path, obj{"accept": chicago.id, "version": 1}).problem(422, "unprocessable", "/accept")
	settled := w.post(path, obj{"accept": chicago.belief, "version": 1, "note": "asked Jon"}).is(200)
	same(w.T, "restored", settled.texts("/restored", ""), []string{chicago.belief})
	same(w.T, "the case", settled.text("/case/state")+" "+settled.text("/case/accepted")+" "+settled.text("/case/note"), "settled "+chicago.belief+" asked Jon")
	w.compile(ask).shows("Chicago", not, "Boston")
	same(w.T, "the rejected", w.belief(boston.belief).text("/contradiction_status"), "overridden")
	same(w.T, "a rejected value, restated", w.say("Jon Smith", "office", "Boston", by("Dana")).status, "quarantined")
	w.compile(ask).shows("Chicago", not, "Boston")
	w.post(path, obj{"accept": boston.belief, "version": 2}).problem(409, "conflict")
	same(w.T, "the open cases after", len(w.get("/v1/quarantine").is(200).items("/items")), 0)
}

func heldThenNone(w *world) {
	boston, _, kase := holds(w)
	w.post("/v1/quarantine/"+kase.text("/case_id")+"/resolution", obj{"reject_all": true, "version": 1}).is(200)
	same(w.T, "what stands", w.believed(boston.entity, "office"), []string{})
	w.say("Jon Smith", "office", "Denver", by("Eve"))
	same(w.T, "what stands after", w.believed(boston.entity, "office"), []string{"Denver"})
}

func heldThenDissolved(w *world) {
	boston, _, kase := holds(w)
	w.say("Jon Smith", "office", "Denver", by("Boss"), level(1))
	after := w.get("/v1/quarantine/" + kase.text("/case_id")).is(200)
	same(w.T, "what stands", w.believed(boston.entity, "office"), []string{"Denver"})
	same(w.T, "whether the case is open", after.text("/state") == "open", w.openCases() == 1)
}

func (w *world) openCases() int {
	w.Helper()
	return len(w.get("/v1/quarantine?state=open").is(200).items("/items"))
}

func nearEqualTrust(w *world) {
	w.say("Jon Smith", "office", "Boston", by("Dana"), trust(.81))
	same(w.T, "near-equal trust", w.say("Jon Smith", "office", "Chicago", by("Eve"), trust(.79)).status, "disputed")
	same(w.T, "open cases", w.openCases(), 1)
}

func moreTrust(w *world) {
	strong := w.say("Jon Smith", "office", "Boston", by("Dana"), trust(.9))
	weak := w.say("Jon Smith", "office", "Chicago", by("Eve"), trust(.6))
	same(w.T, "the less trusted", weak.status, "disputed")
	same(w.T, "open cases", w.openCases(), 0)
	same(w.T, "what stands", w.believed(strong.entity, "office"), []string{"Boston"})
}

func retracted(w *world) {
	o := movesOffice(w)
	path := "/v1/beliefs/" + o.chicago.belief + "/retract"
	done := w.post(path, obj{"reason": "he never moved", "authority_level": 2}).is(200)
	same(w.T, "restored", done.texts("/restored", ""), []string{o.boston.belief})
	same(w.T, "the retracted", done.text("/belief/contradiction_status"), "overridden")
	same(w.T, "what stands", w.believed(o.boston.entity, "office"), []string{"Boston"})
	w.compile(o.ask(nil)).shows("Boston", not, "Chicago")
	w.unchanged("amended again", func() {
		for _, verb := range []string{"retract", "end", "confirm"} {
			w.post("/v1/beliefs/"+o.chicago.belief+"/"+verb, nil).problem(409, "conflict")
		}
	})
	same(w.T, "what was believed before", w.believed(o.boston.entity, "office", "known_at="+o.chicago.recordedAt), []string{"Chicago"})

	barred := w.say("Jon Smith", "office", "Chicago", from("2021-07-01T00:00:00Z"))
	same(w.T, "the retracted value, restated", barred.status, "quarantined")
	boss := w.say("Jon Smith", "office", "Chicago", by("Boss"), level(0), from("2021-07-01T00:00:00Z"))
	same(w.T, "a higher authority brings it back", boss.status, "clean")
	agent := w.issue(obj{"roles": list{"agent"}, "max_authority": 2})
	agent.post("/v1/beliefs/"+boss.belief+"/retract", nil).problem(403, "forbidden")
	agent.post("/v1/beliefs/"+boss.belief+"/retract", obj{"authority_level": 0}).problem(403, "authority_too_high", "/authority_level")
}

func ended(w *world) {
	o := movesOffice(w)
	done := w.post("/v1/beliefs/"+o.chicago.belief+"/end", obj{"at": "2021-09-01T00:00:00Z"}).is(200)
	same(w.T, "the ended", segments(answer{body: done.at("/belief")}), []string{
		"2021-06-06T12:00:00Z 2021-09-01T00:00:00Z stands", "2021-09-01T00:00:00Z  end",
	})
	same(w.T, "what stood in August", w.believed(o.boston.entity, "office", "valid_at=2021-08-31T23:59:59Z"), []string{"Chicago"})
	same(w.T, "what stood in May", w.believed(o.boston.entity, "office", "valid_at=2021-05-01T00:00:00Z"), []string{"Boston"})
	same(w.T, "why it is not compiled", w.compile(o.ask(nil)).omitted(o.chicago.belief), "end")
	w.post("/v1/beliefs/"+o.boston.belief+"/end", obj{"at": "2021-01-01T00:00:00Z"}).problem(422, "unprocessable", "/at")
	w.unchanged("ended again", func() {
		for _, again := range []obj{{}, {"at": "2021-09-01T00:00:00Z"}, {"at": "2021-10-01T00:00:00Z"}} {
			w.post("/v1/beliefs/"+o.chicago.belief+"/end", again).problem(409, "conflict", "/at")
		}
	})
	w.post("/v1/beliefs/"+o.chicago.belief+"/end", obj{"at": "2021-08-01T00:00:00Z"}).is(200)
	same(w.T, "what stood in August, corrected", w.believed(o.boston.entity, "office", "valid_at=2021-08-31T23:59:59Z"), []string{})
}

// nothingComesBack: who has left Chicago is not in Boston again.
func nothingComesBack(w *world) {
	o := movesOffice(w)
	done := w.post("/v1/beliefs/"+o.chicago.belief+"/end", obj{"at": "2021-09-01T00:00:00Z"}).is(200)
	same(w.T, "what stands again", done.texts("/restored", ""), []string{})
	same(w.T, "what stands now", w.believed(o.boston.entity, "office"), []string{})
	w.compile(o.ask(nil)).shows(not, "Boston", "Chicago")
	w.say("Jon Smith", "office", "Denver", from("2021-10-01T00:00:00Z"))
	same(w.T, "what stands after news", w.believed(o.boston.entity, "office"), []string{"Denver"})
}

// nothingBelow: what a displaced belief had displaced stays dead, also where
// it was displaced by name from another slot.
func nothingBelow(w *world) {
	draft := w.say("Order 4711", "phase", "draft", from("2021-01-01T00:00:00Z"))
	w.say("Order 4711", "phase", "approved", from("2021-06-01T00:00:00Z"), key("approval"))
	w.say("Order 4711", "outcome", "cancelled", supersedes("approval"))
	same(w.T, "what stands", w.believed(draft.entity, "phase"), []string{})
	w.compile(obj{"query": "What is the status?", "entities": list{draft.entity}}).shows("cancelled", not, "approved", "draft")
}

func confirmed(w *world) {
	said := w.say("Jon Smith", "office", "Boston", seen("2021-01-01T00:00:00Z"))
	same(w.T, "at first", w.belief(said.belief).text("/last_confirmed"), "2021-01-01T00:00:00Z")
	a := w.post("/v1/beliefs/"+said.belief+"/confirm", obj{"at": "2021-05-01T00:00:00Z"}).is(200)
	same(w.T, "confirmed", a.text("/belief/last_confirmed"), "2021-05-01T00:00:00Z")
	w.say("Jon Smith", "office", "boston", seen("2021-08-01T00:00:00Z"), by("Eve"))
	same(w.T, "restated", w.belief(said.belief).text("/last_confirmed"), "2021-08-01T00:00:00Z")
	w.post("/v1/beliefs/"+said.belief+"/confirm", obj{"at": "2021-02-01T00:00:00Z"}).is(200)
	same(w.T, "an older confirmation", w.belief(said.belief).text("/last_confirmed"), "2021-08-01T00:00:00Z")
	w.post("/v1/beliefs/"+said.belief+"/confirm", obj{"at": "2999-01-01T00:00:00Z"}).problem(422, "unprocessable", "/at")

	w.post("/v1/beliefs/"+said.belief+"/confirm", nil).is(200)
	at, err := time.Parse(time.RFC3339Nano, w.belief(said.belief).text("/last_confirmed"))
	if err != nil || time.Since(at).Abs() > time.Minute {
		w.Errorf("confirmed now: last_confirmed %v, %v", at, err)
	}
}

func dependency(w *world) {
	ground := w.say("Jon Smith", "office", "Boston", from("2021-01-01T00:00:00Z"))
	tax := w.say("Jon Smith", "tax_state", "Massachusetts", dependsOn(ground.belief))
	rate := w.say("Jon Smith", "tax_rate", "5 percent", dependsOn(tax.belief))
	ask := obj{"query": "office, tax state and tax rate of Jon Smith"}
	w.compile(ask).shows("Boston", "Massachusetts", "5 percent")

	moved := w.say("Jon Smith", "office", "Chicago", from("2021-06-01T00:00:00Z"))
	c := w.compile(ask)
	c.shows("Chicago", not, "Boston", "Massachusetts", "5 percent")
	for _, b := range []told{tax, rate} {
		same(w.T, "why it is omitted", c.omitted(b.belief), "dependency")
		got := w.belief(b.belief)
		same(w.T, "needs review, status", got.text("/needs_review")+" "+got.text("/contradiction_status"), "true quarantined")
	}
	// Before the ground was lost, what rests on it reaches a model.
	county := w.say("Jon Smith", "county", "Suffolk", from("2021-01-01T00:00:00Z"), dependsOn(ground.belief))
	w.compile(obj{"query": "county of Jon Smith", "valid_at": "2021-03-01T00:00:00Z"}).shows("Suffolk")
	w.compile(obj{"query": "county of Jon Smith"}).shows(not, "Suffolk")
	for at, want := range map[string]string{"2021-03-01T00:00:00Z": "false", "2021-07-01T00:00:00Z": "true"} {
		same(w.T, "withheld at "+at, w.get("/v1/beliefs/"+county.belief+"?valid_at="+at).is(200).text("/withheld"), want)
	}
	late := w.say("Jon Smith", "tax_form", "Form 1", dependsOn(rate.belief))
	same(w.T, "a claim on lost ground", late.status+" "+late.text("/beliefs/0/needs_review"), "quarantined true")

	back := w.post("/v1/beliefs/"+moved.belief+"/retract", nil).is(200)
	same(w.T, "restored", back.texts("/restored", ""), sorted(ground.belief, tax.belief, rate.belief, county.belief, late.belief))
	w.compile(ask).shows("Boston", "Massachusetts", "5 percent", not, "Chicago")
	same(w.T, "needs review", w.belief(rate.belief).text("/needs_review"), "false")
}

// define puts a vocabulary: its policy and terms.
func (w *world) define(vocabulary string, closed bool, terms ...any) answer {
	w.Helper()
	path := "/v1/vocabularies/" + vocabulary
	version := w.get(path).is(200).at("/version")
	return w.call("PUT", path, obj{"closed": closed, "version": version, "terms": append(list{}, terms...)}).is(200)
}

func constant(w *world) {
	w.define("predicates", false, obj{"name": "birth_date", "value_type": "time", "constant": true})
	old := w.say("Jon Smith", "birth_date", "1980-05-01", by("Dana"), from("1980-05-01T00:00:00Z"))
	young := w.say("Jon Smith", "birth_date", "1981-05-01", by("Dana"), from("2021-01-01T00:00:00Z"))
	same(w.T, "newer is no argument", young.status, "disputed")
	same(w.T, "open cases", w.openCases(), 1)
	w.compile(obj{"query": "When was Jon Smith born?"}).shows(not, "1980", "1981")
	sure := w.say("Jon Smith", "birth_date", "1980-05-01", by("Registry"), trust(1))
	same(w.T, "more trust is", sure.status, "clean")
	same(w.T, "what stands", w.believed(old.entity, "birth_date"), []string{"1980-05-01", "1980-05-01"})
	w.post("/v1/observations", stating("Jon Smith", "birth_date", "in spring")).problem(422, "unprocessable", "/claims/0/value")
}

func manyValues(w *world) {
	w.define("predicates", false, obj{"name": "language", "cardinality": "many"})
	e := w.say("Jon Smith", "language", "English").entity
	w.say("Jon Smith", "language", "German")
	same(w.T, "what stands", w.believed(e, "language"), []string{"English", "German"})
	w.compile(obj{"query": "Which language speaks Jon Smith?"}).shows("English", "German")
}

func closedVocabulary(w *world) {
	e := w.say("Jon Smith", "locker", "Boston")
	same(w.T, "new words", sorted(e.texts("/registered", "")...), []string{"entity_types/person", "predicates/locker"})
	same(w.T, "the same words again", len(w.say("Jon Smith", "locker", "Boston").items("/registered")), 0)
	seen := w.get("/v1/vocabularies/predicates").is(200)
	same(w.T, "the words", seen.texts("/terms", "/name"), []string{"locker"})
	w.define("predicates", true)
	w.call("PUT", "/v1/vocabularies/predicates", obj{"closed": true, "version": seen.at("/version")}).problem(409, "conflict", "/version")
	w.unchanged("an unknown predicate", func() {
		w.post("/v1/observations", stating("Jane Doe", "tea_order", "red")).problem(422, "unprocessable", "/claims/0/predicate")
	})
	same(w.T, "who was named with it", len(w.get("/v1/entities?name=Jane+Doe").is(200).items("/items")), 0)
	w.say("Jane Doe", "locker", "Boston")
	w.define("entity_types", true)
	w.post("/v1/observations", stating("Rex", "locker", "Boston", kind("dog"))).problem(422, "unprocessable", "/mentions/0/type")
	w.define("predicates", false, obj{"name": "locker", "removed": true})
	w.say("Jane Doe", "tea_order", "red")
	same(w.T, "the words after", w.get("/v1/vocabularies/predicates").is(200).texts("/terms", "/name"), []string{"tea_order"})
}
