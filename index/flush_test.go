package index_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/index"
	"tenure/internal/names"

	"tenure/similarity"
)

// onDisk checks the sequence number up to which a tenant's log is on disk.
func onDisk(t *testing.T, when string, x *index.Index, want tenure.Seq) {
	t.Helper()
	if got := x.OnDisk("t"); got != want {
		t.Fatalf("%s, the disk stands at %d, not %d", when, got, want)
	}
}

func finds(t *testing.T, when string, x *index.Index, name string, want ...tenure.ID) {
	t.Helper()
	if diff := cmp.Diff(append([]tenure.ID{}, want...), candidates(t, x, "t", byName(name))); diff != "" {
		t.Errorf("%s: %s", when, diff)
	}
}

func TestFlushBySize(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{Poll: time.Hour})
	namer, seq := names.New(1), tenure.Seq(0)
	for before := 0; ; before = x.Postings() {
		seq++
		large := named(int(seq))
		for range 200 {
			large.Names = append(large.Names, namer.Name())
		}
		put(t, x, "t", seq, large)
		if n := x.Postings(); n >= index.FlushSize {
			t.Fatalf("%d postings are in memory", n)
		} else if n < before {
			break
		}
		onDisk(t, "before there is much", x, 0)
		if seq > 1000 {
			t.Fatal("it is never flushed")
		}
	}
	onDisk(t, "once there is much", x, seq)
}

func TestFlushByTime(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{Poll: time.Hour})
	now := time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)
	tick := func(after time.Duration) {
		t.Helper()
		now = now.Add(after)
		if err := x.FlushIfDue(now); err != nil {
			t.Fatal(err)
		}
	}
	put(t, x, "t", 1, named(1, "John Smith"))
	for range 100 {
		tick(index.FlushAge)
	}
	onDisk(t, "a single write, however old", x, 0)
	finds(t, "while it is in memory alone", x, "Jon Smith", id(1))
	put(t, x, "t", index.FlushLeast, named(2, "Peter Jones"))
	tick(0)
	onDisk(t, "with many, the first of them long ago", x, index.FlushLeast)
	put(t, x, "t", 3*index.FlushLeast, named(3, "Maria Gonzalez"))
	tick(index.FlushAge)
	onDisk(t, "with many that nobody has noticed before", x, index.FlushLeast)
	tick(index.FlushAge - 1)
	onDisk(t, "a moment before the time", x, index.FlushLeast)
	tick(1)
	onDisk(t, "when it is time", x, 3*index.FlushLeast)
	finds(t, "when it is on disk", x, "Maria Gonzales", id(3))
}

func TestALargePageGoesToDiskAtOnce(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{Poll: time.Hour})
	put(t, x, "t", 1, named(1, "John Smith"), named(2, "Peter Jones"))
	var docs []index.Document
	for i := range index.FlushDirect {
		docs = append(docs, named(10+i, fmt.Sprintf("Member%s", spelled(i))))
	}
	put(t, x, "t", 2, append(docs, named(2, "Maria Gonzalez"))...)
	onDisk(t, "a large page", x, 2)
	finds(t, "what was in memory before", x, "Jon Smith", id(1))
	finds(t, "what the page says anew", x, "Maria Gonzales", id(2))
	finds(t, "what was before", x, "Petr Jones")
}

func TestCloseFlushes(t *testing.T) {
	dir := t.TempDir()
	x := open(t, dir, index.Config{Poll: time.Hour})
	put(t, x, "t", 7, named(1, "John Smith"))
	onDisk(t, "before", x, 0)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	x = open(t, dir, index.Config{})
	onDisk(t, "after", x, 7)
	finds(t, "after", x, "Jon Smith", id(1))
}

// A crash leaves what is on disk at that moment, without the lock.
func TestACrashLosesNothing(t *testing.T) {
	w, dir, left := newWorld(t), t.TempDir(), t.TempDir()
	x := open(t, dir, index.Config{Poll: time.Hour})
	for i := range 10 {
		w.met(t, "t", i, fmt.Sprintf("Name Number%s", spelled(i)))
	}
	catchUp(t, w, x, "t")
	if err := x.Flush(); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		w.met(t, "t", 10+i, fmt.Sprintf("Name Number%s", spelled(10+i)))
	}
	catchUp(t, w, x, "t")
	if at := checkpoint(t, x, "t"); at != 20 {
		t.Fatalf("it stands at %d", at)
	}
	if err := os.CopyFS(filepath.Join(left, "index"), os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	x = open(t, filepath.Join(left, "index"), index.Config{})
	if at := checkpoint(t, x, "t"); at != 10 {
		t.Errorf("after the crash it stands at %d", at)
	}
	catchUp(t, w, x, "t")
	for i := range 20 {
		name := fmt.Sprintf("Name Number%s", spelled(i))
		if ids := candidates(t, x, "t", byName(name)); len(ids) == 0 || ids[0] != id(i) {
			t.Errorf("%s finds %v", name, ids)
		}
	}
}

