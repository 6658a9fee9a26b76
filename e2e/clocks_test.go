package e2e

import (
	"fmt"
	"time"
)

// The examples of "Context Architecture, Bitemporal Validity Model", their
// days moved to 2021, so that they lie in the past whenever the tests run.
var clocks = []scenario{
	{"office-what-is-true-now", officeNow},
	{"office-what-was-believed-then", officeBelievedThen},
	{"office-what-was-true-then", officeTrueThen},
	{"old-versions-stay", oldVersionsStay},
	{"pricing-tier-changed-retroactively", pricing},
	{"future-dated-value", futureDated},
	{"a-time-that-is-not-now-is-warned-of", notNow},
	{"what-has-not-come-yet-is-refused", notYet},
}

type office struct{ boston, chicago told }

// movesOffice tells of the office before, then of the one since June 6, 12:00.
func movesOffice(w *world) office {
	return office{
		boston:  w.say("Jon Smith", "office", "Boston", from("2021-01-01T00:00:00Z"), claims("object_type", "identity_fact")),
		chicago: w.say("Jon Smith", "office", "Chicago", from("2021-06-06T12:00:00Z"), claims("object_type", "identity_fact")),
	}
}

func (o office) ask(more obj) obj {
	request := obj{"query": "Where is the office of Jon Smith?"}
	for k, v := range more {
		request[k] = v
	}
	return request
}

func officeNow(w *world) {
	o := movesOffice(w)
	same(w.T, "one person", o.chicago.entity, o.boston.entity)
	same(w.T, "displaced", o.chicago.texts("/beliefs/0/superseded", ""), []string{o.boston.belief})
	same(w.T, "what is true now", w.believed(o.boston.entity, "office"), []string{"Chicago"})
	c := w.compile(o.ask(nil))
	c.shows("office: Chicago", not, "Boston")
	same(w.T, "why Boston is not there", c.omitted(o.boston.belief), "succession")
	same(w.T, "the state that was read", c.text("/trace/as_of/seq"), fmt.Sprint(o.chicago.seq))
}

func officeBelievedThen(w *world) {
	before := time.Now().UTC().Add(-time.Minute).Format(time.RFC3339Nano)
	o := movesOffice(w)
	for _, knownAt := range []string{fmt.Sprint(o.boston.seq), o.boston.recordedAt} {
		same(w.T, "believed at "+knownAt, w.believed(o.boston.entity, "office", "known_at="+knownAt), []string{"Boston"})
		w.compile(o.ask(obj{"known_at": knownAt})).shows("Boston", not, "Chicago")
	}
	for _, knownAt := range []string{"1970-01-01T00:00:00Z", before} {
		nothing := w.compile(o.ask(obj{"known_at": knownAt}))
		same(w.T, "compiled before anything was said", nothing.validation()+nothing.text("/envelope/text"), "NOTHING_KNOWN")
	}
	for _, knownAt := range []string{fmt.Sprint(o.chicago.seq), o.chicago.recordedAt} {
		same(w.T, "believed at "+knownAt, w.believed(o.boston.entity, "office", "known_at="+knownAt), []string{"Chicago"})
		w.compile(o.ask(obj{"known_at": knownAt})).shows("Chicago", not, "Boston")
	}
	same(w.T, "believed before anything was said", w.believed(o.boston.entity, "office", "known_at="+before), []string{})
	w.get("/v1/beliefs/"+o.chicago.belief+"?known_at="+fmt.Sprint(o.boston.seq)).problem(404, "not_found")
	same(w.T, "the status of Boston then", w.belief(o.boston.belief, "known_at="+o.boston.recordedAt).text("/contradiction_status"), "clean")
}

func officeTrueThen(w *world) {
	o := movesOffice(w)
	for _, c := range []struct{ at, office string }{
		{"2021-01-01T00:00:00Z", "Boston"},
		{"2021-06-06T11:59:59.999999Z", "Boston"},
		{"2021-06-06T12:00:00Z", "Chicago"},
		{"2021-06-06T14:00:00+02:00", "Chicago"},
		{"2021-06-06T13:59:59+02:00", "Boston"},
		{"2021-12-31T00:00:00Z", "Chicago"},
	} {
		same(w.T, "true at "+c.at, w.believed(o.boston.entity, "office", "valid_at="+c.at), []string{c.office})
		w.compile(o.ask(obj{"valid_at": c.at})).shows(c.office)
	}
	same(w.T, "before all of it", w.believed(o.boston.entity, "office", "valid_at=2020-12-31T23:59:59Z"), []string{})
}

func oldVersionsStay(w *world) {
	o := movesOffice(w)
	then, now := w.belief(o.boston.belief, "known_at="+o.boston.recordedAt), w.belief(o.boston.belief)
	same(w.T, "when it was recorded", then.text("/tx_start"), o.boston.recordedAt)
	same(w.T, "when its next version was", now.text("/tx_start"), o.chicago.recordedAt)
	same(w.T, "the end of the newest version", now.text("/tx_end"), "")
	same(w.T, "the segments then", segments(then), []string{"2021-01-01T00:00:00Z  stands"})
	same(w.T, "the segments now", segments(now), []string{
		"2021-01-01T00:00:00Z 2021-06-06T12:00:00Z stands", "2021-06-06T12:00:00Z  succession",
	})
	same(w.T, "the claim itself", now.text("/valid_until")+now.text("/value"), "Boston")
}

