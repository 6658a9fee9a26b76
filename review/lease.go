package review

import (
	"context"
	"encoding/json"
	"time"

	"tenure"
	"tenure/ledger"
)

// Lease says that somebody works on a review for a while, so that nobody else
// decides it meanwhile; or, with Release, that they do so no more. Reviewer is
// who it is, where several work with one credential. A lease is no verdict: it
// ends by itself, and nothing is lost with it.
type Lease struct {
	Caller   tenure.Caller
	Review   tenure.ID
	Reviewer string
	For      time.Duration
	Release  bool
}

// LeaseAnswer tells whose the review is; nobody's if LeasedBy is "".
type LeaseAnswer struct {
	ReviewID    tenure.ID      `json:"review_id"`
	Version     int            `json:"version"`
	LeasedBy    string         `json:"leased_by,omitempty"`
	Reviewer    string         `json:"reviewer,omitempty"`
	LeasedUntil tenure.Instant `json:"leased_until,omitempty"`
}

// Wants lists what Decide reads.
func (Lease) Prefetch(*ledger.Txn, int) ledger.Prefetch { return ledger.Prefetch{} }

// Decide turns the word into a change set. A review that the caller may not see
// is NotFound; one that is closed, or that another works on, is Conflicting. Who
// has it already gets it for longer. The version stays: it tells what is asked.
func (c Lease) Decide(ctx context.Context, d *ledger.Txn, m tenure.Mint) (tenure.ChangeSet, error) {
	if err := d.RequireExclusive(); err != nil {
		return tenure.ChangeSet{}, err
	}
	r, err := visibleReview(ctx, d, c.Caller, c.Review)
	if err != nil {
		return tenure.ChangeSet{}, err
	}
	if r.State != tenure.ReviewOpen {
		return tenure.ChangeSet{}, tenure.Errorf(tenure.Conflicting, "the review is %s", r.State)
	}
	if err := free(r, c.Caller.Actor, c.Reviewer, m.Now); err != nil {
		return tenure.ChangeSet{}, err
	}
	next := released(r)
	if !c.Release {
		next.LeasedBy, next.LeasedFor, next.LeasedUntil = c.Caller.Actor, c.Reviewer, m.Now.Add(c.For)
	}
	body, err := json.Marshal(LeaseAnswer{
		ReviewID: r.ID, Version: r.Version, LeasedBy: next.LeasedBy, Reviewer: next.LeasedFor, LeasedUntil: next.LeasedUntil,
	})
	if err != nil {
		return tenure.ChangeSet{}, &tenure.Error{Code: tenure.Internal, Message: "the answer has no JSON form", Err: err}
	}
	cs := tenure.ChangeSet{Answer: body}
	if !c.Release || r.LeasedBy != "" {
		cs.Changes = []tenure.Change{tenure.ReviewPut{Review: next}}
	}
	return cs, nil
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
func visibleReview(ctx context.Context, d *ledger.Txn, c tenure.Caller, id tenure.ID) (tenure.Review, error) {
	r, err := d.Review(ctx, id)
	switch {
	case err != nil:
		return tenure.Review{}, err
	case r == nil || !c.Within(tenure.Scope{ProjectID: r.Project}):
		return tenure.Review{}, tenure.Errorf(tenure.NotFound, "there is no such review")
	}
	return *r, nil
}
