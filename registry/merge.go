package registry

import (
	"context"
	"fmt"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
)

// The answers to a review.
const (
	DecideMerge = "merge"
	DecideNew   = "new_entity"
	DecideDefer = "defer"
	// eventReopened is the event of a review whose decision was undone.
	eventReopened = "reopened"
)

// Merge states that two entities are the same: From becomes a member of the root of Into.
type Merge struct {
	Caller     tenure.Caller
	From, Into tenure.ID
	Reason     string
}

// MergeAnswer reports the effect of a merge. EntityID is the merged entity, RootID its root. The JSON of an answer is
// in the log, where the root is called canonical_id.
type MergeAnswer struct {
	MergeID  tenure.ID   `json:"merge_id"`
	EntityID tenure.ID   `json:"entity_id"`
	RootID   tenure.ID   `json:"canonical_id"`
	Reviews  []tenure.ID `json:"settled_reviews"`
	beliefChanges
}

// Plan lists what Decide reads.
func (c Merge) Plan() ledger.Plan { return readSides(c.From, c.Into) }

func readSides(ids ...tenure.ID) ledger.Plan {
	return ledger.Reads(ledger.Prefetch{Entities: ids, IdentityDecisions: ids})
}

// Decide applies the merge; ids of merged entities mean their roots. It returns NotFound if the caller cannot
// see From, Conflicting if both are one entity already, and Unprocessable if the caller cannot see Into, or if
// Into is pending, retired or of another project.
func (c Merge) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if err := txn.RequireExclusive(); err != nil {
		return nil, err
	}
	if err := requireVisible(ctx, txn, c.Caller, c.From, ""); err != nil {
		return nil, err
	}
	if err := requireVisible(ctx, txn, c.Caller, c.Into, "/into"); err != nil {
		return nil, err
	}
	t := newIdentityTxn(txn, m, c.Caller.Actor).seenBy(c.Caller)
	v, err := t.merge(ctx, tenure.IdentityDecision{From: c.From, Into: c.Into, Reason: c.Reason})
	if err != nil {
		return nil, err
	}
	p, err := t.finish(ctx)
	if err != nil {
		return nil, err
	}
	settled, err := t.shownReviews(ctx, v.Reviews)
	return mergeAnswer(v, settled, p), err
}

func mergeAnswer(v tenure.IdentityDecision, settled []tenure.ID, p projection.Projection) MergeAnswer {
	return MergeAnswer{
		MergeID: v.ID, EntityID: v.From, RootID: v.Into, Reviews: nonNil(settled), beliefChanges: changesIn(p),
	}
}

// merge merges the roots of two entities and closes the reviews that ask whether they are the same.
func (t *identityTxn) merge(ctx context.Context, v tenure.IdentityDecision) (tenure.IdentityDecision, error) {
	from, into, err := t.sides(ctx, v)
	if err != nil {
		return v, err
	}
	if from.Label != into.Label && into.Label.Covers(from.Label) && from.Status == into.Status {
		from, into = into, from // else whoever sees the one alone would see that it was merged
	}
	if !from.Label.Covers(into.Label) {
		return v, tenure.FieldError(tenure.Unprocessable, "/into",
			"is not seen by all who see the entity that would be merged into it, and who would see that it was")
	}
	v.ID, v.Kind, v.Actor, v.At = t.mint.NewID(), tenure.Merge, t.actor, t.mint.Now
	v.From, v.Into, v.FromStatus = from.ID, into.ID, from.Status
	if v.Reviews, err = t.settleReviews(ctx, from, into, v); err != nil {
		return v, err
	}
	for _, id := range from.Whole() {
		if err := t.touch(ctx, id); err != nil {
			return v, err
		}
	}
	t.txn.Put(tenure.IdentityDecisionPut{Decision: v})
	_, err = t.reroot(ctx, []tenure.Entity{from, into}, nil)
	return v, err
}

