package sqlite

import (
	"tenure"
	"tenure/cache"
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

// beliefCache keeps versions of beliefs as they were read, which never change,
// save for the end of their window.
type beliefCache struct {
	*cache.Cache[cacheKey, *tenure.Belief]
}

func newCache(limit int) beliefCache {
	return beliefCache{cache.New[cacheKey, *tenure.Belief](limit)}
}

// get fills in the beliefs that are there and returns the places of the rest.
func (c beliefCache) get(tenant int64, refs []ref, into []*tenure.Belief) (missing []int) {
	for i, r := range refs {
		found, ok := c.Get(cacheKey{tenant, r.belief, r.from})
		if !ok {
			missing = append(missing, i)
			continue
		}
		into[i] = found
	}
	return missing
}

// put adds a version whose text has size bytes.
func (c beliefCache) put(tenant int64, r ref, b *tenure.Belief, size int) {
	c.Put(cacheKey{tenant, r.belief, r.from}, b, size)
}
