package registry

import (
	"context"
	"slices"

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
	var labels map[tenure.ID]tenure.Label // read for the first review
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
		e, err := txn.Entity(ctx, r.Entity)
		if err != nil {
			return err
		}
		if e != nil {
			if labels == nil {
				if labels, err = labelsIn(ctx, txn, changes); err != nil {
					return err
				}
			}
			waiting, held := gained(changes, *e, labels)
			r.PendingMentions, r.PendingBeliefs = max(r.PendingMentions+waiting, 0), max(r.PendingBeliefs+held, 0)
		}
		r.Priority = Priority(r)
		txn.Put(tenure.ReviewPut{Review: r})
	}
	return nil
}

// labelsIn returns the labels of the mentions and claims that changes move.
func labelsIn(ctx context.Context, txn *ledger.Txn, changes []tenure.Change) (map[tenure.ID]tenure.Label, error) {
	labels := map[tenure.ID]tenure.Label{}
	var mentions []tenure.ID
	for _, c := range changes {
		switch c := c.(type) {
		case tenure.MentionAdded:
			labels[c.Mention.ID] = c.Mention.Label
		case tenure.MentionAssigned:
			mentions = append(mentions, c.Assignment.Mention)
		case tenure.IdentityDecisionPut:
			mentions = append(mentions, mentionsIn(c.Decision.Moved)...)
		case tenure.ClaimMoved:
			b, err := txn.Belief(ctx, c.Claim)
			if err != nil {
				return nil, err
			}
			if b != nil {
				labels[c.Claim] = b.Claim.Label()
			}
		}
	}
	mentions = slices.DeleteFunc(mentions, func(id tenure.ID) bool {
		_, added := labels[id]
		return added
	})
	if len(mentions) == 0 {
		return labels, nil
	}
	found, err := txn.Mentions(ctx, mentions)
	for _, m := range found {
		labels[m.Mention.ID] = m.Mention.Label
	}
	return labels, err
}

// gained returns how many mentions and claims the changes add to an entity, minus the ones that they move away. Of both
// those count that everybody sees who sees the entity: others must not show in its review.
func gained(
	changes []tenure.Change, entity tenure.Entity, labels map[tenure.ID]tenure.Label,
) (mentions, claims int) {
	count := func(n *int, at tenure.ID, l tenure.Label, by int) {
		if at == entity.ID && entity.Label.Covers(l) {
			*n += by
		}
	}
	for _, c := range changes {
		switch c := c.(type) {
		case tenure.MentionAssigned:
			count(&mentions, c.Assignment.Entity, labels[c.Assignment.Mention], 1)
		case tenure.IdentityDecisionPut:
			if c.Decision.Kind == tenure.Split && !c.Decision.Undone {
				for _, a := range c.Decision.Moved {
					count(&mentions, a.Entity, labels[a.Mention], -1)
				}
			}
		case tenure.ClaimAdded:
			count(&claims, c.Claim.Subject, c.Claim.Label(), 1)
			if c.Claim.Value.Entity != c.Claim.Subject {
				count(&claims, c.Claim.Value.Entity, c.Claim.Label(), 1)
			}
		case tenure.ClaimMoved:
			count(&claims, c.From.Subject, labels[c.Claim], -1)
			count(&claims, c.To.Subject, labels[c.Claim], 1)
		}
	}
	return mentions, claims
}
