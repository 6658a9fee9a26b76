package index

import (
	"slices"
	"sync"
	"weak"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"
)

// sharedMatches caches matches for all searches of one state of a tenant, with the same projects and types:
// the names that a group of writes searches for have words and n-grams in common. A nil sharedMatches holds
// none.
type sharedMatches struct {
	state stateKey

	mu      sync.Mutex
	known   map[partKey]*found
	size    int                // bytes
	visible [2]*roaring.Bitmap // of the memtables
	disk    []*roaring.Bitmap  // visible documents by segment
}

// stateKey identifies what a search sees: the segments and up to two memtables, neither of which it keeps
// alive, and the terms of the projects and types.
type stateKey struct {
	tenant   uint32
	scope    string
	segments weak.Pointer[scorch.IndexSnapshot]
	memory   [2]viewKey
}

type viewKey struct {
	table                 weak.Pointer[memtable]
	from, until, replaced uint32
}

// matchBytes bounds the matches of one state.
const matchBytes = 8 << 20

// get returns cached matches, or else those that find returns; it does not cache what is not shareable.
func (m *sharedMatches) get(part partKey, shareable bool, find func() (*found, error)) (*found, error) {
	if m == nil || !shareable {
		return find()
	}
	m.mu.Lock()
	f := m.known[part]
	m.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := find()
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.size < matchBytes {
		m.known[part] = f
		m.size += f.bytes()
	}
	return f, nil
}

// inMemory returns the documents of a memtable that are visible to the request. The bitmap is shared and must not be
// changed.
func (m *sharedMatches) inMemory(i int, v memView, p plan) *roaring.Bitmap {
	if m == nil {
		return v.scope(p)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.visible[i] == nil {
		m.visible[i] = v.scope(p)
	}
	return m.visible[i]
}

// onDisk returns the documents of the segments that are visible to the request, those that find returns if they are
// not cached. The bitmaps are shared and must not be changed.
func (m *sharedMatches) onDisk(find func() ([]*roaring.Bitmap, error)) ([]*roaring.Bitmap, error) {
	if m == nil {
		return find()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.disk != nil {
		return m.disk, nil
	}
	visible, err := find()
	if err == nil {
		m.disk = visible
	}
	return visible, err
}

// bytes returns the memory that the matches take, about, with the terms of their part.
func (f *found) bytes() int {
	const pointer = 8
	sum := 0
	if f.part != nil { // nil for an n-gram
		for _, t := range f.part.tiers {
			sum += len(t.terms) * termBytes
		}
	}
	for _, list := range append(slices.Clip(f.tiers), f.wide) {
		sum += len(list) * pointer
		for _, docs := range list {
			sum += bytesOf(docs)
		}
	}
	return sum
}

// states holds the shared matches of the states that were searched last, the newest first.
type states struct {
	mu   sync.Mutex
	list []*sharedMatches
}

// maxStates bounds the states whose matches are kept: those of as many tenants or types are searched by turns.
const maxStates = 4

// matches returns the shared matches of a state. It drops those of earlier states with the same scope.
func (s *states) matches(tenant uint32, segments *scorch.IndexSnapshot, views []memView, scope string) *sharedMatches {
	state := stateKey{tenant: tenant, scope: scope, segments: weak.Make(segments)}
	for i, v := range views {
		state.memory[i] = viewKey{weak.Make(v.table), v.from, v.until, uint32(len(v.replaced))}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.list {
		if m.state == state {
			return m
		}
	}
	s.list = slices.DeleteFunc(s.list, func(m *sharedMatches) bool {
		return m.state.tenant == tenant && m.state.scope == scope
	})
	m := &sharedMatches{state: state, known: map[partKey]*found{}}
	s.list = slices.Insert(s.list[:min(len(s.list), maxStates-1)], 0, m)
	return m
}
