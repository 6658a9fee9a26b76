package e2e

import (
	"fmt"
	"slices"
	"strings"
)

// The flat front door: facts by names, and finding again what was said.
var remembering = []scenario{
	{"facts-by-names", factsByNames},
	{"texts-are-values-until-they-are-names", textsAndNames},
	{"what-a-key-and-a-session-say", keysAndSessions},
	{"a-theatre-by-names", theatre},
	{"a-known-person-is-meant", knownPersonIsMeant},
	{"a-port-by-names", port},
	{"warnings-of-what-does-not-stand", warned},
	{"names-that-are-parts-of-others", partsOfNames},
	{"a-role-that-nobody-ordered", unorderedRole},
	{"first-names-in-a-session", firstNames},
	{"facts-again", factsAgain},
	{"bad-facts", badFacts},
	{"observations-listed", observationsListed},
	{"entities-searched", entitiesSearched},
	{"beliefs-filtered", beliefsFiltered},
}

// remember records facts.
func (w *world) remember(body obj, headers ...string) answer {
	w.Helper()
	return w.post("/v1/remember", body, headers...).is(201)
}

// warnings lists the warnings of an answer as "code pointer".
func (a answer) warnings() []string {
	list := []string{}
	for _, warning := range a.items("/warnings") {
		list = append(list, text(warning, "/code")+" "+text(warning, "/pointer"))
	}
	return list
}

func factsByNames(w *world) {
	a := w.remember(obj{"facts": list{
		list{"Lena Brandt", "employer", "Heron"},
		obj{"subject": "Heron", "subject_type": "project", "predicate": "budget", "object": 1500, "since": "2025-03-01T00:00:00Z",
			"until": "2035-01-01T00:00:00Z", "confidence": .5, "kind": "project_decision"},
		obj{"subject": obj{"name": "lena  brandt", "type": "person", "attributes": obj{"email": list{"lena@heron.example"}}},
			"predicate": "team", "object": obj{"name": "Platform", "type": "team"}},
		obj{"subject": "Platform", "predicate": "lead", "object": "Lena Brandt"},
	}, "text": "Lena works on Heron.", "observed_at": "2025-06-06T09:00:00Z"})
	same(w.T, "names", a.texts("/entities", "/name"), []string{"Lena Brandt", "Heron", "Platform"})
	same(w.T, "decisions", a.texts("/entities", "/decision"), []string{"new_entity", "new_entity", "new_entity"})
	same(w.T, "statuses", a.texts("/beliefs", "/status"), []string{"clean", "clean", "clean", "clean"})
	lena, heron, platform := a.text("/entities/0/entity_id"), a.text("/entities/1/entity_id"), a.text("/entities/2/entity_id")
	same(w.T, "the person", w.get("/v1/entities/"+lena).is(200).text("/attributes/email/0"), "lena@heron.example")
	for i, want := range []map[string]string{
		{"/subject": lena, "/value/entity_id": heron, "/valid_from": "2025-06-06T09:00:00Z", "/scope/kind": "global"},
		{"/subject": heron, "/value": "1500", "/valid_from": "2025-03-01T00:00:00Z", "/valid_until": "2035-01-01T00:00:00Z",
			"/confidence_score": "0.5", "/object_type": "project_decision"},
		{"/subject": lena, "/value/entity_id": platform},
		{"/subject": platform, "/value/entity_id": lena},
	} {
		b := w.belief(a.text(fmt.Sprintf("/beliefs/%d/belief_id", i)))
		for pointer, v := range want {
			same(w.T, fmt.Sprint("fact ", i, " ", pointer), b.text(pointer), v)
		}
	}
	moved := w.remember(obj{"facts": list{list{"Heron", "budget", 2000}}, "observed_at": "2025-07-01T00:00:00Z"})
	same(w.T, "resolved", moved.text("/entities/0/entity_id"), heron)
	same(w.T, "displaced", moved.texts("/beliefs/0/superseded", ""), []string{a.text("/beliefs/1/belief_id")})
}

