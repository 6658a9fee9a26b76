// Package httpapi serves the operations of api/openapi.yaml over HTTP.
//
// In come requests; out go answers and RFC 9457 problems. A handler decodes a request,
// calls one use case of [service.Service], and encodes its answer. The rules here are
// those of the wire: what JSON is taken (binder.go), how an error becomes a status
// (problem.go, the only place), which roles may call an operation (x-roles of the
// document, enforced in middleware.go), and how a cursor pins the state of a listing
// (page.go, cursor.go).
package httpapi
