package e2e

import (
	"fmt"
	"strings"

	"tenure/similarity"
)

// What waits for a person, and what becomes of their answer.
var reviews = []scenario{
	{"similar-name-is-reviewed", similarName},
	{"similar-name-cannot-link", similarCannotLink},
	{"review-side-by-side", sideBySide},
	{"review-merged-and-undone", reviewMerged},
	{"review-new-entity-is-durable", reviewNew},
	{"review-of-listed-mentions", reviewListed},
	{"review-deferred", reviewDeferred},
	{"reviews-are-filtered-and-paged", reviewsListed},
	{"reviews-of-a-project", reviewsOfProject},
	{"review-does-not-leak-texts", reviewGates},
	{"bad-decisions", badDecisions},
	{"reviews-by-value", reviewsByValue},
	{"reviews-are-chosen-by-more", reviewsChosen},
	{"review-leased", reviewLeased},
	{"reviews-decided-together", reviewsTogether},
	{"review-answer-taken-back", answerTakenBack},
	{"review-answer-built-upon", answerBuiltUpon},
	{"review-of-listed-mentions-taken-back", listedTakenBack},
	{"cannot-link-undone", cannotLinkUndone},
	{"review-field-beside-field", fieldBesideField},
	{"review-history", reviewHistory},
	{"threshold-report", thresholdReport},
}

// asked tells of somebody, and of one of the same name with another mailbox: a
// person has to say whether they are one.
func (w *world) asked(name string) (known, pending told) {
	w.Helper()
	mailbox := func(at string) edit { return identified("email", strings.ToLower(strings.Fields(name)[0])+"@"+at) }
	known = w.say(name, "office", "Boston", mailbox("acme.example"), from("2021-01-01T00:00:00Z"),
		field(inObservation, "text", "Yesterday I met "+name+" in the Boston office."))
	pending = w.say(name, "office", "Chicago", mailbox("other.example"), from("2021-06-01T00:00:00Z"),
		field(inObservation, "text", strings.Repeat("A long story. ", 100)+"Then "+name+" moved to Chicago. "+strings.Repeat("And more. ", 100)))
	same(w.T, "the decision", pending.text("/mentions/0/decision")+" "+pending.text("/mentions/0/reason"), "review contradicting_identifier")
	if pending.review() == "" || pending.entity == known.entity {
		w.Fatalf("nobody is asked: %s", pending.raw)
	}
	return known, pending
}

func (t told) review() string  { return t.text("/mentions/0/review_id") }
func (t told) mention() string { return t.text("/mentions/0/mention_id") }

func (w *world) review(id string) answer {
	w.Helper()
	return w.get("/v1/reviews/" + id).is(200)
}

// decide answers a review as it is now.
func (w *world) decide(id string, decision obj) answer {
	w.Helper()
	decision["version"] = w.review(id).seq("/version")
	return w.post("/v1/reviews/"+id+"/decision", decision)
}

// settled waits until the index has seen the log, and nothing more follows.
func (w *world) settled() {
	w.Helper()
	eventually(w.T, "re-resolution ends", func() bool {
		return w.resolve(obj{"name": "Nobody"}).text("/index/lag") == "0"
	})
}

func similarName(w *world) {
	known := w.say("Wojciech Kowalczyk", "office", "Boston", from("2021-01-01T00:00:00Z"))
	w.settled()
	pending := w.say("Wojciech Kowalczik", "office", "Chicago", from("2021-06-01T00:00:00Z"))
	same(w.T, "the decision", pending.text("/mentions/0/decision")+" "+pending.text("/mentions/0/reason"), "review similar")
	same(w.T, "who it may be", pending.texts("/mentions/0/candidates", "/entity_id"), []string{known.entity})
	a := w.decide(pending.review(), obj{"decision": "merge", "into": known.entity}).is(200)
	same(w.T, "one entity", a.text("/root_id"), known.entity)
	same(w.T, "both offices", []string{
		w.believed(pending.entity, "office", "valid_at=2021-03-01T00:00:00Z")[0], w.believed(known.entity, "office", "valid_at=2022-01-01T00:00:00Z")[0],
	}, []string{"Boston", "Chicago"})
	again := w.say("WOJCIECH KOWALCZIK", "floor", "3")
	same(w.T, "the spelling again", again.text("/mentions/0/decision")+" "+again.entity, "auto_merge "+known.entity)
	w.post("/v1/merges/"+a.text("/merge_id")+"/undo", nil).is(200)
	same(w.T, "the question is open again", w.get("/v1/reviews").is(200).texts("/items", "/review_id"), []string{pending.review()})
	same(w.T, "what is believed of the first", w.believed(known.entity, "office", "valid_at=2022-01-01T00:00:00Z"), []string{"Boston"})
	w.settled()
	verify(w.T, w.srv.store, w.tenant)
}

// similarCannotLink: entities with a cannot-link are not asked about again, not by re-resolution
// either.
func similarCannotLink(w *world) {
	known := w.say("Wojciech Kowalczyk", "office", "Boston")
	w.settled()
	pending := w.say("Wojciech Kowalczik", "office", "Chicago")
	w.decide(pending.review(), obj{"decision": "new_entity"}).is(200)
	w.settled()
	for name, want := range map[string]string{"Wojciech Kowalczyk": known.entity, "Wojciech Kowalczik": pending.entity} {
		again := w.say(name, "floor", "3")
		same(w.T, name+" again", again.text("/mentions/0/decision")+" "+again.text("/mentions/0/reason")+" "+again.entity, "auto_merge exact_name "+want)
	}
	w.settled()
	same(w.T, "nobody is asked", len(w.get("/v1/reviews").is(200).items("/items")), 0)
	verify(w.T, w.srv.store, w.tenant)
}

