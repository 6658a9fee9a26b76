package view

import (
	"cmp"
	"context"

	"tenure"

	"tenure/calibrate"
	"tenure/registry"
	"tenure/store"
)

const (
	defaultAnswers = 500
	// maxReviewsScanned bounds how many closed reviews are read to find the answers of people.
	maxReviewsScanned = 10_000
)

// ThresholdReport reports what the answers to reviews imply for the decision thresholds. Answers counts the
// reviews read.
type ThresholdReport struct {
	Answers int
	calibrate.ThresholdReport
}

// ThresholdReport evaluates the reviews most recently answered by people, at most last of them (0: 500), as far
// as the caller sees them.
func (v *View) ThresholdReport(ctx context.Context, last int) (ThresholdReport, error) {
	answered, err := v.lastAnswered(ctx, cmp.Or(last, defaultAnswers))
	if err != nil {
		return ThresholdReport{}, err
	}
	return ThresholdReport{Answers: len(answered),
		ThresholdReport: calibrate.ReportThresholds(calibrate.JudgmentsIn(answered))}, nil
}

// lastAnswered lists the reviews most recently answered by people, newest first.
func (v *View) lastAnswered(ctx context.Context, last int) ([]tenure.Review, error) {
	q := store.ReviewQuery{State: tenure.ReviewSettled, Ranked: true, Limit: defaultAnswers}
	var list []tenure.Review
	for range maxReviewsScanned / defaultAnswers {
		page, err := v.reader.ListReviews(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, r := range page {
			if r.DecidedBy != registry.ActorReresolver && v.inProject(r.Project) && len(list) < last {
				list = append(list, r)
			}
		}
		if len(list) == last || len(page) < q.Limit {
			break
		}
		q.After = q.Key(page[len(page)-1])
	}
	return list, nil
}