// textsAndNames: a text becomes an entity only where somebody called it one.
func textsAndNames(w *world) {
	employs := func(object any) answer {
		return w.belief(w.remember(obj{"facts": list{list{"Ann", "employer", object}}}).text("/beliefs/0/belief_id"))
	}
	nobody := func(name string) {
		w.Helper()
		same(w.T, "entities of "+name, len(w.get("/v1/entities?name="+name).is(200).items("/items")), 0)
	}
	same(w.T, "words", employs("nightshift").text("/value"), "nightshift")
	nobody("nightshift")
	same(w.T, "a first name", employs("Bruno").text("/value"), "Bruno")
	nobody("Bruno")
	acme := employs("Acme").text("/value/entity_id")
	same(w.T, "a new name of what relates", w.get("/v1/entities/"+acme).is(200).text("/name"), "Acme")
	w.remember(obj{"facts": list{list{"Ann", "hobby", "Chess"}, list{"Ann", "mascot", "Otter"}}})
	nobody("Chess")
	nobody("Otter")
	a := w.remember(obj{"facts": list{list{"Acme", "city", "Oslo"}, list{"Acme", "nickname", "Acme"}}})
	nobody("Oslo")
	same(w.T, "the same", a.text("/entities/0/entity_id"), acme)
	same(w.T, "its own name", w.belief(a.text("/beliefs/1/belief_id")).text("/value"), "Acme")
	same(w.T, "a known name", employs("ACME").text("/value/entity_id"), a.text("/entities/0/entity_id"))
	same(w.T, "another predicate", w.belief(w.remember(obj{"facts": list{list{"Ann", "motto", "Acme"}}}).
		text("/beliefs/0/belief_id")).text("/value"), "Acme")
	same(w.T, "a value with a name", w.belief(w.remember(obj{"facts": list{
		list{"Ann", "card", obj{"name": "Visa", "last4": "1234"}}}}).text("/beliefs/0/belief_id")).text("/value/last4"), "1234")
	// Of two known things by one name, none is guessed.
	w.remember(obj{"facts": list{list{obj{"name": "Mercury", "type": "planet"}, "moons", 0}}})
	w.post("/v1/observations", obj{"source": obj{"origin": "test://x"}, "mentions": list{
		obj{"name": "Mercury", "type": "car", "record": obj{"source": "garage", "id": "1"}}}}).is(201)
	same(w.T, "an ambiguous name", employs("Mercury").text("/value"), "Mercury")
	// What the tenant defined as text stays text.
	w.call("PUT", "/v1/vocabularies/predicates", obj{"closed": false, "version": 0, "terms": list{obj{"name": "motif", "value_type": "text"}}}).is(200)
	b := w.remember(obj{"facts": list{list{"Ann", "motif", "Wave"}, list{"Wave", "painter", "Hokusai"}}})
	same(w.T, "a defined text", w.belief(b.text("/beliefs/0/belief_id")).text("/value"), "Wave")
	id := a.text("/entities/0/entity_id")
	same(w.T, "an id", employs(obj{"entity_id": id}).text("/value/entity_id"), id)
}

// knownPersonIsMeant checks that a known full name is resolved to its person under an undefined predicate, too, and
// equals what was a text before; under a predicate of names it stays a name.
func knownPersonIsMeant(w *world) {
	day := func(n int) string { return fmt.Sprintf("2025-06-%02dT09:00:00Z", n) }
	nurse := func(n int, name string) answer {
		return w.remember(obj{"facts": list{list{"Ward 3", "head_nurse", name}}, "observed_at": day(n)})
	}
	same(w.T, "a stranger", nurse(1, "Samuel Okoro").warnings(), []string{"name_as_text /facts/0/2"})
	samuel := w.remember(obj{"facts": list{list{obj{"name": "Samuel Okoro", "type": "person"}, "allergic_to", "latex"}},
		"observed_at": day(2)}).text("/entities/0/entity_id")
	a := nurse(3, "Samuel Okoro")
	same(w.T, "the warnings", a.warnings(), []string{})
	same(w.T, "who is meant", w.belief(a.text("/beliefs/0/belief_id")).text("/value/entity_id"), samuel)
	w.compile(obj{"query": "What is known of Samuel Okoro?"}).shows("Ward 3 / head_nurse: Samuel Okoro", "latex")
	pen := w.remember(obj{"facts": list{list{"Ann", "pen_name", "Samuel Okoro"}}})
	same(w.T, "a name", w.belief(pen.text("/beliefs/0/belief_id")).text("/value"), "Samuel Okoro")
}

