package ingest_test

import (
	"encoding/json"
	"testing"

	"tenure/ingest"
)

func TestLabelsOfNames(t *testing.T) {
	for predicate, read := range map[string]bool{
		"name": false, "bookTitle": false, "subject": false, "channels": false, "file": false, "username": false, "repo_url": false,
		"status": false, "launch_city": true, "subject_matter": true, "profile": true,
	} {
		in := ingest.Input{Claims: []ingest.Claim{{Predicate: predicate}}}
		in.Claims[0].Value.JSON = json.RawMessage(`"VOID: the novel"`)
		if got := in.Labelled().Claims[0].Labels.Any(); got != read {
			t.Errorf("%s: labels are read: %v", predicate, got)
		}
	}
}

// TestRoleTags leaves the role of a speaker out of the words, where there are words and it is a role.
func TestRoleTags(t *testing.T) {
	for text, want := range map[string]string{
		"[VP] The budget is $80,000.":      "     The budget is $80,000.",
		"[VP] [DRAFT] The budget is five.": "             The budget is five.",
		"[Wizard] The budget is five.":     "[Wizard] The budget is five.",
		"[VP]":                             "[VP]",
		"[VP":                              "[VP",
	} {
		if got := (ingest.Input{Text: text}).Labelled().Unlabelled(); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}
