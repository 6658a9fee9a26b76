package e2e

import (
	"fmt"
	"net/url"
	"strings"
)

// Who and what statements are about.
var entities = []scenario{
	{"exact-forms-join", exactForms},
	{"other-scripts-and-names-do-not", otherForms},
	{"identifiers-join", identifiersJoin},
	{"types-keep-apart", typesKeepApart},
	{"ambiguous-is-pending", ambiguous},
	{"contradicting-identifier-is-pending", contradicting},
	{"subject-by-id", subjectByID},
	{"titles-tell-nobody-apart", titledNames},
	{"neighbourhood", neighbourhood},
	{"history", history},
}

func exactForms(w *world) {
	first := w.say("Zoë Müller", "office", "Boston")
	same(w.T, "the first decision", first.text("/mentions/0/decision")+" "+first.text("/mentions/0/reason"), "new_entity no_candidate")
	for _, spelling := range []string{
		"zoë müller", "ZOË MÜLLER", "  Zoë \t Müller ", "Zoë\u00a0Müller", "Zoe\u0308 Mu\u0308ller", "Ｚoë Müller",
	} {
		a := w.say(spelling, "seen_as", spelling)
		same(w.T, fmt.Sprintf("the entity of %q", spelling), a.entity, first.entity)
		same(w.T, "the decision", a.text("/mentions/0/decision")+" "+a.text("/mentions/0/reason"), "auto_merge exact_name")
		found := w.get("/v1/entities?name=" + url.QueryEscape(spelling)).is(200)
		same(w.T, fmt.Sprintf("who goes by %q", spelling), found.texts("/items", "/entity_id"), []string{first.entity})
		same(w.T, "the name as it was first written", found.text("/items/0/name"), "Zoë Müller")
	}
}

func otherForms(w *world) {
	seen := map[string]string{}
	for _, name := range []string{
		"Zoë", "Zoe", "Pavel", "Раvel", "Павел", "Ανδρέας", "Andreas", "山田", "山田太郎", "Jon Smith", "Jon Smit", "Jon  Smith Jr", "JonSmith",
	} {
		a := w.say(name, "office", "Boston")
		if other, ok := seen[a.entity]; ok {
			w.Errorf("%q and %q are one entity", name, other)
		}
		seen[a.entity] = name
		same(w.T, "who goes by "+name, w.get("/v1/entities?name="+url.QueryEscape(name)).is(200).texts("/items", "/entity_id"), []string{a.entity})
	}
}

func identifiersJoin(w *world) {
	first := w.say("Jon Smith", "office", "Boston", identified("email", "Jon@acme.example"))
	second := w.say("J. Smith", "phone", "123", identified("email", "jon@ACME.example"))
	same(w.T, "the entity", second.entity, first.entity)
	same(w.T, "the reason", second.text("/mentions/0/reason"), "identifier")
	same(w.T, "the new name", w.say("j. smith", "floor", "3").entity, first.entity)
	shared := w.say("Ann Lee", "office", "Boston", identified("email", "info@acme.example"))
	other := w.say("Bob Ray", "office", "Boston", identified("email", "info@acme.example"))
	if shared.entity == other.entity {
		w.Error("a shared mailbox made two people one")
	}
	e := w.get("/v1/entities/" + first.entity).is(200)
	same(w.T, "the aliases", sorted(e.texts("/aliases", "/spelling")...), []string{"J. Smith", "Jon Smith", "Jon@acme.example"})
	row := func(name, id string) told {
		w.Helper()
		return w.say(name, "row", id, func(s statement) { s.mention["record"] = obj{"source": "crm", "id": id} })
	}
	same(w.T, "a row again", row("Acme Corporation", "17").entity, row("ACME Corp.", "17").entity)
}

func typesKeepApart(w *world) {
	person := w.say("Jordan", "height", "180", kind("person"))
	country := w.say("Jordan", "capital", "Amman", kind("country"))
	if person.entity == country.entity {
		w.Error("a person and a country are one entity")
	}
	same(w.T, "the person", w.get("/v1/entities?name=jordan&type=person").is(200).texts("/items", "/entity_id"), []string{person.entity})
	same(w.T, "both", sorted(w.get("/v1/entities?name=jordan").is(200).texts("/items", "/entity_id")...), sorted(person.entity, country.entity))
	same(w.T, "the same type again", w.say("JORDAN", "continent", "Asia", kind("country")).entity, country.entity)
}

