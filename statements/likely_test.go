package statements

import (
	"testing"

	"tenure"
)

// What the words of each clause of a mail cost.
func BenchmarkLikely(b *testing.B) {
	readings := parsed(Turn{At: tenure.Instant(1), Text: `Morning all. The launch city of Plover is Namur now, Rita Sand told me on Monday.
The build server moved to room 112, and the budget went up to 45,000 euros. Could we push the review to Friday?`}, nil)
	w := weights()
	for b.Loop() {
		for i := range readings {
			w.Likely(traitsOf(readings, i, false))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(readings)), "ns/clause")
}

// An assertion behind which the rules see a question is read as both, and the denied value is never asserted.
func TestMeantAnyway(t *testing.T) {
	list := Read(Turn{At: 1, Text: "it's not Friday"}, nil)
	for _, s := range list {
		if s.Act == tenure.Asserts && s.New.Text == "Friday" {
			t.Errorf("%+v asserts what is denied", s)
		}
	}
	for _, s := range Read(Turn{At: 1, Text: "Let's pretend. I want you to know the launch city is Namur now."}, nil) {
		if s.Act.Changes() && s.New.Text == "Namur" {
			t.Errorf("%+v is said in a world that is supposed", s)
		}
	}
}
