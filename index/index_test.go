package index_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"tenure"
	"tenure/audience"
	"tenure/index"

	"tenure/similarity"
)

func id(n int) tenure.ID { return tenure.ID(fmt.Sprintf("00000000-0000-7000-8000-%012d", n)) }

func named(n int, names ...string) index.Document {
	return index.Document{Entity: id(n), Type: "person", Names: names}
}

func open(t *testing.T, dir string, cfg index.Config) *index.Index {
	t.Helper()
	x, err := index.Open(dir, cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	return x
}

func put(t *testing.T, x *index.Index, tenant string, upTo tenure.Seq, docs ...index.Document) {
	t.Helper()
	if err := x.Put(t.Context(), tenant, docs, nil, upTo); err != nil {
		t.Fatal(err)
	}
}

func candidates(t *testing.T, x *index.Index, tenant string, q index.Query) []tenure.ID {
	t.Helper()
	ids, err := x.Candidates(t.Context(), tenant, q)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func checkpoint(t *testing.T, x *index.Index, tenant string) tenure.Seq {
	t.Helper()
	seq, err := x.Checkpoint(t.Context(), tenant)
	if err != nil {
		t.Fatal(err)
	}
	return seq
}

func byName(names ...string) index.Query { return index.Query{Names: names} }

func TestCandidates(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{})
	put(t, x, "t", 1,
		named(1, "Jonathan Whitfield"), named(2, "Maria Gonzalez", "Maria G."), named(3, "Nova"),
		index.Document{Entity: id(4), Type: "organisation", Names: []string{"International Business Machines"}},
		named(5, "Иван Петров"), named(6, "John Smith"), named(7, "Peter Smith"), named(8, "Smith Jones Partners"),
		index.Document{Entity: id(9), Type: "person", Project: "p1", Names: []string{"Ada Quill"}},
		index.Document{Entity: id(10), Type: "person", Names: []string{"A. Q."}, Identifiers: []tenure.AliasKey{{Kind: "email", Key: "ada@x.example"}}},
		named(11, "Facebook"), named(12, "Yusif Al-Kasimi"),
	)
	for _, c := range []struct {
		name string
		q    index.Query
		want tenure.ID // first candidate; "" for none
	}{
		{"the-name-itself", byName("Jonathan Whitfield"), id(1)},
		{"one-letter-wrong", byName("Jonathan Whitfeld"), id(1)},
		{"one-letter-wrong-in-each-word", byName("Jonatan Whitfieild"), id(1)},
		{"several-letters-wrong-in-each-word", byName("Jomatham Vhitfielt"), id(1)},
		{"transliterated-otherwise-in-each-word", byName("Joussef Qasymi"), id(12)},
		{"the-words-in-another-order", byName("Whitfield, Jonathan"), id(1)},
		{"an-alias", byName("Maria G"), id(2)},
		{"no-marks", byName("María González"), id(2)},
		{"one-word", byName("Nvoa"), id(3)},
		{"acronym", byName("I.B.M."), id(4)},
		{"transliterated", byName("Ivan Petrov"), id(5)},
		{"an-initial", byName("J. Smith"), id(6)},
		{"by-any-of-the-names", byName("Unheard Of", "Petre Smith"), id(7)},
		{"written-as-two", byName("Face Book"), id(11)},
		{"by-an-identifier", index.Query{Names: []string{"Nobody Known"}, Identifiers: []tenure.AliasKey{{Kind: "email", Key: "ada@x.example"}}}, id(10)},
		{"in-its-project", index.Query{Names: []string{"Ada Quill"}, Project: "p1"}, id(9)},
		{"of-a-type", index.Query{Names: []string{"Jonathan Whitfield"}, Types: []string{"agent", "person"}}, id(1)},
		{"not-of-another-type", index.Query{Names: []string{"Jonathan Whitfield"}, Types: []string{"organisation"}}, ""},
		{"nobody-by-no-name", byName("", "…"), ""},
		{"nobody-by-nothing", index.Query{}, ""},
		{"nobody-by-a-stranger", byName("Zzyzx Qwrk"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ids := candidates(t, x, "t", c.q)
			if c.want == "" && len(ids) > 0 || c.want != "" && (len(ids) == 0 || ids[0] != c.want) {
				t.Errorf("got %v, want %q first", ids, c.want)
			}
		})
	}
	t.Run("not-in-another-project", func(t *testing.T) {
		for _, project := range []string{"", "p2"} {
			if ids := candidates(t, x, "t", index.Query{Names: []string{"Ada Quill"}, Project: project}); slices.Contains(ids, id(9)) {
				t.Errorf("project %q sees %v", project, ids)
			}
		}
	})
	t.Run("at-most-the-limit", func(t *testing.T) {
		if ids := candidates(t, x, "t", index.Query{Names: []string{"Smith"}, Limit: 2}); len(ids) != 2 {
			t.Errorf("got %v", ids)
		}
	})
}

func TestTenantsAreApart(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{})
	put(t, x, "a", 7, named(1, "John Smith"))
	put(t, x, "b", 9, named(1, "Peter Jones"), named(2, "John Smith"))
	for tenant, want := range map[string][]tenure.ID{"a": {id(1)}, "b": {id(2)}, "c": {}} {
		if diff := cmp.Diff(want, candidates(t, x, tenant, byName("John Smith"))); diff != "" {
			t.Errorf("tenant %s: %s", tenant, diff)
		}
	}
	if err := x.Put(t.Context(), "a", nil, []tenure.ID{id(1), id(2)}, 8); err != nil {
		t.Fatal(err)
	}
	if ids := candidates(t, x, "a", byName("John Smith")); len(ids) > 0 {
		t.Errorf("found after its removal: %v", ids)
	}
	if ids := candidates(t, x, "b", byName("John Smith")); len(ids) != 1 {
		t.Errorf("removed by another tenant: %v", ids)
	}
	if err := x.Reset(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if ids := candidates(t, x, "b", byName("John Smith")); len(ids) > 0 {
		t.Errorf("found after a reset: %v", ids)
	}
	if a, b := checkpoint(t, x, "a"), checkpoint(t, x, "b"); a != 8 || b != 0 {
		t.Errorf("checkpoints %d and %d", a, b)
	}
}

func TestFloodOfAnotherTypeHidesNobody(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{})
	var flood []index.Document
	for i := range 30_000 {
		flood = append(flood, index.Document{Entity: id(1000 + i), Type: "document", Names: []string{"John Smith", "Nova"}})
	}
	put(t, x, "t", 1, flood...)
	put(t, x, "t", 2, named(1, "Jon Smith"), named(2, "Nova"))
	for _, c := range []struct {
		name string
		want tenure.ID
	}{{"John Smith", id(1)}, {"Jon Smyth", id(1)}, {"Nova", id(2)}, {"Nvoa", id(2)}} {
		q := index.Query{Names: []string{c.name}, Types: []string{"person"}, Limit: 5}
		if diff := cmp.Diff([]tenure.ID{c.want}, candidates(t, x, "t", q)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	if ids := candidates(t, x, "t", byName("John Smith")); len(ids) != 50 {
		t.Errorf("%d of the flood are found, want 50", len(ids))
	}
}

// TestHiddenDocumentsChangeNoAnswer checks that who sees some documents finds the same of them, in the same order, whether
// there are others or not, in whatever order they came and wherever they are held.
func TestHiddenDocumentsChangeNoAnswer(t *testing.T) {
	const people = 60
	visible := func(n int) index.Document { return named(n, []string{"Jon Smith", "John Smith", "Jonathan Smit"}[n%3]) }
	alone, among := open(t, t.TempDir(), index.Config{}), open(t, t.TempDir(), index.Config{})
	rnd := rand.New(rand.NewPCG(1, 2))
	seq := tenure.Seq(0)
	for n := range people {
		put(t, alone, "t", tenure.Seq(n+1), visible(n))
		for _, d := range []index.Document{visible(n), named(1000+n, "Jon Smith"), visible(rnd.IntN(n + 1))} {
			if d.Entity > id(999) {
				d.Label = tenure.Label{Classification: tenure.Confidential}
			}
			seq++
			put(t, among, "t", seq, d)
		}
		if n%16 == 7 {
			if err := among.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, alike := range []bool{false, true} {
		for _, name := range []string{"Jon Smith", "John Smith", "Jonatan Smyth", "Jno Smiht", "Smith"} {
			q := index.Query{Names: []string{name}, Limit: 12, Seen: audience.BoundsOf(tenure.Label{}), Alike: alike}
			want := candidates(t, alone, "t", q)
			if diff := cmp.Diff(want, candidates(t, among, "t", q)); diff != "" || len(want) != q.Limit {
				t.Errorf("%s: %d candidates, among others (-want +got):\n%s", name, len(want), diff)
			}
		}
	}
}

func written(n int, name string) []tenure.Change {
	return []tenure.Change{
		tenure.EntityPut{Entity: tenure.Entity{ID: id(n), Type: "person", Name: name, Status: tenure.EntityCanonical}},
		tenure.AliasAdded{Alias: tenure.Alias{Key: similarity.NameAliasKey(name), Entity: id(n), Type: "person", Spelling: name}},
	}
}

func TestRecent(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{})
	x.Add("t", 1, written(1, "John Smith"))
	x.Add("t", 2, written(2, "Peter Jones"))
	found := func(when, name string, want ...tenure.ID) {
		t.Helper()
		if diff := cmp.Diff(want, candidates(t, x, "t", byName(name))); diff != "" {
			t.Errorf("%s: %s", when, diff)
		}
	}
	found("before it is in the index", "Jon Smith", id(1))
	put(t, x, "t", 1, named(1, "John Smith"))
	found("when it is in both", "Jon Smith", id(1))
	put(t, x, "t", 2, named(2, "Peter Jones"))
	put(t, x, "t", 3)
	found("when it is in the index", "Peter Jnes", id(2))
	x.Add("t", 2, written(9, "Late Note"))
	if ids := candidates(t, x, "t", byName("Late Note")); len(ids) > 0 {
		t.Errorf("added after the index had it: %v", ids)
	}
	if ids := candidates(t, x, "u", byName("John Smith")); len(ids) > 0 {
		t.Errorf("another tenant finds %v", ids)
	}
	x.Add("t", 4, written(4, "Type Filtered"))
	if ids := candidates(t, x, "t", index.Query{Names: []string{"Type Filtered"}, Types: []string{"system"}}); len(ids) > 0 {
		t.Errorf("found for another type: %v", ids)
	}
}

// A project's own name for a shared entity finds it in no other project, before the entry is indexed and
// after.
func TestRecentKeepsNamesOfProjects(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{})
	public := tenure.EntityPut{Entity: tenure.Entity{ID: id(1), Type: "person", Name: "John Smith", Status: tenure.EntityCanonical}}
	name := func(spelling, project string) tenure.AliasAdded {
		return tenure.AliasAdded{Alias: tenure.Alias{
			Key: similarity.NameAliasKey(spelling), Entity: id(1), Type: "person", Spelling: spelling, Project: project,
		}}
	}
	x.Add("t", 1, []tenure.Change{name("Golden Heron", "p"), public, name("John Smith", "")})
	x.Add("t", 2, []tenure.Change{name("Silver Kestrel", "p")})
	for _, c := range []struct {
		name, project string
		want          int
	}{
		{"Jon Smith", "", 1}, {"Jon Smith", "p", 1}, {"Goldn Heron", "", 0}, {"Goldn Heron", "q", 0},
		{"Silver Kestrl", "", 0}, {"Silver Kestrl", "q", 0},
	} {
		if ids := candidates(t, x, "t", index.Query{Names: []string{c.name}, Project: c.project}); len(ids) != c.want {
			t.Errorf("%s, asked from %q: %v", c.name, c.project, ids)
		}
	}
}

func TestReopen(t *testing.T) {
	dir := t.TempDir()
	x := open(t, dir, index.Config{})
	put(t, x, "t", 41, named(1, "John Smith"))
	put(t, x, "t", 42)
	x.Checkpoints().Set("t", 40)
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	x = open(t, dir, index.Config{})
	if at, kept := checkpoint(t, x, "t"), x.Checkpoints().Get("t"); at != 42 || kept != 40 {
		t.Errorf("the index stands at %d, the checkpoint beside it at %d; want 42 and 40", at, kept)
	}
	if diff := cmp.Diff([]tenure.ID{id(1)}, candidates(t, x, "t", byName("John Smyth"))); diff != "" {
		t.Error(diff)
	}
}

func TestClosed(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{})
	if err := errors.Join(x.Close(), x.Close()); err != nil {
		t.Fatal(err)
	}
	x.Add("t", 1, written(1, "John Smith"))
	var e *tenure.Error
	if _, err := x.Candidates(t.Context(), "t", byName("John Smith")); !errors.As(err, &e) || e.Code != tenure.Unavailable {
		t.Errorf("got %v", err)
	}
}

// child is set in the environment of the test's child process.
const child = "TENURE_INDEX_TEST_DIR"

// TestMain, in a child process, puts numbered documents until the process is killed.
func TestMain(m *testing.M) {
	if dir := os.Getenv(child); dir != "" {
		os.Exit(putForEver(dir))
	}
	// Bleve's analysis workers live as long as the process, and so does a file that a panic left locked.
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"),
		goleak.IgnoreAnyFunction("go.etcd.io/bbolt.(*DB).Close"))
}

