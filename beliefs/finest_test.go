package beliefs_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/beliefs"
	"tenure/values"
)

// TestFinest checks which of several values are said finer by which other.
func TestFinest(t *testing.T) {
	one, many := tenure.Term{Cardinality: tenure.One}, tenure.Term{Cardinality: tenure.Many}
	for _, c := range []struct {
		name string
		term tenure.Term
		said []string
		want []int
	}{
		{"nothing-vague", one, []string{`"Oslo"`, `"Bergen"`, `7`}, []int{-1, -1, -1}},
		{"a-range-and-a-number", one, []string{`"5-7"`, `6`, `9`}, []int{1, -1, -1}},
		{"a-month-and-its-days", one, []string{`"2024-03-05"`, `"2024-03"`, `"2024-03-06"`}, []int{-1, 0, -1}},
		{"many-values-do-not-refine-each-other", many, []string{`"5-7"`, `6`}, []int{-1, -1}},
		{"no-value-beside-a-value", many, []string{`"unknown"`, `"n/a"`, `"Oslo"`}, []int{2, 2, -1}},
		{"no-value-alone", one, []string{`"unknown"`, `"n/a"`}, []int{-1, -1}},
	} {
		list := make([]tenure.Value, len(c.said))
		for i, said := range c.said {
			v, err := values.Parse(json.RawMessage(said))
			if err != nil {
				t.Fatal(err)
			}
			list[i] = tenure.Value{JSON: json.RawMessage(said), Canonical: v.Canonical()}
		}
		if d := cmp.Diff(c.want, beliefs.Finest(c.term, list)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}
