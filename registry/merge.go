package registry

import (
	"context"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
)

// The decisions about who is who.
const (
	DecideMerge = "merge"
	DecideNew   = "new_entity"
	DecideDefer = "defer"
	// Reopened is no decision: it takes one back.
	Reopened = "reopened"
)

// Merge is somebody's word that two entities are the same: From is to be found
// under Into from now on.
type Merge struct {
	Caller     tenure.Caller
	From, Into tenure.ID
	Reason     string
}

// MergeAnswer tells what a merge did. EntityID is the entity that was merged,
// CanonicalID what stands for it now.
type MergeAnswer struct {
	MergeID     tenure.ID   `json:"merge_id"`
	EntityID    tenure.ID   `json:"entity_id"`
	CanonicalID tenure.ID   `json:"canonical_id"`
	Reviews     []tenure.ID `json:"settled_reviews"`
	beliefChanges
}

// Plan lists what Decide reads.
func (c Merge) Plan() ledger.Plan { return readSides(c.From, c.Into) }

func readSides(ids ...tenure.ID) ledger.Plan {
	return ledger.Reads(ledger.Prefetch{Entities: ids, Verdicts: ids})
}

// Decide puts the merge and what follows from it. Ids of merged entities mean their
// roots. An entity that is not there for the caller is NotFound, or
// Unprocessable where it is Into; so is a merge of what is one already, into
// something pending or retired, or into another project's.
func (c Merge) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if err := txn.RequireExclusive(); err != nil {
		return nil, err
	}
	if err := visible(ctx, txn, c.Caller, c.From, ""); err != nil {
		return nil, err
	}
	if err := visible(ctx, txn, c.Caller, c.Into, "/into"); err != nil {
		return nil, err
	}
	j := newIdentityTxn(txn, m, c.Caller.Actor)
	v, err := j.merge(ctx, tenure.IdentityDecision{From: c.From, Into: c.Into, Reason: c.Reason})
	if err != nil {
		return nil, err
	}
	p, err := j.finish(ctx)
	return mergeAnswer(v, p), err
}

func mergeAnswer(v tenure.IdentityDecision, p projection.Projection) MergeAnswer {
	return MergeAnswer{
		MergeID: v.ID, EntityID: v.From, CanonicalID: v.Into, Reviews: nonNil(v.Reviews), beliefChanges: changesIn(p),
	}
}

// merge joins the roots of two entities and settles the reviews that ask
// whether they are the same.
func (j *identityTxn) merge(ctx context.Context, v tenure.IdentityDecision) (tenure.IdentityDecision, error) {
	from, into, err := j.sides(ctx, v)
	if err != nil {
		return v, err
	}
	v.ID, v.Kind, v.Actor, v.At = j.mint.NewID(), tenure.Merge, j.actor, j.mint.Now
	v.From, v.Into, v.FromStatus = from.ID, into.ID, from.Status
	if v.Reviews, err = j.settleReviews(ctx, from, into, v); err != nil {
		return v, err
	}
	for _, id := range from.Whole() {
		if err := j.touch(ctx, id); err != nil {
			return v, err
		}
	}
	j.txn.Put(tenure.IdentityDecisionPut{Decision: v})
	_, err = j.reroot(ctx, []tenure.Entity{from, into}, nil)
	return v, err
}

// sides are the roots that a merge joins, if it may.
func (j *identityTxn) sides(ctx context.Context, v tenure.IdentityDecision) (from, into tenure.Entity, err error) {
	f, err := j.root(ctx, v.From)
	if err != nil {
		return from, into, err
	}
	i, err := j.root(ctx, v.Into)
	if err != nil {
		return from, into, err
	}
	refuse := func(format string, args ...any) (tenure.Entity, tenure.Entity, error) {
		return from, into, tenure.FieldError(tenure.Unprocessable, "/into", tenure.Errorf(tenure.Unprocessable, format, args...).Message)
	}
	switch {
	case f == nil || i == nil:
		return refuse("there is no such entity")
	case v.From == v.Into:
		return refuse("is the entity itself")
	case f.ID == i.ID:
		return refuse("is the same entity already: both are %s", f.ID)
	case i.Status == tenure.EntityPending && !v.Automatic:
		return refuse("is pending: settle its review first")
	case i.Status == tenure.EntityRetired || f.Status == tenure.EntityRetired:
		return refuse("nothing is known any more of one of the two: it is retired")
	case i.Project != "" && i.Project != f.Project:
		return refuse("is known in the project %q alone: merge it into the other", i.Project)
	}
	return *f, *i, nil
}

