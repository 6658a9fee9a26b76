package engine

import (
	"slices"

	"tenure"
	"tenure/cache"
)

// Beliefs keeps versions of beliefs as they were read, which never change but for
// the end of their window. T is what an engine names tenants by. It is used by
// several goroutines at once.
type Beliefs[T comparable] struct {
	known *cache.Cache[versionKey[T], *tenure.Belief]
}

type versionKey[T comparable] struct {
	tenant  T
	belief  tenure.ID
	version int64
}

// NewBeliefs returns a cache each half of which holds beliefs of at most limit bytes
// of JSON text; decoded they take two to three times as much.
func NewBeliefs[T comparable](limit int) Beliefs[T] {
	return Beliefs[T]{cache.New[versionKey[T], *tenure.Belief](limit)}
}

// Get returns a version of a belief, named by the transaction time of its standing.
// The lists of the copy end where they end: to append to one makes another.
func (c Beliefs[T]) Get(tenant T, belief tenure.ID, version int64) (tenure.Belief, bool) {
	found, ok := c.known.Get(versionKey[T]{tenant, belief, version})
	if !ok {
		return tenure.Belief{}, false
	}
	return Share(found), true
}

// Put keeps a version of a belief whose JSON text has size bytes.
func (c Beliefs[T]) Put(tenant T, version int64, b *tenure.Belief, size int) {
	c.known.Put(versionKey[T]{tenant, b.Claim.ID, version}, b, size)
}

// Share returns a copy of a belief that is in the cache.
func Share(b *tenure.Belief) tenure.Belief {
	out := *b
	out.Standing.Segments = slices.Clip(b.Standing.Segments)
	c := &out.Claim
	c.Supersedes, c.DependsOn = slices.Clip(c.Supersedes), slices.Clip(c.DependsOn)
	c.ApplicableTaskTypes = slices.Clip(c.ApplicableTaskTypes)
	return out
}
