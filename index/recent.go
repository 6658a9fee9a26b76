package index

import (
	"sync"

	"tenure"
)

// maxRecent bounds the recent entries of one tenant. Beyond it the oldest are dropped, and found again once
// the changefeed delivers them.
const maxRecent = 20_000

// recent holds entries that this process has written and the changefeed has not delivered yet, so that a
// writer immediately finds its own writes.
type recent struct {
	mu      sync.Mutex
	tenants map[string]*written
}

// written holds the recent entries of one tenant, in the order of the log.
type written struct {
	table *memtable
	from  uint32 // the first entry that the changefeed has not delivered
	own   run
}

// run is a run of entries of the log that this process has written: those after one up to another, without a gap.
type run struct{ after, upTo tenure.Seq }

func (r *run) add(seq tenure.Seq) {
	if seq != r.upTo+1 {
		r.after = seq - 1
	}
	r.upTo = seq
}

// covered returns up to where the log is known to a search of the run and of what the changefeed has delivered.
func (r run) covered(delivered tenure.Seq) tenure.Seq {
	if delivered < r.after {
		return delivered
	}
	return max(delivered, r.upTo)
}

func newRecent() *recent { return &recent{tenants: map[string]*written{}} }

// add records the documents of a log entry's changes.
func (r *recent) add(tenant string, seq tenure.Seq, changes []tenure.Change) {
	var entries []entry
	for _, d := range documentsIn(changes) {
		entries = append(entries, entryOf(d, seq))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.tenants[tenant]
	if w == nil {
		if len(entries) == 0 {
			return
		}
		w = &written{table: newMemtable()}
		r.tenants[tenant] = w
	}
	w.own.add(seq)
	w.table.add(entries, false)
	if count := uint32(len(w.table.entries)); count-w.from > maxRecent {
		w.from = count - maxRecent
		w.own.after = max(w.own.after, w.table.entries[w.from-1].seq)
	}
	w.compact()
}

// passed drops the entries that the changefeed has delivered.
func (r *recent) passed(tenant string, upTo tenure.Seq) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.tenants[tenant]
	if w == nil {
		return
	}
	entries := w.table.entries // safe to share: only add changes entries, and the lock excludes it
	for int(w.from) < len(entries) && entries[w.from].seq <= upTo {
		w.from++
	}
	if w.compact(); int(w.from) == len(w.table.entries) {
		delete(r.tenants, tenant)
	}
}

// compact frees the dropped entries once they are the larger half.
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

// view returns the recent entries of a tenant, and the run of the log that they are of.
func (r *recent) view(tenant string) (memView, run) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := r.tenants[tenant]
	if w == nil {
		return memView{}, run{}
	}
	v := w.table.view(w.from)
	v.partial = true
	return v, w.own
}
