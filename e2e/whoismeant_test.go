package e2e

import (
	"strconv"
	"strings"
)

// Namesakes: who is not meant, whom nobody can tell from the name alone, and whom a session means.
var whoIsMeant = []scenario{
	{"contrary-birth-dates-are-two", contraryBirthDates},
	{"contrary-birth-dates-beside-an-identifier", contraryDatesOfOneNumber},
	{"two-birth-dates-in-one-mention", twoBirthDates},
	{"contrary-registration-numbers-are-two", contraryNumbers},
	{"what-claims-say-of-birth-tells-two-apart", contraryClaims},
	{"a-birth-date-that-is-put-right", correctedBirthDate},
	{"a-pending-namesake-makes-a-name-ambiguous", pendingNamesake},
	{"a-first-name-means-whom-the-session-named", firstNameInSession},
	{"a-description-means-what-the-session-named", descriptionInSession},
	{"a-description-has-the-type-of-what-it-says", typedDescription},
	{"an-untyped-first-name-means-whom-the-session-named", untypedFirstName},
	{"a-name-that-may-be-one-of-two-is-asked-about", mayBeOneOfTwo},
	{"twins-are-not-joined-through-a-third", twinsAndAThird},
	{"who-may-be-one-of-two-is-neither", tiedWithPending},
	{"a-description-of-a-kind-identifies-nothing", describedAlike},
}

func session(id string) edit { return func(s statement) { s.source["session_id"] = id } }

func decision(a told) string {
	return a.text("/mentions/0/decision") + " " + a.text("/mentions/0/reason")
}

func contraryBirthDates(w *world) {
	var said []told
	for _, dob := range []string{"1950-03-03", "1980-07-07", "1950-03-03", "1980-07-07"} {
		said = append(said, w.say("Robert Hale", "office", "Bonn", identified("dob", dob), by("register of "+dob)))
	}
	w.settled()
	same(w.T, "the first", decision(said[0]), "new_entity no_candidate")
	same(w.T, "another date", decision(said[1]), "review contradicting_birth_date")
	same(w.T, "the first again", decision(said[2])+" "+said[2].entity, "auto_merge exact_name "+said[0].entity)
	same(w.T, "the other again", decision(said[3])+" "+said[3].entity, "review joins_pending "+said[1].entity)
	same(w.T, "open reviews", len(w.get("/v1/reviews?state=open").is(200).items("/items")), 1)
	for date, what := range map[string]string{"03/03/1950": "a date written otherwise", "1950": "the year alone", "1950-03-30": "a slip"} {
		in := obj{"name": "Robert Hale", "type": "person", "attributes": obj{"dob": list{date}}}
		same(w.T, what, w.compare(obj{"name": "Robert Hale", "type": "person", "attributes": obj{"dob": list{"1950-03-03"}}}, in).text("/veto"), "")
	}
}

func contraryDatesOfOneNumber(w *world) {
	for name, id := range map[string][2]string{
		"Robert Hale": {"employee_id", "E-7735"}, "Wilhelmina Oakes": {"passport", "X1234567"}, "Barnaby Quill": {"email", "quill@harbour.example"},
	} {
		born := func(date string) edit {
			return func(s statement) { s.mention["attributes"] = obj{id[0]: list{id[1]}, "dob": list{date}} }
		}
		var said []told
		for i, dob := range []string{"1950-03-03", "1980-07-07", "1950-03-03", "1980-07-07", "1950", "1980"} {
			said = append(said, w.say(name, "office", "Bonn", born(dob), by("register "+strconv.Itoa(i))))
		}
		w.settled()
		same(w.T, id[0]+" with another date", decision(said[1]), "review contradicting_birth_date")
		same(w.T, id[0]+" whom it asks about", w.review(said[1].text("/mentions/0/review_id")).text("/candidates/0/entity/root_id"), said[0].entity)
		for i, of := range []int{0, 1, 0, 1, 0, 1} {
			same(w.T, id[0]+" means who was born then", said[i].entity, said[of].entity)
		}
		same(w.T, id[0]+" and a slip", decision(w.say(name, "office", "Bonn", born("1950-03-08"), by("register"))), "auto_merge identifier")
	}
	verify(w.T, w.srv.store, w.tenant)
}

func twoBirthDates(w *world) {
	first := w.say("Robert Hale", "office", "Bonn", identified("dob", "1950-03-03"))
	both := func(s statement) { s.mention["attributes"] = obj{"dob": list{"1950-03-03", "1980-07-07"}} }
	second := w.say("Robert Hale", "office", "Bonn", both)
	same(w.T, "who contradicts himself", decision(second), "review contradicting_birth_date")
	same(w.T, "what he is asked about", w.review(second.text("/mentions/0/review_id")).text("/candidates/0/entity/root_id"), first.entity)
	third := w.say("Robert Hale", "office", "Bonn", identified("dob", "1950-03-03"))
	same(w.T, "whom either may be", decision(third), "review ambiguous_name")
}

