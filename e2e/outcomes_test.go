package e2e

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
)

// reporting are the scenarios of what became of a compilation.
var reporting = []scenario{
	{"outcome-reported", outcomeReported},
	{"outcome-replaced", outcomeReplaced},
	{"outcomes-at-once", outcomesAtOnce},
	{"outcome-refused", outcomeRefused},
	{"outcome-erased", outcomeErased},
	{"last-use-of-others", lastUseOfOthers},
	{"outcome-statistics", outcomeStatistics},
}

func pathOf(c answer) string { return "/v1/compilations/" + c.text("/run/trace_id") }

// report reports of a compilation.
func (w *world) report(c answer, body obj) answer {
	w.Helper()
	return w.post(pathOf(c)+"/outcome", body).is(200)
}

// outcomeReported checks that what is reported of a compilation is read back with what follows from it, that the
// compilation stays as it is, and that a belief tells when it was used.
func outcomeReported(w *world) {
	used := w.say("Larch", "database", "PostgreSQL", kind("project"))
	unused := w.say("Larch", "database_port", "5432", kind("project"))
	w.post("/v1/documents", obj{"uri": "https://wiki.example/larch", "text": "If the Larch database stops at night, ring the harbour master."}).is(201)
	c := w.compile(obj{"query": "Whom do I ring when the Larch database stops at night?"})
	passage := c.text("/trace/state_compilation_metadata/compiled_passages/0/passage_id")
	objects := c.texts("/trace/state_compilation_metadata/compiled_objects", "/object_id")
	if passage == "" || !slices.Contains(objects, used.belief) || !slices.Contains(objects, unused.belief) {
		w.Fatalf("%s", short(c.raw))
	}
	w.get(pathOf(c)+"/outcome").problem(404, "not_found")
	same(w.T, "before it is used", w.belief(used.belief).text("/last_used"), "")
	var o answer
	w.unchanged("a report", func() {
		o = w.report(c, obj{"prompt_tokens": 12408, "cached_tokens_read": 10240, "retries": 1,
			"used_object_ids": list{passage, used.belief}, "result": "corrected", "note": "port was missing"})
	})
	same(w.T, "what follows", []string{o.text("/cache_hit_status"), o.text("/compiled_objects"), o.text("/context_precision"), o.text("/version"),
		o.text("/trace_id"), o.text("/prompt_cache_key"), o.text("/compiled_at")},
		[]string{"PARTIAL_HIT", fmt.Sprint(len(objects) + 1), fmt.Sprint(o.at("/context_precision")), "1", c.text("/run/trace_id"),
			c.text("/trace/state_compilation_metadata/cache_metadata/prompt_cache_key"), c.text("/run/compiled_at")})
	ids := list{passage, used.belief}
	slices.SortFunc(ids, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	same(w.T, "used", o.at("/used_object_ids"), any(ids))
	same(w.T, "read back", string(w.get(pathOf(c)+"/outcome").is(200).raw), string(o.raw))
	same(w.T, "the compilation", string(w.get(pathOf(c)).is(200).raw), string(c.raw))
	same(w.T, "the belief", w.belief(used.belief).text("/last_used"), c.text("/run/compiled_at"))
	same(w.T, "whatever the state", w.belief(used.belief, "known_at=1").text("/last_used"), c.text("/run/compiled_at"))
	same(w.T, "what was not used", w.belief(unused.belief).text("/last_used"), "")
	for _, b := range w.page("entity_id=" + used.entity).items("/items") {
		want := map[string]string{used.belief: c.text("/run/compiled_at")}[text(b, "/object_id")]
		same(w.T, "in a list", text(b, "/last_used"), want)
	}
	w.report(c, obj{"used_object_ids": list{}})
	o = w.get(pathOf(c) + "/outcome").is(200)
	same(w.T, "nothing was used", []any{o.at("/used_object_ids"), o.text("/context_precision")}, []any{list{}, "0"})
	same(w.T, "nor the belief", w.belief(used.belief).text("/last_used"), "")
	for want, cached := range map[string]int{"FULL_HIT": 7, "MISS": 0} {
		o = w.report(c, obj{"prompt_tokens": 7, "cached_tokens_read": cached})
		same(w.T, want, []any{o.text("/cache_hit_status"), o.at("/used_object_ids")}, []any{want, nil})
	}
}

// outcomeReplaced checks that the same report again changes nothing, that another takes its place, and that one that was
// made on a former outcome is refused.
func outcomeReplaced(w *world) {
	one, other := w.say("Jon Smith", "office", "Boston"), w.say("Jon Smith", "desk", "by the window of the office")
	c := w.compile(obj{"query": "office of Jon Smith, all that is known"})
	first := obj{"retries": 0, "used_object_ids": list{one.belief, other.belief}, "version": 0}
	o := w.report(c, first)
	same(w.T, "again", string(w.report(c, first).raw), string(o.raw))
	same(w.T, "in another order", string(w.report(c, obj{"retries": 0, "used_object_ids": list{other.belief, one.belief}}).raw), string(o.raw))
	w.post(pathOf(c)+"/outcome", obj{"retries": 3, "version": 0}).problem(409, "conflict", "/version")
	w.post(pathOf(c)+"/outcome", obj{"retries": 3, "version": 2}).problem(409, "conflict", "/version")
	same(w.T, "refused", string(w.get(pathOf(c)+"/outcome").is(200).raw), string(o.raw))
	o = w.report(c, obj{"result": "failed", "used_object_ids": list{other.belief}, "version": 1})
	same(w.T, "replaced", []any{o.text("/version"), o.text("/result"), o.at("/retries")}, []any{"2", "failed", nil})
	same(w.T, "used no more", w.belief(one.belief).text("/last_used"), "")
	same(w.T, "late", w.post(pathOf(c)+"/outcome", first).problem(409, "conflict", "/version").at("/version"), nil)
	next := w.compile(obj{"query": "office of Jon Smith, all that is known"})
	w.report(next, obj{"used_object_ids": list{one.belief, other.belief}})
	same(w.T, "the newest use", w.belief(other.belief).text("/last_used"), next.text("/run/compiled_at"))
	w.report(next, obj{"used_object_ids": list{one.belief}})
	same(w.T, "the use before it", w.belief(other.belief).text("/last_used"), c.text("/run/compiled_at"))
	same(w.T, "replayed", w.post(pathOf(c)+"/replay", nil).is(200).at("/identical"), any(true))
}

// outcomesAtOnce checks that of many who report at once each is counted, and one of them stays.
func outcomesAtOnce(w *world) {
	w.say("Jon Smith", "office", "Boston")
	c := w.compile(obj{"query": "office of Jon Smith"})
	const reporters = 6
	answers := make([]answer, reporters)
	var wg sync.WaitGroup
	for i := range reporters {
		wg.Go(func() { answers[i] = w.call("POST", pathOf(c)+"/outcome", obj{"retries": i}) })
	}
	wg.Wait()
	versions := map[string]string{}
	for _, a := range answers {
		versions[a.is(200).text("/version")] = string(a.raw)
	}
	last := w.get(pathOf(c) + "/outcome").is(200)
	same(w.T, "each has a version", len(versions), reporters)
	same(w.T, "the last", string(last.raw), versions[fmt.Sprint(reporters)])
}

// outcomeRefused checks that what cannot be is refused by its field, and that a compilation is not there for others.
func outcomeRefused(w *world) {
	said := w.say("Jon Smith", "office", "Boston", claims("security_classification", "public"))
	elsewhere := w.say("Ann Lee", "weather", "rain")
	c := w.compile(obj{"query": "office of Jon Smith"})
	many := list{}
	for range 2001 {
		many = append(many, uuid.NewString())
	}
	for _, refused := range []struct {
		pointer string
		body    obj
	}{
		{"", obj{}}, {"/prompt_tokens", obj{"prompt_tokens": 0}}, {"/prompt_tokens", obj{"prompt_tokens": -1}},
		{"/prompt_tokens", obj{"prompt_tokens": 100_000_001}}, {"/prompt_tokens", obj{"cached_tokens_read": 1}},
		{"/cached_tokens_read", obj{"prompt_tokens": 5, "cached_tokens_read": -1}},
		{"/cached_tokens_read", obj{"prompt_tokens": 5, "cached_tokens_read": 6}},
		{"/retries", obj{"retries": -1}}, {"/retries", obj{"retries": 1001}}, {"/result", obj{"result": "fine"}},
		{"/note", obj{"note": strings.Repeat("\u00e9", 501)}}, {"/version", obj{"retries": 1, "version": -1}},
		{"/used_object_ids", obj{"used_object_ids": list{said.belief, said.belief}}},
		{"/used_object_ids/1", obj{"used_object_ids": list{said.belief, "x"}}}, {"/cost", obj{"cost": 1}},
	} {
		p := w.call("POST", pathOf(c)+"/outcome", refused.body)
		same(w.T, refused.pointer, []string{fmt.Sprint(p.status), p.text("/errors/0/pointer")}, []string{"400", refused.pointer})
	}
	w.post(pathOf(c)+"/outcome", obj{"used_object_ids": many}).problem(413, "too_large", "/used_object_ids")
	for _, id := range []string{elsewhere.belief, uuid.NewString(), said.entity, said.id} {
		body := obj{"used_object_ids": list{said.belief, id}}
		w.post(pathOf(c)+"/outcome", body).problem(422, "unprocessable", "/used_object_ids/1")
	}
	w.get(pathOf(c)+"/outcome").problem(404, "not_found")
	w.report(c, obj{"note": strings.Repeat("\u00e9", 500), "used_object_ids": list{said.belief}})
	for who, other := range map[string]*world{
		"another key":     w.issue(obj{"roles": list{"agent"}, "clearance": "highly_restricted"}),
		"another tenant":  w.with(newKey(w.T, w.srv.store, newTenant())),
		"a lesser admin":  w.issue(obj{"roles": list{"admin"}, "clearance": "restricted"}),
		"a bound admin":   w.issue(obj{"roles": list{"admin"}, "clearance": "highly_restricted", "bound": obj{"project_id": "p1"}}),
		"nobody's report": nil,
	} {
		path := pathOf(c) + "/outcome"
		if other == nil {
			other, path = w, "/v1/compilations/"+uuid.NewString()+"/outcome"
		}
		same(w.T, who, []int{other.call("GET", path, nil).status, other.call("POST", path, obj{"retries": 1}).status}, []int{404, 404})
	}
	admin := w.issue(obj{"roles": list{"admin"}, "clearance": "highly_restricted"})
	same(w.T, "an administrator reads it", admin.get(pathOf(c)+"/outcome").is(200).text("/version"), "1")
	w.issue(obj{"roles": list{"reviewer"}}).post(pathOf(c)+"/outcome", obj{"retries": 1}).problem(403, "forbidden")
}

// outcomeErased checks that an outcome goes with its compilation, also for what its note names, and that what else it said
// was used is used no more.
func outcomeErased(w *world) {
	gone := w.say("Jon Smith", "office", "Boston")
	stays := w.say("Ann Lee", "desk", "by the window", by("Eve"))
	old := w.compile(obj{"query": "desk of Ann Lee"})
	w.report(old, obj{"used_object_ids": list{stays.belief}})
	both := w.compile(obj{"query": "office of Jon Smith, desk of Ann Lee"})
	w.report(both, obj{"used_object_ids": list{gone.belief, stays.belief}})
	same(w.T, "used", w.belief(stays.belief).text("/last_used"), both.text("/run/compiled_at"))
	w.erase("/v1/observations/" + gone.id + "/content")
	for _, p := range []answer{w.get(pathOf(both) + "/outcome"), w.call("POST", pathOf(both)+"/outcome", obj{"retries": 1})} {
		p.problem(410, "gone")
	}
	same(w.T, "the erased belief", w.belief(gone.belief).text("/last_used"), "")
	same(w.T, "the use that is left", w.belief(stays.belief).text("/last_used"), old.text("/run/compiled_at"))
	same(w.T, "added up", w.get("/v1/compilations/statistics").is(200).text("/sums/compilations"), "1")

	w.say("Zimbrella Quaggan", "drink", "tea", within(obj{"user_id": "u1"}))
	w.report(old, obj{"used_object_ids": list{stays.belief}, "note": "as ZIMBRELLA QUAGGAN had asked"})
	w.erase("/v1/users/u1/content")
	w.get(pathOf(old)+"/outcome").problem(410, "gone")
	w.get(pathOf(old)).problem(410, "gone")
	same(w.T, "no use is left", w.belief(stays.belief).text("/last_used"), "")
}

// lastUseOfOthers checks that the last use of a belief is shown only to keys that may read the compilation.
func lastUseOfOthers(w *world) {
	said := w.say("Jon Smith", "office", "Boston", claims("security_classification", "public"))
	agent := w.issue(obj{"roles": list{"agent"}, "clearance": "confidential"})
	c := agent.compile(obj{"query": "office of Jon Smith"})
	agent.report(c, obj{"used_object_ids": list{said.belief}, "prompt_tokens": 9, "cached_tokens_read": 0})
	for _, reader := range []struct {
		who  string
		key  obj
		told bool
	}{
		{"another agent", obj{"roles": list{"agent"}, "clearance": "highly_restricted"}, false},
		{"an administrator who is cleared for less", obj{"roles": list{"admin"}, "clearance": "restricted"}, false},
		{"one who is bound", obj{"roles": list{"admin"}, "clearance": "highly_restricted", "bound": obj{"user_id": "u"}}, false},
		{"an administrator who is cleared for as much", obj{"roles": list{"admin"}, "clearance": "confidential"}, true},
	} {
		r, want, sum := w.issue(reader.key), "", "0"
		if reader.told {
			want, sum = c.text("/run/compiled_at"), "1"
		}
		same(w.T, reader.who, r.belief(said.belief).text("/last_used"), want)
		same(w.T, reader.who+" in a list", r.page("entity_id="+said.entity).texts("/items", "/last_used"), []string{want})
		same(w.T, reader.who+" in sums", r.get("/v1/compilations/statistics").is(200).text("/sums/compilations"), sum)
	}
	same(w.T, "the agent", agent.belief(said.belief).text("/last_used"), c.text("/run/compiled_at"))
}

// outcomeStatistics checks the sums of a caller's compilations, by their stable prefix.
func outcomeStatistics(w *world) {
	w.say("House rule", "demands", "two signatures", kind("topic"), level(1), claims("object_type", "policy_rule"))
	said := w.say("Jon Smith", "office", "Boston")
	before := w.compile(obj{"query": "office of Jon Smith"})
	w.report(before, obj{"prompt_tokens": 100, "cached_tokens_read": 0, "result": "failed", "retries": 2})
	w.say("Second rule", "demands", "a stamp", kind("topic"), level(1), claims("object_type", "policy_rule"))
	var last answer
	for i, cached := range []int{0, 60, 100} {
		last = w.compile(obj{"query": "office of Jon Smith"})
		body := obj{"prompt_tokens": 100, "cached_tokens_read": cached, "result": "succeeded"}
		if i > 0 {
			body["used_object_ids"] = list{said.belief}
		}
		w.report(last, body)
	}
	w.compile(obj{"query": "office of Jon Smith"}) // of which nothing is reported
	compiled := len(last.texts("/trace/state_compilation_metadata/compiled_objects", "/object_id"))
	s := w.get("/v1/compilations/statistics").is(200)
	for pointer, want := range map[string]int{
		"/sums/compilations": 4, "/sums/prompt_tokens": 400, "/sums/cached_tokens_read": 160, "/sums/retries": 2, "/sums/used_objects": 2,
		"/sums/compiled_objects": 2 * compiled, "/sums/cache_hits/FULL_HIT": 1, "/sums/cache_hits/PARTIAL_HIT": 1, "/sums/cache_hits/MISS": 2,
		"/sums/results/succeeded": 3, "/sums/results/failed": 1, "/sums/results/corrected": 0, "/prefix_count": 2,
		"/prefixes/0/sums/compilations": 3, "/prefixes/0/sums/cached_tokens_read": 160, "/prefixes/1/sums/compilations": 1,
		"/prefixes/1/sums/cache_hits/MISS": 1,
	} {
		same(w.T, pointer, s.text(pointer), fmt.Sprint(want))
	}
	same(w.T, "more", s.at("/more"), any(false))
	for i, c := range []answer{last, before} {
		cache := "/trace/state_compilation_metadata/cache_metadata/"
		at := fmt.Sprintf("/prefixes/%d/", i)
		same(w.T, "the prefix", []string{s.text(at + "prompt_cache_key"), s.text(at + "static_prefix_tokens"), s.text(at + "last_compiled_at")},
			[]string{c.text(cache + "prompt_cache_key"), c.text(cache + "static_prefix_tokens"), c.text("/run/compiled_at")})
	}
	same(w.T, "limited", len(w.get("/v1/compilations/statistics?limit=1").is(200).items("/prefixes")), 1)
	same(w.T, "from a time on", w.get("/v1/compilations/statistics?since=2999-01-01T00:00:00Z").is(200).text("/sums/compilations"), "0")
	same(w.T, "from the beginning", w.get("/v1/compilations/statistics?since=0001-01-01T00:00:00Z").is(200).text("/sums/compilations"), "4")
	w.get("/v1/compilations/statistics?since=yesterday").problem(400, "invalid", "since")
}
