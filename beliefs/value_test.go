package beliefs_test

import (
	"encoding/json"
	"strings"
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

// TestCanonicalForms checks the form of a value under each type of a predicate, and the limits of numbers.
func TestCanonicalForms(t *testing.T) {
	digits := func(n int) string { return strings.Repeat("7", n) }
	const refused = ""
	for _, c := range []struct {
		kind        tenure.ValueType
		value, want string
	}{
		{tenure.TextValue, `"New  York"`, "text:new york"},
		{tenure.TextValue, `1.50`, "number:3/2"},
		{tenure.TextValue, `true`, "boolean:true"},
		{tenure.TextValue, `false`, "boolean:false"},
		{tenure.TextValue, `null`, "none:"},
		{tenure.TextValue, `"15 %"`, "text:15 %"},
		{tenure.AnyValue, `"15 %"`, "number:3/20"},
		{tenure.AnyValue, `"New  York"`, "text:new york"},
		{tenure.TextValue, `[1, 2]`, "json:[1,2]"},
		{tenure.TextValue, `1e9999`, refused},
		{tenure.AnyValue, `1e9999`, refused},
		{tenure.NumberValue, `1.50`, "number:3/2"},
		{tenure.NumberValue, `" 7 "`, "number:7"},
		{tenure.NumberValue, `true`, refused},
		{tenure.NumberValue, `1e308`, "number:1" + strings.Repeat("0", 308)},
		{tenure.NumberValue, `1e+0308`, "number:1" + strings.Repeat("0", 308)},
		{tenure.NumberValue, `1e309`, refused},
		{tenure.NumberValue, `1e400`, refused},
		{tenure.AnyValue, `1e400`, refused},
		{tenure.TextValue, `1e400`, refused},
		{tenure.NumberValue, `1e1000`, refused},
		{tenure.NumberValue, `1E1000`, refused},
		{tenure.NumberValue, digits(309), "number:" + digits(309)},
		{tenure.NumberValue, digits(310), refused},
		{tenure.NumberValue, `"0x10"`, refused},
		{tenure.NumberValue, `"1_000"`, refused},
		{tenure.BooleanValue, `"yes"`, "boolean:true"},
		{tenure.BooleanValue, `"TRUE"`, "boolean:true"},
		{tenure.BooleanValue, `"no"`, "boolean:false"},
		{tenure.BooleanValue, `"False"`, "boolean:false"},
		{tenure.BooleanValue, `false`, "boolean:false"},
		{tenure.BooleanValue, `"perhaps"`, refused},
		{tenure.TimeValue, `" 2026-02-15 "`, "date:2026-02-15"},
		{tenure.TimeValue, `"2026-02-15T12:00:00.5+01:00"`, "instant:2026-02-15T11:00:00.5Z"},
		{tenure.TimeValue, `"2026-02-30"`, refused},
		{tenure.TimeValue, `"15 Feb 2026"`, "date:2026-02-15"},
		{tenure.TimeValue, `"February 2026"`, refused},
		{tenure.TimeValue, `"03/04/2026"`, refused},
		{tenure.TimeValue, `20260215`, refused},
		{tenure.EntityValue, `"Ada"`, refused},
		{tenure.JSONValue, `{"b":[2],"a":1.50}`, `json:{"a":1.50,"b":[2]}`},
		{tenure.JSONValue, `{`, refused},
	} {
		got, err := beliefs.Canonical(tenure.Term{ValueType: c.kind}, json.RawMessage(c.value))
		if got != c.want || (err != nil) != (c.want == refused) {
			t.Errorf("%s %s: got %q, %v, want %q", c.kind, c.value, got, err, c.want)
		}
	}
	if got := beliefs.CanonicalEntity("e1"); got != "entity:e1" {
		t.Errorf("an entity is %q", got)
	}
}
