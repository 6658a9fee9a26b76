package registry_test

import (
	"encoding/json"
	"testing"

	"tenure"
)

// TestWhatIsBelievedTellsTwoApart checks that a date of birth and a number that are believed of the only entity of a
// name, and that no mention of it states, keep another of that name from being merged with it.
func TestWhatIsBelievedTellsTwoApart(t *testing.T) {
	one := func(attributes attributeMap) tenure.Mention {
		return tenure.Mention{Name: "Ada Featherstone", Type: "person", Attributes: attributes}
	}
	draft := tenure.Scope{Kind: tenure.ScopeDraft}
	for _, c := range []struct {
		behaviour        string
		predicate, value string
		scope            tenure.Scope
		known, said      attributeMap
		want             string
	}{
		{"another-birthday", "birth_date", "1950-03-12", tenure.Scope{}, nil, attributeMap{"dob": {"1980-07-01"}}, "review contradicting_birth_date"},
		{"the-same-birthday", "birth_date", "1950-03-12", tenure.Scope{}, nil, attributeMap{"dob": {"12 March 1950"}}, "auto_merge exact_name"},
		{"another-passport", "passport", "X1234567", tenure.Scope{}, nil, attributeMap{"passport": {"Q7651239"}}, "review contradicting_identifier"},
		{"a-draft", "birth_date", "1950-03-12", draft, nil, attributeMap{"dob": {"1980-07-01"}}, "auto_merge exact_name"},
		{"nothing-to-compare", "birth_date", "1950-03-12", tenure.Scope{}, nil, nil, "auto_merge exact_name"},
		{"what-tells-nothing", "office", "Boston", tenure.Scope{}, nil, attributeMap{"dob": {"1980-07-01"}}, "auto_merge exact_name"},
		{"what-a-mention-states-counts", "birth_date", "1950-03-12", tenure.Scope{}, attributeMap{"born": {"1980-07-01"}}, attributeMap{"dob": {"1980-07-01"}}, "auto_merge exact_name"},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			m := newMemory(t)
			value, err := json.Marshal(c.value)
			if err != nil {
				t.Fatal(err)
			}
			m.facts = []tenure.Belief{{Claim: tenure.Claim{
				Subject: m.know(one(c.known)), Predicate: c.predicate, Value: tenure.Value{JSON: value}, Scope: c.scope,
			}}}
			d := m.decide(one(c.said))
			if said(d) != c.want {
				t.Errorf("decided %q with score %.4f, want %q\n%s", said(d), d.Score, c.want, candidates(d))
			}
		})
	}
}
