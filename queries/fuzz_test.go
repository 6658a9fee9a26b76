package queries

import (
	"encoding/json"
	"testing"

	"tenure"
)

// FuzzBind has parameters of any form bound to a parameter of each query's kinds, or refused with a fault: what a query
// gets is a text, a whole number or what it has by default.
func FuzzBind(f *testing.F) {
	for i := range Table {
		example, err := json.Marshal(Table[i].Example)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), string(example))
	}
	f.Add(uint8(0), `{"entity":1e400,"x":[{}]}`)
	f.Add(uint8(1), `{"entity":"') DETACH DELETE n //"}`)
	f.Fuzz(func(t *testing.T, which uint8, text string) {
		var given map[string]any
		if json.Unmarshal([]byte(text), &given) != nil {
			return
		}
		q := Table[int(which)%len(Table)]
		bound, err := q.Bind(given, 7)
		if err != nil {
			if tenure.CodeOf(err) != tenure.Invalid {
				t.Errorf("%s %s: %v", q.Name, text, err)
			}
			return
		}
		for _, p := range q.Parameters {
			switch v := bound[p.Name].(type) {
			case int64:
				if p.Kind == Integer && (v < p.Least || v > p.Most) {
					t.Errorf("%s %s: %s is %d", q.Name, text, p.Name, v)
				}
			case string, nil:
			default:
				if v != p.Default {
					t.Errorf("%s %s: %s is %v", q.Name, text, p.Name, v)
				}
			}
		}
		if len(bound) != len(q.Parameters) {
			t.Errorf("%s %s: bound %v", q.Name, text, bound)
		}
	})
}