// theatre: what only an object names is found, and words that mean another thing of a play stay as they are.
func theatre(w *world) {
	a := w.remember(obj{"facts": list{list{"Hamlet", "played_by", "Dmitri"}, list{"Globe Company", "produces", "Hamlet"},
		list{"Hamlet", "starts_at", "Harbour Pier"}}, "observed_at": "2025-06-06T09:00:00Z"})
	same(w.T, "warnings", a.warnings(), []string{"name_as_text /facts/0/2"})
	w.remember(obj{"facts": list{list{"Orchard Trust", "produces", "Hamlet"}, list{"Hamlet", "starts_at", "19:30"}},
		"observed_at": "2025-06-07T09:00:00Z"})
	// The text is found while nobody of that name is known, and once somebody is.
	c := w.compile(obj{"query": "What does Dmitri play?"})
	c.shows("Hamlet / played_by: Dmitri", not, "Globe Company")
	same(w.T, "how it was found", c.text("/trace/state_compilation_metadata/compiled_objects/0/by_value"), "true")
	w.remember(obj{"facts": list{list{"Dmitri", "home_city", "Riga"}}})
	w.compile(obj{"query": "What does Dmitri play?"}).shows("Hamlet / played_by: Dmitri", "Riga")
	w.compile(obj{"query": "Who produces Hamlet?"}).shows("Globe Company", "Orchard Trust")
	w.compile(obj{"query": "When and where does Hamlet start?"}).shows("starts_at: Harbour Pier", "starts_at: 19:30")
	// Both are found by the word that was written, and the time by the term that it means.
	hamlet := a.text("/entities/0/entity_id")
	held := func(predicate string) []string {
		return w.get("/v1/beliefs?entity_id="+hamlet+"&predicate="+predicate).is(200).texts("/items", "/predicate")
	}
	same(w.T, "under the word", held("starts_at"), []string{"starts_at", "start_time"})
	same(w.T, "under the term", held("start_time"), []string{"start_time"})
	// A tenant that says what the word means has both under its own term.
	w.call("PUT", "/v1/vocabularies/predicates", obj{"closed": false, "version": 0, "terms": list{
		obj{"name": "meeting_point", "cardinality": "many", "synonyms": list{"starts_at"}}}}).is(200)
	same(w.T, "under the tenant's term", held("starts_at"), []string{"meeting_point", "meeting_point"})
	// What another scope or a withdrawn word says is not found.
	w.remember(obj{"facts": list{list{"Macbeth", "played_by", "Kaya"}}, "project_id": "p1"})
	w.compile(obj{"query": "What does Kaya play?"}).shows(not, "Macbeth")
	w.compile(obj{"query": "What does Kaya play?", "scope": obj{"project_id": "p1"}}).shows("Macbeth / played_by: Kaya")
	w.post("/v1/beliefs/"+a.text("/beliefs/0/belief_id")+"/retract", obj{"reason": "recast"}).is(200)
	w.compile(obj{"query": "What does Dmitri play?"}).shows(not, "Hamlet")
}

// port: who leads what is one slot from either side, and one may lead two.
func port(w *world) {
	say := func(day int, subject, predicate, object string) answer {
		return w.remember(obj{"facts": list{list{subject, predicate, object}}, "observed_at": fmt.Sprintf("2025-06-%02dT09:00:00Z", day)})
	}
	say(1, "Ann Stray", "ceo_of", "Nordic Lines")
	say(2, "Nordic Lines", "ceo", "Bo Falk")
	w.compile(obj{"query": "Who is the CEO of Nordic Lines?"}).shows("Bo Falk", not, "Ann Stray")
	say(3, "Cem Oz", "ceo_of", "Nordic Lines")
	w.compile(obj{"query": "Who is the CEO of Nordic Lines?"}).shows("Cem Oz", not, "Bo Falk")
	say(4, "Cem Oz", "ceo_of", "Baltic Freight")
	w.compile(obj{"query": "What does Cem Oz lead?"}).shows("Nordic Lines", "Baltic Freight")
	say(5, "MS Marina", "arrives_at", "Rotterdam")
	say(6, "MS Marina", "arrives_at", "06:40")
	w.compile(obj{"query": "Where and when does the MS Marina arrive?"}).shows("Rotterdam", "06:40")
}

func keysAndSessions(w *world) {
	bot := w.issue(obj{"roles": list{"agent"}, "label": "front desk"})
	source := func(a answer) []string {
		o := w.get("/v1/observations/" + a.text("/observation_id")).is(200)
		return []string{o.text("/source/origin"), o.text("/source/speaker"), o.text("/source/session_id"), o.text("/scope/kind"),
			o.text("/scope/session_id"), o.text("/scope/project_id")}
	}
	facts := list{list{"Ann", "city", "Oslo"}}
	for _, c := range []struct {
		body obj
		want []string
	}{
		{obj{}, []string{"key://front%20desk", "front desk", "", "global", "", ""}},
		{obj{"session_id": "s/1"}, []string{"session://s%2F1", "front desk", "s/1", "global", "", ""}},
		{obj{"session_id": "s1", "origin": "mail://7", "speaker": "Ann", "project_id": "p1"}, []string{"mail://7", "Ann", "s1", "global", "", "p1"}},
		{obj{"session_id": "s1", "scope": "session"}, []string{"session://s1", "front desk", "s1", "session", "s1", ""}},
	} {
		c.body["facts"] = facts
		same(w.T, fmt.Sprint(c.body), source(bot.remember(c.body)), c.want)
	}
	same(w.T, "without a label", source(w.remember(obj{"facts": facts}))[0], "key://"+strings.Split(w.key, "_")[1])
	w.compile(obj{"query": "Where does Ann live?"}).shows("city: Oslo")
}

