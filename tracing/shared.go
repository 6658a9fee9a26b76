package tracing

import (
	"context"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// Shared is a span of work that is done for several callers together.
type Shared struct {
	own    Span
	others []trace.Span // the other callers' spans, each in its own trace
}

// Share starts a span for work that is done for n callers together; caller returns the context of one caller.
// The span is a child of the first traced caller's; each other trace gets a span of its own with a link to
// it. The returned context takes only the span from the callers.
func Share(ctx context.Context, name string, n int, caller func(i int) context.Context) (context.Context, Shared) {
	var s Shared
	for i := range n {
		parent := trace.SpanFromContext(caller(i))
		if !parent.IsRecording() || s.has(parent) {
			continue
		}
		if !s.own.On() {
			ctx, s.own = start(trace.ContextWithSpan(ctx, parent), name)
			s.own.Set(attribute.Int("tenure.group_size", n))
			continue
		}
		_, other := start(caller(i), name, trace.WithLinks(trace.Link{SpanContext: s.own.span.SpanContext()}))
		s.others = append(s.others, other.span)
	}
	return ctx, s
}

// has reports whether one of the shared spans is in the trace of the span.
func (s Shared) has(of trace.Span) bool {
	id := of.SpanContext().TraceID()
	if s.own.On() && s.own.span.SpanContext().TraceID() == id {
		return true
	}
	for _, o := range s.others {
		if o.SpanContext().TraceID() == id {
			return true
		}
	}
	return false
}

// End ends the spans of all callers.
func (s Shared) End(failure string) {
	s.own.End(failure)
	for _, o := range s.others {
		Span{o}.End(failure)
	}
}
