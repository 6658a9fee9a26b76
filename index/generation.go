package index

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/bleve/v2"
	blank "github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
	"github.com/blevesearch/bleve/v2/mapping"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"tenure"
	"tenure/cache"
	"tenure/changefeed"
)

// format is the version of the terms of entities. Increment it when the keys change: older generations are then
// rebuilt.
const format = "5"

// variety is what an index holds documents of.
type variety struct {
	// folder is the folder in the directory of the index.
	folder string
	// format is the version of the terms.
	format string
	// derive returns the documents that a page of the log changes.
	derive func(ctx context.Context, x *Index, p changefeed.Page) ([]entry, error)
}

var entities = variety{format: format, derive: entitiesOf}

// Keys of the values that a generation keeps besides its documents.
const (
	formatKey    = "format"
	tenantPrefix = "tenant\x00"
	cursorPrefix = "cursor\x00"
)

var errDead = errors.New("index: the generation has stopped working")

// generation is one Bleve index in a folder of its own. It is used between acquire and release of its
// [Index].
type generation struct {
	dir    string
	index  bleve.Index
	scorch *scorch.Scorch
	refs   sync.WaitGroup

	// suspect requests a check of the files. dead is closed when the generation has become unusable.
	suspect chan struct{}
	dead    chan struct{}
	died    sync.Once

	merging sync.Mutex // Scorch refuses a second merge of all segments

	mu        sync.RWMutex
	shards    map[string]*shard
	unwritten map[string]*shard // those of which a part is only in memory
	next      uint32

	bitmaps *cache.Cache[bitmapKey, *roaring.Bitmap]
	ages    ages
	states  states
	answers *cache.Cache[string, *answer]
}

// shard is a tenant's part of a generation. Applied documents are searched in table until they are flushed
// into segments on disk; unflushed documents are lost with the process and delivered again.
type shard struct {
	number           uint32 // in the terms and the ids of documents
	applied, flushed tenure.Seq
	table            *memtable
}

// asyncErrors routes errors of Bleve's goroutines to their generation, by path.
var asyncErrors = sync.OnceValue(func() *sync.Map {
	var byPath sync.Map
	scorch.RegistryAsyncErrorCallbacks[callbacks] = func(err error, path string) {
		if g, ok := byPath.Load(path); ok {
			g.(*generation).failed(err)
		}
	}
	return &byPath
})

// callbacks is the name under which Bleve knows the callbacks of this package.
const callbacks = "tenure"

// faultsOfBleve has memory faults in Bleve's own goroutines be panics, which Bleve turns into errors: a file that was
// truncated while it is mapped would end the process otherwise. Each goroutine that touches files tells of these events
// before it goes on to the next ones.
var faultsOfBleve = sync.OnceFunc(func() {
	scorch.RegistryEventCallbacks[callbacks] = func(e scorch.Event) bool {
		switch e.Kind {
		case scorch.EventKindPreMergeCheck, scorch.EventKindPurgerCheck, scorch.EventKindPersisterProgress:
			debug.SetPanicOnFault(true)
		}
		return true
	}
})

func (g *generation) failed(err error) {
	if errors.Is(err, scorch.ErrAsyncPanic) {
		g.die()
		return
	}
	select {
	case g.suspect <- struct{}{}:
	default:
	}
}

func (g *generation) die() { g.died.Do(func() { close(g.dead) }) }

// settings returns a configuration that keeps few segments, since a search reads each segment, and makes
// batches wait when merging cannot keep up. A bulk-built generation merges once, at its end.
func settings(bulk bool) map[string]any {
	perMerge, floor, files := 8, 20_000, 40
	if bulk {
		perMerge, floor, files = maxMerge, 5000, 1000
	}
	return map[string]any{
		"bolt_timeout":           "1s",
		"asyncErrorCallbackName": callbacks,
		"eventCallbackName":      callbacks,
		"scorchPersisterOptions": map[string]any{"PersisterNapUnderNumFiles": files},
		"scorchMergePlanOptions": map[string]any{
			"MaxSegmentsPerTier": perMerge, "SegmentsPerMergeTask": perMerge, "FloorSegmentSize": floor,
		},
	}
}

// maxMerge bounds the segments that a bulk-built generation merges in one step.
const maxMerge = 200

// mergeAll merges all segments into one.
func (g *generation) mergeAll(ctx context.Context) error {
	g.merging.Lock()
	defer g.merging.Unlock()
	o := mergeplan.SingleSegmentMergePlanOptions
	o.SegmentsPerMergeTask = maxMerge
	return g.scorch.ForceMerge(ctx, &o)
}

// partnerID is the id of the document of no tenant.
var partnerID = documentID(0, "")

// partner gives a segment that is the only one something to be merged with: alone it is not written anew, and keeps the
// terms of the documents that were deleted from it. It is a document of no tenant, without terms.
func (g *generation) partner() error {
	r, err := g.reader()
	if err != nil {
		return err
	}
	alone := len(r.Segments()) == 1
	if err := r.Close(); err != nil || !alone {
		return err
	}
	b := g.index.NewBatch()
	if err := b.IndexAdvanced(blank.NewDocument(partnerID)); err != nil {
		return err
	}
	return g.commit(b)
}

