package httpapi_test

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"tenure/api"
)

// notCalled says of which operations the answers are not compared, and why.
var notCalled = map[string]string{
	"GET /healthz":      "tells of the process",
	"GET /readyz":       "tells of the process",
	"GET /metrics":      "tells of the process: numbers of all tenants",
	"GET /openapi.yaml": "is the same for everybody",

	"GET /v1/changes":                          "the log is for administrators",
	"GET /v1/audit":                            "the audit trail is for administrators",
	"GET /v1/webhook/dead-letters":             "events of the whole tenant are for administrators",
	"POST /v1/webhook/dead-letters/{id}/retry": "events of the whole tenant are for administrators",
	"PUT /v1/vocabularies/{name}":              "words are defined for a tenant, by administrators",
	"GET /v1/keys":                             "keys are no evidence, and for administrators",
	"POST /v1/keys":                            "keys are no evidence, and for administrators",
	"DELETE /v1/keys/{id}":                     "keys are no evidence, and for administrators",
	"POST /v1/keys/{id}/rotate":                "keys are no evidence, and for administrators",
	"DELETE /v1/entities/{id}/content":         "erasure is for administrators who are bound to nothing",
	"DELETE /v1/observations/{id}/content":     "erasure is for administrators who are bound to nothing",
	"DELETE /v1/users/{user_id}/content":       "erasure is for administrators who are bound to nothing",
	"DELETE /v1/documents/{id}/content":        "erasure is for administrators who are bound to nothing",

	"GET /v1/queries":         "lists what the program was started with",
	"POST /v1/queries/{name}": "refused to a key that does not see all evidence",
}

