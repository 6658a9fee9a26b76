package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
)

// What a server does not take: each a problem that says where, and nothing is
// written.
var refusals = []scenario{
	{"bad-observations", badObservations},
	{"bad-text", badText},
	{"bad-requests-elsewhere", badElsewhere},
	{"bad-types-and-methods", badTypes},
	{"too-large", tooLarge},
	{"bad-credentials", badCredentials},
	{"supersession-upwards-and-cycles", upwards},
}

type refusal struct {
	name    string
	change  edit
	status  int
	code    string
	pointer string
}

func field(object func(statement) obj, name string, v any) edit {
	return func(s statement) { object(s)[name] = v }
}

func inObservation(s statement) obj { return s.observation }
func inSource(s statement) obj      { return s.source }
func inMention(s statement) obj     { return s.mention }
func inClaim(s statement) obj       { return s.claim }

func badObservations(w *world) {
	const unknown = "0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01"
	cases := []refusal{
		{"no source", func(s statement) { delete(s.observation, "source") }, 400, "invalid", "/source/origin"},
		{"no origin", func(s statement) { delete(s.source, "origin") }, 400, "invalid", "/source/origin"},
		{"relative origin", field(inSource, "origin", "here"), 400, "invalid", "/source/origin"},
		{"level below 0", field(inSource, "authority_level", -1), 400, "invalid", "/source/authority_level"},
		{"level above 4", field(inSource, "authority_level", 5), 400, "invalid", "/source/authority_level"},
		{"level of text", field(inSource, "authority_level", "2"), 400, "malformed", "/source/authority_level"},
		{"level of a fraction", field(inSource, "authority_level", 1.5), 400, "malformed", "/source/authority_level"},
		{"trust above 1", field(inSource, "source_authority", 1.01), 400, "invalid", "/source/source_authority"},
		{"trust below 0", field(inSource, "source_authority", -.01), 400, "invalid", "/source/source_authority"},
		{"confidence above 1", field(inClaim, "confidence_score", 2), 400, "invalid", "/claims/0/confidence_score"},
		{"unknown field", field(inObservation, "colour", "red"), 400, "malformed", "/colour"},
		{"unknown field inside", field(inClaim, "colour", "red"), 400, "malformed", "/claims/0/colour"},
		{"field in capitals", field(inClaim, "Predicate", "x"), 400, "malformed", "/claims/0/Predicate"},
		{"null", field(inObservation, "text", nil), 400, "malformed", "/text"},
		{"wrong scope", field(inObservation, "scope", obj{"kind": "galaxy"}), 400, "invalid", "/scope/kind"},
		{"wrong object type", field(inClaim, "object_type", "rumour"), 400, "invalid", "/claims/0/object_type"},
		{"wrong layer", field(inClaim, "layer", "crust"), 400, "invalid", "/claims/0/layer"},
		{"wrong classification", field(inClaim, "security_classification", "top"), 400, "invalid", "/claims/0/security_classification"},
		{"wrong task type", field(inClaim, "applicable_task_types", list{"data_extraction", "gossip"}), 400, "invalid", "/claims/0/applicable_task_types/1"},
		{"wrong retirement", field(inClaim, "retirement_rule", "shred"), 400, "invalid", "/claims/0/retirement_rule"},
		{"half-life of nothing", field(inClaim, "decay_rule", obj{"half_life_days": 0, "minimum_threshold": .1}), 400, "invalid", "/claims/0/decay_rule/half_life_days"},
		{"time without zone", field(inObservation, "observed_at", "2021-06-06T12:00:00"), 400, "invalid", "/observed_at"},
		{"time of a date", field(inClaim, "valid_from", "2021-06-06"), 400, "invalid", "/claims/0/valid_from"},
		{"time that is none", field(inClaim, "valid_from", "2021-13-41T25:00:00Z"), 400, "invalid", "/claims/0/valid_from"},
		{"window that ends before", func(s statement) {
			s.claim["valid_from"], s.claim["valid_until"] = "2021-06-06T12:00:00Z", "2021-06-06T11:00:00Z"
		}, 400, "invalid", "/claims/0/valid_until"},
		{"window of no time", func(s statement) {
			s.claim["valid_from"], s.claim["valid_until"] = "2021-06-06T12:00:00Z", "2021-06-06T14:00:00+02:00"
		}, 400, "invalid", "/claims/0/valid_until"},
		{"window that ends before it is seen", func(s statement) {
			s.observation["observed_at"], s.claim["valid_until"] = "2021-06-06T12:00:00Z", "2021-06-06T11:00:00Z"
		}, 400, "invalid", "/claims/0/valid_until"},
		{"window that ended long ago", field(inClaim, "valid_until", "2001-01-01T00:00:00Z"), 400, "invalid", "/claims/0/valid_until"},
		{"nothing said", func(s statement) { delete(s.observation, "mentions"); delete(s.observation, "claims") }, 400, "invalid", ""},
		{"blank name", field(inMention, "name", " \t "), 400, "invalid", "/mentions/0/name"},
		{"name of nothing", field(inMention, "name", ""), 400, "invalid", "/mentions/0/name"},
		{"name that nobody sees", field(inMention, "name", "\u200b"), 400, "invalid", "/mentions/0/name"},
		{"long name", field(inMention, "name", strings.Repeat("n", 1001)), 400, "invalid", "/mentions/0/name"},
		{"empty identifier", field(inMention, "attributes", obj{"email": list{""}}), 400, "invalid", "/mentions/0/attributes/email/0"},
		{"no predicate", field(inClaim, "predicate", " "), 400, "invalid", "/claims/0/predicate"},
		{"no value", func(s statement) { delete(s.claim, "value") }, 400, "invalid", "/claims/0/value"},
		{"number beyond range", field(inClaim, "value", json.RawMessage("1e400")), 422, "unprocessable", "/claims/0/value"},
		{"number beyond range inside", field(inClaim, "value", json.RawMessage(`{"of":[1e400]}`)), 422, "unprocessable", "/claims/0/value"},
		{"year 10000", field(inClaim, "valid_from", "10000-01-01T00:00:00Z"), 400, "invalid", "/claims/0/valid_from"},
		{"year 0", field(inObservation, "observed_at", "0000-06-06T12:00:00Z"), 400, "invalid", "/observed_at"},
		{"30 February", field(inClaim, "valid_from", "2021-02-30T12:00:00Z"), 400, "invalid", "/claims/0/valid_from"},
		{"null value", field(inClaim, "value", nil), 400, "invalid", "/claims/0/value"},
		{"no such mention", field(inClaim, "subject", obj{"mention": 1}), 400, "invalid", "/claims/0/subject/mention"},
		{"no subject", field(inClaim, "subject", obj{}), 400, "invalid", "/claims/0/subject"},
		{"two subjects", field(inClaim, "subject", obj{"mention": 0, "entity_id": unknown}), 400, "invalid", "/claims/0/subject"},
		{"value of no mention", field(inClaim, "value", obj{"mention": 7}), 400, "invalid", "/claims/0/value/mention"},
		{"supersedes nothing known", supersedes("no such key"), 422, "unprocessable", "/claims/0/supersedes/0"},
		{"supersedes no id known", supersedes(unknown), 422, "unprocessable", "/claims/0/supersedes/0"},
		{"depends on nothing known", dependsOn("no such key"), 422, "unprocessable", "/claims/0/depends_on/0"},
		{"update path that is none", field(inClaim, "update_path", "there"), 400, "invalid", "/claims/0/update_path"},
		{"too many claims", func(s statement) {
			claims := make(list, 101)
			for i := range claims {
				claims[i] = s.claim
			}
			s.observation["claims"] = claims
		}, 400, "invalid", "/claims"},
	}
	for _, c := range cases {
		w.unchanged(c.name, func() {
			w.Helper()
			a := w.post("/v1/observations", stating("Jon Smith", "office", "Boston", c.change))
			a.asked = c.name
			a.problem(c.status, c.code, c.pointer)
		})
	}
	agent := w.issue(obj{"roles": list{"agent"}, "max_authority": 3})
	agent.post("/v1/observations", stating("Jon Smith", "office", "Boston", level(2))).problem(403, "authority_too_high", "/source/authority_level")
	same(w.T, "who was written", len(w.get("/v1/entities?name=Jon+Smith").is(200).items("/items")), 0)
	same(w.T, "words that were written", len(w.get("/v1/vocabularies/predicates").is(200).items("/terms")), 0)
}

