// Package cache keeps what was used of late, within a bound.
//
// In go values with their sizes; out they come again until others have taken
// their place. A cache has two halves: what is used moves to the young one, and
// when that is full the old one is dropped.
package cache

import "sync"

// Cache maps keys to values that never change. It is used by several goroutines
// at once.
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

// largest is the share of a half that one value may take, as its inverse.
const largest = 64

// New makes a cache of which each half holds values of at most limit in all, in
// whatever unit their sizes are given.
func New[K comparable, V any](limit int) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, young: map[K]sized[V]{}}
}

// Get finds a value.
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

// Put adds a value. One that would take too much of the cache is left out.
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
