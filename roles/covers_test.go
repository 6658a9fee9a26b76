package roles_test

import (
	"testing"

	"tenure/roles"
)

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		group, role string
		want        bool
	}{
		{"Finance", "finance", true}, {"HR", "h r", false}, {"team lead", "Team-Lead", true}, {"VP", "CEO", false},
		{"VP+", "VP", true}, {"VP+", "CEO", true}, {"VP+", "VP Sales", true}, {"VP+", "Senior VP", true},
		{"VP+", "Engineering Manager", false}, {"VP+", "Sales Rep", false}, {"VP+", "", false},
		{"VP+", "Assistant to the CEO", false}, {"VP+", "CEO assistant", false}, {"VP+", "Board secretary", false},
		{"VP+", "VP intern coordinator", false}, {"VP+", "Friend of the CEO", false}, {"VP+", "CEO fan club", false},
		{"VP+", "VP, Cheese", true}, {"VP+", "VP of Cheese", true}, {"VP+", "VP Sales and Marketing", true},
		{"director+", "Engineering Director", true}, {"Board+", "vp", false}, {"+", "ceo", false}, {"Wizard+", "wizard", true}, {"Wizard+", "sorcerer", false},
	} {
		if got := roles.Base().Covers(c.group, c.role); got != c.want {
			t.Errorf("%q covers %q: %v", c.group, c.role, got)
		}
	}
}
