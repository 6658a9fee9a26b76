package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tenure"
	"tenure/httpapi"
)

// reads are requests whose reading of the store ends when it is told to.
type reads struct {
	*harness

	begun chan string   // the names of those that have begun to read
	end   chan struct{} // ends one of them for each value
	sent  sync.WaitGroup
}

type readName struct{}

func newReads(t *testing.T, cfg httpapi.Config) *reads {
	r := &reads{harness: newHarness(t, cfg), begun: make(chan string), end: make(chan struct{})}
	r.state.entity(jon, "Jon Smith", "")
	pass := func(ctx context.Context) {
		if name, ok := ctx.Value(readName{}).(string); ok {
			r.begun <- name
			<-r.end
		}
	}
	r.state.gate.Store(&pass)
	return r
}

// send sends a request and returns where its answer will be.
func (r *reads) send(ctx context.Context, name, as, method, path, body string) <-chan *httptest.ResponseRecorder {
	answer := make(chan *httptest.ResponseRecorder, 1)
	req := httptest.NewRequestWithContext(context.WithValue(ctx, readName{}, name), method, path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+as)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	r.sent.Go(func() {
		rec := httptest.NewRecorder()
		r.handler.ServeHTTP(rec, req)
		answer <- rec
	})
	return answer
}

func (r *reads) entity(name, as string) <-chan *httptest.ResponseRecorder {
	return r.send(r.t.Context(), name, as, http.MethodGet, "/v1/entities/"+string(jon), "")
}

// waiting waits until so many reads wait for their turn.
func (r *reads) waiting(n int) {
	r.t.Helper()
	want := fmt.Sprintf("\ntenure_http_reads_waiting %d\n", n)
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		metrics := r.do("", http.MethodGet, "/metrics", "").Body.String()
		if strings.Contains(metrics, want) {
			return
		}
		if time.Now().After(end) {
			_, rest, _ := strings.Cut(metrics, "\ntenure_http_reads_waiting ")
			r.t.Fatalf("%.5q reads wait, want %d", rest, n)
		}
	}
}

func (r *reads) wantBegun(names ...string) {
	r.t.Helper()
	for _, want := range names {
		if got := <-r.begun; got != want {
			r.t.Errorf("%s has begun, want %s", got, want)
		}
	}
}

// TestReadsGoInTurn checks that, while the reads of one tenant take all slots and more of them wait, that of another
// tenant is the next but one, and that of another key of the tenant does not wait for all of the first.
func TestReadsGoInTurn(t *testing.T) {
	r := newReads(t, httpapi.Config{Reads: 1})
	answers := []<-chan *httptest.ResponseRecorder{r.entity("busy0", "agent")}
	r.wantBegun("busy0")
	for i := 1; i <= 5; i++ {
		answers = append(answers, r.entity(fmt.Sprint("busy", i), "agent"))
		r.waiting(i)
	}
	answers = append(answers, r.entity("other key", "analyst"))
	r.waiting(6)
	quiet := r.entity("quiet", "foreign")
	r.waiting(7)
	for _, next := range []string{"busy1", "quiet", "other key", "busy2", "busy3", "busy4", "busy5"} {
		r.end <- struct{}{}
		r.wantBegun(next)
	}
	r.end <- struct{}{}
	for _, answer := range answers {
		if rec := <-answer; rec.Code != http.StatusOK {
			t.Errorf("%d %s", rec.Code, rec.Body)
		}
	}
	r.wantProblem(<-quiet, http.StatusNotFound, tenure.NotFound) // the entity is of the busy tenant
}

// TestAFirstReadOfATenantFindsASlot checks that one tenant does not take the last slot beside its others.
func TestAFirstReadOfATenantFindsASlot(t *testing.T) {
	r := newReads(t, httpapi.Config{Reads: 2})
	r.entity("busy0", "agent")
	r.wantBegun("busy0")
	r.entity("busy1", "agent")
	r.waiting(1)
	r.entity("quiet", "foreign")
	r.wantBegun("quiet")
	r.end <- struct{}{}
	r.end <- struct{}{}
	r.wantBegun("busy1")
	r.end <- struct{}{}
	r.sent.Wait()
}

