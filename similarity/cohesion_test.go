package similarity

import (
	"testing"

	"tenure"
)

func TestCohesion(t *testing.T) {
	m := DefaultModel()
	row := func(name, born, passport string) tenure.Mention {
		a := map[string][]string{"dob": {born}}
		if passport != "" {
			a["passport"] = []string{passport}
		}
		return tenure.Mention{Name: name, Type: "person", Attributes: a}
	}
	lena, bo := row("Lena Brandt", "1984-03-02", ""), row("Bo Okafor-Lund", "1951-11-30", "")
	one := m.Cohesion([]tenure.Mention{lena, lena, lena})
	if one.Pairs != 3 || one.Apart != 0 || one.Weakest < MergeAt {
		t.Errorf("three rows that say the same: %+v", one)
	}
	two := m.Cohesion([]tenure.Mention{lena, lena, lena, bo, bo})
	if two.Apart != 6 || two.Weakest > NewAt || two.Side != 2 {
		t.Errorf("two people taken for one: %+v", two)
	}
	torn := m.Cohesion([]tenure.Mention{row("Lena Brandt", "1984-03-02", "C01X00T47"), row("Lena Brandt", "1984-03-02", "F7K229310")})
	if torn.Contradicting != 1 {
		t.Errorf("two passports: %+v", torn)
	}
	if alone := m.Cohesion([]tenure.Mention{lena}); alone.Weakest != 1 || alone.Pairs != 0 {
		t.Errorf("one row: %+v", alone)
	}
}
