package httpapi_test

import (
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tenure"
	"tenure/api"
	"tenure/httpapi"
)

// observation returns a valid body with one field replaced.
func observation(source, rest string) string {
	if source == "" {
		source = `{"origin":"conversation://s1/7","authority_level":2,"source_authority":0.9}`
	}
	return `{"source":` + source + rest + `}`
}

func claim(fields string) string {
	return observation("", `,"mentions":[{"name":"Jon Smith"}],"claims":[{"subject":{"mention":0},"predicate":"office"`+fields+`}]`)
}

func TestBadObservationsAreRefusedWithAPointer(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	before := h.seq()
	const office = `,"value":"Chicago"`
	long := func(n int) string { return strings.Repeat("x", n) }
	text := `,"text":"hello"`
	for _, tc := range []struct {
		name    string
		body    string
		status  int
		code    tenure.Code
		pointer string
	}{
		// JSON itself
		{"empty-body", ``, 400, tenure.Malformed, ""},
		{"white-space-only", " \n", 400, tenure.Malformed, ""},
		{"cut-off", `{"source":{"origin":"x:`, 400, tenure.Malformed, "/source/origin"},
		{"not-json", `source=1`, 400, tenure.Malformed, ""},
		{"an-array", `[]`, 400, tenure.Malformed, ""},
		{"null", `null`, 400, tenure.Malformed, ""},
		{"two-values", observation("", text) + `{}`, 400, tenure.Malformed, ""},
		{"trailing-text", observation("", text) + ` x`, 400, tenure.Malformed, ""},
		{"trailing-comma", observation("", text+`,`), 400, tenure.Malformed, ""},
		{"a-comment", `/* */` + observation("", text), 400, tenure.Malformed, ""},
		{"a-byte-order-mark", "\xef\xbb\xbf" + observation("", text), 400, tenure.Malformed, ""},
		{"unknown-field", observation("", text+`,"colour":1`), 400, tenure.Malformed, "/colour"},
		{"unknown-field-inside", claim(office + `,"colour":1`), 400, tenure.Malformed, "/claims/0/colour"},
		{"unknown-field-in-scope", observation("", text+`,"scope":{"tenant":"other"}`), 400, tenure.Malformed, "/scope/tenant"},
		{"another-case", observation("", `,"Text":"hello"`), 400, tenure.Malformed, "/Text"},
		{"duplicate-field", observation("", text+text), 400, tenure.Malformed, "/text"},
		{"duplicate-by-escape", observation("", text+`,"te\u0078t":"b"`), 400, tenure.Malformed, "/text"},
		{"duplicate-inside-a-value", claim(`,"value":{"a":1,"a":2}`), 400, tenure.Malformed, "/claims/0/value/a"},
		{"invalid-utf8", observation("", ",\"text\":\"\xff\""), 400, tenure.Malformed, "/text"},
		{"overlong-utf8", observation("", ",\"text\":\"\xc0\x80\""), 400, tenure.Malformed, "/text"},
		{"invalid-utf8-in-a-name", observation("", ",\"te\xffxt\":1"), 400, tenure.Malformed, ""},
		{"lone-high-surrogate", observation("", `,"text":"\ud800"`), 400, tenure.Malformed, "/text"},
		{"lone-low-surrogate", observation("", `,"text":"\udc00x"`), 400, tenure.Malformed, "/text"},
		{"lone-surrogate-in-a-value", claim(`,"value":["a","\ud83d"]`), 400, tenure.Malformed, "/claims/0/value/1"},
		{"nul", observation("", `,"text":"a\u0000b"`), 400, tenure.Malformed, "/text"},
		{"nul-in-a-value", claim(`,"value":{"k":"\u0000"}`), 400, tenure.Malformed, "/claims/0/value/k"},
		{"nul-in-a-name-of-a-value", claim(`,"value":{"\u0000":1}`), 400, tenure.Malformed, "/claims/0/value/\x00"},
		{"raw-control-character", observation("", ",\"text\":\"a\x01b\""), 400, tenure.Malformed, "/text"},
		{"nan", claim(`,"value":NaN`), 400, tenure.Malformed, "/claims/0/value"},

		// types
		{"text-is-a-number", observation("", `,"text":1`), 400, tenure.Malformed, "/text"},
		{"text-is-null", observation("", `,"text":null`), 400, tenure.Malformed, "/text"},
		{"claims-is-an-object", observation("", `,"claims":{}`), 400, tenure.Malformed, "/claims"},
		{"source-is-a-string", `{"source":"me","text":"hello"}`, 400, tenure.Malformed, "/source"},
		{"level-is-a-string", observation(`{"origin":"x:1","authority_level":"2"}`, text), 400, tenure.Malformed, "/source/authority_level"},
		{"level-is-a-fraction", observation(`{"origin":"x:1","authority_level":2.5}`, text), 400, tenure.Malformed, "/source/authority_level"},
		{"level-is-null", observation(`{"origin":"x:1","authority_level":null}`, text), 400, tenure.Malformed, "/source/authority_level"},
		{"score-is-beyond-a-float", claim(office + `,"confidence_score":1e999`), 400, tenure.Malformed, "/claims/0/confidence_score"},
		{"record-is-null", observation("", `,"mentions":[{"name":"Jon","record":null}]`), 400, tenure.Malformed, "/mentions/0/record"},

		// required, ranges, enums
		{"no-source", `{"text":"hello"}`, 400, tenure.Invalid, "/source/origin"},
		{"nothing-in-it", observation("", ``), 400, tenure.Invalid, ""},
		{"no-origin", observation(`{"authority_level":2}`, text), 400, tenure.Invalid, "/source/origin"},
		{"origin-is-no-uri", observation(`{"origin":"somewhere"}`, text), 400, tenure.Invalid, "/source/origin"},
		{"level-5", observation(`{"origin":"x:1","authority_level":5}`, text), 400, tenure.Invalid, "/source/authority_level"},
		{"level-minus-1", observation(`{"origin":"x:1","authority_level":-1}`, text), 400, tenure.Invalid, "/source/authority_level"},
		{"authority-over-1", observation(`{"origin":"x:1","source_authority":1.01}`, text), 400, tenure.Invalid, "/source/source_authority"},
		{"authority-under-0", observation(`{"origin":"x:1","source_authority":-0.01}`, text), 400, tenure.Invalid, "/source/source_authority"},
		{"confidence-over-1", claim(office + `,"confidence_score":2`), 400, tenure.Invalid, "/claims/0/confidence_score"},
		{"confidence-under-0", claim(office + `,"confidence_score":-1`), 400, tenure.Invalid, "/claims/0/confidence_score"},
		{"unknown-object-type", claim(office + `,"object_type":"fact"`), 400, tenure.Invalid, "/claims/0/object_type"},
		{"unknown-classification", claim(office + `,"security_classification":"secret"`), 400, tenure.Invalid, "/claims/0/security_classification"},
		{"unknown-layer", claim(office + `,"layer":"identity"`), 400, tenure.Invalid, "/claims/0/layer"},
		{"unknown-memory-type", claim(office + `,"memory_type":"x"`), 400, tenure.Invalid, "/claims/0/memory_type"},
		{"unknown-constraint", claim(office + `,"constraint_type":"x"`), 400, tenure.Invalid, "/claims/0/constraint_type"},
		{"unknown-retirement", claim(office + `,"retirement_rule":"delete"`), 400, tenure.Invalid, "/claims/0/retirement_rule"},
		{"unknown-task-type", claim(office + `,"applicable_task_types":["code_generation","x"]`), 400, tenure.Invalid, "/claims/0/applicable_task_types/1"},
		{"unknown-scope-kind", observation("", text+`,"scope":{"kind":"local"}`), 400, tenure.Invalid, "/scope/kind"},
		{"half-life-0", claim(office + `,"decay_rule":{"half_life_days":0,"minimum_threshold":0.5}`), 400, tenure.Invalid, "/claims/0/decay_rule/half_life_days"},
		{"threshold-over-1", claim(office + `,"decay_rule":{"half_life_days":1,"minimum_threshold":1.5}`), 400, tenure.Invalid, "/claims/0/decay_rule/minimum_threshold"},
		{"update-path-is-no-uri", claim(office + `,"update_path":"here"`), 400, tenure.Invalid, "/claims/0/update_path"},
		{"no-predicate", observation("", `,"mentions":[{"name":"Jon"}],"claims":[{"subject":{"mention":0},"value":1}]`), 400, tenure.Invalid, "/claims/0/predicate"},
		{"blank-predicate", observation("", `,"mentions":[{"name":"Jon"}],"claims":[{"subject":{"mention":0},"predicate":" ","value":1}]`), 400, tenure.Invalid, "/claims/0/predicate"},
		{"no-value", claim(``), 400, tenure.Invalid, "/claims/0/value"},
		{"value-null", claim(`,"value":null`), 400, tenure.Invalid, "/claims/0/value"},
		{"no-name", observation("", `,"mentions":[{"type":"person"}]`), 400, tenure.Invalid, "/mentions/0/name"},
		{"blank-name", observation("", `,"mentions":[{"name":" \t"}]`), 400, tenure.Invalid, "/mentions/0/name"},
		{"blank-alias", observation("", `,"mentions":[{"name":"Jon","aliases":["J",""]}]`), 400, tenure.Invalid, "/mentions/0/aliases/1"},
		{"empty-attribute", observation("", `,"mentions":[{"name":"Jon","attributes":{"a/b":[""]}}]`), 400, tenure.Invalid, "/mentions/0/attributes/a~1b/0"},
		{"attribute-without-a-kind", observation("", `,"mentions":[{"name":"Jon","attributes":{"":["x"]}}]`), 400, tenure.Invalid, "/mentions/0/attributes/"},
		{"record-without-id", observation("", `,"mentions":[{"name":"Jon","record":{"source":"crm"}}]`), 400, tenure.Invalid, "/mentions/0/record/id"},

		// references
		{"no-subject", observation("", `,"claims":[{"predicate":"p","value":1}]`), 400, tenure.Invalid, "/claims/0/subject"},
		{"two-subjects", observation("", `,"mentions":[{"name":"Jon"}],"claims":[{"subject":{"mention":0,"entity_id":"`+string(jon)+`"},"predicate":"p","value":1}]`), 400, tenure.Invalid, "/claims/0/subject"},
		{"subject-beyond-the-mentions", observation("", `,"mentions":[{"name":"Jon"}],"claims":[{"subject":{"mention":1},"predicate":"p","value":1}]`), 400, tenure.Invalid, "/claims/0/subject/mention"},
		{"subject-before-the-mentions", observation("", `,"mentions":[{"name":"Jon"}],"claims":[{"subject":{"mention":-1},"predicate":"p","value":1}]`), 400, tenure.Invalid, "/claims/0/subject/mention"},
		{"subject-is-no-id", observation("", `,"claims":[{"subject":{"entity_id":"jon"},"predicate":"p","value":1}]`), 400, tenure.Invalid, "/claims/0/subject/entity_id"},
		{"value-beyond-the-mentions", claim(`,"value":{"mention":9}`), 400, tenure.Invalid, "/claims/0/value/mention"},
		{"value-mention-is-a-string", claim(`,"value":{"mention":"0"}`), 400, tenure.Invalid, "/claims/0/value/mention"},
		{"value-is-no-id", claim(`,"value":{"entity_id":"JON"}`), 400, tenure.Invalid, "/claims/0/value/entity_id"},

		// times
		{"time-without-a-zone", observation("", text+`,"observed_at":"2026-06-06T12:00:00"`), 400, tenure.Invalid, "/observed_at"},
		{"a-date", claim(office + `,"valid_from":"2026-06-06"`), 400, tenure.Invalid, "/claims/0/valid_from"},
		{"no-such-day", claim(office + `,"valid_from":"2026-02-30T00:00:00Z"`), 400, tenure.Invalid, "/claims/0/valid_from"},
		{"time-is-a-number", claim(office + `,"valid_from":1780000000`), 400, tenure.Malformed, "/claims/0/valid_from"},
		{"ends-before-it-starts", claim(office + `,"valid_from":"2026-06-06T12:00:00Z","valid_until":"2026-06-06T11:00:00Z"`), 400, tenure.Invalid, "/claims/0/valid_until"},
		{"ends-as-it-starts", claim(office + `,"valid_from":"2026-06-06T12:00:00Z","valid_until":"2026-06-06T14:00:00+02:00"`), 400, tenure.Invalid, "/claims/0/valid_until"},
		{"ends-before-it-was-observed", observation("", `,"observed_at":"2026-06-06T12:00:00Z","mentions":[{"name":"Jon"}],"claims":[{"subject":{"mention":0},"predicate":"p","value":1,"valid_until":"2026-06-06T11:00:00Z"}]`), 400, tenure.Invalid, "/claims/0/valid_until"},

		// sizes
		{"a-string-of-10-mb", observation("", `,"text":"`+long(10<<20)+`"`), 413, tenure.TooLarge, "/text"},
		{"a-value-of-10-mb", claim(`,"value":"` + long(10<<20) + `"`), 413, tenure.TooLarge, "/claims/0/value"},
		{"100000-claims", observation("", `,"claims":[`+strings.Repeat(`{},`, 100_000)+`{}]`), 413, tenure.TooLarge, "/claims"},
		{"100000-mentions", observation("", `,"mentions":[`+strings.Repeat(`{},`, 100_000)+`{}]`), 413, tenure.TooLarge, "/mentions"},
		{"100000-full-claims", observation("", `,"claims":[`+strings.Repeat(`{"subject":{"mention":0},"predicate":"p","value":1},`, 100_000)+`{}]`), 413, tenure.TooLarge, "/claims"},
		{"101-claims", observation("", `,"mentions":[{"name":"J"}],"claims":[`+strings.Repeat(`{"subject":{"mention":0},"predicate":"p","value":1},`, 100)+`{"subject":{"mention":0},"predicate":"p","value":1}]`), 400, tenure.Invalid, "/claims"},
		{"text-of-257-kib", observation("", `,"text":"`+long(257<<10)+`"`), 400, tenure.Invalid, "/text"},
		{"value-of-65-kib", claim(`,"value":"` + long(65<<10) + `"`), 400, tenure.Invalid, "/claims/0/value"},
		{"name-of-1001", observation("", `,"mentions":[{"name":"`+long(1001)+`"}]`), 400, tenure.Invalid, "/mentions/0/name"},
		{"predicate-of-201", observation("", `,"mentions":[{"name":"J"}],"claims":[{"subject":{"mention":0},"predicate":"`+long(201)+`","value":1}]`), 400, tenure.Invalid, "/claims/0/predicate"},
		{"project-of-201", observation("", text+`,"scope":{"project_id":"`+long(201)+`"}`), 400, tenure.Invalid, "/scope/project_id"},
		{"nested-100-deep", claim(`,"value":` + strings.Repeat("[", 100) + strings.Repeat("]", 100)), 413, tenure.TooLarge, "/claims/0/value" + strings.Repeat("/0", 61)},

		// authority
		{"level-1-of-a-level-2-key", observation(`{"origin":"x:1","authority_level":1}`, text), 403, tenure.AuthorityTooHigh, "/source/authority_level"},
		{"level-0-of-a-level-2-key", observation(`{"origin":"x:1","authority_level":0}`, text), 403, tenure.AuthorityTooHigh, "/source/authority_level"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h.t = t
			rec := h.do("agent", http.MethodPost, "/v1/observations", tc.body)
			p := problem(t, rec)
			if rec.Code != tc.status || p.Code != tc.code {
				t.Fatalf("got %d %s, want %d %s: %s", rec.Code, p.Code, tc.status, tc.code, rec.Body)
			}
			if len(p.Errors) != 1 || p.Errors[0].Pointer != tc.pointer || p.Errors[0].Reason == "" {
				t.Errorf("errors %+v, want one at %q", p.Errors, tc.pointer)
			}
			if h.seq() != before {
				t.Error("it was written")
			}
		})
	}
}