// TestWhatTakesTurns checks which requests wait while all slots are taken, and that they are given up when their clients
// hang up.
func TestWhatTakesTurns(t *testing.T) {
	const observation = `{"source":{"origin":"x:1"},"mentions":[{"name":"Ada Byron"}]}`
	r := newReads(t, httpapi.Config{Reads: 1})
	r.entity("first", "admin")
	r.wantBegun("first")
	ctx, hangUp := context.WithCancel(t.Context())
	var answers []<-chan *httptest.ResponseRecorder
	for i, c := range []struct{ method, path, body string }{
		{http.MethodGet, "/v1/beliefs", ""},
		{http.MethodGet, "/v1/changes", ""},
		{http.MethodPost, "/v1/compile", `{"query":"Who is Jon Smith?"}`},
		{http.MethodPost, "/v1/recall", `{"query":"Who is Jon Smith?"}`},
		{http.MethodPost, "/v1/resolve", `{"mentions":[{"name":"Jon Smith"}]}`},
		{http.MethodPost, "/v1/compare", `{"left":{"name":"Jon Smith"},"right":{"name":"John Smith"}}`},
		{http.MethodPost, "/v1/compilations/" + string(unknown) + "/check", `{"answer":"{}"}`},
		{http.MethodPost, "/v1/compilations/" + string(unknown) + "/replay", ""},
		{http.MethodPost, "/v1/queries/open_contradictions", `{"parameters":{}}`},
		{http.MethodPost, "/v1/observations?dry_run=true", observation},
	} {
		answers = append(answers, r.send(ctx, c.path, "admin", c.method, c.path, c.body))
		r.waiting(i + 1)
	}
	for _, path := range []string{"/healthz", "/readyz", "/openapi.yaml"} {
		if rec := r.do("", http.MethodGet, path, ""); rec.Code != http.StatusOK {
			t.Errorf("%s: %d %s", path, rec.Code, rec.Body)
		}
	}
	if rec := r.do("agent", http.MethodPost, "/v1/observations", observation); rec.Code != http.StatusCreated {
		t.Errorf("a write: %d %s", rec.Code, rec.Body)
	}
	hangUp()
	for _, answer := range answers {
		r.wantProblem(<-answer, http.StatusServiceUnavailable, tenure.Unavailable)
	}
	r.waiting(0)
	r.entity("after", "admin")
	r.waiting(1)
	r.end <- struct{}{}
	r.wantBegun("after") // and nothing that was given up
	r.end <- struct{}{}
	r.sent.Wait()
}

// slowWriter says when an answer comes, and takes it once it is told to.
type slowWriter struct {
	*httptest.ResponseRecorder

	comes, take chan struct{}
}

func (w slowWriter) Write(p []byte) (int, error) {
	w.comes <- struct{}{}
	<-w.take
	return w.ResponseRecorder.Write(p)
}

// TestASlowClientHoldsNoSlot checks that no slot is taken while a body comes in, nor while an answer is taken.
func TestASlowClientHoldsNoSlot(t *testing.T) {
	r := newReads(t, httpapi.Config{Reads: 1})
	body, send := io.Pipe()
	sends := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/recall", body)
	sends.Header.Set("Content-Type", "application/json")
	takes := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v1/entities/"+string(jon), nil)
	w := slowWriter{httptest.NewRecorder(), make(chan struct{}, 9), make(chan struct{})}
	for _, req := range []*http.Request{sends, takes} {
		req.Header.Set("Authorization", "Bearer agent")
	}
	r.sent.Go(func() { r.handler.ServeHTTP(httptest.NewRecorder(), sends) })
	if _, err := send.Write([]byte("{")); err != nil { // returns once it is read
		t.Fatal(err)
	}
	r.sent.Go(func() { r.handler.ServeHTTP(w, takes) })
	<-w.comes
	r.entity("other", "agent")
	r.wantBegun("other")
	r.end <- struct{}{}
	close(w.take)
	_ = send.Close()
	r.sent.Wait()
}

// TestWhereTooManyReadsWait checks that a read beyond those that may wait is refused at once, and one that waits too
// long when its time is over, both with the time after which to come again; and that another tenant still has its share.
func TestWhereTooManyReadsWait(t *testing.T) {
	refused := func(r *reads, rec *httptest.ResponseRecorder) {
		t.Helper()
		r.wantProblem(rec, http.StatusServiceUnavailable, tenure.Unavailable)
		if wait, err := strconv.Atoi(rec.Header().Get("Retry-After")); err != nil || wait < 1 {
			t.Errorf("Retry-After %q", rec.Header().Get("Retry-After"))
		}
	}
	t.Run("too-many", func(t *testing.T) {
		r := newReads(t, httpapi.Config{Reads: 1, WaitingReads: 2})
		r.entity("first", "agent")
		r.wantBegun("first")
		for i := range 2 {
			r.entity("waits", "agent")
			r.waiting(i + 1)
		}
		refused(r, r.do("agent", http.MethodGet, "/v1/entities/"+string(jon), ""))
		r.entity("quiet", "foreign")
		r.waiting(3)
		for _, next := range []string{"waits", "quiet", "waits"} {
			r.end <- struct{}{}
			r.wantBegun(next)
		}
		r.end <- struct{}{}
		r.sent.Wait()
	})
	t.Run("too-long", func(t *testing.T) {
		r := newReads(t, httpapi.Config{Reads: 1, Timeout: 3 * time.Second})
		r.entity("first", "agent")
		r.wantBegun("first")
		refused(r, r.do("foreign", http.MethodGet, "/v1/entities/"+string(jon), ""))
		r.end <- struct{}{}
		r.sent.Wait()
	})
}
