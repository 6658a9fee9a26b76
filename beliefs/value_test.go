package beliefs_test

import (
	"encoding/json"
	"testing"

	"tenure"
	"tenure/beliefs"
)

func TestValuesThatSayTheSame(t *testing.T) {
	for name, tc := range map[string]struct {
		kind tenure.ValueType
		a, b string
		same bool
	}{
		"text-ignores-case-and-spaces":     {tenure.TextValue, `"New  York"`, `"new york"`, true},
		"text-composed-and-decomposed":     {tenure.TextValue, `"Zoe\u0308"`, `"Zo\u00eb"`, true},
		"text-keeps-accents-apart":         {tenure.TextValue, `"Zoe"`, `"Zoë"`, false},
		"text-keeps-numbers-and-words":     {tenure.TextValue, `"15"`, `15`, false},
		"numbers-by-value":                 {tenure.NumberValue, `1.50`, `"15e-1"`, true},
		"numbers-beyond-float-precision":   {tenure.NumberValue, `9007199254740993`, `9007199254740992`, false},
		"booleans-by-word":                 {tenure.BooleanValue, `true`, `"Yes"`, true},
		"times-by-instant":                 {tenure.TimeValue, `"2026-02-15T12:00:00+01:00"`, `"2026-02-15T11:00:00Z"`, true},
		"a-date-is-not-its-midnight":       {tenure.TimeValue, `"2026-02-15"`, `"2026-02-15T00:00:00Z"`, false},
		"objects-whatever-their-key-order": {tenure.JSONValue, `{"a":1,"b":[2]}`, `{"b":[2],"a":1}`, true},
		"arrays-in-order":                  {tenure.JSONValue, `[1,2]`, `[2,1]`, false},
	} {
		t.Run(name, func(t *testing.T) {
			a, errA := beliefs.Canonical(tenure.Term{ValueType: tc.kind}, json.RawMessage(tc.a))
			b, errB := beliefs.Canonical(tenure.Term{ValueType: tc.kind}, json.RawMessage(tc.b))
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			if (a == b) != tc.same {
				t.Errorf("%q and %q", a, b)
			}
		})
	}
}

func TestValuesThatAPredicateDoesNotTake(t *testing.T) {
	for name, tc := range map[string]struct {
		kind  tenure.ValueType
		value string
	}{
		"a-word-for-a-number":       {tenure.NumberValue, `"many"`},
		"a-fraction-bar":            {tenure.NumberValue, `"1/3"`},
		"an-exponent-out-of-hand":   {tenure.NumberValue, `1e999999999`},
		"a-number-for-a-boolean":    {tenure.BooleanValue, `1`},
		"a-time-without-zone":       {tenure.TimeValue, `"2026-02-15T11:00:00"`},
		"a-word-for-an-entity":      {tenure.EntityValue, `"Ada"`},
		"something-that-is-no-json": {tenure.TextValue, `{`},
	} {
		t.Run(name, func(t *testing.T) {
			if got, err := beliefs.Canonical(tenure.Term{ValueType: tc.kind}, json.RawMessage(tc.value)); err == nil {
				t.Errorf("taken as %q", got)
			}
		})
	}
}

// FuzzCanonical: never panics, and what is compared is stable.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`1`, `"a"`, `{"a":[null,true,1e5]}`, `1e-400`, `"yes"`, `"2026-01-01"`} {
		f.Add(s)
	}
	kinds := []tenure.ValueType{tenure.TextValue, tenure.NumberValue, tenure.BooleanValue, tenure.TimeValue, tenure.JSONValue}
	f.Fuzz(func(t *testing.T, s string) {
		for _, k := range kinds {
			a, errA := beliefs.Canonical(tenure.Term{ValueType: k}, json.RawMessage(s))
			b, errB := beliefs.Canonical(tenure.Term{ValueType: k}, json.RawMessage(" "+s+"\n"))
			if a != b || (errA == nil) != (errB == nil) {
				t.Errorf("%s: %q (%v) and with space around %q (%v)", k, a, errA, b, errB)
			}
		}
	})
}
