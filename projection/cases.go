package projection

import (
	"context"

	"tenure"
	"tenure/ledger"
	"tenure/quarantine"
)

// RankCases sets the count and the score of each version of an open case that a decision put, whichever command put
// it: see [quarantine.Score].
func RankCases(ctx context.Context, txn *ledger.Txn) error {
	for _, c := range txn.Changes() {
		put, ok := c.(tenure.CasePut)
		if !ok || put.Case.State != tenure.CaseOpen {
			continue
		}
		kase := put.Case
		var sides []tenure.Belief
		waiting := map[tenure.ID]bool{} // of what everybody sees who sees the case
		for _, id := range kase.Holds {
			b, err := txn.Belief(ctx, id)
			if err != nil {
				return err
			}
			sides = append(sides, *b)
			waiting[id] = true
			dependents, err := txn.Dependents(ctx, id)
			if err != nil {
				return err
			}
			for _, d := range dependents {
				if b.Claim.Label().Covers(d.Claim.Label()) {
					waiting[d.Claim.ID] = true
				}
			}
		}
		kase.PendingBeliefs = len(waiting)
		kase.Score = quarantine.Score(kase, sides)
		txn.Put(tenure.CasePut{Case: kase})
	}
	return nil
}
