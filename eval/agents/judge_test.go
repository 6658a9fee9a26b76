package main

import "testing"

func TestRight(t *testing.T) {
	for _, c := range []struct {
		name    string
		q       question
		context string
		want    bool
	}{
		{"every-wanted-value", question{Want: []string{"nuts", "shellfish"}}, "== Facts ==\nallergic_to: nuts\nallergic_to: shellfish", true},
		{"one-is-missing", question{Want: []string{"nuts", "shellfish"}}, "allergic_to: nuts", false},
		{"nothing", question{Want: []string{"nuts"}}, "", false},
		{"another-spelling", question{Want: []string{"$1,500 | 1500 USD"}}, "total: 1500 USD", true},
		{"no-spelling", question{Want: []string{"$1,500 | 1500 USD"}}, "total: 1500", false},
		{"a-forbidden-line", question{Want: []string{"15 June"}, Never: []string{"1 June"}}, "due: 15 June\ndue: 1 June", false},
		{"a-forbidden-line-in-the-middle", question{Want: []string{"15 June"}, Never: []string{"1 June"}}, "due: 1 June\ndue: 15 June\n", false},
		{"a-forbidden-value-within-another", question{Want: []string{"15 June"}, Never: []string{"5 June"}}, "due: 15 June", true},
		{"a-forbidden-value-within-a-line", question{Want: []string{"15 June"}, Never: []string{"1 June"}}, "due: 15 June (before: 1 June)", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.q.right(c.context); got != c.want {
				t.Errorf("right %v, want %v", got, c.want)
			}
		})
	}
}

func TestTally(t *testing.T) {
	right, named, namedRight := tally([]answer{
		{Right: true}, {Right: false}, {Right: true, question: question{ByValue: true}}, {question: question{ByValue: true}},
	})
	if right != 2 || named != 2 || namedRight != 1 {
		t.Errorf("right %d, named %d, right of the named %d; want 2, 2, 1", right, named, namedRight)
	}
}
