package storetest

import (
	"os"
	"strings"
	"testing"
)

// TestPromisesAreQuoted holds each test to a sentence that the contract says,
// and each sentence to one test.
func TestPromisesAreQuoted(t *testing.T) {
	var source string
	for _, file := range []string{"../store.go", "../archive.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source += string(text)
	}
	var comments []string
	for line := range strings.Lines(source) {
		if _, comment, ok := strings.Cut(line, "//"); ok {
			comments = append(comments, strings.Fields(comment)...)
		}
	}
	contract := strings.Join(comments, " ")
	seen := map[string]bool{}
	for _, p := range promises() {
		if !strings.Contains(contract, p.quote) {
			t.Errorf("the contract does not say %q", p.quote)
		}
		if seen[p.quote] {
			t.Errorf("%q has two tests", p.quote)
		}
		seen[p.quote] = true
	}
}
