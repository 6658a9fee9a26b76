package compile_test

import (
	"strings"
	"testing"

	"tenure/compile"
)

// FuzzCheck checks that each constraint has an outcome, and reasons if and only if the answer of a model violates it.
func FuzzCheck(f *testing.F) {
	for _, s := range [][3]string{
		{"Refunds need a receipt.", "receipt", "salary"}, {"```json\n{\"salary\": 80000}\n```", "80000", "salary"},
		{`{"a":[{"salary":"unknown"}]}`, "", "salary"}, {"```\n```\n```", "`", "x"}, {strings.Repeat("[", 5000), "[", "a"},
		{"\xff\xfe", "\xff", ""}, {`{"Home Address":1}`, " ", "home_address"},
	} {
		f.Add(s[0], s[1], s[2])
	}
	f.Fuzz(func(t *testing.T, answer, phrase, unknown string) {
		list := []compile.Constraint{
			{Text: "a", Must: []string{phrase}}, {Text: "b", MustNot: []string{phrase}}, {Text: "c", Unknown: unknown}, {Text: "d"},
		}
		all := compile.Check(list, answer)
		if len(all) != len(list) {
			t.Fatalf("%d outcomes", len(all))
		}
		for i, c := range all {
			if c.Text != list[i].Text || (c.Outcome == compile.CheckViolated) != (len(c.Reasons) > 0) {
				t.Errorf("%+v", c)
			}
		}
		if strings.TrimSpace(phrase) != "" && all[0].Outcome == all[1].Outcome {
			t.Errorf("%q is both there and not: %s", phrase, all[0].Outcome)
		}
	})
}
