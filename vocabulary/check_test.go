package vocabulary_test

import (
	"strings"
	"testing"

	"tenure"
	"tenure/vocabulary"
)

// term returns a predicate of one text, changed as told.
func term(name string, change ...func(*vocabulary.Term)) vocabulary.Term {
	t := vocabulary.Term{Term: tenure.Term{Name: name, Cardinality: tenure.One, ValueType: tenure.TextValue}}
	for _, c := range change {
		c(&t)
	}
	return t
}

func synonyms(words ...string) func(*vocabulary.Term) {
	return func(t *vocabulary.Term) { t.Synonyms = words }
}

func inverse(of string) func(*vocabulary.Term) {
	return func(t *vocabulary.Term) { t.Inverse, t.ValueType = of, tenure.EntityValue }
}

func many(t *vocabulary.Term) { t.Cardinality = tenure.Many }

func constant(t *vocabulary.Term) { t.Constant = true }

func decays(d tenure.Decay) func(*vocabulary.Term) {
	return func(t *vocabulary.Term) { t.Decay = d }
}

// another returns another name of a predicate.
func another(name, of string, change ...func(*vocabulary.Term)) vocabulary.Term {
	t := vocabulary.Term{Term: tenure.Term{Name: name, Parent: of}}
	for _, c := range change {
		c(&t)
	}
	return t
}

