package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"tenure"
	"tenure/changefeed"
	"tenure/contain"
	"tenure/store"
)

// ConsumerName is the name of the index as a consumer of the changefeed.
const ConsumerName = "index"

// Config configures an index. The zero value is ready to use.
type Config struct {
	// Logger receives reports of repairs. Default: none.
	Logger *slog.Logger
	// Poll is the interval between checks for a rebuild by another process. Default 1 s.
	Poll time.Duration
	// LockTimeout bounds the wait for another process that has the directory open. Default 1 s.
	LockTimeout time.Duration
	// SeedTimeout bounds the wait for a copy of the index of the first process: see Open. Default 10 s.
	SeedTimeout time.Duration
	// FlushSize bounds the memory of documents that are not on disk yet, in postings of about 75 bytes. FlushAge bounds
	// how long they are not. A process that writes continuously, and does little else, takes more of both: a segment of
	// few documents is merged again and again. Default 400,000 and 10 s.
	FlushSize int
	FlushAge  time.Duration
}

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.Poll = cmp.Or(c.Poll, time.Second)
	c.LockTimeout = cmp.Or(c.LockTimeout, time.Second)
	c.FlushSize, c.FlushAge = cmp.Or(c.FlushSize, flushSize), cmp.Or(c.FlushAge, flushAge)
	c.SeedTimeout = cmp.Or(c.SeedTimeout, 10*time.Second)
	return c
}

// ErrLocked reports that another process holds a lock of the directory.
var ErrLocked = errors.New("another process has it open")

// Feed is what an index needs of the log that it follows. Its functions are called one at a time.
type Feed struct {
	// CatchUp delivers a tenant's log to a consumer, to its end.
	CatchUp func(ctx context.Context, c changefeed.Consumer, tenant string) error
	// View reads an earlier state of a tenant.
	View func(ctx context.Context, tenant string, seq tenure.Seq) (store.Reader, error)
	// Replaced is called when the checkpoints of the index may have gone back, because another one took its place.
	Replaced func()
}

// Index finds candidates. It is a [changefeed.Consumer], and is safe for concurrent use.
type Index struct {
	dir         string
	cfg         Config
	variety     variety
	lock        *flock.Flock // held while the index is open; nil in a rebuild
	checkpoints *Checkpoints
	recent      *recent

	puts  sync.Mutex // held to change or to exchange the generation
	aging aging

	mu   sync.Mutex
	gen  *generation
	feed Feed

	stop context.CancelFunc
	work sync.WaitGroup

	beliefs *Beliefs // nil in that index itself
}

var _ changefeed.Consumer = (*Index)(nil)

// Open opens the index of a directory, which it creates if necessary. Further processes that open it while one has it
// open each get a folder of their own in it, which begins with a copy of the index of the first process (hard links: it
// takes no room on disk and is in memory once) and follows the log by itself. A generation that is missing, damaged or
// of an older format is logged and replaced by an empty one, which the changefeed fills.
//
// The index of beliefs is in a folder of its own, which is opened and closed with it: see [Index.Beliefs].
func Open(dir string, cfg Config) (*Index, error) {
	cfg = cfg.withDefaults()
	x, err := open(dir, entities, cfg)
	if err != nil {
		return nil, err
	}
	of := beliefs()
	held, err := open(filepath.Join(dir, of.folder), of, cfg)
	if err != nil {
		return nil, errors.Join(err, x.Close())
	}
	x.beliefs = &Beliefs{held}
	return x, nil
}

