package tracing

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// scope is the instrumentation scope of the spans.
const scope = "tenure"

// Span is a span that ends with the code of an error. The zero Span records nothing.
type Span struct{ span trace.Span }

// Start starts a child of the span in the context. It returns the context unchanged if nothing is traced.
func Start(ctx context.Context, name string) (context.Context, Span) {
	return start(ctx, name)
}

func start(ctx context.Context, name string, opts ...trace.SpanStartOption) (context.Context, Span) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, Span{}
	}
	ctx, span := parent.TracerProvider().Tracer(scope).Start(ctx, name, opts...)
	return ctx, Span{span}
}

// On reports whether the span records anything, so that callers can skip building attributes.
func (s Span) On() bool { return s.span != nil }

// Set adds attributes to the span.
func (s Span) Set(attributes ...attribute.KeyValue) {
	if s.span != nil {
		s.span.SetAttributes(attributes...)
	}
}

// End ends the span. Failure is the code of the error that the work ended with, "" for none.
func (s Span) End(failure string) {
	if s.span == nil {
		return
	}
	if failure != "" {
		s.span.SetStatus(codes.Error, failure)
		s.span.SetAttributes(semconv.ErrorTypeKey.String(failure))
	}
	s.span.End()
}

// Request names the span of an HTTP request, which began before its route was known, and records the status
// of its response.
func Request(ctx context.Context, method, route string, status int) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	span.SetName(method + " " + route)
	span.SetAttributes(semconv.HTTPRoute(route), semconv.HTTPResponseStatusCode(status))
	if status >= 500 {
		span.SetStatus(codes.Error, "")
	}
}