// sides returns the two roots of a merge, or an error if they cannot be merged.
func (t *identityTxn) sides(ctx context.Context, v tenure.IdentityDecision) (from, into tenure.Entity, err error) {
	f, err := t.root(ctx, v.From)
	if err != nil {
		return from, into, err
	}
	i, err := t.root(ctx, v.Into)
	if err != nil {
		return from, into, err
	}
	refuse := func(format string, args ...any) (tenure.Entity, tenure.Entity, error) {
		return from, into, tenure.FieldError(tenure.Unprocessable, "/into",
			tenure.Errorf(tenure.Unprocessable, format, args...).Message)
	}
	switch {
	case f == nil || i == nil:
		return refuse("there is no such entity")
	case v.From == v.Into:
		return refuse("is the entity itself")
	case f.ID == i.ID:
		return from, into, tenure.FieldError(tenure.Conflicting, "/into",
			fmt.Sprintf("is the same entity already: both are %s", f.ID))
	// Re-resolution may merge two pending entities: the review of the root stays open.
	case i.Status == tenure.EntityPending && !v.Automatic:
		return refuse("is pending: settle its review first")
	case i.Status == tenure.EntityRetired || f.Status == tenure.EntityRetired:
		return refuse("nothing is known any more of one of the two: it is retired")
	case i.Project != "" && i.Project != f.Project:
		return refuse("is known in the project %q alone: merge it into the other", i.Project)
	}
	return *f, *i, nil
}

// settleReviews closes the reviews that ask whether the two roots are the same, and the review of a pending
// entity that is merged.
func (t *identityTxn) settleReviews(
	ctx context.Context, from, into tenure.Entity, v tenure.IdentityDecision,
) ([]tenure.ID, error) {
	var settled []tenure.ID
	close := func(id tenure.ID, asks func(tenure.Review) bool) error {
		reviews, err := t.txn.ReviewsOf(ctx, id)
		for _, r := range reviews {
			if r.State == tenure.ReviewOpen && asks(r) {
				settled = append(settled, r.ID)
				t.txn.Put(tenure.ReviewPut{Review: t.closeReview(r, DecideMerge, v, v.Reason)})
			}
		}
		return err
	}
	for _, id := range from.Whole() {
		err := close(id, func(r tenure.Review) bool {
			return from.Status == tenure.EntityPending || asksAbout(r, id, into.Whole())
		})
		if err != nil {
			return nil, err
		}
	}
	for _, id := range into.Whole() {
		if err := close(id, func(r tenure.Review) bool { return asksAbout(r, id, from.Whole()) }); err != nil {
			return nil, err
		}
	}
	return settled, nil
}

// UndoDecision undoes an identity decision: a merge, a split or a cannot-link. Reviewer names the person, where
// several share one credential.
type UndoDecision struct {
	Caller   tenure.Caller
	Reviewer string
	Kind     tenure.IdentityDecisionKind // the kind that Decision must have
	Decision tenure.ID
	Reason   string
}

// UndoAnswer reports the effect of an undo. Undone lists the identity decisions that no longer count,
// EntityID is the entity that was merged, split off or barred from linking, and RootID its root now.
type UndoAnswer struct {
	Undone   []tenure.ID `json:"undone_decisions"`
	EntityID tenure.ID   `json:"entity_id"`
	RootID   tenure.ID   `json:"canonical_id"`
	Reviews  []tenure.ID `json:"reopened_reviews"`
	beliefChanges
}

// Plan returns no steps: Decide reads on demand.
func (c UndoDecision) Plan() ledger.Plan { return nil }