func open(dir string, of variety, cfg Config) (*Index, error) {
	place, lock, err := claim(dir, cfg.LockTimeout)
	if err != nil {
		return nil, fmt.Errorf("open the index in %s: %w", dir, err)
	}
	if place != dir {
		beginWith(dir, place, cfg)
	}
	x := &Index{dir: place, cfg: cfg, variety: of, lock: lock, recent: newRecent(), feed: Feed{
		CatchUp: func(context.Context, changefeed.Consumer, string) error { return nil },
		View: func(context.Context, string, tenure.Seq) (store.Reader, error) {
			return nil, errors.New("index: it follows no log")
		},
		Replaced: func() {},
	}}
	if x.checkpoints, err = openCheckpoints(filepath.Join(place, passedFile)); err == nil {
		x.gen, err = openCurrent(place, of.format, cfg.Logger)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	sweep(place, filepath.Base(x.gen.dir), cfg.Logger)
	ctx, stop := context.WithCancel(context.Background())
	x.stop = stop
	x.work.Go(func() { contain.Keep(ctx, x.panicked, x.watch) })
	return x, nil
}

// panicked reports a panic of the work in the background, which goes on.
func (x *Index) panicked(err error) {
	x.cfg.Logger.Error("the work of the index in the background panicked", "dir", x.dir, "error", err)
}

// passedFile is the name of the file of [Index.Checkpoints].
const passedFile = "PASSED"

// lockRetry is the pause between attempts to take a lock.
const lockRetry = 10 * time.Millisecond

// lockFile locks a file. The operating system frees the lock when the process ends.
func lockFile(file string, timeout time.Duration) (*flock.Flock, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	lock := flock.New(file, flock.SetPermissions(0o600))
	ok, err := lock.TryLockContext(ctx, lockRetry)
	if !ok && errors.Is(err, context.DeadlineExceeded) {
		err = ErrLocked
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

// Close flushes the memtables to disk and stops searches after their current step.
func (x *Index) Close() error {
	if x.beliefs == nil {
		return x.close()
	}
	return errors.Join(x.beliefs.x.close(), x.close())
}

func (x *Index) close() error {
	x.stop()
	x.work.Wait()
	x.puts.Lock()
	defer x.puts.Unlock()
	g := x.exchange(nil)
	if g == nil {
		return nil
	}
	return errors.Join(g.flush(), g.close(), x.checkpoints.save(), x.lock.Unlock())
}

// acquire returns the current generation, which stays open until release, or nil if the index is closed.
func (x *Index) acquire() *generation {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.gen != nil {
		x.gen.refs.Add(1)
	}
	return x.gen
}

func (g *generation) release() { g.refs.Done() }

// exchange installs another generation and waits until its predecessor is no longer in use.
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

// Apply makes what a page changes findable in its new state. It is flushed to disk later: see [Config.FlushSize] and
// FlushAge.
func (x *Index) Apply(ctx context.Context, p changefeed.Page) error {
	entries, err := x.variety.derive(ctx, x, p)
	if err != nil {
		return err
	}
	if err := x.apply(ctx, p.Tenant, entries, p.UpTo()); err != nil {
		return err
	}
	if slices.ContainsFunc(p.Entries, tenure.Entry.Erases) {
		return x.purge(ctx)
	}
	return nil
}

// purge rewrites the files of the index without the documents that were replaced or removed.
func (x *Index) purge(ctx context.Context) error {
	if err := x.change(ctx, (*generation).flush); err != nil {
		return err
	}
	g := x.acquire()
	if g == nil {
		return errClosed
	}
	defer g.release()
	if err := errors.Join(g.partner(), g.mergeAll(ctx)); err != nil {
		return fmt.Errorf("rewrite the index: %w", err)
	}
	return nil
}

func (x *Index) apply(ctx context.Context, tenant string, entries []entry, upTo tenure.Seq) error {
	err := x.change(ctx, func(g *generation) error { return g.apply(tenant, entries, upTo, x.cfg.FlushSize) })
	if err == nil {
		x.recent.passed(tenant, upTo)
	}
	return err
}

// Reset drops everything that the index holds of a tenant; its log is read from the start again.
func (x *Index) Reset(ctx context.Context, tenant string) error {
	err := x.change(ctx, func(g *generation) error { return g.reset(tenant) })
	if err == nil {
		x.recent.forget(tenant)
	}
	return err
}

// flushIfDue flushes entries that have been only in memory for [Config.FlushAge].
func (x *Index) flushIfDue(now time.Time) error {
	return x.change(context.Background(), func(g *generation) error {
		if !x.aging.due(now, g.unflushed(), x.cfg.FlushAge) {
			return nil
		}
		return g.flush()
	})
}

// change changes the generation, one caller at a time.
func (x *Index) change(ctx context.Context, do func(g *generation) error) error {
	x.puts.Lock()
	defer x.puts.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	g := x.acquire()
	if g == nil {
		return errClosed
	}
	err := func() error {
		defer g.release() // also if do panics
		return do(g)
	}()
	if err != nil {
		g.failed(err)
		return fmt.Errorf("change the index: %w", err)
	}
	return nil
}

// Checkpoint returns the sequence number up to which the log of a tenant is findable. It goes back when the
// index was replaced by an empty one.
func (x *Index) Checkpoint(_ context.Context, tenant string) (tenure.Seq, error) {
	g := x.acquire()
	if g == nil {
		return 0, errClosed
	}
	defer g.release()
	s, _ := g.shard(tenant)
	return s.applied, nil
}

// Follow sets the feed of the index.
func (x *Index) Follow(f Feed) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.feed = f
}

func (x *Index) feeding() Feed {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.feed
}

// Checkpoints returns the checkpoints that are kept in the index directory.
func (x *Index) Checkpoints() *Checkpoints { return x.checkpoints }

// Add makes the entities of an entry that this process has written findable until the changefeed delivers the
// entry.
func (x *Index) Add(tenant string, seq tenure.Seq, changes []tenure.Change) {
	g := x.acquire()
	if g == nil {
		return
	}
	defer g.release()
	if s, _ := g.shard(tenant); seq > s.applied {
		x.recent.add(tenant, seq, changes)
	}
}
