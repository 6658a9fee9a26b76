// Package body reads the bodies of requests: it bounds them, decodes their JSON strictly, and validates them by the
// rules of openapi.yaml. Every refusal has a code and a JSON pointer.
package body
