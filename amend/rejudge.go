package amend

import (
	"context"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
)

// Rejudge judges slots by the rules of today: it moves their claims to where the vocabulary has them, and decides anew
// what stands. What is judged by these rules already stays as it is.
type Rejudge struct{ Slots []tenure.Slot }

// RejudgeAnswer reports what changed: the claims that were moved, and the beliefs that stand at some time at which they
// did not stand before, or stood at some time at which they do not any more.
type RejudgeAnswer struct {
	Moved     []tenure.ID `json:"moved"`
	Restored  []tenure.ID `json:"restored"`
	Displaced []tenure.ID `json:"displaced"`
}

// Plan lists what Decide reads.
func (r Rejudge) Plan() ledger.Plan { return ledger.Reads(ledger.Prefetch{Slots: r.Slots}) }

// Decide judges the slots.
func (r Rejudge) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if err := txn.RequireExclusive(); err != nil {
		return nil, err
	}
	if err := replace(ctx, txn, r.Slots); err != nil {
		return nil, err
	}
	answer := RejudgeAnswer{Moved: []tenure.ID{}}
	for _, c := range txn.Changes() {
		if moved, ok := c.(tenure.ClaimMoved); ok {
			answer.Moved = append(answer.Moved, moved.Claim)
		}
	}
	slices.Sort(answer.Moved)
	p, err := projection.Project(ctx, txn, projection.Cause{Slots: r.Slots}, m.Now)
	answer.Restored, answer.Displaced = without(p.Restored(), ""), without(p.Displaced(), "")
	return answer, err
}
