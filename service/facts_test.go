package service

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"tenure"
)

// fact makes a fact of the three items of a list.
func fact(subject, predicate, object string) Fact {
	return Fact{Subject: json.RawMessage(subject), Predicate: predicate, Object: json.RawMessage(object), Listed: true}
}

// TestWhatATextIs: an object that is a text is an entity or a value, by what is known of its predicate and its name.
func TestWhatATextIs(t *testing.T) {
	for name, c := range map[string]struct {
		object  string
		more    []Fact // beside ["Ann", "knows", object]
		typ     tenure.ValueType
		defined bool
		known   bool
		unknown bool // the predicate
		related bool // the predicate, from the other side
		entity  bool
	}{
		"an-unknown-text":               {object: `"Bob"`},
		"a-subject":                     {object: `"Bob"`, more: []Fact{fact(`"Bob"`, "age", "7")}, entity: true},
		"a-subject-in-another-spelling": {object: `"bob"`, more: []Fact{fact(`"Bob"`, "age", "7")}},
		"a-subject-as-an-object":        {object: `"Bob"`, more: []Fact{fact(`{"name": "Bob"}`, "age", "7")}, entity: true},
		"an-object-elsewhere":           {object: `"Bob"`, more: []Fact{fact(`"Cem"`, "likes", `{"name": "Bob"}`)}},
		"its-own-name":                  {object: `"Ann"`},
		"its-own-name-of-entities":      {object: `"Ann"`, typ: tenure.EntityValue, entity: true},
		"a-known-name-of-entities":      {object: `"Bob"`, typ: tenure.EntityValue, known: true, entity: true},
		"an-unknown-name-of-entities":   {object: `"Bob"`, typ: tenure.EntityValue},
		"a-known-name-of-texts":         {object: `"Bob"`, typ: tenure.TextValue, known: true},
		"a-subject-of-texts":            {object: `"Bob"`, typ: tenure.TextValue, more: []Fact{fact(`"Bob"`, "age", "7")}, entity: true},
		"a-subject-of-defined-texts":    {object: `"Bob"`, typ: tenure.TextValue, defined: true, more: []Fact{fact(`"Bob"`, "age", "7")}},
		"a-subject-of-numbers":          {object: `"7"`, typ: tenure.NumberValue, more: []Fact{fact(`"7"`, "age", "7")}},
		"a-known-name-of-an-unknown":    {object: `"Bob"`, unknown: true, known: true},
		"a-known-person-of-an-unknown":  {object: `"Mary Ray"`, unknown: true, entity: true},
		"a-known-person-of-texts":       {object: `"Mary Ray"`, typ: tenure.TextValue},
		"a-person-of-an-unknown":        {object: `"Mary Lee"`, unknown: true},
		"an-ambiguous-name":             {object: `"Mercury"`, typ: tenure.EntityValue, related: true},
		"a-new-name-of-a-relation":      {object: `"Bob Ray"`, typ: tenure.EntityValue, related: true, entity: true},
		"a-new-firm-of-a-relation":      {object: `"Globex"`, typ: tenure.EntityValue, related: true, entity: true},
		"a-first-name-of-a-relation":    {object: `"Bob"`, typ: tenure.EntityValue, related: true},
		"words-of-a-relation":           {object: `"the night shift"`, typ: tenure.EntityValue, related: true},
		"a-list-of-a-relation":          {object: `"Bob Ray, Cem Oz"`, typ: tenure.EntityValue, related: true},
		"a-name-of-no-relation":         {object: `"Bob Ray"`, typ: tenure.EntityValue},
		"an-object-with-a-name":         {object: `{"name": "Bob"}`, entity: true},
		"an-object-with-more":           {object: `{"name": "Bob", "card": 7}`},
		"an-id":                         {object: `{"entity_id": "0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01"}`, entity: true},
		"a-number":                      {object: `7`, typ: tenure.EntityValue},
		"a-list-of-names":               {object: `["Bob"]`, more: []Fact{fact(`"Bob"`, "age", "7")}},
	} {
		t.Run(name, func(t *testing.T) {
			r := Remember{Facts: append([]Fact{fact(`"Ann"`, "knows", c.object)}, c.more...)}
			k := Knowledge{
				Types: map[string]tenure.ValueType{"knows": c.typ}, Defined: map[string]bool{"knows": c.defined},
				Names:   map[string]bool{"Mercury": false, "Mary Ray": true},
				Unknown: map[string]bool{"knows": c.unknown}, Relations: map[string]bool{"knows": c.related},
			}
			if c.known {
				k.Names["Bob"] = true
			}
			in, faults := r.Observation(k)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			v := in.Claims[0].Value
			if (v.Entity != nil) != c.entity || c.entity == (v.JSON != nil) {
				t.Errorf("the value is %+v", v)
			}
		})
	}
}

