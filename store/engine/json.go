package engine

import "github.com/go-json-experiment/json"

// Format is the format of the JSON bodies that engines store: empty lists and maps remain distinct from
// absent ones.
var Format = json.JoinOptions(json.FormatNilSliceAsNull(true), json.FormatNilMapAsNull(true))

// Encode returns the JSON body of v.
func Encode(v any) (string, error) {
	b, err := json.Marshal(v, Format)
	return string(b), err
}

// Decode decodes a JSON body into v.
func Decode(body string, v any) error { return json.Unmarshal([]byte(body), v, Format) }
