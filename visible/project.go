package visible

import (
	"context"

	"tenure"
	"tenure/audience"
	"tenure/ledger"
	"tenure/projection"
	"tenure/store"
)

// Stored returns what is stored in a transaction as a caller sees it.
func Stored(txn *ledger.Txn, c tenure.Caller) store.Reader {
	return Reader(txn.Stored(), c, audience.Of(c))
}

// ShowsCase reports whether a caller sees an open case as it is in a transaction. A tie among what the caller sees that
// hidden evidence decides, or is part of, is one without a case.
func ShowsCase(ctx context.Context, txn *ledger.Txn, c tenure.Caller, id tenure.ID) (bool, error) {
	known, err := txn.Case(ctx, id)
	if known == nil || known.State != tenure.CaseOpen || err != nil {
		return false, err
	}
	sees := audience.Of(c)
	for _, side := range known.Holds {
		b, err := txn.Belief(ctx, side)
		if b == nil || !sees.Sees(b.Claim.Label()) || err != nil {
			return false, err
		}
	}
	return true, nil
}

// Project writes what follows from the changes of a decision, as [projection.Project] does, and returns it as the
// caller sees it: from the evidence that the caller sees, and what the decision itself has put.
func Project(
	ctx context.Context, txn *ledger.Txn, c tenure.Caller, cause projection.Cause, now tenure.Instant,
) (projection.Projection, error) {
	p, err := projection.Project(ctx, txn, cause, now)
	if err != nil {
		return p, err
	}
	sees := audience.Of(c)
	if len(p.Labels) == 0 || sees.All(p.Labels) {
		return p, nil
	}
	beside, err := txn.Beside(ctx, func(r store.Reader) store.Reader { return Reader(r, c, sees) })
	if err != nil {
		return p, err
	}
	return projection.Project(ctx, beside, cause, now)
}
