// Package client is the API for Go programs: the types and requests that
// oapi-codegen makes of api/openapi.yaml, and New, which adds the key.
//
// It imports nothing else of this module, so that a program that uses it links
// none of the server. Each operation has two methods: Observe returns the
// *http.Response, ObserveWithResponse the parsed answer, in JSON201 or, if the
// request was refused, in ApplicationproblemJSONDefault. Answers of the batch
// are lines: read them from the Body of ObserveBatchWithBody.
package client

//go:generate oapi-codegen -config oapi-codegen.yaml ../api/openapi.yaml

import (
	"context"
	"net/http"
)

// New returns a client of the server at a URL, whose requests carry the API
// key. Options are those of the generated client, such as WithHTTPClient.
func New(server, key string, options ...ClientOption) (*ClientWithResponses, error) {
	return NewClientWithResponses(server, append(options, WithRequestEditorFn(
		func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+key)
			return nil
		}))...)
}
