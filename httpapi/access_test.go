package httpapi_test

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/api"
	"tenure/httpapi"
)

// access says who may call which operation: nil is anybody, without a key too. It is written out, and not read from
// x-roles, so that whoever opens an operation to a role says so twice.
func access() map[string][]tenure.Role {
	const (
		a = tenure.RoleAgent
		r = tenure.RoleReviewer
		s = tenure.RoleResolver
		n = tenure.RoleAnalyst
		m = tenure.RoleAdmin
	)
	return map[string][]tenure.Role{
		"POST /v1/observations":                                []tenure.Role{a, m},
		"GET /v1/observations":                                 []tenure.Role{a, r, n, m},
		"POST /v1/observations:batch":                          []tenure.Role{a, m},
		"POST /v1/remember":                                    []tenure.Role{a, m},
		"GET /v1/observations/{id}":                            []tenure.Role{a, r, n, m},
		"POST /v1/resolve":                                     []tenure.Role{a, r, n, m},
		"POST /v1/compare":                                     []tenure.Role{a, r, n, m},
		"GET /v1/entities":                                     []tenure.Role{a, r, n, m},
		"GET /v1/entities/{id}":                                []tenure.Role{a, r, n, m},
		"GET /v1/entities/{id}/aliases":                        []tenure.Role{a, r, n, m},
		"GET /v1/entities/{id}/history":                        []tenure.Role{a, r, n, m},
		"GET /v1/entities/{id}/neighborhood":                   []tenure.Role{a, r, n, m},
		"GET /v1/reviews":                                      []tenure.Role{r, n, m},
		"GET /v1/reviews/{id}":                                 []tenure.Role{r, n, m},
		"POST /v1/reviews/{id}/decision":                       []tenure.Role{r, m},
		"POST /v1/reviews/{id}/lease":                          []tenure.Role{r, m},
		"POST /v1/reviews/{id}/release":                        []tenure.Role{r, m},
		"POST /v1/reviews/{id}/undo":                           []tenure.Role{r, m},
		"POST /v1/reviews:decide":                              []tenure.Role{r, m},
		"GET /v1/reviews/threshold-report":                     []tenure.Role{r, n, m},
		"GET /v1/cannot-links/{id}":                            []tenure.Role{a, r, n, m},
		"POST /v1/cannot-links/{id}/undo":                      []tenure.Role{r, m},
		"POST /v1/entities/{id}/merge":                         []tenure.Role{r, m},
		"GET /v1/merges/{id}":                                  []tenure.Role{a, r, n, m},
		"POST /v1/merges/{id}/undo":                            []tenure.Role{r, m},
		"POST /v1/entities/{id}/split":                         []tenure.Role{r, m},
		"GET /v1/splits/{id}":                                  []tenure.Role{a, r, n, m},
		"POST /v1/splits/{id}/undo":                            []tenure.Role{r, m},
		"GET /v1/beliefs":                                      []tenure.Role{a, r, n, m},
		"GET /v1/beliefs/{id}":                                 []tenure.Role{a, r, n, m},
		"GET /v1/beliefs/{id}/chain":                           []tenure.Role{a, r, n, m},
		"POST /v1/beliefs/{id}/confirm":                        []tenure.Role{a, r, m},
		"POST /v1/beliefs/{id}/retract":                        []tenure.Role{a, r, m},
		"POST /v1/beliefs/{id}/end":                            []tenure.Role{a, r, m},
		"GET /v1/beliefs/{id}/amendments":                      []tenure.Role{a, r, n, m},
		"GET /v1/amendments/{id}":                              []tenure.Role{a, r, n, m},
		"POST /v1/amendments/{id}/undo":                        []tenure.Role{a, r, m},
		"GET /v1/quarantine":                                   []tenure.Role{a, r, s, n, m},
		"GET /v1/quarantine/{id}":                              []tenure.Role{a, r, s, n, m},
		"POST /v1/quarantine/{id}/resolution":                  []tenure.Role{r, s, m},
		"POST /v1/quarantine/{id}/undo":                        []tenure.Role{r, m},
		"POST /v1/quarantine/{id}/lease":                       []tenure.Role{r, s, m},
		"POST /v1/quarantine/{id}/release":                     []tenure.Role{r, s, m},
		"POST /v1/quarantine:settle":                           []tenure.Role{r, s, m},
		"GET /v1/tasks":                                        []tenure.Role{r, s, n, m},
		"GET /v1/observations/{id}/proposals/{number}":         []tenure.Role{a, r, n, m},
		"POST /v1/observations/{id}/proposals/{number}/answer": []tenure.Role{a, r, m},
		"GET /v1/webhook/dead-letters":                         []tenure.Role{m},
		"POST /v1/webhook/dead-letters/{id}/retry":             []tenure.Role{m},
		"GET /v1/conflicts":                                    []tenure.Role{a, r, n, m},
		"GET /v1/queries":                                      []tenure.Role{n, m},
		"POST /v1/queries/{name}":                              []tenure.Role{n, m},
		"GET /v1/changes":                                      []tenure.Role{m},
		"GET /v1/vocabularies/{name}":                          []tenure.Role{a, r, n, m},
		"PUT /v1/vocabularies/{name}":                          []tenure.Role{m},
		"POST /v1/keys":                                        []tenure.Role{m},
		"GET /v1/keys":                                         []tenure.Role{m},
		"DELETE /v1/keys/{id}":                                 []tenure.Role{m},
		"POST /v1/keys/{id}/rotate":                            []tenure.Role{m},
		"DELETE /v1/entities/{id}/content":                     []tenure.Role{m},
		"DELETE /v1/observations/{id}/content":                 []tenure.Role{m},
		"DELETE /v1/users/{user_id}/content":                   []tenure.Role{m},
		"DELETE /v1/documents/{id}/content":                    []tenure.Role{m},
		"POST /v1/documents":                                   []tenure.Role{a, m},
		"GET /v1/documents":                                    []tenure.Role{a, r, n, m},
		"GET /v1/documents/{id}":                               []tenure.Role{a, r, n, m},
		"DELETE /v1/documents/{id}":                            []tenure.Role{a, m},
		"GET /v1/audit":                                        []tenure.Role{m},
		"POST /v1/compile":                                     []tenure.Role{a, m},
		"POST /v1/recall":                                      []tenure.Role{a, r, n, m},
		"GET /v1/compilations/{trace_id}":                      []tenure.Role{a, r, n, m},
		"GET /v1/compilations/{trace_id}/why":                  []tenure.Role{a, r, n, m},
		"POST /v1/compilations/{trace_id}/check":               []tenure.Role{a, r, n, m},
		"POST /v1/compilations/{trace_id}/replay":              []tenure.Role{a, m},
		"GET /v1/compilations/{trace_id}/outcome":              []tenure.Role{a, r, n, m},
		"POST /v1/compilations/{trace_id}/outcome":             []tenure.Role{a, m},
		"GET /v1/compilations/statistics":                      []tenure.Role{a, m},
		"GET /healthz":                                         nil,
		"GET /readyz":                                          nil,
		"GET /metrics":                                         nil,
		"GET /openapi.yaml":                                    nil,
	}
}

