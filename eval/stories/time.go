package main

import "net/http"

func futureDated(s *teller) {
	s.say("Gasket", "price", "$10", d("03-01"), of("product"))
	s.say("Gasket", "price", "$12", d("03-02"), of("product"), with("valid_from", "2025-07-01T00:00:00Z"))
	s.equal("June", s.believed("Gasket", "price", validAt(d("06-01"))), list("$10"))
	s.equal("August", s.believed("Gasket", "price", validAt(d("08-01"))), list("$12"))
	const question = "What is the price of the Gasket?"
	s.context(question, "Gasket", has("$10"), not("$12"), where("valid_at", d("06-01")))
	s.context(question, "Gasket", has("$12"), not("$10"), where("valid_at", d("08-01")))
}

func expiry(s *teller) {
	s.say("Gasket", "price", "$10", d("03-01"), of("product"))
	s.say("Gasket", "price", "$7", d("04-01"), of("product"), with("valid_from", "2025-04-01T00:00:00Z"),
		with("valid_until", "2025-05-01T00:00:00Z"))
	s.equal("in April", s.believed("Gasket", "price", validAt(d("04-15"))), list("$7"))
	s.equal("in May", s.believed("Gasket", "price", validAt(d("05-15"))), list("$10"))
	s.context("What is the price of the Gasket?", "Gasket", has("$10"), not("$7"), where("valid_at", d("05-15")))
	s.say("Gasket", "coupon", "SPRING", d("04-01"), of("product"), with("valid_until", "2025-05-01T00:00:00Z"))
	s.equal("the coupon at its end", s.believed("Gasket", "coupon", validAt("2025-05-01T00:00:00Z")), list())
}

// timeZones: Tokyo is from 28 February 15:00 UTC, Boston from 1 March 01:00 UTC.
func timeZones(s *teller) {
	const who, tokyo, boston = "Kofi Mensah", "2025-03-01T00:00:00+09:00", "2025-02-28T20:00:00-05:00"
	s.say(who, "office", "Tokyo", tokyo, with("valid_from", tokyo))
	s.say(who, "office", "Boston", boston, with("valid_from", boston))
	s.equal("now", s.believed(who, "office"), list("Boston"))
	s.equal("at 28 Feb 23:00Z, asked in +02:00", s.believed(who, "office", validAt("2025-03-01T01:00:00+02:00")),
		list("Tokyo"))
	status, _ := s.call(http.MethodGet, listing(validAt("2025-03-01T01:00:00")), nil)
	s.equal("a time without a zone is refused", status, http.StatusBadRequest)
}

func asOf(s *teller) {
	const who = "Rosa Lindqvist"
	a := s.say(who, "city", "Cork", d("02-01"), with("valid_from", "2025-01-10T00:00:00Z"))
	b := s.say(who, "city", "Graz", d("04-01"), with("valid_from", "2025-03-10T00:00:00Z"))
	march := validAt(d("03-20"))
	s.equal("now", s.believed(who, "city"), list("Graz"))
	s.equal("1 February in the world", s.believed(who, "city", validAt(d("02-01"))), list("Cork"))
	s.equal("20 March in the world, known now", s.believed(who, "city", march), list("Graz"))
	s.equal("20 March in the world, known before", s.believed(who, "city", march, knownAt(a.Seq)), list("Cork"))
	s.equal("the same by instant", s.believed(who, "city", march, knownAt(a.Recorded)), list("Cork"))
	s.equal("before anything was so", s.believed(who, "city", validAt(d("01-01"))), list())
	s.context("Where does Rosa Lindqvist live?", who, has("Cork"), not("Graz"), where("valid_at", d("03-20")),
		where("known_at", a.Seq))
	s.check("seq rises", b.number > a.number, b.Seq)
}

func decay(s *teller) {
	const who, question = "Kofi Mensah", "What is the mood of Kofi Mensah?"
	a := s.say(who, "mood", "cheerful", d("03-01"), with("confidence_score", 0.9), level(3),
		with("decay_rule", obj{"half_life_days": 10, "minimum_threshold": 0.5}))
	s.context(question, who, has("cheerful"), where("valid_at", d("03-04")))
	s.context(question, who, not("cheerful"), where("valid_at", d("04-01")))
	s.amend(a.BeliefId, "confirm", obj{"at": d("03-30")})
	s.context(question, who, has("cheerful"), where("valid_at", d("04-01")))
}