func sideBySide(w *world) {
	known, pending := w.asked("Jon Smith")
	r := w.review(pending.review())
	same(w.T, "the question", []string{r.text("/state"), r.text("/entity_id"), r.text("/name"), r.text("/type"), r.text("/version"), r.text("/reason")},
		[]string{"open", pending.entity, "Jon Smith", "person", "1", "contradicting_identifier"})
	same(w.T, "who is asked about", r.text("/entity/status")+" "+r.text("/entity/root_id"), "pending "+pending.entity)
	same(w.T, "their attributes", r.text("/entity/attributes/email/0"), "jon@other.example")
	m := r.text("/entity/mentions/0/excerpt")
	if !strings.Contains(m, "Then Jon Smith moved to Chicago.") || !strings.HasPrefix(m, "…") || !strings.HasSuffix(m, "…") || len([]rune(m)) > 302 {
		w.Errorf("the excerpt is %q", m)
	}
	same(w.T, "where it was seen", r.text("/entity/mentions/0/observation_id")+" "+r.text("/entity/mentions/0/source/speaker"), pending.id+" Dana")
	same(w.T, "the candidates", r.texts("/candidates", "/entity_id"), []string{known.entity})
	same(w.T, "the veto when it was asked", r.text("/candidates/0/veto"), "contradicting_identifier")
	same(w.T, "the candidate", r.text("/candidates/0/entity/name")+" "+r.text("/candidates/0/entity/attributes/email/0"), "Jon Smith jon@acme.example")
	same(w.T, "its excerpt", r.text("/candidates/0/entity/mentions/0/excerpt"), "Yesterday I met Jon Smith in the Boston office.")
	if len(r.items("/candidates/0/now/contributions")) < 3 || r.text("/candidates/0/now/prior/name") == "" {
		w.Errorf("not explained: %v", r.at("/candidates/0/now"))
	}

	w.say("Jon Smith", "floor", "3", identified("email", "jon@other.example"))
	r = w.review(pending.review())
	same(w.T, "with one mention more", fmt.Sprint(r.text("/version"), len(r.items("/entity/mentions"))), "22")
	first := w.get("/v1/reviews/" + pending.review() + "?limit=1").is(200)
	rest := w.get("/v1/reviews/" + pending.review() + "?limit=1&cursor=" + first.text("/next_cursor")).is(200)
	same(w.T, "mention by mention", append(first.texts("/entity/mentions", "/mention_id"), rest.texts("/entity/mentions", "/mention_id")...),
		r.texts("/entity/mentions", "/mention_id"))
	same(w.T, "after the last", rest.text("/next_cursor"), "")
	same(w.T, "the entity knows", w.get("/v1/entities/"+pending.entity).is(200).texts("/open_reviews", ""), []string{pending.review()})
	same(w.T, "so does the candidate", w.get("/v1/entities/"+known.entity).is(200).texts("/open_reviews", ""), []string{pending.review()})
}

func reviewMerged(w *world) {
	known, pending := w.asked("Jon Smith")
	views := w.views(known.entity, pending.entity)
	before := views()
	a := w.decide(pending.review(), obj{"decision": "merge", "into": known.entity, "note": "It is he."}).is(200)
	same(w.T, "the answer", []string{a.text("/state"), a.text("/entity_id"), a.text("/root_id")}, []string{"settled", pending.entity, known.entity})
	same(w.T, "the old id", w.get("/v1/entities/"+pending.entity).is(200).text("/root_id"), known.entity)
	r := w.review(pending.review())
	same(w.T, "the review", []string{r.text("/state"), r.text("/decision"), r.text("/into"), r.text("/note")}, []string{"settled", "merge", known.entity, "It is he."})
	same(w.T, "what he was", r.texts("/entity/mentions", "/mention_id"), []string{pending.mention()})
	same(w.T, "what is believed now", w.believed(known.entity, "office"), []string{"Chicago"})
	same(w.T, "and was in March", w.believed(known.entity, "office", "valid_at=2021-03-01T00:00:00Z"), []string{"Boston"})
	same(w.T, "no review is open", len(w.get("/v1/reviews").is(200).items("/items")), 0)
	foretold := w.resolve(obj{"name": "jon smith", "attributes": obj{"email": list{"jon@other.example"}}})
	same(w.T, "the next mention is of him", foretold.text("/mentions/0/decision")+foretold.text("/mentions/0/entity_id"), "auto_merge"+known.entity)

	u := w.post("/v1/merges/"+a.text("/merge_id")+"/undo", obj{"reason": "it was his son"}).is(200)
	same(w.T, "who is apart again", u.text("/entity_id")+" "+u.text("/root_id"), pending.entity+" "+pending.entity)
	same(w.T, "the question is open again", u.texts("/reopened_reviews", ""), []string{pending.review()})
	same(w.T, "all as before", views(), before)
	same(w.T, "the status", w.get("/v1/entities/"+pending.entity).is(200).text("/status"), "pending")
	same(w.T, "what is believed of the first", w.believed(known.entity, "office"), []string{"Boston"})
	m := w.get("/v1/merges/" + a.text("/merge_id")).is(200)
	same(w.T, "the merge", []string{m.text("/kind"), m.text("/undone"), m.text("/undone_reason")}, []string{"merge", "true", "it was his son"})
	a = w.decide(pending.review(), obj{"decision": "merge", "into": known.entity}).is(200)
	same(w.T, "decided again", a.text("/root_id"), known.entity)
	verify(w.T, w.srv.store, w.tenant)
}

