// Package service is every use case of Tenure, without a transport: a front door
// (HTTP, a command line, MCP, a console) decodes a request, calls one method, and
// encodes the answer.
//
// In come typed requests and, as an argument, the caller; out go typed answers and
// *tenure.Error with JSON pointers into the request. The rules here are those about
// the caller: which scope and which authority a request may carry, what a caller sees
// of a state, and who may read an answer again. What is decided about entities and
// beliefs is decided by the packages further in.
//
// Writes are methods of [Service]. Reads of the bitemporal state are methods of
// [View]: one state of a tenant, as one caller sees it. What is hidden from a caller
// is left out of lists, and is NotFound exactly as what does not exist.
//
// The one rule about callers that is not here is which roles may call which
// operation: api/openapi.yaml states it (x-roles), and a front door enforces it with
// [auth.Require] before it calls a method.
//
// The jobs of an operator over a whole tenant are in service/bulk, and what runs
// beside the requests in service/resolution.
package service