// TestWhoMayCallWhat calls every operation of openapi.yaml as nobody, with a wrong key, and in every role.
func TestWhoMayCallWhat(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	doc, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	var operations []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			operations = append(operations, method+" "+path)
		}
	}
	slices.Sort(operations)
	want := access()
	if diff := cmp.Diff(slices.Sorted(maps.Keys(want)), operations); diff != "" {
		t.Fatalf("the table and openapi.yaml name other operations: %s", diff)
	}
	for _, op := range operations {
		t.Run(op, func(t *testing.T) {
			method, path, _ := strings.Cut(op, " ")
			path = regexp.MustCompile(`\{[^}]*\}`).ReplaceAllString(path, string(unknown))
			if want[op] == nil {
				for _, as := range []string{"", "nobody"} {
					if rec := h.do(as, method, path, ""); rec.Code != http.StatusOK {
						t.Errorf("as %q: %d", as, rec.Code)
					}
				}
				return
			}
			for _, as := range []string{"", "nobody"} {
				rec := h.do(as, method, path, "")
				h.wantProblem(rec, 401, tenure.Unauthenticated)
				if rec.Header().Get("WWW-Authenticate") != "Bearer" {
					t.Error("no WWW-Authenticate")
				}
			}
			for _, role := range tenure.Roles {
				rec := h.do(string(role), method, path, "")
				if !slices.Contains(want[op], role) {
					h.wantProblem(rec, 403, tenure.Forbidden)
				} else if rec.Code == http.StatusForbidden || rec.Code == http.StatusUnauthorized {
					t.Errorf("as %s: %d", role, rec.Code)
				}
			}
		})
	}
}