func reviewNew(w *world) {
	known, pending := w.asked("Jon Smith")
	a := w.decide(pending.review(), obj{"decision": "new_entity", "note": "a namesake"}).is(200)
	same(w.T, "the answer", a.text("/state")+" "+a.text("/root_id"), "settled "+pending.entity)
	same(w.T, "how many it is not", len(a.items("/cannot_links")), 1)
	e := w.get("/v1/entities/" + pending.entity).is(200)
	same(w.T, "it stands for itself", e.text("/status")+" "+e.text("/root_id"), "canonical "+pending.entity)
	same(w.T, "the decision", e.text("/identity_decisions/0/kind")+" "+e.text("/identity_decisions/0/into")+" "+e.text("/identity_decisions/0/reason"), "cannot_link "+known.entity+" a namesake")
	for mailbox, want := range map[string]string{"jon@other.example": pending.entity, "jon@acme.example": known.entity} {
		again := w.say("Jon Smith", "floor", "3", identified("email", mailbox))
		same(w.T, "the mention again, of "+mailbox, again.text("/mentions/0/decision")+" "+again.entity, "auto_merge "+want)
	}
	bare := w.say("Jon Smith", "floor", "4")
	same(w.T, "the name alone", bare.text("/mentions/0/decision")+" "+bare.text("/mentions/0/reason"), "review ambiguous_name")
	same(w.T, "which of the two", sorted(bare.texts("/mentions/0/candidates", "/entity_id")...), sorted(known.entity, pending.entity))
	same(w.T, "the open questions", w.get("/v1/reviews").is(200).texts("/items", "/review_id"), []string{bare.review()})
	verify(w.T, w.srv.store, w.tenant)
}

func reviewListed(w *world) {
	known, pending := w.asked("Jon Smith")
	second := w.say("Jon Smith", "floor", "3", identified("email", "jon@other.example"))
	same(w.T, "both wait together", second.review()+second.entity, pending.review()+pending.entity)
	a := w.decide(pending.review(), obj{"decision": "merge", "into": known.entity, "mentions": list{second.mention()}}).is(200)
	if a.text("/split_id") == "" || a.text("/merge_id") == "" || a.text("/entity_id") == pending.entity {
		w.Errorf("the listed mention was not parted: %s", a.raw)
	}
	same(w.T, "what the listed one means", a.text("/root_id"), known.entity)
	same(w.T, "its floor", w.believed(known.entity, "floor"), []string{"3"})
	o := w.get("/v1/observations/" + second.id).is(200)
	same(w.T, "in the observation", o.text("/mentions/0/root_id"), known.entity)
	r := w.review(pending.review())
	same(w.T, "the other still waits", r.text("/state")+" "+strings.Join(r.texts("/entity/mentions", "/mention_id"), " "), "open "+pending.mention())
	verify(w.T, w.srv.store, w.tenant)
}

func reviewDeferred(w *world) {
	_, pending := w.asked("Jon Smith")
	a := w.decide(pending.review(), obj{"decision": "defer", "note": "Ask Dana."}).is(200)
	same(w.T, "it stays open", a.text("/state"), "open")
	r := w.review(pending.review())
	same(w.T, "the note", r.text("/defer_note")+" "+r.text("/decision")+" "+r.text("/version"), "Ask Dana.  2")
	first := w.post("/v1/reviews/"+pending.review()+"/decision", obj{"decision": "defer", "version": 2}, idem+"k").is(200)
	w.unchanged("the same again", func() {
		again := w.post("/v1/reviews/"+pending.review()+"/decision", obj{"decision": "defer", "version": 2}, idem+"k").is(200)
		same(w.T, "the answer", string(again.raw), string(first.raw))
	})
}

func reviewsListed(w *world) {
	var ids []string
	names := []string{"Ann Lee", "Bob Ray", "Cid Low", "Dee Fox", "Eve Orr"}
	var known []told
	for _, name := range names {
		k, p := w.asked(name)
		ids, known = append(ids, p.review()), append(known, k)
	}
	same(w.T, "all of them", w.get("/v1/reviews?order=age").is(200).texts("/items", "/review_id"), ids)
	var paged []string
	for path := "/v1/reviews?order=age&limit=2"; ; {
		page := w.get(path).is(200)
		paged = append(paged, page.texts("/items", "/review_id")...)
		if page.text("/next_cursor") == "" {
			break
		}
		path = "/v1/reviews?order=age&limit=2&cursor=" + page.text("/next_cursor")
	}
	same(w.T, "page by page", paged, ids)
	w.decide(ids[0], obj{"decision": "new_entity"}).is(200)
	for filter, want := range map[string][]string{
		"state=settled": ids[:1], "state=any": ids, "state=open": ids[1:], "type=person": ids[1:], "type=ship": {},
		"reason=contradicting_identifier": ids[1:], "reason=similar": {}, "project_id=p1": {},
		"entity_id=" + known[2].entity: ids[2:3],
	} {
		same(w.T, filter, sorted(w.get("/v1/reviews?"+filter).is(200).texts("/items", "/review_id")...), sorted(want...))
	}
	w.post("/v1/entities/"+known[3].entity+"/merge", obj{"into": known[2].entity}).is(201)
	same(w.T, "those of both members", w.get("/v1/reviews?entity_id="+known[3].entity).is(200).texts("/items", "/review_id"), ids[2:4])
	w.get("/v1/reviews?state=ajar").problem(400, "invalid", "state")
}

