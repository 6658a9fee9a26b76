package api_test

import (
	"os"
	"slices"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"tenure"
	"tenure/api"
)

func TestTheDocumentIsValid(t *testing.T) {
	doc, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	// Examples are checked too. Lookaheads in patterns, which Go lacks, are not used.
	if err := doc.Validate(t.Context(), openapi3.EnableExamplesValidation()); err != nil {
		t.Fatal(err)
	}
}

func TestEveryOperationSaysWhoMayCallIt(t *testing.T) {
	doc, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			open := op.Security != nil && len(*op.Security) == 0
			roles, _ := op.Extensions["x-roles"].([]any)
			if open == (len(roles) > 0) {
				t.Errorf("%s %s: public %v, roles %v", method, path, open, roles)
			}
			for _, r := range roles {
				if !slices.Contains(tenure.Roles, tenure.Role(r.(string))) {
					t.Errorf("%s %s: no such role %v", method, path, r)
				}
			}
		}
	}
}

func TestEveryCodeIsInTheDocument(t *testing.T) {
	doc, err := api.Spec()
	if err != nil {
		t.Fatal(err)
	}
	listed := doc.Components.Schemas["Code"].Value.Enum
	for _, c := range tenure.Codes {
		if !slices.Contains(listed, any(string(c))) {
			t.Errorf("%s is not in openapi.yaml", c)
		}
	}
	if len(listed) != len(tenure.Codes) {
		t.Errorf("openapi.yaml lists %d codes, there are %d", len(listed), len(tenure.Codes))
	}
}

func TestTheDocumentIsEmbeddedAsItIs(t *testing.T) {
	file, err := os.ReadFile("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if string(file) != string(api.Document) {
		t.Fatal("the embedded document differs from the file")
	}
}