func TestGoodObservationsReachTheWritePath(t *testing.T) {
	for name, body := range map[string]string{
		"the-example": `{"source":{"origin":"conversation://s1/7","authority_level":2,"source_authority":0.9,"speaker":"Dana","role":"lead"},
			"scope":{"project_id":"nova"},"observed_at":"2026-06-06T12:15:00Z","text":"Jon moved.",
			"mentions":[{"name":"Jon Smith","type":"person","attributes":{"email":["jon@acme.example"]}}],
			"claims":[{"subject":{"mention":0},"predicate":"office","value":"Chicago","object_type":"identity_fact","confidence_score":0.9,"valid_from":"2026-06-06T12:00:00Z"}]}`,
		"least":              observation("", `,"text":"x"`),
		"an-open-end":        claim(`,"value":1,"valid_until":null`),
		"any-json-value":     claim(`,"value":{"a":[null,1.5e300,"\ud83d\ude00",{"b":false}],"mention":0}`),
		"false-is-a-value":   claim(`,"value":false`),
		"a-relation":         claim(`,"value":{"mention":0}`),
		"scores-at-the-edge": claim(`,"value":1,"confidence_score":0`),
		"another-zone":       claim(`,"value":1,"valid_from":"2026-06-06T12:00:00.123456+05:30"`),
		"unicode":            observation("", `,"mentions":[{"name":"Zoë 李"}]`),
		"1000-values":        claim(`,"value":[` + strings.Repeat("1,", 5000) + `1]`),
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, httpapi.Config{})
			rec := h.do("agent", http.MethodPost, "/v1/observations", body)
			a := decodeInto[api.ObservationAnswer](t, rec, 201)
			if got := rec.Header().Get("Location"); got != "/v1/observations/"+string(a.ObservationId) {
				t.Errorf("Location %q", got)
			}
			if a.Seq != 1 || h.seq() != 1 {
				t.Errorf("it was written as %d of %d", a.Seq, h.seq())
			}
		})
	}
}

