package registry

import (
	"context"
	"time"

	"tenure"
	"tenure/ledger"
)

// LeaseReview says that somebody works on a review for a while, so that nobody else
// decides it meanwhile; or, with Release, that they do so no more. Reviewer is
// who it is, where several work with one credential. A lease is no verdict: it
// ends by itself, and nothing is lost with it.
type LeaseReview struct {
	Caller   tenure.Caller
	Review   tenure.ID
	Reviewer string
	For      time.Duration
	Release  bool
}

// LeaseReviewAnswer tells whose the review is; nobody's if LeasedBy is "".
type LeaseReviewAnswer struct {
	ReviewID    tenure.ID      `json:"review_id"`
	Version     int            `json:"version"`
	LeasedBy    string         `json:"leased_by,omitempty"`
	Reviewer    string         `json:"reviewer,omitempty"`
	LeasedUntil tenure.Instant `json:"leased_until,omitempty"`
}

// Plan lists what Decide reads.
func (LeaseReview) Plan() ledger.Plan { return nil }

// Decide puts the lease into the review. A review that the caller may not see
// is NotFound; one that is closed, or that another works on, is Conflicting. Who
// has it already gets it for longer. The version stays: it tells what is asked.
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
	if err := free(r, c.Caller.Actor, c.Reviewer, m.Now); err != nil {
		return nil, err
	}
	next := released(r)
	if !c.Release {
		next.LeasedBy, next.LeasedFor, next.LeasedUntil = c.Caller.Actor, c.Reviewer, m.Now.Add(c.For)
	}
	if !c.Release || r.LeasedBy != "" {
		txn.Put(tenure.ReviewPut{Review: next})
	}
	return LeaseReviewAnswer{
		ReviewID: r.ID, Version: r.Version, LeasedBy: next.LeasedBy, Reviewer: next.LeasedFor, LeasedUntil: next.LeasedUntil,
	}, nil
}

// free is Conflicting while somebody else has the review.
func free(r tenure.Review, actor, reviewer string, now tenure.Instant) error {
	if !r.Leased(now) || r.LeasedBy == actor && r.LeasedFor == reviewer {
		return nil
	}
	who := "the credential " + r.LeasedBy
	if r.LeasedFor != "" {
		who = r.LeasedFor + ", with " + who + ","
	}
	return tenure.Errorf(tenure.Conflicting, "%s has the review until %s", who, r.LeasedUntil)
}

// released is the review without its lease.
func released(r tenure.Review) tenure.Review {
	r.LeasedBy, r.LeasedFor, r.LeasedUntil = "", "", 0
	return r
}

// visibleReview finds a review; NotFound if the caller may not see it.
func visibleReview(ctx context.Context, txn *ledger.Txn, c tenure.Caller, id tenure.ID) (tenure.Review, error) {
	r, err := txn.Review(ctx, id)
	switch {
	case err != nil:
		return tenure.Review{}, err
	case r == nil || !c.Within(tenure.Scope{ProjectID: r.Project}):
		return tenure.Review{}, tenure.Errorf(tenure.NotFound, "there is no such review")
	}
	return *r, nil
}
