package view

import (
	"context"
	"strings"

	"tenure"
)

// The kinds of what waits for an answer.
const (
	KindCase   = "case"
	KindReview = "review"
)

// ReviewTask is the question that every review asks.
const ReviewTask = "is this the same as one of the candidates: say which one, or none"

// Waiting is a case or a review that waits for an answer: one of the two is set.
type Waiting struct {
	Case   *Case
	Review *Review
}

// Priority is that of the case or the review.
func (w Waiting) Priority() float64 {
	if w.Case != nil {
		return w.Case.Priority
	}
	return w.Review.Priority
}

// TaskFilter selects what waits. A zero field does not filter. WaitsFor is a kind of resolver; a review waits for a
// person.
type TaskFilter struct {
	Kind     string
	WaitsFor string
	Project  string
	Lease    string
}

// Tasks lists the open cases and reviews by priority, without what is put off to a later time. A caller without a role
// that reads reviews sees cases alone.
func (v *View) Tasks(ctx context.Context, f TaskFilter, p Page) (Listing[Waiting], error) {
	p = p.WithDefaults()
	afterCase, afterReview, _ := strings.Cut(p.After, taskKeys)
	cases, reviews := Listing[Case]{Last: afterCase}, Listing[Review]{Last: afterReview}
	var err error
	if f.Kind != KindReview {
		cases, err = v.Cases(ctx, CaseFilter{Project: f.Project, Resolver: f.WaitsFor, Lease: f.Lease, Due: true},
			Page{After: afterCase, Limit: p.Limit})
		if err != nil {
			return Listing[Waiting]{}, err
		}
	}
	if f.Kind != KindCase && f.WaitsFor != tenure.ResolverTool && v.readsReviews() {
		reviews, err = v.Reviews(ctx, ReviewFilter{Project: f.Project, Lease: f.Lease},
			Page{After: afterReview, Limit: p.Limit})
		if err != nil {
			return Listing[Waiting]{}, err
		}
	}
	return mergeTasks(cases, reviews, afterCase, afterReview, p.Limit), nil
}

func (v *View) readsReviews() bool {
	return v.caller.Has(tenure.RoleReviewer) || v.caller.Has(tenure.RoleAnalyst) || v.caller.Has(tenure.RoleAdmin)
}

// taskKeys separates the keys of the two lists in the key of a task.
const taskKeys = "\x1f"

// mergeTasks merges two pages, each in descending order of priority and read after a key, into one of at most limit.
// Where a page has run out and more may follow it, the merged page ends.
func mergeTasks(
	cases Listing[Case], reviews Listing[Review], afterCase, afterReview string, limit int,
) Listing[Waiting] {
	out := Listing[Waiting]{Items: []Waiting{}}
	i, j := 0, 0
	for len(out.Items) < limit {
		noCase, noReview := i == len(cases.Items), j == len(reviews.Items)
		if noCase && (cases.More || noReview) || noReview && reviews.More {
			break
		}
		if noReview || !noCase && cases.Items[i].Priority >= reviews.Items[j].Priority {
			out.Items = append(out.Items, Waiting{Case: &cases.Items[i]})
			afterCase = cases.Items[i].Rank()
			i++
		} else {
			out.Items = append(out.Items, Waiting{Review: &reviews.Items[j]})
			afterReview = reviews.Items[j].Rank()
			j++
		}
	}
	if i == len(cases.Items) {
		afterCase = cases.Last
	}
	if j == len(reviews.Items) {
		afterReview = reviews.Last
	}
	out.Last = afterCase + taskKeys + afterReview
	out.More = i < len(cases.Items) || j < len(reviews.Items) || cases.More || reviews.More
	return out
}