// warned: an answer says what of it will not be compiled.
func warned(w *world) {
	same(w.T, "text alone", w.remember(obj{"text": "Ann lives in Oslo.", "extract": "none"}).warnings(), []string{"text_only "})
	say := func(city, speaker string, level int) answer {
		return w.remember(obj{"facts": list{list{"Ann Lee", "nickname", "A"}, list{"Ann Lee", "city", city}}, "speaker": speaker,
			"authority_level": level, "observed_at": "2025-06-06T09:00:00Z"})
	}
	same(w.T, "what stands", say("Oslo", "Bea", 2).warnings(), []string{})
	held := say("Bergen", "Cem", 2)
	same(w.T, "a contradiction", held.warnings(), []string{"held /facts/1"})
	same(w.T, "its case", w.get("/v1/quarantine/"+held.text("/warnings/0/case_id")).is(200).text("/state"), "open")
	same(w.T, "with whom", len(held.items("/warnings/0/beliefs")), 1)
	w.remember(obj{"facts": list{list{"Ann Lee", "town", "Oslo"}}, "authority_level": 1, "observed_at": "2025-06-06T09:00:00Z"})
	lost := w.remember(obj{"facts": list{list{"Ann Lee", "town", "Narvik"}}, "authority_level": 3, "observed_at": "2025-06-07T09:00:00Z"})
	same(w.T, "a weaker word", lost.warnings(), []string{"not_standing /facts/0"})
	same(w.T, "why", lost.text("/warnings/0/cause"), "authority")
	person := func(mail string) obj {
		return obj{"facts": list{obj{"subject": obj{"name": "Ines Moreau", "type": "person", "attributes": obj{"email": list{mail}}},
			"predicate": "city", "object": "Porto"}}}
	}
	known := w.remember(person("ines@museum.example")).text("/entities/0/entity_id")
	unsure := w.remember(person("ines@docks.example"))
	same(w.T, "an uncertain name", unsure.warnings(), []string{"unresolved_name /facts/0/subject/name"})
	same(w.T, "its review", unsure.text("/warnings/0/review_id"), unsure.text("/entities/0/review_id"))
	same(w.T, "its candidates", unsure.texts("/warnings/0/candidates", ""), []string{known})
	// The full form says the same, in its own words.
	full := w.record(stating("Ann Lee", "town", "Narvik", level(4), seen("2025-06-08T09:00:00Z")))
	same(w.T, "the full form", full.warnings(), []string{"not_standing /claims/0"})
}

// partsOfNames: who is called by a part of a known name is somebody else until a person says so, and the answer says it.
func partsOfNames(w *world) {
	greta := w.remember(obj{"facts": list{list{obj{"name": "Greta Voss", "type": "person"}, "email", "greta@linden.example"}}}).
		text("/entities/0/entity_id")
	w.remember(obj{"facts": list{list{"payments API", "language", "Go"}}})
	body := obj{"facts": list{obj{"subject": "Morning Tide", "predicate": "presenter", "object": obj{"name": "Greta"}},
		list{"Greta", "phone", "0155 203040"}}}
	a := w.remember(body, idem+"k")
	same(w.T, "warnings", a.warnings(), []string{"similar_entity /facts/0/object/name"})
	same(w.T, "of whom", a.texts("/warnings/0/candidates", ""), []string{greta})
	same(w.T, "by name", a.text("/entities/1/candidates/0/name"), "Greta Voss")
	if score := a.text("/entities/1/candidates/0/score"); score > "0.3" {
		w.Errorf("the score is %s", score)
	}
	same(w.T, "again", string(w.remember(body, idem+"k").raw), string(a.raw))
	same(w.T, "once known", w.remember(obj{"facts": list{list{"Greta", "desk", 4}}}).warnings(), []string{})
	w.compile(obj{"query": "What is Greta Voss's phone number?"}).shows(not, "0155 203040")
	w.post("/v1/entities/"+a.text("/entities/1/entity_id")+"/merge", obj{"into": greta, "reason": "the same"}).is(201)
	w.compile(obj{"query": "What is Greta Voss's phone number?"}).shows("0155 203040")
	trenches := obj{"facts": list{list{"Trench A", "depth", "1.2 m"}, list{"Trench B", "depth", "2 m"}}}
	same(w.T, "of one row", w.remember(trenches).warnings(), []string{})
	full := w.record(stating("payments", "tier", 1))
	same(w.T, "the full form", full.warnings(), []string{"similar_entity /mentions/0/name"})
	same(w.T, "its candidate", full.text("/mentions/0/candidates/0/name"), "payments API")
	// What is no part, or of another type, or of another project, is nothing to be told.
	w.remember(obj{"facts": list{list{"Hedda Falk", "desk", 1}}, "project_id": "p1"})
	other := w.remember(obj{"facts": list{list{"Hedda", "desk", 1}, list{"Greta Lind", "desk", 2},
		list{obj{"name": "payments", "type": "person"}, "desk", 3}}})
	for _, warning := range other.warnings() {
		if strings.HasPrefix(warning, "similar_entity") && !strings.HasPrefix(warning, "similar_entity /facts/1") {
			w.Errorf("%s", other.raw)
		}
	}
}

