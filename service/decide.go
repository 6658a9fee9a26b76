package service

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"tenure"
	"tenure/ledger"
	"tenure/registry"
)

// The decisions of a review.
const (
	DecideMerge = registry.DecideMerge
	DecideNew   = registry.DecideNew
	DecideDefer = registry.DecideDefer
)

// ReviewDecision answers a review: [DecideMerge] (into the entity Into), [DecideNew] (cannot-link with every
// candidate) or [DecideDefer]. The service sets its Caller.
type ReviewDecision = registry.DecideReview

// DecidedReview is the result of a decision.
type DecidedReview = registry.DecideReviewAnswer

const decideReview = "decide_review"

// DecideReview answers a review: see [registry.DecideReview.Decide].
func (s *Service) DecideReview(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, d ReviewDecision,
) (Written[DecidedReview], error) {
	if err := d.Faults("").Err(); err != nil {
		return Written[DecidedReview]{}, err
	}
	d.Caller = c
	return write[DecidedReview](ctx, s, c, key, decideReview, d)
}

// DecideReviews answers reviews in order, independently of each other, and returns a result for each. The
// index of a decision is part of its idempotency key.
func (s *Service) DecideReviews(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, list []ReviewDecision,
) []Result[DecidedReview] {
	commands := make([]ledger.Command, len(list))
	var faults tenure.Faults
	for i, d := range list {
		faults = append(faults, d.Faults(fmt.Sprintf("/decisions/%d", i))...)
		d.Caller = c
		commands[i] = d
	}
	if err := faults.Err(); err != nil {
		return refuseAll[DecidedReview](len(list), err)
	}
	return writeEach[DecidedReview](ctx, s, c, key, decideReview, commands)
}

// defaultLease is the duration of a lease of a review or a case unless the request sets one.
const defaultLease = 15 * time.Minute

// ReviewLease leases a review to the caller for a duration (0: 15 minutes), or to a named reviewer where
// several people share the credential.
type ReviewLease struct {
	Review   tenure.ID
	Reviewer string
	For      time.Duration
}

// LeasedReview is the lease of a review; LeasedBy is "" if there is none.
type LeasedReview = registry.LeaseReviewAnswer

// LeaseReview leases a review, so that no other reviewer decides it meanwhile: see [registry.LeaseReview.Decide].
func (s *Service) LeaseReview(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, l ReviewLease,
) (Written[LeasedReview], error) {
	return write[LeasedReview](ctx, s, c, key, "lease_review", registry.LeaseReview{
		Caller: c, Review: l.Review, Reviewer: l.Reviewer, For: cmp.Or(l.For, defaultLease),
	})
}

// ReleaseReview ends the lease of a review. It ignores For.
func (s *Service) ReleaseReview(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, l ReviewLease,
) (Written[LeasedReview], error) {
	return write[LeasedReview](ctx, s, c, key, "lease_review", registry.LeaseReview{
		Caller: c, Review: l.Review, Reviewer: l.Reviewer, Release: true,
	})
}

// UndoReview undoes the answer to a review: see [registry.UndoReview.Decide].
func (s *Service) UndoReview(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, u Undo,
) (Written[Undone], error) {
	return write[Undone](ctx, s, c, key, "undo_review", registry.UndoReview{
		Caller: c, Reviewer: u.Reviewer, Review: u.ID, Reason: u.Reason,
	})
}