func TestAnObservationArrivesAsItWasSent(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.entity(acme, "Acme", "")
	send := func(fields string) api.ObservationAnswer {
		return decodeInto[api.ObservationAnswer](t, h.do("agent", http.MethodPost, "/v1/observations", claim(fields)), 201)
	}
	before := send(`,"value":"Boston","key":"k"`).Beliefs[0].BeliefId
	after := send(`,"value":{"entity_id":"` + string(acme) + `"},"confidence_score":0,"valid_from":"1970-01-01T00:00:00Z","supersedes":["k"],"layer":"working_set"`)
	b := decodeInto[api.Belief](t, h.do("agent", http.MethodGet, "/v1/beliefs/"+string(after.Beliefs[0].BeliefId), ""), 200)
	switch {
	case string(b.Value) != `{"entity_id":"`+string(acme)+`"}`:
		t.Errorf("value %s", b.Value)
	case b.ConfidenceScore != 0:
		t.Error("a confidence of 0 was lost")
	case b.ValidFrom == nil || !b.ValidFrom.Equal(time.Unix(0, 0)) || b.ValidUntil != nil:
		t.Errorf("window %v, %v", b.ValidFrom, b.ValidUntil)
	case b.Layer != tenure.LayerWorkingSet || !slices.Equal(b.Supersedes, []tenure.ID{before}):
		t.Errorf("%+v", b)
	}
}

