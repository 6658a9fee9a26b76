package httpapi_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"tenure"
	"tenure/api"
	"tenure/httpapi"
)

func (h *harness) write(n int) int {
	h.t.Helper()
	body := fmt.Sprintf(`{"source":{"origin":"x:%d"},"mentions":[{"name":"Person %d"}]}`, n, n)
	return h.do("agent", http.MethodPost, "/v1/observations", body).Code
}

// TestReadinessTellsWhetherWritesSucceed checks that the service is not ready while no write succeeds, that it says
// nothing of why, and that it is ready again once one succeeds: that of a caller or its own.
func TestReadinessTellsWhetherWritesSucceed(t *testing.T) {
	for _, c := range []struct {
		name string
		code tenure.Code
		// heals is how the service finds out that the store takes writes again
		heals func(h *harness) int
		ready bool
	}{
		{"no-room-then-a-write", tenure.Unavailable, func(h *harness) int { return h.write(99) }, false},
		{"read-only-then-a-write", tenure.Internal, func(h *harness) int { return h.write(99) }, false},
		{"no-room-then-nobody-writes", tenure.Unavailable, func(*harness) int { return 201 }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, httpapi.Config{})
			h.state.Fail(&tenure.Error{Code: c.code, Message: "secret path", Err: context.Canceled})
			for i := range 3 {
				if code := h.write(i); code < 500 {
					t.Errorf("a write that fails: %d", code)
				}
			}
			if !c.ready { // the clock of the tests stands: there is one probe
				rec := h.do("", http.MethodGet, "/readyz", "")
				h.wantProblem(rec, 503, tenure.Unavailable)
				if strings.Contains(rec.Body.String(), "secret") {
					t.Errorf("the answer says why: %s", rec.Body)
				}
			}
			h.state.Fail(nil)
			if code := c.heals(h); code != 201 {
				t.Errorf("a write afterwards: %d", code)
			}
			if rec := h.do("", http.MethodGet, "/readyz", ""); rec.Code != 200 {
				t.Errorf("afterwards: %d %s", rec.Code, rec.Body)
			}
		})
	}
}

// TestConflictsAndRefusalsAreNoReason checks that what is wrong with requests does not make the service unready.
func TestConflictsAndRefusalsAreNoReason(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.Fail(&tenure.Error{Code: tenure.TooLarge, Message: "too large"})
	for i := range 5 {
		h.write(i)
	}
	if rec := h.do("", http.MethodGet, "/readyz", ""); rec.Code != 200 {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

// TestAPoisonedEntryParksItsConsumers checks that entries of the log on which the consumers of the changefeed panic end
// neither the process nor the writes of their tenant, nor anything of another tenant; and that readiness tells of them
// without what is in them.
func TestAPoisonedEntryParksItsConsumers(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.poisoned.Store(true)
	h.state.entity(jon, "Jon Smith", "")
	ask := `{"mentions":[{"name":"Jon Smith"}]}`
	h.do("agent", http.MethodPost, "/v1/resolve", ask) // follows the tenant, whatever becomes of it
	want, parked := api.ParkedConsumer{Consumer: "index", Tenants: 1}, []api.ParkedConsumer(nil)
	for end := time.Now().Add(time.Minute); !slices.Contains(parked, want); time.Sleep(time.Millisecond) {
		if parked = decodeInto[api.Readiness](t, h.do("", http.MethodGet, "/readyz", ""), 200).Parked; time.Now().After(end) {
			t.Fatalf("the index is not parked: %+v", parked)
		}
	}
	h.state.poisoned.Store(false)
	if code := h.write(1); code != 201 {
		t.Errorf("a write of the tenant: %d", code)
	}
	if rec := h.do("agent", http.MethodGet, "/v1/entities/"+string(jon), ""); rec.Code != 200 {
		t.Errorf("a read of the tenant: %d", rec.Code)
	}
	other := `{"source":{"origin":"x:1"},"mentions":[{"name":"Person"}]}`
	if rec := h.do("foreign", http.MethodPost, "/v1/observations", other); rec.Code != 201 {
		t.Errorf("a write of another tenant: %d %s", rec.Code, rec.Body)
	}
	if err := h.service.Worker().CatchUp(t.Context(), "other"); err != nil {
		t.Errorf("the other tenant's log: %v", err)
	}
	rec := h.do("", http.MethodGet, "/readyz", "")
	if rec.Code != 200 || !strings.Contains(rec.Body.String(), `"consumer":"index"`) || strings.Contains(rec.Body.String(), "Ottilie") {
		t.Errorf("%d %s", rec.Code, rec.Body)
	}
}

// TestReadsWhileWritesAreUnderWay checks that reads are answered while the store holds a write up.
func TestReadsWhileWritesAreUnderWay(t *testing.T) {
	h := newHarness(t, httpapi.Config{})
	h.state.entity(jon, "Jon Smith", "")
	release, begun := make(chan struct{}), make(chan struct{})
	h.state.holds(func() { close(begun); <-release })
	done := make(chan int)
	go func() { done <- h.write(1) }()
	<-begun
	if rec := h.do("agent", http.MethodGet, "/v1/entities/"+string(jon), ""); rec.Code != 200 {
		t.Errorf("a read: %d", rec.Code)
	}
	other := `{"source":{"origin":"x:1"},"mentions":[{"name":"Person"}]}`
	if rec := h.do("foreign", http.MethodPost, "/v1/observations", other); rec.Code != 201 {
		t.Errorf("a write of another tenant: %d", rec.Code)
	}
	close(release)
	if code := <-done; code != 201 {
		t.Errorf("the write that was held up: %d", code)
	}
}
