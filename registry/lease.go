package registry

import (
	"context"
	"time"

	"tenure"
	"tenure/ledger"
	"tenure/queue"
	"tenure/visible"
)

// LeaseReview leases a review to a reviewer, so that no other reviewer decides it, or ends the lease if
// Release is set. Reviewer names the person, where several share one credential. A lease decides nothing and
// expires by itself.
type LeaseReview struct {
	Caller   tenure.Caller
	Review   tenure.ID
	Reviewer string
	For      time.Duration
	Release  bool
}

// LeaseReviewAnswer reports the holder of the lease; LeasedBy is "" if there is none.
type LeaseReviewAnswer struct {
	ReviewID    tenure.ID      `json:"review_id"`
	Version     int            `json:"version"`
	LeasedBy    string         `json:"leased_by,omitempty"`
	Reviewer    string         `json:"reviewer,omitempty"`
	LeasedUntil tenure.Instant `json:"leased_until,omitempty"`
}

// Plan returns no steps: Decide reads on demand.
func (LeaseReview) Plan() ledger.Plan { return nil }

// Decide writes the lease to the review. It returns NotFound if the caller cannot see the review, and
// Conflicting if the review is closed or leased by another reviewer. The holder of a lease extends it. The
// version stays, because the question of the review does not change.
func (c LeaseReview) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if err := txn.RequireExclusive(); err != nil {
		return nil, err
	}
	r, err := visibleReview(ctx, txn, c.Caller, c.Review)
	if err != nil {
		return nil, err
	}
	if r.State != tenure.ReviewOpen {
		return nil, tenure.Errorf(tenure.Conflicting, "the review is %s", r.State)
	}
	worker := queue.Worker{Actor: c.Caller.Actor, Person: c.Reviewer}
	if err := queue.Free(r.Lease, "review", worker, m.Now); err != nil {
		return nil, err
	}
	next := released(r)
	if !c.Release {
		next.Lease = queue.Leased(worker, m.Now, c.For)
	}
	if !c.Release || r.LeasedBy != "" {
		txn.Put(tenure.ReviewPut{Review: next})
	}
	return LeaseReviewAnswer{
		ReviewID: r.ID, Version: r.Version, LeasedBy: next.LeasedBy, Reviewer: next.LeasedFor, LeasedUntil: next.LeasedUntil,
	}, nil
}

// released returns the review without its lease.
func released(r tenure.Review) tenure.Review {
	r.Lease = tenure.Lease{}
	return r
}

// visibleReview reads a review; it returns NotFound if the caller cannot see the review.
func visibleReview(ctx context.Context, txn *ledger.Txn, c tenure.Caller, id tenure.ID) (tenure.Review, error) {
	r, err := txn.Review(ctx, id)
	if err != nil {
		return tenure.Review{}, err
	}
	shown, err := visible.Stored(txn, c).Reviews(ctx, []tenure.ID{id})
	if err != nil {
		return tenure.Review{}, err
	}
	if r == nil || len(shown) == 0 || !c.Within(tenure.Scope{ProjectID: r.Project}) {
		return tenure.Review{}, tenure.Errorf(tenure.NotFound, "there is no such review")
	}
	return *r, nil
}