// Decide undoes the identity decision. It returns NotFound if the caller cannot see the decision, and
// Conflicting if the decision is undone already. Entities merged into From or Into since stay there.
func (c UndoDecision) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if err := txn.RequireExclusive(); err != nil {
		return nil, err
	}
	v, err := c.decision(ctx, txn)
	if err != nil {
		return nil, err
	}
	if v.Undone {
		return nil, tenure.Errorf(tenure.Conflicting, "the %s was undone before, at %s", v.Kind, v.UndoneAt)
	}
	t := newIdentityTxn(txn, m, c.Caller.Actor).seenBy(c.Caller)
	t.reviewer = c.Reviewer
	undone := t.undone(*v, c.Reason)
	txn.Put(tenure.IdentityDecisionPut{Decision: undone})
	var reopened []tenure.ID
	subject := undone.From
	switch undone.Kind {
	case tenure.Merge:
		reopened, err = t.undoMerge(ctx, undone)
	case tenure.Split:
		subject = undone.Into
		err = t.undoSplit(ctx, undone)
	}
	if err != nil {
		return nil, err
	}
	root, err := t.root(ctx, subject)
	if err != nil {
		return nil, err
	}
	p, err := t.finish(ctx)
	if err != nil {
		return nil, err
	}
	reopened, err = t.shownReviews(ctx, reopened)
	return UndoAnswer{
		Undone: []tenure.ID{undone.ID}, EntityID: subject, RootID: root.ID, Reviews: nonNil(reopened),
		beliefChanges: changesIn(p),
	}, err
}

// decision returns the decision, NotFound if there is none of the kind that the caller sees: who sees both sides sees
// it.
func (c UndoDecision) decision(ctx context.Context, txn *ledger.Txn) (*tenure.IdentityDecision, error) {
	v, err := txn.IdentityDecision(ctx, c.Decision)
	if err != nil {
		return nil, err
	}
	absent := tenure.Errorf(tenure.NotFound, "there is no such %s", c.Kind)
	if v == nil || v.Kind != c.Kind {
		return nil, absent
	}
	for _, side := range []tenure.ID{v.From, v.Into} {
		switch err := requireVisible(ctx, txn, c.Caller, side, ""); {
		case tenure.CodeOf(err) == tenure.NotFound:
			return nil, absent
		case err != nil:
			return nil, err
		}
	}
	return v, nil
}

// undoMerge undoes a merge. Undoing an automatic merge adds a cannot-link, because re-resolution would repeat
// the merge otherwise.
func (t *identityTxn) undoMerge(ctx context.Context, v tenure.IdentityDecision) ([]tenure.ID, error) {
	root, err := t.root(ctx, v.From)
	if err != nil {
		return nil, err
	}
	parted, err := t.reroot(ctx, []tenure.Entity{*root}, map[tenure.ID]tenure.EntityStatus{v.From: v.FromStatus})
	if err != nil {
		return nil, err
	}
	for _, e := range parted {
		if e.ID == root.ID {
			continue
		}
		if err := t.touch(ctx, e.ID, root.ID); err != nil {
			return nil, err
		}
	}
	if v.Automatic {
		t.cannotLink(v.From, v.Into, "", "an automatic merge was undone")
	}
	var reopened []tenure.ID
	for _, id := range v.Reviews {
		r, err := t.txn.Review(ctx, id)
		if err != nil {
			return nil, err
		}
		if r != nil && r.State == tenure.ReviewSettled {
			reopened = append(reopened, id)
			t.txn.Put(tenure.ReviewPut{Review: t.reopen(*r, v.UndoneReason)})
		}
	}
	return reopened, nil
}

// cannotLink records a cannot-link between two entities; review is the review that decided it, or "".
func (t *identityTxn) cannotLink(a, b, review tenure.ID, reason string) tenure.ID {
	id := t.mint.NewID()
	t.txn.Put(tenure.IdentityDecisionPut{Decision: tenure.IdentityDecision{
		ID: id, Kind: tenure.CannotLink, From: a, Into: b, Review: review, Reason: reason, Actor: t.actor, At: t.mint.Now,
	}})
	return id
}

// mentionsIn lists the mentions of assignments.
func mentionsIn(list []tenure.Assignment) []tenure.ID {
	var ids []tenure.ID
	for _, a := range list {
		ids = append(ids, a.Mention)
	}
	slices.Sort(ids)
	return ids
}
