// Package observe makes the service observable: metrics, spans and the trace id in
// the log.
//
// In comes a store, an HTTP handler or a logger; out goes one that does the same
// and is measured or traced. There is no rule here. Spans begin at [Handler], and
// only there: what is beneath makes its own by package tracing, or none while
// tracing is off.
package observe