// TestOneNameIsOneMention: what is said of a name anywhere in a request is said of one mention.
func TestOneNameIsOneMention(t *testing.T) {
	typed := fact(`"ANN"`, "age", "7")
	typed.SubjectType = "person"
	in, faults := Remember{Facts: []Fact{
		fact(`"Ann"`, "knows", `{"name": "Bob", "attributes": {"email": ["b@x.example"]}}`), typed,
		fact(`{"name": "Bob", "type": "person", "aliases": ["Bobby"], "attributes": {"email": ["b@y.example"]}}`, "knows", `{"name": " ann "}`),
	}}.Observation(Knowledge{})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if len(in.Mentions) != 2 || in.Mentions[0].Name != "Ann" || in.Mentions[0].Type != "person" || in.Mentions[1].Type != "person" ||
		!slices.Equal(in.Mentions[1].Attributes["email"], []string{"b@x.example", "b@y.example"}) || len(in.Mentions[1].Aliases) != 1 {
		t.Errorf("the mentions are %+v", in.Mentions)
	}
	if *in.Claims[2].Subject.Mention != 1 || *in.Claims[2].Value.Entity.Mention != 0 {
		t.Errorf("the claims are %+v", in.Claims)
	}
}

// FuzzFacts: whatever JSON a fact is made of, it is an observation that keeps the rules of observations, or has
// faults that point into the request.
func FuzzFacts(f *testing.F) {
	for _, s := range [][3]string{
		{`"Ann"`, "city", `"Oslo"`}, {`{"name":"Ann","type":"person"}`, "knows", `{"name":"Bob","attributes":{"email":["b@x.example"]}}`},
		{`{"entity_id":"0198c1f0-6c5e-7d0a-9a53-3f0d8a1f2b01"}`, "age", `7`}, {`{}`, "", `null`}, {`[]`, "p", `{"mention":1}`},
		{`{"name":null}`, "p", `{"name":1}`}, {`" "`, "p", `{"entity_id":"x"}`}, {`"a~/b"`, "p", `{"name":"x","attributes":{"~/":[""]}}`},
		{`"Ann"`, "p", `{"name":"Ann","type":"x"}`}, {`{"name":"Ann","attributes":{"":null}}`, "p", `{"name":"Ann","aliases":[""]}`},
	} {
		f.Add(s[0], s[1], s[2], "person", true)
	}
	f.Fuzz(func(t *testing.T, subject, predicate, object, typ string, listed bool) {
		if !json.Valid([]byte(subject)) || !json.Valid([]byte(object)) {
			return // the body is refused before
		}
		one := fact(strings.TrimSpace(subject), predicate, strings.TrimSpace(object))
		one.Listed, one.ObjectType = listed, typ
		other := fact(one.text(), predicate, strings.TrimSpace(object))
		in, faults := Remember{Facts: []Fact{one, other}}.Observation(Knowledge{})
		for _, fault := range faults {
			if !strings.HasPrefix(fault.Pointer, "/facts") {
				t.Errorf("%q points nowhere: %s", fault.Pointer, fault.Reason)
			}
		}
		if len(faults) > 0 {
			return
		}
		if f := in.Faults(); len(f) > 0 {
			t.Errorf("an observation with faults: %v", f)
		}
		if len(in.Claims) != 2 || len(in.Mentions) > 4 {
			t.Errorf("%d claims, %d mentions", len(in.Claims), len(in.Mentions))
		}
	})
}

// text returns the subject as a plain name, if it has one.
func (f Fact) text() string {
	thing, ok := f.named(subject)
	if !ok {
		return string(f.Subject)
	}
	b, _ := json.Marshal(thing.name)
	return string(b)
}
