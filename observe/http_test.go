package observe_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"tenure/observe"
)

const (
	traceID = "0af7651916cd43dd8448eb211c80319c"
	parent  = "00-" + traceID + "-b7ad6b7169203331-01"
)

// serve sends a request and returns its answer and what the handler logged.
func serve(provider trace.TracerProvider, traceparent string) (answer http.Header, log string) {
	var out bytes.Buffer
	logger := observe.Logger(slog.New(slog.NewTextHandler(&out, nil)))
	h := observe.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		logger.InfoContext(r.Context(), "served")
	}), provider)
	req := httptest.NewRequest(http.MethodGet, "/v1/changes", http.NoBody)
	if traceparent != "" {
		req.Header.Set("Traceparent", traceparent)
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	return rec.Header(), out.String()
}

func TestHandler(t *testing.T) {
	spans := tracetest.NewInMemoryExporter()
	provider := sdk.NewTracerProvider(sdk.WithSyncer(spans))
	for _, c := range []struct {
		name, traceparent string
		provider          trace.TracerProvider
		want              string // the trace ID of answer and log, "new" for any
		spans             int
	}{
		{"off", "", nil, "", 0},
		{"off-beneath-a-caller", parent, nil, traceID, 0},
		{"off-beneath-nonsense", "00-zz", nil, "", 0},
		{"on", "", provider, "new", 1},
		{"on-beneath-a-caller", parent, provider, traceID, 1},
		{"on-beneath-a-caller-who-does-not-sample", strings.TrimSuffix(parent, "1") + "0", provider, traceID, 0},
		{"on-beneath-nonsense", "00-zz", provider, "new", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			spans.Reset()
			answer, log := serve(c.provider, c.traceparent)
			made := spans.GetSpans()
			if len(made) != c.spans {
				t.Fatalf("%d spans, not %d", len(made), c.spans)
			}
			want := c.want
			if want == "new" {
				want = made[0].SpanContext.TraceID().String()
			}
			if got := answer.Get(observe.TraceHeader); got != want {
				t.Errorf("the answer is of the trace %q, not %q", got, want)
			}
			if got := strings.Contains(log, "trace_id="); got != (want != "") || !strings.Contains(log, want) {
				t.Errorf("the log is not of the trace %q: %s", want, log)
			}
		})
	}
}

// Outside a request the logger adds nothing.
func TestLogger(t *testing.T) {
	var out bytes.Buffer
	logger := observe.Logger(slog.New(slog.NewTextHandler(&out, nil))).With("tenant", "acme").WithGroup("index")
	logger.InfoContext(context.Background(), "built", "names", 3)
	if got := out.String(); !strings.Contains(got, "tenant=acme index.names=3") || strings.Contains(got, "trace_id") {
		t.Error(got)
	}
}

func TestProcess(t *testing.T) {
	reg := prometheus.NewRegistry()
	if err := observe.Process(reg); err != nil {
		t.Fatal(err)
	}
	families, err := reg.Gather()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range families {
		found[f.GetName()] = true
	}
	for _, name := range []string{"tenure_build_info", "go_goroutines", "process_resident_memory_bytes"} {
		if !found[name] {
			t.Errorf("there is no metric %s", name)
		}
	}
}

// BenchmarkHandler measures the overhead on a request while nothing is traced.
func BenchmarkHandler(b *testing.B) {
	next := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	for _, kind := range []string{"bare", "off", "traced"} {
		b.Run(kind, func(b *testing.B) {
			h := http.Handler(next)
			switch kind {
			case "off":
				h = observe.Handler(next, nil)
			case "traced":
				h = observe.Handler(next, sdk.NewTracerProvider())
			}
			req, rec := httptest.NewRequest(http.MethodGet, "/v1/changes", http.NoBody), httptest.NewRecorder()
			b.ReportAllocs()
			for b.Loop() {
				h.ServeHTTP(rec, req)
			}
		})
	}
}
