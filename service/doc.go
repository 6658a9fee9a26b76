// Package service implements the use cases of Tenure, independent of a transport: a front door (HTTP, a
// command line, MCP, a console) decodes a request, calls one method, and encodes the answer.
//
// Inputs are typed requests and, as an argument, the caller; outputs are typed answers and *tenure.Error with
// JSON pointers into the request. The package owns the rules about the caller: the scope and the authority
// that a request may carry, the part of a state that a caller sees, and who may read an answer again.
// Decisions about entities and beliefs are left to the inner packages.
//
// Writes are methods of [Service]. Reads of the bitemporal state are methods of [View]: one state of a
// tenant, as one caller sees it. Hidden objects are left out of lists and return NotFound, exactly like
// objects that do not exist.
//
// One rule about callers lives elsewhere: the roles that may call an operation are stated by api/openapi.yaml
// (x-roles), and a front door enforces them with [auth.Require] before it calls a method.
//
// Package service/bulk runs an operator's jobs over a whole tenant, and package service/resolution runs
// background resolution.
package service
