package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/trace"

	"tenure/observe"
)

// flushTimeout bounds how long a stopping server takes to export its last spans.
const flushTimeout = 5 * time.Second

// startTracing returns the tracer provider configured by the standard OpenTelemetry variables, nil where they
// name no collector. Stop exports the remaining spans.
func startTracing(ctx context.Context, logger *slog.Logger) (provider trace.TracerProvider, stop func(), err error) {
	endpoint := os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") + os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	off := os.Getenv("OTEL_SDK_DISABLED") == "true" || os.Getenv("OTEL_TRACES_EXPORTER") == "none"
	if endpoint == "" || off {
		return nil, func() {}, nil
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"} {
		if p := os.Getenv(name); p != "" && p != "http/protobuf" {
			return nil, nil, fmt.Errorf("%s is %q: spans are sent by http/protobuf only", name, p)
		}
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		logger.LogAttrs(context.Background(), slog.LevelWarn, "spans were lost", slog.String("error", err.Error()))
	}))
	sdk, err := observe.OTLP(ctx)
	if err != nil {
		return nil, nil, err
	}
	return sdk, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
		defer cancel()
		if err := sdk.Shutdown(ctx); err != nil {
			otel.Handle(err)
		}
	}, nil
}
