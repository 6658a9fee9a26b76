package graph

import (
	"reflect"
	"testing"

	"tenure"
)

// FuzzStored has bodies of the store, damaged ones too, decoded or refused; what was decoded is encoded and decoded to
// the same.
func FuzzStored(f *testing.F) {
	body, raw, err := encodeClaim(tenure.Claim{ID: "b", Predicate: "office", Value: tenure.Value{JSON: []byte(`"Oslo"`)}})
	if err != nil {
		f.Fatal(err)
	}
	text, _ := raw.(string)
	f.Add(body, text)
	f.Add("7 {}", "")
	f.Add(`{"value":null}`, "null")
	f.Fuzz(func(t *testing.T, body, raw string) {
		if v, ok, err := ReadLosses(body); ok && err == nil && v.Tx < 0 && len(v.losses) > len(body) {
			t.Errorf("%q has %d losses", body, len(v.losses))
		}
		c, err := DecodeClaim(body, raw)
		if err != nil {
			return
		}
		stored, value, err := encodeClaim(c)
		if err != nil {
			return
		}
		text, _ := value.(string) // nil where the body has it
		if again, err := DecodeClaim(stored, text); err != nil || !reflect.DeepEqual(c, again) {
			t.Errorf("%q came back as %+v, not %+v: %v", body, again, c, err)
		}
	})
}
