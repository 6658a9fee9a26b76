package tenure_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"tenure"
)

// secret is in every text that filled puts into a value.
const secret = "quagga"

// structure are the fields of a tombstone that may have a text: what connects it, and words of the program.
var structure = map[string]bool{
	"ID": true, "Observation": true, "Subject": true, "SubjectMention": true, "Predicate": true, "Scope": true, "Layer": true,
	"Basis": true, "Supersedes": true, "DependsOn": true, "ObjectType": true, "Classification": true, "Permission": true,
	"Actor": true, "Mentions": true, "Claims": true, "Of": true, "For": true, "Role": true, "Type": true, "Project": true,
	"Label": true, "Canonical": true, "Source": true, "Value": true, "Description": true, "Answer": true, "Reviewer": true,
	"Document": true, "MediaType": true,
}

// fill puts a secret text into every string of a value, and something into everything else.
func fill(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(secret + " " + path)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), path)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), path+"."+v.Type().Field(i).Name)
			}
		}
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[json.RawMessage]() {
			v.SetBytes([]byte(`"` + secret + ` ` + path + `"`))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), path)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, path)
		fill(value, path)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(1)
	default:
		panic(fmt.Sprint("a field that this test cannot fill: ", path, " ", v.Kind()))
	}
}

// TestATombstoneKeepsNoContent checks that a tombstone keeps only the fields listed as structure: a new field is content.
func TestATombstoneKeepsNoContent(t *testing.T) {
	var o tenure.Observation
	var m tenure.Mention
	var c tenure.Claim
	var d tenure.Document
	var p tenure.Passage
	for _, p := range []any{&o, &m, &c, &d, &p} {
		fill(reflect.ValueOf(p).Elem(), "")
	}
	for name, thing := range map[string]any{
		"observation": o.Erase(), "mention": m.Erase(), "claim": c.Erase(),
		"document": d.Erase(), "passage": p.Erase(),
	} {
		v := reflect.ValueOf(thing)
		for i := range v.NumField() {
			field := v.Type().Field(i).Name
			text := fmt.Sprintf("%+v", v.Field(i).Interface())
			if strings.Contains(text, secret) && !structure[field] {
				t.Errorf("the tombstone of the %s keeps %s: %s", name, field, text)
			}
		}
	}
	if s := o.Erase().Source; s.Speaker+s.Origin+s.Session+s.Thread != "" {
		t.Errorf("the tombstone of an observation keeps its source: %+v", s)
	}
	if s := d.Erase().Source; s.Speaker+s.Origin+s.Session+s.Thread != "" {
		t.Errorf("the tombstone of a document keeps its source: %+v", s)
	}
	if v := c.Erase(); v.Value.Text() != "" || v.Value.Entity != "" || v.Value.Name != "" || v.Source.Speaker != "" {
		t.Errorf("the tombstone of a claim keeps its value or source: %+v", v)
	}
	if d := c.Erase().Description; d.Content+d.WhyItMatters+d.NormalizedClaim+d.UpdatePath+d.RetirementRule != "" {
		t.Errorf("the tombstone of a claim keeps its description: %+v", d)
	}
}

func TestNoTwoErasedClaimsSayTheSame(t *testing.T) {
	a, b := tenure.Claim{ID: "a", Value: tenure.Value{Canonical: "x"}}, tenure.Claim{ID: "b", Value: tenure.Value{Canonical: "x"}}
	if a.Erase().Value.Canonical == b.Erase().Value.Canonical {
		t.Error("two erased claims have the same value")
	}
}

func TestAFormerVersionSaysNoMoreThanThePresentOne(t *testing.T) {
	former := tenure.Entity{
		Name: "Ada Farid", Names: []string{"Ada Farid", "Ada"}, Context: []string{"the baker"},
		Records:    []tenure.Record{{Source: "crm", ID: "1"}, {Source: "crm", ID: "2"}},
		Attributes: map[string][]string{"email": {"ada@a.example", "ada@b.example"}, "phone": {"1"}},
	}
	present := tenure.Entity{
		Name: "Ada", Names: []string{"Ada"}, Records: []tenure.Record{{Source: "crm", ID: "2"}},
		Attributes: map[string][]string{"email": {"ada@b.example"}},
	}
	if got := former.Erase(present); !reflect.DeepEqual(got, present) {
		t.Errorf("%+v", got)
	}
	if got := former.Erase(tenure.Entity{}); !reflect.DeepEqual(got, tenure.Entity{}) {
		t.Errorf("of nothing %+v is kept", got)
	}
}

// TestErasureTakesWhatPeopleSaidOfIt: the notes on a review go with any entity that it is about, and who answered a
// proposed change goes with the answer.
func TestErasureTakesWhatPeopleSaidOfIt(t *testing.T) {
	r := tenure.Review{
		Entity: "a", Name: "Ann", Note: "not the one with the dog", DeferNote: "asked her",
		Events: []tenure.ReviewEvent{{Note: "asked her"}},
	}
	if got := r.Erase(tenure.Entity{ID: "b"}); got.Note+got.DeferNote+got.Events[0].Note != "" || got.Name != "Ann" {
		t.Errorf("of a candidate: %+v", got)
	}
	if got := r.Erase(tenure.Entity{ID: "a"}); got.Name != "" || r.Events[0].Note == "" {
		t.Errorf("of the entity: %+v, and the review itself is now %+v", got, r)
	}
	o := tenure.Observation{Answer: &tenure.ProposalAnswer{Number: 1, Note: "no", Reviewer: "Dana"}}
	if got := o.Erase(); got.Answer.Note+got.Answer.Reviewer != "" || o.Answer.Reviewer != "Dana" {
		t.Errorf("an answer: %+v, and the observation itself is now %+v", got.Answer, o.Answer)
	}
}