func reviewsOfProject(w *world) {
	in := within(obj{"project_id": "p1"})
	known := w.say("Jon Smith", "office", "Boston", in, identified("email", "jon@acme.example"))
	pending := w.say("Jon Smith", "office", "Chicago", in, identified("email", "jon@other.example"))
	other := w.issue(obj{"roles": list{"reviewer"}, "bound": obj{"project_id": "p2"}})
	same(w.T, "in another project", len(other.get("/v1/reviews").is(200).items("/items")), 0)
	other.get("/v1/reviews/"+pending.review()).problem(404, "not_found")
	other.post("/v1/reviews/"+pending.review()+"/decision", obj{"decision": "defer", "version": 1}).problem(404, "not_found")
	other.post("/v1/entities/"+pending.entity+"/merge", obj{"into": known.entity}).problem(404, "not_found")
	other.post("/v1/entities/"+known.entity+"/split", obj{"mentions": list{known.mention()}}).problem(404, "not_found")
	elsewhere := w.say("Jon Smith", "office", "Rome", within(obj{"project_id": "p2"}))
	other.post("/v1/entities/"+elsewhere.entity+"/merge", obj{"into": known.entity}).problem(422, "unprocessable", "/into")
	own := w.issue(obj{"roles": list{"reviewer"}, "bound": obj{"project_id": "p1"}})
	a := own.decide(pending.review(), obj{"decision": "merge", "into": known.entity}).is(200)
	other.get("/v1/merges/"+a.text("/merge_id")).problem(404, "not_found")
	other.post("/v1/merges/"+a.text("/merge_id")+"/undo", nil).problem(404, "not_found")
	w.get("/v1/reviews/"+pending.review()+"?known_at="+fmt.Sprint(known.seq)).problem(404, "not_found")
}

func reviewGates(w *world) {
	known, pending := w.asked("Jon Smith")
	w.say("Jon Smith", "salary", "much", identified("email", "jon@other.example"), claims("security_classification", "highly_restricted"),
		field(inObservation, "text", "Jon Smith earns much."))
	clerk := w.issue(obj{"roles": list{"reviewer"}, "clearance": "restricted"})
	r := clerk.review(pending.review())
	if strings.Contains(string(r.raw), "earns") {
		w.Errorf("a text above the clearance is shown: %s", r.raw)
	}
	same(w.T, "the mentions", r.texts("/entity/mentions", "/name"), []string{"Jon Smith"})
	same(w.T, "the cleared see it", w.review(pending.review()).text("/entity/mentions/1/excerpt"), "Jon Smith earns much.")
	agent, analyst := w.issue(obj{"roles": list{"agent"}}), w.issue(obj{"roles": list{"analyst"}})
	agent.get("/v1/reviews").problem(403, "forbidden")
	agent.get("/v1/reviews/"+pending.review()).problem(403, "forbidden")
	analyst.review(pending.review())
	for _, who := range []*world{agent, analyst} {
		who.post("/v1/reviews/"+pending.review()+"/decision", obj{"decision": "defer", "version": 1}).problem(403, "forbidden")
		who.post("/v1/entities/"+pending.entity+"/merge", obj{"into": known.entity}).problem(403, "forbidden")
		who.post("/v1/entities/"+known.entity+"/split", obj{"mentions": list{known.mention()}}).problem(403, "forbidden")
		who.post("/v1/merges/"+known.entity+"/undo", nil).problem(403, "forbidden")
		who.post("/v1/splits/"+known.entity+"/undo", nil).problem(403, "forbidden")
	}
}

