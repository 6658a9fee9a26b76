package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"tenure"
	"tenure/auth"
	"tenure/index"
	"tenure/internal/serving"
	"tenure/service"
	"tenure/store/sqlite"
)

// front is the program without a listener.
type front struct {
	testing.TB
	handler http.Handler
	key     string
}

// newFront returns the program over a new SQLite store. Logger may be nil.
func newFront(tb testing.TB, logger *slog.Logger, tracer trace.TracerProvider) *front {
	tb.Helper()
	s, err := sqlite.Open(tb.Context(), filepath.Join(tb.TempDir(), "tenure.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	credential, key, err := auth.Issue(tenure.NewMint(time.Now()), rand.Reader, tenure.Credential{
		Tenant: "acme", Roles: tenure.Roles, Clearance: tenure.HighlyRestricted, ActFor: true,
	})
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.PutCredential(tb.Context(), credential); err != nil {
		tb.Fatal(err)
	}
	x, err := index.Open(tb.TempDir(), index.Config{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = x.Close() })
	a, err := serving.HTTP(s, service.Config{Now: time.Now, Logger: logger, Index: x},
		serving.Options{CursorKey: make([]byte, 32), Tracer: tracer})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(a.Close)
	return &front{TB: tb, handler: a.Handler, key: key}
}

// status is a ResponseWriter that keeps the status alone, as the buffers of a connection keep no answer.
type status struct {
	header http.Header
	code   int
}

func (s *status) Header() http.Header         { return s.header }
func (s *status) WriteHeader(code int)        { s.code = code }
func (s *status) Write(b []byte) (int, error) { return len(b), nil }

// post sends a request.
func (f *front) post(path string, body any) {
	f.Helper()
	b, err := json.Marshal(body)
	if err != nil {
		f.Fatal(err)
	}
	req := httptest.NewRequest(http.MethodPost, path, bytes.NewReader(b))
	req.Header.Set("Authorization", "Bearer "+f.key)
	req.Header.Set("Content-Type", "application/json")
	w := &status{header: http.Header{}}
	f.handler.ServeHTTP(w, req)
	if w.code >= 300 {
		f.Fatalf("%s: %d", path, w.code)
	}
}

// hub writes a firm and its people, with ten beliefs of each, as eval/bench does.
func (f *front) hub(people int) {
	f.Helper()
	properties := []string{"office", "title", "phone", "speaks", "desk", "manages", "trained_in", "shift", "vehicle"}
	places := strings.Fields("Chicago Lagos Lyon Osaka Oslo Porto Quito Riga Seoul Turin Vienna Warsaw")
	for i := range people {
		claims := []any{map[string]any{
			"subject": map[string]any{"mention": 0}, "predicate": "works_at", "value": map[string]any{"mention": 1},
		}}
		for n, p := range properties {
			claims = append(claims, map[string]any{"subject": map[string]any{"mention": 0}, "predicate": p,
				"value": fmt.Sprintf("%s %s %d", places[(i+n)%12], places[(5*i+3*n)%12], i)})
		}
		f.post("/v1/observations", map[string]any{
			"source": map[string]any{"origin": fmt.Sprintf("chat://%d", i), "authority_level": 2, "source_authority": .9},
			"mentions": []any{
				map[string]any{"name": fmt.Sprintf("%s Okafor H%d", places[i%12], i), "type": "person"},
				map[string]any{"name": "Alder Signal Works", "type": "organization"},
			},
			"claims": claims,
		})
	}
}

func (f *front) compile(i int) {
	f.Helper()
	f.post("/v1/compile", map[string]any{
		"query": fmt.Sprintf("Summary of Alder Signal Works, everything (%d)", i), "hops": 2, "budget_tokens": 2000,
	})
}

func cpu(tb testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCompileRequest compiles what is known of a firm and a hundred people, a thousand beliefs two hops away, with
// HTTP and the store. cpu-ns/op is of the whole process.
func BenchmarkCompileRequest(b *testing.B) {
	f := newFront(b, nil, noop.NewTracerProvider())
	f.hub(100)
	for i := range 20 {
		f.compile(-i)
	}
	b.ReportAllocs()
	began, i := cpu(b), 0
	for b.Loop() {
		f.compile(i)
		i++
	}
	b.ReportMetric(float64(cpu(b)-began)/float64(i), "cpu-ns/op")
}

// TestCompileReadsAreFew checks how many statements a compilation over two hops takes, however many entities there are
// and beliefs of them: one for each question that it asks the store. The beliefs themselves are cached.
func TestCompileReadsAreFew(t *testing.T) {
	for _, people := range []int{3, 30} {
		spans := tracetest.NewInMemoryExporter()
		f := newFront(t, nil, sdk.NewTracerProvider(sdk.WithSyncer(spans)))
		f.hub(people)
		f.compile(0)
		spans.Reset()
		f.compile(1)
		all := spans.GetSpans()
		root := all[slices.IndexFunc(all, func(s tracetest.SpanStub) bool { return s.Name == "POST /v1/compile" })]
		callers := map[trace.SpanID]string{}
		for _, s := range all {
			callers[s.SpanContext.SpanID()] = s.Name
		}
		got := map[string]int{}
		for _, s := range all {
			if s.SpanContext.TraceID() == root.SpanContext.TraceID() && strings.HasPrefix(s.Name, "SELECT ") {
				got[strings.TrimPrefix(callers[s.Parent.SpanID()], "store.")]++
			}
		}
		want := map[string]int{
			"view": 1, "aliases_by_key": 1, "entities": 2, "list_terms": 1, "relations": 2, "saying": 1, "recent": 2,
			"passages_in": 1, "live": 1, "displaced": 1, "terms": 1, "open_reviews": 1, "proposals_on": 1,
			"put_compilation": 1,
		}
		if !maps.Equal(got, want) {
			t.Errorf("%d people: statements %v, want %v", people, got, want)
		}
	}
}
