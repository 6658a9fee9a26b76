package index

import (
	"sync"

	"tenure"
)

// maxRecent bounds the entries that are remembered of one tenant. Beyond it the
// oldest are forgotten, and found once the changefeed brings them.
const maxRecent = 20_000

// recent holds what this process has written and the changefeed has not brought
// yet, so that a writer finds at once what it wrote.
type recent struct {
	mu      sync.Mutex
	tenants map[string]*written
}

// written is what is remembered of one tenant, in the order of the log.
type written struct {
	table *memtable
	from  uint32 // the first entry that the changefeed has not brought
}

func newRecent() *recent { return &recent{tenants: map[string]*written{}} }

// add remembers what the changes of an entry of the log say of entities.
func (r *recent) add(tenant string, seq tenure.Seq, changes []tenure.Change) {
	var entries []entry
	for _, d := range documentsIn(changes) {
		entries = append(entries, entryOf(d, seq))
	}
	if len(entries) == 0 {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.tenants[tenant]
	if w == nil {
		w = &written{table: newMemtable()}
		r.tenants[tenant] = w
	}
	w.table.add(entries, false)
	if count := uint32(len(w.table.entries)); count-w.from > maxRecent {
		w.from = count - maxRecent
	}
	w.compact()
}

// passed forgets what the changefeed has brought.
func (r *recent) passed(tenant string, upTo tenure.Seq) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.tenants[tenant]
	if w == nil {
		return
	}
	entries := w.table.entries // only add changes them, which the lock keeps out
	for int(w.from) < len(entries) && entries[w.from].seq <= upTo {
		w.from++
	}
	if w.compact(); int(w.from) == len(w.table.entries) {
		delete(r.tenants, tenant)
	}
}

// compact leaves what is forgotten behind when it is the larger half.
func (w *written) compact() {
	const small = 512
	if w.from < small || int(w.from) < len(w.table.entries)/2 {
		return
	}
	rest := w.table.entries[w.from:]
	w.table, w.from = newMemtable(), 0
	w.table.add(rest, false)
}

func (r *recent) forget(tenant string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.tenants, tenant)
}

// view returns what is remembered of a tenant.
func (r *recent) view(tenant string) (v memView, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.tenants[tenant]
	if w == nil {
		return memView{}, false
	}
	v = w.table.view(w.from)
	v.partial = true
	return v, !v.empty()
}
