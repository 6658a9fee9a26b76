package neo4j

import (
	"slices"
	"sync"

	"tenure"
)

// cacheBytes bounds the JSON text of the beliefs in each half of the cache.
const cacheBytes = 24 << 20

type cacheKey struct {
	tenant  string
	belief  tenure.ID
	version int64
}

// cache keeps versions of beliefs, which never change. It has two halves: what
// is used moves to the young one, and when that is full the old one is
// dropped.
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
func (c *cache) get(tenant string, refs []ref, into []tenure.Belief) (missing []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, r := range refs {
		k := cacheKey{tenant, r.id, r.version}
		found, ok := c.young[k]
		if !ok {
			if found, ok = c.old[k]; !ok {
				missing = append(missing, i)
				continue
			}
			c.add(k, found)
		}
		into[i] = share(found.belief)
	}
	return missing
}

func (c *cache) put(tenant string, version int64, b *tenure.Belief, size int) {
	if size > c.limit/64 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(cacheKey{tenant, b.Claim.ID, version}, cached{b, size})
}

func (c *cache) add(k cacheKey, v cached) {
	if c.size+v.size > c.limit {
		c.old, c.young, c.size = c.young, make(map[cacheKey]cached, len(c.young)), 0
	}
	c.young[k] = v
	c.size += v.size
}

// share copies a belief so far that whoever appends to its lists or changes
// its segments does not change that of others.
func share(b *tenure.Belief) tenure.Belief {
	out := *b
	out.Standing.Segments = slices.Clone(b.Standing.Segments)
	c := &out.Claim
	c.Supersedes, c.DependsOn = slices.Clip(c.Supersedes), slices.Clip(c.DependsOn)
	c.ApplicableTaskTypes = slices.Clip(c.ApplicableTaskTypes)
	return out
}
