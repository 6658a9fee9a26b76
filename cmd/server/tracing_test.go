package main

import (
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// traced is a service on SQLite whose spans are kept in memory.
type traced struct {
	*testing.T
	handler http.Handler
	key     string
	log     lines
	spans   *tracetest.InMemoryExporter
}

// lines collects log lines.
type lines struct {
	mu   sync.Mutex
	list []string
}

func (l *lines) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, string(line))
	return len(line), nil
}

// with returns the first line that contains all of the texts.
func (l *lines) with(texts ...string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, line := range l.list {
		if !slices.ContainsFunc(texts, func(t string) bool { return !strings.Contains(line, t) }) {
			return line
		}
	}
	return ""
}

func newTraced(t *testing.T) *traced {
	tr := &traced{T: t, spans: tracetest.NewInMemoryExporter()}
	f := newFront(t, slog.New(slog.NewJSONHandler(&tr.log, nil)), sdk.NewTracerProvider(sdk.WithSyncer(tr.spans)))
	tr.handler, tr.key = f.handler, f.key
	return tr
}

// post sends a request below the caller's span and returns the spans that it produced.
func (tr *traced) post(path, body, traceparent string) tracetest.SpanStubs {
	tr.Helper()
	tr.spans.Reset()
	req := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+tr.key)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Traceparent", traceparent)
	rec := httptest.NewRecorder()
	tr.handler.ServeHTTP(rec, req)
	if rec.Code >= 300 {
		tr.Fatalf("%d %s", rec.Code, rec.Body)
	}
	id := strings.Split(traceparent, "-")[1]
	if got := rec.Header().Get("X-Trace-Id"); got != id {
		tr.Errorf("the answer is of the trace %q", got)
	}
	if line := tr.log.with(`"msg":"request"`, id); !strings.Contains(line, `"trace_id":"`+id+`"`) {
		tr.Errorf("the log line of the request is not of its trace: %s", line)
	}
	return slices.DeleteFunc(tr.spans.GetSpans(), func(s tracetest.SpanStub) bool {
		return s.SpanContext.TraceID().String() != id // spans of background work
	})
}

// paths lists for each span the names from the root span down to it.
func paths(t *testing.T, spans tracetest.SpanStubs) []string {
	t.Helper()
	byID := map[trace.SpanID]tracetest.SpanStub{}
	for _, s := range spans {
		byID[s.SpanContext.SpanID()] = s
	}
	list := make([]string, 0, len(spans))
	for _, s := range spans {
		path := s.Name
		for up := s; !up.Parent.IsRemote(); path = up.Name + " > " + path {
			var ok bool
			if up, ok = byID[up.Parent.SpanID()]; !ok {
				t.Fatalf("%s hangs on nothing", path)
			}
		}
		list = append(list, path)
	}
	return list
}

func (tr *traced) wantPaths(spans tracetest.SpanStubs, want ...string) {
	tr.Helper()
	got := paths(tr.T, spans)
	for _, p := range want {
		if !slices.Contains(got, p) {
			tr.Errorf("no span %q among\n%s", p, strings.Join(got, "\n"))
		}
	}
	for _, s := range spans {
		for _, a := range s.Attributes {
			for _, said := range []string{"Zaphod", "Magrathea", "acme"} {
				if strings.Contains(a.Value.String(), said) {
					tr.Errorf("the span %q holds what was said: %s is %s", s.Name, a.Key, a.Value.String())
				}
			}
		}
	}
}

// TestTracing checks that a request is traced from the edge to each statement, and that no span contains
// content.
func TestTracing(t *testing.T) {
	tr := newTraced(t)
	spans := tr.post("/v1/observations", `{"source": {"origin": "chat://1", "authority_level": 2},
		"mentions": [{"name": "Zaphod Beeblebrox", "type": "person"}],
		"claims": [{"subject": {"mention": 0}, "predicate": "office", "value": "Magrathea", "object_type": "identity_fact"}]}`,
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	const observe = "POST /v1/observations > Observe > ledger.group"
	tr.wantPaths(spans,
		"POST /v1/observations > store.credential > SELECT credential",
		observe+" > store.view > SELECT log",
		observe+" > ledger.prefetch > store.aliases_by_key > SELECT alias",
		observe+" > ledger.decide",
		observe+" > store.apply > BEGIN",
		observe+" > store.apply > INSERT claim",
		observe+" > store.apply > COMMIT",
	)
	spans = tr.post("/v1/compile", `{"task": {"type": "analytical_reporting", "name": "label"},
		"query": "Where does Zaphod Beeblebrox work?", "budget_tokens": 500, "provider": "plain",
		"identity": {"name": "Ann", "roles": ["guide"]}, "environment": {"language": "English"}}`,
		"00-1bf7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	tr.wantPaths(spans,
		"POST /v1/compile > Compile > store.view > SELECT log",
		"POST /v1/compile > Compile > store.live > SELECT standing",
		"POST /v1/compile > Compile > store.put_compilation > COMMIT",
	)
}

// TestStartTracing checks that the standard variables select whether and where spans are exported.
func TestStartTracing(t *testing.T) {
	var sent atomic.Int64
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/v1/traces" {
			sent.Add(1)
		}
	}))
	defer collector.Close()
	endpoint := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": collector.URL}
	for _, c := range []struct {
		name string
		env  map[string]string
		on   bool
		err  string
	}{
		{"off", nil, false, ""},
		{"on", endpoint, true, ""},
		{"endpoint-of-traces", map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": collector.URL + "/v1/traces"}, true, ""},
		{"disabled", map[string]string{"OTEL_SDK_DISABLED": "true"}, false, ""},
		{"no-exporter", map[string]string{"OTEL_TRACES_EXPORTER": "none"}, false, ""},
		{"another-protocol", map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, false, "http/protobuf only"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !c.on && c.name != "off" {
				maps.Copy(c.env, endpoint)
			}
			for name, value := range c.env {
				t.Setenv(name, value)
			}
			sent.Store(0)
			provider, stop, err := startTracing(t.Context(), slog.New(slog.DiscardHandler))
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if on := provider != nil; on != c.on {
				t.Fatalf("tracing is on: %v", on)
			}
			if c.on {
				_, span := provider.Tracer("test").Start(t.Context(), "work")
				span.End()
			}
			stop()
			if got := sent.Load() > 0; got != c.on {
				t.Errorf("spans were sent: %v", got)
			}
		})
	}
}