// putForEver prints the number of each batch that is on disk, and puts another batch that is not, until the
// process is killed.
func putForEver(dir string) int {
	x, err := index.Open(dir, index.Config{LockTimeout: 50 * time.Millisecond})
	if err != nil {
		fmt.Println(err)
		return 3
	}
	last, err := x.Checkpoint(context.Background(), "t")
	if err != nil {
		fmt.Println(err)
		return 3
	}
	for seq := int(last) + 1; ; seq++ {
		var docs []index.Document
		for i := range 20 {
			docs = append(docs, named(seq*100+i, fmt.Sprintf("Batch%s Member%s", spelled(seq), spelled(i))))
		}
		if err = x.Put(context.Background(), "t", docs, nil, tenure.Seq(seq)); err == nil && seq%3 != 0 {
			err = x.Flush()
		}
		if err != nil {
			fmt.Println(err)
			return 4
		}
		if seq%3 != 0 {
			fmt.Println(seq)
		}
	}
}

// spelled returns a number in letters.
func spelled(n int) string {
	return strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprintf("%04d", n))
}

func TestKilledInTheMiddle(t *testing.T) {
	dir := t.TempDir()
	for batches := 1; batches <= 5; batches += 2 {
		said := killAfter(t, dir, batches)
		x := open(t, dir, index.Config{})
		at := checkpoint(t, x, "t")
		if int(at) < said || said == 0 {
			t.Errorf("the index stands at %d after batch %d was reported", at, said)
		}
		for _, seq := range []int{1, int(at)} {
			name := fmt.Sprintf("Batch%s Member%s", spelled(seq), spelled(19))
			if ids := candidates(t, x, "t", byName(name)); len(ids) == 0 || ids[0] != id(seq*100+19) {
				t.Errorf("batch %d of %d is not whole: %v", seq, at, ids)
			}
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// killAfter kills a child after it printed a number of batches, and returns the last number that it printed.
func killAfter(t *testing.T, dir string, batches int) (said int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), child+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for n := 1; lines.Scan(); n++ {
		if said, err = strconv.Atoi(lines.Text()); err != nil {
			t.Fatalf("the child said %q", lines.Text())
		}
		if n == batches {
			_ = cmd.Process.Kill() // numbers printed meanwhile are still read
		}
	}
	_ = cmd.Wait()
	return said
}

// A second process begins with a copy of the index of the first, whose segments it shares, and goes on by itself.
func TestProcessesShareADirectory(t *testing.T) {
	dir := t.TempDir()
	often := index.Config{Poll: 5 * time.Millisecond, LockTimeout: 10 * time.Millisecond, SeedTimeout: time.Hour}
	first := open(t, dir, often)
	first.Checkpoints().Set("t", 4)
	within(t, "the checkpoint is written", func() bool {
		_, err := os.Stat(filepath.Join(dir, "PASSED"))
		return err == nil
	})
	put(t, first, "t", 5, named(1, "John Smith")) // only in memory
	second := open(t, dir, often)
	third := open(t, dir, often)
	same := 0
	for _, a := range segments(t, dir, ".zap") {
		for _, b := range segments(t, filepath.Join(dir, "process-2"), ".zap") {
			one, _ := os.Stat(a)
			other, _ := os.Stat(b)
			if os.SameFile(one, other) {
				same++
			}
		}
	}
	if same == 0 {
		t.Error("they share no segment")
	}
	for i, x := range []*index.Index{second, third} {
		if at, passed := checkpoint(t, x, "t"), x.Checkpoints().Get("t"); at != 5 || passed != 4 {
			t.Errorf("process %d begins at %d, %d", i+2, at, passed)
		}
		put(t, x, "t", 6, named(2, fmt.Sprintf("Zoe Alder%s", spelled(i))))
		if diff := cmp.Diff([]tenure.ID{id(1)}, candidates(t, x, "t", byName("John Smyth"))); diff != "" {
			t.Error(diff)
		}
	}
	put(t, first, "t", 6, named(3, "Peter Jones"))
	for i, x := range []*index.Index{first, second, third} {
		if n := len(candidates(t, x, "t", byName("Peter Jones"))); (n > 0) != (i == 0) {
			t.Errorf("process %d finds %d of what the first one read", i+1, n)
		}
		if err := x.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	// The first one goes, and the next process takes its place; the second goes on where it was.
	for _, x := range []*index.Index{first, second} {
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if at := checkpoint(t, open(t, dir, often), "t"); at != 6 {
		t.Errorf("the new first one begins at %d", at)
	}
	again := open(t, dir, often)
	if ids := candidates(t, again, "t", byName("Zoe Alderaaaa")); len(ids) != 1 || checkpoint(t, again, "t") != 6 {
		t.Errorf("the new second one finds %v at %d", ids, checkpoint(t, again, "t"))
	}
}

// A process of its own takes a place of its own, and what it held is free when it is killed.
func TestAnotherProcess(t *testing.T) {
	dir := t.TempDir()
	x := open(t, dir, index.Config{Poll: 5 * time.Millisecond})
	put(t, x, "t", 5, named(1, "John Smith"))
	if said := killAfter(t, dir, 3); said < 8 {
		t.Errorf("it began anew: after three batches it is at %d", said)
	}
	if ids := candidates(t, x, "t", byName("John Smyth")); len(ids) != 1 {
		t.Errorf("the first one finds %v", ids)
	}
	second := open(t, dir, index.Config{LockTimeout: 10 * time.Millisecond})
	if at := checkpoint(t, second, "t"); at < 8 {
		t.Errorf("the place of the killed one is at %d", at)
	}
}

// segments lists the files of an index with a suffix.
func segments(t *testing.T, dir, suffix string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "store", "*"+suffix))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	return files
}

// generation returns the folder of the only generation.
func generation(t *testing.T, dir string) string {
	t.Helper()
	return filepath.Dir(filepath.Dir(segments(t, dir, "root.bolt")[0]))
}

func TestDamageHealsOnOpen(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, dir string){
		"no-current": func(t *testing.T, dir string) { remove(t, filepath.Join(dir, "CURRENT")) },
		"current-names-nothing": func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "CURRENT"), []byte("../../etc"))
		},
		"no-generation": func(t *testing.T, dir string) { remove(t, generation(t, dir)) },
		"no-segments": func(t *testing.T, dir string) {
			for _, f := range segments(t, dir, ".zap") {
				remove(t, f)
			}
		},
		"a-cut-segment": func(t *testing.T, dir string) {
			for _, f := range segments(t, dir, ".zap") {
				write(t, f, read(t, f)[:100])
			}
		},
		"an-empty-segment": func(t *testing.T, dir string) { write(t, segments(t, dir, ".zap")[0], nil) },
		"one-bit": func(t *testing.T, dir string) {
			f := segments(t, dir, ".zap")[0]
			text := read(t, f)
			text[len(text)/2] ^= 4
			write(t, f, text)
		},
		"no-root": func(t *testing.T, dir string) { remove(t, segments(t, dir, "root.bolt")[0]) },
		"garbled-root": func(t *testing.T, dir string) {
			write(t, segments(t, dir, "root.bolt")[0], bytes.Repeat([]byte("x"), 70_000))
		},
		"no-meta": func(t *testing.T, dir string) { remove(t, filepath.Join(generation(t, dir), "index_meta.json")) },
		"garbled-lock": func(t *testing.T, dir string) {
			write(t, filepath.Join(dir, "LOCK"), bytes.Repeat([]byte("x"), 70_000))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			x := open(t, dir, index.Config{})
			put(t, x, "t", 5, named(1, "John Smith"))
			if err := x.Close(); err != nil {
				t.Fatal(err)
			}
			damage(t, dir)
			x = open(t, dir, index.Config{})
			if at := checkpoint(t, x, "t"); at != 0 && name != "garbled-lock" {
				t.Errorf("it stands at %d", at)
			}
			put(t, x, "t", 5, named(1, "John Smith"))
			if diff := cmp.Diff([]tenure.ID{id(1)}, candidates(t, x, "t", byName("John Smyth"))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDeletedInUseHeals(t *testing.T) {
	dir := t.TempDir()
	var log syncBuffer
	x := open(t, dir, index.Config{Poll: 10 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	put(t, x, "t", 5, named(1, "John Smith"))
	if err := x.Flush(); err != nil {
		t.Fatal(err)
	}
	remove(t, generation(t, dir))
	_ = candidates(t, x, "t", byName("John Smith")) // any answer is fine as long as it is no error
	within(t, "the checkpoint goes back", func() bool { return checkpoint(t, x, "t") == 0 })
	put(t, x, "t", 5, named(1, "John Smith"))
	if diff := cmp.Diff([]tenure.ID{id(1)}, candidates(t, x, "t", byName("John Smith"))); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(log.String(), "begun anew") {
		t.Errorf("the log says nothing of it: %s", log.String())
	}
}

// TestTruncatedInUseHeals cuts every file of an index that is in use: those that are mapped into memory end before what
// is read of them.
func TestTruncatedInUseHeals(t *testing.T) {
	dir := t.TempDir()
	x := open(t, dir, index.Config{Poll: 10 * time.Millisecond})
	put(t, x, "t", 5, named(1, "John Smith"))
	if err := x.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, f := range append(segments(t, dir, ".zap"), segments(t, dir, "root.bolt")...) {
		if err := os.Truncate(f, 0); err != nil {
			t.Fatal(err)
		}
	}
	put(t, x, "t", 6, named(2, "Maria Gomez"))
	_ = x.Flush() // it may fail, and the process goes on
	within(t, "the checkpoint goes back", func() bool { return checkpoint(t, x, "t") == 0 })
	put(t, x, "t", 6, named(1, "John Smith"), named(2, "Maria Gomez"))
	if diff := cmp.Diff([]tenure.ID{id(1)}, candidates(t, x, "t", byName("John Smyth"))); diff != "" {
		t.Error(diff)
	}
}

func within(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for !ok() {
		select {
		case <-t.Context().Done():
			t.Fatalf("the test ended before: %s", what)
		case <-time.After(5 * time.Millisecond):
		}
	}
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func remove(t *testing.T, file string) {
	t.Helper()
	if err := os.RemoveAll(file); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func write(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
