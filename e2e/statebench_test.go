package e2e

// The vectors of "StateBench specification, Test Vectors". A query has the
// entity beside it that the vector leaves unnamed.
var statebench = []scenario{
	{"basic-supersession-across-slots", func(w *world) { basicSupersession(w, "status_v1", "status_v2") }},
	{"basic-supersession-in-one-slot", func(w *world) { basicSupersession(w, "status", "status") }},
	{"emphatic-repetition-before", emphaticBefore},
	{"emphatic-repetition-after", emphaticAfter},
	{"authority-override", authorityOverride},
}

func basicSupersession(w *world, first, second string) {
	v1 := w.say("Order 4711", first, "approved", kind("order"), key("status_v1"))
	v2 := w.say("Order 4711", second, "cancelled", kind("order"), key("status_v2"), supersedes("status_v1"))
	same(w.T, "what the second displaced", v2.texts("/beliefs/0/superseded", ""), []string{v1.belief})
	same(w.T, "the status of the second", v2.status, "clean")

	c := w.compile(obj{"query": "What is the current status?", "entities": list{v1.entity}})
	c.shows("cancelled", not, "approved")
	same(w.T, "why the first is not there", c.omitted(v1.belief), "named_supersession")

	old := w.belief(v1.belief)
	same(w.T, "the first now", old.text("/contradiction_status"), "overridden")
	same(w.T, "by", old.text("/supersession_link"), v2.belief)
	same(w.T, "withheld", old.text("/withheld"), "true")
	chain := w.get("/v1/beliefs/" + v1.belief + "/chain").is(200)
	same(w.T, "the chain", chain.texts("/items", "/object_id"), []string{v1.belief, v2.belief})
}

func emphaticBefore(w *world) {
	var entity string
	for range 3 {
		entity = w.say("Order 4711", "decision", "approved", kind("order"), key("order_v1")).entity
	}
	last := w.say("Order 4711", "decision", "cancelled", kind("order"), key("order_v2"), supersedes("order_v1"))
	same(w.T, "how many it displaced", len(last.items("/beliefs/0/superseded")), 3)
	c := w.compile(obj{"query": "Should we proceed with the order?", "entities": list{entity}})
	c.shows("cancelled", not, "approved")
}

func emphaticAfter(w *world) {
	first := w.say("Order 4711", "decision", "approved", kind("order"), key("order_v1"))
	w.say("Order 4711", "decision", "cancelled", kind("order"), key("order_v2"), supersedes("order_v1"))
	for _, who := range []string{"Dana", "Eve", "Dana"} {
		again := w.say("Order 4711", "decision", "approved", kind("order"), key("order_v1"), by(who))
		same(w.T, "a dead value, said again", again.status, "overridden")
	}
	c := w.compile(obj{"query": "Should we proceed with the order?", "entities": list{first.entity}})
	c.shows("cancelled", not, "approved")
	same(w.T, "what stands", w.believed(first.entity, "decision"), []string{"cancelled"})
}

func authorityOverride(w *world) {
	policy := w.say("Discounts", "maximum", "max 15%", kind("policy"), key("policy"), by("CFO"), level(1),
		claims("object_type", "policy_rule"), claims("is_constraint", true), claims("constraint_type", "policy"))
	intern := w.issue(obj{"roles": list{"agent"}, "max_authority": 3, "act_for": true})

	said := intern.say("Discounts", "maximum", "25%", kind("policy"), key("offer"), by("Intern"), level(3))
	same(w.T, "the intern's suggestion", said.status, "overridden")
	same(w.T, "is overridden by", said.text("/beliefs/0/overridden_by"), policy.belief)
	intern.post("/v1/observations", stating("Discounts", "maximum", "25%", kind("policy"), by("Intern"), level(3), supersedes("policy"))).
		problem(403, "forbidden", "/claims/0/supersedes/0")
	intern.post("/v1/observations", stating("Discounts", "maximum", "25%", kind("policy"), by("Intern"), level(1))).
		problem(403, "authority_too_high", "/source/authority_level")

	c := intern.compile(obj{
		"query": "Can we offer 25%?", "entities": list{policy.entity},
		"identity": obj{"name": "Ina Intern", "authority": "intern"},
	})
	c.shows("max 15%", "authority: intern", not, "25%")
	same(w.T, "why the suggestion is not there", c.omitted(said.belief), "authority")
	same(w.T, "the policy is compiled as", c.text("/trace/state_compilation_metadata/compiled_objects/0/compiled_as"), "hard_constraint")
	same(w.T, "what stands", w.believed(policy.entity, "maximum"), []string{"max 15%"})
}