// calls says how the observer calls an operation. What a request has of its own is its query and its body; ids in the
// path, times, limits and keys are added by the document.
var calls = map[string]func(w *twoWorlds) request{
	"POST /v1/observations":               func(w *twoWorlds) request { return w.evidence(w.secrecy.shown) },
	"POST /v1/observations:batch":         (*twoWorlds).batch,
	"POST /v1/remember":                   (*twoWorlds).remember,
	"GET /v1/observations":                (*twoWorlds).listObservations,
	"GET /v1/observations/{id}":           plain,
	"POST /v1/resolve":                    (*twoWorlds).resolve,
	"POST /v1/compare":                    body(func(w *twoWorlds) object { return object{"left": w.mention(), "right": w.mention()} }),
	"GET /v1/entities":                    (*twoWorlds).find,
	"GET /v1/entities/{id}":               plain,
	"GET /v1/entities/{id}/aliases":       plain,
	"GET /v1/entities/{id}/history":       plain,
	"GET /v1/entities/{id}/neighborhood":  query("hops", "1", "2"),
	"GET /v1/reviews":                     (*twoWorlds).listReviews,
	"GET /v1/reviews/{id}":                plain,
	"POST /v1/reviews/{id}/decision":      body((*twoWorlds).decision),
	"POST /v1/reviews/{id}/lease":         body((*twoWorlds).reviewer),
	"POST /v1/reviews/{id}/release":       body((*twoWorlds).reviewer),
	"POST /v1/reviews/{id}/undo":          body(empty),
	"POST /v1/reviews:decide":             (*twoWorlds).decideReviews,
	"GET /v1/reviews/threshold-report":    plain,
	"GET /v1/cannot-links/{id}":           plain,
	"POST /v1/cannot-links/{id}/undo":     body(empty),
	"POST /v1/entities/{id}/merge":        body(func(w *twoWorlds) object { return object{"into": w.any("entities")} }),
	"GET /v1/merges/{id}":                 plain,
	"POST /v1/merges/{id}/undo":           body(empty),
	"POST /v1/entities/{id}/split":        (*twoWorlds).split,
	"GET /v1/splits/{id}":                 plain,
	"POST /v1/splits/{id}/undo":           body(empty),
	"GET /v1/beliefs":                     (*twoWorlds).listBeliefs,
	"GET /v1/beliefs/{id}":                plain,
	"GET /v1/beliefs/{id}/chain":          plain,
	"POST /v1/beliefs/{id}/confirm":       plain,
	"POST /v1/beliefs/{id}/retract":       body(func(*twoWorlds) object { return object{"reason": "wrong"} }),
	"POST /v1/beliefs/{id}/end":           body(func(w *twoWorlds) object { return object{"at": w.now().Format(time.RFC3339)} }),
	"GET /v1/beliefs/{id}/amendments":     plain,
	"GET /v1/amendments/{id}":             plain,
	"POST /v1/amendments/{id}/undo":       body(empty),
	"GET /v1/quarantine":                  (*twoWorlds).listCases,
	"GET /v1/quarantine/{id}":             plain,
	"POST /v1/quarantine/{id}/resolution": (*twoWorlds).settle,
	"POST /v1/quarantine/{id}/undo":       body(empty),
	"POST /v1/quarantine/{id}/lease":      body((*twoWorlds).reviewer),
	"POST /v1/quarantine/{id}/release":    body((*twoWorlds).reviewer),
	"POST /v1/quarantine:settle":          (*twoWorlds).settleCases,
	"GET /v1/tasks":                       (*twoWorlds).listTasks,
	"GET /v1/conflicts":                   (*twoWorlds).listConflicts,
	"GET /v1/vocabularies/{name}":         query("base", "true", "false"),
	"POST /v1/documents":                  body((*twoWorlds).documentOfOnes),
	"GET /v1/documents":                   query("uri", "doc://1", "doc://2", "doc://3"),
	"GET /v1/documents/{id}":              plain,
	"DELETE /v1/documents/{id}":           plain,
	"POST /v1/compile":                    body((*twoWorlds).question),
	"POST /v1/recall":                     body((*twoWorlds).search),
	"GET /v1/compilations/{trace_id}":     plain,
	"GET /v1/compilations/{trace_id}/why": func(w *twoWorlds) request { return request{path: "?object=" + w.any("beliefs")} },
	"GET /v1/compilations/statistics":     query("since", "2000-01-01T00:00:00Z"),
	"POST /v1/compilations/{trace_id}/check": body(func(w *twoWorlds) object {
		return object{"answer": pick(w.rnd, people) + " has the office " + fmt.Sprint(pick(w.rnd, rooms))}
	}),
	"POST /v1/compilations/{trace_id}/replay": plain,
	"GET /v1/compilations/{trace_id}/outcome": plain,
	"POST /v1/compilations/{trace_id}/outcome": body(func(w *twoWorlds) object {
		if w.one(2) {
			return object{"retries": 1}
		}
		return object{"used_object_ids": []any{w.any("beliefs")}}
	}),
	"GET /v1/observations/{id}/proposals/{number}": func(w *twoWorlds) request { return w.proposal("", nil) },
	"POST /v1/observations/{id}/proposals/{number}/answer": func(w *twoWorlds) request {
		return w.proposal("/answer", object{"answer": pick(w.rnd, []string{"accept", "refuse"}), "version": 1})
	},
}

// often are the operations that are called several times while others are called once.
var often = map[string]int{
	"POST /v1/observations": 2, "GET /v1/beliefs": 4, "GET /v1/entities": 2, "POST /v1/compile": 5, "POST /v1/recall": 2,
	"GET /v1/beliefs/{id}": 2, "GET /v1/entities/{id}": 2, "GET /v1/reviews": 2, "GET /v1/quarantine": 2,
	"POST /v1/entities/{id}/merge": 2, "POST /v1/quarantine/{id}/resolution": 2, "POST /v1/reviews/{id}/decision": 2,
}

// parametersOf returns the names of the parameters of the operations of openapi.yaml.
func parametersOf(t *testing.T) map[string][]string {
	doc, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			names := []string{}
			for _, p := range slices.Concat(item.Parameters, op.Parameters) {
				names = append(names, p.Value.Name)
			}
			out[method+" "+path] = names
		}
	}
	return out
}

// TestNoninterferenceCallsEveryOperation fails for an operation that the observer neither calls nor is listed with a
// reason why not, and for one that it calls and may not.
func TestNoninterferenceCallsEveryOperation(t *testing.T) {
	listed := slices.Sorted(maps.Keys(notCalled))
	listed = append(listed, slices.Collect(maps.Keys(calls))...)
	slices.Sort(listed)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(parametersOf(t))), listed); diff != "" {
		t.Errorf("openapi.yaml has other operations than are called or listed (-openapi.yaml): %s", diff)
	}
	observer := (&twoWorlds{}).everybody("")["observer"]
	for op := range calls {
		if !slices.ContainsFunc(access()[op], observer.Has) {
			t.Errorf("the observer may not call %s", op)
		}
	}
}

