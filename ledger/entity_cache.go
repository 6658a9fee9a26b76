package ledger

import (
	"sync"

	"tenure"
	"tenure/cache"
)

// cachedEntities bounds the entities in each half of a writer's cache.
const cachedEntities = 8192

// entityCache keeps the newest versions of the entities that a writer recently read or wrote. They are valid
// as long as no other process writes: a sequence number that this writer did not assign starts a new epoch of
// the tenant, which invalidates its cached entities.
type entityCache struct {
	known *cache.Cache[entityKey, *tenure.Entity]

	mu sync.Mutex
	at map[string]epoch // by tenant
}

type entityKey struct {
	tenant string
	epoch  int
	id     tenure.ID
}

// epoch numbers a run of log entries by this writer alone. Seq is the sequence number of the last one.
type epoch struct {
	number int
	seq    tenure.Seq
}

func newEntityCache() *entityCache {
	return &entityCache{known: cache.New[entityKey, *tenure.Entity](cachedEntities), at: map[string]epoch{}}
}

// of returns the cached entities of a tenant in the state with a sequence number.
func (l *entityCache) of(tenant string, seq tenure.Seq) *snapshotCache {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.at[tenant]
	if e.seq != seq {
		e = epoch{e.number + 1, seq}
		l.at[tenant] = e
	}
	return &snapshotCache{l.known, entityKey{tenant: tenant, epoch: e.number}}
}

// applied adds the entities of change sets that were applied to a state, if no other writer's entries came
// between.
func (l *entityCache) applied(tenant string, base tenure.Seq, sets []tenure.ChangeSet, receipts []tenure.Receipt) {
	end := receipts[len(receipts)-1].Seq
	if end != base+tenure.Seq(len(sets)) {
		return
	}
	r := l.of(tenant, base)
	for _, cs := range sets {
		for _, c := range cs.Changes {
			if c, ok := c.(tenure.EntityPut); ok {
				r.put(&c.Entity)
			}
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.at[tenant] = epoch{r.key.epoch, end}
}

// snapshotCache holds the cached entities of one state. A nil snapshotCache is empty.
type snapshotCache struct {
	known *cache.Cache[entityKey, *tenure.Entity]
	key   entityKey
}

func (r *snapshotCache) entity(id tenure.ID) *tenure.Entity {
	if r == nil {
		return nil
	}
	k := r.key
	k.id = id
	e, _ := r.known.Get(k)
	return e
}

func (r *snapshotCache) put(e *tenure.Entity) {
	if r == nil {
		return
	}
	k := r.key
	k.id = e.ID
	r.known.Put(k, e, 1)
}
