package httpapi_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"tenure"
	"tenure/api"
	"tenure/httpapi"
)

func TestWhoMayCallWhat(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	const a, r, n, m = "agent", "reviewer", "analyst", "admin"
	id := string(unknown)
	for _, tc := range []struct {
		method, path string
		roles        []string
	}{
		{"POST", "/v1/observations", []string{a, m}},
		{"POST", "/v1/observations:batch", []string{a, m}},
		{"GET", "/v1/observations/" + id, []string{a, r, n, m}},
		{"GET", "/v1/entities?name=x", []string{a, r, n, m}},
		{"GET", "/v1/entities/" + id, []string{a, r, n, m}},
		{"GET", "/v1/entities/" + id + "/history", []string{a, r, n, m}},
		{"GET", "/v1/entities/" + id + "/neighborhood", []string{a, r, n, m}},
		{"GET", "/v1/beliefs", []string{a, r, n, m}},
		{"GET", "/v1/beliefs/" + id, []string{a, r, n, m}},
		{"GET", "/v1/beliefs/" + id + "/chain", []string{a, r, n, m}},
		{"POST", "/v1/beliefs/" + id + "/confirm", []string{a, r, m}},
		{"POST", "/v1/beliefs/" + id + "/retract", []string{a, r, m}},
		{"POST", "/v1/beliefs/" + id + "/end", []string{a, r, m}},
		{"GET", "/v1/quarantine", []string{a, r, n, m}},
		{"GET", "/v1/quarantine/" + id, []string{a, r, n, m}},
		{"POST", "/v1/quarantine/" + id + "/resolution", []string{r, m}},
		{"GET", "/v1/conflicts", []string{a, r, n, m}},
		{"GET", "/v1/changes", []string{m}},
		{"GET", "/v1/vocabularies/predicates", []string{a, r, n, m}},
		{"PUT", "/v1/vocabularies/predicates", []string{m}},
		{"POST", "/v1/keys", []string{m}},
		{"GET", "/v1/keys", []string{m}},
		{"DELETE", "/v1/keys/" + id, []string{m}},
		{"POST", "/v1/compile", []string{a, m}},
		{"GET", "/v1/compilations/" + id, []string{a, r, n, m}},
	} {
		h.wantProblem(h.do("", tc.method, tc.path, ""), 401, tenure.Unauthenticated)
		h.wantProblem(h.do("nobody", tc.method, tc.path, ""), 401, tenure.Unauthenticated)
		for _, role := range []string{a, r, n, m} {
			rec := h.do(role, tc.method, tc.path, "")
			may := strings.Contains(strings.Join(tc.roles, " ")+" ", role+" ")
			if (rec.Code == http.StatusForbidden) == may || rec.Code == http.StatusUnauthorized {
				t.Errorf("%s as %s: %d", tc.method+" "+tc.path, role, rec.Code)
			}
		}
	}
	if rec := h.do("", "GET", "/v1/beliefs", ""); rec.Header().Get("WWW-Authenticate") != "Bearer" {
		t.Error("no WWW-Authenticate")
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	for _, tc := range []struct{ method, path string }{
		{"GET", "/"},
		{"GET", "/v2/beliefs"},
		{"GET", "/v1/beliefs/"},
		{"DELETE", "/v1/beliefs"},
		{"PATCH", "/v1/beliefs/" + string(unknown)},
		{"POST", "/v1/observationsX"},
		{"POST", "/v1/observations:other"},
		{"POST", "/v1/observations%3Aother"},
		{"FOO", "/v1/beliefs"},
		{"GET", "/v1/beliefs/" + string(unknown) + "/chain/x"},
	} {
		h.wantProblem(h.do("admin", tc.method, tc.path, ""), 404, tenure.NotFound)
	}
}

func TestIdempotencyKeysBelongToTheCredentialAndTheOperation(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	first, second := h.state.belief(1, nil), h.state.belief(2, nil)
	observe := func(as, body, key string) *tenure.IdempotencyKey {
		h.do(as, http.MethodPost, "/v1/observations", body, "Idempotency-Key", key)
		return h.domain.keys[len(h.domain.keys)-1]
	}
	one, other := observation("", `,"text":"1"`), observation("", `,"text":"2"`)
	k := observe("agent", one, "k")
	if again := observe("agent", one, "k"); *again != *k {
		t.Error("the same request has another key")
	}
	if changed := observe("agent", other, "k"); changed.Scope != k.Scope || changed.Hash == k.Hash {
		t.Error("another body is not told apart")
	}
	if spaced := observe("agent", one+" ", "k"); spaced.Hash == k.Hash {
		t.Error("the hash is not of the raw body")
	}
	if foreign := observe("admin", one, "k"); foreign.Scope == k.Scope {
		t.Error("another credential shares the key")
	}
	amend := func(id tenure.ID, what string) *tenure.IdempotencyKey {
		h.do("agent", http.MethodPost, "/v1/beliefs/"+string(id)+"/"+what, "", "Idempotency-Key", "k")
		return h.domain.keys[len(h.domain.keys)-1]
	}
	a, b, c := amend(first, "retract"), amend(second, "retract"), amend(first, "confirm")
	if a.Scope == k.Scope || a.Scope == c.Scope {
		t.Error("another operation shares the key")
	}
	if a.Scope != b.Scope || a.Hash == b.Hash {
		t.Error("the same key for another belief is not told apart")
	}
	h.do("agent", http.MethodPost, "/v1/observations", one)
	if h.domain.keys[len(h.domain.keys)-1] != nil {
		t.Error("a request without a key has one")
	}
	for name, key := range map[string]string{"long": strings.Repeat("x", 256), "not-ascii": "ké", "a-tab": "a\tb", "empty": ""} {
		t.Run(name, func(t *testing.T) {
			h.t = t
			h.wantProblem(h.do("agent", http.MethodPost, "/v1/observations", one, "Idempotency-Key", key), 400, tenure.Invalid, "Idempotency-Key")
		})
	}
}

func TestAReplayIsMarked(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.domain.replayed = true
	rec := h.do("agent", http.MethodPost, "/v1/observations", observation("", `,"text":"1"`), "Idempotency-Key", "k")
	if rec.Code != 201 || rec.Header().Get("Idempotency-Replayed") != "true" {
		t.Errorf("%d %v", rec.Code, rec.Header())
	}
	h.domain.fail = tenure.FieldError(tenure.KeyReused, "Idempotency-Key", "was used before with another body")
	rec = h.do("agent", http.MethodPost, "/v1/observations", observation("", `,"text":"1"`), "Idempotency-Key", "k")
	h.wantProblem(rec, 409, tenure.KeyReused, "Idempotency-Key")
}

func TestFailuresTellTheCallerNothingOfTheInside(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.domain.fail = errors.New("bolt://secret-host")
	rec := h.do("agent", http.MethodPost, "/v1/observations", observation("", `,"text":"private words"`))
	h.wantProblem(rec, 500, tenure.Internal)
	h.state.panics = true
	rec = h.do("agent", http.MethodGet, "/v1/beliefs", "", "X-Request-Id", "req-1")
	h.wantProblem(rec, 500, tenure.Internal)
	if strings.Contains(rec.Body.String(), "secret") || strings.Contains(rec.Body.String(), ".go") {
		t.Errorf("%s", rec.Body)
	}
	for _, want := range []string{"bolt://secret-host", "a secret of the code", "req-1", "goroutine"} {
		if !strings.Contains(h.log.String(), want) {
			t.Errorf("the log does not tell %q", want)
		}
	}
	if strings.Contains(h.log.String(), "private words") {
		t.Error("the log tells the body")
	}
}

func TestRequestsAreLoggedAndCounted(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.do("agent", http.MethodGet, "/v1/beliefs/"+string(unknown)+"?valid_at=private", "",
		"X-Request-Id", "req-7")
	var line map[string]any
	if err := json.Unmarshal(h.log.Bytes(), &line); err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]any{
		"request_id": "req-7", "route": "/v1/beliefs/{id}", "status": 400.0,
		"tenant": "acme", "actor": "agent", "code": "invalid", "method": "GET",
	} {
		if line[key] != want {
			t.Errorf("%s is %v, want %v", key, line[key], want)
		}
	}
	if strings.Contains(h.log.String(), "private") || strings.Contains(h.log.String(), "Bearer") {
		t.Errorf("%s", h.log)
	}
	h.do("agent", "FOO", "/x", "")
	metrics := h.do("", http.MethodGet, "/metrics", "").Body.String()
	for _, want := range []string{
		`tenure_http_requests_total{method="GET",route="/v1/beliefs/{id}",status="400"} 1`,
		`tenure_http_requests_total{method="any",route="unmatched",status="404"} 1`,
		`tenure_http_request_seconds_count{method="GET",route="/v1/beliefs/{id}"} 1`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %s in\n%s", want, metrics)
		}
	}
}

