package e2e

import (
	"fmt"
)

// What a context says: about whom, from which side, and what it leaves open.
var honest = []scenario{
	{"names-of-a-query", namesOfAQuery},
	{"name-of-several", nameOfSeveral},
	{"open-review-is-said", openReviewIsSaid},
	{"relation-from-either-side", eitherSide},
	{"contested-is-said", contestedIsSaid},
	{"withheld-and-cut-are-said", withheldAndCut},
}

// validation is the validation status of a compilation.
func (a answer) validation() string { return a.text("/trace/validation_status") }

// namesOfAQuery checks that a query names people by their first name, with a slip and in another case, and that what
// was read of them is there to the last fact, whatever words it has.
func namesOfAQuery(w *world) {
	w.say("Elin Berg", "allergic_to", "shellfish")
	w.say("Elin Berg", "lives_in", "Oslo")
	w.say("Ben Ortiz", "lives_in", "Lisbon")
	for query, want := range map[string]string{
		"Where does ben live?":               "Ben Ortiz / lives_in: Lisbon",
		"WHERE DOES BEN ORTIZ LIVE?":         "Ben Ortiz / lives_in: Lisbon",
		"Where does Ben Ortis live?":         "Ben Ortiz / lives_in: Lisbon",
		"Can I serve prawns to Elin?":        "Elin Berg / allergic_to: shellfish",
		"May elin berg have a prawn or two?": "Elin Berg / allergic_to: shellfish",
	} {
		c := w.compile(obj{"query": query})
		c.shows(want)
		same(w.T, query, c.validation(), "CLEAN")
	}
	c := w.compile(obj{"query": "Where does Ben Carter live?"})
	c.shows("Ben: unresolved, may be Ben Ortiz", not, "Lisbon")
	same(w.T, "another Ben", c.validation(), "UNRESOLVED")
	c = w.compile(obj{"query": "Where does Zebulon live?"})
	same(w.T, "nobody", c.validation()+c.text("/envelope/text"), "EMPTY")
}

// nameOfSeveral checks that a first name that several have names none of them, and says who they are, those of the
// project before everybody's.
func nameOfSeveral(w *world) {
	one := w.say("Leon Adeyemi", "instrument", "cello").entity
	two := w.say("Leon Fischer", "instrument", "horn").entity
	c := w.compile(obj{"query": "What does Leon play?"})
	c.shows("Leon: unresolved, may be Leon Adeyemi or Leon Fischer", not, "cello", "horn")
	same(w.T, "the status", c.validation(), "UNRESOLVED")
	unresolved := c.items("/trace/state_compilation_metadata/unresolved_entities")[0]
	same(w.T, "the reason", text(unresolved, "/text")+" "+text(unresolved, "/reason"), "Leon ambiguous_name")
	same(w.T, "the candidates", c.texts("/trace/state_compilation_metadata/unresolved_entities/0/candidates", ""), []string{one, two})
	w.say("Leon Weiss", "instrument", "flute", within(obj{"project_id": "p1"}))
	inside := obj{"query": "What does Leon play?", "scope": obj{"project_id": "p1"}}
	w.compile(inside).shows("Leon Weiss / instrument: flute", not, "cello", "horn")
	w.compile(obj{"query": "What does Leon play?"}).shows(not, "Weiss", "flute")
}

// openReviewIsSaid checks that a compilation about a candidate of an open review is UNRESOLVED:
// it says under which name, and not what; and the answer to the review makes it clean.
func openReviewIsSaid(w *world) {
	person := func(mail string) obj {
		return obj{"name": "Ines Moreau", "type": "person", "attributes": obj{"email": list{mail}}}
	}
	known := w.remember(obj{"facts": list{list{person("ines@museum.example"), "room", "12"}}}).text("/entities/0/entity_id")
	a := w.remember(obj{"facts": list{list{person("ines@docks.example"), "room", "31"}}})
	review := a.text("/entities/0/review_id")
	query := obj{"query": "What is the room of Ines Moreau?", "entities": list{known}}
	c := w.compile(query)
	same(w.T, "the status", c.validation(), "UNRESOLVED")
	about := obj{"entities": list{known}, "query": "Which room?"}
	c = w.compile(about)
	c.shows("Ines Moreau / room: 12", "under review", not, "31")
	same(w.T, "the status of one who is listed", c.validation(), "UNRESOLVED")
	at := "/trace/state_compilation_metadata/unresolved_entities/0"
	same(w.T, "the trace", []string{c.text(at + "/reason"), c.text(at + "/name"), c.text(at + "/review_id")},
		[]string{"open_review", "Ines Moreau", review})
	same(w.T, "its candidates", c.texts(at+"/candidates", ""), []string{known})
	w.post("/v1/reviews/"+review+"/decision", obj{"decision": "new_entity", "version": 1}).is(200)
	same(w.T, "once answered", w.compile(about).validation(), "CLEAN")
}

// eitherSide checks that what was said of Apollo is found when Ben is asked about, and is then said of Ben.
func eitherSide(w *world) {
	w.record(obj{
		"source":   obj{"origin": "test://conversation"},
		"mentions": list{obj{"name": "Apollo", "type": "project"}, obj{"name": "Ben Ortiz", "type": "person"}},
		"claims":   list{obj{"subject": obj{"mention": 0}, "predicate": "lead", "value": obj{"mention": 1}}},
	})
	for query, want := range map[string]string{
		"What does Ben lead?": "Ben Ortiz / leads: Apollo", "Who leads Apollo?": "Apollo / lead: Ben Ortiz",
	} {
		for hops := range 3 {
			w.compile(obj{"query": query, "hops": hops}).shows(want)
		}
	}
	c := w.compile(obj{"query": "What does Ben lead?"})
	same(w.T, "how it is said", c.text("/trace/state_compilation_metadata/compiled_objects/0/said_as"), "leads")
}

// contestedIsSaid checks that the context of a held fact says that it is contested, and none of its values.
func contestedIsSaid(w *world) {
	w.say("Borealis", "budget", "90k", kind("project"), by("Dana"), seen("2026-01-01T09:00:00Z"))
	w.say("Borealis", "budget", "70k", kind("project"), by("Eve"), seen("2026-01-01T09:00:00Z"))
	c := w.compile(obj{"query": "What is the budget of Borealis?"})
	c.shows("Borealis / budget: contested", not, "90k", "70k")
	same(w.T, "the status", c.validation(), "CONTESTED")
	same(w.T, "what is held", len(c.held()), 2)
}

// withheldAndCut checks that what did not fit makes no clean context, and that what the caller may not see changes none.
func withheldAndCut(w *world) {
	w.say("Dana Hale", "office", "Boston")
	for i := range 8 {
		w.say("Dana Hale", fmt.Sprintf("story_%d", i), "a long story about a road that goes ever on and on")
	}
	c := w.compile(obj{"query": "Where is Dana Hale?", "budget_tokens": 60})
	same(w.T, "of what did not fit", c.validation(), "TRUNCATED")
	same(w.T, "of what fits", w.compile(obj{"query": "Where is Dana Hale?"}).validation(), "CLEAN")
	w.say("Dana Hale", "salary", "90k", claims("security_classification", "confidential"))
	low := w.issue(obj{"roles": list{"agent"}, "clearance": "restricted"})
	c = low.compile(obj{"query": "Where is Dana Hale?"})
	c.shows("Boston", not, "90k")
	same(w.T, "of what is closed", c.validation(), "CLEAN")
}
