// Package tracing makes OpenTelemetry spans beneath the span that a context
// carries.
//
// In comes the context of a request; out goes one with a span of the next layer.
// Nothing is configured here: a context without a recording span, which is every
// one while tracing is off, gives none, and costs one look-up in the context. The
// rule here is that spans name what is done and never hold what was said:
// statements go without their parameters, errors as their codes.
package tracing
