package e2e

import (
	"fmt"
	"strings"
)

// Identifiers: however their attribute is sameTokens, and of a tenant's own kinds.
var identifying = []scenario{
	{"an-identifier-however-its-attribute-is-spelt", spelledKinds},
	{"a-telephone-is-shared", sharedTelephone},
	{"telephones-of-a-region", regionalTelephone},
	{"a-tenants-own-kind-identifies", ownKind},
	{"a-tenants-own-kind-in-rows", ownKindInRows},
	{"a-tenants-own-shared-kind", ownSharedKind},
	{"a-kind-that-is-defined-after-a-merge", kindAfterMerge},
	{"kinds-that-cannot-be-defined", refusedKinds},
	{"an-identifier-used-as-a-name-is-its-owner", identifierAsName},
}

// spelledKinds: one identifier is one entity, under all spellings of the attribute
// and of the value.
func spelledKinds(w *world) {
	for _, c := range []struct{ typ, name, first, value, other, second, again string }{
		{"person", "Ottoline Featherstonehaugh", "Email", "Ada <ada@park.example>", "O. Featherstonehaugh", "e-mail", "ADA@park.example"},
		{"person", "Ottoline Kessel", "ssn", "123-45-6789", "O. Kessel", "SSN", "123 45 6789"},
		{"person", "Ottoline Twisleton", "ORCID", "https://orcid.org/0000-0002-1825-0097", "O. Twisleton", "orcid", "0000-0002-1825-0097"},
		{"organization", "Heronwell Logistics", "lei", "5493001KJTIIGC8Y1R12", "Heronwell Group", "LEI", "5493001kjtiigc8y1r12"},
		{"organization", "Brackwater Mills", "VAT", "DE 123.456.789", "Brackwater", "tax id", "DE123456789"},
		{"person", "Ottoline Okonkwo", "national-id", "77-1234", "O. Okonkwo", "National ID", "771234"},
		{"person", "Ottoline Lindqvist", "Passport", "X 1234567", "O. Lindqvist", "passport_number", "x1234567"},
		{"document", "A Treatise on Rivers", "DOI", "doi:10.1000/182", "Treatise on Rivers, Second Part", "doi", "https://doi.org/10.1000/182"},
	} {
		one := w.say(c.name, "office", "Bonn", kind(c.typ), identified(c.first, c.value))
		two := w.say(c.other, "floor", "3", kind(c.typ), identified(c.second, c.again))
		same(w.T, c.first+" and "+c.second, two.text("/mentions/0/decision")+" "+two.text("/mentions/0/reason")+" "+two.entity,
			"auto_merge identifier "+one.entity)
	}
	verify(w.T, w.srv.store, w.tenant)
}

// identifierAsName: a name that is an exclusive identifier refers to its owner, and is an alias of it from then on. An
// identifier without an owner, or a shared one, is a name like any other.
func identifierAsName(w *world) {
	for _, c := range []struct{ typ, name, of, value, said string }{
		{"repository", "Prompt Library", "repository", "acme-labs/prompt-library", "Acme-Labs/prompt-library"},
		{"person", "Jonathan Smith", "email", "j.smith@acme.example", "J.Smith@acme.example"},
		{"ticket", "Login page is slow", "ticket_id", "JIRA-1234", "JIRA-1234"},
		{"document", "A Treatise on Rivers", "doi", "https://doi.org/10.1000/182", "10.1000/182"},
		{"page", "Harbour handbook", "url", "https://handbook.example/harbour/", "http://www.handbook.example/harbour"},
	} {
		before := w.say(strings.Replace(c.said, "1", "9", 1)+"x", "state", "draft", kind(c.typ))
		owner := w.say(c.name, "state", "open", kind(c.typ), identified(c.of, c.value))
		said := w.say(c.said, "reviewer", "Lena", kind(c.typ))
		same(w.T, c.of, decision(said)+" "+said.entity, "auto_merge identifier "+owner.entity)
		again := w.say(c.said, "reviewer", "Lena", kind(c.typ))
		same(w.T, c.of+" again", again.text("/mentions/0/decision")+" "+again.entity, "auto_merge "+owner.entity)
		if before.entity == owner.entity {
			w.Errorf("%s: another identifier is its owner, too", c.of)
		}
	}
	w.say("Sales team", "office", "Bonn", kind("team"), identified("email", "sales@acme.example"))
	same(w.T, "a mailbox that many read", decision(w.say("sales@acme.example", "office", "Bonn", kind("person"))), "new_entity no_candidate")
	same(w.T, "of another type", decision(w.say("JIRA-1234", "office", "Bonn", kind("person"))), "new_entity no_candidate")
	verify(w.T, w.srv.store, w.tenant)
}

