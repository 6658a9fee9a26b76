// Package api is the HTTP interface as Go: the models and the server interface
// that oapi-codegen makes of openapi.yaml, and that document itself. Package
// client is the other half.
//
// openapi.yaml is written by hand and comes first; nothing here decides
// anything. Its validate tags are checked in package httpapi.
package api

//go:generate oapi-codegen -config models.yaml openapi.yaml
//go:generate oapi-codegen -config server.yaml openapi.yaml

import (
	_ "embed"
	"fmt"

	"github.com/getkin/kin-openapi/openapi3"
)

// Document is openapi.yaml.
//
//go:embed openapi.yaml
var Document []byte

// Spec parses Document.
func Spec() (*openapi3.T, error) {
	doc, err := openapi3.NewLoader().LoadFromData(Document)
	if err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	return doc, nil
}