func TestABoundCredentialFillsInItsScope(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	rec := h.do("bound", http.MethodPost, "/v1/observations", observation("", `,"text":"x"`))
	o := decodeInto[api.Observation](t, h.do("agent", http.MethodGet, rec.Header().Get("Location"), ""), 200)
	if o.Scope.ProjectID != "nova" {
		t.Fatalf("%+v", o)
	}
	for path, body := range map[string]string{
		"/v1/observations": observation("", `,"text":"x","scope":{"project_id":"other"}`),
		"/v1/compile":      `{"query":"x","scope":{"project_id":"other"}}`,
		"/v1/recall":       `{"query":"x","scope":{"project_id":"other"}}`,
		"/v1/resolve":      `{"mentions":[{"name":"Jon"}],"scope":{"project_id":"other"}}`,
	} {
		h.wantProblem(h.do("bound", http.MethodPost, path, body), 403, tenure.Forbidden, "/scope/project_id")
	}
}

func TestALargeBodyTakesLittleMemory(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	for name, body := range map[string]string{
		"one-string":      observation("", `,"text":"`+strings.Repeat("x", 64<<20)+`"`),
		"300000-claims":   observation("", `,"claims":[`+strings.Repeat(`{},`, 300_000)+`{}]`),
		"300000-mentions": observation("", `,"mentions":[`+strings.Repeat(`{},`, 300_000)+`{}]`),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		rec := h.do("agent", http.MethodPost, "/v1/observations", body)
		runtime.ReadMemStats(&after)
		if rec.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: %d", name, rec.Code)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 16<<20 {
			t.Errorf("%s took %d bytes", name, took)
		}
	}
}

