// Package httpapi serves the operations of api/openapi.yaml over HTTP.
//
// Inputs are requests; outputs are answers and RFC 9457 problems. A handler decodes a request, calls one use
// case of [service.Service], and encodes its answer. The package owns the rules of the wire: which JSON is
// accepted (binder.go), how an error maps to a status (problem.go, the only place), which roles may call an
// operation (x-roles of the document, enforced in middleware.go), and how a cursor pins the state of a
// listing (page.go, cursor.go).
package httpapi
