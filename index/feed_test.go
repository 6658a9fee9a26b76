package index_test

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/changefeed"
	"tenure/index"

	"tenure/similarity"
	"tenure/store"
	"tenure/store/sqlite"
)

// world is a store whose entries are built from changes only.
type world struct {
	store.Store
	seq map[string]tenure.Seq
}

func newWorld(t *testing.T) *world {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	w := &world{s, map[string]tenure.Seq{}}
	w.tenant(t, "t")
	return w
}

func (w *world) tenant(t *testing.T, name string) {
	t.Helper()
	c := tenure.Credential{ID: tenure.DerivedID("credential", name), Tenant: name, Roles: tenure.Roles}
	if err := w.PutCredential(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

// apply writes one entry.
func (w *world) apply(t *testing.T, tenant string, changes ...tenure.Change) tenure.Seq {
	t.Helper()
	cs := tenure.ChangeSet{
		ID: tenure.DerivedID("set", tenant, fmt.Sprint(w.seq[tenant])), Operation: "test", Actor: "tester", Changes: changes,
	}
	receipts, err := w.Apply(t.Context(), tenant, w.seq[tenant], []tenure.ChangeSet{cs})
	if err != nil {
		t.Fatal(err)
	}
	w.seq[tenant] = receipts[0].Seq
	return receipts[0].Seq
}

// met writes an entity with a name as its alias.
func (w *world) met(t *testing.T, tenant string, n int, name string) tenure.Seq {
	t.Helper()
	return w.apply(t, tenant, written(n, name)...)
}

func catchUp(t *testing.T, s store.Store, x *index.Index, tenant string) {
	t.Helper()
	if err := changefeed.New(s, x, changefeed.Config{}).CatchUp(t.Context(), tenant); err != nil {
		t.Fatal(err)
	}
}

func TestAnEntityIsFoundAsItIsNow(t *testing.T) {
	w, x := newWorld(t), open(t, t.TempDir(), index.Config{})
	w.met(t, "t", 1, "John Smith")
	email := tenure.Alias{
		Key: tenure.AliasKey{Kind: "email", Key: "j@x.example"}, Entity: id(1), Type: "person", Spelling: "J@x.example", Exclusive: true,
	}
	alias := tenure.Alias{Key: similarity.NameAliasKey("Gwendolyn"), Entity: id(1), Type: "person", Spelling: "Gwendolyn"}
	w.apply(t, "t", tenure.AliasAdded{Alias: email}, tenure.AliasAdded{Alias: alias})
	w.apply(t, "t", tenure.EntityPut{Entity: tenure.Entity{ID: id(2), Type: "person", Name: "Nameless", Status: tenure.EntityCanonical}})
	catchUp(t, w, x, "t")
	for _, q := range []index.Query{byName("Jon Smith"), byName("Gwendolin"), {Identifiers: []tenure.AliasKey{email.Key}}} {
		if diff := cmp.Diff([]tenure.ID{id(1)}, candidates(t, x, "t", q)); diff != "" {
			t.Errorf("%v: %s", q, diff)
		}
	}
	if ids := candidates(t, x, "t", byName("Nameless")); len(ids) > 0 {
		t.Errorf("an entity without forms is found: %v", ids)
	}
}

// TestTouched checks which kinds of change alter the document of an entity. Every kind has to be listed.
func TestTouched(t *testing.T) {
	touches := map[tenure.ChangeKind]bool{
		tenure.KindEntityPut: true, tenure.KindAliasAdded: true, tenure.KindAliasClosed: true,
		tenure.KindIdentityDecisionPut: true, tenure.KindObservationAdded: false, tenure.KindMentionAdded: false,
		tenure.KindMentionAssigned: false, tenure.KindClaimAdded: false, tenure.KindClaimMoved: false,
		tenure.KindStandingPut: false, tenure.KindAmended: false, tenure.KindCasePut: false, tenure.KindReviewPut: false,
		tenure.KindContentErased: true,
	}
	unnamed := []tenure.ChangeKind{tenure.KindVocabularyPut, tenure.KindTermPut, tenure.KindDocumentPut} // their entries name no entity
	visitor := reflect.TypeFor[tenure.ChangeVisitor]()
	for i := range visitor.NumMethod() {
		kind := reflect.Zero(visitor.Method(i).Type.In(0)).Interface().(tenure.Change).Entry().Kind
		want, listed := touches[kind]
		if listed == slices.Contains(unnamed, kind) {
			t.Errorf("%s: does it alter the document of an entity?", kind)
		}
		if !listed {
			continue
		}
		twice := tenure.EntryChange{Kind: kind, Entity: id(1)}
		got := index.Touched([]tenure.Entry{{Changes: []tenure.EntryChange{twice, twice}}})
		if len(got) != map[bool]int{true: 1}[want] {
			t.Errorf("%s touches %v", kind, got)
		}
	}
}

func TestRebuildWhileSearching(t *testing.T) {
	w, dir := newWorld(t), t.TempDir()
	w.tenant(t, "u")
	for i := range 40 {
		w.met(t, "t", i, fmt.Sprintf("Name Number%s", spelled(i)))
	}
	w.met(t, "u", 99, "Name Numberaaab")
	x := open(t, dir, index.Config{Poll: 5 * time.Millisecond})
	x.Checkpoints().Set("t", 40)
	// The index has read the log and lost its documents.
	put(t, x, "t", 40)
	if err := x.Flush(); err != nil {
		t.Fatal(err)
	}
	if ids := candidates(t, x, "t", byName("Name Numberaaab")); len(ids) > 0 {
		t.Fatalf("found %v", ids)
	}
	before := generation(t, dir)
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for ctx.Err() == nil {
				if _, err := x.Candidates(t.Context(), "t", byName("Name Numberaaab")); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 2 {
		if err := index.Rebuild(t.Context(), dir, w, index.Config{}); err != nil {
			t.Fatal(err)
		}
	}
	within(t, "the new generation is in use", func() bool {
		ids := candidates(t, x, "t", byName("Name Numberaaab"))
		return len(ids) > 0 && ids[0] == id(1)
	})
	stop()
	work.Wait()
	within(t, "the old ones are gone", func() bool {
		left, _ := filepath.Glob(filepath.Join(dir, "generation-*"))
		return !slices.Contains(left, before)
	})
	if at, kept := checkpoint(t, x, "t"), x.Checkpoints().Get("t"); at != 40 || kept != 40 {
		t.Errorf("the index stands at %d, the checkpoint beside it at %d", at, kept)
	}
	if diff := cmp.Diff([]tenure.ID{id(99)}, candidates(t, x, "u", byName("Name Numberaaab"))); diff != "" {
		t.Error(diff)
	}
	// Later entries are found as before.
	w.met(t, "t", 50, "Later Arrival")
	catchUp(t, w, x, "t")
	if ids := candidates(t, x, "t", byName("Later Arrivel")); len(ids) == 0 || ids[0] != id(50) {
		t.Errorf("found %v", ids)
	}
}

// What is findable stays so while a rebuilt index takes the place of one that has read more, in each of the processes
// that share a directory.
func TestRebuildLeavesNoGap(t *testing.T) {
	w, dir := newWorld(t), t.TempDir()
	w.met(t, "t", 1, "John Smith")
	if err := index.Rebuild(t.Context(), dir, w, index.Config{}); err != nil {
		t.Fatal(err)
	}
	cfg := index.Config{Poll: 5 * time.Millisecond, LockTimeout: 10 * time.Millisecond}
	var replaced sync.WaitGroup
	all := []*index.Index{open(t, dir, cfg), open(t, dir, cfg)}
	for _, x := range all {
		replaced.Add(1)
		x.Follow(index.Feed{
			CatchUp: func(ctx context.Context, c changefeed.Consumer, tenant string) error {
				return changefeed.New(w, c, changefeed.Config{}).CatchUp(ctx, tenant)
			},
			Replaced: replaced.Done,
		})
	}
	// The rebuilt index ends before the last entry.
	old := &shortened{Store: w, end: 1}
	w.met(t, "t", 2, "Late Arrival")
	for _, x := range all {
		catchUp(t, w, x, "t")
	}
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	for _, x := range all {
		work.Go(func() {
			for ctx.Err() == nil {
				ids, err := x.Candidates(t.Context(), "t", byName("Late Arrivel"))
				if err != nil || len(ids) != 1 {
					t.Errorf("found %v, %v", ids, err)
					return
				}
			}
		})
	}
	if err := index.Rebuild(t.Context(), dir, old, index.Config{}); err != nil {
		t.Fatal(err)
	}
	replaced.Wait()
	stop()
	work.Wait()
	for _, x := range all {
		if at := checkpoint(t, x, "t"); at != 2 {
			t.Errorf("it stands at %d", at)
		}
	}
}

// shortened is a store whose logs end early.
type shortened struct {
	store.Store
	end tenure.Seq
}

func (s *shortened) View(ctx context.Context, tenant string, _ tenure.AsOf) (store.Reader, error) {
	return s.Store.View(ctx, tenant, tenure.AsOf{Seq: s.end})
}

func TestRebuildWithoutAServer(t *testing.T) {
	w, dir := newWorld(t), t.TempDir()
	w.met(t, "t", 1, "John Smith")
	for range 2 {
		if err := index.Rebuild(t.Context(), dir, w, index.Config{}); err != nil {
			t.Fatal(err)
		}
	}
	generation(t, dir) // fails unless there is exactly one
	x := open(t, dir, index.Config{})
	if at := checkpoint(t, x, "t"); at != 1 {
		t.Errorf("it stands at %d", at)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := index.Rebuild(ctx, dir, w, index.Config{}); err == nil {
		t.Error("a rebuild that was stopped is no error")
	}
	if diff := cmp.Diff([]tenure.ID{id(1)}, candidates(t, x, "t", byName("John Smith"))); diff != "" {
		t.Error(diff)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "generation-*")); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// flooded is a store of one entity with very many names, and of others.
type flooded struct {
	store.Store
	store.Reader
}

const floodNames = 20_000

func (f flooded) View(context.Context, string, tenure.AsOf) (store.Reader, error) { return f, nil }

func (f flooded) State() (tenure.Seq, tenure.Instant) { return 1, 0 }

func (f flooded) Log(_ context.Context, _ string, after tenure.Seq, _ int) ([]tenure.Entry, error) {
	if after > 0 {
		return nil, nil
	}
	var changes []tenure.EntryChange
	for i := range 3 {
		changes = append(changes, tenure.EntryChange{Kind: "entity_put", Entity: id(i)})
	}
	return []tenure.Entry{{Seq: 1, Changes: changes}}, nil
}

func (f flooded) Entities(_ context.Context, ids []tenure.ID) ([]tenure.Entity, error) {
	var list []tenure.Entity
	for _, id := range ids {
		list = append(list, tenure.Entity{ID: id, Type: "person", Status: tenure.EntityCanonical})
	}
	return list, nil
}

func (f flooded) AliasesOf(context.Context, []tenure.ID) ([]tenure.Alias, error) {
	own := func(i int, name string) tenure.Alias {
		return tenure.Alias{Key: similarity.NameAliasKey(name), Entity: id(i), Spelling: name}
	}
	list := []tenure.Alias{own(0, "Nova Kestrel"), own(1, "Nova Kestrol"), own(2, "Peter Jones")}
	for i := range floodNames {
		list = append(list, own(0, fmt.Sprintf("Nova Kestrel %d", i)))
	}
	return list, nil
}

// An entity with very many names stays findable by its first names, and hides no other entity.
func TestFloodOfNames(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{})
	catchUp(t, flooded{}, x, "t")
	if n := x.Postings(); n > 100_000 {
		t.Errorf("%d names take %d postings", floodNames, n)
	}
	for name, want := range map[string]int{"Nova Kestrel": 0, "Nova Kestrol": 1, "Petr Jones": 2} {
		ids := candidates(t, x, "t", byName(name))
		if len(ids) == 0 || ids[0] != id(want) {
			t.Errorf("%s finds %v, not %s first", name, ids, id(want))
		}
	}
}
