package api

import (
	"encoding/json"
	"reflect"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"tenure"
)

// StatedFact is a fact of a body, written as an object or as a list of three.
type StatedFact struct {
	FactInput

	// Listed reports whether it was a list.
	Listed bool `json:"-"`
}

// UnmarshalJSONFrom implements [jsonv2.UnmarshalerFrom].
func (f *StatedFact) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '[' {
		return jsonv2.UnmarshalDecode(dec, &f.FactInput)
	}
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	f.Listed = true
	at := dec.StackPointer()
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil || len(items) != 3 {
		return &jsonv2.SemanticError{JSONPointer: at, Err: tenure.FieldError(tenure.Invalid, "",
			"must have three items: subject, predicate and object")}
	}
	f.Subject, f.Object = items[0], items[2]
	if items[1][0] != '"' {
		return &jsonv2.SemanticError{JSONPointer: at.AppendToken("1"), GoType: reflect.TypeFor[string]()}
	}
	return json.Unmarshal(items[1], &f.Predicate)
}
