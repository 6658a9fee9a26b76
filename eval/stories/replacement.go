package main

import (
	"fmt"
	"net/http"

	api "tenure/client"
)

func replacedDecision(s *teller) {
	decision := with("object_type", "project_decision")
	a := s.say("Atlas", "database", "PostgreSQL", d("03-01"), of("project"), decision)
	b := s.say("Atlas", "database", "CockroachDB", d("03-10"), of("project"), decision, replacing("database"),
		by("Ilse Brandt"))
	s.equal("superseded", b.Superseded, list(a.BeliefId))
	s.equal("now", s.believed("Atlas", "database"), list("CockroachDB"))
	s.equal("on 5 March", s.believed("Atlas", "database", validAt(d("03-05"))), list("PostgreSQL"))
	s.equal("as known then", s.believed("Atlas", "database", knownAt(a.Seq)), list("PostgreSQL"))
	s.context("Which database does Atlas use?", "Atlas", has("CockroachDB"), not("PostgreSQL"))
	chain := want[api.Chain](s, http.MethodGet, "/v1/beliefs/"+b.BeliefId+"/chain", nil)
	values := list()
	for _, x := range chain.Items {
		values = append(values, x.Value)
	}
	s.equal("chain", values, list("PostgreSQL", "CockroachDB"))
}

func silentReplacement(s *teller) {
	s.say("Atlas", "due", "Friday", d("03-01"), of("project"))
	s.say("Atlas", "due", "Monday", d("03-02"), of("project"), by("Ilse Brandt"))
	s.equal("now", s.believed("Atlas", "due"), list("Monday"))
	s.context("When is Atlas due?", "Atlas", has("Monday"), not("Friday"))
}

func retroactiveCorrection(s *teller) {
	const who = "Rosa Lindqvist"
	january := with("valid_from", "2025-01-01T00:00:00Z")
	a := s.say(who, "salary", 4000, d("03-01"), january)
	s.say(who, "salary", 4200, d("03-10"), january, replacing("salary"))
	s.equal("February, as known now", s.believed(who, "salary", validAt(d("02-01"))), list(4200))
	s.equal("February, as known on 1 March", s.believed(who, "salary", validAt(d("02-01")), knownAt(a.Seq)), list(4000))
	s.context("What does Rosa Lindqvist earn?", who, has("4200"), not("4000"), where("valid_at", d("03-11")))
}

// correctionOfAPeriod: learnt in August, from April to July it was 4300.
func correctionOfAPeriod(s *teller) {
	const who = "Rosa Lindqvist"
	s.say(who, "salary", 4000, d("01-01"), with("valid_from", "2025-01-01T00:00:00Z"))
	s.say(who, "salary", 5000, d("07-01"), with("valid_from", "2025-07-01T00:00:00Z"))
	s.say(who, "salary", 4300, d("08-01"), with("valid_from", "2025-04-01T00:00:00Z"),
		with("valid_until", "2025-07-01T00:00:00Z"))
	for _, c := range []struct {
		month string
		gold  int
	}{{"02", 4000}, {"05", 4300}, {"09", 5000}} {
		s.equal("month "+c.month, s.believed(who, "salary", validAt(d(c.month+"-15"))), list(c.gold))
	}
}

func internAndPolicy(s *teller) {
	p := s.say("Sales", "discount_limit", "15%", d("03-01"), rank(0, 1), by("policy"), of("team"),
		with("object_type", "policy_rule"))
	i := s.say("Sales", "discount_limit", "25%", d("03-05"), rank(4, .3), by("Tim, intern"), of("team"))
	s.equal("the intern's", i.Status, "overridden")
	s.equal("by", i.OverriddenBy, p.BeliefId)
	for n := range 4 {
		s.say("Sales", "discount_limit", "25%", d("03-06", fmt.Sprintf("10:0%d:00", n)), rank(4, .3),
			by(fmt.Sprintf("intern %d", n)), of("team"))
	}
	s.equal("now", s.believed("Sales", "discount_limit"), list("15%"))
	s.context("What is the discount limit of Sales?", "Sales", has("15%"), not("25%"))
	s.say("Sales", "discount_limit", "12%", d("03-07"), rank(0, 1), by("policy"), of("team"))
	s.equal("policy renewed", s.believed("Sales", "discount_limit"), list("12%"))
}

func bossOverrules(s *teller) {
	s.say("Atlas", "launch", "Friday", d("03-01"), level(2), by("Mia, manager"), of("project"))
	s.say("Atlas", "launch", "Monday", d("03-02"), level(1), by("Vera, VP"), of("project"))
	m := s.say("Atlas", "launch", "Wednesday", d("03-03"), level(2), by("Mia, manager"), of("project"))
	s.equal("the manager's", m.Status, "overridden")
	s.equal("now", s.believed("Atlas", "launch"), list("Monday"))
}