// firstNames: within a session a first name is that of the one person whom it named in full.
func firstNames(w *world) {
	say := func(session, subject, predicate string, object any) answer {
		return w.remember(obj{"facts": list{list{subject, predicate, object}}, "session_id": session})
	}
	ravi := say("s1", "Ravi Anand", "job_title", "mechanic").text("/entities/0/entity_id")
	a := say("s1", "Ravi", "phone", "0155 203040")
	same(w.T, "in the session", a.text("/entities/0/entity_id"), ravi)
	same(w.T, "by name", a.text("/entities/0/name"), "Ravi Anand")
	same(w.T, "warnings", a.warnings(), []string{})
	w.compile(obj{"query": "What is Ravi Anand's phone number?"}).shows("0155 203040")
	manager := say("s1", "Night Harbour", "manager", "Ravi")
	same(w.T, "as an object", w.belief(manager.text("/beliefs/0/belief_id")).text("/value/entity_id"), ravi)
	// Another session has not named him: there the first name alone does not resolve to him.
	b := say("s2", "Ravi", "phone", "0155 999999")
	same(w.T, "in another session", b.text("/entities/0/entity_id") == ravi, false)
	same(w.T, "in the first again", say("s1", "Ravi", "desk", 7).text("/entities/0/entity_id"), ravi)
	// Of two, none is guessed.
	say("s3", "Hana Ito", "job_title", "treasurer")
	say("s3", "Hana Berg", "job_title", "secretary")
	same(w.T, "of two", say("s3", "Hana", "desk", 3).warnings(), []string{"unresolved_name /facts/0/0"})
}

// factsAgain: a repeated request has the answer of the first, though more is known by now.
func factsAgain(w *world) {
	body := obj{"facts": list{list{"Ann", "employer", "Acme"}}}
	first := w.remember(body, idem+"k")
	w.remember(obj{"facts": list{list{"Acme", "city", "Oslo"}}})
	again := w.remember(body, idem+"k")
	same(w.T, "replayed", again.header.Get("Idempotency-Replayed"), "true")
	same(w.T, "the same answer", string(again.raw), string(first.raw))
	w.post("/v1/remember", obj{"facts": list{list{"Ann", "employer", "Initech"}}}, idem+"k").problem(409, "idempotency_key_reused", "Idempotency-Key")
}

