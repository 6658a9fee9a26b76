package statements_test

import (
	"testing"

	"tenure"
	"tenure/statements"
)

// TestDecisions reads what is decided without naming what it is about, and what only sounds like it.
func TestDecisions(t *testing.T) {
	for text, want := range map[string]struct {
		act        tenure.Act
		value, who string
	}{
		"Make that $150,000.":                              {tenure.Corrects, "$150,000", ""},
		"No wait, change that to Thursday.":                {tenure.Corrects, "Thursday", ""},
		"No wait, change that to this week.":               {tenure.Corrects, "this week", ""},
		"Actually, send it to New York instead.":           {tenure.Corrects, "New York", ""},
		"Let's proceed with GlobalTech for the contract.":  {tenure.Asserts, "GlobalTech", ""},
		"Actually, let's go back to card-based UI.":        {tenure.Asserts, "card-based UI", ""},
		"Per the CEO, we'll be doing monthly reviews.":     {tenure.Asserts, "monthly reviews", "CEO"},
		"Let's try list-based UI instead.":                 {tenure.Proposes, "list-based UI", ""},
		"Can you make it 6pm?":                             {tenure.Requests, "6pm", ""},
		"Let's go with Acme?":                              {tenure.Proposes, "Acme", ""},
		"Move it to the cellar.":                           {tenure.Requests, "cellar", ""},
		"Keep the location, please.":                       {tenure.Requests, "location", ""},
		"By the way, the priority is market expansion now": {tenure.Asserts, "market expansion", ""},
	} {
		list, err := statements.Rules{}.Statements(t.Context(), statements.Turn{Speaker: "Ann", Text: text}, nil)
		if err != nil || len(list) == 0 {
			t.Errorf("%q: %v, %d statements", text, err, len(list))
			continue
		}
		if s := list[0]; s.Act != want.act || s.New.Text != want.value || s.Voice != want.who {
			t.Errorf("%q: %s %q by %q, want %s %q by %q", text, s.Act, s.New.Text, s.Voice, want.act, want.value, want.who)
		}
	}
}
