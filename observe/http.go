package observe

import (
	"net/http"

	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// TraceHeader is the response header with the trace id of the request.
const TraceHeader = "X-Trace-Id"

// Handler starts a span for each request, as a child of the span in the caller's traceparent header. The next
// handler names the span by its route: see [tenure/tracing.Request]. Without a provider there are no spans;
// the trace id of a traceparent header is in the context, in [TraceHeader] and in the log even so.
func Handler(next http.Handler, provider trace.TracerProvider) http.Handler {
	h := &handler{next: next}
	if provider != nil {
		h.tracer = provider.Tracer("tenure")
	}
	return h
}

type handler struct {
	next   http.Handler
	tracer trace.Tracer // nil while tracing is off
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	if len(r.Header["Traceparent"]) > 0 {
		ctx = propagation.TraceContext{}.Extract(ctx, propagation.HeaderCarrier(r.Header))
	}
	if h.tracer != nil {
		var span trace.Span
		ctx, span = h.tracer.Start(ctx, r.Method, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
			semconv.HTTPRequestMethodKey.String(r.Method), semconv.URLPath(r.URL.Path),
		))
		defer span.End()
	}
	if id := trace.SpanContextFromContext(ctx); id.HasTraceID() {
		w.Header().Set(TraceHeader, id.TraceID().String())
		r = r.WithContext(ctx)
	}
	h.next.ServeHTTP(w, r)
}
