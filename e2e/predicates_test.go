package e2e

import "fmt"

// What predicates mean before anybody has said so, and what a tenant says of them.
var predicates = []scenario{
	{"synonyms-are-one-predicate", synonyms},
	{"both-sides-are-one-claim", converse},
	{"one-side-replaces-the-other", converseReplaced},
	{"many-from-the-other-side", manyFromTheOtherSide},
	{"known-as-many", knownAsMany},
	{"unknown-predicates-warn", unknownPredicate},
	{"words-for-two-things", wordsForTwoThings},
	{"a-third-value-after-two-together", thirdValue},
	{"one-of-two-together-said-again", oneOfTwo},
	{"many-brings-back", manyBringsBack},
	{"many-brings-back-of-its-own-subject", manyOfTwoSubjects},
	{"a-text-names-an-entity", textOfEntity},
	{"versions-are-words", versions},
	{"a-synonym-of-ones-own", ownSynonym},
	{"an-inverse-of-ones-own", ownInverse},
	{"terms-that-contradict", contradictingTerms},
	{"the-terms-in-effect", termsInEffect},
}

func synonyms(w *world) {
	first := w.say("Ada Novak", "office_location", "Boston", seen("2025-03-01T09:00:00Z"))
	next := w.say("Ada Novak", "office", "Chicago", seen("2025-03-02T09:00:00Z"))
	for _, p := range []string{"office", "office_location", "Office Location", "currentOffice"} {
		same(w.T, p, w.believed(first.entity, p), []string{"Chicago"})
	}
	b := w.belief(next.belief)
	same(w.T, "predicate", b.text("/predicate"), "office")
	same(w.T, "as written", w.belief(first.belief).text("/predicate_as_written"), "office_location")
	same(w.T, "registered", len(next.items("/registered")), 0)
	w.compile(obj{"query": "What is the office of Ada Novak?"}).shows("office: Chicago")
	w.say("Ada Novak", "sits_in", "Leeds", supersedes("office"), seen("2025-03-03T09:00:00Z"))
	same(w.T, "named by another word", w.belief(next.belief).text("/contradiction_status"), "overridden")
}

// manages says that one manages another, who is mentioned too.
func manages(who, whom, predicate string, edits ...edit) obj {
	o := stating(who, predicate, obj{"mention": 1}, edits...)
	o["mentions"] = append(o["mentions"].(list), obj{"name": whom, "type": "person"})
	return o
}

func converse(w *world) {
	said := w.record(manages("Ada Novak", "Ben Okafor", "manages"))
	again := w.record(manages("Ben Okafor", "Ada Novak", "manager"))
	ben := again.entity
	page := w.page("entity_id="+ben, "predicate=manager")
	same(w.T, "held once, said twice", len(page.items("/items")), 2)
	for _, id := range []string{said.belief, again.belief} {
		b := w.belief(id)
		same(w.T, "subject", b.text("/subject"), ben)
		same(w.T, "predicate", b.text("/predicate"), "manager")
		same(w.T, "value", b.text("/value/entity_id"), said.entity)
	}
	b := w.belief(said.belief)
	same(w.T, "as written", b.text("/predicate_as_written"), "manages")
	same(w.T, "inverted", b.at("/inverted"), true)
	same(w.T, "asked from her side", len(w.page("entity_id="+said.entity, "predicate=manages").items("/items")), 2)
	w.compile(obj{"query": "Who does Ada Novak manage?"}).shows("Ben Okafor", "Ada Novak / manages: Ben Okafor")
}

// manyFromTheOtherSide checks that one who manages many has no second manager beside her by that.
func manyFromTheOtherSide(w *world) {
	first := w.record(manages("Ada Novak", "Ben Okafor", "manages", claims("many", true), seen("2025-03-01T09:00:00Z")))
	w.record(manages("Cid Lund", "Ben Okafor", "manages", seen("2025-03-02T09:00:00Z")))
	same(w.T, "the first", w.belief(first.belief).text("/contradiction_status"), "overridden")
}

func converseReplaced(w *world) {
	first := w.record(manages("Ada Novak", "Ben Okafor", "manages", seen("2025-03-01T09:00:00Z")))
	w.record(manages("Ben Okafor", "Cid Lund", "manager", seen("2025-03-02T09:00:00Z")))
	same(w.T, "the former manager", w.belief(first.belief).text("/contradiction_status"), "overridden")
	third := w.record(manages("Cid Lund", "Dee Park", "manages", seen("2025-03-03T09:00:00Z")))
	w.record(manages("Cid Lund", "Eva Ruiz", "manages", seen("2025-03-04T09:00:00Z"), supersedes("manages")))
	same(w.T, "named from the other side", w.belief(third.belief).text("/contradiction_status"), "overridden")
}

