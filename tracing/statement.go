package tracing

import (
	"context"
	"regexp"
	"strings"

	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// Statement starts the span of a database statement: system is the name of the database in the semantic
// conventions, text the statement with placeholders.
func Statement(ctx context.Context, system, text string) (context.Context, Span) {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return ctx, Span{}
	}
	summary := summarize(text)
	return start(ctx, summary, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		semconv.DBSystemNameKey.String(system), semconv.DBQueryText(text), semconv.DBQuerySummary(summary),
	))
}

var (
	verb = regexp.MustCompile(`(?i)\b(SELECT|INSERT|UPDATE|DELETE|BEGIN|COMMIT|ROLLBACK|PRAGMA|MATCH|MERGE|CREATE)\b`)
	// target matches a table after its keyword, or the label of a node. json_each is not a table: lists of
	// parameters are passed by it.
	target = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|INTO|UPDATE)\s+(\w+)|\(\w*:(\w+)`)
)

// summarize returns a statement's first verb and the first table or label that it works on: few enough values
// to group spans by.
func summarize(text string) string {
	name := strings.ToUpper(verb.FindString(text))
	for _, m := range target.FindAllStringSubmatch(text, -1) {
		if found := m[1] + m[2]; !strings.EqualFold(found, "json_each") && !strings.EqualFold(found, "SELECT") {
			return strings.TrimSpace(name + " " + found)
		}
	}
	if name == "" {
		return "statement"
	}
	return name
}