func ambiguous(w *world) {
	person := w.say("Jordan", "height", "180", kind("person"))
	country := w.say("Jordan", "capital", "Amman", kind("country"))
	untyped := func(s statement) { delete(s.mention, "type") }
	a := w.say("Jordan", "area", "89342", untyped)
	same(w.T, "the decision", a.text("/mentions/0/decision")+" "+a.text("/mentions/0/reason"), "review ambiguous_name")
	same(w.T, "the candidates", sorted(a.texts("/mentions/0/candidates", "/entity_id")...), sorted(person.entity, country.entity))
	same(w.T, "the pending entity", a.text("/mentions/0/pending_id"), a.entity)
	same(w.T, "its status", w.get("/v1/entities/"+a.entity).is(200).text("/status"), "pending")
	same(w.T, "the next one joins it", w.say("jordan", "people", "11 million", untyped).entity, a.entity)
	c := w.compile(obj{"query": "What is the area of Jordan?"})
	c.shows(not, "180", "Amman")
	certain, unconfirmed, _ := strings.Cut(c.text("/envelope/text"), "== Unconfirmed ==")
	same(w.T, "what is said of nobody certain", fmt.Sprint(strings.Contains(certain, "89342"), strings.Contains(unconfirmed, "89342")), "false true")
	reasons := c.texts("/trace/state_compilation_metadata/unresolved_entities", "/reason")
	same(w.T, "why nobody is meant", sorted(reasons...), []string{"ambiguous_name", "pending_entity"})
}

func contradicting(w *world) {
	jon := w.say("Jon Smith", "office", "Boston", identified("email", "jon@acme.example"))
	other := w.say("Jon Smith", "office", "Chicago", identified("email", "jon@other.example"))
	same(w.T, "the decision", other.text("/mentions/0/decision")+" "+other.text("/mentions/0/reason"), "review contradicting_identifier")
	same(w.T, "what stands", w.believed(jon.entity, "office"), []string{"Boston"})
	certain, unconfirmed, _ := strings.Cut(w.compile(obj{"query": "office of Jon Smith", "entities": list{jon.entity}}).text("/envelope/text"), "== Unconfirmed ==")
	same(w.T, "what a model is told", []bool{
		strings.Contains(certain, "Boston"), strings.Contains(certain, "Chicago"), strings.Contains(unconfirmed, "Chicago"),
	}, []bool{true, false, true})
}

// titledNames checks that names which differ in titles or in their order are one person, and not with initials alone or
// with titles of two sexes.
func titledNames(w *world) {
	person := func(name string) obj { return obj{"name": name, "type": "person"} }
	first := func(subject any) answer {
		return w.remember(obj{"facts": list{list{subject, "on_call_on", "Tuesday"}}})
	}
	doctor := first(person("Dr. Tobias Krenn")).text("/entities/0/entity_id")
	a := first("Tobias Krenn")
	same(w.T, "without the title", a.text("/entities/0/entity_id")+" "+a.text("/entities/0/decision"), doctor+" auto_merge")
	same(w.T, "with another", first("Prof. Tobias Krenn").text("/entities/0/entity_id"), doctor)
	same(w.T, "the family name first", first(person("Krenn, Tobias")).text("/entities/0/entity_id"), doctor)
	greta := first(person("Greta Moor")).text("/entities/0/entity_id")
	same(w.T, "by a comma", first("Moor, Greta").text("/entities/0/entity_id"), greta)
	captain := first("Bo Strand").text("/entities/0/entity_id")
	same(w.T, "a rank", first("Capt. Bo Strand").text("/entities/0/entity_id"), captain)
	initial := first(person("Dr. A. Velde")).text("/entities/0/entity_id")
	if first(person("Prof. A. Velde")).text("/entities/0/entity_id") == initial {
		w.Error("two of one initial are one")
	}
	kim := first(person("Mr Kim Lorne")).text("/entities/0/entity_id")
	if first(person("Mrs Kim Lorne")).text("/entities/0/entity_id") == kim {
		w.Error("husband and wife are one")
	}
}

