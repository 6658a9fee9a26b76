package main

import (
	"os"
	"strings"
	"testing"
)

// TestNoticeNamesEverySet checks that NOTICE names every set that the model is made from: the parts in the
// program are the work of others.
func TestNoticeNamesEverySet(t *testing.T) {
	notice, err := os.ReadFile("../../NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	listed, err := os.ReadFile("../../docs/sources.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range sources {
		if set.form == ordinary {
			continue // measured, never learned from
		}
		folder, _, _ := strings.Cut(set.path, "/")
		if !strings.Contains(string(notice), folder) {
			t.Errorf("NOTICE does not name %s", folder)
		}
		if !strings.Contains(string(listed), "`"+folder+"`") {
			t.Errorf("docs/sources.md does not name %s", folder)
		}
	}
	// Phrases that the licences require.
	for _, asked := range []string{
		"Database Group Leipzig", "https://creativecommons.org/licenses/by/4.0/", "Copyright (c) 2016-2018, Jonathan de Bruin",
		"Carlton Northern and Nick Crews", "OpenSanctions Datenbanken GmbH", "Ben Severn", "THIS SOFTWARE IS PROVIDED BY", "THE SOFTWARE IS PROVIDED",
	} {
		if !strings.Contains(string(notice), asked) {
			t.Errorf("NOTICE does not say %q", asked)
		}
	}
}
