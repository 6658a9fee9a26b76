package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	api "tenure/client"
)

// pair is one value in two spellings.
type pair struct {
	predicate   string
	left, right any
}

// spelt has two tools say the two spellings of a value within a minute, and checks that at least one stands.
func (t *teller) spelt(p pair) {
	t.say("Depot", p.predicate, p.left, d("03-01", "09:00:00"), rank(3, .6), by("tool A"), of("site"))
	t.say("Depot", p.predicate, p.right, d("03-01", "09:01:00"), rank(3, .6), by("tool B"), of("site"))
	t.check(asJSON(p.left)+" = "+asJSON(p.right), len(t.believed("Depot", p.predicate)) > 0,
		t.believed("Depot", p.predicate, standing("disputed")))
}

func equalValues(s *teller) {
	for _, p := range []pair{
		{"city", "Chicago", "chicago"},
		{"hall", "North  Hall", "North Hall"},
		{"name", "Zürich", "Zu\u0308rich"},
		{"rate", "15%", "15 %"},
		{"share", "15%", "0.15"},
		{"due", "2025-09-03", "3 Sep 2025"},
		{"budget", "$1,500", "$1500"},
		{"cost", "1500 USD", "$1,500"},
		{"size", 1500, json.Number("1500.0")},
		{"count", 1500, "1500"},
		{"active", true, "true"},
		{"phone", "+49 30 123456", "+4930123456"},
	} {
		s.spelt(p)
	}
}

func typedValues(s *teller) {
	s.term(obj{"name": "rate", "value_type": "number"}, obj{"name": "due", "value_type": "time"},
		obj{"name": "active", "value_type": "boolean"})
	for _, p := range []pair{
		{"rate", 0.15, json.Number("0.150")},
		{"rate2", 1, json.Number("1.0")},
		{"due", "2025-09-03T00:00:00Z", "2025-09-03T02:00:00+02:00"},
		{"active", true, true},
	} {
		s.spelt(p)
	}
	status, answer := s.tool("Depot", "due", "2025-09-03", d("03-01", "09:02:00"))
	s.check("a plain date is taken for a time", !refused(status), list(status, answer))
}

// tool has a tool claim something about a site, which may be refused.
func (t *teller) tool(site, predicate string, value any, at string) (status int, answer string) {
	status, body := t.call(http.MethodPost, "/v1/observations", obj{
		"source": obj{"origin": "tool://c", "authority_level": 3}, "observed_at": at,
		"mentions": []obj{{"name": site, "type": "site"}},
		"claims":   []obj{{"subject": obj{"mention": 0}, "predicate": predicate, "value": value}},
	})
	return status, string(body)
}

func manyValues(s *teller) {
	const who = "Rosa Lindqvist"
	s.term(obj{"name": "speaks", "cardinality": "many"})
	f := s.say(who, "speaks", "French", d("03-01"))
	s.say(who, "speaks", "German", d("03-05"), by("Ilse Brandt"))
	s.equal("both", s.believed(who, "speaks"), list("French", "German"))
	s.amend(f.BeliefId, "end", obj{"at": d("04-01")})
	s.equal("after one was ended", s.believed(who, "speaks"), list("German"))
	s.say(who, "speaks", "Czech", d("05-01"), replacing("speaks"))
	s.equal("'only Czech, instead of all that'", s.believed(who, "speaks"), list("Czech"))
}

func manyValuesUndeclared(s *teller) {
	const who = "Rosa Lindqvist"
	s.say(who, "speaks_language", "French", d("03-01"))
	s.say(who, "speaks_language", "German", d("03-05"), by("Ilse Brandt"))
	s.equal("both", s.believed(who, "speaks_language"), list("French", "German")).documented()
}

func numericRanges(s *teller) {
	s.say("Atlas", "team_size", "5-7", d("03-01", "09:00:00"), rank(3, .6), by("plan"), of("project"))
	s.say("Atlas", "team_size", "6", d("03-01", "09:01:00"), rank(3, .6), by("roster"), of("project"))
	resolvers := []api.Resolver{}
	for _, c := range s.cases() {
		resolvers = append(resolvers, c.Resolver)
	}
	s.check("no open case", len(resolvers) == 0, resolvers).documented()
	s.check("6 stands", slices.Contains(s.believed("Atlas", "team_size"), any("6")),
		s.believed("Atlas", "team_size", standing("any"))).documented()
}

func unknown(s *teller) {
	s.say("Badge Portal", "owner", "Ilse Brandt", d("03-01"), of("project"))
	status, _ := s.call(http.MethodPost, "/v1/observations", obj{
		"source":      obj{"origin": "tool://crm", "authority_level": 2, "source_authority": 0.8, "speaker": "crm"},
		"observed_at": d("03-05"), "mentions": []obj{{"name": "Badge Portal", "type": "project"}},
		"claims": []obj{{"subject": obj{"mention": 0}, "predicate": "owner", "value": nil}},
	})
	s.equal("null is refused", status, http.StatusBadRequest)
	for n, v := range []string{"unknown", "TBD", "", "n/a"} {
		who := fmt.Sprintf("Portal %c%d7", 'A'+n, n)
		s.say(who, "owner", "Ilse Brandt", d("03-01"), of("project"))
		s.say(who, "owner", v, d("03-05"), of("project"), by("crm"), from("tool://crm"))
		now := s.believed(who, "owner")
		s.check(fmt.Sprintf("after %q", v), equal(now, list("Ilse Brandt")), now).documented()
	}
}

func oneBreath(s *teller) {
	const who = "Rosa Lindqvist"
	two := func(predicate, left, right string) []api.BeliefAnswer {
		claims := []obj{}
		for _, v := range []string{left, right} {
			claims = append(claims, obj{"subject": obj{"mention": 0}, "predicate": predicate, "value": v})
		}
		a := want[api.ObservationAnswer](s, http.MethodPost, "/v1/observations", obj{
			"source":      obj{"origin": "conversation://1", "authority_level": 2, "speaker": "Dana Field"},
			"observed_at": d("03-01"), "mentions": []obj{{"name": who, "type": "person"}}, "claims": claims,
		})
		s.entities[who] = a.Mentions[0].EntityId
		return a.Beliefs
	}
	two("speaks", "French", "German")
	s.equal("both languages", s.believed(who, "speaks"), list("French", "German")).documented()
	b := two("due", "Friday", "Monday")
	untold := slices.ContainsFunc(b, func(x api.BeliefAnswer) bool {
		return x.Status != api.StatusDisputed || x.CaseId == ""
	})
	s.check("a contradiction within one observation is told in its answer", !untold, b)
}

func typedSpellings(s *teller) {
	s.term(obj{"name": "rate", "value_type": "number"}, obj{"name": "cost", "value_type": "number"},
		obj{"name": "due", "value_type": "time"})
	for n, c := range []struct{ predicate, value string }{
		{"rate", "15%"}, {"rate", "0.15"}, {"cost", "$1,500"}, {"cost", "1,500"}, {"cost", "1500 USD"},
		{"due", "2025-09-03"}, {"due", "3 Sep 2025"}, {"due", "2025-09-03T10:00:00Z"},
	} {
		status, answer := s.tool(fmt.Sprintf("Depot %d", n), c.predicate, c.value, d("03-01", fmt.Sprintf("09:%02d:00", n)))
		s.check(fmt.Sprintf("%s takes %q", c.predicate, c.value), !refused(status), answer)
	}
}