func knownAsMany(w *world) {
	e := w.say("Ada Novak", "speaks", "French", seen("2025-03-01T09:00:00Z")).entity
	w.say("Ada Novak", "languages", "German", seen("2025-03-02T09:00:00Z"))
	same(w.T, "languages", w.believed(e, "speaks_language"), []string{"French", "German"})
}

// wordsForTwoThings: what merely sounds alike stands side by side, and what displaces in another word says so.
func wordsForTwoThings(w *world) {
	say := func(subject any, predicate, object string, day int) answer {
		return w.remember(obj{"facts": list{list{subject, predicate, object}}, "observed_at": fmt.Sprintf("2025-03-%02dT09:00:00Z", day)})
	}
	ada := obj{"name": "Ada Novak", "type": "person"}
	for i, fact := range [][2]string{{"lives_in", "Hull"}, {"based_in", "Leeds"}, {"job_title", "surgeon"}, {"title", "Dr."}} {
		same(w.T, fact[0], say(ada, fact[0], fact[1], i+1).warnings(), []string{})
	}
	w.compile(obj{"query": "What is known of Ada Novak?"}).shows("lives_in: Hull", "based_in: Leeds", "surgeon", "Dr.")
	first := say("Solveig", "location", "Bergen", 1)
	next := say("Solveig", "situated_in", "Stavanger", 2)
	same(w.T, "in another word", next.warnings(), []string{"displaced_other_word /facts/0/1"})
	same(w.T, "what", next.texts("/warnings/0/beliefs", ""), first.texts("/beliefs", "/belief_id"))
	same(w.T, "in the same word", say("Solveig", "Situated in", "Oslo", 3).warnings(), []string{})
}

func unknownPredicate(w *world) {
	first := w.say("Ada Novak", "tea_order", "Assam", seen("2025-03-01T09:00:00Z"))
	same(w.T, "nothing displaced", len(first.items("/warnings")), 0)
	next := w.say("Ada Novak", "tea_order", "Sencha", seen("2025-03-02T09:00:00Z"))
	same(w.T, "code", next.text("/warnings/0/code"), "displaced_under_one")
	same(w.T, "pointer", next.text("/warnings/0/pointer"), "/claims/0/predicate")
	same(w.T, "what", next.text("/warnings/0/beliefs/0"), first.belief)
	same(w.T, "a known predicate", len(w.say("Ada Novak", "employer", "Acme").items("/warnings")), 0)
	same(w.T, "replaced", len(w.say("Ada Novak", "employer", "Birch").items("/warnings")), 0)
}

// witnesses says two values in one breath, and a third later.
func witnesses(w *world) (two, third answer) {
	o := stating("Falk versus Lind", "witness", "Ann Grey", kind("matter"), seen("2025-03-01T09:00:00Z"))
	o["claims"] = append(o["claims"].(list), obj{"subject": obj{"mention": 0}, "predicate": "witness", "value": "Paul Stone"})
	two = w.post("/v1/observations", o).is(201)
	same(w.T, "two values", two.texts("/beliefs", "/status"), []string{"clean", "clean"})
	same(w.T, "of two", len(two.items("/warnings")), 0)
	return two, w.say("Falk versus Lind", "witness", "Mia Lund", kind("matter"), seen("2025-03-02T09:00:00Z")).answer
}

func thirdValue(w *world) {
	two, third := witnesses(w)
	same(w.T, "code", third.text("/warnings/0/code"), "displaced_under_one")
	same(w.T, "both are named", sorted(third.texts("/warnings/0/beliefs", "")...), sorted(two.texts("/beliefs", "/belief_id")...))
	same(w.T, "what stands", w.believed(third.text("/mentions/0/entity_id"), "witness"), []string{"Mia Lund"})
}

// oneOfTwo checks that to say one of two values again that were said together leaves the other alone.
func oneOfTwo(w *world) {
	o := stating("Falk versus Lind", "witness", "Ann Grey", kind("matter"), seen("2025-03-01T09:00:00Z"))
	o["claims"] = append(o["claims"].(list), obj{"subject": obj{"mention": 0}, "predicate": "witness", "value": "Paul Stone"})
	w.post("/v1/observations", o).is(201)
	again := w.say("Falk versus Lind", "witness", "Ann Grey", kind("matter"), by("Eve"), seen("2025-03-02T09:00:00Z"))
	same(w.T, "warnings", len(again.items("/warnings")), 0)
	same(w.T, "what stands", sorted(w.believed(again.entity, "witness")...), []string{"Ann Grey", "Ann Grey", "Paul Stone"})
}

