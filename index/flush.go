package index

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/blevesearch/bleve/v2"

	"tenure"
)

// The conditions under which documents in memory are flushed to a segment on disk. A segment costs as much as
// hundreds of documents and is merged repeatedly, so a single write never makes one.
const (
	// flushSize bounds the memory of all memtables, in postings: about 5,000 documents of one name, or 30 MB. It is the
	// default of [Config.FlushSize].
	flushSize = 400_000
	// flushAge bounds how long entries of the log stay only in memory once there are at least flushLeast. It
	// bounds what a starting process reads again. Fewer entries are quickly read again, so they wait for more
	// entries or for Close. It is the default of [Config.FlushAge].
	flushAge   = 10 * time.Second
	flushLeast = 1000
	// directShare is the share of flushed documents, as its inverse and in postings, from which a page is written
	// directly to disk: it makes a segment of its own. By default these are 2000 documents.
	directShare = 200
)

// apply makes documents searchable in place of the previous documents of their ids. It flushes the memtables where they
// have that many postings. The caller must hold puts.
func (g *generation) apply(tenant string, entries []entry, upTo tenure.Seq, flushSize int) error {
	if g.postings() >= flushSize { // an earlier flush failed
		if err := g.flush(); err != nil {
			return err
		}
	}
	s, err := g.shardFor(tenant)
	if err != nil {
		return err
	}
	if len(entries) >= flushSize/directShare {
		return g.write(tenant, shard{number: s.number, applied: upTo, table: s.table}, entries)
	}
	s.table.add(entries, true)
	g.set(tenant, shard{number: s.number, applied: upTo, flushed: s.flushed, table: s.table})
	if g.postings() >= flushSize {
		return g.flush()
	}
	return nil
}

// reset gives a tenant a new number. The documents under the old number are unreachable until the next
// rebuild drops them.
func (g *generation) reset(tenant string) error {
	number, err := g.number()
	if err != nil {
		return err
	}
	return g.write(tenant, shard{number: number, table: newMemtable()}, nil)
}

// write writes the entries of a shard's table and further entries to disk.
func (g *generation) write(tenant string, s shard, further []entry) error {
	b := g.index.NewBatch()
	if err := s.into(b, tenant, further); err != nil {
		return err
	}
	if err := g.commit(b); err != nil {
		return err
	}
	g.set(tenant, shard{number: s.number, applied: s.applied, flushed: s.applied, table: newMemtable()})
	return nil
}

// flush writes all memtables to disk as one batch.
func (g *generation) flush() error {
	pending := map[string]shard{}
	b := g.index.NewBatch()
	for tenant, s := range g.inMemory() {
		pending[tenant] = s
		if err := s.into(b, tenant, nil); err != nil {
			return err
		}
	}
	if len(pending) == 0 {
		return nil
	}
	if err := g.commit(b); err != nil {
		return err
	}
	for tenant, s := range pending {
		g.set(tenant, shard{number: s.number, applied: s.applied, flushed: s.applied, table: newMemtable()})
	}
	return nil
}

// into adds the entries of a shard, further entries and the shard's checkpoint to a batch. The batch is
// atomic, so the checkpoint on disk always matches the documents.
func (s shard) into(b *bleve.Batch, tenant string, further []entry) error {
	for _, e := range append(s.table.current(), further...) {
		if len(e.terms) == 0 {
			b.Delete(documentID(s.number, e.id))
		} else if err := b.IndexAdvanced(bleveDocument(s.number, e)); err != nil {
			return err
		}
	}
	b.SetInternal([]byte(tenantPrefix+tenant), binary.BigEndian.AppendUint32(nil, s.number))
	b.SetInternal([]byte(cursorPrefix+tenant), binary.BigEndian.AppendUint64(nil, uint64(s.applied)))
	return nil
}

// shardFor returns the shard of a tenant, or an empty shard with the next number.
func (g *generation) shardFor(tenant string) (shard, error) {
	if s, ok := g.shard(tenant); ok {
		return s, nil
	}
	number, err := g.number()
	return shard{number: number, table: newMemtable()}, err
}

func (g *generation) number() (uint32, error) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if g.next >= maxTenants {
		return 0, fmt.Errorf("the index holds at most %d tenants", maxTenants)
	}
	return g.next, nil
}

func (g *generation) set(tenant string, s shard) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.shards[tenant], g.next = &s, max(g.next, s.number+1)
	if s.applied == s.flushed && len(s.table.entries) == 0 {
		delete(g.unwritten, tenant)
	} else {
		g.unwritten[tenant] = &s
	}
}

// applied returns the checkpoints of all tenants.
func (g *generation) applied() map[string]tenure.Seq {
	g.mu.RLock()
	defer g.mu.RUnlock()
	all := make(map[string]tenure.Seq, len(g.shards))
	for tenant, s := range g.shards {
		all[tenant] = s.applied
	}
	return all
}

// inMemory returns the shards of which a part is only in memory.
func (g *generation) inMemory() map[string]shard {
	g.mu.RLock()
	defer g.mu.RUnlock()
	some := make(map[string]shard, len(g.unwritten))
	for tenant, s := range g.unwritten {
		some[tenant] = *s
	}
	return some
}

// postings returns the number of postings in memory.
func (g *generation) postings() int {
	sum := 0
	for _, s := range g.inMemory() {
		sum += s.table.size
	}
	return sum
}

// unflushed returns the number of log entries that are only in memory.
func (g *generation) unflushed() (sum tenure.Seq) {
	for _, s := range g.inMemory() {
		sum += s.applied - s.flushed
	}
	return sum
}

// aging measures how long entries have been only in memory.
type aging struct{ since time.Time }

// due reports whether unflushed entries have to be flushed now. The age counts from the first call with
// unflushed entries.
func (a *aging) due(now time.Time, unflushed tenure.Seq, flushAge time.Duration) bool {
	switch {
	case unflushed == 0:
		a.since = time.Time{}
	case a.since.IsZero():
		a.since = now
	case now.Sub(a.since) >= flushAge && unflushed >= flushLeast:
		a.since = time.Time{}
		return true
	}
	return false
}
