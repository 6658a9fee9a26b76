package registry_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/registry"
	"tenure/similarity"
)

// TestAliasesOfRows checks which version of a row gives an entity its aliases: the last, and of equal ones the first, as
// when one came after the other.
func TestAliasesOfRows(t *testing.T) {
	row := func(id tenure.ID, name string) tenure.Mention {
		return tenure.Mention{ID: id, Name: name, Record: &tenure.Record{Source: "crm", ID: "1"}}
	}
	hidden := row("3", "Ida")
	hidden.Label.Classification = tenure.Confidential
	for _, c := range []struct {
		behaviour string
		mentions  []tenure.Mention
		want      string
	}{
		{"one-that-says-the-same-replaces-nothing", []tenure.Mention{row("1", "Ada"), row("2", "Ada")}, "ada of 1, crm\x1f1 of 1"},
		{"one-that-differs-does", []tenure.Mention{row("1", "Ada"), row("2", "Bea"), row("3", "Ada")}, "ada of 3, crm\x1f1 of 3"},
		{"one-that-fewer-see-does-not", []tenure.Mention{row("1", "Ada"), hidden}, "ada of 1, crm\x1f1 of 1, ida of 3"},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			_, aliases := registry.BuildProfile(tenure.Entity{ID: "e"}, c.mentions)
			var got []string
			for _, a := range aliases {
				got = append(got, fmt.Sprintf("%s of %s", a.Key.Key, a.Mention))
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("%s, want %s", s, c.want)
			}
		})
	}
}

// TestProfileOfMentions checks what an entity keeps of its mentions, by their project, their rows and their order.
func TestProfileOfMentions(t *testing.T) {
	crm := func(id string) *tenure.Record { return &tenure.Record{Source: "crm", ID: id} }
	blank := tenure.Entity{ID: "e", Status: tenure.EntityCanonical}
	within := func(project string) tenure.Label { return tenure.Label{Scope: tenure.Scope{ProjectID: project}} }
	entity := func(edit func(*tenure.Entity)) tenure.Entity {
		e := blank
		edit(&e)
		return e
	}
	for _, c := range []struct {
		behaviour string
		mentions  []tenure.Mention
		want      tenure.Entity // which has the label of the first mention at first
		keys      string
	}{
		{"nothing-said", nil, blank, "[]"},
		{
			"the-first-name-and-the-first-type", []tenure.Mention{{ID: "1", Name: "Ada"}, {ID: "2", Name: "Ada Park", Type: "person", Aliases: []string{"AP"}}, {ID: "3", Name: "Ada", Type: "user"}},
			entity(func(e *tenure.Entity) { e.Name, e.Type, e.Names = "Ada", "person", []string{"Ada", "Ada Park", "AP"} }), "[ada ada park ap]",
		},
		{
			"the-newest-version-of-a-row", []tenure.Mention{{ID: "1", Name: "Ada", Record: crm("1")}, {ID: "2", Name: "Bea", Record: crm("2")}, {ID: "3", Name: "Ada Park", Record: crm("1")}},
			entity(func(e *tenure.Entity) {
				e.Name, e.Names, e.Records = "Bea", []string{"Bea", "Ada Park"}, []tenure.Record{*crm("2"), *crm("1")}
			}), "[bea crm\x1f2 ada park crm\x1f1]",
		},
		{
			"all-in-one-project", []tenure.Mention{{ID: "1", Name: "Ada", Project: "p", Context: "x", Label: within("p")}, {ID: "2", Name: "AP", Project: "p", Context: "x", Label: within("p")}},
			entity(func(e *tenure.Entity) {
				e.Name, e.Project, e.Names, e.Context, e.Label = "Ada", "p", []string{"Ada", "AP"}, []string{"x"}, within("p")
			}), "[ada ap]",
		},
		{
			"outside-its-project-it-is-everybodys-and-forgets-what-the-project-says",
			[]tenure.Mention{{ID: "1", Name: "Ada", Aliases: []string{"Mole"}, Project: "p", Label: within("p"), Context: "secret", Attributes: attributeMap{"dob": {"1978-05-04"}}}, {ID: "2", Name: "A. Park"}},
			entity(func(e *tenure.Entity) { e.Name, e.Names = "A. Park", []string{"A. Park"} }), "[ada mole a. park]",
		},
		{
			"what-a-project-says-of-everybodys-is-not-kept",
			[]tenure.Mention{{ID: "1", Name: "Ada"}, {ID: "2", Name: "Mole", Project: "p", Context: "secret", Attributes: attributeMap{"dob": {"1978-05-04"}}, Record: crm("1")}},
			entity(func(e *tenure.Entity) { e.Name, e.Names = "Ada", []string{"Ada"} }), "[ada mole crm\x1f1]",
		},
		{
			"evidence-of-former-versions-has-its-project-beside-its-label",
			[]tenure.Mention{{ID: "1", Name: "Ada"}, {ID: "2", Name: "Mole", Project: "p", Record: crm("1")}},
			entity(func(e *tenure.Entity) { e.Name, e.Names = "Ada", []string{"Ada"} }), "[ada mole crm\x1f1]",
		},
		{
			"values-of-an-attribute-once-each", []tenure.Mention{{ID: "1", Name: "Ada", Attributes: attributeMap{"city": {"Leer"}}}, {ID: "2", Name: "Ada", Attributes: attributeMap{"city": {"Emden", "Leer"}, "role": {"cook"}}}},
			entity(func(e *tenure.Entity) {
				e.Name, e.Names, e.Attributes = "Ada", []string{"Ada"}, attributeMap{"city": {"Leer", "Emden"}, "role": {"cook"}}
			}), "[ada]",
		},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			e := blank
			if len(c.mentions) > 0 {
				e.Label = c.mentions[0].Label
			}
			got, aliases := registry.BuildProfile(e, c.mentions)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
			keys := []string{}
			for _, a := range aliases {
				keys = append(keys, a.Key.Key)
				if a.Entity != "e" {
					t.Errorf("%s is an alias of %q", a.Key.Key, a.Entity)
				}
			}
			if fmt.Sprint(keys) != c.keys {
				t.Errorf("aliases %q, want %q", keys, c.keys)
			}
		})
	}
}