// call has the observer call the next operation, or repeat a call that had an Idempotency-Key.
func (w *twoWorlds) call() {
	if len(w.keyed) > 0 && w.one(20) {
		w.compare(pick(w.rnd, w.keyed))
		return
	}
	if len(w.deck) == 0 {
		for _, op := range slices.Sorted(maps.Keys(calls)) {
			if !w.cases && aboutCases.MatchString(op) {
				continue
			}
			w.deck = append(w.deck, slices.Repeat([]string{op}, max(1, often[op]))...)
		}
		w.rnd.Shuffle(len(w.deck), func(i, j int) { w.deck[i], w.deck[j] = w.deck[j], w.deck[i] })
	}
	op := w.deck[0]
	w.deck = w.deck[1:]
	r := w.request(op)
	if !w.compare(r) {
		return
	}
	if r.key != "" {
		w.keyed = append(w.keyed, r)
	}
	w.turn(r)
}

var aboutCases = regexp.MustCompile("quarantine|tasks")

// turn has the observer read the next pages of a listing, between which something that it may not see may be written.
func (w *twoWorlds) turn(r request) {
	for range 3 {
		if w.with.cursor == "" {
			return
		}
		if w.one(4) {
			w.hide(w.hiddenEvidence())
		}
		next := r
		next.path = with(r.path, "cursor", w.pair("c", w.with.cursor, w.without.cursor))
		if !w.compare(next) {
			return
		}
	}
}

// request returns a call of an operation.
func (w *twoWorlds) request(op string) request {
	method, template, _ := strings.Cut(op, " ")
	r := calls[op](w)
	r.method = method
	if !strings.HasPrefix(r.path, "/") {
		r.path = aParameter.ReplaceAllStringFunc(template, func(name string) string {
			switch name {
			case "{number}":
				return "1"
			case "{name}":
				return pick(w.rnd, []string{"predicates", "entity_types", "labels"})
			}
			return w.any(strings.Split(template, "/")[2])
		}) + r.path
	}
	for _, p := range []object{
		{"limit": fmt.Sprint(1 + w.rnd.IntN(4))}, {"known_at": w.knownAt()}, {"valid_at": w.time()}, {"count": "true"},
		{"dry_run": "true"},
	} {
		for name, value := range p {
			if slices.Contains(w.parameters[op], name) && w.one(4) {
				r.path = with(r.path, name, value.(string))
			}
		}
	}
	if r.key == "" && slices.Contains(w.parameters[op], "Idempotency-Key") {
		r.key = w.key()
	}
	return r
}

var aParameter = regexp.MustCompile(`\{[^}]*\}`)

// with returns a path with a parameter.
func with(path, name, value string) string {
	sep := "?"
	if strings.Contains(path, "?") {
		sep = "&"
	}
	return path + sep + name + "=" + value
}

// time returns a time in the history or about it, between the times of two steps.
func (w *twoWorlds) time() string {
	return start.Add(time.Duration(w.rnd.IntN(w.step+4)-2)*time.Minute + 30*time.Second).Format(time.RFC3339)
}

// knownAt returns a time, or the number of a state that the observer was told.
func (w *twoWorlds) knownAt() string {
	if n := min(len(w.with.seqs), len(w.without.seqs)); n > 0 && w.one(2) {
		i := w.rnd.IntN(n)
		return w.pair("s", w.with.seqs[i], w.without.seqs[i])
	}
	return w.time()
}

// any returns the name of an id of a collection that the observer has seen, or of one that it does not see, which does
// not exist in the other world.
func (w *twoWorlds) any(collection string) string {
	var list []string
	for _, field := range fieldsOf[collection] {
		list = append(list, w.without.known[field]...)
	}
	if len(list) > 0 && !w.one(8) {
		return pick(w.rnd, list)
	}
	id, none := w.unseen(collection), uuid.NewString()
	if id == "" {
		id = none
	}
	if name := w.with.names[id]; name != "" {
		return name
	}
	return w.alias("h", id, none)
}

