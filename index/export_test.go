package index

import (
	"context"
	"time"

	"tenure"
)

// Document exports document for tests.
type Document = document

// FlushAge, FlushLeast and FlushDirect are the bounds of flush.go.
const (
	FlushSize   = flushSize
	FlushAge    = flushAge
	FlushLeast  = flushLeast
	FlushDirect = flushSize / directShare
)

// Put applies documents without a store.
func (x *Index) Put(ctx context.Context, tenant string, docs []Document, removed []tenure.ID, upTo tenure.Seq) error {
	return x.apply(ctx, tenant, entriesOf(docs, removed, upTo), upTo)
}

// Flush writes the memtables to disk.
func (x *Index) Flush() error {
	return x.change(context.Background(), (*generation).flush)
}

// Purge rewrites the files of the index.
func (x *Index) Purge(ctx context.Context) error { return x.purge(ctx) }

// Terms returns the terms of all segments on disk, of documents that were removed too.
func (x *Index) Terms() (map[string]bool, error) {
	g := x.acquire()
	defer g.release()
	r, err := g.reader()
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	fields, err := r.Fields()
	if err != nil {
		return nil, err
	}
	terms := map[string]bool{}
	for _, field := range fields {
		dict, err := r.FieldDict(field)
		if err != nil {
			return nil, err
		}
		for entry, err := dict.Next(); entry != nil || err != nil; entry, err = dict.Next() {
			if err != nil {
				return nil, err
			}
			if entry.Term != partnerID {
				terms[field+" "+entry.Term] = true
			}
		}
	}
	return terms, nil
}

// FlushIfDue does what happens at every tick.
func (x *Index) FlushIfDue(now time.Time) error { return x.flushIfDue(now) }

// OnDisk returns the sequence number up to which a tenant's log is on disk.
func (x *Index) OnDisk(tenant string) tenure.Seq {
	g := x.acquire()
	defer g.release()
	s, _ := g.shard(tenant)
	return s.flushed
}

// Postings returns the number of postings in memory.
func (x *Index) Postings() int {
	g := x.acquire()
	defer g.release()
	return g.postings()
}

// MaxRecent bounds the recent entries of a tenant.
const MaxRecent = maxRecent
