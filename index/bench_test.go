package index_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"tenure"
	"tenure/index"
	"tenure/internal/names"
	"tenure/store"
)

// register is a store of a given number of entities, one for each entry.
type register struct {
	store.Store
	store.Reader
	names []string
}

func (r register) Grown(context.Context, store.Mark) ([]store.LogEnd, store.Mark, error) {
	return []store.LogEnd{{Tenant: "t", Seq: tenure.Seq(len(r.names))}}, store.Mark{}, nil
}

func (r register) View(context.Context, string, tenure.AsOf) (store.Reader, error) { return r, nil }

func (r register) State() (tenure.Seq, tenure.Instant) { return tenure.Seq(len(r.names)), 0 }

func (r register) Log(_ context.Context, _ string, after tenure.Seq, limit int) ([]tenure.Entry, error) {
	var list []tenure.Entry
	for i := int(after); i < min(len(r.names), int(after)+limit); i++ {
		list = append(list, tenure.Entry{Seq: tenure.Seq(i + 1), Changes: []tenure.EntryChange{{Kind: "entity_put", Entity: id(i)}}})
	}
	return list, nil
}

func (r register) IdentityDecisionsOn(context.Context, []tenure.ID) ([]tenure.IdentityDecision, error) {
	return nil, nil
}

func (r register) Beliefs(context.Context, []tenure.ID) ([]tenure.Belief, error) { return nil, nil }

func (r register) Referring(context.Context, []tenure.ID) ([]tenure.Belief, error) { return nil, nil }

func (r register) List(context.Context, store.BeliefQuery) ([]tenure.Belief, error) { return nil, nil }

func (r register) Terms(context.Context, []string) ([]tenure.Term, error) { return nil, nil }

func (r register) number(id tenure.ID) int {
	n, err := strconv.Atoi(string(id[24:]))
	if err != nil {
		panic(err)
	}
	return n
}

func (r register) Entities(_ context.Context, ids []tenure.ID) ([]tenure.Entity, error) {
	list := make([]tenure.Entity, len(ids))
	for i, id := range ids {
		list[i] = tenure.Entity{ID: id, Type: []string{"person", "organisation"}[r.number(id)%2]}
	}
	return list, nil
}

func (r register) AliasesOf(_ context.Context, ids []tenure.ID) ([]tenure.Alias, error) {
	list := make([]tenure.Alias, len(ids))
	for i, id := range ids {
		list[i] = tenure.Alias{Key: tenure.AliasKey{Kind: tenure.NameAlias}, Entity: id, Spelling: r.names[r.number(id)]}
	}
	return list, nil
}

// BenchmarkIndex builds an index of TENURE_BENCH_NAMES names (default 100,000), searches it for names with
// zero, one and two wrong letters and for unknown names, and adds to it.
func BenchmarkIndex(b *testing.B) {
	n := 100_000
	if s := os.Getenv("TENURE_BENCH_NAMES"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			b.Fatal(err)
		}
	}
	namer := names.New(7)
	list := make([]string, n)
	for i := range list {
		list[i] = namer.Name()
	}
	dir := b.TempDir()
	b.Run(fmt.Sprintf("rebuild-%d", n), func(b *testing.B) {
		b.N = 1 //nolint:staticcheck // once is long enough, whatever -benchtime says
		before := processorSeconds(b)
		if err := index.Rebuild(b.Context(), dir, register{names: list}, index.Config{}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(processorSeconds(b)-before, "cpu-s")
	})
	x, err := index.Open(dir, index.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = x.Close() }()
	runtime.GC()
	debug.FreeOSMemory()
	resident := residentMB(b)
	for typos := range 3 {
		for _, types := range [][]string{nil, {"person", "agent"}} {
			b.Run(fmt.Sprintf("search-%d-typos-%d-types", typos, len(types)), func(b *testing.B) {
				searchAll(b, x, list, typos, types)
				b.ReportMetric(residentMB(b)-resident, "MB-more-resident")
				b.ReportMetric(float64(diskSize(b, dir))/1e6, "MB-disk")
			})
		}
	}
	b.Run("search-new", func(b *testing.B) {
		before := processorSeconds(b)
		for b.Loop() {
			if _, err := x.Candidates(b.Context(), "t", index.Query{Names: []string{namer.Name()}}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(1e3*(processorSeconds(b)-before)/float64(b.N), "cpu-ms/op")
	})
	b.Run("put-500", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			docs := make([]index.Document, 500)
			for j := range docs {
				docs[j] = named(n+i*len(docs)+j, namer.Name())
			}
			if err := x.Put(b.Context(), "t", docs, nil, tenure.Seq(n+i)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(500*float64(b.N)/b.Elapsed().Seconds(), "docs/s")
	})
	b.Run("add-and-search", func(b *testing.B) { addAndSearch(b, x, namer, n) })
	b.Run("search-after-puts", func(b *testing.B) { searchAll(b, x, list, 1, nil) })
}

// addAndSearch adds one entity after the other, and searches for the name of each before, as single writes do.
func addAndSearch(b *testing.B, x *index.Index, namer *names.Namer, n int) {
	for i := 0; b.Loop(); i++ {
		name, at := fmt.Sprintf("%s O%d", namer.Name(), i), 10*n+i
		if _, err := x.Candidates(b.Context(), "t", index.Query{Names: []string{name}, Limit: 50}); err != nil {
			b.Fatal(err)
		}
		x.Add("t", tenure.Seq(at), []tenure.Change{
			tenure.EntityPut{Entity: tenure.Entity{ID: id(at), Type: "person", Status: tenure.EntityCanonical, Name: name}},
			tenure.AliasAdded{Alias: tenure.Alias{Key: tenure.AliasKey{Kind: tenure.NameAlias}, Entity: id(at), Spelling: name}},
		})
	}
}

// processorSeconds returns the processor time used by this process.
func processorSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func searchAll(b *testing.B, x *index.Index, list []string, typos int, types []string) {
	rnd := rand.New(rand.NewPCG(3, uint64(typos)))
	var took []time.Duration
	hits, asked := 0, 0
	for b.Loop() {
		i := rnd.IntN(len(list)/2) * 2
		q := index.Query{Names: []string{names.Mistyped(rnd, list[i], typos)}, Types: types, Limit: 50}
		begin := time.Now()
		ids, err := x.Candidates(b.Context(), "t", q)
		took = append(took, time.Since(begin))
		if err != nil {
			b.Fatal(err)
		}
		asked++
		if slices.Contains(ids, id(i)) {
			hits++
		} else if os.Getenv("TENURE_BENCH_MISSES") != "" {
			b.Logf("missed %q by %q", list[i], q.Names[0])
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds()), "us-p50")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "us-p99")
	b.ReportMetric(float64(hits)/float64(asked), "recall@50")
}

func diskSize(b *testing.B, dir string) (size int64) {
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if e == nil || e.IsDir() {
			return err
		}
		if info, err := e.Info(); err == nil { // a missing file was merged into another
			size += info.Size()
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return size
}

// residentMB returns the resident memory, on systems that report it.
func residentMB(b *testing.B) float64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, resident float64
	if _, err := fmt.Sscan(string(text), &size, &resident); err != nil {
		b.Fatal(err)
	}
	return resident * float64(os.Getpagesize()) / 1e6
}