func TestCheck(t *testing.T) {
	type terms = []vocabulary.Term
	for _, c := range []struct {
		name  string
		terms terms
		want  string
	}{
		{"nothing", nil, ""},
		{"one-and-many-are-a-good-pair", terms{term("manager", inverse("manages")), term("manages", inverse("manager"), many)}, ""},
		{"its-own-inverse", terms{term("spouse", inverse("spouse"))}, ""},
		{"another-name", terms{term("lives_in"), another("wohnt_in", "lives_in")}, ""},
		{"another-name-twice-said", terms{term("lives_in", synonyms("wohnt_in")), another("wohnt_in", "lives_in")}, ""},

		{"no-name", terms{term("")}, ": name is empty"},
		{"name-not-normal", terms{term("livesIn")}, `livesIn: name is not in normal form: write "lives_in"`},
		{"name-of-signs", terms{term("!")}, `!: name is not in normal form: write ""`},
		{"name-too-long", terms{term(strings.Repeat("x", 201))}, strings.Repeat("x", 201) + ": name is longer than 200 bytes"},
		{"name-twice", terms{term("a"), term("a")}, "a: name is defined twice"},
		{"cardinality", terms{term("a", func(t *vocabulary.Term) { t.Cardinality = "few" })}, `a: cardinality is "few", neither one nor many`},
		{"type", terms{term("a", func(t *vocabulary.Term) { t.ValueType = "colour" })}, `a: value_type is "colour", which is none`},
		{"decay", terms{term("a", decays("soon"))}, `a: decay is "soon", which is none`},
		{"constant-that-decays", terms{term("a", constant, decays(tenure.Fast))}, "a: decay is fast, and the values never change"},
		{"subjects", terms{term("a", func(t *vocabulary.Term) { t.Subjects = []string{"person", "person", ""} })}, `a: subjects has "person" twice
a: subjects has an empty one`},

		{"synonym-not-normal", terms{term("a", synonyms("Be"))}, `a: synonyms has "Be", which is not in normal form: write "be"`},
		{"synonym-empty", terms{term("a", synonyms(""))}, "a: synonyms has one of 0 bytes: from 1 to 200"},
		{"synonym-of-itself", terms{term("a", synonyms("a"))}, "a: synonyms has the name of the term itself"},
		{"synonym-twice", terms{term("a", synonyms("b", "b"))}, `a: synonyms has "b" twice`},
		{"synonym-of-two", terms{term("a", synonyms("c")), term("b", synonyms("c"))}, `b: synonyms has "c", which is one of "a" too`},
		{"synonym-that-is-a-term", terms{term("a", synonyms("b")), term("b")}, `a: synonyms has "b", which is a term of its own`},
		{"synonyms-of-each-other", terms{term("a", synonyms("b")), term("b", synonyms("a"))}, `a: synonyms has "b", whose synonym this term is in turn
b: synonyms has "a", whose synonym this term is in turn`},
		{"three-synonyms-in-a-circle", terms{term("a", synonyms("b")), term("b", synonyms("c")), term("c", synonyms("a"))}, `a: synonyms has "b", whose synonym this term is in turn
b: synonyms has "c", whose synonym this term is in turn
c: synonyms has "a", whose synonym this term is in turn`},

		{"parent-unknown", terms{another("a", "b")}, `a: parent is "b", which is no term`},
		{"parent-of-itself", terms{another("a", "a")}, `a: parent is "a", which leads back to this term`},
		{"parents-of-each-other", terms{another("a", "b"), another("b", "a")}, `a: parent is "b", which leads back to this term
b: parent is "a", which leads back to this term`},
		{"parent-with-a-parent", terms{term("a"), another("b", "a"), another("c", "b")}, `c: parent is "b", which is another name of "a": name that`},
		{"parent-and-synonym-of-another", terms{term("a"), term("b", synonyms("c")), another("c", "a")}, `b: synonyms has "c", which is a term of its own
c: parent is "a", and "b" lists it as a synonym`},
		{"one-for-another-name-of-many", terms{term("skills", many), another("skill", "skills", func(t *vocabulary.Term) { t.Cardinality = tenure.One })},
			`skill: cardinality is one, and many for "skills", of which it is another name`},
		{"another-name-with-names", terms{term("a"), another("b", "a", synonyms("c"))}, `b: synonyms are those of "a": another name has none`},

		{"inverse-unknown", terms{term("a", inverse("b"))}, `a: inverse is "b", which is no term`},
		{"inverse-is-a-synonym", terms{term("a", inverse("c")), term("b", inverse("a"), synonyms("c"))}, `a: inverse is "c", which is another name of "b": name that
b: inverse is "a", whose own is "c"`},
		{"inverse-has-none", terms{term("a", inverse("b")), term("b")}, `a: inverse is "b", which has none`},
		{"inverse-of-another", terms{term("a", inverse("b")), term("b", inverse("c")), term("c", inverse("b"))}, `a: inverse is "b", whose own is "c"`},
		{"inverse-of-text", terms{term("a", inverse("b"), func(t *vocabulary.Term) { t.ValueType = tenure.TextValue }), term("b", inverse("a"))},
			"a: inverse needs values that are entities, and they are of type text"},
		{"inverse-that-changes", terms{term("a", inverse("b"), constant), term("b", inverse("a"))}, `a: constant differs from that of the inverse "b"
b: constant differs from that of the inverse "a"`},
		{"inverse-that-decays", terms{term("a", inverse("b"), decays(tenure.Slow)), term("b", inverse("a"))}, `a: decay differs from that of the inverse "b"
b: decay differs from that of the inverse "a"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range vocabulary.Check(c.terms) {
				got = append(got, f.String())
				if c.terms[f.Term].Name != f.Name {
					t.Errorf("fault of %q has the index of %q", f.Name, c.terms[f.Term].Name)
				}
			}
			if all := strings.Join(got, "\n"); all != c.want {
				t.Errorf("got\n%s\nwant\n%s", all, c.want)
			}
		})
	}
}

func TestExtend(t *testing.T) {
	own := []vocabulary.Term{
		term("manager", many, inverse("manages"), decays(tenure.Slow)), // in the place of the base term
		term("home_city"),               // a synonym of lives_in no more
		another("wohnt_in", "lives_in"), // another word for a base term
		term("lieblingstier", synonyms("pet")),
	}
	all := vocabulary.Extend(own)
	for _, f := range vocabulary.Check(all) {
		t.Error(f)
	}
	set := vocabulary.NewSet(all)
	for word, want := range map[string]string{
		"manager": "manager", "home city": "home_city", "wohntIn": "lives_in", "residence": "lives_in", "has pet": "lieblingstier", "dog": "pets",
	} {
		if got, _ := set.Lookup(word); got.Name != want {
			t.Errorf("%q is %q, want %q", word, got.Name, want)
		}
	}
	if got, _ := set.Lookup("manager"); got.Cardinality != tenure.Many {
		t.Error("the base term stands before the tenant's")
	}
	if got, _ := vocabulary.Lookup("home city"); got.Name != "lives_in" {
		t.Error("a tenant's term changed the base vocabulary")
	}

	faults := vocabulary.Check(vocabulary.Extend([]vocabulary.Term{term("boss", synonyms("manager"))}))
	if len(faults) != 1 || faults[0].Name != "boss" || faults[0].Field != "synonyms" {
		t.Errorf("a synonym that is a base term: %v", faults)
	}
}