func badDecisions(w *world) {
	known, pending := w.asked("Jon Smith")
	path := "/v1/reviews/" + pending.review() + "/decision"
	stranger := newWorld(w.T, w.engine, w.srv)
	foreign := stranger.say("Jon Smith", "office", "Boston")
	const unknown = "0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01"
	stranger.get("/v1/reviews/"+pending.review()).problem(404, "not_found")
	w.unchanged("what is not to be", func() {
		for _, c := range []struct {
			body    obj
			status  int
			code    string
			pointer string
		}{
			{obj{}, 400, "invalid", "/decision"},
			{obj{"decision": "shrug", "version": 1}, 400, "invalid", "/decision"},
			{obj{"decision": "defer"}, 400, "invalid", "/version"},
			{obj{"decision": "defer", "version": 0}, 400, "invalid", "/version"},
			{obj{"decision": "defer", "version": 1, "why": "x"}, 400, "malformed", "/why"},
			{obj{"decision": "merge", "version": 1}, 400, "invalid", "/into"},
			{obj{"decision": "new_entity", "version": 1, "into": known.entity}, 400, "invalid", "/into"},
			{obj{"decision": "merge", "version": 1, "into": "JON"}, 400, "invalid", "/into"},
			{obj{"decision": "merge", "version": 1, "into": unknown}, 422, "unprocessable", "/into"},
			{obj{"decision": "merge", "version": 1, "into": foreign.entity}, 422, "unprocessable", "/into"},
			{obj{"decision": "merge", "version": 1, "into": pending.entity}, 422, "unprocessable", "/into"},
			{obj{"decision": "merge", "version": 2, "into": known.entity}, 409, "conflict", "/version"},
			{obj{"decision": "new_entity", "version": 1, "mentions": list{known.mention()}}, 422, "unprocessable", "/mentions/0"},
			{obj{"decision": "new_entity", "version": 1, "mentions": list{pending.mention(), unknown}}, 422, "unprocessable", "/mentions/1"},
			{obj{"decision": "new_entity", "version": 1, "mentions": list{unknown, unknown}}, 400, "invalid", "/mentions"},
			{obj{"decision": "new_entity", "version": 1, "mentions": list{"x"}}, 400, "invalid", "/mentions/0"},
		} {
			a := w.post(path, c.body)
			a.asked = fmt.Sprint(c.body)
			a.problem(c.status, c.code, c.pointer)
		}
		w.post("/v1/reviews/"+unknown+"/decision", obj{"decision": "defer", "version": 1}).problem(404, "not_found")
		stranger.post(path, obj{"decision": "defer", "version": 1}).problem(404, "not_found")
	})
	w.say("Jon Smith", "floor", "3", identified("email", "jon@other.example"))
	w.post(path, obj{"decision": "merge", "into": known.entity, "version": 1}).problem(409, "conflict", "/version")

	// A merged entity is followed to what stands for it.
	twin := w.say("Elvis Ray", "floor", "3")
	w.post("/v1/entities/"+known.entity+"/merge", obj{"into": twin.entity}).is(201)
	a := w.decide(pending.review(), obj{"decision": "merge", "into": known.entity}).is(200)
	same(w.T, "where it went", a.text("/root_id"), twin.entity)
	w.unchanged("settled twice", func() {
		w.decide(pending.review(), obj{"decision": "merge", "into": known.entity}).problem(409, "conflict")
		w.decide(pending.review(), obj{"decision": "defer"}).problem(409, "conflict")
	})
}

// queue lists the open reviews page by page.
func (w *world) queue(limit int, filters string) []string {
	w.Helper()
	var ids []string
	path := fmt.Sprintf("/v1/reviews?limit=%d%s", limit, filters)
	for next := path; ; {
		page := w.get(next).is(200)
		ids = append(ids, page.texts("/items", "/review_id")...)
		if page.text("/next_cursor") == "" {
			return ids
		}
		next = path + "&cursor=" + page.text("/next_cursor")
	}
}

// reviewsByValue: what more hangs on comes first, and what was put off falls
// back; a listing that began goes on as it was.
func reviewsByValue(w *world) {
	again := func(name, mailbox string, n int) {
		for range n {
			w.say(name, "floor", "3", identified("email", mailbox))
		}
	}
	_, few := w.asked("Ann Lee")
	_, none := w.asked("Bob Ray")
	_, many := w.asked("Cid Low")
	again("Ann Lee", "ann@other.example", 1)
	again("Cid Low", "cid@other.example", 3)
	want := []string{many.review(), few.review(), none.review()}
	for _, limit := range []int{1, 2, 50} {
		same(w.T, "the queue", w.queue(limit, ""), want)
	}
	r := w.review(many.review())
	same(w.T, "what waits", r.text("/pending_mentions")+" "+r.text("/pending_beliefs")+" "+r.text("/model"), "4 4 "+similarity.DefaultModel().Version)
	first := w.get("/v1/reviews?limit=1").is(200)
	w.decide(many.review(), obj{"decision": "defer"}).is(200)
	w.decide(many.review(), obj{"decision": "defer", "note": "Still not."}).is(200)
	rest := w.get("/v1/reviews?cursor=" + first.text("/next_cursor")).is(200)
	same(w.T, "the rest of the queue as it was", rest.texts("/items", "/review_id"), want[1:])
	same(w.T, "the queue now", w.queue(2, ""), []string{few.review(), none.review(), many.review()})
	w.decide(none.review(), obj{"decision": "new_entity"}).is(200)
	w.decide(few.review(), obj{"decision": "new_entity"}).is(200)
	same(w.T, "those that were decided last", w.queue(1, "&state=settled"), []string{few.review(), none.review()})
}