// segments writes out the segments of a belief as from, until and cause.
func segments(belief answer) []string {
	lines := []string{}
	for _, g := range belief.items("/segments") {
		lines = append(lines, text(g, "/valid_from")+" "+text(g, "/valid_until")+" "+text(g, "/cause"))
	}
	return lines
}

// pricing: on April 1 a tier is entered that has been valid since February 15.
func pricing(w *world) {
	const march = "2021-03-01T00:00:00Z"
	standard := w.say("Acme", "pricing_tier", "standard", kind("customer"), from("2021-01-01T00:00:00Z"))
	premium := w.say("Acme", "pricing_tier", "premium", kind("customer"), from("2021-02-15T00:00:00Z"))
	ask := func(want string, filters ...string) {
		w.Helper()
		same(w.T, fmt.Sprint("the tier, ", filters), w.believed(standard.entity, "pricing_tier", filters...), []string{want})
	}
	ask("standard", "valid_at="+march, "known_at="+standard.recordedAt)
	ask("premium", "valid_at="+march)
	ask("premium", "valid_at="+march, "known_at="+premium.recordedAt)
	ask("standard", "valid_at=2021-02-14T23:59:59Z")
	ask("premium", "valid_at=2021-02-15T00:00:00Z")
	w.compile(obj{"query": "Which pricing tier has Acme?", "valid_at": march, "known_at": standard.recordedAt}).
		shows("standard", not, "premium")
	w.compile(obj{"query": "Which pricing tier has Acme?", "valid_at": march}).shows("premium", not, "standard")
}

func futureDated(w *world) {
	now := w.say("Acme", "pricing_tier", "standard", kind("customer"), from("2021-01-01T00:00:00Z"))
	next := w.say("Acme", "pricing_tier", "enterprise", kind("customer"), from("2999-01-01T00:00:00Z"))
	same(w.T, "the tier now", w.believed(now.entity, "pricing_tier"), []string{"standard"})
	same(w.T, "the tier then", w.believed(now.entity, "pricing_tier", "valid_at=2999-01-01T00:00:00Z"), []string{"enterprise"})
	c := w.compile(obj{"query": "Which pricing tier has Acme?"})
	c.shows("standard", not, "enterprise")
	same(w.T, "why the next is not there", c.omitted(next.belief), "not_yet_valid")
	w.compile(obj{"query": "Which pricing tier has Acme?", "valid_at": "2999-06-01T00:00:00Z"}).shows("enterprise", not, "standard")
}

// notNow: what an answer says of times at which nobody looks without asking.
func notNow(w *world) {
	now := time.Now().UTC()
	soon, later := now.Add(time.Minute).Format(time.RFC3339), now.Add(time.Hour).Format(time.RFC3339)
	for _, c := range []struct {
		name string
		edit edit
		want []string
	}{
		{"a start to come", from(later), []string{"future_time /claims/0/valid_from"}},
		{"seen in the future", seen(later), []string{"future_time /observed_at"}},
		{"a clock that is ahead", seen(soon), []string{}},
		{"an end to come", until(later), []string{}},
		{"an end that has passed", func(s statement) { seen("2021-06-06T12:00:00Z")(s); until("2021-06-07T12:00:00Z")(s) },
			[]string{"already_ended /claims/0/valid_until"}},
	} {
		same(w.T, c.name, w.say("Acme", "fee "+c.name, "standard", c.edit).warnings(), c.want)
	}
	a := w.remember(obj{"facts": list{
		obj{"subject": "Acme", "predicate": "rate", "object": 1, "since": later},
		obj{"subject": "Acme", "predicate": "rebate", "object": 2, "since": "2021-01-01T00:00:00Z", "until": "2021-02-01T00:00:00Z"},
	}})
	same(w.T, "of facts", a.warnings(), []string{"future_time /facts/0/since", "already_ended /facts/1/until"})
	same(w.T, "which", a.text("/warnings/1/beliefs/0"), a.text("/beliefs/1/belief_id"))
	w.compile(obj{"query": "Acme"}).shows(not, "rate: 1", "rebate: 2")
}

func notYet(w *world) {
	last := w.say("Acme", "pricing_tier", "standard", kind("customer"))
	for _, knownAt := range []string{"2999-01-01T00:00:00Z", fmt.Sprint(last.seq + 1)} {
		w.get("/v1/beliefs?known_at="+knownAt).problem(422, "unprocessable", "known_at")
		w.get("/v1/entities/"+last.entity+"?known_at="+knownAt).problem(422, "unprocessable", "known_at")
		w.post("/v1/compile", obj{"query": "Acme", "known_at": knownAt}).problem(422, "unprocessable", "/known_at")
	}
	for _, knownAt := range []string{"yesterday", "2021-01-01", "2021-01-01T00:00:00", "-1", "0", "1.5"} {
		w.get("/v1/beliefs?known_at="+knownAt).problem(400, "invalid", "known_at")
	}
	w.get("/v1/beliefs?valid_at=2021-01-01T00:00:00").problem(400, "invalid", "valid_at")
}
