// Package httpapi serves the operations of api/openapi.yaml over HTTP.
//
// In come requests; out go answers and RFC 9457 problems. The rules here are
// those of the wire: what JSON is taken (binder.go), how an error becomes a
// status (problem.go, the only place), who may call what (x-roles of the
// document), how pages stay stable (cursor.go), and what of a state a caller
// sees. Decisions are made by the packages that [Deps] names.
package httpapi