// sharedTelephone: those who share a telephone are not one.
func sharedTelephone(w *world) {
	one := w.say("Ada Featherstone", "office", "Bonn", identified("phone", "+49 30 555 0199"))
	two := w.say("Bruno Kessel", "office", "Bonn", identified("Phone", "+49 30 555 0199"))
	w.settled()
	if one.entity == two.entity || w.get("/v1/entities/"+two.entity).is(200).text("/root_id") != two.entity {
		w.Error("two names with one telephone are one entity")
	}
}

// regionalTelephone: a number without a country code is of a country only where the
// tenant says so.
func regionalTelephone(w *world) {
	ada := w.say("Ada Featherstone", "office", "Bonn", identified("phone", "+49 (0)30 555 0199"))
	w.settled()
	asked := func(number string) string {
		m := obj{"name": "Zwentibold Okonkwo", "type": "person", "attributes": obj{"phone": list{number}}}
		return strings.Join(w.resolve(m).texts("/mentions/0/candidates", "/entity_id"), " ")
	}
	same(w.T, "the whole number", asked("+49 30 5550199"), ada.entity)
	same(w.T, "a number of nowhere", asked("030 555 0199"), "")
	w.define("identifier_kinds", false, obj{"name": "phone", "region": "DE"})
	same(w.T, "a number of Germany", asked("030 555 0199"), ada.entity)
	w.define("identifier_kinds", false, obj{"name": "phone", "region": "FR"})
	same(w.T, "a number of France", asked("030 555 0199"), "")
}

// ownKind: an attribute identifies once the tenant says that it does.
func ownKind(w *world) {
	early := w.say("Ottoline Kessel", "office", "Bonn", identified("badge_number", "A-1"))
	same(w.T, "before it is defined", w.say("O. Kessel", "office", "Bonn", identified("badge_number", "A-1")).text("/mentions/0/reason") == "identifier", false)

	w.define("identifier_kinds", false, obj{"name": "badge_number", "exclusive": true}, obj{"name": "badge_no", "parent": "badge_number"})
	same(w.T, "the kind", w.get("/v1/vocabularies/identifier_kinds").is(200).text("/terms/1/exclusive"), "true")
	one := w.say("Ilse Brandt", "office", "Bonn", identified("badge_number", "B-1234"))
	for i, spelling := range []string{"badge_number", "Badge Number", "BADGE-NO"} {
		again := w.say("I. Brandt", "floor", i, identified(spelling, "b 1234"))
		same(w.T, spelling, again.text("/mentions/0/decision")+" "+again.text("/mentions/0/reason")+" "+again.entity, "auto_merge identifier "+one.entity)
	}
	asked := w.resolve(obj{"name": "I. B.", "type": "person", "attributes": obj{"badge_no": list{"B1234"}}})
	same(w.T, "a question", asked.text("/mentions/0/candidates/0/entity_id"), one.entity)
	other := w.say("Ilse Brandt", "office", "Chicago", identified("badge_no", "C-9999"))
	same(w.T, "a contrary one", other.text("/mentions/0/decision"), "review")
	left := obj{"name": "Ilse Brandt", "type": "person", "attributes": obj{"badge_number": list{"B-1234"}}}
	right := obj{"name": "Ilse Brandt", "type": "person", "attributes": obj{"Badge-No": list{"C-9999"}}}
	same(w.T, "two compared", w.post("/v1/compare", obj{"left": left, "right": right}).is(200).text("/veto"), "contradicting_identifier")
	same(w.T, "what was written before", w.get("/v1/entities/"+early.entity).is(200).text("/root_id"), early.entity)

	w.define("identifier_kinds", false, obj{"name": "badge_number", "removed": true}, obj{"name": "badge_no", "removed": true})
	late := w.say("Wojciech Marchmont", "office", "Bonn", identified("badge_number", "B-1234"))
	same(w.T, "once it is taken away", late.text("/mentions/0/decision"), "new_entity")
	verify(w.T, w.srv.store, w.tenant)
}

// ownKindInRows: what rows of systems of record say of a kind joins them, and keeps
// them apart.
func ownKindInRows(w *world) {
	w.define("identifier_kinds", false, obj{"name": "badge_number", "exclusive": true})
	row := func(name, id, badge string) told {
		return w.record(stating(name, "row", id, func(s statement) {
			s.mention["record"] = obj{"source": "crm", "id": id}
			s.mention["attributes"] = obj{"badge_number": list{badge}, "dob": list{"1980-02-03"}}
		}))
	}
	one, two, three := row("Ilse Brandt", "1", "B-1234"), row("Ilse Brandt-Cohn", "2", "B1234"), row("Ilse Brandt", "3", "C-9999")
	w.settled()
	root := func(e told) string { return w.get("/v1/entities/" + e.entity).is(200).text("/root_id") }
	same(w.T, "rows of one badge", root(two), root(one))
	if root(three) == root(one) {
		w.Error("rows of two badges are one entity")
	}
	same(w.T, "the same row again", row("Ilse Brandt", "1", "B-1234").entity, one.entity)
	verify(w.T, w.srv.store, w.tenant)
}