func reviewsChosen(w *world) {
	before := w.asOfNow()
	_, one := w.asked("Ann Lee")
	between := w.asOfNow()
	_, two := w.asked("Bob Ray")
	w.post("/v1/reviews/"+one.review()+"/lease", nil).is(200)
	settledBy := w.post("/v1/keys", obj{"roles": list{"reviewer"}}).is(201)
	for filter, want := range map[string][]string{
		"name=bob": {two.review()}, "name=LEE": {one.review()}, "name=zoe": {},
		"min_score=0.01": {one.review(), two.review()}, "min_score=1": {}, "max_score=0": {}, "max_score=1": {one.review(), two.review()},
		"opened_after=" + between: {two.review()}, "opened_before=" + between: {one.review()}, "opened_before=" + before: {},
		"lease=held": {one.review()}, "lease=mine": {one.review()}, "lease=free": {two.review()},
		"decided_by=Dana": {}, "state=any&decided_by=Dana": {},
	} {
		same(w.T, filter, sorted(w.queue(1, "&"+filter)...), sorted(want...))
	}
	other := w.with(settledBy.text("/key"))
	same(w.T, "those of another", len(other.queue(5, "&lease=mine")), 0)
	other.decide(two.review(), obj{"decision": "new_entity", "reviewer": "Dana"}).is(200)
	same(w.T, "decided by name", w.queue(5, "&state=any&decided_by=Dana"), []string{two.review()})
	same(w.T, "by credential", w.queue(5, "&state=settled&decided_by="+settledBy.text("/credential/id")), []string{two.review()})
	for filter, pointer := range map[string]string{
		"min_score=much": "min_score", "min_score=NaN": "min_score", "max_score=1.5": "max_score", "lease=old": "lease",
		"opened_after=yesterday": "opened_after", "order=size": "order",
	} {
		w.get("/v1/reviews?"+filter).problem(400, "invalid", pointer)
	}
}

// asOfNow is the time of the service, for a query.
func (w *world) asOfNow() string {
	w.Helper()
	return w.say("Zoe Quill", "floor", "1").recordedAt
}

func reviewLeased(w *world) {
	known, pending := w.asked("Jon Smith")
	path := "/v1/reviews/" + pending.review()
	eve := w.issue(obj{"roles": list{"reviewer"}})
	l := w.post(path+"/lease", obj{"reviewer": "Dana", "for_seconds": 60}).is(200)
	same(w.T, "the lease", l.text("/reviewer")+" "+l.text("/version"), "Dana 1")
	r := eve.review(pending.review())
	same(w.T, "whose it is", r.text("/reviewer")+" "+r.text("/leased_by")+" "+r.text("/leased_until"), "Dana "+l.text("/leased_by")+" "+l.text("/leased_until"))
	w.unchanged("while another has it", func() {
		p := eve.post(path+"/decision", obj{"decision": "new_entity", "version": 1})
		p.problem(409, "conflict")
		if d := p.text("/detail"); !strings.Contains(d, "Dana") || !strings.Contains(d, l.text("/leased_until")[:16]) {
			w.Errorf("who has it until when is not told: %s", d)
		}
		eve.post(path+"/lease", nil).problem(409, "conflict")
		eve.post(path+"/release", nil).problem(409, "conflict")
		w.post(path+"/decision", obj{"decision": "defer", "version": 1, "reviewer": "Frank"}).problem(409, "conflict")
	})
	w.post(path+"/lease", obj{"reviewer": "Dana", "for_seconds": 120}).is(200)
	w.post(path+"/release", obj{"reviewer": "Dana"}).is(200)
	w.unchanged("released again", func() { eve.post(path+"/release", nil).is(200) })

	eve.post(path+"/lease", obj{"for_seconds": 1}).is(200)
	eventually(w.T, "the lease ends by itself", func() bool { return w.review(pending.review()).text("/leased_by") == "" })
	a := w.post(path+"/decision", obj{"decision": "merge", "into": known.entity, "version": 1, "reviewer": "Dana"}).is(200)
	same(w.T, "decided", a.text("/state"), "settled")
	w.post(path+"/lease", nil).problem(409, "conflict")
	w.post(path+"/undo", nil).is(200)
	same(w.T, "open and nobody's", w.review(pending.review()).text("/leased_by"), "")

	agent := w.issue(obj{"roles": list{"agent"}})
	agent.post(path+"/lease", nil).problem(403, "forbidden")
	w.post(path+"/lease", obj{"for_seconds": 0}).problem(400, "invalid", "/for_seconds")
	w.post(path+"/lease", obj{"for_seconds": 100000}).problem(400, "invalid", "/for_seconds")
	w.post("/v1/reviews/"+known.entity+"/lease", nil).problem(404, "not_found")
	verify(w.T, w.srv.store, w.tenant)
}

