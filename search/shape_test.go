package search_test

import (
	"slices"
	"testing"

	"tenure/search"
	"tenure/text"
)

// TestAskedBy checks by which words questions ask for texts, whatever property they are the value of.
func TestAskedBy(t *testing.T) {
	for _, c := range []struct {
		content string
		has     string // "" if no word asks for it
		contact bool
	}{
		{"+47 900 55 512", "ring", true}, {"08 555 90 12, also at weekends", "call", true}, {"ext. 4417", "reach", true},
		{"(0171) 555-0100", "dial", true}, {"ada@fjord.example", "write", true}, {"https://fjord.example/x", "link", false},
		{"40 euros", "cost", false}, {"$12.50", "pay", false},
		{"2026-03-01", "", false}, {"11", "", false}, {"20 builds", "", false}, {"96 hours in the fridge", "", false},
		{"8150", "", false}, {"a long note about 5550100 calls", "", false}, {"", "", false},
	} {
		got, has := search.AskedBy(c.content), c.has == ""
		text.Terms(c.has, nil, func(term []byte) { has = slices.Contains(got, string(term)) })
		if !has || c.has == "" && len(got) > 0 || !slices.IsSorted(got) {
			t.Errorf("%q is asked for by %q", c.content, got)
		}
		if search.IsContact(c.content) != c.contact {
			t.Errorf("%q is a contact: %v", c.content, !c.contact)
		}
	}
}
