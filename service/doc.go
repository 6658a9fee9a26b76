// Package service implements the use cases of Tenure, independent of a transport: a front door (HTTP, a
// command line, MCP, a console) decodes a request, calls one method, and encodes the answer.
//
// Inputs are typed requests and, as an argument, the caller; outputs are typed answers and *tenure.Error with
// JSON pointers into the request. The package owns the rules about the caller of a request: the scope and the
// authority that it may carry, and who may read an answer again. Decisions about entities and beliefs are left to the
// inner packages.
//
// Writes are methods of [Service]. Reads of the bitemporal state are methods of [View], which package service/view
// implements: one state of a tenant, as one caller sees it.
//
// One rule about callers lives elsewhere: the roles that may call an operation are stated by api/openapi.yaml
// (x-roles), and a front door enforces them with [auth.Require] before it calls a method.
//
// Package service/bulk runs an operator's jobs over a whole tenant, and package service/resolution runs
// background resolution.
package service