func badFacts(w *world) {
	long := strings.Repeat("x", 1001)
	many := func(n int, fact any) list { return slices.Repeat(list{fact}, n) }
	ok := list{"Ann", "city", "Oslo"}
	with := func(field string, v any) list {
		return list{ok, obj{"subject": "Ann", "predicate": "city", "object": "Oslo", field: v}}
	}
	apart := list{}
	for i := range 51 {
		apart = append(apart, list{fmt.Sprint("a", i), "knows", obj{"name": fmt.Sprint("b", i)}})
	}
	for _, c := range []struct {
		name          string
		facts         any
		code, pointer string
	}{
		{"nothing", list{}, "invalid", ""},
		{"no list", obj{}, "malformed", "/facts"},
		{"a fact of nothing", list{ok, list{}}, "invalid", "/facts/1"},
		{"a fact of two", list{list{"Ann", "city"}}, "invalid", "/facts/0"},
		{"a fact of four", list{list{"Ann", "city", "Oslo", "Bergen"}}, "invalid", "/facts/0"},
		{"a fact that is text", list{"Ann lives in Oslo"}, "malformed", "/facts/0"},
		{"no subject", list{list{"", "city", "Oslo"}}, "invalid", "/facts/0/0"},
		{"blank subject", list{list{" ", "city", "Oslo"}}, "invalid", "/facts/0/0"},
		{"a subject of a number", list{list{7, "city", "Oslo"}}, "invalid", "/facts/0/0"},
		{"a subject without a name", list{list{obj{"type": "person"}, "city", "Oslo"}}, "invalid", "/facts/0/0"},
		{"a subject with another field", list{list{obj{"name": "Ann", "colour": "red"}, "city", "Oslo"}}, "invalid", "/facts/0/0/colour"},
		{"a long subject", list{list{long, "city", "Oslo"}}, "invalid", "/facts/0/0"},
		{"a subject of no id", list{list{obj{"entity_id": "ANN"}, "city", "Oslo"}}, "invalid", "/facts/0/0/entity_id"},
		{"no predicate", list{list{"Ann", "", "Oslo"}}, "invalid", "/facts/0/1"},
		{"a predicate of a number", list{list{"Ann", 7, "Oslo"}}, "malformed", "/facts/0/1"},
		{"no object", list{list{"Ann", "city", nil}}, "invalid", "/facts/0/2"},
		{"no object at all", list{obj{"subject": "Ann", "predicate": "city"}}, "invalid", "/facts/0/object"},
		{"a mention", list{list{"Ann", "city", obj{"mention": 0}}}, "invalid", "/facts/0/2"},
		{"a blank name", list{list{"Ann", "city", obj{"name": "-"}}, list{"Ann", "x", obj{"name": " "}}}, "invalid", "/facts/1/2/name"},
		{"a typed number", list{obj{"subject": "Ann", "predicate": "x", "object": 7, "object_type": "city"}}, "invalid", "/facts/0/object"},
		{"unknown field", with("colour", "red"), "malformed", "/facts/1/colour"},
		{"too sure", with("confidence", 2), "invalid", "/facts/1/confidence"},
		{"no kind", with("kind", "fact"), "invalid", "/facts/1/kind"},
		{"year 0", with("since", "0000-01-01T00:00:00Z"), "invalid", "/facts/1/since"},
		{"year 10000", with("until", "9999-12-31T23:00:00-05:00"), "invalid", "/facts/1/until"},
		{"a year of five digits", with("until", "12025-01-01T00:00:00Z"), "invalid", "/facts/1/until"},
		{"ends before it starts", list{obj{"subject": "Ann", "predicate": "city", "object": "Oslo", "since": "2025-01-02T00:00:00Z",
			"until": "2025-01-01T00:00:00Z"}}, "invalid", "/facts/0/until"},
		{"supersedes nothing", with("supersedes", list{"no such key"}), "unprocessable", "/facts/1/supersedes/0"},
		{"two types", list{list{obj{"name": "Mercury", "type": "planet"}, "x", 1}, obj{"subject": "mercury", "subject_type": "car",
			"predicate": "y", "object": 1}}, "invalid", "/facts/1/subject_type"},
		{"101 facts", many(101, ok), "invalid", "/facts"},
		{"5,000 facts", many(5000, ok), "too_large", "/facts"},
		{"102 names", apart, "invalid", "/facts"},
		{"70 KB of value", list{list{"Ann", "x", strings.Repeat("x", 70<<10)}}, "invalid", "/facts/0/2"},
		{"1 MB of value", list{list{"Ann", "x", strings.Repeat("x", 1<<20)}}, "too_large", "/facts/0/2"},
	} {
		w.unchanged(c.name, func() {
			w.Helper()
			a := w.post("/v1/remember", obj{"facts": c.facts})
			a.asked = c.name
			a.problem(map[string]int{"unprocessable": 422, "too_large": 413}[c.code]+map[bool]int{true: 400}[c.code == "invalid" || c.code == "malformed"],
				c.code, c.pointer)
		})
	}
	w.post("/v1/remember", obj{"facts": list{ok}, "scope": "session"}).problem(400, "invalid", "/session_id")
	w.post("/v1/remember", obj{"facts": list{ok}, "observed_at": "0000-06-06T00:00:00Z"}).problem(400, "invalid", "/observed_at")
	w.issue(obj{"roles": list{"agent"}, "max_authority": 3}).
		post("/v1/remember", obj{"facts": list{ok}, "authority_level": 2}).problem(403, "authority_too_high", "/authority_level")
	w.issue(obj{"roles": list{"agent"}, "bound": obj{"project_id": "p1"}}).
		post("/v1/remember", obj{"facts": list{ok}, "project_id": "p2"}).problem(403, "forbidden", "/project_id")
}

