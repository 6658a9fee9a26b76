package registry_test

import (
	"slices"
	"testing"

	"tenure"
)

// TestPartsOfNames checks which known entities are marked beside one that a mention makes, by the words that the names
// have in common, and that the decision is the same as without.
func TestPartsOfNames(t *testing.T) {
	thing := func(name string) tenure.Mention { return tenure.Mention{Name: name} }
	mail := func(m tenure.Mention, address string) tenure.Mention {
		m.Attributes = attributeMap{"email": {address}}
		return m
	}
	greta, api := one("Greta Voss", nil), thing("payments API")
	for name, c := range map[string]struct {
		known []tenure.Mention
		said  tenure.Mention
		want  []string
	}{
		"a-first-name":                {[]tenure.Mention{greta}, one("Greta", nil), []string{"Greta Voss"}},
		"a-first-name-without-a-type": {[]tenure.Mention{greta}, thing("greta"), []string{"Greta Voss"}},
		"a-surname-with-a-title":      {[]tenure.Mention{greta}, one("Dr Voss", nil), []string{"Greta Voss"}},
		"of-two":                      {[]tenure.Mention{greta, one("Greta Lind", nil)}, one("Greta", nil), []string{"Greta Lind", "Greta Voss"}},
		"the-full-name-after-a-part":  {[]tenure.Mention{one("Greta", nil)}, greta, []string{"Greta"}},
		"leading-words":               {[]tenure.Mention{api}, thing("Payments"), []string{"payments API"}},
		"with-an-article":             {[]tenure.Mention{api}, thing("the payments"), []string{"payments API"}},
		"trailing-words":              {[]tenure.Mention{thing("north payments API")}, thing("API"), []string{"north payments API"}},
		"a-number-left-out":           {[]tenure.Mention{thing("Appeal 2026")}, thing("Appeal"), []string{"Appeal 2026"}},
		"another-number":              {[]tenure.Mention{thing("Ledger 2025")}, thing("Ledger 2026"), nil},
		"a-number-more":               {[]tenure.Mention{thing("Ledger")}, thing("Ledger 2026"), nil},
		"a-part-of-a-word":            {[]tenure.Mention{greta}, one("Gret", nil), nil},
		"one-word-in-common":          {[]tenure.Mention{greta}, one("Greta Lind", nil), nil},
		"words-from-the-middle":       {[]tenure.Mention{thing("north payments API")}, thing("payments"), nil},
		"of-another-type":             {[]tenure.Mention{{Name: "Falkner Hut", Type: "hut"}}, one("Falkner", nil), nil},
		"with-another-mailbox": {[]tenure.Mention{mail(greta, "greta@voss.example")},
			mail(one("Greta", nil), "g@lind.example"), nil},
		"of-another-project": {[]tenure.Mention{{Name: "Greta Voss", Type: "person", Project: "nova"}}, one("Greta", nil), nil},
		"a-row":              {[]tenure.Mention{greta}, row("crm", "7", one("Greta", nil)), nil},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMemory(t)
			for _, k := range c.known {
				m.know(k)
			}
			d := m.decide(c.said)
			var got []string
			for _, found := range d.Candidates {
				if found.Part {
					got = append(got, found.Root.Name)
				}
			}
			if slices.Sort(got); !slices.Equal(got, c.want) || said(d) != "new_entity no_candidate" {
				t.Errorf("%s beside %q, want %q\n%s", said(d), got, c.want, candidates(d))
			}
		})
	}
}
