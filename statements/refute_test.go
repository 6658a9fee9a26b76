package statements_test

import (
	"slices"
	"testing"

	"tenure/statements"
)

func TestRefutations(t *testing.T) {
	voices := []string{"L1 Support", "L2 Support", "Ann Lee", "Customer"}
	for _, c := range []struct {
		text   string
		voices []int
		about  []string
		quoted string
	}{
		{"L1 diagnosis was wrong. This is a sync issue.", []int{0}, nil, ""},
		{"Actually L2 was also wrong. The data is correct.", []int{1}, nil, ""},
		{"Turns out both L1 and L2 were wrong.", []int{0, 1}, nil, ""},
		{"What Ann said was incorrect", []int{2}, nil, ""},
		{"Ann was wrong about the port", []int{2}, []string{"port"}, ""},
		{"Ann's port number was wrong!", []int{2}, []string{"port", "number"}, ""},
		{"It doesn't work. Ann Lee got it wrong", []int{2}, nil, ""},
		{"Our conclusion 'Launch on 1 March' was based on outdated data.", nil, nil, "Launch on 1 March"},
	} {
		list := statements.Refutations(c.text, voices)
		if len(list) != 1 || !slices.Equal(list[0].Voices, c.voices) || !slices.Equal(list[0].About, c.about) ||
			list[0].Quoted != c.quoted || c.text[list[0].Start:list[0].End] != list[0].Text {
			t.Errorf("%q: %+v", c.text, list)
		}
	}
	for _, s := range []string{
		"Was L1 wrong?", "I doubt that L1 was wrong", "If L1 was wrong we start over", "Ben was wrong", "Customer data was wrong",
		"L1 was not wrong", "Support was wrong", "L1 went to the wrong room", "Something is wrong with L2's laptop",
		"Ann sent the wrong file", "'no' was wrong", "L1 found what was wrong",
	} {
		if list := statements.Refutations(s, voices); len(list) > 0 {
			t.Errorf("%q: %+v", s, list)
		}
	}
}
