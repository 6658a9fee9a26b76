// Package tracing makes OpenTelemetry spans beneath the span that a context carries.
//
// In comes the context of a request; out goes a context with a span of the next layer. Nothing is configured
// here: a context without a recording span, which is every context while tracing is off, yields no span and
// costs one look-up in the context. The rule enforced here is that spans name what is done and never hold
// content: statements are recorded without their parameters, errors as their codes.
package tracing