func badText(w *world) {
	const start = `{"source":{"origin":"test://x"},"mentions":[{"name":"Jon"}],"claims":[{"subject":{"mention":0},"predicate":"p","value":`
	for name, c := range map[string]struct{ body, code, pointer string }{
		"not JSON":               {"hello", "malformed", ""},
		"nothing":                {"", "malformed", ""},
		"an array":               {"[]", "malformed", ""},
		"a string":               {`"x"`, "malformed", ""},
		"null":                   {"null", "malformed", ""},
		"cut off":                {start, "malformed", "*"},
		"trailing comma":         {start + `1,}]}`, "malformed", "*"},
		"two values":             {start + `1}]} {}`, "malformed", ""},
		"duplicate field":        {start + `1,"predicate":"q"}]}`, "malformed", "/claims/0/predicate"},
		"duplicate in a value":   {start + `{"a":1,"a":2}}]}`, "malformed", "/claims/0/value/a"},
		"invalid UTF-8":          {start + "\"\xff\"}]}", "malformed", "*"},
		"invalid UTF-8 name":     {"{\"source\":{\"origin\":\"test://x\"},\"mentions\":[{\"name\":\"J\xc3on\"}]}", "malformed", "*"},
		"overlong UTF-8":         {start + "\"\xc0\xaf\"}]}", "malformed", "*"},
		"lone surrogate":         {start + `"\ud800"}]}`, "malformed", "*"},
		"lone low surrogate":     {start + `"\udc00x"}]}`, "malformed", "*"},
		"surrogate in a name":    {start + `{"\ud800":1}}]}`, "malformed", "*"},
		"NUL":                    {start + `"a\u0000b"}]}`, "malformed", "/claims/0/value"},
		"NUL in a name":          {start + `{"a\u0000":1}}]}`, "malformed", "*"},
		"raw control character":  {start + "\"a\x01b\"}]}", "malformed", "*"},
		"number that is none":    {start + `01}]}`, "malformed", "*"},
		"NaN":                    {start + `NaN}]}`, "malformed", "*"},
		"nested deep":            {start + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}]}`, "too_large", "*"},
		"byte order mark":        {"\ufeff" + start + `1}]}`, "malformed", "*"},
		"huge number for a time": {`{"source":{"origin":"test://x"},"text":"x","observed_at":1e999}`, "malformed", "/observed_at"},
	} {
		w.unchanged(name, func() {
			w.Helper()
			a := w.post("/v1/observations", c.body)
			a.asked = name
			status := 400
			if c.code == "too_large" {
				status = 413
			}
			if c.pointer != "*" {
				a.problem(status, c.code, c.pointer)
				return
			}
			a.problem(status, c.code)
			if _, ok := a.at("/errors/0/pointer").(string); !ok {
				w.Errorf("%s: no pointer: %s", name, a.raw)
			}
		})
	}
}

func badElsewhere(w *world) {
	said := w.say("Jon Smith", "office", "Boston")
	before := len(w.entries())
	const unknown = "0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01"
	for _, c := range []struct {
		method, path string
		body         any
		status       int
		code         string
		pointer      []string
	}{
		{"GET", "/v1/entities", nil, 400, "invalid", []string{"name"}},
		{"GET", "/v1/entities?name=", nil, 400, "invalid", []string{"name"}},
		{"GET", "/v1/entities?name=x&nam=y", nil, 400, "invalid", []string{"nam"}},
		{"GET", "/v1/entities?name=%ff", nil, 400, "invalid", []string{"name"}},
		{"GET", "/v1/entities?name=a&name=b", nil, 400, "invalid", []string{"name"}},
		{"GET", "/v1/beliefs?status=sure", nil, 400, "invalid", []string{"status"}},
		{"GET", "/v1/beliefs?entity_id=JON", nil, 400, "invalid", []string{"entity_id"}},
		{"GET", "/v1/beliefs?limit=0", nil, 400, "invalid", []string{"limit"}},
		{"GET", "/v1/beliefs?limit=501", nil, 400, "invalid", []string{"limit"}},
		{"GET", "/v1/beliefs?limit=many", nil, 400, "invalid", []string{"limit"}},
		{"GET", "/v1/beliefs/" + strings.ToUpper(said.belief), nil, 400, "invalid", []string{"id"}},
		{"GET", "/v1/beliefs/x", nil, 400, "invalid", []string{"id"}},
		{"GET", "/v1/beliefs/" + unknown, nil, 404, "not_found", nil},
		{"GET", "/v1/observations/" + unknown, nil, 404, "not_found", nil},
		{"GET", "/v1/quarantine/" + unknown, nil, 404, "not_found", nil},
		{"GET", "/v1/quarantine?state=ajar", nil, 400, "invalid", []string{"state"}},
		{"GET", "/v1/quarantine?state=merged", nil, 400, "invalid", []string{"state"}},
		{"GET", "/v1/vocabularies/colours", nil, 400, "invalid", []string{"name"}},
		{"GET", "/v1/changes?after=-1", nil, 400, "invalid", []string{"after"}},
		{"GET", "/v2/beliefs", nil, 404, "not_found", nil},
		{"POST", "/v1/beliefs/" + unknown + "/retract", nil, 404, "not_found", nil},
		{"POST", "/v1/beliefs/" + said.belief + "/retract", obj{"why": "x"}, 400, "malformed", []string{"/why"}},
		{"POST", "/v1/beliefs/" + said.belief + "/end", obj{"at": "soon"}, 400, "invalid", []string{"/at"}},
		{"POST", "/v1/beliefs/" + said.belief + "/confirm", obj{"authority_level": 9}, 400, "invalid", []string{"/authority_level"}},
		{"POST", "/v1/quarantine/" + unknown + "/resolution", obj{"version": 1}, 400, "invalid", []string{""}},
		{"POST", "/v1/quarantine/" + unknown + "/resolution", obj{"accept": said.belief, "reject_all": true, "version": 1}, 400, "invalid", []string{""}},
		{"POST", "/v1/quarantine/" + unknown + "/resolution", obj{"reject_all": true}, 400, "invalid", []string{"/version"}},
		{"POST", "/v1/quarantine/" + unknown + "/resolution", obj{"reject_all": true, "version": 1}, 404, "not_found", nil},
		{"PUT", "/v1/vocabularies/predicates", obj{"version": 0}, 400, "invalid", []string{"/closed"}},
		{"PUT", "/v1/vocabularies/predicates", obj{"closed": true}, 400, "invalid", []string{"/version"}},
		{"PUT", "/v1/vocabularies/predicates", defining(obj{"name": "x", "cardinality": "some"}), 400, "invalid", []string{"/terms/0/cardinality"}},
		{"PUT", "/v1/vocabularies/predicates", defining(obj{"name": "x"}, obj{"name": "x"}), 400, "invalid", []string{"/terms/1/name"}},
		{"PUT", "/v1/vocabularies/predicates", defining(obj{"name": "x", "removed": true}), 422, "unprocessable", []string{"/terms/0"}},
		{"PUT", "/v1/vocabularies/predicates", obj{"closed": true, "version": 17}, 409, "conflict", []string{"/version"}},
		{"POST", "/v1/keys", obj{"roles": list{}}, 400, "invalid", []string{"/roles"}},
		{"POST", "/v1/keys", obj{"roles": list{"king"}}, 400, "invalid", []string{"/roles/0"}},
		{"POST", "/v1/compile", obj{}, 400, "invalid", []string{"/query"}},
		{"POST", "/v1/compile", obj{"query": "x", "budget_tokens": 0}, 400, "invalid", []string{"/budget_tokens"}},
		{"POST", "/v1/compile", obj{"query": "x", "facts_share": 1.5}, 400, "invalid", []string{"/facts_share"}},
		{"POST", "/v1/compile", obj{"query": "x", "provider": "acme"}, 400, "invalid", []string{"/provider"}},
		{"POST", "/v1/compile", obj{"query": "x", "hops": 3}, 400, "invalid", []string{"/hops"}},
		{"POST", "/v1/compile", obj{"query": "x", "entities": list{"JON"}}, 400, "invalid", []string{"/entities/0"}},
		{"POST", "/v1/compile", obj{"query": "x", "entities": list{unknown}}, 422, "unprocessable", []string{"/entities/0"}},
		{"POST", "/v1/compile", obj{"query": "x", "identity": obj{"entity_id": unknown}}, 422, "unprocessable", []string{"/identity/entity_id"}},
		{"GET", "/v1/beliefs?entity_id=" + unknown, nil, 422, "unprocessable", []string{"entity_id"}},
		{"GET", "/v1/conflicts?entity_id=" + unknown, nil, 422, "unprocessable", []string{"entity_id"}},
		{"GET", "/v1/quarantine?entity_id=" + unknown, nil, 422, "unprocessable", []string{"entity_id"}},
		{"GET", "/v1/reviews?entity_id=" + unknown, nil, 422, "unprocessable", []string{"entity_id"}},
		{"POST", "/v1/compile", obj{"query": "x", "valid_at": "now"}, 400, "invalid", []string{"/valid_at"}},
		{"POST", "/v1/compile", obj{"query": "x", "known_at": "now"}, 400, "invalid", []string{"/known_at"}},
		{"POST", "/v1/compile", obj{"query": "x", "colour": "red"}, 400, "malformed", []string{"/colour"}},
	} {
		w.call(c.method, c.path, c.body).problem(c.status, c.code, c.pointer...)
	}
	same(w.T, "entries", len(w.entries()), before)
}

// badTypes: a body of another type is not read, and a method that a path does not have is no missing path.
func badTypes(w *world) {
	const header = "Content-Type: "
	fact := obj{"facts": list{list{"Ann", "city", "Oslo"}}}
	w.unchanged("other types", func() {
		for _, media := range []string{"text/plain", "application/x-www-form-urlencoded", "application/jsonx", "application/x-ndjson", "json"} {
			a := w.post("/v1/remember", fact, header+media).problem(415, "unsupported_media_type", "Content-Type")
			if reason := a.text("/errors/0/reason"); !strings.Contains(reason, "-H 'Content-Type: application/json'") {
				w.Errorf("what to do about %s: %s", media, reason)
			}
		}
		w.call("PUT", "/v1/vocabularies/predicates", obj{"closed": true, "version": 0}, header+"text/plain").problem(415, "unsupported_media_type")
		w.post("/v1/observations:batch", fact).problem(415, "unsupported_media_type", "Content-Type")
	})
	w.remember(fact, header+"Application/JSON; charset=utf-8")
	said := w.say("Ann", "desk", "12")
	w.post("/v1/beliefs/"+said.belief+"/retract", nil, header+"application/x-www-form-urlencoded").is(200) // curl -d ''

	for path, allowed := range map[string][]string{
		"/v1/beliefs": {"GET"}, "/v1/remember": {"POST"}, "/v1/vocabularies/predicates": {"GET", "PUT"}, "/v1/beliefs/" + said.belief: {"GET"},
	} {
		a := w.call("PATCH", path, nil).problem(405, "method_not_allowed")
		for _, method := range allowed {
			if !strings.Contains(a.header.Get("Allow"), method) {
				w.Errorf("%s allows %q", path, a.header.Get("Allow"))
			}
		}
	}
}

func defining(terms ...any) obj { return obj{"closed": true, "version": 0, "terms": terms} }

// tooLarge sends what nobody should have to read.
func tooLarge(w *world) {
	huge := strings.Repeat("x", 10<<20)
	claim := `{"subject":{"mention":0},"predicate":"p","value":1},`
	many := `{"source":{"origin":"test://x"},"mentions":[{"name":"Jon"}],"claims":[` + strings.TrimSuffix(strings.Repeat(claim, 100_000), ",") + `]}`
	empty := `{"source":{"origin":"test://x"},"mentions":[{"name":"Jon"}],"claims":[` + strings.TrimSuffix(strings.Repeat("{},", 100_000), ",") + `]}`
	for _, c := range []struct {
		name, pointer string
		body          any
	}{
		{"10 MB of text", "/text", obj{"source": obj{"origin": "test://x"}, "text": huge}},
		{"10 MB of name", "/mentions/0/name", obj{"mentions": list{obj{"name": huge}}, "source": obj{"origin": "test://x"}}},
		{"10 MB of value", "/claims/0/value", stating("Jon", "p", huge)},
		{"100,000 claims", "", many},
		{"100,000 empty claims", "/claims", empty},
	} {
		w.unchanged(c.name, func() {
			w.Helper()
			a := w.post("/v1/observations", c.body)
			a.asked = c.name
			a.problem(413, "too_large")
			if got := a.text("/errors/0/pointer"); !strings.HasPrefix(got, c.pointer) || got == "" {
				w.Errorf("%s: points at %q, want %q: %s", c.name, got, c.pointer, a.raw)
			}
		})
	}
	for name, c := range map[string]struct {
		change  edit
		pointer string
	}{
		"300 KB of text":  {field(inObservation, "text", huge[:300<<10]), "/text"},
		"70 KB of value":  {field(inClaim, "value", huge[:70<<10]), "/claims/0/value"},
		"1,001 aliases":   {field(inMention, "aliases", strings.Split(strings.Repeat("a ", 101), " ")), "/mentions/0/aliases"},
		"long identifier": {field(inMention, "attributes", obj{"email": list{huge[:1001]}}), "/mentions/0/attributes/email/0"},
		"51 identifiers":  {field(inMention, "attributes", manyKinds(51)), "/mentions/0/attributes"},
	} {
		w.unchanged(name, func() {
			w.Helper()
			a := w.post("/v1/observations", stating("Jon", "p", 1, c.change))
			a.asked = name
			a.problem(400, "invalid", c.pointer)
		})
	}
}

func manyKinds(n int) obj {
	kinds := obj{}
	for i := range n {
		kinds[fmt.Sprint("kind", i)] = list{"x"}
	}
	return kinds
}

func badCredentials(w *world) {
	id := strings.Split(w.key, "_")[1]
	var first answer
	for i, key := range []string{"", "tnr_", "hello", "tnr_" + id + "_", "tnr_" + id + "_x", w.key + "x", w.key[:len(w.key)-1], strings.ToUpper(w.key), strings.Repeat("x", 10_000)} {
		a := w.with(key).get("/v1/beliefs").problem(401, "unauthenticated")
		if i == 0 {
			first = a
		}
		same(w.T, "all with one answer", string(a.raw), string(first.raw))
		same(w.T, "WWW-Authenticate", a.header.Get("WWW-Authenticate"), "Bearer")
	}
	for _, c := range []struct{ role, method, path string }{
		{"agent", "GET", "/v1/changes"}, {"reviewer", "POST", "/v1/observations"}, {"analyst", "POST", "/v1/compile"},
		{"agent", "POST", "/v1/keys"}, {"reviewer", "PUT", "/v1/vocabularies/predicates"}, {"analyst", "POST", "/v1/beliefs/" + id + "/retract"},
		{"agent", "POST", "/v1/quarantine/" + id + "/resolution"},
	} {
		w.issue(obj{"roles": list{c.role}}).call(c.method, c.path, obj{}).problem(403, "forbidden")
	}
	w.issue(obj{"roles": list{"admin"}, "max_authority": 2, "clearance": "public"}).
		post("/v1/keys", obj{"roles": list{"admin"}, "max_authority": 0}).problem(403, "authority_too_high", "/max_authority")
	w.issue(obj{"roles": list{"agent"}}).
		post("/v1/compile", obj{"query": "x", "identity": obj{"name": "The CFO"}}).problem(403, "forbidden", "/identity")
}

func upwards(w *world) {
	law := w.say("Discounts", "maximum", "15", key("law"), level(0))
	fact := w.say("Jon", "office", "Boston", key("fact"))
	rests := w.say("Jon", "tax", "MA", key("rests"), dependsOn("fact"))
	w.unchanged("what is not to be", func() {
		w.post("/v1/observations", stating("Discounts", "maximum", "25", supersedes("law"))).problem(403, "forbidden", "/claims/0/supersedes/0")
		w.post("/v1/observations", stating("Discounts", "maximum", "25", supersedes(law.belief))).problem(403, "forbidden", "/claims/0/supersedes/0")
		w.post("/v1/observations", stating("Jon", "office", "Chicago", supersedes("fact"), dependsOn("fact"))).
			problem(422, "unprocessable", "/claims/0/depends_on/0")
		w.post("/v1/observations", stating("Jon", "office", "Chicago", supersedes(fact.belief), dependsOn("rests"))).
			problem(422, "unprocessable", "/claims/0/depends_on/0")
	})
	same(w.T, "what stands", w.believed(rests.entity, "tax"), []string{"MA"})
}
