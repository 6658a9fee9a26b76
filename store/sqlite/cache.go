package sqlite

import (
	"sync"

	"tenure"
)

// cacheBytes bounds the JSON text of the beliefs in each half of the cache;
// decoded they take two to three times as much.
const cacheBytes = 16 << 20

// ref names one version of a belief: by its transaction window, which is 0, 0
// for a claim without a standing.
type ref struct {
	belief      tenure.ID
	from, until int64
}

type cacheKey struct {
	tenant int64
	belief tenure.ID
	from   int64
}

// cache keeps versions of beliefs as they were read, which never change, save
// for the end of their window. It has two halves: what is used moves to the
// young one, and when that is full the old one is dropped.
type cache struct {
	mu         sync.Mutex
	limit      int
	size       int
	young, old map[cacheKey]cached
}

type cached struct {
	belief *tenure.Belief
	size   int
}

func newCache(limit int) *cache { return &cache{limit: limit, young: map[cacheKey]cached{}} }

// get fills in the beliefs that are there and returns the places of the rest.
func (c *cache) get(tenant int64, refs []ref, into []*tenure.Belief) (missing []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, r := range refs {
		k := cacheKey{tenant, r.belief, r.from}
		found, ok := c.young[k]
		if !ok {
			if found, ok = c.old[k]; !ok {
				missing = append(missing, i)
				continue
			}
			c.add(k, found)
		}
		into[i] = found.belief
	}
	return missing
}

// put adds a version whose text has size bytes.
func (c *cache) put(tenant int64, r ref, b *tenure.Belief, size int) {
	if size > c.limit/64 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(cacheKey{tenant, r.belief, r.from}, cached{b, size})
}

func (c *cache) add(k cacheKey, v cached) {
	if c.size+v.size > c.limit {
		c.old, c.young, c.size = c.young, make(map[cacheKey]cached, len(c.young)), 0
	}
	c.young[k] = v
	c.size += v.size
}
