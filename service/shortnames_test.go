package service

import (
	"maps"
	"testing"

	"tenure"
	"tenure/service/resolution"
)

// TestWhomAShortNameMeans: a first name or a surname is that of the one person whom the request, or what was said lately,
// names in full.
func TestWhomAShortNameMeans(t *testing.T) {
	lately := func(names ...string) (list []resolution.Mentioned) {
		for _, n := range names {
			list = append(list, resolution.Mentioned{Name: n, Entity: tenure.ID(n)})
		}
		return list
	}
	greta := map[string]string{"Greta": "Greta Voss"}
	typed := func(typ, name string) resolution.Mentioned {
		return resolution.Mentioned{Name: name, Type: typ, Entity: tenure.ID(name)}
	}
	for name, c := range map[string]struct {
		facts  []Fact
		lately []resolution.Mentioned
		want   map[string]string
	}{
		"a-first-name":           {[]Fact{fact(`"Greta"`, "phone", "1")}, lately("Greta Voss", "Tom Okafor"), greta},
		"a-first-name-as-object": {[]Fact{fact(`"Morning Tide"`, "presenter", `"Greta"`)}, lately("Greta Voss"), greta},
		"a-surname-with-a-title": {[]Fact{fact(`"Dr Voss"`, "phone", "1")}, lately("Greta Voss"), map[string]string{"Dr Voss": "Greta Voss"}},
		"named-beside-it":        {[]Fact{fact(`"Greta"`, "phone", "1"), fact(`"Greta Voss"`, "desk", "2")}, nil, greta},
		"named-again-beside-it":  {[]Fact{fact(`"Greta"`, "phone", "1"), fact(`"greta voss"`, "desk", "2")}, lately("Greta Voss"), greta},
		"of-two":                 {[]Fact{fact(`"Greta"`, "phone", "1")}, lately("Greta Voss", "Greta Lind"), nil},
		"of-one-by-two-names": {[]Fact{fact(`"Greta"`, "phone", "1")},
			[]resolution.Mentioned{{Name: "Greta Voss", Entity: "x"}, {Name: "Greta Maria Voss", Entity: "x"}}, greta},
		"a-text-beside-it":      {[]Fact{fact(`"Greta"`, "phone", "1"), fact(`"The Reader"`, "title", `"Greta Voss"`)}, nil, nil},
		"of-a-thing":            {[]Fact{fact(`"payments"`, "tier", "1")}, lately("payments API"), nil},
		"of-a-place":            {[]Fact{fact(`"Victoria"`, "phone", "1")}, lately("Victoria Station"), nil},
		"of-another-type":       {[]Fact{fact(`"Greta"`, "phone", "1")}, []resolution.Mentioned{typed("ship", "Greta Voss")}, nil},
		"a-person-by-the-type":  {[]Fact{fact(`"Park"`, "phone", "1")}, []resolution.Mentioned{typed("person", "Joel Park")}, map[string]string{"Park": "Joel Park"}},
		"said-to-be-no-person":  {[]Fact{fact(`{"name": "Greta", "type": "ship"}`, "port", "1")}, lately("Greta Voss"), nil},
		"a-part-of-a-word":      {[]Fact{fact(`"Gret"`, "phone", "1")}, lately("Greta Voss"), nil},
		"another-full-name":     {[]Fact{fact(`"Greta Lind"`, "phone", "1")}, lately("Greta Voss"), nil},
		"nobody-said-before-it": {[]Fact{fact(`"Greta"`, "phone", "1")}, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			if got := (Remember{Facts: c.facts}).shortNames(c.lately); !maps.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// TestAShortNameIsWrittenInFull: both names are one mention, whose pointers lead to where it is stated.
func TestAShortNameIsWrittenInFull(t *testing.T) {
	r := Remember{Facts: []Fact{fact(`"Morning Tide"`, "presenter", `"Greta"`), fact(`"Greta"`, "phone", `"1"`)}}
	in, faults := r.Observation(Knowledge{Full: map[string]string{"Greta": "Greta Voss"},
		Types: map[string]tenure.ValueType{"presenter": tenure.EntityValue}})
	if len(faults) > 0 || len(in.Mentions) != 2 || in.Mentions[1].Name != "Greta Voss" || in.Claims[0].Value.Entity == nil {
		t.Fatalf("%v, %+v", faults, in)
	}
	if got := r.pointer("/mentions/1/name", []string{"Morning Tide", "Greta Voss"}); got != "/facts/0/2" {
		t.Errorf("the pointer is %s", got)
	}
}