// settleReviews closes the reviews that ask whether the two roots are the same,
// and that of a pending one.
func (j *identityTxn) settleReviews(ctx context.Context, from, into tenure.Entity, v tenure.IdentityDecision) ([]tenure.ID, error) {
	var settled []tenure.ID
	close := func(id tenure.ID, asks func(tenure.Review) bool) error {
		reviews, err := j.txn.ReviewsOf(ctx, id)
		for _, r := range reviews {
			if r.State == tenure.ReviewOpen && asks(r) {
				settled = append(settled, r.ID)
				j.txn.Put(tenure.ReviewPut{Review: j.closeReview(r, DecideMerge, v, v.Reason)})
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

// UndoMerge takes a verdict back: a merge, a split, or that two are not the same.
// Reviewer is who does so, where several work with one credential.
type UndoMerge struct {
	Caller   tenure.Caller
	Reviewer string
	Kind     tenure.IdentityDecisionKind // what Verdict has to be
	Verdict  tenure.ID
	Reason   string
}

// UndoMergeAnswer tells what an undo did. Undone are the verdicts that count no more,
// EntityID is what was merged, split off or told apart, CanonicalID what stands
// for it now.
type UndoMergeAnswer struct {
	Undone      []tenure.ID `json:"undone_verdicts"`
	EntityID    tenure.ID   `json:"entity_id"`
	CanonicalID tenure.ID   `json:"canonical_id"`
	Reviews     []tenure.ID `json:"reopened_reviews"`
	beliefChanges
}

// Plan lists what Decide reads.
func (c UndoMerge) Plan() ledger.Plan { return nil }

// Decide puts what takes the verdict back. A verdict that is not there, or not
// for the caller, is NotFound; one that is undone already is Conflicting. What
// was merged into From or Into since stays there.
func (c UndoMerge) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if err := txn.RequireExclusive(); err != nil {
		return nil, err
	}
	v, err := txn.Verdict(ctx, c.Verdict)
	if err != nil {
		return nil, err
	}
	if v == nil || v.Kind != c.Kind {
		return nil, tenure.Errorf(tenure.NotFound, "there is no such %s", c.Kind)
	}
	if err := visible(ctx, txn, c.Caller, v.From, ""); err != nil {
		return nil, tenure.Errorf(tenure.NotFound, "there is no such %s", c.Kind)
	}
	if v.Undone {
		return nil, tenure.Errorf(tenure.Conflicting, "the %s was undone before, at %s", v.Kind, v.UndoneAt)
	}
	j := newIdentityTxn(txn, m, c.Caller.Actor)
	j.reviewer = c.Reviewer
	undone := j.undone(*v, c.Reason)
	txn.Put(tenure.IdentityDecisionPut{Decision: undone})
	var reopened []tenure.ID
	subject := undone.From
	switch undone.Kind {
	case tenure.Merge:
		reopened, err = j.unmerge(ctx, undone)
	case tenure.Split:
		subject = undone.Into
		err = j.unsplit(ctx, undone)
	}
	if err != nil {
		return nil, err
	}
	root, err := j.root(ctx, subject)
	if err != nil {
		return nil, err
	}
	p, err := j.finish(ctx)
	return UndoMergeAnswer{
		Undone: []tenure.ID{undone.ID}, EntityID: subject, CanonicalID: root.ID, Reviews: nonNil(reopened),
		beliefChanges: changesIn(p),
	}, err
}

// unmerge parts what a merge had joined. Undoing an automatic merge is a word
// that the two are not the same: it would be made again otherwise.
func (j *identityTxn) unmerge(ctx context.Context, v tenure.IdentityDecision) ([]tenure.ID, error) {
	root, err := j.root(ctx, v.From)
	if err != nil {
		return nil, err
	}
	parted, err := j.reroot(ctx, []tenure.Entity{*root}, map[tenure.ID]tenure.EntityStatus{v.From: v.FromStatus})
	if err != nil {
		return nil, err
	}
	for _, e := range parted {
		if e.ID == root.ID {
			continue
		}
		if err := j.touch(ctx, e.ID, root.ID); err != nil {
			return nil, err
		}
	}
	if v.Automatic {
		j.cannotLink(v.From, v.Into, "", "an automatic merge was undone")
	}
	var reopened []tenure.ID
	for _, id := range v.Reviews {
		r, err := j.txn.Review(ctx, id)
		if err != nil {
			return nil, err
		}
		if r != nil && r.State == tenure.ReviewSettled {
			reopened = append(reopened, id)
			j.txn.Put(tenure.ReviewPut{Review: j.reopen(*r, v.UndoneReason)})
		}
	}
	return reopened, nil
}

// cannotLink records that two entities are not the same, by the answer to a review
// or, where that is "", by something else.
func (j *identityTxn) cannotLink(a, b, review tenure.ID, reason string) tenure.ID {
	id := j.mint.NewID()
	j.txn.Put(tenure.IdentityDecisionPut{Decision: tenure.IdentityDecision{
		ID: id, Kind: tenure.CannotLink, From: a, Into: b, Review: review, Reason: reason, Actor: j.actor, At: j.mint.Now,
	}})
	return id
}

// ids of a list of assignments' mentions.
func mentionsIn(list []tenure.Assignment) []tenure.ID {
	var ids []tenure.ID
	for _, a := range list {
		ids = append(ids, a.Mention)
	}
	slices.Sort(ids)
	return ids
}
