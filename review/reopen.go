package review

import (
	"context"

	"tenure"
	"tenure/ledger"
)

// Reopen takes the answer to a review back, whichever it was: the merge is
// undone, or the entity waits again and the candidates are not told apart any
// more.
type Reopen struct {
	Caller   tenure.Caller
	Reviewer string
	Review   tenure.ID
	Reason   string
}

// Plan lists what Decide reads.
func (Reopen) Plan() ledger.Plan { return nil }

// Decide puts what takes the answer back. A review that the caller may not see
// is NotFound. One that is not settled is Conflicting; so is one whose entity was
// merged since, or has taken another in: that has to be undone before.
func (c Reopen) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if err := txn.RequireExclusive(); err != nil {
		return nil, err
	}
	r, err := visibleReview(ctx, txn, c.Caller, c.Review)
	if err != nil {
		return nil, err
	}
	switch {
	case r.State != tenure.ReviewSettled:
		return nil, tenure.Errorf(tenure.Conflicting, "the review is %s: there is no answer to take back", r.State)
	case r.Decision == DecideMerge:
		return Undo{Caller: c.Caller, Reviewer: c.Reviewer, Kind: tenure.Merge, Verdict: r.Verdict, Reason: c.Reason}.Decide(ctx, txn, m)
	}
	j := newJudgement(txn, m, c.Caller.Actor)
	j.reviewer = c.Reviewer
	return j.unanswer(ctx, r, c.Reason)
}

// unanswer takes a decision of new_entity back.
func (j *judgement) unanswer(ctx context.Context, r tenure.Review, reason string) (any, error) {
	e, err := j.txn.Entity(ctx, r.Entity)
	if err != nil {
		return nil, err
	}
	switch {
	case e == nil || e.Status == tenure.EntityRetired:
		return nil, tenure.Errorf(tenure.Conflicting, "nothing is left of what the review asks about")
	case e.Status == tenure.EntityMerged:
		return nil, tenure.Errorf(tenure.Conflicting, "the entity was merged into %s since: undo that first", e.MergedInto)
	case r.FromStatus == tenure.EntityPending && len(e.Members) > 0:
		return nil, tenure.Errorf(tenure.Conflicting, "%s was merged into the entity since: undo that first", e.Members[0])
	}
	if r.FromStatus == tenure.EntityPending {
		next := *e
		next.Status, next.Reason = tenure.EntityPending, r.Reason
		j.txn.Put(tenure.EntityPut{Entity: next})
	}
	verdicts, err := j.txn.VerdictsOn(ctx, r.Entity)
	if err != nil {
		return nil, err
	}
	a := UndoAnswer{EntityID: r.Entity, CanonicalID: e.Root(), Undone: []tenure.ID{}, Reviews: []tenure.ID{r.ID}}
	for _, v := range verdicts {
		if v.Kind == tenure.Distinct && v.Review == r.ID && !v.Undone {
			j.txn.Put(tenure.VerdictPut{Verdict: j.taken(v, reason)})
			a.Undone = append(a.Undone, v.ID)
		}
	}
	j.txn.Put(tenure.ReviewPut{Review: j.reopen(r, reason)})
	p, err := j.finish(ctx)
	a.beliefChanges = changesIn(p)
	return a, err
}

// taken is a verdict that is taken back.
func (j *judgement) taken(v tenure.Verdict, reason string) tenure.Verdict {
	v.Undone, v.UndoneBy, v.UndoneAt, v.UndoneReason = true, j.actor, j.mint.Now, reason
	return v
}