// plain is a call without a query or a body.
func plain(*twoWorlds) request { return request{} }

func empty(*twoWorlds) object { return object{} }

func body(of func(w *twoWorlds) object) func(w *twoWorlds) request {
	return func(w *twoWorlds) request { return request{body: of(w)} }
}

// query is a call with one of some values of a parameter, or without it.
func query(name string, list ...string) func(w *twoWorlds) request {
	return func(w *twoWorlds) request { return request{path: w.some(name, list)} }
}

// some returns a query with some of some parameters, of which names and possible values alternate: "" if with none.
func (w *twoWorlds) some(parameters ...any) string {
	out := ""
	for i := 0; i < len(parameters); i += 2 {
		if value := pick(w.rnd, parameters[i+1].([]string)); w.one(2) {
			out = with(out, parameters[i].(string), url.QueryEscape(value))
		}
	}
	return out
}

// ids returns what any does, for a query of [twoWorlds.some].
func (w *twoWorlds) ids(collection string) []string { return []string{w.any(collection)} }

var (
	states   = []string{"any", "any", "open", "settled", "dissolved"}
	projects = []string{"p1", "p2"}
	leases   = []string{"free", "held", "mine"}
)

func (w *twoWorlds) listObservations() request {
	return request{path: w.some("speaker", []string{"Dana", "Eve"}, "project_id", projects, "session_id", []string{"s1"},
		"text", []string{"office", "budget"}, "since", []string{w.time()})}
}

func (w *twoWorlds) find() request {
	return request{path: with(w.some("type", []string{"person", "organization"}, "project_id", projects),
		pick(w.rnd, []string{"name", "q"}), url.QueryEscape(pick(w.rnd, slices.Concat(people, others))))}
}

func (w *twoWorlds) listReviews() request {
	return request{path: with(w.some("state", states, "entity_id", w.ids("entities"), "lease", leases, "name", people),
		"order", "age")}
}

// listCases asks for the cases of a predicate: their order by age is that of their ids, which are hashes and others in
// each world.
func (w *twoWorlds) listCases() request {
	path := w.some("state", states, "entity_id", w.ids("entities"), "lease", leases)
	return request{path: with(with(path, "order", "age"), "predicate", pick(w.rnd, terms))}
}

func (w *twoWorlds) listTasks() request {
	return request{path: w.some("kind", []string{"case", "review", "proposed_change"}, "lease", leases)}
}

func (w *twoWorlds) listBeliefs() request {
	return request{path: w.some("status", []string{"any", "any", "clean", "overridden", "disputed"},
		"entity_id", w.ids("entities"), "predicate", terms)}
}

func (w *twoWorlds) listConflicts() request {
	return request{path: w.some("entity_id", w.ids("entities"), "predicate", terms)}
}

func (w *twoWorlds) remember() request {
	for {
		l := pick(w.rnd, w.secrecy.shown)
		if l["permission_scope"] == nil {
			return request{body: w.facts(l)}
		}
	}
}

// batch returns a batch of a line that comes twice, which is answered alike if it has a key. How far the index has taken
// in the lines before another is a matter of time.
func (w *twoWorlds) batch() request {
	line := pick(w.rnd, w.secrecy.shown).on(w.observation())
	if key := w.key(); key != "" {
		line["key"] = key
		return request{body: []object{line, line}}
	}
	return request{body: []object{line}}
}

func (w *twoWorlds) documentOfOnes() object { return pick(w.rnd, w.secrecy.shown).on(w.document()) }

// resolve asks of the present: in a former state the index of the present is searched, see docs/security.md.
func (w *twoWorlds) resolve() request {
	o := object{"mentions": []any{w.mention()}}
	if w.one(4) {
		o = object{"text": w.said()["text"]}
	}
	return request{body: o}
}

func (w *twoWorlds) reviewer() object {
	return object{"reviewer": pick(w.rnd, []string{"rita", "rob"})}
}

