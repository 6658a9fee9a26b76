package registry

import (
	"context"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
	"tenure/similarity"
)

// Policies returns the rules that every writer to a store of this service applies: blocking keys for names,
// and a priority for each version of an open review or case. The model is the one that scores candidates.
func Policies(model *similarity.Model, onCommit ledger.Observer) ledger.Policies {
	return ledger.Policies{BlockingKeys: BlockingKeysOf, Derive: queues{model.Version}.derive, OnCommit: onCommit}
}

// queues derives the priority of what waits for an answer.
type queues struct{ model string }

func (q queues) derive(ctx context.Context, txn *ledger.Txn) error {
	if err := q.reviews(ctx, txn); err != nil {
		return err
	}
	return projection.RankCases(ctx, txn)
}

// reviews sets the counts and the priority of each version of an open review, whichever command wrote it.
func (q queues) reviews(ctx context.Context, txn *ledger.Txn) error {
	changes := txn.Changes()
	for _, c := range changes {
		put, ok := c.(tenure.ReviewPut)
		if !ok || put.Review.State != tenure.ReviewOpen {
			continue
		}
		r := put.Review
		opens, err := txn.Opens(ctx, r)
		if err != nil {
			return err
		}
		if opens {
			r.Model = q.model
		}
		waiting, held := gained(changes, r.Entity)
		r.PendingMentions, r.PendingBeliefs = max(r.PendingMentions+waiting, 0), max(r.PendingBeliefs+held, 0)
		r.Priority = Priority(r)
		txn.Put(tenure.ReviewPut{Review: r})
	}
	return nil
}

// gained returns how many mentions and claims the changes add to an entity, minus the ones that they move
// away.
func gained(changes []tenure.Change, entity tenure.ID) (mentions, claims int) {
	count := func(n *int, yes bool, by int) {
		if yes {
			*n += by
		}
	}
	for _, c := range changes {
		switch c := c.(type) {
		case tenure.MentionAssigned:
			count(&mentions, c.Assignment.Entity == entity, 1)
		case tenure.IdentityDecisionPut:
			if c.Decision.Kind == tenure.Split && !c.Decision.Undone {
				for _, a := range c.Decision.Moved {
					count(&mentions, a.Entity == entity, -1)
				}
			}
		case tenure.ClaimAdded:
			count(&claims, c.Claim.Subject == entity || c.Claim.Value.Entity == entity, 1)
		case tenure.ClaimMoved:
			count(&claims, c.From.Subject == entity, -1)
			count(&claims, c.To.Subject == entity, 1)
		}
	}
	return mentions, claims
}
