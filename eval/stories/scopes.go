package main

import (
	"bytes"
	"fmt"
	"net/http"

	api "tenure/client"
)

func hypotheticalAndDraft(s *teller) {
	const question = "What is the price of the Gasket?"
	game := obj{"kind": "hypothetical", "task_id": "pricing-game"}
	s.say("Gasket", "price", "$10", d("03-01"), of("product"))
	s.say("Gasket", "price", "$6", d("03-02"), of("product"), in(game), replacing("price"))
	s.say("Gasket", "price", "$8", d("03-03"), of("product"), in(obj{"kind": "draft"}))
	s.context(question, "Gasket", has("$10"), not("$6", "$8"))
	s.context(question, "Gasket", has("$6"), not("$8"), where("scope", game))
	s.equal("no case", s.cases(), list())
}

func project(id string) obj { return obj{"project_id": id} }

func scopes(s *teller) {
	const question = "Which runner does the Build use?"
	heron, osprey, third := project("heron"), project("osprey"), project("third")
	s.say("Build", "runner", "Jenkins", d("03-01"), of("system"), in(heron))
	s.say("Build", "runner", "Buildkite", d("03-05"), of("system"), in(osprey))
	s.context(question, "", has("Jenkins"), not("Buildkite"), where("scope", heron))
	s.context(question, "", has("Buildkite"), not("Jenkins"), where("scope", osprey))
	s.context(question, "", not("Buildkite", "Jenkins"), where("scope", third))
	s.equal("no case", s.cases(), list())
	s.say("Build", "runner", "Make", d("03-06"), of("system")) // everywhere
	s.context(question, "", has("Make"), where("scope", third))
	s.context(question, "", has("Jenkins"), not("Make"), where("scope", heron))
}

func clearance(s *teller) {
	const who, question = "Project Moth", "Where is the site of Project Moth?"
	low := want[struct {
		Key string `json:"key"`
	}](s, http.MethodPost, "/v1/keys", obj{"roles": []string{"agent", "analyst"}, "clearance": "restricted"}).Key
	a := s.say(who, "site", "Lisbon", d("03-01"), of("project"))
	b := s.say(who, "site", "Porto", d("03-10"), of("project"), with("security_classification", "confidential"),
		replacing("site"), words("The site of Project Moth is now Porto."))
	status, _ := s.callAs(low, http.MethodGet, "/v1/beliefs/"+b.BeliefId, nil)
	s.equal("by id", status, http.StatusNotFound)
	status, _ = s.callAs(low, http.MethodGet, "/v1/observations/"+b.Observation, nil)
	s.equal("the observation", status, http.StatusNotFound)
	var seen [][]byte
	for _, path := range []string{
		"/v1/beliefs/" + a.BeliefId, "/v1/beliefs/" + a.BeliefId + "/chain", listing(standing("any")),
		"/v1/entities/" + b.Entity, "/v1/entities/" + b.Entity + "/history", "/v1/conflicts",
	} {
		_, answer := s.callAs(low, http.MethodGet, path, nil)
		seen = append(seen, answer)
	}
	_, answer := s.callAs(low, http.MethodPost, "/v1/compile", obj{"query": question, "entities": []string{b.Entity}})
	seen = append(seen, answer)
	showing := func(what string) []string {
		list := []string{}
		for _, x := range seen {
			if bytes.Contains(x, []byte(what)) {
				list = append(list, string(x))
			}
		}
		return list
	}
	values, ids := showing("Porto"), showing(b.BeliefId)
	s.check("the hidden value is nowhere", len(values) == 0, values)
	s.check("nor its id", len(ids) == 0, ids)
	s.context(question, who, has("Lisbon"), not("Porto"), as(low)) // as if the hidden word had never been said
	s.context(question, who, has("Porto"), not("Lisbon"))
}

func permission(s *teller) {
	const who, question = "Rosa Lindqvist", "What does Rosa Lindqvist earn?"
	s.say(who, "salary", "$93,000", d("03-01"), with("permission_scope", obj{"allow_roles": []string{"HR"}}))
	s.context(question, who, has("$93,000"), where("identity", obj{"name": "Hana", "roles": []string{"HR"}}))
	s.context(question, "", not("$93,000", who), where("identity", obj{"name": "Tim", "roles": []string{"Engineering"}}))
	s.context(question, "", not("$93,000", who), where("identity", obj{"name": "Nobody"}))
}

func constraint(s *teller) {
	s.say("Atlas", "budget_cap", "$50,000", d("03-01"), of("project"), with("is_constraint", true),
		with("constraint_type", "budget"), level(1))
	for n := range 30 {
		s.say("Atlas", fmt.Sprintf("note_%d", n),
			fmt.Sprintf("an unimportant remark number %d about the colour of the curtains", n),
			d("03-02", fmt.Sprintf("09:%02d:00", n)), of("project"), level(3))
	}
	s.context("May we spend $60,000 on Atlas?", "Atlas", has("$50,000"), where("budget_tokens", 120),
		where("valid_at", d("03-06")))
}

func scopeAndRank(s *teller) {
	s.say("Build", "retention", "90 days", d("03-01"), of("system"), rank(0, 1), by("policy"))
	s.say("Build", "retention", "30 days", d("03-05"), of("system"), level(2), in(project("heron")))
	s.context("What is the retention of the Build?", "", has("90 days"), not("30 days"), where("scope", project("heron")))
}

func sameNameTwice(s *teller) {
	const question = "Which runner does the Build use?"
	heron := project("heron")
	a := s.say("Build", "runner", "Jenkins", d("03-01"), of("system"), in(heron))
	s.context(question, "", has("Jenkins"), where("scope", heron))
	s.say("Build", "owner", "Ilse Brandt", d("03-02"), of("system"))
	r := want[api.ResolveAnswer](s, http.MethodPost, "/v1/resolve",
		obj{"mentions": []obj{{"name": "Build", "type": "system"}}, "scope": heron}).Mentions[0]
	s.equal("resolve in heron", list(r.Decision, r.EntityId), list("auto_merge", a.Entity))
	s.context(question, "", has("Jenkins"), where("scope", heron))
}
