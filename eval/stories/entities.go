package main

import (
	"net/http"

	api "tenure/client"
)

func mergeAndUndo(s *teller) {
	const one, other = "Jonathan Doe", "Marguerite Olsen"
	a := s.say(one, "office", "Rome", d("03-01"), attributes(obj{"email": []string{"jon@a.example"}}))
	b := s.say(other, "office", "Oslo", d("03-05"), attributes(obj{"email": []string{"mo@b.example"}}))
	s.check("two entities", a.Entity != b.Entity, list(a.Decision, b.Decision))
	m := want[api.MergeAnswer](s, http.MethodPost, "/v1/entities/"+b.Entity+"/merge",
		obj{"into": a.Entity, "reason": "married name"})
	s.equal("displaced", m.Displaced, list(a.BeliefId))
	s.equal("of the one", s.believed(one, "office"), list("Oslo"))
	s.equal("of the other", s.believed(other, "office"), list("Oslo"))
	s.equal("before the merge was known", s.believed(one, "office", knownAt(b.Seq)), list("Rome"))
	u := want[api.UndoAnswer](s, http.MethodPost, "/v1/merges/"+m.MergeId+"/undo", obj{"reason": "no"})
	s.equal("restored", u.Restored, list(a.BeliefId))
	s.equal("of the one again", s.believed(one, "office"), list("Rome"))
	s.equal("of the other again", s.believed(other, "office"), list("Oslo"))
}

func entityValues(s *teller) {
	s.term(obj{"name": "lead", "value_type": "entity"})
	lead := func(name, at, speaker string) string {
		a := want[api.ObservationAnswer](s, http.MethodPost, "/v1/observations", obj{
			"source":      obj{"origin": "tool://x", "authority_level": 3, "source_authority": 0.6, "speaker": speaker},
			"observed_at": at,
			"mentions":    []obj{{"name": "Atlas", "type": "project"}, {"name": name, "type": "person"}},
			"claims":      []obj{{"subject": obj{"mention": 0}, "predicate": "lead", "value": obj{"mention": 1}}},
		})
		s.entities["Atlas"] = a.Mentions[0].EntityId
		return a.Mentions[1].EntityId
	}
	a := lead("Jonathan Doe", d("03-01", "09:00:00"), "sheet")
	b := lead("Marguerite Olsen", d("03-01", "09:01:00"), "mail")
	s.equal("held", s.believed("Atlas", "lead"), list())
	want[any](s, http.MethodPost, "/v1/entities/"+b+"/merge", obj{"into": a, "reason": "one person"})
	s.check("one lead", len(s.believed("Atlas", "lead")) > 0, s.believed("Atlas", "lead", standing("any")))
	s.equal("no open case", s.cases(), list())
}

func textOnly(s *teller) {
	s.say("Atlas", "launch_city", "Tampere", d("03-01"), of("project"))
	s.talk(d("03-05"), "We moved the Atlas launch city from Tampere to Leuven.")
	s.context("Where does Atlas launch?", "Atlas", has("Leuven"), not("launch_city: Tampere"),
		where("valid_at", d("03-06")))
}

func textControls(s *teller) {
	s.say("Atlas", "launch_city", "Tampere", d("03-01"), of("project"))
	s.talk(d("03-05"), "Would Leuven be a better launch city for Atlas?")
	s.talk(d("03-05"), "Suppose Atlas launched in Leuven: what would it cost?")
	s.context("Where does Atlas launch?", "Atlas", has("launch_city: Tampere"), not("launch_city: Leuven"),
		where("valid_at", d("03-06")))
}