func TestRequestIDs(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	for _, given := range []string{"", "has space", "new\nline", strings.Repeat("x", 129), `"quoted"`} {
		rec := h.do("", http.MethodGet, "/healthz", "", "X-Request-Id", given)
		if got := rec.Header().Get("X-Request-Id"); len(got) != 32 || got == given {
			t.Errorf("%q became %q", given, got)
		}
	}
	if got := h.do("", http.MethodGet, "/healthz", "", "X-Request-Id", "abc-1").Header().Get("X-Request-Id"); got != "abc-1" {
		t.Errorf("abc-1 became %q", got)
	}
}

func TestOperations(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	for _, path := range []string{"/healthz", "/readyz"} {
		if rec := h.do("", http.MethodGet, path, ""); rec.Code != 200 || strings.TrimSpace(rec.Body.String()) != `{"status":"ok"}` {
			t.Errorf("%s: %d %s", path, rec.Code, rec.Body)
		}
	}
	if rec := h.do("", http.MethodGet, "/openapi.yaml", ""); rec.Body.String() != string(api.Document) {
		t.Error("/openapi.yaml is not the document")
	}
	h.state.down = true
	rec := h.do("", http.MethodGet, "/readyz", "")
	h.wantProblem(rec, 503, tenure.Unavailable)
	if rec.Header().Get("Retry-After") == "" || strings.Contains(rec.Body.String(), "secret-host") {
		t.Errorf("%v %s", rec.Header(), rec.Body)
	}
	if h.do("", http.MethodGet, "/healthz", "").Code != 200 {
		t.Error("the process is not healthy without its store")
	}
}

