package index

import (
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2/index/scorch"

	"tenure"
)

// memtable is an in-memory inverted index of one tenant's documents. It is append-only: an entry keeps its
// number, and a posting list is sorted by number. So a pair of bounds identifies a state of it, a [memView],
// and searches do not block writers.
type memtable struct {
	mu       sync.RWMutex
	entries  []entry
	postings map[term][]uint32
	size     int // number of postings
	latest   map[tenure.ID]uint32
	replaced []uint32 // entries that a later entry of their entity replaces

	shading sync.Mutex
	shadows map[uint64]shadow // by segment
}

// entry is a document as terms. An entry without terms is a removal.
type entry struct {
	id    tenure.ID // of the entity, or the key of a document of another kind
	seq   tenure.Seq
	terms []term
}

func entryOf(d document, seq tenure.Seq) entry {
	return entry{id: d.Entity, seq: seq, terms: terms(d)}
}

func newMemtable() *memtable {
	return &memtable{
		postings: map[term][]uint32{}, latest: map[tenure.ID]uint32{}, shadows: map[uint64]shadow{},
	}
}

// add appends entries. With replace, each entry replaces the previous entry of its entity.
func (m *memtable) add(entries []entry, replace bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range entries {
		n := uint32(len(m.entries))
		if before, ok := m.latest[e.id]; ok && replace {
			m.replaced = append(m.replaced, before)
		}
		m.latest[e.id] = n
		m.entries = append(m.entries, e)
		m.size += len(e.terms)
		for _, t := range e.terms {
			m.post(t, n)
		}
	}
}

func (m *memtable) post(t term, n uint32) {
	list := m.postings[t]
	if len(list) > 0 && list[len(list)-1] == n {
		return
	}
	m.postings[t] = append(list, n)
}

// current returns the entries that are not replaced.
func (m *memtable) current() []entry {
	m.mu.RLock()
	defer m.mu.RUnlock()
	list := make([]entry, 0, len(m.latest))
	for n, e := range m.entries {
		if m.latest[e.id] == uint32(n) {
			list = append(list, e)
		}
	}
	return list
}

// memView is a state of a memtable: the entries from one number to another, without those replaced up to
// then.
type memView struct {
	table       *memtable
	from, until uint32
	replaced    []uint32
	// partial entries hold only a part of their entity: they do not hide what segments and other tables hold
	// of it.
	partial bool
}

func (m *memtable) view(from uint32) memView {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return memView{table: m, from: from, until: uint32(len(m.entries)), replaced: m.replaced}
}

func (v memView) empty() bool { return v.from >= v.until }

// fewEntries is up to how many entries are added to a set one by one.
const fewEntries = 64

// union returns the entries of the view that have at least one of the terms, including replaced entries.
func (v memView) union(list []term) (*roaring.Bitmap, error) {
	if docs := v.fewOf(list); docs != nil {
		return docs, nil
	}
	words := denseSets.Get().(*[]uint64)
	defer denseSets.Put(words)
	dense := zeros(words, int(v.until+63)/64)
	v.mark(dense, list)
	return roaring.FromDense(dense, true), nil
}

// fewOf returns the union of posting lists that are short together, nil if they are not.
func (v memView) fewOf(list []term) *roaring.Bitmap {
	v.table.mu.RLock()
	defer v.table.mu.RUnlock()
	count := 0
	for _, t := range list {
		if count += len(v.table.postings[t]); count > fewEntries {
			return nil
		}
	}
	docs := roaring.New()
	if count == 0 {
		return docs
	}
	for _, t := range list {
		docs.AddMany(v.within(v.table.postings[t]))
	}
	return docs
}

// mark adds the entries that have at least one of the terms to a set.
func (v memView) mark(dense []uint64, list []term) {
	v.table.mu.RLock()
	defer v.table.mu.RUnlock()
	for _, t := range list {
		for _, n := range v.within(v.table.postings[t]) {
			dense[n/64] |= 1 << (n % 64)
		}
	}
}

// denseSets holds scratch memory for sets of entries, one bit for each.
var denseSets = sync.Pool{New: func() any { return new([]uint64) }}

func (v memView) shared(t term) (*roaring.Bitmap, error) { return v.union([]term{t}) }

// within cuts a posting list to the bounds of the view.
func (v memView) within(list []uint32) []uint32 {
	from, until := 0, len(list)
	if v.from > 0 {
		from, _ = slices.BinarySearch(list, v.from)
	}
	if until > 0 && list[until-1] >= v.until {
		until, _ = slices.BinarySearch(list, v.until)
	}
	return list[from:max(from, until)]
}

func (v memView) entity(n uint32) (tenure.ID, error) {
	v.table.mu.RLock()
	defer v.table.mu.RUnlock()
	return v.table.entries[n].id, nil
}

func (v memView) age(n uint32) ([]byte, error) {
	id, err := v.entity(n)
	return []byte(documentID(0, id)[tenantBytes:]), err
}

// scope returns the entries that are visible to a request.
func (v memView) scope(p plan) *roaring.Bitmap {
	docs, _ := scopeOf(v, p) // reading memory cannot fail
	for _, n := range v.replaced {
		if n >= v.from {
			docs.Remove(n)
		}
	}
	return docs
}

// shadow caches which documents of a segment are hidden by entries of their entities, up to the last entry
// looked up.
type shadow struct {
	until uint32
	docs  *roaring.Bitmap
}

// shadowed returns the documents of a segment that an entry of the view hides: an entry is newer, or a
// removal. It looks up only the entries added since the last call.
func (v memView) shadowed(segment *scorch.SegmentSnapshot, tenant uint32) (*roaring.Bitmap, error) {
	v.table.shading.Lock()
	s, known := v.table.shadows[segment.Id()]
	v.table.shading.Unlock()
	if !known || s.until > v.until {
		s = shadow{docs: roaring.New()}
	}
	if s.until == v.until {
		return s.docs, nil
	}
	docs, err := segment.Segment().DocNumbers(v.documentIDs(tenant, s.until))
	if err != nil {
		return nil, err
	}
	next := shadow{until: v.until, docs: s.docs}
	if !docs.IsEmpty() {
		next.docs = roaring.Or(s.docs, docs)
	}
	v.table.shading.Lock()
	defer v.table.shading.Unlock()
	if v.table.shadows[segment.Id()].until <= next.until {
		v.table.shadows[segment.Id()] = next
	}
	return next.docs, nil
}

// documentIDs lists the ids of the documents of the entries of the view from one on.
func (v memView) documentIDs(tenant, from uint32) []string {
	v.table.mu.RLock()
	defer v.table.mu.RUnlock()
	ids := make([]string, 0, v.until-from)
	for _, e := range v.table.entries[from:v.until] {
		ids = append(ids, documentID(tenant, e.id))
	}
	return ids
}
