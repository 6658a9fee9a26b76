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

func TestLabelOfAnObservation(t *testing.T) {
	for name, tc := range map[string]struct {
		o    tenure.Observation
		want tenure.Classification
	}{
		"before-there-were-classifications":              {tenure.Observation{Text: "[CONFIDENTIAL] x y"}, tenure.Confidential},
		"before-there-were-classifications-and-unread":   {tenure.Observation{Text: "[CONFIDENTIAL] x y", LeftUnread: true}, tenure.Restricted},
		"before-there-were-classifications-and-no-label": {tenure.Observation{Text: "x"}, tenure.Restricted},
		"classified": {tenure.Observation{Text: "[CONFIDENTIAL] x y", Classification: tenure.Public}, tenure.Public},
	} {
		if got := labels.LabelOf(tc.o).Level(); got != tc.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