func (w *twoWorlds) decision() object {
	o := object{"decision": pick(w.rnd, []string{"merge", "new_entity", "defer"}), "version": 1 + w.rnd.IntN(2)}
	if o["decision"] == "merge" {
		o["into"] = w.any("entities")
	}
	return o
}

func (w *twoWorlds) decideReviews() request {
	var list []any
	for range 1 + w.rnd.IntN(2) {
		o := w.decision()
		o["review_id"] = w.any("reviews")
		list = append(list, o)
	}
	return request{body: object{"decisions": list}}
}

func (w *twoWorlds) settlement(kase string) object {
	o := object{"version": w.versionOf(kase)}
	switch w.rnd.IntN(5) {
	case 0:
		o["both"] = true
	case 1:
		o["reject_all"] = true
	case 2:
		o["defer"] = true
	default:
		o["accept"] = w.any("beliefs")
	}
	return o
}

// versionOf returns the version of a case that the observer saw last, in each world.
func (w *twoWorlds) versionOf(kase string) any {
	with, without := w.with.versions[kase], w.without.versions[kase]
	if with == "" || without == "" {
		return 1
	}
	name := w.pair("v", "", "")
	w.with.values[`"`+name+`"`], w.without.values[`"`+name+`"`] = with, without
	return name
}

// settle answers a case, most often with one of what it holds.
func (w *twoWorlds) settle() request {
	kase := w.any("quarantine")
	o := w.settlement(kase)
	if held := w.without.held; o["accept"] != nil && len(held) > 0 {
		one := pick(w.rnd, held)
		kase, o = one[0], object{"version": w.versionOf(one[0]), "accept": one[1]}
	}
	return request{path: "/v1/quarantine/" + kase + "/resolution", body: o}
}

func (w *twoWorlds) settleCases() request {
	var list []any
	for range 1 + w.rnd.IntN(2) {
		kase := w.any("quarantine")
		o := w.settlement(kase)
		o["case_id"] = kase
		list = append(list, o)
	}
	return request{body: object{"settlements": list}}
}

// proposal returns a request about a change that was proposed, most often about one that the observer saw.
func (w *twoWorlds) proposal(under string, body any) request {
	r := request{body: body}
	if list := w.without.proposed; len(list) > 0 && !w.one(8) {
		r.path = pick(w.rnd, list) + under
	}
	return r
}

// split splits an entity of a mention, most often of one that was assigned to it.
func (w *twoWorlds) split() request {
	if assigned := w.without.assigned; len(assigned) > 0 && !w.one(8) {
		one := pick(w.rnd, assigned)
		return request{path: "/v1/entities/" + one[0] + "/split", body: object{"mentions": []any{one[1]}}}
	}
	return request{body: object{"mentions": []any{w.any("mentions")}}}
}

func (w *twoWorlds) question() object {
	o := pick(w.rnd, []object{
		{"query": "What is known of " + pick(w.rnd, people) + ", the office and salary?"},
		{"query": "Everything about " + pick(w.rnd, people), "hops": 2},
		{"query": "Which office is it in this project?", "required": []any{object{"predicate": pick(w.rnd, terms)}}},
		{"query": "Write a script", "task": object{"type": "code_generation"}, "budget_tokens": 120},
		{"query": "What has changed?", "entities": []any{w.any("entities")}, "working_set": []any{"the office is in Rome"}},
		{"query": "Who am I?", "identity": object{"name": pick(w.rnd, people), "roles": []any{"engineer"}}},
		{"query": "And the budget?", "turns": []any{object{"role": "user", "content": pick(w.rnd, others) + " is discussed."}}},
	})
	w.asOf(o)
	return o
}

// asOf has a question be about another time than now.
func (w *twoWorlds) asOf(o object) {
	if w.one(4) {
		o["known_at"] = w.knownAt()
	}
	if w.one(4) {
		o["valid_at"] = w.time()
	}
}

func (w *twoWorlds) search() object {
	o := object{"query": pick(w.rnd, people) + " " + pick(w.rnd, terms), "limit": 3 + w.rnd.IntN(5)}
	if w.one(2) { // many have such a word
		o = object{"query": pick(w.rnd, []string{"room", "office", "salary", "smith"}), "limit": 100}
	}
	w.asOf(o)
	return o
}