func contraryNumbers(w *world) {
	for kindOf, numbers := range map[string][2]string{
		"ein": {"12-3456789", "98-7654321"}, "company_number": {"00445790", "SC123456"}, "duns": {"15-048-3782", "06-070-4780"},
		"lei": {"5493001KJTIIGC8Y1R12", "213800D1EI4B9WTWWD28"},
	} {
		name := "Orion " + kindOf + " Capital LLC"
		one := w.say(name, "office", "Bonn", kind("organization"), identified(kindOf, numbers[0]))
		two := w.say(name, "office", "Bonn", kind("organization"), identified(kindOf, numbers[1]))
		same(w.T, kindOf, decision(two), "review contradicting_identifier")
		again := w.say(name+" (Delaware)", "office", "Bonn", kind("organization"), identified(kindOf, strings.ToLower(numbers[0])))
		same(w.T, kindOf+" again", again.text("/mentions/0/reason")+" "+again.entity, "identifier "+one.entity)
	}
}

func contraryClaims(w *world) {
	var said []told
	for _, born := range []any{"1950-03-03", "1980-07-07", "3 March 1950", 1980} {
		said = append(said, w.say("Robert Hale", "born", born, by("register")))
	}
	w.settled()
	same(w.T, "another date", decision(said[1]), "review contradicting_birth_date")
	same(w.T, "the first again", decision(said[2])+" "+said[2].entity, "auto_merge exact_name "+said[0].entity)
	same(w.T, "the other again", decision(said[3])+" "+said[3].entity, "review joins_pending "+said[1].entity)
	attribute := w.say("Robert Hale", "office", "Bonn", identified("dob", "1966-11-30"))
	same(w.T, "an attribute against claims", decision(attribute), "review contradicting_birth_date")

	facts := func(date string) answer {
		return w.remember(obj{"facts": list{obj{"subject": "Wilhelmina Oakes", "subject_type": "person", "predicate": "date_of_birth", "object": date}}})
	}
	first, second := facts("1950-03-03"), facts("1980-07-07")
	same(w.T, "remembered", second.text("/entities/0/decision")+" "+second.text("/entities/0/reason"), "review contradicting_birth_date")
	same(w.T, "whom it asks about", w.review(second.text("/entities/0/review_id")).text("/candidates/0/entity/root_id"), first.text("/entities/0/entity_id"))

	one := w.say("Orion Capital LLC", "company_number", "00445790", kind("organization"))
	same(w.T, "another number", decision(w.say("Orion Capital LLC", "registration_number", "SC123456", kind("organization"))), "review contradicting_identifier")
	again := w.say("Orion Capital LLC", "company_number", "00445790", kind("organization"))
	same(w.T, "the number again", decision(again)+" "+again.entity, "auto_merge identifier "+one.entity)

	known := w.say("Leopold Ash", "office", "Bonn")
	w.say("", "born", "1950-03-03", about(known.entity))
	same(w.T, "against what is said by id", decision(w.say("Leopold Ash", "born", "1980-07-07", by("register"))), "review contradicting_birth_date")

	maybe := w.say("Barnaby Quill", "born", "1950-03-03")
	for what, e := range map[string]edit{
		"a supposition": within(obj{"kind": "hypothetical", "task_id": "what-if"}),
		"a place":       claims("value", "Bonn"),
	} {
		same(w.T, what, w.say("Barnaby Quill", "born", "1980-07-07", e).entity, maybe.entity)
	}
	verify(w.T, w.srv.store, w.tenant)
}

func correctedBirthDate(w *world) {
	born := func(date string, edits ...edit) told { return w.say("Robert Hale", "born", date, edits...) }
	first := born("1950-03-03")
	same(w.T, "put right", decision(born("1980-07-07", supersedes("born")))+" "+first.entity, "auto_merge exact_name "+first.entity)
	w.settled()
	same(w.T, "as it is now", decision(born("1980-07-07"))+" "+first.entity, "auto_merge exact_name "+first.entity)
	w.settled()
	same(w.T, "open reviews", len(w.get("/v1/reviews?state=open").is(200).items("/items")), 0)
	same(w.T, "as it was", decision(born("1950-03-03")), "review contradicting_birth_date")
	verify(w.T, w.srv.store, w.tenant)

	other := w.say("Wilhelmina Oakes", "born", "1950-03-03")
	w.say("", "born", "1980-07-07", about(other.entity), supersedes("born"))
	w.settled()
	same(w.T, "said of her by id", w.say("Wilhelmina Oakes", "office", "Bonn").entity, other.entity)
}