func reviewsTogether(w *world) {
	_, one := w.asked("Ann Lee")
	known, two := w.asked("Bob Ray")
	const unknown = "0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01"
	body := obj{"decisions": list{
		obj{"review_id": one.review(), "decision": "new_entity", "version": 1, "note": "a namesake"},
		obj{"review_id": one.review(), "decision": "defer", "version": 1},
		obj{"review_id": unknown, "decision": "defer", "version": 1},
		obj{"review_id": two.review(), "decision": "merge", "into": known.entity, "version": 1},
	}}
	a := w.post("/v1/reviews:decide", body, idem+"together").is(200)
	same(w.T, "what became of each", a.texts("/results", "/status"), []string{"200", "409", "404", "200"})
	same(w.T, "the first", a.text("/results/0/answer/state")+" "+a.text("/results/1/problem/code"), "settled conflict")
	same(w.T, "the last", a.text("/results/3/answer/root_id"), known.entity)
	w.unchanged("sent again", func() {
		again := w.post("/v1/reviews:decide", body, idem+"together").is(200)
		same(w.T, "what became of each", again.texts("/results", "/status"), []string{"200", "409", "404", "200"})
		same(w.T, "found, not made", again.text("/results/0/replayed")+" "+again.text("/results/3/answer/merge_id"), "true "+a.text("/results/3/answer/merge_id"))
	})
	w.unchanged("what cannot be", func() {
		w.post("/v1/reviews:decide", obj{"decisions": list{}}).problem(400, "invalid", "/decisions")
		w.post("/v1/reviews:decide", obj{"decisions": list{obj{"review_id": "x", "decision": "defer", "version": 1}}}).problem(400, "invalid", "/decisions/0/review_id")
		w.post("/v1/reviews:decide", obj{"decisions": list{obj{"review_id": unknown, "decision": "merge", "version": 1}}}).problem(400, "invalid", "/decisions/0/into")
		var many list
		for range 101 {
			many = append(many, obj{"review_id": unknown, "decision": "defer", "version": 1})
		}
		w.post("/v1/reviews:decide", obj{"decisions": many}).problem(400, "invalid", "/decisions")
	})
	verify(w.T, w.srv.store, w.tenant)
}

// answerTakenBack: after the undo all is as it was before the answer, and what
// comes then is asked about again.
func answerTakenBack(w *world) {
	known, pending := w.asked("Jon Smith")
	views := w.views(known.entity, pending.entity)
	before := views()
	path := "/v1/reviews/" + pending.review()
	for _, decision := range []obj{{"decision": "new_entity", "note": "a namesake"}, {"decision": "merge", "into": known.entity}} {
		a := w.decide(pending.review(), decision).is(200)
		undone := a.texts("/cannot_links", "")
		if a.text("/merge_id") != "" {
			undone = []string{a.text("/merge_id")}
		}
		u := w.post(path+"/undo", obj{"reason": "asked again", "reviewer": "Dana"}).is(200)
		same(w.T, "what counts no more", u.texts("/undone_decisions", ""), undone)
		same(w.T, "what is open again", u.texts("/reopened_reviews", ""), []string{pending.review()})
		same(w.T, "all as before", views(), before)
		e := w.get("/v1/entities/" + pending.entity).is(200)
		same(w.T, "it waits again", e.text("/status")+" "+e.text("/reason")+" "+e.text("/root_id"), "pending contradicting_identifier "+pending.entity)
		w.unchanged("a second time", func() { w.post(path+"/undo", nil).problem(409, "conflict") })
	}
	again := w.say("Jon Smith", "floor", "3", identified("email", "jon@other.example"))
	same(w.T, "the next mention", again.text("/mentions/0/decision")+" "+again.review(), "review "+pending.review())
	a := w.decide(pending.review(), obj{"decision": "merge", "into": known.entity}).is(200)
	same(w.T, "decided for good", a.text("/root_id"), known.entity)
	const unknown = "0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01"
	w.post("/v1/reviews/"+unknown+"/undo", nil).problem(404, "not_found")
	newWorld(w.T, w.engine, w.srv).post(path+"/undo", nil).problem(404, "not_found")
	w.issue(obj{"roles": list{"analyst"}}).post(path+"/undo", nil).problem(403, "forbidden")
	verify(w.T, w.srv.store, w.tenant)
}

// answerBuiltUpon: an answer that others rest on is not pulled away from under
// them.
func answerBuiltUpon(w *world) {
	_, pending := w.asked("Jon Smith")
	path := "/v1/reviews/" + pending.review() + "/undo"
	w.decide(pending.review(), obj{"decision": "new_entity"}).is(200)
	other := w.say("Elvis Ray", "floor", "3")
	m := w.post("/v1/entities/"+pending.entity+"/merge", obj{"into": other.entity}).is(201)
	w.unchanged("while it is another", func() { w.post(path, nil).problem(409, "conflict") })
	w.post("/v1/merges/"+m.text("/merge_id")+"/undo", nil).is(200)
	m = w.post("/v1/entities/"+other.entity+"/merge", obj{"into": pending.entity}).is(201)
	w.unchanged("while another is it", func() { w.post(path, nil).problem(409, "conflict") })
	w.post("/v1/merges/"+m.text("/merge_id")+"/undo", nil).is(200)
	w.post(path, nil).is(200)
	same(w.T, "it waits again", w.get("/v1/entities/"+pending.entity).is(200).text("/status"), "pending")
	verify(w.T, w.srv.store, w.tenant)
}

func listedTakenBack(w *world) {
	known, pending := w.asked("Jon Smith")
	second := w.say("Jon Smith", "floor", "3", identified("email", "jon@other.example"))
	views := w.views(known.entity, pending.entity)
	before := views()
	a := w.decide(pending.review(), obj{"decision": "new_entity", "mentions": list{second.mention()}}).is(200)
	own := w.get("/v1/reviews?state=settled").is(200).text("/items/0/review_id")
	if own == pending.review() || own == "" {
		w.Fatalf("the listed mention has no review of its own: %s", own)
	}
	w.post("/v1/reviews/"+own+"/undo", nil).is(200)
	same(w.T, "it waits by itself", w.get("/v1/entities/"+a.text("/entity_id")).is(200).text("/status"), "pending")
	w.post("/v1/splits/"+a.text("/split_id")+"/undo", nil).is(200)
	same(w.T, "all as before", views(), before)
	r := w.review(pending.review())
	same(w.T, "both wait together", r.text("/pending_mentions")+" "+fmt.Sprint(len(r.items("/entity/mentions"))), "2 2")
	same(w.T, "one question", w.queue(5, ""), []string{pending.review()})
	verify(w.T, w.srv.store, w.tenant)
}

