package httpapi_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"tenure"
	"tenure/httpapi"
	"tenure/httpapi/admission"
)

// TestAKeyThatAsksForTooMuchIsToldWhenToAskAgain checks that a key that has used what it may is refused with the time
// after which it may ask again, that other keys and public operations are not, and that what a body asks for counts.
// The clock of the tests stands, so that no bucket fills.
func TestAKeyThatAsksForTooMuchIsToldWhenToAskAgain(t *testing.T) {
	h := newHarness(t, httpapi.Config{Rates: admission.Config{PerKey: 2, PerTenant: 10, Burst: 20}})
	refused := func(as string) int {
		t.Helper()
		rec := h.do(as, http.MethodGet, "/v1/vocabularies/predicates", "")
		if rec.Code == 200 {
			return 0
		}
		h.wantProblem(rec, 429, tenure.TooMany)
		wait, err := strconv.Atoi(rec.Header().Get("Retry-After"))
		if err != nil || wait < 1 {
			t.Errorf("Retry-After %q", rec.Header().Get("Retry-After"))
		}
		return wait
	}
	var aliases []string
	for i := range 79 {
		aliases = append(aliases, fmt.Sprintf(`"Person %d"`, i))
	}
	body := fmt.Sprintf(`{"source":{"origin":"x:1"},"mentions":[{"name":"Person","aliases":[%s]}]}`, strings.Join(aliases, ","))
	if rec := h.do("agent", http.MethodPost, "/v1/observations", body); rec.Code != 201 { // costs 11
		t.Fatalf("%d %s", rec.Code, rec.Body)
	}
	for i := range 9 {
		if wait := refused("agent"); wait != 0 {
			t.Errorf("request %d is refused", i)
		}
	}
	if wait := refused("agent"); wait != 1 { // half a second
		t.Errorf("after what time it may ask again: %d s", wait)
	}
	if refused("foreign") != 0 || h.do("", http.MethodGet, "/healthz", "").Code != 200 {
		t.Error("another tenant, or nobody, is refused for it")
	}
	if rec := h.do("nobody", http.MethodGet, "/v1/vocabularies/predicates", ""); rec.Code != 401 {
		t.Errorf("without a key: %d", rec.Code)
	}
	if refused("analyst") == 0 {
		t.Error("the bucket of the tenant is empty, and another of its keys is taken")
	}
}

// TestABatchIsSlowedDownAndNotRefused checks that every line of a batch that costs more than there is is carried out.
func TestABatchIsSlowedDownAndNotRefused(t *testing.T) {
	h := newHarness(t, httpapi.Config{Rates: admission.Config{PerKey: 1000, Burst: 5}, GroupLines: 8})
	var lines strings.Builder
	for i := range 40 {
		fmt.Fprintf(&lines, `{"source":{"origin":"x:%d"},"mentions":[{"name":"Person %d"}]}`+"\n", i, i)
	}
	rec := h.do("agent", http.MethodPost, "/v1/observations:batch", lines.String(), "Content-Type", "application/x-ndjson")
	if n := strings.Count(rec.Body.String(), `"status":201`); rec.Code != 200 || n != 40 {
		t.Errorf("%d, %d lines are written\n%.400s", rec.Code, n, rec.Body)
	}
	h.wantProblem(h.do("agent", http.MethodGet, "/v1/vocabularies/predicates", ""), 429, tenure.TooMany)
}

// TestAReadCostsItsWork checks that a key pays for what a read does: by its operation before, and by the size of the
// answer after. The clock of the tests stands, so that no bucket fills.
func TestAReadCostsItsWork(t *testing.T) {
	const units = 50
	left := func(t *testing.T, h *harness) int {
		t.Helper()
		for n := range units {
			if h.do("admin", http.MethodGet, "/v1/vocabularies/roles", "").Code != http.StatusOK {
				return n
			}
		}
		return units
	}
	for _, c := range []struct {
		behaviour, method, path, body string
		cost                          int
	}{
		{"one object", http.MethodGet, "/v1/entities/" + string(jon), "", 1},
		{"a neighborhood", http.MethodGet, "/v1/entities/" + string(jon) + "/neighborhood", "", 5},
		{"a compilation", http.MethodPost, "/v1/compile", `{"query":"Who is Jon Smith?"}`, 10},
		{"words", http.MethodPost, "/v1/recall", `{"query":"Who is Jon Smith?"}`, 10},
		{"a query", http.MethodPost, "/v1/queries/amended", `{"parameters":{}}`, 10},
		{"three names", http.MethodPost, "/v1/resolve", `{"mentions":[{"name":"Jon"},{"name":"Jan","aliases":["J."]}]}`, 4},
		{"a long list", http.MethodGet, "/v1/beliefs?limit=500", "", 1},
		{"a short one", http.MethodGet, "/v1/beliefs?limit=5", "", 1},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			h := newHarness(t, httpapi.Config{Rates: admission.Config{PerKey: 1, Burst: units}})
			h.state.entity(jon, "Jon Smith", "")
			for n := range 250 {
				h.state.belief(n, nil)
			}
			rec := h.do("admin", c.method, c.path, c.body, "Content-Type", "application/json")
			if rec.Code != http.StatusOK {
				t.Fatalf("%d %s", rec.Code, rec.Body)
			}
			want := c.cost + rec.Body.Len()/(32<<10)
			if got := units - left(t, h); got != want {
				t.Errorf("cost %d, want %d; the answer has %d bytes", got, want, rec.Body.Len())
			}
		})
	}
}
