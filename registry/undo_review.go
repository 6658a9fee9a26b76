package registry

import (
	"context"

	"tenure"
	"tenure/ledger"
)

// UndoReview undoes the answer to a review: it undoes the merge, or makes the entity pending again and
// removes the cannot-links to the candidates.
type UndoReview struct {
	Caller   tenure.Caller
	Reviewer string
	Review   tenure.ID
	Reason   string
}

// Plan returns no steps: Decide reads on demand.
func (UndoReview) Plan() ledger.Plan { return nil }

// Decide undoes the answer. It returns NotFound if the caller cannot see the review, and Conflicting if the
// review is not settled, or if its entity has been merged since or is the root of a merge; that merge must be
// undone first.
func (c UndoReview) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if err := txn.RequireExclusive(); err != nil {
		return nil, err
	}
	r, err := visibleReview(ctx, txn, c.Caller, c.Review)
	if err != nil {
		return nil, err
	}
	switch {
	case r.State != tenure.ReviewSettled:
		return nil, tenure.Errorf(tenure.Conflicting, "the review is %s: there is no answer to undo", r.State)
	case r.Decision == DecideMerge:
		return UndoDecision{Caller: c.Caller, Reviewer: c.Reviewer, Kind: tenure.Merge, Decision: r.Merge,
			Reason: c.Reason}.Decide(ctx, txn, m)
	}
	t := newIdentityTxn(txn, m, c.Caller.Actor).seenBy(c.Caller)
	t.reviewer = c.Reviewer
	return t.undoNewEntity(ctx, r, c.Reason)
}

// undoNewEntity undoes a decision of new_entity.
func (t *identityTxn) undoNewEntity(ctx context.Context, r tenure.Review, reason string) (any, error) {
	e, err := t.txn.Entity(ctx, r.Entity)
	if err != nil {
		return nil, err
	}
	switch {
	case e == nil || e.Status == tenure.EntityRetired:
		return nil, tenure.Errorf(tenure.Conflicting, "nothing is left of what the review asks about")
	case e.Status == tenure.EntityMerged:
		return nil, tenure.Errorf(tenure.Conflicting, "the entity was merged into another since: undo that first")
	case r.FromStatus == tenure.EntityPending && len(e.Members) > 0:
		return nil, tenure.Errorf(tenure.Conflicting, "another was merged into the entity since: undo that first")
	}
	if r.FromStatus == tenure.EntityPending {
		next := *e
		next.Status, next.Reason = tenure.EntityPending, r.Reason
		t.txn.Put(tenure.EntityPut{Entity: next})
	}
	decisions, err := t.txn.IdentityDecisionsOn(ctx, r.Entity)
	if err != nil {
		return nil, err
	}
	a := UndoAnswer{EntityID: r.Entity, RootID: e.Root(), Undone: []tenure.ID{}, Reviews: []tenure.ID{r.ID}}
	for _, v := range decisions {
		if v.Kind == tenure.CannotLink && v.Review == r.ID && !v.Undone {
			t.txn.Put(tenure.IdentityDecisionPut{Decision: t.undone(v, reason)})
			a.Undone = append(a.Undone, v.ID)
		}
	}
	t.txn.Put(tenure.ReviewPut{Review: t.reopen(r, reason)})
	p, err := t.finish(ctx)
	a.beliefChanges = changesIn(p)
	return a, err
}

// undone marks an identity decision as undone.
func (t *identityTxn) undone(v tenure.IdentityDecision, reason string) tenure.IdentityDecision {
	v.Undone, v.UndoneBy, v.UndoneAt, v.UndoneReason = true, t.actor, t.mint.Now, reason
	return v
}
