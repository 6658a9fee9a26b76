package index

import (
	"slices"
	"sync"
	"weak"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"tenure/cache"
)

// sharedMatches caches matches for all searches of one state of a tenant, with the same projects and types:
// the names that a group of writes searches for have words and n-grams in common. A nil sharedMatches holds
// none.
type sharedMatches struct {
	kept  *cache.Cache[matchKey, *found]
	state uint64
	scope string
}

// matchKey identifies cached matches. Scope holds the terms of the projects and types.
type matchKey struct {
	state uint64
	scope string
	part  partKey
}

// matchBytes bounds the cached matches, in each half of the cache.
const matchBytes = 16 << 20

// get returns cached matches, or else those that find returns; it does not cache what is not shareable.
func (m *sharedMatches) get(part partKey, shareable bool, find func() (*found, error)) (*found, error) {
	if m == nil || !shareable {
		return find()
	}
	key := matchKey{m.state, m.scope, part}
	if f, ok := m.kept.Get(key); ok {
		return f, nil
	}
	f, err := find()
	if err == nil {
		m.kept.Put(key, f, f.bytes())
	}
	return f, err
}

func (f *found) bytes() (sum int) {
	for _, docs := range slices.Concat(slices.Concat(f.tiers...), f.wide) {
		sum += int(docs.GetSizeInBytes())
	}
	return sum
}

// states numbers the states of tenants that searches see.
type states struct {
	mu   sync.Mutex
	last uint64
	by   map[uint32]numbered // by tenant
}

type numbered struct {
	state  stateKey
	number uint64
}

// stateKey identifies what a tenant's searches see: the segments, and up to two memtables. It keeps neither
// alive.
type stateKey struct {
	segments weak.Pointer[scorch.IndexSnapshot]
	memory   [2]viewKey
}

type viewKey struct {
	table                 weak.Pointer[memtable]
	from, until, replaced uint32
}

// number returns the number of a state. A state that comes back after another gets a new number.
func (s *states) number(tenant uint32, segments *scorch.IndexSnapshot, views []memView) uint64 {
	state := stateKey{segments: weak.Make(segments)}
	for i, v := range views {
		state.memory[i] = viewKey{weak.Make(v.table), v.from, v.until, uint32(len(v.replaced))}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, ok := s.by[tenant]; ok && n.state == state {
		return n.number
	}
	s.last++
	s.by[tenant] = numbered{state, s.last}
	return s.last
}