// TestAProfileIsBounded checks that an entity which is mentioned without end keeps a bounded profile.
func TestAProfileIsBounded(t *testing.T) {
	var list []tenure.Mention
	for i := range 400 {
		s := fmt.Sprint("v", i)
		list = append(list, tenure.Mention{
			ID: tenure.ID(s), Name: s, Context: s, Record: &tenure.Record{Source: "crm", ID: s},
			Attributes: attributeMap{s: {"x"}, "a": {s}},
		})
	}
	e, _ := registry.BuildProfile(tenure.Entity{}, list)
	got := []int{len(e.Names), len(e.Context), len(e.Records), len(e.Attributes), len(e.Attributes["a"])}
	want := []int{64, 16, 256, 64, 32}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestAnEntityKeepsNameAndTypeWithoutMentions checks what is left of an entity when its mentions are taken away.
func TestAnEntityKeepsNameAndTypeWithoutMentions(t *testing.T) {
	full := tenure.Entity{
		ID: "e", Name: "Ada", Type: "person", Project: "p", Names: []string{"Ada"}, Context: []string{"x"},
		Records: []tenure.Record{{Source: "crm", ID: "1"}}, Attributes: attributeMap{"a": {"b"}},
	}
	got, aliases := registry.BuildProfile(full, nil)
	want := tenure.Entity{
		ID: "e", Name: "Ada", Type: "person", Project: "p", Label: tenure.Label{Scope: tenure.Scope{ProjectID: "p"}},
	}
	if diff := cmp.Diff(want, got); diff != "" || aliases != nil {
		t.Error(diff, aliases)
	}
}

// TestAliasesThatNoLongerFollow checks that rebuilding a profile closes the aliases that no mention gives any more and
// adds the new ones, each once.
func TestAliasesThatNoLongerFollow(t *testing.T) {
	_, had := registry.BuildProfile(tenure.Entity{ID: "e"}, []tenure.Mention{{ID: "1", Name: "Ada"}, {ID: "2", Name: "Mole"}})
	_, changes := registry.RebuildProfile(tenure.Entity{ID: "e"}, had, []tenure.Mention{{ID: "1", Name: "Ada"}, {ID: "3", Name: "Ada"}, {ID: "4", Name: "Bea"}})
	var got []string
	for _, c := range changes {
		switch c := c.(type) {
		case tenure.AliasClosed:
			got = append(got, "-"+c.Alias.Key.Key)
		case tenure.AliasAdded:
			got = append(got, "+"+c.Alias.Key.Key)
		}
	}
	if fmt.Sprint(got) != "[-mole +bea]" {
		t.Errorf("got %v", got)
	}
}

// TestRestates checks which difference makes a mention say something new.
func TestRestates(t *testing.T) {
	first := tenure.Mention{ID: "1", Observation: "o1", Index: 1, Name: "Ada"}
	for name, c := range map[string]struct {
		edit func(*tenure.Mention)
		want bool
	}{
		"another-place":   {func(m *tenure.Mention) { m.ID, m.Observation, m.Index = "2", "o2", 3 }, true},
		"empty-for-none":  {func(m *tenure.Mention) { m.Aliases, m.Attributes = []string{}, attributeMap{} }, true},
		"another-name":    {func(m *tenure.Mention) { m.Name = "ada" }, false},
		"another-type":    {func(m *tenure.Mention) { m.Type = "person" }, false},
		"an-alias":        {func(m *tenure.Mention) { m.Aliases = []string{"AP"} }, false},
		"an-attribute":    {func(m *tenure.Mention) { m.Attributes = attributeMap{"a": {"b"}} }, false},
		"another-project": {func(m *tenure.Mention) { m.Project = "p" }, false},
		"text-beside-it":  {func(m *tenure.Mention) { m.Context = "x" }, false},
		"a-row-behind-it": {func(m *tenure.Mention) { m.Record = &tenure.Record{Source: "crm", ID: "1"} }, false},
		"word-for-word":   {func(*tenure.Mention) {}, true},
	} {
		m := first
		c.edit(&m)
		if got := registry.Restates(m, first); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
		if got := registry.Restates(first, m); got != c.want {
			t.Errorf("%s, the other way round: %v", name, got)
		}
	}
}

// TestAnEntityOfOneMentionIsPreparedOnce checks that the profile that a mention was resolved by serves for the entity that
// it made.
func TestAnEntityOfOneMentionIsPreparedOnce(t *testing.T) {
	model := similarity.DefaultModel()
	m := row("crm", "7", one("Ada Park", attributeMap{"dob": {"1978-05-04"}, "email": {"ada@park.example"}}))
	m.Aliases, m.Context = []string{"A. Park"}, "keeps the tide tables"
	e, _ := registry.BuildProfile(tenure.Entity{ID: "e"}, []tenure.Mention{m})
	if model.CachedProfile(similarity.ProfileOfMention(m)) != model.CachedRoot([]tenure.Entity{e}) {
		t.Error("the entity's profile is prepared again")
	}
}