func reassertionAfterDeath(s *teller) {
	const who = "Kofi Mensah"
	s.say(who, "office", "Rome", d("01-01"))
	s.say(who, "office", "Oslo", d("02-01"), replacing("office"))
	s.say(who, "office", "Rome", d("03-01"), by("old crm"), rank(3, .5))
	s.equal("after a weaker repetition", s.believed(who, "office"), list("Oslo"))
	s.say(who, "office", "Rome", d("03-02"), by("Ilse Brandt"))
	s.equal("after a repetition of equal rank", s.believed(who, "office"), list("Oslo"))
	s.say(who, "office", "Rome", d("04-02"), with("valid_from", "2025-04-01T00:00:00Z"), replacing("office"),
		by("Ilse Brandt"))
	s.equal("he moved back", s.believed(who, "office"), list("Rome"))
}

func deadInOtherLetters(s *teller) {
	const who = "Kofi Mensah"
	for _, c := range []struct{ predicate, old, now, disguise string }{
		{"office", "Rome", "Oslo", "ROME"},
		{"rate", "15%", "20%", "15 %"},
		{"budget", "$1,500", "$2,000", "$1500"},
		{"due", "2025-09-03", "2025-10-01", "3 Sep 2025"},
		{"city", "Zürich", "Bern", "Zu\u0308rich"},
		{"share", "15%", "20%", "0.15"},
		{"hall", "the Annex", "Studio 9", "The Annex."},
	} {
		s.say(who, c.predicate, c.old, d("01-01"))
		s.say(who, c.predicate, c.now, d("02-01"), replacing(c.predicate))
		s.say(who, c.predicate, c.disguise, d("03-02"), by("Ilse Brandt"))
		s.equal(fmt.Sprintf("%s -> %s, then %q is repeated", c.old, c.now, c.disguise), s.believed(who, c.predicate),
			list(c.now))
	}
}

func outOfOrder(s *teller) {
	s.say("Atlas", "status", "shipped", d("03-10"), of("project"))
	late := s.say("Atlas", "status", "in test", d("03-05"), of("project"), by("slow mail"))
	s.equal("the late one now", late.Status, "overridden")
	s.equal("now", s.believed("Atlas", "status"), list("shipped"))
	s.equal("on 6 March", s.believed("Atlas", "status", validAt(d("03-06"))), list("in test"))
}

func sameSecond(s *teller) {
	s.say("Atlas", "due", "Friday", d("03-01", "09:00:00"), of("project"))
	s.say("Atlas", "due", "Monday", d("03-01", "09:00:00"), of("project"))
	v := s.believed("Atlas", "due")
	s.check("never the older alone", equal(v, list("Monday")) || equal(v, list()), v)
	s.equal("the same speaker, who corrects herself in one breath: the later word", v, list("Monday")).documented()
	s.say("Borax", "due", "Friday", d("03-01", "09:00:00"), of("project"))
	s.say("Borax", "due", "Monday", d("03-01", "09:00:00"), of("project"), replacing("due"))
	s.equal("by name", s.believed("Borax", "due"), list("Monday"))
	s.say("Cobalt", "due", "Friday", d("03-01", "09:00:00.000001"), of("project"))
	s.say("Cobalt", "due", "Monday", d("03-01", "09:00:00.000002"), of("project"))
	s.equal("a microsecond later, same speaker", s.believed("Cobalt", "due"), list("Monday"))
}

func draftAdopted(s *teller) {
	s.say("Gasket", "price", "$10", d("03-01"), of("product"))
	s.say("Gasket", "price", "$8", d("03-03"), of("product"), in(obj{"kind": "draft"}))
	s.say("Gasket", "price", "$8", d("03-04"), of("product"), replacing("price"))
	s.context("What is the price of the Gasket?", "Gasket", has("$8"), not("$10"))
}

func chainWithALostLink(s *teller) {
	s.say("Atlas", "venue", "Annex", d("03-01"), of("project"))
	b := s.say("Atlas", "venue", "Studio 9", d("03-02"), of("project"), replacing("venue"))
	c := s.say("Atlas", "venue", "Maple Hall", d("03-03"), of("project"), replacing("venue"))
	s.amend(b.BeliefId, "retract", obj{"reason": "never"})
	s.equal("now", s.believed("Atlas", "venue"), list("Maple Hall"))
	s.equal("on 2 March", s.believed("Atlas", "venue", validAt(d("03-02", "12:00:00"))), list("Annex"))
	s.amend(c.BeliefId, "retract", obj{"reason": "nor that"})
	s.equal("both gone", s.believed("Atlas", "venue"), list("Annex"))
}
