package ledger

import (
	"sync"

	"github.com/google/uuid"

	"tenure"
)

// A digest is what a policy says of an entity in a few bytes: see [Policies]. Digests are kept of many more entities
// than entities themselves, in memory that holds no pointers.

// digestBytes bounds the digests in each of two generations, with what finds them: some 240,000 of people.
const digestBytes = 48 << 20

// digestChunk is how much memory is taken at a time.
const digestChunk = 1 << 20

// digestKey identifies the digest of an entity in an epoch of its tenant.
type digestKey struct {
	epoch int
	id    uuid.UUID
}

// digestKeyBytes is about what the key and the place of a digest take.
const digestKeyBytes = 64

// digestPlace is where a digest is.
type digestPlace struct{ chunk, from, size uint32 }

// digests keeps the digests of entities that were used last. It is safe for concurrent use.
type digests struct {
	mu         sync.Mutex
	limit      int // bytes of a generation
	young, old digestGeneration
}

type digestGeneration struct {
	at     map[digestKey]digestPlace
	chunks [][]byte
	size   int
}

func newDigests(limit int) *digests {
	return &digests{limit: limit, young: digestGeneration{at: map[digestKey]digestPlace{}}}
}

// get returns a digest, nil if none is kept. It must not be changed.
func (d *digests) get(k digestKey) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	if found := d.young.get(k); found != nil {
		return found
	}
	found := d.old.get(k)
	if found != nil {
		d.add(k, found)
	}
	return found
}

// put keeps a digest instead of the one before, none if it is empty.
func (d *digests) put(k digestKey, digest []byte) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.old.at, k)
	if delete(d.young.at, k); len(digest) > 0 && len(digest) <= digestChunk {
		d.add(k, digest)
	}
}

func (d *digests) add(k digestKey, digest []byte) {
	if d.young.size+len(digest)+digestKeyBytes > d.limit {
		d.old, d.young = d.young, digestGeneration{at: map[digestKey]digestPlace{}}
	}
	d.young.add(k, digest)
}

func (g *digestGeneration) get(k digestKey) []byte {
	p, ok := g.at[k]
	if !ok {
		return nil
	}
	return g.chunks[p.chunk][p.from : p.from+p.size : p.from+p.size]
}

func (g *digestGeneration) add(k digestKey, digest []byte) {
	last := len(g.chunks) - 1
	if last < 0 || len(g.chunks[last])+len(digest) > cap(g.chunks[last]) {
		g.chunks, last = append(g.chunks, make([]byte, 0, digestChunk)), last+1
	}
	from := len(g.chunks[last])
	g.chunks[last] = append(g.chunks[last], digest...)
	g.at[k] = digestPlace{uint32(last), uint32(from), uint32(len(digest))}
	g.size += len(digest) + digestKeyBytes
}

// digestKey returns the key of the digest of an entity; ok is false for an id that was not minted.
func (s *snapshotCache) digestKey(id tenure.ID) (k digestKey, ok bool) {
	u, err := uuid.Parse(string(id))
	return digestKey{s.key.epoch, u}, err == nil && u.String() == string(id)
}

// digest keeps the digest of a new version of an entity.
func (s *snapshotCache) digest(e *tenure.Entity) {
	if k, ok := s.digestKey(e.ID); ok {
		s.digests.put(k, s.digestOf(*e))
	}
}

// digestRead keeps the digests of entities that were read, as far as they lack one.
func (s *snapshotCache) digestRead(found []tenure.Entity) {
	if s == nil {
		return
	}
	Parallel(len(found), func(i int) {
		if k, ok := s.digestKey(found[i].ID); ok && s.digests.get(k) == nil {
			s.digests.put(k, s.digestOf(found[i]))
		}
	})
}

// Digest returns what the policy of digests says of an entity as it is stored: nil if that is not kept, or if the
// entity was loaded or put. A decision that goes by it asks [Txn.Unloaded] when it is taken.
func (t *Txn) Digest(id tenure.ID) []byte {
	if _, loaded := t.entities[id]; loaded || t.snapshot == nil {
		return nil
	}
	k, ok := t.snapshot.digestKey(id)
	if !ok {
		return nil
	}
	return t.snapshot.digests.get(k)
}

// Unloaded reports whether an entity is still as stored and was not loaded. The entity joins the read set.
func (t *Txn) Unloaded(id tenure.ID) bool {
	t.readEntity(id)
	_, loaded := t.entities[id]
	return !loaded
}
