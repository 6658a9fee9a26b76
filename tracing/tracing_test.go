package tracing_test

import (
	"context"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"tenure/tracing"
)

func recording(t *testing.T) (trace.Tracer, *tracetest.InMemoryExporter) {
	t.Helper()
	spans := tracetest.NewInMemoryExporter()
	return sdk.NewTracerProvider(sdk.WithSyncer(spans)).Tracer("test"), spans
}

// Statements are grouped by verb and target; a span has their text and never their parameters.
func TestStatement(t *testing.T) {
	tracer, spans := recording(t)
	ctx, _ := tracer.Start(t.Context(), "root")
	for text, want := range map[string]string{
		"SELECT body FROM log WHERE tenant = ?1":                                      "SELECT log",
		"SELECT e.body FROM json_each(?3) j CROSS JOIN entity e WHERE e.id = j.value": "SELECT entity",
		"INSERT OR IGNORE INTO slot (tenant) VALUES (?)":                              "INSERT slot",
		"UPDATE claim SET tx_end = ?1":                                                "UPDATE claim",
		"BEGIN IMMEDIATE":                                                             "BEGIN",
		"COMMIT":                                                                      "COMMIT",
		"PRAGMA integrity_check":                                                      "PRAGMA",
		"UNWIND $ids AS id\nMATCH (n:Entity {tenant: $tenant, id: id}) RETURN n.body": "MATCH Entity",
		"UNWIND $rows AS r\nMERGE (e:Entity {id: r.id})":                              "MERGE Entity",
		"CREATE (:Touch {tenant: $tenant})":                                           "CREATE Touch",
		"SELECT (SELECT body FROM standing) FROM json_each(?3) j":                     "SELECT standing",
		"explain": "statement",
		"MATCH (:Belief {id: $id})<-[:SUPERSEDES]-(b:Belief) WHERE b.tx_start <= $at RETURN b": "MATCH Belief",
	} {
		spans.Reset()
		_, span := tracing.Statement(ctx, "sqlite", text)
		span.End("unavailable")
		got := spans.GetSpans()[0]
		if got.Name != want {
			t.Errorf("%q is called %q, not %q", text, got.Name, want)
		}
		attributes := map[string]string{}
		for _, a := range got.Attributes {
			attributes[string(a.Key)] = a.Value.String()
		}
		if attributes["db.query.text"] != text || attributes["db.system.name"] != "sqlite" || attributes["error.type"] != "unavailable" {
			t.Errorf("%q has the attributes %v", text, attributes)
		}
	}
}

// Shared work is in the trace of each caller: as a span with children in the first, as a span with a link to
// it in the others.
func TestShare(t *testing.T) {
	tracer, spans := recording(t)
	first, a := tracer.Start(t.Context(), "a")
	second, b := tracer.Start(t.Context(), "b")
	callers := []context.Context{t.Context(), first, first, second}
	ctx, shared := tracing.Share(t.Context(), "group", len(callers), func(i int) context.Context { return callers[i] })
	_, beneath := tracing.Start(ctx, "read")
	beneath.End("")
	shared.End("")
	var group trace.SpanContext
	got := map[string]int{}
	for _, s := range spans.GetSpans() {
		name := s.Name
		switch s.SpanContext.TraceID() {
		case a.SpanContext().TraceID():
			name += " in a"
			if s.Name == "group" {
				group = s.SpanContext
			}
		case b.SpanContext().TraceID():
			name += " in b"
			if len(s.Links) != 1 || s.Links[0].SpanContext.SpanID() != group.SpanID() {
				t.Errorf("the span of the second caller has the links %v", s.Links)
			}
		}
		got[name]++
	}
	if len(got) != 3 || got["group in a"] != 1 || got["read in a"] != 1 || got["group in b"] != 1 {
		t.Errorf("got %v", got)
	}
}

// Tracing that is off allocates nothing.
func TestOff(t *testing.T) {
	ctx := t.Context()
	allocated := testing.AllocsPerRun(100, func() {
		inner, span := tracing.Start(ctx, "a")
		if span.On() || inner != ctx {
			t.Error("a span is made")
		}
		span.End("internal")
		_, span = tracing.Statement(ctx, "sqlite", "SELECT 1")
		span.End("")
		tracing.Request(ctx, "GET", "/v1", 200)
		_, shared := tracing.Share(ctx, "group", 2, func(int) context.Context { return ctx })
		shared.End("")
	})
	if allocated != 0 {
		t.Errorf("%v allocations", allocated)
	}
}
