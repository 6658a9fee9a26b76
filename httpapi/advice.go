package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/review"
	"tenure/store"
)

const (
	defaultAdvice = 500
	// adviceScanned bounds the closed reviews that are looked at for the answers
	// of people.
	adviceScanned = 10_000
)

// GetReviewAdvice implements GET /v1/reviews/advice.
func (s *server) GetReviewAdvice(ctx context.Context, req api.GetReviewAdviceRequestObject) (api.GetReviewAdviceResponseObject, error) {
	last := defaultAdvice
	if req.Params.Last != nil {
		last = *req.Params.Last
	}
	r, _, err := s.read(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	answered, err := lastAnswered(ctx, r, last)
	if err != nil {
		return nil, err
	}
	a := review.Advise(review.AnswersIn(answered))
	out := api.GetReviewAdvice200JSONResponse{
		Answers: len(answered), Counted: a.Counted, Words: a.Words, Bands: []api.AdviceBand{},
		WrongAtMerge: shareView(a.WrongAtMerge), WrongAtNew: shareView(a.WrongAtNew),
	}
	for _, b := range a.Bands {
		out.Bands = append(out.Bands, api.AdviceBand{
			From: b.From, Until: min(b.Until, 1), Answers: b.Answers(), Same: b.Same, NotTheSame: b.NotTheSame,
		})
	}
	return out, nil
}

func shareView(s *review.Share) *api.Share {
	if s == nil {
		return nil
	}
	return &api.Share{Share: s.Share, Low: s.Low, High: s.High}
}

// lastAnswered lists the reviews that people the caller may know of answered
// last, newest first.
func lastAnswered(ctx context.Context, r store.Reader, last int) ([]tenure.Review, error) {
	q := store.ReviewQuery{State: tenure.ReviewSettled, Ranked: true, Limit: defaultAdvice}
	var list []tenure.Review
	for range adviceScanned / defaultAdvice {
		page, err := r.ListReviews(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, v := range page {
			if v.DecidedBy != review.Looker && inProject(callerOf(ctx), v.Project) && len(list) < last {
				list = append(list, v)
			}
		}
		if len(list) == last || len(page) < q.Limit {
			break
		}
		q.After = q.Key(page[len(page)-1])
	}
	return list, nil
}
