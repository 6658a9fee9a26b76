package proposals

import (
	"context"
	"slices"

	"tenure"
	"tenure/store"
)

// Reader reads what decides on proposed changes.
type Reader interface {
	store.EvidenceReader
	store.BeliefReader
}

// Load finds the states of proposed changes at an instant, their answers, and what stands, but for the changes that a
// reader who sees only some claims may not know of. Whether a property was given a value since is for [Dissolve] to
// find.
func Load(
	ctx context.Context, r Reader, list []*Change, sees func(tenure.Claim) bool, at tenure.Instant,
) error {
	var ids []tenure.ID
	for _, c := range list {
		ids = append(ids, tenure.AnswerID(c.Observation.ID, c.Number))
		if c.Observation.Of != "" {
			ids = append(ids, c.Observation.Of)
		}
	}
	observations, err := r.Observations(ctx, sortedUnique(ids))
	if err != nil {
		return err
	}
	e := evidence{map[tenure.ID]tenure.Observation{}, map[tenure.ID]tenure.Belief{}}
	for _, o := range observations {
		e.observations[o.ID] = o
	}
	ids = nil
	for _, c := range list {
		ids = slices.Concat(ids, c.Observation.Claims, e.observations[c.Observation.Of].Claims, c.Said.Proposal.Stands)
	}
	beliefs, err := r.Beliefs(ctx, sortedUnique(ids))
	if err != nil {
		return err
	}
	for _, b := range beliefs {
		e.beliefs[b.Claim.ID] = b
	}
	for _, c := range list {
		c.load(e, sees, at)
	}
	return nil
}

// mostLive bounds how many beliefs of an entity are looked at for what changed since.
const mostLive = 64

// Dissolve dissolves the open changes whose property was given a value since that the reader sees. members lists, for
// each change, the entities that it is about.
func Dissolve(
	ctx context.Context, r Reader, list []*Change, members func(*Change) []tenure.ID,
	sees func(tenure.Claim) bool, at tenure.Instant,
) error {
	var ids []tenure.ID
	for _, c := range list {
		if c.State == Open {
			ids = append(ids, members(c)...)
		}
	}
	live, err := r.Facts(ctx, sortedUnique(ids), tenure.Window{From: at, Until: at + 1}, mostLive)
	if err != nil {
		return err
	}
	of := map[tenure.ID][]tenure.Belief{}
	for _, b := range live {
		if sees(b.Claim) {
			of[b.Claim.Subject] = append(of[b.Claim.Subject], b)
		}
	}
	for _, c := range list {
		if c.State == Open && slices.ContainsFunc(members(c), func(id tenure.ID) bool {
			return slices.ContainsFunc(of[id], c.overtaken)
		}) {
			c.State = Dissolved
		}
	}
	return nil
}

// sortedUnique returns the ids sorted and without duplicates.
func sortedUnique(ids []tenure.ID) []tenure.ID {
	return slices.Compact(slices.Sorted(slices.Values(ids)))
}
