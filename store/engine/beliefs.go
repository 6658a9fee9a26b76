package engine

import (
	"slices"
	"sync"
	"sync/atomic"

	"tenure"
	"tenure/cache"
)

// Beliefs caches versions of beliefs. A version never changes but for the end of its window, so a cached
// version stays valid until content is erased. T is the type by which an engine identifies tenants. Beliefs is safe
// for concurrent use.
type Beliefs[T comparable] struct {
	known *cache.Cache[versionKey[T], *tenure.Belief]
}

type versionKey[T comparable] struct {
	tenant  T
	belief  tenure.ID
	version int64
}

// NewBeliefs returns a cache each half of which holds beliefs of at most limit bytes of JSON text. Decoded,
// they take two to three times as much memory.
func NewBeliefs[T comparable](limit int) Beliefs[T] {
	return Beliefs[T]{cache.New[versionKey[T], *tenure.Belief](limit)}
}

// Current is the cache that readers which begin now use. A reader keeps the one that there was when it began: what it
// adds of content that was erased meanwhile is found by no later reader.
type Current[T comparable] struct {
	limit int
	cache atomic.Pointer[Beliefs[T]]

	mu     sync.Mutex
	erased map[T]tenure.Seq // by tenant, the newest entry that erased, as far as it is known
}

// NewCurrent returns an empty cache: see [NewBeliefs].
func NewCurrent[T comparable](limit int) *Current[T] {
	c := &Current[T]{limit: limit, erased: map[T]tenure.Seq{}}
	c.forget()
	return c
}

// Get returns the cache.
func (c *Current[T]) Get() Beliefs[T] { return *c.cache.Load() }

// Erased replaces the cache by an empty one, unless the newest entry of the tenant that erased content was known.
func (c *Current[T]) Erased(tenant T, by tenure.Seq) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.erased[tenant] != by {
		c.erased[tenant] = by
		c.forget()
	}
}

func (c *Current[T]) forget() {
	b := NewBeliefs[T](c.limit)
	c.cache.Store(&b)
}

// Get returns a version of a belief, identified by the transaction time of its standing. The capacity of its
// lists is clipped, so that appending to a list copies it.
func (c Beliefs[T]) Get(tenant T, belief tenure.ID, version int64) (tenure.Belief, bool) {
	found, ok := c.known.Get(versionKey[T]{tenant, belief, version})
	if !ok {
		return tenure.Belief{}, false
	}
	return Share(found), true
}

// Put caches a version of a belief whose JSON text has size bytes.
func (c Beliefs[T]) Put(tenant T, version int64, b *tenure.Belief, size int) {
	c.known.Put(versionKey[T]{tenant, b.Claim.ID, version}, b, size)
}

// Share returns a copy of a cached belief whose lists are clipped.
func Share(b *tenure.Belief) tenure.Belief {
	out := *b
	out.Standing.Segments = slices.Clip(b.Standing.Segments)
	c := &out.Claim
	c.Supersedes, c.DependsOn = slices.Clip(c.Supersedes), slices.Clip(c.DependsOn)
	c.ApplicableTaskTypes = slices.Clip(c.ApplicableTaskTypes)
	return out
}
