package main

import (
	"bytes"
	"fmt"
	"net/http"

	api "tenure/client"
)

func retraction(s *teller) {
	const who = "Kofi Mensah"
	a := s.say(who, "office", "Rome", d("03-01"))
	b := s.say(who, "office", "Oslo", d("03-10"))
	r := s.amend(b.BeliefId, "retract", obj{"reason": "wrong Kofi"})
	s.equal("restored", r.Restored, list(a.BeliefId))
	s.equal("now", s.believed(who, "office"), list("Rome"))
	s.equal("before the retraction was known", s.believed(who, "office", knownAt(b.Seq)), list("Oslo"))
	again := s.say(who, "office", "Oslo", d("03-11"), level(2))
	s.check("the same value again by a tool of equal rank is not believed", again.Status != api.StatusClean, again)
	s.context("Where is the office of Kofi Mensah?", who, has("Rome"), not("Oslo"))
}

func dependency(s *teller) {
	const who = "Deal 7"
	deal := of("deal")
	s.say(who, "discount", "20%", d("03-01"), deal, with("key", "disc"))
	s.say(who, "total", "$8,000", d("03-01", "09:01:00"), deal, with("key", "total"), restingOn("disc"))
	s.say(who, "commission", "$800", d("03-01", "09:02:00"), deal, restingOn("total"))
	page := want[api.BeliefPage](s, http.MethodGet,
		listing(param{"entity_id", s.entities[who]}, param{"predicate", "discount"}), nil)
	s.amend(page.Items[0].ObjectId, "retract", obj{"reason": "no such discount"})
	for _, p := range []string{"discount", "total", "commission"} {
		s.equal(p, s.believed(who, p), list())
	}
	t := s.beliefs(who, "total", standing("any"))[0]
	s.check("needs review", t.NeedsReview && t.Withheld, t.ContradictionStatus)
	s.context("What is the total and commission of Deal 7?", who, not("$8,000", "$800", "20%"))
	// A new total on a sound ground stands.
	s.say(who, "discount", "10%", d("03-02"), deal, with("key", "disc2"))
	s.say(who, "total", "$9,000", d("03-02", "09:01:00"), deal, restingOn("disc2"))
	s.equal("the new total", s.believed(who, "total"), list("$9,000"))
}

func restingOn(keys ...string) option { return with("depends_on", keys) }

func negation(s *teller) {
	a := s.say("Badge Portal", "owner", "Ilse Brandt", d("03-01"), of("project"))
	s.amend(a.BeliefId, "end", obj{"at": d("04-01"), "reason": "She is no longer the owner."})
	s.equal("in March", s.believed("Badge Portal", "owner", validAt(d("03-15"))), list("Ilse Brandt"))
	s.equal("in May", s.believed("Badge Portal", "owner", validAt(d("05-01"))), list())
	s.context("Who owns the Badge Portal?", "Badge Portal", not("Ilse Brandt"), where("valid_at", d("05-01")))
	s.say("Rosa Lindqvist", "vegetarian", true, d("03-01"))
	s.say("Rosa Lindqvist", "vegetarian", false, d("03-05"))
	s.equal("not any more", s.believed("Rosa Lindqvist", "vegetarian"), list(false))
	s.say("Ledger", "owner", "Kofi Mensah", d("03-01"), of("project"))
	s.say("Ledger", "owner", "not Kofi Mensah", d("03-05"), of("project"), by("Ilse Brandt"))
	s.context("Who owns the Ledger?", "Ledger", not("owner: Kofi Mensah"))
}

func undoARetraction(s *teller) {
	const who = "Kofi Mensah"
	a := s.say(who, "office", "Rome", d("03-01"))
	retraction := s.amend(a.BeliefId, "retract", obj{"authority_level": 2, "reason": "slip of the hand"})
	s.equal("gone", s.believed(who, "office"), list())
	again := s.say(who, "office", "Rome", d("03-02"), level(2))
	s.equal("said again by the same authority", again.Status, "quarantined").documented()
	want[any](s, http.MethodPost, "/v1/amendments/"+retraction.AmendmentId+"/undo", obj{"reason": "the hand slipped"})
	s.equal("taken back by the person who retracted", s.agreed(who, "office"), list("Rome"))
}

func deletion(s *teller) {
	const who, secret = "Rosa Lindqvist", "X-774411"
	a := s.say(who, "passport", secret, d("03-01"), words("Passport of Rosa Lindqvist: X-774411"))
	s.context("What is the passport of Rosa Lindqvist?", who, has(secret))
	erase := "/v1/entities/" + a.Entity + "/content"
	plan := want[api.Erasure](s, http.MethodDelete, erase, nil)
	s.context("What is the passport of Rosa Lindqvist?", who, has(secret)) // a plan erases nothing
	want[any](s, http.MethodDelete, erase+"?plan="+plan.Plan, nil)
	reads := []string{
		"/v1/beliefs/" + a.BeliefId, "/v1/observations/" + a.Observation, "/v1/entities/" + a.Entity,
		listing(standing("any")), listing(knownAt(a.Seq)), "/v1/changes",
	}
	var showing []string
	for _, path := range reads {
		_, answer := s.call(http.MethodGet, path, nil)
		if bytes.Contains(answer, []byte(secret)) || bytes.Contains(answer, []byte(who)) {
			showing = append(showing, path)
		}
	}
	s.check("the value and the name can be read nowhere", len(showing) == 0, showing)
	s.context("What is the passport of Rosa Lindqvist?", "", not(secret))
}

func endedThenRepeated(s *teller) {
	const who = "Kofi Mensah"
	a := s.say(who, "employer", "Brockhaven", d("01-01"))
	s.amend(a.BeliefId, "end", obj{"at": d("04-01"), "authority_level": 2, "reason": "He left."})
	s.equal("in May", s.believed(who, "employer", validAt(d("05-01"))), list())
	r := s.say(who, "employer", "Brockhaven", d("05-02"), rank(4, .3), by("old crm"), from("tool://crm"))
	s.check("a weaker tool repeats it in May", equal(s.believed(who, "employer", validAt(d("05-03"))), list()), r).
		documented()
}

func retractedByDefault(s *teller) {
	const who = "Kofi Mensah"
	a := s.say(who, "office", "Rome", d("03-01"))
	s.amend(a.BeliefId, "retract", obj{"reason": "slip of the hand"})
	for _, n := range []int{2, 1, 0} {
		s.say(who, "office", "Rome", d(fmt.Sprintf("03-0%d", 5-n)), level(n), by(fmt.Sprintf("level %d", n)))
	}
	s.equal("some authority can say it again", s.agreed(who, "office"), list("Rome"))
}

func groundRestored(s *teller) {
	const who = "Deal 8"
	a := s.say(who, "discount", "20%", d("03-01"), of("deal"))
	t := s.say(who, "total", "$8,000", d("03-01", "09:01:00"), of("deal"), restingOn("discount"))
	s.amend(a.BeliefId, "retract", obj{"authority_level": 2})
	s.equal("withheld", s.believed(who, "total"), list())
	s.say(who, "discount", "20%", d("03-02"), of("deal"), level(1), by("Vera, VP"))
	s.equal("the ground stands", s.believed(who, "discount"), list("20%"))
	b := want[api.Belief](s, http.MethodGet, "/v1/beliefs/"+t.BeliefId, nil)
	s.check("the total stands again", b.ContradictionStatus == api.StatusClean,
		list(b.ContradictionStatus, b.NeedsReview, b.Segments)).documented()
}
