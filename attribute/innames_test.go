package attribute_test

import (
	"testing"

	"tenure/attribute"
)

// TestIdentifiersInNames checks which names have the form of an exclusive identifier, and of which kind.
func TestIdentifiersInNames(t *testing.T) {
	for name, want := range map[string]string{
		"acme-labs/prompt-library": "repository acme-labs/prompt-library", "Acme-Labs/Prompt.Library": "repository acme-labs/prompt.library",
		"https://code.example/acme/lib": "repository https://code.example/acme/lib; url code.example/acme/lib",
		" j.smith@acme.example ":        "email j.smith@acme.example", "J.Smith@Acme.example": "email j.smith@acme.example",
		"sales@acme.example": "", // many read it
		"JIRA-1234":          "ticket_id jira-1234", "OPS2-7": "ticket_id ops2-7",
		"10.1000/182": "doi 10.1000/182; repository 10.1000/182",
		"":            "", "Ada": "", "Ada Park": "", "and/or else": "", "AC/DC records": "", "Jean-Paul": "", "@ada": "", "12-34": "", "a/b/c": "",
	} {
		got := ""
		for _, id := range attribute.InName(name) {
			if got != "" {
				got += "; "
			}
			if got += id.AliasKey.Kind + " " + id.AliasKey.Key; !id.Exclusive {
				t.Errorf("%q: %s is not exclusive", name, id.AliasKey.Kind)
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