func observationsListed(w *world) {
	at := func(day int) string { return fmt.Sprintf("2025-06-%02dT09:00:00Z", day) }
	var ids []string
	for i, o := range []obj{
		{"session_id": "s1", "speaker": "Ann", "text": "I live in Oslo."},
		{"session_id": "s1", "speaker": "Bea", "project_id": "p1"},
		{"session_id": "s2", "speaker": "Ann", "origin": "mail://7"},
		{"scope": "session", "session_id": "s1", "text": "in OSLO, for a while"},
		{"observed_at": at(1)},
	} {
		o["facts"] = list{list{"Ann", fmt.Sprint("fact_", i), i}}
		if o["observed_at"] == nil {
			o["observed_at"] = at(10 + i)
		}
		ids = append(ids, w.remember(o).text("/observation_id"))
	}
	listed := func(filters ...string) []int {
		w.Helper()
		places := []int{}
		for _, id := range w.get("/v1/observations?"+query(filters)).is(200).texts("/items", "/observation_id") {
			places = append(places, slices.Index(ids, id))
		}
		return places
	}
	for filters, want := range map[string][]int{
		"": {3, 2, 1, 0, 4}, "session_id=s1": {3, 1, 0}, "speaker=Ann": {2, 0}, "speaker=Ann session_id=s1": {0}, "project_id=p1": {1},
		"origin=mail://7": {2}, "text=oslo": {3, 0}, "since=" + at(11): {3, 2, 1}, "until=" + at(11): {0, 4},
		"session_id=s1 since=" + at(11) + " until=" + at(13): {1}, "speaker=ann": {}, "known_at=2": {1, 0},
	} {
		same(w.T, filters, listed(strings.Fields(filters)...), want)
	}
	var got []int
	for cursor, pages := "", 0; pages == 0 || cursor != ""; pages++ {
		a := w.get("/v1/observations?limit=2&cursor=" + cursor)
		if pages == 0 {
			a = w.get("/v1/observations?limit=2")
			w.remember(obj{"facts": list{list{"Ann", "later", 1}}, "observed_at": at(12)})
		}
		for _, id := range a.is(200).texts("/items", "/observation_id") {
			got = append(got, slices.Index(ids, id))
		}
		cursor = a.text("/next_cursor")
	}
	same(w.T, "page by page", got, []int{3, 2, 1, 0, 4})
	item := w.get("/v1/observations?origin=mail://7").is(200)
	same(w.T, "the claims", len(item.items("/items/0/claims")), 1)
	// As by id, an observation is seen by those who may see all of its claims.
	guest := w.issue(obj{"roles": list{"analyst"}, "clearance": "public"})
	same(w.T, "what a guest sees", len(guest.get("/v1/observations").is(200).items("/items")), 0)
	bound := w.issue(obj{"roles": list{"analyst"}, "bound": obj{"project_id": "p2"}})
	same(w.T, "what another project sees", len(bound.get("/v1/observations?speaker=Bea").is(200).items("/items")), 0)
	w.remember(obj{"text": strings.Repeat("ß", 2001), "session_id": "long"})
	long := w.get("/v1/observations?session_id=long").is(200)
	same(w.T, "a long text", []int{len([]rune(long.text("/items/0/text"))), len(long.text("/items/0/text_truncated"))}, []int{2000, 4})
	w.get("/v1/observations?since=yesterday").problem(400, "invalid", "since")
	w.get("/v1/observations?until=0000-01-01T00:00:00Z").problem(400, "invalid", "until")
}