// TestAllFieldsTogetherAreBounded sends fields of which each is within its bound, and says where all are too much.
func TestAllFieldsTogetherAreBounded(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	payload := `{"origin":"https://forum.example/t/9","content":"` + strings.Repeat("x", 262_144) + `"}`
	payloads := func(n int) string {
		return `{"query":"x","payloads":[` + strings.Repeat(payload+",", n-1) + payload + `]}`
	}
	if rec := h.do("agent", http.MethodPost, "/v1/compile", payloads(3)); rec.Code == http.StatusRequestEntityTooLarge {
		t.Errorf("three: %s", rec.Body)
	}
	h.wantProblem(h.do("agent", http.MethodPost, "/v1/compile", payloads(50)), 413, tenure.TooLarge, "/payloads/3/content")
}

func TestBadParametersAreRefusedByName(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.entity(jon, "Jon", "")
	id := string(jon)
	for _, tc := range []struct {
		path   string
		status int
		code   tenure.Code
		name   string
	}{
		{"/v1/beliefs?status=dead", 400, tenure.Invalid, "status"},
		{"/v1/beliefs?colour=red", 400, tenure.Invalid, "colour"},
		{"/v1/beliefs?status=any&status=clean", 400, tenure.Invalid, "status"},
		{"/v1/beliefs?status=", 400, tenure.Invalid, "status"},
		{"/v1/beliefs?predicate=", 400, tenure.Invalid, "predicate"},
		{"/v1/reviews?min_score=NaN", 400, tenure.Invalid, "min_score"},
		{"/v1/reviews?min_score=1e999", 400, tenure.Invalid, "min_score"},
		{"/v1/reviews?min_score=1.5", 400, tenure.Invalid, "min_score"},
		{"/v1/reviews?max_score=-0.1", 400, tenure.Invalid, "max_score"},
		{"/v1/reviews?max_score=high", 400, tenure.Invalid, "max_score"},
		{"/v1/reviews?name=%00&lease=mine", 400, tenure.Invalid, "name"},
		{"/v1/beliefs?entity_id=jon", 400, tenure.Invalid, "entity_id"},
		{"/v1/beliefs?entity_id=" + strings.ToUpper(id), 400, tenure.Invalid, "entity_id"},
		{"/v1/beliefs?predicate=a%00b", 400, tenure.Invalid, "predicate"},
		{"/v1/beliefs?predicate=%ff", 400, tenure.Invalid, "predicate"},
		{"/v1/beliefs?valid_at=yesterday", 400, tenure.Invalid, "valid_at"},
		{"/v1/beliefs?valid_at=2026-06-06T12:00:00", 400, tenure.Invalid, "valid_at"},
		{"/v1/beliefs?known_at=2026-06-06T12:00:00", 400, tenure.Invalid, "known_at"},
		{"/v1/beliefs?known_at=0", 400, tenure.Invalid, "known_at"},
		{"/v1/beliefs?known_at=-4", 400, tenure.Invalid, "known_at"},
		{"/v1/beliefs?known_at=2", 422, tenure.Unprocessable, "known_at"},
		{"/v1/beliefs?known_at=2030-01-01T00:00:00Z", 422, tenure.Unprocessable, "known_at"},
		{"/v1/beliefs?limit=0", 400, tenure.Invalid, "limit"},
		{"/v1/beliefs?limit=501", 400, tenure.Invalid, "limit"},
		{"/v1/beliefs?limit=ten", 400, tenure.Invalid, "limit"},
		{"/v1/beliefs?limit=99999999999999999999", 400, tenure.Invalid, "limit"},
		{"/v1/beliefs?cursor=xyz", 400, tenure.StaleCursor, "cursor"},
		{"/v1/beliefs?cursor=%00", 400, tenure.Invalid, "cursor"},
		{"/v1/beliefs/not-an-id", 400, tenure.Invalid, "id"},
		{"/v1/beliefs/" + strings.ToUpper(id), 400, tenure.Invalid, "id"},
		{"/v1/beliefs/{" + id + "}", 400, tenure.Invalid, "id"},
		{"/v1/beliefs/%2e%2e", 400, tenure.Invalid, "id"},
		{"/v1/observations/1", 400, tenure.Invalid, "id"},
		{"/v1/entities", 400, tenure.Invalid, "name"},
		{"/v1/entities?name=" + strings.Repeat("x", 1001), 400, tenure.Invalid, "name"},
		{"/v1/entities/x/history", 400, tenure.Invalid, "id"},
		{"/v1/entities/" + id + "/neighborhood?hops=3", 400, tenure.Invalid, "hops"},
		{"/v1/entities/" + id + "/neighborhood?hops=0", 400, tenure.Invalid, "hops"},
		{"/v1/entities/" + id + "/neighborhood?cap=501", 400, tenure.Invalid, "cap"},
		{"/v1/quarantine?state=closed", 400, tenure.Invalid, "state"},
		{"/v1/quarantine?state=merged", 400, tenure.Invalid, "state"},
		{"/v1/quarantine/7", 400, tenure.Invalid, "id"},
		{"/v1/vocabularies/colours", 400, tenure.Invalid, "name"},
		{"/v1/changes?after=-1", 400, tenure.Invalid, "after"},
		{"/v1/compilations/tr-1", 400, tenure.Invalid, "trace_id"},
	} {
		t.Run(tc.path[:min(len(tc.path), 60)], func(t *testing.T) {
			h.t = t
			h.wantProblem(h.do("admin", http.MethodGet, tc.path, ""), tc.status, tc.code, tc.name)
		})
	}
}

