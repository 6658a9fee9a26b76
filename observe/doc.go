// Package observe makes the service observable: metrics, spans and the trace id in the log.
//
// In comes a store, an HTTP handler or a logger; out goes one that does the same and is measured or traced.
// The package holds no rules. Spans begin at [Handler] only; the layers beneath make theirs by package
// tracing, or none while tracing is off.
package observe
