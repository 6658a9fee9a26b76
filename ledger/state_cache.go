package ledger

import (
	"sync"

	"tenure"
	"tenure/cache"
)

// cachedThings bounds the things in each half of a writer's cache.
const cachedThings = 8192

// stateCache keeps the newest versions of the entities, terms and vocabularies that a writer recently read or
// wrote, and which of them do not exist. They are valid as long as no other process writes: a sequence number
// that this writer did not assign starts a new epoch of the tenant, which invalidates what is cached.
type stateCache struct {
	known    *cache.Cache[thingKey, any]
	outlines *outlines

	mu sync.Mutex
	at map[string]epoch // by tenant
}

type thingKey struct {
	tenant string
	epoch  int
	kind   thingKind
	id     string
}

type thingKind byte

const (
	entityThing thingKind = iota
	termThing
	vocabularyThing
	termListThing
	outlineThing
)

// epoch numbers a run of log entries by this writer alone. Seq is the sequence number of the last one.
type epoch struct {
	number int
	seq    tenure.Seq
}

func newStateCache() *stateCache {
	return &stateCache{known: cache.New[thingKey, any](cachedThings), outlines: newOutlines(), at: map[string]epoch{}}
}

// of returns what is cached of a tenant in the state with a sequence number.
func (s *stateCache) of(tenant string, seq tenure.Seq) *snapshotCache {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.at[tenant]
	if e.seq != seq {
		e = epoch{e.number + 1, seq}
		s.at[tenant] = e
	}
	return &snapshotCache{s.known, s.outlines, thingKey{tenant: tenant, epoch: e.number}}
}

// applied adds what change sets put, which were applied to a state, if no other writer's entries came between.
func (s *stateCache) applied(
	tenant string, base tenure.Seq, sets []tenure.ChangeSet, outlines []map[string]outline, receipts []tenure.Receipt,
) {
	end := receipts[len(receipts)-1].Seq
	if end != base+tenure.Seq(len(sets)) {
		return
	}
	snapshot := s.of(tenant, base)
	for _, cs := range sets {
		for _, c := range cs.Changes {
			switch c := c.(type) {
			case tenure.EntityPut:
				put(snapshot, entityThing, string(c.Entity.ID), &c.Entity)
			case tenure.TermPut:
				put(snapshot, termThing, c.Term.ID(), &c.Term)
			case tenure.VocabularyPut:
				put(snapshot, vocabularyThing, c.Vocabulary.Name, &c.Vocabulary)
			}
		}
	}
	for _, remembered := range outlines {
		for slot, o := range remembered {
			s.outlines.put(snapshot.keyOf(outlineThing, slot), o)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at[tenant] = epoch{snapshot.key.epoch, end}
}

// snapshotCache holds what is cached of one state. A nil snapshotCache is empty.
type snapshotCache struct {
	known    *cache.Cache[thingKey, any]
	outlines *outlines
	key      thingKey
}

func (s *snapshotCache) keyOf(kind thingKind, id string) thingKey {
	k := s.key
	k.kind, k.id = kind, id
	return k
}

func put[V any](s *snapshotCache, kind thingKind, id string, v *V) {
	if s != nil {
		s.known.Put(s.keyOf(kind, id), v, 1)
	}
}

// fromSnapshot moves cached things into a cache of the transaction and lists the keys that are not cached.
func fromSnapshot[K ~string, V any](t *Txn, things map[K]*V, kind thingKind, keys []K) (rest []K) {
	if t.snapshot == nil {
		return keys
	}
	for _, k := range keys {
		if v, ok := t.snapshot.known.Get(t.snapshot.keyOf(kind, string(k))); ok {
			set(t, things, k, v.(*V))
		} else {
			rest = append(rest, k)
		}
	}
	return rest
}

// toSnapshot caches the things of keys that were read, nil for those that do not exist.
func toSnapshot[K ~string, V any](t *Txn, things map[K]*V, kind thingKind, keys []K) {
	for _, k := range keys {
		put(t.snapshot, kind, string(k), things[k])
	}
}