func createGeneration(dir, format string, bulk bool) (*generation, error) {
	m := mapping.NewIndexMapping()
	m.DefaultMapping = mapping.NewDocumentDisabledMapping() // documents are analyzed by this package
	m.StoreDynamic, m.IndexDynamic, m.DocValuesDynamic = false, false, false
	g := newGeneration(dir)
	b, err := bleve.NewUsing(dir, m, scorch.Name, scorch.Name, settings(bulk))
	if err != nil {
		return nil, fmt.Errorf("make an index in %s: %w", dir, err)
	}
	g.use(b)
	if err := g.index.SetInternal([]byte(formatKey), []byte(format)); err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

// openGeneration opens an existing generation and verifies it.
func openGeneration(dir, format string) (g *generation, err error) {
	defer guard(&err)
	defer faultsPanic()()
	g = newGeneration(dir)
	b, err := bleve.OpenUsing(dir, settings(false))
	if err != nil {
		return nil, fmt.Errorf("open the index in %s: %w", dir, err)
	}
	g.use(b)
	if err := errors.Join(g.load(format), g.verify()); err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

func newGeneration(dir string) *generation {
	g := &generation{
		dir: dir, suspect: make(chan struct{}, 1), dead: make(chan struct{}),
		shards: map[string]*shard{}, unwritten: map[string]*shard{}, next: 1,
		bitmaps: cache.New[bitmapKey, *roaring.Bitmap](bitmapBytes), answers: newAnswers(),
	}
	asyncErrors().Store(g.store(), g)
	faultsOfBleve()
	return g
}

func (g *generation) use(b bleve.Index) {
	g.index = b
	advanced, _ := b.Advanced() // always returns a nil error
	g.scorch = advanced.(*scorch.Scorch)
}

// store returns the folder in which scorch keeps its files.
func (g *generation) store() string { return g.dir + string(os.PathSeparator) + "store" }

// load reads the values kept besides the documents.
func (g *generation) load(format string) error {
	r, err := g.reader()
	if err != nil {
		return err
	}
	internal := r.Internal()
	if f := string(internal[formatKey]); f != format {
		err = fmt.Errorf("the index in %s has format %q, not %q", g.dir, f, format)
	}
	for k, v := range internal {
		name, ok := strings.CutPrefix(k, tenantPrefix)
		cursor := internal[cursorPrefix+name]
		if !ok || len(v) != 4 || len(cursor) != 8 {
			continue
		}
		n, seq := binary.BigEndian.Uint32(v), tenure.Seq(binary.BigEndian.Uint64(cursor))
		g.shards[name] = &shard{number: n, applied: seq, flushed: seq, table: newMemtable()}
		g.next = max(g.next, n+1)
	}
	return errors.Join(err, r.Close())
}

func (g *generation) reader() (*scorch.IndexSnapshot, error) {
	r, err := g.scorch.Reader()
	if err != nil {
		return nil, err
	}
	return r.(*scorch.IndexSnapshot), nil
}

// shard returns a copy of a tenant's shard.
func (g *generation) shard(tenant string) (s shard, ok bool) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	if held := g.shards[tenant]; held != nil {
		return *held, true
	}
	return shard{}, false
}

// commit applies a batch, and returns when it is on disk or the generation is dead.
func (g *generation) commit(b *bleve.Batch) error {
	done := make(chan error, 1)
	go func() {
		var err error
		defer func() { done <- err }()
		defer guard(&err)
		defer faultsPanic()()
		err = g.index.Batch(b)
	}()
	select {
	case err := <-done:
		return err
	case <-g.dead:
		return errDead
	}
}

// abandoning bounds how long the files of a dead generation may take to be closed.
const abandoning = time.Second

// close closes the files. A panic may have left locks of Bleve held for ever, so a dead generation that cannot be
// closed is left as it is: what it has open stays so until the process ends.
func (g *generation) close() error {
	asyncErrors().Delete(g.store())
	select {
	case <-g.dead:
	default:
		return g.index.Close()
	}
	closed := make(chan error, 1)
	go func() {
		var err error
		defer func() { closed <- err }()
		defer guard(&err)
		defer faultsPanic()()
		err = g.index.Close()
	}()
	select {
	case err := <-closed:
		return err
	case <-time.After(abandoning):
		return errors.New("index: it has stopped working and cannot be closed")
	}
}

// guard turns a panic into an error, including a fault in a memory-mapped file that was truncated. It must be
// deferred.
func guard(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("index: %v", r)
	}
}

// faultsPanic turns memory faults of this goroutine into panics, for guard: defer faultsPanic()().
func faultsPanic() func() {
	before := debug.SetPanicOnFault(true)
	return func() { debug.SetPanicOnFault(before) }
}

// verify reads all segments and compares their checksums.
func (g *generation) verify() error {
	if _, err := os.Stat(filepath.Join(g.store(), "root.bolt")); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	r, err := g.reader()
	if err != nil {
		return err
	}
	for _, s := range r.Segments() {
		if p, ok := s.Segment().(segment.PersistedSegment); ok && err == nil {
			err = verifySegment(p.Path())
		}
	}
	return errors.Join(err, r.Close())
}

// verifySegment compares the checksum at the end of a segment with its content. A missing file is no error:
// it was merged into another segment.
func verifySegment(file string) error {
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	sum, rest := crc32.NewIEEE(), info.Size()-crc32.Size
	if rest <= 0 {
		return fmt.Errorf("%s is cut short", file)
	}
	if _, err := io.CopyN(sum, f, rest); err != nil {
		return err
	}
	var want [crc32.Size]byte
	if _, err := io.ReadFull(f, want[:]); err != nil {
		return err
	}
	if binary.BigEndian.Uint32(want[:]) != sum.Sum32() {
		return fmt.Errorf("%s is damaged", file)
	}
	return nil
}