func cannotLinkUndone(w *world) {
	known, pending := w.asked("Jon Smith")
	a := w.decide(pending.review(), obj{"decision": "new_entity", "note": "a namesake"}).is(200)
	path := "/v1/cannot-links/" + a.text("/cannot_links/0")
	d := w.get(path).is(200)
	same(w.T, "the decision", []string{d.text("/kind"), d.text("/from"), d.text("/into"), d.text("/review_id"), d.text("/undone")},
		[]string{"cannot_link", pending.entity, known.entity, pending.review(), "false"})
	for _, id := range []string{known.entity, pending.entity} {
		if h := w.get("/v1/entities/" + id + "/history").is(200); !strings.Contains(string(h.raw), a.text("/cannot_links/0")) {
			w.Errorf("the decision is not in the history of %s", id)
		}
	}
	u := w.post(path+"/undo", obj{"reason": "they may be one"}).is(200)
	same(w.T, "what counts no more", u.text("/decision_id"), a.text("/cannot_links/0"))
	d = w.get(path).is(200)
	same(w.T, "it is undone", d.text("/undone")+" "+d.text("/undone_reason"), "true they may be one")
	w.post(path+"/undo", nil).problem(409, "conflict")
	w.get("/v1/merges/"+a.text("/cannot_links/0")).problem(404, "not_found")
	verify(w.T, w.srv.store, w.tenant)
}

func fieldBesideField(w *world) {
	_, pending := w.asked("Jon Smith")
	r := w.review(pending.review())
	rows := map[string]string{}
	for i := range r.items("/candidates/0/fields") {
		at := fmt.Sprintf("/candidates/0/fields/%d", i)
		rows[r.text(at+"/field")] = r.text(at+"/left/0") + " | " + r.text(at+"/right/0") + " | " + r.text(at+"/agreement")
	}
	same(w.T, "side by side", rows, map[string]string{
		"name": "Jon Smith | Jon Smith | agree", "type": "person | person | agree",
		"email": "jon@other.example | jon@acme.example | disagree",
	})
	if words := strings.Join(r.texts("/candidates/0/explanation", ""), "\n"); !strings.Contains(words, "times as likely") || !strings.Contains(words, "times less likely") {
		w.Errorf("the evidence is not put in words: %s", words)
	}
	bare := w.say("Jon Smith", "floor", "4", identified("email", "jon@third.example"))
	same(w.T, "what else is asked of them", w.review(bare.review()).texts("/related_reviews", ""), []string{pending.review()})
}

func reviewHistory(w *world) {
	known, pending := w.asked("Jon Smith")
	w.decide(pending.review(), obj{"decision": "defer", "note": "Ask Dana."}).is(200)
	w.decide(pending.review(), obj{"decision": "new_entity", "note": "Not he.", "reviewer": "Dana"}).is(200)
	w.post("/v1/reviews/"+pending.review()+"/undo", obj{"reason": "It was he.", "reviewer": "Frank"}).is(200)
	w.decide(pending.review(), obj{"decision": "merge", "into": known.entity, "note": "He said so."}).is(200)
	r := w.review(pending.review())
	same(w.T, "what was done", r.texts("/history", "/action"), []string{"defer", "new_entity", "reopened", "merge"})
	same(w.T, "why", r.texts("/history", "/note"), []string{"Ask Dana.", "Not he.", "It was he.", "He said so."})
	same(w.T, "by whom", []string{r.text("/history/1/reviewer"), r.text("/history/2/reviewer"), r.text("/history/3/actor")},
		[]string{"Dana", "Frank", r.text("/decided_by")})
	if r.text("/history/0/at") >= r.text("/history/3/at") {
		w.Errorf("not in order: %s", r.raw)
	}
}

func thresholdReport(w *world) {
	known := w.say("Wojciech Kowalczyk", "office", "Boston")
	w.settled()
	pending := w.say("Wojciech Kowalczik", "office", "Chicago")
	w.asked("Jon Smith")
	a := w.get("/v1/reviews/threshold-report").is(200)
	same(w.T, "before any answer", a.text("/answers")+" "+a.text("/usable_answers"), "0 0")
	w.decide(pending.review(), obj{"decision": "merge", "into": known.entity}).is(200)
	a = w.get("/v1/reviews/threshold-report?last=10").is(200)
	same(w.T, "after one", a.text("/answers")+" "+a.text("/usable_answers"), "1 1")
	if words := strings.Join(a.texts("/findings", ""), " "); !strings.Contains(words, "Too few answers at 0.90 or more") {
		w.Errorf("got %q", words)
	}
	w.get("/v1/reviews/threshold-report?last=0").problem(400, "invalid", "last")
	w.issue(obj{"roles": list{"agent"}}).get("/v1/reviews/threshold-report").problem(403, "forbidden")
	same(w.T, "elsewhere", newWorld(w.T, w.engine, w.srv).get("/v1/reviews/threshold-report").is(200).text("/answers"), "0")
}