// An answer does not depend on whether documents are in memory or in segments.
func TestFlushesChangeNoAnswer(t *testing.T) {
	rnd, namer := rand.New(rand.NewPCG(5, 1)), names.New(5)
	open := func() *index.Index { return open(t, t.TempDir(), index.Config{Poll: time.Hour}) }
	memory, disk, both := open(), open(), open()
	flush := func(x *index.Index) {
		if err := x.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	var called []string
	for seq := tenure.Seq(1); seq <= 60; seq++ {
		var docs []index.Document
		for range 1 + rnd.IntN(5) {
			d := named(rnd.IntN(120), namer.Name()) // some entities again, under other names
			d.Type = []string{"person", "organisation"}[rnd.IntN(2)]
			d.Project = []string{"", "", "p"}[rnd.IntN(3)]
			called, docs = append(called, d.Names[0]), append(docs, d)
		}
		gone := []tenure.ID{id(rnd.IntN(120)), id(rnd.IntN(200))}
		for _, x := range []*index.Index{memory, disk, both} {
			put(t, x, "t", seq, docs...)
		}
		if seq%5 == 0 {
			for _, x := range []*index.Index{memory, disk, both} {
				if err := x.Put(t.Context(), "t", nil, gone, seq); err != nil {
					t.Fatal(err)
				}
			}
		}
		if flush(disk); seq%7 == 0 {
			flush(both)
		}
	}
	onDisk(t, "what is in memory", memory, 0)
	for _, name := range called {
		for _, q := range []index.Query{
			{Names: []string{name}}, {Names: []string{names.Mistyped(rnd, name, 1)}, Types: []string{"person"}},
			{Names: []string{names.Mistyped(rnd, name, 2)}, Project: "p", Limit: 5},
		} {
			want := candidates(t, disk, "t", q)
			if diff := cmp.Diff(want, candidates(t, memory, "t", q)); diff != "" {
				t.Fatalf("%v, in memory: %s", q, diff)
			}
			if diff := cmp.Diff(want, candidates(t, both, "t", q)); diff != "" {
				t.Fatalf("%v, in both: %s", q, diff)
			}
		}
	}
}

// Recent entries are found by every key that finds them once they are indexed.
func TestRecentIsFoundByNGrams(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{})
	put(t, x, "t", 1, named(2, "Peter Jones"))
	x.Add("t", 2, written(1, "Yusif Al-Kasimi"))
	finds(t, "spelt otherwise in each word", x, "Joussef Qasymi", id(1))
}

func TestAnEntityIsFoundOnce(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{})
	put(t, x, "t", 1, named(1, "John Smith"))
	if err := x.Flush(); err != nil {
		t.Fatal(err)
	}
	put(t, x, "t", 2, named(1, "John Smith", "Johnny Smith"), named(2, "Jon Smith"))
	x.Add("t", 3, written(1, "John Smith"))
	x.Add("t", 4, written(1, "John Smith"))
	q := index.Query{Names: []string{"John Smith"}, Limit: 2}
	if diff := cmp.Diff([]tenure.ID{id(1), id(2)}, candidates(t, x, "t", q)); diff != "" {
		t.Error(diff)
	}
}

func TestRecentIsBounded(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{})
	x.Add("t", 1, written(0, "John Smith"))
	name := []tenure.Change{tenure.AliasAdded{
		Alias: tenure.Alias{Key: similarity.NameAliasKey("Bo"), Entity: id(1), Type: "person", Spelling: "Bo"},
	}}
	for i := range index.MaxRecent - 1 {
		x.Add("t", tenure.Seq(2+i), name)
	}
	finds(t, "as many as are remembered", x, "Jon Smith", id(0))
	x.Add("t", index.MaxRecent+1, written(2, "Maria Gonzalez"))
	finds(t, "the oldest, with one more", x, "Jon Smith")
	finds(t, "the newest", x, "Maria Gonzales", id(2))
}
