package httpapi_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
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
		{"GET", "/v1/entities/" + id + "/aliases", []string{a, r, n, m}},
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
		{"GET", "/v1/queries", []string{n, m}},
		{"POST", "/v1/queries/superseded", []string{n, m}},
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
		{"POST", "/v1/observationsX"},
		{"POST", "/v1/observations:other"},
		{"POST", "/v1/observations%3Aother"},
		{"GET", "/v1/beliefs/" + string(unknown) + "/chain/x"},
	} {
		h.wantProblem(h.do("admin", tc.method, tc.path, ""), 404, tenure.NotFound)
	}
	for _, tc := range []struct{ method, path string }{
		{"DELETE", "/v1/beliefs"}, {"PATCH", "/v1/beliefs/" + string(unknown)}, {"FOO", "/v1/beliefs"},
	} {
		rec := h.do("admin", tc.method, tc.path, "")
		h.wantProblem(rec, 405, tenure.MethodNotAllowed)
		if allow := rec.Header().Get("Allow"); !strings.Contains(allow, "GET") {
			t.Errorf("%s %s: Allow %q", tc.method, tc.path, allow)
		}
	}
}

func TestIdempotencyKeysBelongToTheCredentialAndTheOperation(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.entity(jon, "Jon", "")
	first, second := h.state.belief(1, nil), h.state.belief(2, nil)
	const fresh, replayed, reused = "fresh", "replayed", "reused"
	// ask sends a request with the key k and returns what became of the key.
	ask := func(as, path, body string) string {
		rec := h.do(as, http.MethodPost, path, body, "Idempotency-Key", "k")
		switch {
		case rec.Code == http.StatusConflict:
			h.wantProblem(rec, 409, tenure.KeyReused, "Idempotency-Key")
			return reused
		case rec.Code >= 300:
			t.Fatalf("%s: %d %s", path, rec.Code, rec.Body)
		case rec.Header().Get("Idempotency-Replayed") == "true":
			return replayed
		}
		return fresh
	}
	one, other := observation("", `,"text":"1"`), observation("", `,"text":"2"`)
	amend := func(id tenure.ID, what string) string { return "/v1/beliefs/" + string(id) + "/" + what }
	for _, c := range []struct{ name, as, path, body, want string }{
		{"the-first", "agent", "/v1/observations", one, fresh},
		{"the-same-again", "agent", "/v1/observations", one, replayed},
		{"another-body", "agent", "/v1/observations", other, reused},
		{"the-raw-body-counts", "agent", "/v1/observations", one + " ", reused},
		{"another-credential", "admin", "/v1/observations", one, fresh},
		{"another-operation", "agent", amend(first, "confirm"), "", fresh},
		{"yet-another-operation", "agent", amend(first, "retract"), "", fresh},
		{"the-same-amendment", "agent", amend(first, "retract"), "", replayed},
		{"of-another-belief", "agent", amend(second, "retract"), "", reused},
	} {
		if got := ask(c.as, c.path, c.body); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	for range 2 {
		if rec := h.do("agent", http.MethodPost, "/v1/observations", one); rec.Code != 201 || rec.Header().Get("Idempotency-Replayed") != "" {
			t.Errorf("without a key: %d %v", rec.Code, rec.Header())
		}
	}
	for name, key := range map[string]string{"long": strings.Repeat("x", 256), "not-ascii": "ké", "a-tab": "a\tb", "empty": ""} {
		t.Run(name, func(t *testing.T) {
			h.t = t
			h.wantProblem(h.do("agent", http.MethodPost, "/v1/observations", one, "Idempotency-Key", key), 400, tenure.Invalid, "Idempotency-Key")
		})
	}
}

func TestAReplayIsTheFirstAnswer(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	ask := func() *httptest.ResponseRecorder {
		return h.do("agent", http.MethodPost, "/v1/observations", claim(`,"value":"Chicago"`), "Idempotency-Key", "k")
	}
	first, again := ask(), ask()
	if first.Code != 201 || again.Code != 201 || first.Body.String() != again.Body.String() {
		t.Errorf("%d %s\n%d %s", first.Code, first.Body, again.Code, again.Body)
	}
	if first.Header().Get("Location") == "" || first.Header().Get("Location") != again.Header().Get("Location") {
		t.Errorf("Location %q, %q", first.Header().Get("Location"), again.Header().Get("Location"))
	}
}

func TestFailuresTellTheCallerNothingOfTheInside(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.Fail(&tenure.Error{Code: tenure.Internal, Message: "bolt://secret-host", Err: errors.New("no route to secret-host")})
	rec := h.do("agent", http.MethodPost, "/v1/observations", observation("", `,"text":"private words"`))
	h.wantProblem(rec, 500, tenure.Internal)
	failed := rec.Body.String()
	rec = h.do("panics", http.MethodGet, "/v1/beliefs", "", "X-Request-Id", "req-1")
	h.wantProblem(rec, 500, tenure.Internal)
	for _, body := range []string{failed, rec.Body.String()} {
		if strings.Contains(body, "secret") || strings.Contains(body, ".go") {
			t.Errorf("%s", body)
		}
	}
	for _, want := range []string{"no route to secret-host", "a secret of the code", "req-1", "goroutine"} {
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
	if err := json.Unmarshal([]byte(h.log.String()), &line); err != nil {
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
		t.Errorf("%s", h.log.String())
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
	h.state.Down(&tenure.Error{Code: tenure.Unavailable, Message: "bolt://secret-host refused"})
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
	if admin := issue(`{"roles":["admin"],"clearance":"highly_restricted"}`); admin.Credential.MaxAuthority != 2 {
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
	all := decodeInto[api.KeyPage](t, h.do("admin", http.MethodGet, "/v1/keys", ""), 200).Items
	for _, c := range all {
		if (c.Id == k.Credential.Id) == c.RevokedAt.IsZero() {
			t.Errorf("%+v", c)
		}
	}
	if len(all) != 2 {
		t.Errorf("%d keys", len(all))
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
	h.state.entity(jon, "Jon", "")
	h.state.belief(1, func(b *tenure.Belief) { b.Claim.Value.JSON = json.RawMessage(`"<b>Chicago</b>"`) })
	h.state.belief(2, nil)
	rec := h.do("bound", http.MethodPost, "/v1/compile", `{"query":"where is Jon?","known_at":"2","valid_at":"2026-06-06T12:00:00Z","hops":0}`, "X-Request-Id", "r1")
	a := decodeInto[struct {
		Envelope struct{ Text string }
		Trace    struct {
			AsOf struct {
				Seq     int    `json:"seq"`
				ValidAt string `json:"valid_at"`
			} `json:"as_of"`
		}
		Run struct {
			TraceID   string `json:"trace_id"`
			RequestID string `json:"request_id"`
		}
	}](t, rec, 200)
	if !strings.Contains(rec.Body.String(), "<b>Chicago</b>") {
		t.Errorf("the text is escaped: %s", rec.Body)
	}
	if a.Run.RequestID != "r1" || a.Trace.AsOf.Seq != 2 || a.Trace.AsOf.ValidAt != "2026-06-06T12:00:00Z" {
		t.Errorf("%+v", a)
	}
	path := "/v1/compilations/" + a.Run.TraceID
	for as, status := range map[string]int{"bound": 200, "admin": 200, "agent": 404, "foreign": 404} {
		again := h.do(as, http.MethodGet, path, "")
		if again.Code != status || status == 200 && again.Body.String() != rec.Body.String() {
			t.Errorf("to %s: %d %s", as, again.Code, again.Body)
		}
	}
	h.wantProblem(h.do("agent", http.MethodPost, "/v1/compile", `{"query":"x","known_at":"99"}`), 422, tenure.Unprocessable, "/known_at")
}

func TestNewReportsEveryDependencyThatIsMissing(t *testing.T) {
	_, err := httpapi.New(httpapi.Deps{}, httpapi.Config{})
	if err == nil {
		t.Fatal("a handler without a service")
	}
	for _, want := range []string{"Service", "Authenticator", "CursorKey", "Logger", "Registerer", "Mint"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not name %s", err, want)
		}
	}
}
