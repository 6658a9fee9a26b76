package main

import (
	"net/http"

	api "tenure/client"
)

func twoTools(s *teller) {
	machine := of("machine")
	first, second := d("03-01", "09:00:00"), d("03-01", "09:00:40")
	s.say("Pump 3", "temperature", "70", first, rank(4, .6), by("sensor A"), from("tool://a"), machine)
	b := s.say("Pump 3", "temperature", "90", second, rank(4, .6), by("sensor B"), from("tool://b"), machine)
	s.equal("the second", b.Status, "disputed")
	s.equal("none stands", s.believed("Pump 3", "temperature"), list())
	s.equal("a case", len(s.cases()), 1)
	s.context("What is the temperature of Pump 3?", "Pump 3", not("70", "90"))
	s.say("Pump 4", "temperature", "70", first, rank(4, .9), by("sensor A"), from("tool://a"), machine)
	s.say("Pump 4", "temperature", "90", second, rank(4, .4), by("sensor B"), from("tool://b"), machine)
	s.equal("the more trusted stands", s.believed("Pump 4", "temperature"), list("70"))
}

func quarantineAndResolve(s *teller) {
	machine := of("machine")
	a := s.say("Pump 3", "maker", "Ostermark", d("03-01", "09:00:00"), rank(3, .6), by("sheet"), machine)
	s.say("Pump 3", "maker", "Tillroe", d("03-01", "09:01:00"), rank(3, .6), by("label reader"), machine)
	c := s.cases()[0]
	path := "/v1/quarantine/" + c.CaseId + "/resolution"
	want[any](s, http.MethodPost, path, obj{"accept": a.BeliefId, "version": c.Version, "note": "plate"})
	s.equal("now", s.believed("Pump 3", "maker"), list("Ostermark"))
	again := s.say("Pump 3", "maker", "Tillroe", d("03-05"), rank(3, .6), by("label reader"), machine)
	s.check("the rejected value again", again.Status != api.StatusClean, again)
	s.equal("still", s.believed("Pump 3", "maker"), list("Ostermark"))
	s.equal("no open case", s.cases(), list())
	status, _ := s.call(http.MethodPost, path, obj{"accept": a.BeliefId, "version": c.Version})
	s.equal("a second answer is refused", status, http.StatusConflict)
}
