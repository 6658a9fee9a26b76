package e2e

import "strings"

// Mentions without a name: what else is said tells who is meant, or the answer says why not.
var nameless = []scenario{
	{"without-a-name-by-an-identifier", namelessByIdentifier},
	{"without-a-name-by-address-and-birth", namelessByFacts},
	{"without-a-name-and-without-a-match", namelessAlone},
	{"without-a-name-and-without-anything", namelessRefused},
}

var katharina = obj{
	"email": list{"k.lindqvist@saltmarsh.example"}, "dob": list{"1981-04-02"}, "address": list{"17 Heron Quay, Bergen"},
	"phone": list{"+47 22 55 01 99"},
}

// unnamed states a mention of a person without a name.
func unnamed(attributes obj) edit {
	return func(s statement) {
		delete(s.mention, "name")
		s.mention["type"], s.mention["attributes"] = "person", attributes
	}
}

func namelessByIdentifier(w *world) {
	named := w.say("Katharina Lindqvist", "office", "Oslo", kind("person"), field(inMention, "attributes", katharina))
	one := w.say("", "floor", "3", unnamed(obj{"email": list{"K.Lindqvist@saltmarsh.example"}}))
	same(w.T, "by the mailbox", one.text("/mentions/0/decision")+" "+one.text("/mentions/0/reason")+" "+one.entity,
		"auto_merge identifier "+named.entity)
	same(w.T, "what is said of her", w.believed(named.entity, "floor"), []string{"3"})
	asked := w.resolve(obj{"attributes": obj{"email": list{"k.lindqvist@saltmarsh.example"}}})
	same(w.T, "asked about", asked.text("/mentions/0/name")+" "+asked.text("/mentions/0/candidates/0/name"), " Katharina Lindqvist")

	passport := obj{"passport": list{"C01X00T47"}}
	first := w.say("", "floor", "7", unnamed(passport))
	same(w.T, "nobody is known by it", first.text("/mentions/0/decision"), "new_entity")
	same(w.T, "its name", w.get("/v1/entities/"+first.entity).is(200).text("/name"), "")
	later := w.say("Ottoline Wren", "office", "Bonn", kind("person"), field(inMention, "attributes", passport))
	same(w.T, "the one with a name", later.entity, first.entity)
	same(w.T, "gives it", w.get("/v1/entities/"+first.entity).is(200).text("/name"), "Ottoline Wren")
	same(w.T, "by its name", w.get("/v1/entities?name=ottoline+wren").is(200).text("/items/0/entity_id"), first.entity)
	verify(w.T, w.srv.store, w.tenant)
}

func namelessByFacts(w *world) {
	row := func(id string, attributes obj, edits ...edit) told {
		return w.say("Katharina Lindqvist", "seen_in", id, append([]edit{kind("person"),
			field(inMention, "attributes", attributes), field(inMention, "record", obj{"source": "crm", "id": id})}, edits...)...)
	}
	facts := obj{"dob": katharina["dob"], "address": katharina["address"], "phone": katharina["phone"]}
	named := row("1", facts)
	w.settled()
	one := row("2", facts, unnamed(facts))
	if d := one.text("/mentions/0/decision"); d == "new_entity" {
		w.Errorf("all that is known of her is the same, and she is %s, %s", d, one.text("/mentions/0/candidates/0/score"))
	}
	same(w.T, "whom it may be", one.texts("/mentions/0/candidates", "/entity_id"), []string{named.entity})
	other := row("3", facts, unnamed(obj{"dob": list{"1950-11-23"}, "phone": list{"+47 22 55 77 77"}}))
	same(w.T, "somebody else", other.text("/mentions/0/decision"), "new_entity")
	w.settled()
	verify(w.T, w.srv.store, w.tenant)
}

func namelessAlone(w *world) {
	one := w.say("", "office", "Oslo", unnamed(obj{"dob": list{"1981-04-02"}, "address": list{"17 Heron Quay, Bergen"}}))
	two := w.say("", "office", "Bonn", unnamed(obj{"dob": list{"1950-11-23"}, "phone": list{"+47 22 55 77 77"}}))
	w.settled()
	if one.entity == two.entity {
		w.Error("two without a name are one for that")
	}
	same(w.T, "what is said", w.believed(one.entity, "office"), []string{"Oslo"})
	same(w.T, "its aliases", len(w.get("/v1/entities/"+one.entity).is(200).items("/aliases")), 0)
	compiled := w.post("/v1/compile", obj{"query": "office", "entities": list{one.entity}}).is(200).text("/envelope/text")
	if !strings.Contains(compiled, "unnamed (person)") {
		w.Errorf("the context says\n%s", compiled)
	}
	named := w.say("Katharina Lindqvist", "floor", "3", kind("person"))
	w.post("/v1/entities/"+named.entity+"/merge", obj{"into": one.entity}).is(201)
	same(w.T, "a person says who it is", w.get("/v1/entities/"+one.entity).is(200).text("/name"), "Katharina Lindqvist")
	verify(w.T, w.srv.store, w.tenant)
}

func namelessRefused(w *world) {
	source := obj{"origin": "test://x"}
	for _, c := range []struct {
		name    string
		mention obj
		status  int
	}{
		{"nothing", obj{"type": "person"}, 400},
		{"a blank name", obj{"name": " ", "type": "person"}, 400},
		{"what many share", obj{"attributes": obj{"gender": list{"male"}, "occupation": list{"architect"}}}, 422},
		{"a kind that nobody defined", obj{"attributes": obj{"badge_number": list{"B-17"}}}, 422},
	} {
		code := map[int]string{400: "invalid", 422: "unprocessable"}[c.status]
		w.post("/v1/observations", obj{"source": source, "mentions": list{c.mention}}).problem(c.status, code, "/mentions/0/name")
		w.post("/v1/resolve", obj{"mentions": list{c.mention}}).problem(c.status, code, "/mentions/0/name")
	}
	w.define("identifier_kinds", false, obj{"name": "badge_number", "exclusive": true})
	badge := obj{"source": source, "mentions": list{obj{"attributes": obj{"badge_number": list{"B-17"}}}}}
	same(w.T, "once it is defined", w.record(badge).text("/mentions/0/decision"), "new_entity")
	aliased := w.record(obj{"source": source, "mentions": list{obj{"aliases": list{"Tibold Wren", "Tibby"}}}})
	same(w.T, "the first alias", w.get("/v1/entities/"+aliased.entity).is(200).text("/name"), "Tibold Wren")
}
