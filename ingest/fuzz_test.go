package ingest_test

import (
	"encoding/json"
	"testing"

	"tenure/ingest"
)

// FuzzParseValue holds that a value is JSON or a reference, which has one of an index and an id.
func FuzzParseValue(f *testing.F) {
	for _, s := range []string{`{"mention":1}`, `{"entity_id":"x"}`, `{"mention":null}`, `{"mention":1,"x":2}`, `{"entity_id":""}`,
		`{"mention":1e0}`, `"x"`, ``, `{`, `null`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := ingest.ParseValue(json.RawMessage(text))
		switch {
		case v.Entity == nil && string(v.JSON) != text:
			t.Errorf("%q became %q", text, v.JSON)
		case v.Entity != nil && (v.JSON != nil || (v.Entity.Mention == nil) == (v.Entity.EntityID == "")):
			t.Errorf("%q is %+v", text, v)
		}
	})
}
