// Package cache is a bounded, segmented cache.
//
// It holds two generations: a value that is used moves to the young one, and when the young generation is
// full the old one is dropped. That approximates least-recently-used eviction at the cost of two map lookups.
package cache

import "sync"

// Cache maps keys to immutable values. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu         sync.Mutex
	limit      int
	size       int
	young, old map[K]sized[V]
}

type sized[V any] struct {
	value V
	size  int
}

// largest is the share of a generation that one value may take, as its inverse.
const largest = 64

// New returns a cache whose generations each hold values of a total size of at most limit, in the unit of the
// sizes given to Put.
func New[K comparable, V any](limit int) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, young: map[K]sized[V]{}}
}

// Get returns a cached value.
func (c *Cache[K, V]) Get(k K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.young[k]
	if !ok {
		if found, ok = c.old[k]; ok {
			c.add(k, found)
		}
	}
	return found.value, ok
}

// Clear drops all values.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.young, c.old, c.size = map[K]sized[V]{}, nil, 0
}

// Put adds a value unless it is too large for the cache.
func (c *Cache[K, V]) Put(k K, v V, size int) {
	if size > c.limit/largest {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(k, sized[V]{v, size})
}

func (c *Cache[K, V]) add(k K, v sized[V]) {
	if c.size+v.size > c.limit {
		c.old, c.young, c.size = c.young, make(map[K]sized[V], len(c.young)), 0
	}
	if _, twice := c.young[k]; !twice {
		c.size += v.size
	}
	c.young[k] = v
}
