package neo4j

import (
	"slices"

	"tenure"
	"tenure/cache"
)

// cacheBytes bounds the JSON text of the beliefs in each half of the cache.
const cacheBytes = 24 << 20

type cacheKey struct {
	tenant  string
	belief  tenure.ID
	version int64
}

// beliefCache keeps versions of beliefs, which never change.
type beliefCache struct {
	*cache.Cache[cacheKey, *tenure.Belief]
}

func newCache(limit int) beliefCache {
	return beliefCache{cache.New[cacheKey, *tenure.Belief](limit)}
}

// get fills in the beliefs that are there and returns the places of the rest.
func (c beliefCache) get(tenant string, refs []ref, into []tenure.Belief) (missing []int) {
	for i, r := range refs {
		found, ok := c.Get(cacheKey{tenant, r.id, r.version})
		if !ok {
			missing = append(missing, i)
			continue
		}
		into[i] = share(found)
	}
	return missing
}

func (c beliefCache) put(tenant string, version int64, b *tenure.Belief, size int) {
	c.Put(cacheKey{tenant, b.Claim.ID, version}, b, size)
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
