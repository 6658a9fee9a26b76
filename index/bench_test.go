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
	"strings"
	"syscall"
	"testing"
	"time"

	"tenure"
	"tenure/index"
	"tenure/store"
)

// Names of people and companies in the proportions of real registers: few first
// names and company words are common, many surnames are rare (Zipf).
type namer struct {
	rnd                  *rand.Rand
	first, last, word    []string
	firstZ, lastZ, wordZ *rand.Zipf
}

func newNamer(n uint64) *namer {
	rnd := rand.New(rand.NewPCG(n, 1))
	x := &namer{rnd: rnd, first: words(rnd, 5_000), last: words(rnd, 120_000), word: words(rnd, 30_000)}
	x.firstZ = rand.NewZipf(rnd, 1.1, 20, uint64(len(x.first)-1))
	x.lastZ = rand.NewZipf(rnd, 1.05, 50, uint64(len(x.last)-1))
	x.wordZ = rand.NewZipf(rnd, 1.1, 10, uint64(len(x.word)-1))
	return x
}

// words are made of syllables, four to eleven letters long.
func words(rnd *rand.Rand, n int) []string {
	const consonants, vowels = "bcdfghjklmnprstvwz", "aeiou"
	seen := map[string]bool{}
	list := make([]string, 0, n)
	for len(list) < n {
		var b strings.Builder
		for range 2 + rnd.IntN(3) {
			b.WriteByte(consonants[rnd.IntN(len(consonants))])
			b.WriteByte(vowels[rnd.IntN(len(vowels))])
			if rnd.IntN(3) == 0 {
				b.WriteByte(consonants[rnd.IntN(len(consonants))])
			}
		}
		if w := b.String(); !seen[w] {
			seen[w] = true
			list = append(list, w)
		}
	}
	return list
}

func (x *namer) name() string {
	switch x.rnd.IntN(10) {
	case 0, 1: // a company of two to four words
		parts := make([]string, 2+x.rnd.IntN(3))
		for i := range parts {
			parts[i] = x.word[x.wordZ.Uint64()]
		}
		return strings.Join(parts, " ")
	case 2, 3: // with a middle name
		return x.first[x.firstZ.Uint64()] + " " + x.first[x.firstZ.Uint64()] + " " + x.last[x.lastZ.Uint64()]
	default:
		return x.first[x.firstZ.Uint64()] + " " + x.last[x.lastZ.Uint64()]
	}
}

// mistype changes one letter of one word: leaves it out, doubles it, exchanges
// it or swaps it with the next.
func mistype(rnd *rand.Rand, w string) string {
	i := rnd.IntN(len(w) - 1)
	letter := string(rune('a' + rnd.IntN(26)))
	switch rnd.IntN(4) {
	case 0:
		return w[:i] + w[i+1:]
	case 1:
		return w[:i] + letter + w[i:]
	case 2:
		return w[:i] + letter + w[i+1:]
	default:
		return w[:i] + w[i+1:i+2] + w[i:i+1] + w[i+2:]
	}
}

func mistyped(rnd *rand.Rand, name string, typos int) string {
	words := strings.Fields(name)
	for _, i := range rnd.Perm(len(words))[:typos] {
		words[i] = mistype(rnd, words[i])
	}
	return strings.Join(words, " ")
}

// register is a store of so many entities, one made by each entry.
type register struct {
	store.Store
	store.Reader
	names []string
}

func (r register) Credentials(context.Context, string) ([]tenure.Credential, error) {
	return []tenure.Credential{{Tenant: "t"}}, nil
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

func (r register) OwnedBy(_ context.Context, ids []tenure.ID) ([]tenure.Owner, error) {
	list := make([]tenure.Owner, len(ids))
	for i, id := range ids {
		list[i] = tenure.Owner{Form: tenure.Form{Kind: tenure.NameKind}, Entity: id, Spelling: r.names[r.number(id)]}
	}
	return list, nil
}

// BenchmarkIndex builds an index of TENURE_BENCH_NAMES names (100,000 if it is
// not set), searches it for names with no, one and two letters wrong, and adds
// to it.
func BenchmarkIndex(b *testing.B) {
	n := 100_000
	if s := os.Getenv("TENURE_BENCH_NAMES"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			b.Fatal(err)
		}
	}
	namer := newNamer(7)
	names := make([]string, n)
	for i := range names {
		names[i] = namer.name()
	}
	dir := b.TempDir()
	b.Run(fmt.Sprintf("rebuild-%d", n), func(b *testing.B) {
		b.N = 1 //nolint:staticcheck // once is long enough, whatever -benchtime says
		before := processorSeconds(b)
		if err := index.Rebuild(b.Context(), dir, register{names: names}, index.Config{}); err != nil {
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
				searchAll(b, x, names, typos, types)
				b.ReportMetric(residentMB(b)-resident, "MB-more-resident")
				b.ReportMetric(float64(diskSize(b, dir))/1e6, "MB-disk")
			})
		}
	}
	b.Run("put-500", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			docs := make([]index.Document, 500)
			for j := range docs {
				docs[j] = named(n+i*len(docs)+j, namer.name())
			}
			if err := x.Put(b.Context(), "t", docs, nil, tenure.Seq(n+i)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(500*float64(b.N)/b.Elapsed().Seconds(), "docs/s")
	})
	b.Run("search-after-puts", func(b *testing.B) { searchAll(b, x, names, 1, nil) })
}

// processorSeconds is what this process has computed for.
func processorSeconds(b *testing.B) float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func searchAll(b *testing.B, x *index.Index, names []string, typos int, types []string) {
	rnd := rand.New(rand.NewPCG(3, uint64(typos)))
	var took []time.Duration
	hits, asked := 0, 0
	for b.Loop() {
		i := rnd.IntN(len(names)/2) * 2
		q := index.Query{Names: []string{mistyped(rnd, names[i], typos)}, Types: types, Limit: 50}
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
			b.Logf("missed %q by %q", names[i], q.Names[0])
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
		if info, err := e.Info(); err == nil { // else it was merged away
			size += info.Size()
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return size
}

// residentMB is read where the system tells it.
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
