package registry_test

import (
	"math"
	"testing"

	"tenure"
	"tenure/registry"
)

func asks(scores ...float64) tenure.Review {
	r := tenure.Review{}
	for _, s := range scores {
		r.Candidates = append(r.Candidates, tenure.Candidate{Score: s})
	}
	return r
}

func TestWhatAnAnswerIsWorth(t *testing.T) {
	change := func(r tenure.Review, change func(*tenure.Review)) tenure.Review {
		change(&r)
		return r
	}
	for _, c := range []struct {
		behaviour  string
		more, less tenure.Review
	}{
		{"a toss-up is worth more than what is almost sure", asks(0.72), asks(0.94)},
		{"two that are alike are worth more than one", asks(0.9, 0.9), asks(0.9)},
		{"what much waits for is worth more", change(asks(0.9), func(r *tenure.Review) { r.PendingMentions = 5 }), asks(0.9)},
		{"what much is held for is worth more", change(asks(0.9), func(r *tenure.Review) { r.PendingBeliefs = 5 }), asks(0.9)},
		{"a veto is a doubt however high the score is", change(asks(0.99), func(r *tenure.Review) { r.Candidates[0].Veto = "x" }), asks(0.99)},
		{"what was put off is worth less", asks(0.9), change(asks(0.9), func(r *tenure.Review) { r.DeferredBy = "x" })},
		{"something to decide is worth more than nothing", asks(0.9), asks()},
	} {
		if more, less := registry.Priority(c.more), registry.Priority(c.less); more <= less {
			t.Errorf("%s: %v and %v", c.behaviour, more, less)
		}
	}
	if w := registry.Priority(asks(0.5)); math.Abs(w-1) > 1e-9 {
		t.Errorf("one that is as likely as not has %v bits", w)
	}
	for _, s := range []float64{0, 1, -1, 2, math.NaN(), math.Inf(1)} {
		if w := registry.Priority(asks(s)); math.IsNaN(w) || math.IsInf(w, 0) || w < 0 {
			t.Errorf("the worth by a score of %v is %v", s, w)
		}
	}
}

// TestBitsOfAnAnswer checks the figure: the entropy of the answer in bits, for each thing that waits for it.
func TestBitsOfAnAnswer(t *testing.T) {
	entropy := func(p float64) float64 { return -p*math.Log2(p) - (1-p)*math.Log2(1-p) }
	of := func(score float64, edit func(*tenure.Review)) tenure.Review {
		r := asks(score)
		edit(&r)
		return r
	}
	for _, c := range []struct {
		behaviour string
		review    tenure.Review
		want      float64
	}{
		{"nothing to choose", asks(), 0},
		{"one candidate", asks(0.9), entropy(0.9)},
		{"two candidates as likely as none", asks(0.5, 0.5), math.Log2(3)},
		{"never beyond doubt", asks(1), entropy(0.99)},
		{"never quite excluded", asks(0), entropy(0.01)},
		{"a veto", of(0.99, func(r *tenure.Review) { r.Candidates[0].Veto = "x" }), 1},
		{"no number", asks(math.NaN()), 1},
		{"two wait", of(0.9, func(r *tenure.Review) { r.PendingMentions = 2 }), 3 * entropy(0.9)},
		{"three are held", of(0.9, func(r *tenure.Review) { r.PendingBeliefs = 3 }), 4 * entropy(0.9)},
		{"both", of(0.9, func(r *tenure.Review) { r.PendingMentions, r.PendingBeliefs = 2, 3 }), 6 * entropy(0.9)},
		{"counts below nothing", of(0.9, func(r *tenure.Review) { r.PendingMentions, r.PendingBeliefs = -2, -3 }), entropy(0.9)},
		{"put off", of(0.9, func(r *tenure.Review) { r.DeferredBy = "x" }), entropy(0.9) / 4},
	} {
		if got := registry.Priority(c.review); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.behaviour, got, c.want)
		}
	}
}
