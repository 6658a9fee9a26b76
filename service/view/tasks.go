package view

import (
	"context"
	"strings"

	"tenure"
)

// The kinds of what waits for an answer.
const (
	KindCase     = "case"
	KindReview   = "review"
	KindProposal = "proposed_change"
)

// ReviewTask is the question that every review asks.
const ReviewTask = "is this the same as one of the candidates: say which one, or none"

// Waiting is a case, a review or a proposed change that waits for an answer: one of them is set.
type Waiting struct {
	Case     *Case
	Review   *Review
	Proposal *ProposedChange
}

// Priority is that of what waits.
func (w Waiting) Priority() float64 {
	switch {
	case w.Case != nil:
		return w.Case.Priority
	case w.Review != nil:
		return w.Review.Priority
	}
	return w.Proposal.Priority
}

// key is the place of what waits in its list.
func (w Waiting) key() string {
	switch {
	case w.Case != nil:
		return w.Case.Rank()
	case w.Review != nil:
		return w.Review.Rank()
	}
	return w.Proposal.key()
}

// TaskFilter selects what waits. A zero field does not filter. WaitsFor is a kind of resolver; a review and a proposed
// change wait for a person.
type TaskFilter struct {
	Kind     string
	WaitsFor string
	Project  string
	Lease    string
}

// wants reports whether the filter selects tasks of a kind.
func (f TaskFilter) wants(kind string) bool {
	return (f.Kind == "" || f.Kind == kind) && (kind == KindCase || f.WaitsFor != tenure.ResolverTool)
}

// Tasks lists the open cases, reviews and proposed changes by priority, without what is put off to a later time. A
// caller without a role that reads reviews sees cases alone.
func (v *View) Tasks(ctx context.Context, f TaskFilter, p Page) (Listing[Waiting], error) {
	p = p.WithDefaults()
	queues := make([]queue, 3)
	for i, after := range strings.SplitN(p.After, taskKeys, len(queues)) {
		queues[i].after, queues[i].page.Last = after, after
	}
	cases, reviews, proposals := &queues[0], &queues[1], &queues[2]
	if f.wants(KindCase) {
		page, err := v.Cases(ctx, CaseFilter{Project: f.Project, Resolver: f.WaitsFor, Lease: f.Lease, Due: true},
			Page{After: cases.after, Limit: p.Limit})
		if err != nil {
			return Listing[Waiting]{}, err
		}
		cases.page = waiting(page, func(c *Case) Waiting { return Waiting{Case: c} })
	}
	if f.wants(KindReview) && v.readsReviews() {
		page, err := v.Reviews(ctx, ReviewFilter{Project: f.Project, Lease: f.Lease},
			Page{After: reviews.after, Limit: p.Limit})
		if err != nil {
			return Listing[Waiting]{}, err
		}
		reviews.page = waiting(page, func(r *Review) Waiting { return Waiting{Review: r} })
	}
	if f.wants(KindProposal) && v.readsReviews() && (f.Lease == "" || f.Lease == LeaseFree) {
		// Most that were ever proposed may wait no longer: they are read in larger pages.
		page, err := v.Proposals(ctx, ProposalFilter{Project: f.Project},
			Page{After: proposals.after, Limit: max(p.Limit, defaultLimit)})
		if err != nil {
			return Listing[Waiting]{}, err
		}
		proposals.page = waiting(page, func(c *ProposedChange) Waiting { return Waiting{Proposal: c} })
	}
	return mergeTasks(queues, p.Limit), nil
}

func waiting[T any](page Listing[T], of func(*T) Waiting) Listing[Waiting] {
	out := Listing[Waiting]{Last: page.Last, More: page.More}
	for i := range page.Items {
		out.Items = append(out.Items, of(&page.Items[i]))
	}
	return out
}

func (v *View) readsReviews() bool {
	return v.caller.Has(tenure.RoleReviewer) || v.caller.Has(tenure.RoleAnalyst) || v.caller.Has(tenure.RoleAdmin)
}

// taskKeys separates the keys of the lists in the key of a task.
const taskKeys = "\x1f"

// queue is a page of one list of tasks that was read after a key, and how many of it are taken.
type queue struct {
	after string
	page  Listing[Waiting]
	taken int
}

func (q *queue) empty() bool { return q.taken == len(q.page.Items) }

// take takes the next task.
func (q *queue) take() Waiting {
	w := q.page.Items[q.taken]
	q.after, q.taken = w.key(), q.taken+1
	return w
}

// mergeTasks merges pages, each in descending order of priority, into one of at most limit. Where a page has run out
// and more may follow it, the merged page ends.
func mergeTasks(queues []queue, limit int) Listing[Waiting] {
	out := Listing[Waiting]{Items: []Waiting{}}
	for len(out.Items) < limit {
		q := next(queues)
		if q == nil {
			break
		}
		out.Items = append(out.Items, q.take())
	}
	keys := make([]string, len(queues))
	for i, q := range queues {
		if keys[i] = q.after; q.empty() {
			keys[i] = q.page.Last
		}
		out.More = out.More || !q.empty() || q.page.More
	}
	out.Last = strings.Join(keys, taskKeys)
	return out
}

// next returns the queue of the task of the highest priority, of equal ones that of the first; nil if that is not known
// or there is none. A page on which nothing waits any more holds up none of the others.
func next(queues []queue) (first *queue) {
	for i := range queues {
		q := &queues[i]
		switch {
		case q.empty() && q.page.More && q.taken > 0:
			return nil // what follows may come before the tasks of the others
		case q.empty():
		case first == nil || q.page.Items[q.taken].Priority() > first.page.Items[first.taken].Priority():
			first = q
		}
	}
	return first
}