// manyOfTwoSubjects checks that each claim of an observation tells what it brought back, and not what another did.
func manyOfTwoSubjects(w *world) {
	both := func(one, two, at string, many bool) answer {
		o := stating("Falk versus Lind", "witness", one, kind("matter"), seen(at), claims("many", many))
		o["mentions"] = append(o["mentions"].(list), obj{"name": "The inquest", "type": "matter"})
		o["claims"] = append(o["claims"].(list),
			obj{"subject": obj{"mention": 1}, "predicate": "witness", "value": two, "many": many})
		return w.post("/v1/observations", o).is(201)
	}
	first := both("Ann Grey", "Paul Stone", "2025-03-01T09:00:00Z", false)
	both("Mia Lund", "Zoe Hill", "2025-03-02T09:00:00Z", false)
	many := both("Raj Rao", "Eve Moor", "2025-03-03T09:00:00Z", true)
	for i, b := range first.texts("/beliefs", "/belief_id") {
		same(w.T, "restored", many.texts(fmt.Sprintf("/beliefs/%d/restored", i), ""), []string{b})
	}
}

func manyBringsBack(w *world) {
	two, third := witnesses(w)
	e := third.text("/mentions/0/entity_id")
	said := w.say("Falk versus Lind", "witness", "Raj Rao", kind("matter"), claims("many", true), seen("2025-03-03T09:00:00Z"))
	same(w.T, "restored", sorted(said.texts("/beliefs/0/restored", "")...), sorted(two.texts("/beliefs", "/belief_id")...))
	same(w.T, "displaced", len(said.items("/beliefs/0/superseded"))+len(said.items("/warnings")), 0)
	same(w.T, "what stands", sorted(w.believed(e, "witness")...), []string{"Ann Grey", "Mia Lund", "Paul Stone", "Raj Rao"})
	next := w.say("Falk versus Lind", "witness", "Zoe Hill", kind("matter"), seen("2025-03-04T09:00:00Z"))
	same(w.T, "warnings from then on", len(next.items("/warnings")), 0)
	same(w.T, "and the next", len(w.believed(e, "witness")), 5)
	w.post("/v1/beliefs/"+said.belief+"/retract", obj{"reason": "there is one"}).is(200)
	same(w.T, "when it is retracted", w.believed(e, "witness"), []string{"Zoe Hill"})

	old := w.say("Apollo", "database", "MySQL", kind("project"), seen("2025-03-01T09:00:00Z"))
	w.say("Apollo", "database", "PostgreSQL", kind("project"), seen("2025-03-02T09:00:00Z"))
	w.say("Apollo", "database", "Redis", kind("project"), claims("many", true), seen("2025-03-03T09:00:00Z"))
	same(w.T, "of a predicate that is known to have one", w.believed(old.entity, "database"), []string{"PostgreSQL", "Redis"})
}

func textOfEntity(w *world) {
	o := manages("Ada Novak", "Acme Corp", "employer", seen("2025-03-01T09:00:00Z"))
	o["mentions"].(list)[1].(obj)["type"] = "organization"
	said := w.record(o)
	next := w.say("Ada Novak", "works_at", "ACME Corp.", by("Somebody else"), seen("2025-03-01T09:00:01Z"))
	same(w.T, "no contradiction", next.texts("/beliefs", "/status"), []string{"clean"})
	same(w.T, "the first", w.belief(said.belief).text("/contradiction_status"), "clean")
}

func versions(w *world) {
	e := w.say("Atlas", "version", "1.1", kind("system"), seen("2025-03-01T09:00:00Z")).entity
	w.say("Atlas", "version", "1.10", kind("system"), seen("2025-03-02T09:00:00Z"))
	same(w.T, "the version", w.believed(e, "version"), []string{"1.10"})
}

func ownSynonym(w *world) {
	w.say("Ada Novak", "bureau", "Boston", seen("2025-03-01T09:00:00Z"))
	now := w.say("Ada Novak", "office", "Chicago", seen("2025-03-02T09:00:00Z"))
	same(w.T, "two predicates", w.believed(now.entity, "bureau"), []string{"Boston"})
	w.define("predicates", false, obj{"name": "bureau", "parent": "office"})
	same(w.T, "one predicate", w.believed(now.entity, "bureau"), []string{"Chicago"})
	same(w.T, "whoever asks", w.believed(now.entity, "office"), []string{"Chicago"})
	w.define("predicates", false, obj{"name": "bureau", "removed": true})
	same(w.T, "two again", w.believed(now.entity, "bureau"), []string{"Boston"})
	w.define("predicates", false, obj{"name": "room_code", "synonyms": list{"bureau", "zimmer"}})
	w.say("Ada Novak", "zimmer", "B 12", seen("2025-03-04T09:00:00Z"))
	same(w.T, "another term's", w.believed(now.entity, "bureau"), []string{"B 12"})
	w.define("predicates", false, obj{"name": "room_code"})
	same(w.T, "without it", w.believed(now.entity, "bureau"), []string{"Boston"})
	same(w.T, "without the other", w.believed(now.entity, "zimmer"), []string{"B 12"})
	same(w.T, "its own", len(w.believed(now.entity, "room_code")), 0)
}