func subjectByID(w *world) {
	jon := w.say("Jon Smith", "office", "Boston").entity
	w.say("", "floor", "3", about(jon))
	same(w.T, "what is said of the id", w.believed(jon, "floor"), []string{"3"})
	const unknown = "0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01"
	w.unchanged("an unknown entity", func() {
		w.post("/v1/observations", stating("", "floor", "4", about(unknown))).problem(422, "unprocessable", "/claims/0/subject/entity_id")
		w.post("/v1/observations", stating("Ann Lee", "boss", obj{"entity_id": unknown})).problem(422, "unprocessable", "/claims/0/value/entity_id")
		w.post("/v1/observations", stating("", "floor", "4", about("JON"))).problem(400, "invalid", "/claims/0/subject/entity_id")
	})
	w.get("/v1/entities/"+unknown).problem(404, "not_found")
}

// relate says that one person stands in a relation to another.
func (w *world) relate(subject, predicate, object string, edits ...edit) told {
	w.Helper()
	o := stating(subject, predicate, obj{"mention": 1}, edits...)
	o["mentions"] = append(o["mentions"].(list), obj{"name": object, "type": "person"})
	return w.record(o)
}

func neighbourhood(w *world) {
	ab := w.relate("Ann", "boss", "Bob")
	bc := w.relate("Bob", "boss", "Cid")
	w.relate("Cid", "boss", "Dee")
	old := w.relate("Ann", "tea_partner", "Eve", from("2021-01-01T00:00:00Z"), until("2021-06-01T00:00:00Z"))
	name := func(hops string, filters ...string) []string {
		w.Helper()
		n := w.get("/v1/entities/" + ab.entity + "/neighborhood?" + query(append(filters, "hops="+hops))).is(200)
		found := []string{}
		for _, v := range n.items("/nodes") {
			found = append(found, text(v, "/name")+text(v, "/hops"))
		}
		return sorted(found...)
	}
	same(w.T, "one hop", name("1"), []string{"Ann0", "Bob1"})
	same(w.T, "two hops", name("2"), []string{"Ann0", "Bob1", "Cid2"})
	same(w.T, "one hop, in March", name("1", "valid_at=2021-03-01T00:00:00Z"), []string{"Ann0", "Eve1"})
	same(w.T, "one hop, as known at first", name("2", "known_at="+fmt.Sprint(ab.seq)), []string{"Ann0", "Bob1"})
	w.get("/v1/entities/"+ab.entity+"/neighborhood?hops=3").problem(400, "invalid", "hops")

	n := w.get("/v1/entities/" + ab.text("/mentions/1/entity_id") + "/neighborhood").is(200)
	same(w.T, "both directions", sorted(n.texts("/edges", "/belief_id")...), sorted(ab.belief, bc.belief))
	same(w.T, "all of it", n.text("/truncated"), "false")
	capped := w.get("/v1/entities/" + ab.text("/mentions/1/entity_id") + "/neighborhood?cap=1").is(200)
	same(w.T, "one edge of two", fmt.Sprint(len(capped.items("/edges")), " ", capped.text("/truncated")), "1 true")
	same(w.T, "a relation's value", w.belief(old.belief).text("/value/entity_id"), old.text("/mentions/1/entity_id"))
	w.compile(obj{"query": "Who is the boss of Ann?"}).shows("boss: Bob", not, "Eve")

	w.post("/v1/beliefs/"+ab.belief+"/retract", nil).is(200)
	same(w.T, "after the retraction", name("2"), []string{"Ann0"})
}

func history(w *world) {
	first := w.say("Jon Smith", "office", "Boston", from("2021-01-01T00:00:00Z"))
	w.say("Ann Lee", "office", "Boston")
	second := w.say("Jon Smith", "office", "Chicago", from("2021-06-01T00:00:00Z"))
	third := w.post("/v1/beliefs/"+second.belief+"/retract", nil).is(200)
	path := "/v1/entities/" + first.entity + "/history"
	all := w.get(path).is(200)
	same(w.T, "the entries", all.texts("/items", "/seq"), []string{fmt.Sprint(first.seq), fmt.Sprint(second.seq), third.text("/seq")})
	same(w.T, "the first entry's time", all.text("/items/0/recorded_at"), first.recordedAt)
	page := w.get(path + "?limit=2").is(200)
	w.say("Jon Smith", "floor", "3")
	rest := w.get(path + "?limit=2&cursor=" + page.text("/next_cursor")).is(200)
	same(w.T, "page by page", append(page.texts("/items", "/seq"), rest.texts("/items", "/seq")...), all.texts("/items", "/seq"))
	same(w.T, "after the last page", rest.text("/next_cursor"), "")
}