func pendingNamesake(w *world) {
	w.say("Chen Wei", "office", "Bonn", identified("dob", "1979-06-03"))
	w.say("Chen Wei", "office", "Oslo", identified("dob", "1988-12-19"))
	bare := w.say("Chen Wei", "office", "Turin")
	same(w.T, "which of the two", decision(bare), "review ambiguous_name")
	same(w.T, "whom it asks about", len(w.review(bare.text("/mentions/0/review_id")).items("/candidates")) > 0, true)
	again := w.say("Chen Wei", "office", "Turin")
	same(w.T, "again", decision(again)+" "+again.entity, "review joins_pending "+bare.entity)
	for _, other := range []string{"Dr. Chen Wei", "Wei, Chen"} {
		same(w.T, other, decision(w.say(other, "office", "Turin")), "review joins_pending")
	}
	for id, dob := range map[string]string{"1": "1970-01-02", "2": "1981-05-06"} {
		w.say("Petra Lang", "row", id, identified("dob", dob), field(inMention, "record", obj{"source": "crm", "id": id}))
	}
	same(w.T, "which of two rows", decision(w.say("Petra Lang", "office", "Turin")), "review ambiguous_name")
	same(w.T, "the one of the date", decision(w.say("Petra Lang", "office", "Oslo", identified("dob", "1981-05-06"))), "auto_merge exact_name")
}

func firstNameInSession(w *world) {
	dana := w.say("Dana Whitfield", "office", "Bonn", session("s1"), by("Ilka Brenner"))
	w.say("Rui Pacheco", "office", "Oslo", session("s1"), by("Ilka Brenner"))
	short := w.say("Dana", "desk", "4", session("s1"), by("Ilka Brenner"))
	same(w.T, "in the session", decision(short)+" "+short.entity, "auto_merge session "+dana.entity)
	elsewhere := w.say("Dana", "desk", "9", session("s2"), by("Kwame Adjei"))
	same(w.T, "elsewhere", elsewhere.text("/mentions/0/decision") == "auto_merge", false)
	w.say("Dana Okafor", "office", "Turin", session("s1"), by("Ilka Brenner"))
	either := w.say("Dana", "desk", "5", session("s1"), by("Ilka Brenner"))
	same(w.T, "of two", decision(either), "review ambiguous_name")
}

func descriptionInSession(w *world) {
	library := w.say("acme-labs/prompt-library", "language", "Go", kind(""), session("s1"))
	w.say("acme-labs/billing-api", "language", "Go", kind(""), session("s1"))
	asked := w.say("the prompt repo", "licence", "MIT", kind(""), session("s1"))
	same(w.T, "in the session", decision(asked), "review session")
	same(w.T, "who is asked about", w.review(asked.text("/mentions/0/review_id")).text("/candidates/0/entity/root_id"), library.entity)
	same(w.T, "elsewhere", w.say("the prompt repo", "licence", "MIT", kind(""), session("s2")).entity == library.entity, false)
	architect := w.say("the architect", "desk", "4", by("Ilka Brenner"), session("s1"))
	other := w.say("the architect", "desk", "5", by("Kwame Adjei"), session("s3"))
	same(w.T, "another talk's architect", other.text("/mentions/0/decision") == "auto_merge", false)
	same(w.T, "one talk's architect", w.say("the architect", "desk", "6", by("Ilka Brenner"), session("s1")).entity, architect.entity)
}

func typedDescription(w *world) {
	for what, types := range map[string][2]string{
		"prompt": {"repository", "project"}, "memory": {"project", "repository"}, "ledger": {"repository", "repository"},
	} {
		talk := session(what)
		library := w.say("acme-labs/"+what+"-library", "language", "Go", kind(types[0]), talk)
		asked := w.say("the "+what+" repo", "licence", "MIT", kind(types[1]), talk)
		same(w.T, what, decision(asked), "review session")
		same(w.T, what+", which is asked about", w.review(asked.text("/mentions/0/review_id")).text("/candidates/0/entity/root_id"), library.entity)
	}
	talk := session("of two")
	w.say("acme-labs/index-library", "language", "Go", kind("repository"), talk)
	w.say("acme-labs/index-cache", "language", "Go", kind("repository"), talk)
	same(w.T, "of two", decision(w.say("the index repo", "licence", "MIT", kind("project"), talk)), "review ambiguous_name")
	w.say("Memory Lane", "city", "Bonn", kind("place"), talk)
	same(w.T, "a place", decision(w.say("the lane repo", "licence", "MIT", kind("project"), talk)), "new_entity no_candidate")
}

