package calibrate_test

import (
	"strings"
	"testing"

	"tenure"

	"tenure/calibrate"
	"tenure/registry"
)

// settledAt returns a review with one candidate that a person answered.
func settledAt(score float64, same bool) tenure.Review {
	r := tenure.Review{
		State: tenure.ReviewSettled, Reason: "similar", Decision: registry.DecideNew, DecidedBy: "somebody",
		Candidates: []tenure.Candidate{{Entity: "a", Score: score}},
	}
	if same {
		r.Decision, r.Into = registry.DecideMerge, "a"
	}
	return r
}

func TestAnswersThatSayNothingOfTheScore(t *testing.T) {
	change := func(change func(*tenure.Review)) tenure.Review {
		r := settledAt(0.9, true)
		change(&r)
		return r
	}
	for behaviour, r := range map[string]tenure.Review{
		"an open review":                change(func(r *tenure.Review) { r.State = tenure.ReviewOpen }),
		"what a score settled":          change(func(r *tenure.Review) { r.DecidedBy = registry.ActorReresolver }),
		"a form that several have":      change(func(r *tenure.Review) { r.Reason = "ambiguous_name" }),
		"a veto":                        change(func(r *tenure.Review) { r.Candidates[0].Veto = "x" }),
		"a merge into no candidate":     change(func(r *tenure.Review) { r.Into = "b" }),
		"what nothing was proposed for": change(func(r *tenure.Review) { r.Candidates = nil }),
	} {
		if got := calibrate.JudgmentsIn([]tenure.Review{r}); len(got) > 0 {
			t.Errorf("%s: %+v", behaviour, got)
		}
	}
	two := change(func(r *tenure.Review) { r.Candidates = append(r.Candidates, tenure.Candidate{Entity: "b", Score: 0.8}) })
	got := calibrate.JudgmentsIn([]tenure.Review{two})
	if len(got) != 2 || !got[0].Same || got[1].Same || got[1].Score != 0.8 {
		t.Errorf("of two candidates: %+v", got)
	}
}

func TestReportThresholds(t *testing.T) {
	answers := func(score float64, same, not int) []calibrate.Judgment {
		var list []tenure.Review
		for i := range same + not {
			list = append(list, settledAt(score, i < same))
		}
		return calibrate.JudgmentsIn(list)
	}
	for _, c := range []struct {
		behaviour string
		answers   []calibrate.Judgment
		says      string
	}{
		{"nothing to go by", nil, "Too few answers at 0.90 or more (0 of 20)"},
		{"right just under the threshold", answers(0.93, 497, 3), "At 0.90 and more your last 500 answers say 0.6 % wrong (0.2 % to 1.7 %): what is merged at 0.95 is at least as sure"},
		{"wrong just under the threshold", answers(0.93, 60, 40), "too bold there; recalibrate"},
		{"as the score says", answers(0.93, 93, 7), "nothing speaks against the threshold of 0.95"},
		{"never the same over the lower threshold", answers(0.72, 2, 98), "asked more than they need to be"},
		{"always the same over the lower threshold", answers(0.72, 98, 2), "duplicates may lie under the threshold"},
		{"over all", answers(0.8, 80, 20), "people say 80.0 % (71.1 % to 86.7 %): they agree"},
	} {
		a := calibrate.ReportThresholds(c.answers)
		if text := strings.Join(a.Findings, "\n"); !strings.Contains(text, c.says) {
			t.Errorf("%s: %s", c.behaviour, text)
		}
		n := 0
		for _, b := range a.Bands {
			n += b.Answers()
		}
		if n != len(c.answers) || a.UsableAnswers != n {
			t.Errorf("%s: %d of %d answers are in a band", c.behaviour, n, len(c.answers))
		}
	}
}
