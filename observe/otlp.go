package observe

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
)

// OTLP returns a provider that sends spans to a collector by OTLP over HTTP. The standard variables of
// OpenTelemetry configure the endpoint, the sampling and the service name (OTEL_EXPORTER_OTLP_ENDPOINT and
// its like, OTEL_TRACES_SAMPLER, OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES). The caller must shut the
// provider down, which sends the remaining spans.
func OTLP(ctx context.Context) (*trace.TracerProvider, error) {
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("tracing: %w", err)
	}
	described, err := resource.New(ctx,
		resource.WithAttributes(semconv.ServiceName("tenure"), semconv.ServiceVersion(ReadBuild().Version)),
		resource.WithTelemetrySDK(), resource.WithHost(), resource.WithProcessPID(),
		resource.WithFromEnv(), // last, so that the operator's settings take precedence
	)
	if err != nil {
		return nil, fmt.Errorf("tracing: %w", err)
	}
	return trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(described)), nil
}