func ownInverse(w *world) {
	said := w.record(manages("Ada Novak", "Ben Okafor", "minds"))
	same(w.T, "as said", w.belief(said.belief).text("/subject"), said.entity)
	w.define("predicates", false,
		obj{"name": "minds", "cardinality": "many", "inverse": "minder"}, obj{"name": "minder", "inverse": "minds"})
	b := w.belief(said.belief)
	same(w.T, "predicate", b.text("/predicate"), "minder")
	same(w.T, "value", b.text("/value/entity_id"), said.entity)
	w.define("predicates", false, obj{"name": "minder", "removed": true}, obj{"name": "minds", "removed": true})
	same(w.T, "as said again", w.belief(said.belief).text("/subject"), said.entity)
	same(w.T, "predicate again", w.belief(said.belief).text("/predicate"), "minds")
}

func contradictingTerms(w *world) {
	for _, c := range []struct {
		terms   list
		pointer string
	}{
		{list{obj{"name": "Room Code"}}, "/terms/0/name"},
		{list{obj{"name": "a", "synonyms": list{"b"}}, obj{"name": "b", "synonyms": list{"a"}}}, "/terms/0/synonyms"},
		{list{obj{"name": "a", "parent": "nothing_known"}}, "/terms/0/parent"},
		{list{obj{"name": "a", "parent": "office", "cardinality": "many"}}, "/terms/0/cardinality"},
		{list{obj{"name": "a", "synonyms": list{"a"}}}, "/terms/0/synonyms"},
		{list{obj{"name": "a", "parent": "a"}}, "/terms/0/parent"},
		{list{obj{"name": "a", "parent": "b"}, obj{"name": "b", "parent": "c"}, obj{"name": "c", "parent": "a"}}, "/terms/0/parent"},
		{list{obj{"name": "a", "synonyms": list{"b"}}, obj{"name": "c", "synonyms": list{"b"}}}, "/terms/1/synonyms"},
		{list{obj{"name": "up", "cardinality": "many", "inverse": "down"}, obj{"name": "down", "inverse": "over"}, obj{"name": "over", "inverse": "down"}},
			"/terms/0/inverse"},
		{list{obj{"name": "up", "value_type": "number", "inverse": "down"}, obj{"name": "down", "inverse": "up"}}, "/terms/0/inverse"},
		{list{obj{"name": "up", "constant": true, "inverse": "down"}, obj{"name": "down", "inverse": "up"}}, "/terms/0/constant"},
		{list{obj{"name": "minds", "inverse": "minder"}}, "/terms/0/inverse"},
		{list{obj{"name": "manages", "value_type": "text"}}, "/terms/0/inverse"},
		{list{obj{"name": "manages", "inverse": "employer"}}, "/terms/0/inverse"},
		{list{obj{"name": "minds", "inverse": "manager"}}, "/terms/0/inverse"},
	} {
		w.unchanged(c.pointer, func() {
			w.call("PUT", "/v1/vocabularies/predicates", obj{"closed": false, "version": 0, "terms": c.terms}).
				problem(422, "unprocessable", c.pointer)
		})
	}
}

func termsInEffect(w *world) {
	w.define("predicates", false, obj{"name": "office", "cardinality": "many"})
	same(w.T, "the tenant's", len(w.get("/v1/vocabularies/predicates").is(200).items("/terms")), 1)
	page := w.get("/v1/vocabularies/predicates?base=true&limit=200").is(200)
	if n := len(page.items("/terms")); n != 200 {
		w.Errorf("%d terms", n)
	}
	e := w.say("Ada Novak", "office", "Boston", seen("2025-03-01T09:00:00Z")).entity
	w.say("Ada Novak", "office", "Chicago", seen("2025-03-02T09:00:00Z"))
	w.say("Ada Novak", "office", "15 %", seen("2025-03-03T09:00:00Z"))
	same(w.T, "restricts nothing else", sorted(w.believed(e, "office")...), []string{"15 %", "Boston", "Chicago"})
}
