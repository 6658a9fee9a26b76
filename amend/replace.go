package amend

import (
	"context"

	"tenure"
	"tenure/beliefs"
	"tenure/ledger"
	"tenure/vocabulary"
)

// replace moves the claims in some slots to where the vocabulary has them now.
func replace(ctx context.Context, txn *ledger.Txn, slots []tenure.Slot) error {
	if err := txn.Load(ctx, ledger.Prefetch{Slots: slots}); err != nil {
		return err
	}
	for _, s := range slots {
		st, err := txn.Slot(ctx, s)
		if err != nil {
			return err
		}
		for _, b := range st.Beliefs {
			was := b.Claim
			now, _, err := vocabulary.Place(ctx, txn, was, func() vocabulary.Shape { return beliefs.Shape(was.Value) })
			if err != nil {
				return err
			}
			if now.Predicate == was.Predicate && now.Inverted == was.Inverted {
				continue
			}
			txn.Put(tenure.ClaimMoved{
				Claim: was.ID, From: was.Slot(), To: now.Slot(), Object: now.Value.Entity, Turned: now.Inverted != was.Inverted,
			})
		}
	}
	return nil
}