// ownSharedKind: a shared identifier proposes and decides nothing.
func kindAfterMerge(w *world) {
	badge := func(name, number string) told {
		return w.say(name, "office", "Bonn", identified("Badge Number", number))
	}
	root := func(a told) string { return w.get("/v1/entities/" + a.entity).is(200).text("/root_id") }
	open := func() int { return len(w.get("/v1/reviews?state=open").is(200).items("/items")) }
	one, two, other := badge("Petra Lang", "B-1"), badge("Petra Lang", "B-2"), badge("Ottoline Kessel", "B-3")
	same(w.T, "one name", two.entity, one.entity)
	again := badge("Petra Lang", "b 1")
	w.settled()

	w.define("identifier_kinds", false, obj{"name": "badge_number", "exclusive": true})
	w.settled()
	same(w.T, "open reviews", open(), 1)
	r := w.get("/v1/reviews?state=open").is(200)
	same(w.T, "why", r.text("/items/0/reason"), "contradicted")
	of := func(a told) string {
		return w.get("/v1/observations/" + a.id).is(200).text("/mentions/0/entity_id")
	}
	same(w.T, "the second is another", of(two) != of(one), true)
	same(w.T, "the first again", of(again), of(one))
	later := badge("Ottoline Kessel", "B-4")
	same(w.T, "a number beside one from before", decision(later), "review contradicting_identifier")

	w.define("identifier_kinds", false, obj{"name": "badge_number", "removed": true})
	w.settled()
	same(w.T, "open reviews once it is taken back", open(), 0)
	same(w.T, "one again", root(two), root(one))
	same(w.T, "the later one, too", root(later), root(other))
	verify(w.T, w.srv.store, w.tenant)
}

func ownSharedKind(w *world) {
	w.define("identifier_kinds", false, obj{"name": "locker", "normalizer": "exact"})
	ada := w.say("Ada Featherstone", "office", "Bonn", identified("locker", "L/7"))
	bruno := w.say("Bruno Kessel", "office", "Bonn", identified("locker", "L/7"))
	w.settled()
	if ada.entity == bruno.entity {
		w.Error("a shared identifier made two one")
	}
	again := w.say("Ada Featherstone", "office", "Bonn", identified("locker", "L/8"))
	same(w.T, "another locker is no contradiction", again.text("/mentions/0/decision")+" "+again.entity, "auto_merge "+ada.entity)
}

func refusedKinds(w *world) {
	for _, c := range []struct {
		term    obj
		code    int
		pointer string
	}{
		{obj{"name": "Badge Number", "exclusive": true}, 422, "/terms/0/name"},
		{obj{"name": "phone", "exclusive": true}, 422, "/terms/0/name"},
		{obj{"name": "mobile", "normalizer": "exact"}, 422, "/terms/0/name"},
		{obj{"name": "ssn"}, 422, "/terms/0/name"},
		{obj{"name": "dob", "exclusive": true}, 422, "/terms/0/name"},
		{obj{"name": "badge_no", "parent": "badge_number"}, 422, "/terms/0/parent"},
		{obj{"name": "work_mail", "parent": "email", "exclusive": true}, 422, "/terms/0/parent"},
		{obj{"name": "badge_number", "region": "DE"}, 422, "/terms/0/region"},
		{obj{"name": "phone", "region": "XX"}, 422, "/terms/0/region"},
		{obj{"name": "phone", "region": "Germany"}, 400, "/terms/0/region"},
		{obj{"name": "badge_number", "normalizer": "soundex"}, 400, "/terms/0/normalizer"},
	} {
		w.unchanged(fmt.Sprint(c.term), func() {
			code := map[int]string{400: "invalid", 422: "unprocessable"}[c.code]
			w.call("PUT", "/v1/vocabularies/identifier_kinds", defining(c.term)).problem(c.code, code, c.pointer)
		})
	}
	w.define("identifier_kinds", false, obj{"name": "work_mail", "parent": "email"})
	w.call("PUT", "/v1/vocabularies/identifier_kinds", obj{
		"closed": false, "version": 1, "terms": list{obj{"name": "home_mail", "parent": "work_mail"}},
	}).problem(422, "unprocessable", "/terms/0/parent")
	one := w.say("Ilse Brandt", "office", "Bonn", identified("email", "ilse@park.example"))
	two := w.say("I. Brandt", "floor", "3", identified("Work-Mail", "Ilse@park.example"))
	same(w.T, "an attribute that is a mailbox", two.entity, one.entity)
}
