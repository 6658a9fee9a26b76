package labels

import (
	"context"

	"tenure"
	"tenure/ledger"
)

// Use registers labels among those in use.
func Use(ctx context.Context, txn *ledger.Txn, list ...tenure.Label) error {
	for _, l := range list {
		if l == (tenure.Label{}) {
			continue
		}
		t := tenure.Term{Vocabulary: tenure.LabelsInUse, Name: l.Name()}.UsedWith(l)
		if known, err := txn.Term(ctx, t.ID()); err != nil {
			return err
		} else if known == nil {
			txn.Put(tenure.TermPut{Term: t})
		}
	}
	return nil
}
