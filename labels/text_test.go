package labels_test

import (
	"testing"

	"tenure"
	"tenure/labels"
)

func TestOf(t *testing.T) {
	for text, want := range map[string]tenure.Classification{
		"The budget is five.": "", "[CONFIDENTIAL] The budget is five.": tenure.Confidential,
		"[VP] [CONFIDENTIAL] The budget is five.": tenure.Confidential, "[VP] The budget is five.": "",
		"[nobody] [CONFIDENTIAL] The budget is five.": "", "[VP]": "",
	} {
		if got := labels.Of(text).Classification; got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestRole(t *testing.T) {
	for text, want := range map[string]struct {
		role string
		end  int
	}{
		"[VP] The budget is five.": {"vp", 4}, "[CEO]x": {"ceo", 5}, "[VP]": {}, "[VP] ": {}, "VP] x": {}, "[VP x": {},
		"[nobody] x": {}, "": {},
	} {
		role, end := labels.Role(text)
		if role != want.role || end != want.end {
			t.Errorf("%q: %q to %d, want %q to %d", text, role, end, want.role, want.end)
		}
	}
}

// TestSees checks whom the scope and the labels of a text let see it.
func TestSees(t *testing.T) {
	scope := tenure.Scope{ProjectID: "p"}
	for _, c := range []struct {
		behaviour string
		caller    tenure.Caller
		o         tenure.Observation
		want      bool
	}{
		{"a text", tenure.Caller{}, tenure.Observation{Text: "x"}, true},
		{"of another project", tenure.Caller{Bound: tenure.Scope{ProjectID: "q"}}, tenure.Observation{Scope: scope}, false},
		{"of the project", tenure.Caller{Bound: scope}, tenure.Observation{Scope: scope}, true},
		{"labelled", tenure.Caller{Clearance: tenure.Restricted}, tenure.Observation{Text: "[CONFIDENTIAL] x y"}, false},
		{"labelled, and cleared", tenure.Caller{Clearance: tenure.Confidential}, tenure.Observation{Text: "[CONFIDENTIAL] x y"}, true},
		{"left unread", tenure.Caller{Clearance: tenure.Public}, tenure.Observation{Text: "[CONFIDENTIAL] x y", LeftUnread: true}, true},
		{
			"left unread, of another project", tenure.Caller{Bound: tenure.Scope{ProjectID: "q"}},
			tenure.Observation{Scope: scope, LeftUnread: true}, false,
		},
	} {
		if got := labels.Sees(c.caller, c.o); got != c.want {
			t.Errorf("%s: %v", c.behaviour, got)
		}
	}
}
