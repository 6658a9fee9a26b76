package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"tenure"
	"tenure/api"
	"tenure/httpapi"
)

// TestEveryParameterThatIsTakenCanBeRead checks that the generated code parses every parameter that the
// document allows: it would refuse one without naming it.
func TestEveryParameterThatIsTakenCanBeRead(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.entity(jon, "Jon", "")
	for _, value := range []string{
		"1", "0", "-1", "+1", "1.0", "0.5", "1e0", "0x1", "1_0", " 1", "a,b", "a b", "a=b", "{x}", "%", "%2C", ";", "é", `"`, "[1]", "null",
		"NaN", "Inf", ".5", "01", string(jon), "{" + string(jon) + "}", "true", "any", "mine",
	} {
		text := url.QueryEscape(value)
		for _, path := range []string{
			"/v1/beliefs?limit=", "/v1/beliefs?predicate=", "/v1/beliefs?entity_id=", "/v1/beliefs?status=", "/v1/beliefs?cursor=",
			"/v1/reviews?min_score=", "/v1/reviews?lease=", "/v1/reviews?name=", "/v1/changes?after=",
			"/v1/entities/" + string(jon) + "/neighborhood?hops=", "/v1/vocabularies/predicates?limit=",
		} {
			named := strings.TrimSuffix(path[strings.Index(path, "?")+1:], "=")
			if body := h.do("admin", http.MethodGet, path+text, "").Body.String(); strings.Contains(body, `"code":"malformed"`) {
				t.Errorf("%s%s: %s is not named: %s", path, text, named, body)
			}
		}
		for _, path := range []string{"/v1/beliefs/", "/v1/vocabularies/", "/v1/compilations/"} {
			if body := h.do("admin", http.MethodGet, path+url.PathEscape(value), "").Body.String(); strings.Contains(body, `"code":"malformed"`) {
				t.Errorf("%s%s: %s", path, url.PathEscape(value), body)
			}
		}
		rec := h.do("admin", http.MethodPost, "/v1/beliefs/"+string(jon)+"/confirm", "", "Idempotency-Key", value)
		if body := rec.Body.String(); strings.Contains(body, `"code":"malformed"`) {
			t.Errorf("Idempotency-Key %q: %s", value, body)
		}
	}
}

func TestAHeaderGivenTwiceIsRefused(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	req := httptest.NewRequest(http.MethodPost, "/v1/observations", strings.NewReader(observation("", `,"text":"1"`)))
	req.Header = http.Header{"Authorization": {"Bearer agent"}, "Idempotency-Key": {"a", "b"}}
	rec := httptest.NewRecorder()
	h.handler.ServeHTTP(rec, req)
	h.wantProblem(rec, 400, "invalid", "Idempotency-Key")
}

// TestEveryOperationNeedsACredential checks that every operation is registered with its middleware, without
// which it would need no credential.
func TestEveryOperationNeedsACredential(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	doc, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	guarded := 0
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			if op.Security != nil { // public
				continue
			}
			guarded++
			target := strings.NewReplacer("{id}", string(jon), "{trace_id}", string(jon), "{name}", "predicates").Replace(path)
			// The credential is checked before parameters and body, so that a stranger learns nothing about
			// either.
			h.wantProblem(h.do("", method, target+"?colour=red", `{"colour":`), 401, tenure.Unauthenticated)
		}
	}
	if guarded < 40 {
		t.Errorf("only %d operations need a credential", guarded)
	}
}
