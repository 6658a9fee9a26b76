package registry

import (
	"context"
	"slices"

	"tenure"
	"tenure/audience"
	"tenure/ledger"
	"tenure/queue"
)

// DecideReview answers a review: merge (into the entity Into), new_entity (a cannot-link to every candidate),
// or defer. Mentions, if given, restricts the answer to these mentions; the others stay pending. Version is
// the version of the review that the reviewer saw.
//
// Reviewer names the person, where several people share one credential.
type DecideReview struct {
	Caller   tenure.Caller
	Reviewer string
	Review   tenure.ID
	Decision string
	Into     tenure.ID
	Mentions []tenure.ID
	Version  int
	Note     string
}

// Faults returns the violations of the rules between the fields of a decision. pointer is its JSON pointer.
func (c DecideReview) Faults(pointer string) tenure.Faults {
	var f tenure.Faults
	if (c.Decision == DecideMerge) != (c.Into != "") {
		f.Add(pointer+"/into", "is what a merge has, and nothing else")
	}
	return f
}

// DecideReviewAnswer reports the effect of an answer. RootID is the root that the mentions mean now;
// SplitID and MergeID identify the identity decisions, which can be undone.
type DecideReviewAnswer struct {
	ReviewID    tenure.ID          `json:"review_id"`
	State       tenure.ReviewState `json:"state"`
	EntityID    tenure.ID          `json:"entity_id"`
	RootID      tenure.ID          `json:"canonical_id"`
	MergeID     tenure.ID          `json:"merge_id,omitempty"`
	SplitID     tenure.ID          `json:"split_id,omitempty"`
	CannotLinks []tenure.ID        `json:"cannot_links"`
	beliefChanges
}

// Plan returns no steps: Decide reads on demand.
func (c DecideReview) Plan() ledger.Plan { return nil }

// Decide applies the answer to the review. It returns NotFound if the caller cannot see the review,
// Conflicting if the review is closed, leased by another reviewer or no longer at Version, and Unprocessable
// if Into or a mention does not fit.
func (c DecideReview) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if err := txn.RequireExclusive(); err != nil {
		return nil, err
	}
	r, err := c.review(ctx, txn, m.Now)
	if err != nil {
		return nil, err
	}
	t := newIdentityTxn(txn, m, c.Caller.Actor).seenBy(c.Caller)
	t.reviewer = c.Reviewer
	a := DecideReviewAnswer{ReviewID: r.ID, State: tenure.ReviewOpen, EntityID: r.Entity, RootID: r.Entity,
		CannotLinks: []tenure.ID{}}
	if len(c.Mentions) > 0 && c.Decision != DecideDefer {
		if r, err = c.part(ctx, t, r, &a); err != nil {
			return nil, err
		}
	}
	switch c.Decision {
	case DecideMerge:
		err = c.merge(ctx, t, r, &a)
	case DecideNew:
		err = c.cannotLink(ctx, t, r, &a)
	default:
		r = t.event(released(r), DecideDefer, "", c.Note)
		r.DeferredBy, r.DeferredAt, r.DeferNote = c.Caller.Actor, m.Now, c.Note
		r.Version++
		txn.Put(tenure.ReviewPut{Review: r})
	}
	if err != nil {
		return nil, err
	}
	p, err := t.finish(ctx)
	a.beliefChanges = changesIn(p)
	return a, err
}

func (c DecideReview) review(ctx context.Context, txn *ledger.Txn, now tenure.Instant) (tenure.Review, error) {
	r, err := visibleReview(ctx, txn, c.Caller, c.Review)
	switch {
	case err != nil:
		return r, err
	case r.State != tenure.ReviewOpen:
		return r, tenure.Errorf(tenure.Conflicting, "the review is %s", r.State)
	case r.Version != c.Version:
		return r, tenure.FieldError(tenure.Conflicting, "/version", "the review has changed since: look at it again")
	}
	return r, queue.Free(r.Lease, "review", queue.Worker{Actor: c.Caller.Actor, Person: c.Reviewer}, now)
}

// part splits the listed mentions off the review's entity and gives them a review of their own, which this
// decision closes. The other mentions stay pending. If all mentions are listed, no split is made.
func (c DecideReview) part(
	ctx context.Context, t *identityTxn, r tenure.Review, a *DecideReviewAnswer,
) (tenure.Review, error) {
	root, err := t.root(ctx, r.Entity)
	if err != nil {
		return r, err
	}
	waiting, err := t.txn.MentionsOf(ctx, r.Entity)
	if err != nil {
		return r, err
	}
	unlisted := func(m tenure.Mention) bool { return !slices.Contains(c.Mentions, m.ID) }
	distinct := slices.Compact(slices.Sorted(slices.Values(c.Mentions)))
	if len(root.Members) == 0 && !slices.ContainsFunc(waiting, unlisted) && len(waiting) == len(distinct) {
		return r, nil
	}
	v, err := t.split(ctx, *root, c.Mentions, root.Status, tenure.IdentityDecision{Reason: c.Note})
	if err != nil {
		return r, err
	}
	waits, err := t.moved(ctx, root.Label.Covers)
	if err != nil {
		return r, err
	}
	own := r
	own.ID, own.Entity, own.Version, own.OpenedAt = t.mint.NewID(), v.Into, 1, t.mint.Now
	own.PendingMentions, own.PendingBeliefs = len(v.Moved), len(waits)
	a.SplitID, a.EntityID = v.ID, v.Into
	t.txn.Put(tenure.ReviewPut{Review: own})
	return own, nil
}

// merge merges the review's entity into another.
func (c DecideReview) merge(ctx context.Context, t *identityTxn, r tenure.Review, a *DecideReviewAnswer) error {
	if c.Into == "" {
		return tenure.FieldError(tenure.Invalid, "/into", "is needed to merge: one of the candidates, or another entity")
	}
	if err := requireVisible(ctx, t.txn, c.Caller, c.Into, "/into"); err != nil {
		return err
	}
	v, err := t.merge(ctx, tenure.IdentityDecision{From: r.Entity, Into: c.Into, Reason: c.Note})
	if err != nil {
		return err
	}
	a.MergeID, a.EntityID, a.RootID, a.State = v.ID, v.From, v.Into, tenure.ReviewSettled
	return nil
}

// cannotLink records a cannot-link to each candidate that the caller sees and makes a pending entity canonical.
func (c DecideReview) cannotLink(ctx context.Context, t *identityTxn, r tenure.Review, a *DecideReviewAnswer) error {
	e, err := t.txn.Entity(ctx, r.Entity)
	if err != nil {
		return err
	}
	if e.Status == tenure.EntityPending {
		next := *e
		next.Status, next.Reason = tenure.EntityCanonical, ""
		t.txn.Put(tenure.EntityPut{Entity: next})
	}
	for _, candidate := range r.Candidates {
		shown, err := seenBy(t.txn, audience.Of(c.Caller)).Entity(ctx, candidate.Entity)
		if err != nil {
			return err
		}
		if shown != nil && candidate.Entity != r.Entity {
			a.CannotLinks = append(a.CannotLinks, t.cannotLink(r.Entity, candidate.Entity, r.ID, c.Note))
		}
	}
	a.RootID, a.State = e.Root(), tenure.ReviewSettled
	r.FromStatus = e.Status
	t.txn.Put(tenure.ReviewPut{Review: t.closeReview(r, DecideNew, tenure.IdentityDecision{}, c.Note)})
	return nil
}