func TestKeys(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	issue := func(body string) api.IssuedKey {
		return decodeInto[api.IssuedKey](t, h.do("admin", http.MethodPost, "/v1/keys", body), 201)
	}
	k := issue(`{"roles":["agent"],"label":"bot"}`)
	if !strings.HasPrefix(k.Key, "tnr_"+string(k.Credential.Id)+"_") || k.Credential.MaxAuthority != 2 || k.Credential.Clearance != tenure.Restricted {
		t.Errorf("%+v", k)
	}
	if admin := issue(`{"roles":["admin"],"clearance":"highly_restricted"}`); admin.Credential.MaxAuthority != 0 {
		t.Errorf("%+v", admin)
	}
	page := decodeInto[api.KeyPage](t, h.do("admin", http.MethodGet, "/v1/keys?limit=1", ""), 200)
	if len(page.Items) != 1 || page.Items[0].Label != "bot" || page.NextCursor == "" {
		t.Fatalf("%+v", page)
	}
	rec := h.do("admin", http.MethodGet, "/v1/keys?limit=1&cursor="+page.NextCursor, "")
	if page := decodeInto[api.KeyPage](t, rec, 200); len(page.Items) != 1 || page.NextCursor != "" {
		t.Fatalf("%+v", page)
	}
	if strings.Contains(rec.Body.String(), "hash") {
		t.Errorf("%s", rec.Body)
	}
	h.wantProblem(h.do("foreign", http.MethodDelete, "/v1/keys/"+string(k.Credential.Id), ""), 404, tenure.NotFound)
	for range 2 {
		if rec := h.do("admin", http.MethodDelete, "/v1/keys/"+string(k.Credential.Id), ""); rec.Code != 204 {
			t.Fatalf("%d %s", rec.Code, rec.Body)
		}
	}
	for _, c := range h.state.credentials {
		if (c.ID == k.Credential.Id) != (c.RevokedAt != 0) {
			t.Errorf("%+v", c)
		}
	}
}

func TestNobodyIssuesAKeyStrongerThanTheirOwn(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	c := h.callers["admin"]
	c.Clearance, c.MaxAuthority, c.Bound = tenure.Restricted, 1, tenure.Scope{ProjectID: "nova"}
	h.callers["admin"] = c
	h.wantProblem(h.do("admin", http.MethodPost, "/v1/keys", `{"roles":["agent"],"clearance":"confidential","act_for":true}`), 403, tenure.Forbidden, "/clearance", "/act_for")
	h.wantProblem(h.do("admin", http.MethodPost, "/v1/keys", `{"roles":["agent"],"max_authority":0}`), 403, tenure.AuthorityTooHigh, "/max_authority")
	h.wantProblem(h.do("admin", http.MethodPost, "/v1/keys", `{"roles":["agent"],"bound":{"project_id":"x"}}`), 403, tenure.Forbidden, "/bound/project_id")
	k := decodeInto[api.IssuedKey](t, h.do("admin", http.MethodPost, "/v1/keys", `{"roles":["agent"]}`), 201)
	if k.Credential.Bound.ProjectID != "nova" {
		t.Errorf("%+v", k.Credential)
	}
}

func TestCompilationsAreGivenByteForByte(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	rec := h.do("bound", http.MethodPost, "/v1/compile", `{"query":"where is Jon?","known_at":"3","valid_at":"2026-06-06T12:00:00Z","hops":0}`, "X-Request-Id", "r1")
	if want := `{"envelope":{"zones":[],"text":"<b>","messages":[]},"trace":{},"run":{"request_id":"r1"}}`; rec.Body.String() != want {
		t.Errorf("%s", rec.Body)
	}
	r := h.domain.requests[0]
	if r.Scope.ProjectID != "nova" || r.AsOf.Seq != 3 || r.ValidAt != tenure.At(start) || r.Hops == nil || *r.Hops != 0 || r.FactsShare != nil {
		t.Errorf("%+v", r)
	}
	if rec := h.do("agent", http.MethodGet, "/v1/compilations/"+string(jon), ""); rec.Body.String() != `{"kept": 1}` {
		t.Errorf("%s", rec.Body)
	}
	h.domain.fail = tenure.Errorf(tenure.Unprocessable, "not yet")
	h.wantProblem(h.do("agent", http.MethodPost, "/v1/compile", `{"query":"x","known_at":"99"}`), 422, tenure.Unprocessable, "/known_at")
}

func TestNewReportsEveryDependencyThatIsMissing(t *testing.T) {
	_, err := httpapi.New(httpapi.Deps{}, httpapi.Config{})
	if err == nil {
		t.Fatal("a handler without a store")
	}
	for _, want := range []string{"Store", "Observer", "CursorKey", "Logger", "Registerer", "Mint"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}
