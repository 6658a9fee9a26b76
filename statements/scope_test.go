package statements_test

import (
	"testing"
	"time"

	"tenure"
	"tenure/statements"
)

// What is said in a world that is only supposed is a supposition until somebody comes back from it; the last turn of
// each conversation is looked at.
func TestSupposedWorlds(t *testing.T) {
	const clause = "The launch city is Namur."
	for _, tt := range []struct {
		name  string
		turns []string
		later time.Duration // when the last turn is said
		want  tenure.Act
	}{
		{"pretended", []string{"Let's pretend we are rich.", clause}, 0, tenure.Supposes},
		{"pretended by several", []string{"ok let's imagine we win the lottery", "haha nice", clause}, 0, tenure.Supposes},
		{"in the same turn", []string{"For the sake of argument, we win. The launch city is Namur."}, 0, tenure.Supposes},
		{"a thought experiment", []string{"Thought experiment: money is no matter.", clause}, 0, tenure.Supposes},
		{"in German", []string{"Stellen wir uns vor, wir gewinnen im Lotto.", "Die Startstadt ist Namur."}, 0, tenure.Supposes},
		{"what if, gone on with", []string{"What if we moved?", "Then the launch city is Namur."}, 0, tenure.Supposes},

		{"back to reality", []string{"Let's pretend we are rich.", "Okay, back to reality.", clause}, 0, tenure.Asserts},
		{"back to the plan in one sentence", []string{"Let's pretend we are rich.", "Back to the plan: the launch city is Namur."}, 0, tenure.Asserts},
		{"seriously", []string{"let's pretend we are rich", "Seriously, the launch city is Namur."}, 0, tenure.Asserts},
		{"long ago", []string{"Let's pretend we are rich.", clause}, 3 * time.Hour, tenure.Asserts},
		{"what if, answered", []string{"What if we moved?", clause}, 0, tenure.Asserts},
		{"pretending told of", []string{"The kids love to pretend they are pirates.", clause}, 0, tenure.Asserts},
		{"pretending not asked for", []string{"Let's not pretend it is easy.", clause}, 0, tenure.Asserts},
		{"an experiment", []string{"The thought experiment club meets at noon.", clause}, 0, tenure.Asserts},
		{"I suppose", []string{"I suppose that is that.", clause}, 0, tenure.Asserts},
	} {
		var before []statements.Turn
		var now statements.Turn
		for i, text := range tt.turns {
			now = turn(t, text)
			now.At = tenure.At(said.Add(time.Duration(i) * time.Minute))
			if i == len(tt.turns)-1 {
				now.At = tenure.At(said.Add(time.Duration(i)*time.Minute + tt.later))
				break
			}
			before = append(before, now)
		}
		found := false
		for _, s := range statements.Read(now, before) {
			found = found || s.New.Text == "Namur"
			if s.New.Text == "Namur" && s.Act != tt.want {
				t.Errorf("%s: %q is read as %s by %q, want %s", tt.name, s.Text, s.Act, s.Trigger, tt.want)
			}
		}
		if !found {
			t.Errorf("%s: no statement says Namur", tt.name)
		}
	}
}