func entitiesSearched(w *world) {
	for _, e := range []obj{
		{"name": "Lena Brandt", "type": "person", "aliases": list{"Leni"}, "attributes": obj{"email": list{"lena@heron.example"}}},
		{"name": "Brandt & Sons", "type": "organization"}, {"name": "Jonathan Smythe", "type": "person"}, {"name": "Zoë Quist", "type": "person"},
		{"name": "Oslo", "type": "city"},
	} {
		w.remember(obj{"facts": list{list{e, "known", true}}})
	}
	w.remember(obj{"facts": list{list{"Brandenburg Gate", "known", true}}, "project_id": "p1"})
	found := func(filters ...string) []string {
		w.Helper()
		return w.get("/v1/entities?"+query(filters)).is(200).texts("/items", "/name")
	}
	for filters, want := range map[string][]string{
		"q=Lena Brandt": {"Lena Brandt"}, "q=brandt": {"Lena Brandt", "Brandt & Sons"}, "q=jonath": {"Jonathan Smythe"},
		"q=smyhte": {"Jonathan Smythe"}, "q=Jonathon Smythe": {"Jonathan Smythe"}, "q=zoe": {"Zoë Quist"}, "q=leni": {"Lena Brandt"},
		"q=LENA@heron.example": {"Lena Brandt"}, "q=brandt;type=person": {"Lena Brandt"}, "q=xyzzy": {},
		"q=brandenburg;project_id=p1": {"Brandenburg Gate"}, "q=brandenburg;project_id=p2": {}, "q=brandenburg": {"Brandenburg Gate"},
	} {
		same(w.T, filters, found(strings.Split(filters, ";")...), want)
	}
	brand := found("q=brand")
	same(w.T, "q=brand", sorted(brand...), []string{"Brandenburg Gate", "Brandt & Sons", "Lena Brandt"})
	a := w.get("/v1/entities?q=Leni").is(200)
	same(w.T, "which alias", []string{a.text("/items/0/match/alias"), a.text("/items/0/match/kind"), a.text("/items/0/match/score")},
		[]string{"Leni", "name", "1"})
	same(w.T, "an identifier", w.get("/v1/entities?q=lena@heron.example").is(200).text("/items/0/match/kind"), "email")
	paged := []string{}
	for cursor := ""; ; {
		page := w.get("/v1/entities?q=brand&limit=1" + cursor).is(200)
		paged = append(paged, page.texts("/items", "/name")...)
		if page.text("/next_cursor") == "" {
			break
		}
		cursor = "&cursor=" + page.text("/next_cursor")
	}
	same(w.T, "page by page", paged, brand)
	same(w.T, "another project's", len(w.issue(obj{"roles": list{"agent"}, "bound": obj{"project_id": "p2"}}).
		get("/v1/entities?q=brandenburg").is(200).items("/items")), 0)
	w.get("/v1/entities?q=x&name=y").problem(400, "invalid", "name")
	w.get("/v1/entities?q="+strings.Repeat("x", 201)).problem(400, "invalid", "q")
}

func beliefsFiltered(w *world) {
	w.remember(obj{"facts": list{list{"Ann", "city", "Oslo, Norway"}, list{"Ann", "employer", obj{"name": "Nordlys"}},
		obj{"subject": "Ann", "predicate": "age", "object": 40, "content": "Ann is forty."}}, "speaker": "Bea"})
	w.remember(obj{"facts": list{list{"Bob", "city", "Bergen"}}, "origin": "mail://7"})
	w.record(stating("Cem", "task", "call Oslo", claims("layer", "working_set")))
	ground := w.say("Dora", "office", "Bergen", key("ground"))
	w.say("Dora", "tax", "low", dependsOn("ground"))
	w.post("/v1/beliefs/"+ground.belief+"/retract", obj{}).is(200)
	for filters, want := range map[string][]string{
		"text=OSLO": {"lives_in", "task"}, "text=nordlys": {"employer"}, "text=forty": {"age"}, "source=Bea": {"lives_in", "employer", "age"},
		"source=mail://7": {"lives_in"}, "layer=working_set": {"task"}, "source=Bea;text=nor": {"lives_in", "employer"},
		"predicate=city;text=berg": {"lives_in"}, "needs_review=true;status=any": {"tax"}, "text=xyzzy": {},
	} {
		same(w.T, filters, w.page(strings.Split(filters, ";")...).texts("/items", "/predicate"), want)
	}
	w.get("/v1/beliefs?layer=identity").problem(400, "invalid", "layer")
	w.get("/v1/beliefs?needs_review=perhaps").problem(400, "invalid", "needs_review")
}

// unorderedRole: a role that the order of roles does not have is said to decide nothing, until the tenant orders it.
func unorderedRole(w *world) {
	say := func(role, object string) answer {
		w.Helper()
		return w.remember(obj{"facts": list{list{"Finds tray 3", "colour", object}}, "role": role, "speaker": role})
	}
	same(w.T, "one of the order", say("manager", "red").warnings(), []string{})
	same(w.T, "nobody's", say("site wizard", "blue").warnings(), []string{"unknown_role /role"})
	w.call("PUT", "/v1/vocabularies/roles", obj{"closed": false, "version": 0, "terms": list{
		obj{"name": "site wizard", "outranks": list{"manager"}},
	}}).is(200)
	same(w.T, "ordered", say("site wizard", "green").warnings(), []string{})
	same(w.T, "below it", say("manager", "red").warnings(), []string{"not_standing /facts/0"})
}
