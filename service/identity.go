package service

import (
	"context"

	"tenure"

	"tenure/registry"
)

// The requests and results of identity decisions, aliased so that each has one shape. The service sets their
// Caller.
type (
	// EntityMerge requests a merge: From is found under Into from then on.
	EntityMerge = registry.Merge
	// MergedEntity is the result of a merge.
	MergedEntity = registry.MergeAnswer
	// EntitySplit requests that some mentions of an entity become an entity of their own.
	EntitySplit = registry.Split
	// SplitEntity is the result of a split.
	SplitEntity = registry.SplitAnswer
)

// Merge merges two entities: see [registry.Merge.Decide].
func (s *Service) Merge(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, m EntityMerge,
) (Written[MergedEntity], error) {
	m.Caller = c
	return write[MergedEntity](ctx, s, c, key, "merge", m)
}

// Split splits an entity: see [registry.Split.Decide].
func (s *Service) Split(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, p EntitySplit,
) (Written[SplitEntity], error) {
	p.Caller = c
	return write[SplitEntity](ctx, s, c, key, "split", p)
}

// Undo undoes an identity decision by its id. Reviewer names the person, where several people share a
// credential.
type Undo struct {
	ID       tenure.ID
	Reviewer string
	Reason   string
}

// Undone is the result of undoing an identity decision.
type Undone = registry.UndoAnswer

// UndoIdentityDecision undoes an identity decision, which must be of the kind given: merge, split or cannot-link.
func (s *Service) UndoIdentityDecision(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, kind tenure.IdentityDecisionKind, u Undo,
) (Written[Undone], error) {
	return write[Undone](ctx, s, c, key, "undo_"+string(kind), registry.UndoDecision{
		Caller: c, Reviewer: u.Reviewer, Kind: kind, Decision: u.ID, Reason: u.Reason,
	})
}
