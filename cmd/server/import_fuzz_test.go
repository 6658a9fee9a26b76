package main

import "testing"

// FuzzImportRow has a line of an import read as a row with an id and something that names it, or refused.
func FuzzImportRow(f *testing.F) {
	for _, s := range []string{`{"id":"1","name":"Lena Brandt","source":"crm"}`, `{"id":"1","name":"x","extra":[1,{}]}`,
		`{"id":1}`, `[`, `null`, `{"id":"1","id":"2"}`, `{"id":"1","attributes":{"email":["a@b.example"]}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		c := importCmd{Source: "crm", Ignore: []string{"extra"}}
		r, err := c.parse(line)
		named := r.Name != "" || len(r.Aliases) > 0 || len(r.Attributes) > 0
		if err == nil && (r.Record.ID == "" || r.Record.Source == "" || !named) {
			t.Errorf("%q is the row %+v", line, r)
		}
	})
}