func TestOtherBadBodies(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	id := h.state.belief(1, nil)
	for _, tc := range []struct {
		name, method, path, body string
		status                   int
		code                     tenure.Code
		pointers                 []string
	}{
		{"settle-nothing", "POST", "/v1/quarantine/" + string(id) + "/resolution", `{"version":1}`, 400, tenure.Invalid, []string{""}},
		{"settle-both", "POST", "/v1/quarantine/" + string(id) + "/resolution", `{"version":1,"accept":"` + string(id) + `","reject_all":true}`, 400, tenure.Invalid, []string{""}},
		{"settle-without-version", "POST", "/v1/quarantine/" + string(id) + "/resolution", `{"reject_all":true}`, 400, tenure.Invalid, []string{"/version"}},
		{"settle-no-id", "POST", "/v1/quarantine/" + string(id) + "/resolution", `{"version":1,"accept":"x"}`, 400, tenure.Invalid, []string{"/accept"}},
		{"settle-without-body", "POST", "/v1/quarantine/" + string(id) + "/resolution", ``, 400, tenure.Malformed, []string{""}},
		{"retract-from", "POST", "/v1/beliefs/" + string(id) + "/retract", `{"at":"2026-06-06T12:00:00Z"}`, 400, tenure.Invalid, []string{"/at"}},
		{"confirm-level-9", "POST", "/v1/beliefs/" + string(id) + "/confirm", `{"authority_level":9}`, 400, tenure.Invalid, []string{"/authority_level"}},
		{"end-without-a-zone", "POST", "/v1/beliefs/" + string(id) + "/end", `{"at":"2026-06-06T12:00:00"}`, 400, tenure.Invalid, []string{"/at"}},
		{"key-without-roles", "POST", "/v1/keys", `{}`, 400, tenure.Invalid, []string{"/roles"}},
		{"key-with-no-roles", "POST", "/v1/keys", `{"roles":[]}`, 400, tenure.Invalid, []string{"/roles"}},
		{"key-of-an-unknown-role", "POST", "/v1/keys", `{"roles":["agent","root"]}`, 400, tenure.Invalid, []string{"/roles/1"}},
		{"key-of-a-role-twice", "POST", "/v1/keys", `{"roles":["agent","agent"]}`, 400, tenure.Invalid, []string{"/roles"}},
		{"key-of-unknown-clearance", "POST", "/v1/keys", `{"roles":["agent"],"clearance":"top"}`, 400, tenure.Invalid, []string{"/clearance"}},
		{"key-level-5", "POST", "/v1/keys", `{"roles":["agent"],"max_authority":5}`, 400, tenure.Invalid, []string{"/max_authority"}},
		{"vocabulary-without-policy", "PUT", "/v1/vocabularies/predicates", `{}`, 400, tenure.Invalid, []string{"/closed", "/version"}},
		{"vocabulary-term-twice", "PUT", "/v1/vocabularies/predicates", `{"closed":true,"version":0,"terms":[{"name":"a"},{"name":"a"}]}`, 400, tenure.Invalid, []string{"/terms/1/name"}},
		{"vocabulary-odd-cardinality", "PUT", "/v1/vocabularies/predicates", `{"closed":true,"version":0,"terms":[{"name":"a","cardinality":"two"}]}`, 400, tenure.Invalid, []string{"/terms/0/cardinality"}},
		{"compile-unknown-field", "POST", "/v1/compile", `{"query":"x","budget":1}`, 400, tenure.Malformed, []string{"/budget"}},
		{"compile-share-2", "POST", "/v1/compile", `{"query":"x","facts_share":2}`, 400, tenure.Invalid, []string{"/facts_share"}},
		{"compile-budget-0", "POST", "/v1/compile", `{"query":"x","budget_tokens":0}`, 400, tenure.Invalid, []string{"/budget_tokens"}},
		{"compile-hops-3", "POST", "/v1/compile", `{"query":"x","hops":3}`, 400, tenure.Invalid, []string{"/hops"}},
		{"compile-provider", "POST", "/v1/compile", `{"query":"x","provider":"acme"}`, 400, tenure.Invalid, []string{"/provider"}},
		{"compile-entity", "POST", "/v1/compile", `{"query":"x","entities":["jon"]}`, 400, tenure.Invalid, []string{"/entities/0"}},
		{"compile-known-at", "POST", "/v1/compile", `{"query":"x","known_at":"soon"}`, 400, tenure.Invalid, []string{"/known_at"}},
		{"recall-nothing", "POST", "/v1/recall", `{}`, 400, tenure.Invalid, []string{"/query"}},
		{"recall-blank", "POST", "/v1/recall", `{"query":" "}`, 400, tenure.Invalid, []string{"/query"}},
		{"recall-long", "POST", "/v1/recall", `{"query":"` + strings.Repeat("x ", 20_000) + `"}`, 400, tenure.Invalid, []string{"/query"}},
		{"recall-kind", "POST", "/v1/recall", `{"query":"x","kinds":["rumour"]}`, 400, tenure.Invalid, []string{"/kinds/0"}},
		{"recall-limit-0", "POST", "/v1/recall", `{"query":"x","limit":0}`, 400, tenure.Invalid, []string{"/limit"}},
		{"recall-limit-101", "POST", "/v1/recall", `{"query":"x","limit":101}`, 400, tenure.Invalid, []string{"/limit"}},
		{"recall-known-at", "POST", "/v1/recall", `{"query":"x","known_at":"soon"}`, 400, tenure.Invalid, []string{"/known_at"}},
		{"compile-valid-at", "POST", "/v1/compile", `{"query":"x","valid_at":"2026-06-06 12:00"}`, 400, tenure.Invalid, []string{"/valid_at"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			h.t = t
			h.wantProblem(h.do("admin", tc.method, tc.path, tc.body), tc.status, tc.code, tc.pointers...)
		})
	}
}

func TestWordsStrongerThanTheKeyAreRefused(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	id := h.state.belief(1, nil)
	before := h.seq()
	for _, what := range []string{"confirm", "retract", "end"} {
		rec := h.do("agent", http.MethodPost, fmt.Sprintf("/v1/beliefs/%s/%s", id, what), `{"authority_level":1}`)
		h.wantProblem(rec, 403, tenure.AuthorityTooHigh, "/authority_level")
	}
	rec := h.do("reviewer", http.MethodPost, "/v1/quarantine/"+string(id)+"/resolution", `{"reject_all":true,"version":1,"authority_level":0}`)
	h.wantProblem(rec, 403, tenure.AuthorityTooHigh, "/authority_level")
	if h.seq() != before {
		t.Error("it was carried out")
	}
}
