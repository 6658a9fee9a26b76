package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"tenure"
)

// Document is what the index knows of one member entity. Names and Identifiers
// are those of its forms, Descriptions the lines that say what it is; an entity
// that was merged is a document of its own.
type Document struct {
	Entity        tenure.ID
	Type, Project string
	Names         []string
	Identifiers   []tenure.Form
	Descriptions  []string
	// Local are names that other projects have for what is not theirs, by
	// project. The index finds nothing by them: they are for dictionaries.
	Local map[string][]string
}

// Query asks for entities that may go by one of Names or one of Identifiers, or
// are described in words of one of Descriptions, of which the first 4 count.
// Types are those that are compatible, any if there are none. Found is what is
// of no project or of Project. Limit is 50 if it is zero, and at most 1000. Of
// Names the first 16 different ones count, of Identifiers and of Types the first 64.
type Query struct {
	Names        []string
	Types        []string
	Project      string
	Identifiers  []tenure.Form
	Descriptions []string
	Limit        int
}

// Config tunes an index; the zero value is good.
type Config struct {
	// Logger hears of what was mended. Default: nobody.
	Logger *slog.Logger
	// Poll is how often it is looked whether another process has built the
	// index anew. Default 1 s.
	Poll time.Duration
	// LockTimeout is how long to wait for another process that has the
	// directory open. Default 1 s.
	LockTimeout time.Duration
}

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Poll = cmp.Or(c.Poll, time.Second)
	c.LockTimeout = cmp.Or(c.LockTimeout, time.Second)
	return c
}

// ErrLocked says that another process has the index open.
var ErrLocked = errors.New("another process has it open")

// Index finds candidates. It is used by several goroutines at once.
type Index struct {
	dir    string
	cfg    Config
	lock   *bbolt.DB // held as long as the index is open; nil while it is built
	passed *progress
	tail   *tail

	puts sync.Mutex // one batch at a time; held to exchange the generation

	mu  sync.Mutex
	gen *generation

	stop context.CancelFunc
	work sync.WaitGroup
}

// Open opens the index of a directory, which it makes if need be. One process
// has a directory open at a time; for another, the error is ErrLocked. What is
// missing, damaged or of an older format is logged and begun anew: the follower
// fills it.
func Open(dir string, cfg Config) (*Index, error) {
	cfg = cfg.withDefaults()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the index directory: %w", err)
	}
	lock, err := lockFile(filepath.Join(dir, "LOCK"), cfg.LockTimeout)
	if err != nil {
		return nil, fmt.Errorf("open the index in %s: %w", dir, err)
	}
	x := &Index{dir: dir, cfg: cfg, lock: lock, tail: newTail(), passed: &progress{file: filepath.Join(dir, "PASSED")}}
	if x.gen, err = openCurrent(dir, cfg.Logger); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	sweep(dir, filepath.Base(x.gen.dir), cfg.Logger)
	ctx, stop := context.WithCancel(context.Background())
	x.stop = stop
	x.work.Go(func() { x.watch(ctx) })
	return x, nil
}

// lockFile takes the lock of a file, for which Bleve's own store of pages
// serves: it knows how to on every system.
func lockFile(file string, timeout time.Duration) (*bbolt.DB, error) {
	db, err := bbolt.Open(file, 0o600, &bbolt.Options{Timeout: timeout, NoSync: true})
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, ErrLocked
	case err != nil && os.Remove(file) == nil: // not a lock of ours
		return bbolt.Open(file, 0o600, &bbolt.Options{Timeout: timeout, NoSync: true})
	}
	return db, err
}

// Close ends searches and batches after what they are doing now.
func (x *Index) Close() error {
	x.stop()
	x.work.Wait()
	x.puts.Lock()
	defer x.puts.Unlock()
	g := x.exchange(nil)
	if g == nil {
		return nil
	}
	err := g.close()
	return errors.Join(err, x.lock.Close())
}

// acquire gives the generation that is current, which stays open until release;
// nil if the index is closed.
func (x *Index) acquire() *generation {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.gen != nil {
		x.gen.refs.Add(1)
	}
	return x.gen
}

func (g *generation) release() { g.refs.Done() }

// exchange puts another generation in place and waits until nobody uses the
// one before.
func (x *Index) exchange(next *generation) *generation {
	x.mu.Lock()
	before := x.gen
	x.gen = next
	x.mu.Unlock()
	if before != nil {
		before.refs.Wait()
	}
	return before
}

var errClosed = tenure.Errorf(tenure.Unavailable, "the index is closed")