func untypedFirstName(w *world) {
	dana := w.say("Dana Whitfield", "desk", "4", kind(""), session("s1"))
	next := w.say("Dana", "floor", "2", kind(""), session("s1"))
	same(w.T, "in the session", decision(next)+" "+next.entity, "auto_merge session "+dana.entity)
	w.say("Dana Miller", "desk", "5", kind(""), session("s1"))
	same(w.T, "of two", decision(w.say("Dana", "floor", "3", kind(""), session("s1"))), "review ambiguous_name")
}

func mayBeOneOfTwo(w *world) {
	for short, names := range map[string][2]string{
		"M. Silva": {"Maria Silva", "Marco Silva"}, "Alex Novak": {"Alexander Novak", "Alexandra Novak"},
		"J. Brandt": {"Jonas Brandt", "Julia Brandt"},
	} {
		known := map[string]bool{}
		for _, name := range names {
			known[w.say(name, "desk", "4").entity] = true
		}
		asked := w.say(short, "floor", "2")
		same(w.T, short, decision(asked), "review several_similar")
		for _, c := range w.review(asked.text("/mentions/0/review_id")).items("/candidates") {
			delete(known, text(c, "/entity/root_id"))
		}
		same(w.T, short+", who is not named", len(known), 0)
		again := w.say(short, "floor", "3")
		same(w.T, short+" again", decision(again)+" "+again.entity, "review joins_pending "+asked.entity)
	}
	for short, name := range map[string]string{
		"Steven Li": "Stephen Lee", "محمد علي": "Mohammed Ali", "Maria Garcia": "Maria Garcia Lopez", "prompt-library": "acme-labs/prompt-library",
	} {
		known := w.say(name, "desk", "4", kind(""))
		asked := w.say(short, "floor", "2", kind(""))
		same(w.T, short, decision(asked), "review only_candidate")
		same(w.T, short+", who is asked about", w.review(asked.text("/mentions/0/review_id")).text("/candidates/0/entity/root_id"), known.entity)
	}
	verify(w.T, w.srv.store, w.tenant)
}

func twinsAndAThird(w *world) {
	twin := func(s statement) {
		s.mention["attributes"] = obj{"dob": list{"2001-04-18"}, "phone": list{"+46 90 555 01 02"}}
	}
	oskar, elias := w.say("Oskar Lindgren", "school", "A", twin), w.say("Elias Lindgren", "school", "B", twin)
	w.say("Lindgren", "school", "C", twin)
	w.settled()
	root := func(e told) string { return w.get("/v1/entities/" + e.entity).is(200).text("/root_id") }
	same(w.T, "the twins are one", root(oskar) == root(elias), false)
}

func tiedWithPending(w *world) {
	household := func(s statement) {
		s.mention["attributes"] = obj{"dob": list{"2001-04-18"}, "phone": list{"+46 90 555 01 02"}}
	}
	w.say("Molly Gray", "school", "A", household)
	polly := w.say("Polly Gray", "school", "B", household)
	same(w.T, "the sister", polly.text("/mentions/0/decision"), "review")
	either := w.say("Gray", "school", "C", household)
	same(w.T, "one of the two", decision(either), "review several_similar")
	same(w.T, "it is not the one who is asked about", either.entity == polly.entity, false)
	again := w.say("Gray", "school", "D", household)
	same(w.T, "again", decision(again)+" "+again.entity, "review joins_pending "+either.entity)
}

func describedAlike(w *world) {
	described := func(text string) edit { return func(s statement) { s.mention["context"] = text } }
	falcon := w.say("Falcon", "tier", "1", kind("service"), described("Internal service owned by the payments team"))
	heron := w.say("Heron", "tier", "2", kind("service"), described("Internal service owned by the payments team"))
	indexer := w.say("Falcon Indexer", "tier", "1", kind("component"), described("Internal component owned by the search team"))
	other := w.say("Heron Indexer", "tier", "2", kind("component"), described("Internal component owned by the search team"))
	lyon := w.say("Lyon", "mayor", "A. Roux", kind("place"), described("city in France"))
	nice := w.say("Nice", "mayor", "B. Faure", kind("place"), described("city in France"))
	w.settled()
	root := func(e told) string { return w.get("/v1/entities/" + e.entity).is(200).text("/root_id") }
	same(w.T, "two services", root(falcon) == root(heron), false)
	same(w.T, "two indexers", decision(other), "new_entity no_candidate")
	same(w.T, "two indexers later", root(indexer) == root(other), false)
	same(w.T, "two cities", root(lyon) == root(nice), false)
	left := obj{"name": "Portland", "type": "place", "context": "largest city in Oregon, on the Willamette River"}
	right := obj{"name": "Portland", "type": "place", "context": "largest city in Maine, on the Casco Bay"}
	same(w.T, "two cities of one name", w.compare(left, right).text("/decision") == "auto_merge", false)
}