// Put applies documents, removals and the number up to which the log is in them
// as one batch: all of it or nothing, on disk when it returns. A document
// replaces the one of its entity.
func (x *Index) Put(ctx context.Context, tenant string, docs []Document, removed []tenure.ID, upTo tenure.Seq) error {
	return x.put(ctx, tenant, docs, removed, upTo, false)
}

// Reset forgets all that a tenant has in the index; its log is read from the
// start again.
func (x *Index) Reset(ctx context.Context, tenant string) error {
	if err := x.put(ctx, tenant, nil, nil, 0, true); err != nil {
		return err
	}
	x.tail.forget(tenant)
	return x.passed.set(tenant, 0)
}

func (x *Index) put(ctx context.Context, tenant string, docs []Document, removed []tenure.ID, upTo tenure.Seq, fresh bool) error {
	x.puts.Lock()
	defer x.puts.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	g := x.acquire()
	if g == nil {
		return errClosed
	}
	err := g.put(tenant, docs, removed, upTo, fresh)
	g.release()
	if err != nil {
		g.failed(err)
		return fmt.Errorf("put into the index: %w", err)
	}
	x.tail.passed(tenant, upTo)
	return nil
}

// Cursor is the number up to which the log of a tenant is in the index; it
// goes back when the index had to be begun anew.
func (x *Index) Cursor(tenant string) (tenure.Seq, error) {
	g := x.acquire()
	if g == nil {
		return 0, errClosed
	}
	defer g.release()
	return g.cursor(tenant), nil
}

// Passed is the number up to which the entities of a tenant had their second
// look (see FollowerConfig.OnPassed). It is kept beside
// the generations, so that building the index anew gives nobody another look.
func (x *Index) Passed(tenant string) (tenure.Seq, error) { return x.passed.get(tenant) }

// Reached is the number up to which the entities of a tenant are in the index, and
// had their second look.
func (x *Index) Reached(tenant string) (tenure.Seq, error) {
	cursor, err := x.Cursor(tenant)
	if err != nil {
		return 0, err
	}
	passed, err := x.Passed(tenant)
	return min(cursor, passed), err
}

// SetPassed advances [Index.Passed].
func (x *Index) SetPassed(tenant string, seq tenure.Seq) error { return x.passed.set(tenant, seq) }

// Note tells of an entry that this process has applied, so that its entities
// are found before they are in the index.
func (x *Index) Note(tenant string, seq tenure.Seq, changes []tenure.Change) {
	g := x.acquire()
	if g == nil {
		return
	}
	defer g.release()
	if seq > g.cursor(tenant) {
		x.tail.note(tenant, seq, changes)
	}
}

// Candidates proposes entities, best first: of those in the index and those
// noted since. The error is that of the context, or that the index is closed or
// cannot be read: then it is mended, and what was noted is found beside the error.
func (x *Index) Candidates(ctx context.Context, tenant string, q Query) ([]tenure.ID, error) {
	// The tail is read first: what leaves it meanwhile is in the index by then.
	hits := x.tail.search(tenant, q)
	g := x.acquire()
	if g == nil {
		return nil, errClosed
	}
	defer g.release()
	indexed, err := g.candidates(ctx, tenant, q)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err != nil {
		g.failed(err)
		err = fmt.Errorf("search the index: %w", err)
	}
	return best(append(indexed, hits...), limit(q.Limit)), err
}

func (g *generation) candidates(ctx context.Context, tenant string, q Query) (hits []hit, err error) {
	number, ok := g.tenant(tenant)
	if !ok {
		return nil, nil
	}
	defer guard(&err)
	defer faultsPanic()()
	r, err := g.reader()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	p := newPlan(number, q)
	s, err := newSearch(r, number, p)
	if err != nil {
		return nil, err
	}
	for _, a := range p.asked {
		more, err := s.run(ctx, a)
		if err != nil {
			return nil, err
		}
		hits = append(hits, more...)
	}
	return hits, nil
}

// best orders entities by their best score.
func best(hits []hit, limit int) []tenure.ID {
	slices.SortFunc(hits, inOrder)
	seen := make(map[tenure.ID]bool, limit)
	ids := make([]tenure.ID, 0, min(len(hits), limit))
	for _, h := range hits {
		if len(ids) == limit {
			break
		}
		if !seen[h.entity] {
			seen[h.entity] = true
			ids = append(ids, h.entity)
		}
	}
	return ids
}

func inOrder(a, b hit) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.entity, b.entity))
}

// bestHits keeps the first of hits as they are ordered, in no order.
func bestHits(hits []hit, limit int) []hit {
	if len(hits) <= limit {
		return hits
	}
	scores := make([]float64, len(hits))
	for i, h := range hits {
		scores[i] = h.score
	}
	floor := nthLargest(scores, limit)
	return slices.DeleteFunc(hits, func(h hit) bool { return h.score < floor })
}
