package index_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/index"
	"tenure/registry"
	"tenure/store"
	"tenure/store/sqlite"
)

// world is a store whose entries are made of changes alone.
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

// met writes that an entity goes by a name.
func (w *world) met(t *testing.T, tenant string, n int, name string) tenure.Seq {
	t.Helper()
	return w.apply(t, tenant, noted(n, name)...)
}

func catchUp(t *testing.T, f *index.Follower, tenant string) {
	t.Helper()
	if err := f.CatchUp(t.Context(), tenant); err != nil {
		t.Fatal(err)
	}
}

// recorder is a sink that remembers what it was given.
type recorder struct {
	mu     sync.Mutex
	docs   map[tenure.ID]index.Document
	upTo   []tenure.Seq
	resets int
	err    error
}

func (r *recorder) Cursor(string) (tenure.Seq, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.upTo) == 0 {
		return 0, nil
	}
	return r.upTo[len(r.upTo)-1], nil
}

func (r *recorder) Put(_ context.Context, _ string, docs []index.Document, removed []tenure.ID, upTo tenure.Seq) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	if r.docs == nil {
		r.docs = map[tenure.ID]index.Document{}
	}
	for _, d := range docs {
		r.docs[d.Entity] = d
	}
	for _, id := range removed {
		delete(r.docs, id)
	}
	r.upTo = append(r.upTo, upTo)
	return nil
}

func (r *recorder) Reset(context.Context, string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.docs, r.upTo = nil, nil
	r.resets++
	return nil
}

func (r *recorder) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.err = err
}

func TestFollowerReadsPagesInOrder(t *testing.T) {
	w, sink := newWorld(t), &recorder{}
	for i := range 7 {
		w.met(t, "t", i, fmt.Sprintf("Name Number%s", spelled(i)))
	}
	f := index.NewFollower(w, sink, index.FollowerConfig{PageSize: 3})
	catchUp(t, f, "t")
	catchUp(t, f, "t")
	if diff := cmp.Diff([]tenure.Seq{3, 6, 7}, sink.upTo); diff != "" {
		t.Error(diff)
	}
	if len(sink.docs) != 7 {
		t.Errorf("%d documents", len(sink.docs))
	}
}

func TestFollowerReadsWhatAnEntityIsNow(t *testing.T) {
	w, sink := newWorld(t), &recorder{}
	w.met(t, "t", 1, "John Smith")
	email := tenure.Owner{
		Form: tenure.Form{Kind: "email", Key: "j@x.example"}, Entity: id(1), Type: "person", Spelling: "J@x.example", Exclusive: true,
	}
	alias := tenure.Owner{Form: registry.NameForm("Johnny"), Entity: id(1), Type: "person", Spelling: "Johnny"}
	w.apply(t, "t", tenure.OwnerAdded{Owner: email}, tenure.OwnerAdded{Owner: alias})
	w.apply(t, "t", tenure.EntityPut{Entity: tenure.Entity{ID: id(2), Type: "person", Name: "Nameless", Status: tenure.EntityCanonical}})
	catchUp(t, index.NewFollower(w, sink, index.FollowerConfig{PageSize: 1}), "t")
	d := sink.docs[id(1)]
	slices.Sort(d.Names)
	want := index.Document{Entity: id(1), Type: "person", Names: []string{"John Smith", "Johnny"}, Identifiers: []tenure.Form{email.Form}}
	if diff := cmp.Diff(want, d); diff != "" {
		t.Error(diff)
	}
	if _, ok := sink.docs[id(2)]; ok {
		t.Error("an entity without forms is in the sink")
	}
}

func TestFollowerBeginsAnewForAnotherStore(t *testing.T) {
	sink := &recorder{}
	one, other := newWorld(t), newWorld(t)
	for i := range 3 {
		one.met(t, "t", i, "Old Name")
	}
	other.met(t, "t", 9, "New Name")
	catchUp(t, index.NewFollower(one, sink, index.FollowerConfig{}), "t")
	catchUp(t, index.NewFollower(other, sink, index.FollowerConfig{}), "t")
	if _, ok := sink.docs[id(9)]; !ok || len(sink.docs) != 1 || sink.resets != 1 {
		t.Errorf("%d resets, %v", sink.resets, sink.docs)
	}
}

// looks remembers what OnPassed was told.
type looks struct {
	mu    sync.Mutex
	fail  int
	told  []tenure.ID
	calls int
}

func (l *looks) onPassed(_ context.Context, _ string, _ tenure.Seq, ids []tenure.ID) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls++
	if l.fail > 0 {
		l.fail--
		return errors.New("not now")
	}
	l.told = append(l.told, ids...)
	return nil
}

func TestSecondLookAtLeastOnce(t *testing.T) {
	w, dir, l := newWorld(t), t.TempDir(), &looks{fail: 2}
	x := open(t, dir, index.Config{})
	for i := range 5 {
		w.met(t, "t", i, fmt.Sprintf("Name Number%s", spelled(i)))
	}
	cfg := index.FollowerConfig{PageSize: 2, OnPassed: l.onPassed}
	f := index.NewFollower(w, x, cfg)
	if err := f.CatchUp(t.Context(), "t"); err == nil {
		t.Error("the failed look is no error")
	}
	if cursor, err := x.Cursor("t"); cursor != 5 || err != nil {
		t.Errorf("the index stands at %d while looks fail, %v", cursor, err)
	}
	if err := x.Close(); err != nil { // and the process starts again
		t.Fatal(err)
	}
	x = open(t, dir, index.Config{})
	f = index.NewFollower(w, x, cfg)
	catchUp(t, f, "t")
	if diff := cmp.Diff([]tenure.ID{id(0), id(1), id(2), id(3), id(4)}, l.told); diff != "" {
		t.Error(diff)
	}
	calls := l.calls
	catchUp(t, f, "t")
	if l.calls != calls {
		t.Error("what was looked at comes again")
	}
	w.met(t, "t", 7, "One More")
	catchUp(t, f, "t")
	if l.told[len(l.told)-1] != id(7) || l.calls != calls+1 {
		t.Errorf("told %v", l.told)
	}
}

func TestFollowerRuns(t *testing.T) {
	w, sink := newWorld(t), &recorder{}
	sink.fail(errors.New("no room"))
	f := index.NewFollower(w, sink, index.FollowerConfig{Interval: 5 * time.Millisecond})
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { f.Run(ctx) })
	defer func() { stop(); work.Wait() }()
	w.met(t, "t", 1, "John Smith")
	time.Sleep(20 * time.Millisecond)
	lag, err := f.Lag(t.Context())
	if diff := cmp.Diff(map[string]tenure.Seq{"t": 1}, lag); diff != "" || err != nil {
		t.Error(diff, err)
	}
	sink.fail(nil)
	within(t, "errors are tried again", func() bool { c, _ := sink.Cursor("t"); return c == 1 })
	w.met(t, "t", 2, "Peter Jones")
	f.Nudge("t")
	within(t, "what was nudged is read", func() bool { c, _ := sink.Cursor("t"); return c == 2 })
	if lag, err := f.Lag(t.Context()); lag["t"] != 0 || err != nil {
		t.Errorf("lag %v, %v", lag, err)
	}
}

func TestFollowerOfTheNudged(t *testing.T) {
	w, sink := newWorld(t), &recorder{}
	w.met(t, "t", 1, "John Smith")
	f := index.NewFollower(w, sink, index.FollowerConfig{Interval: 5 * time.Millisecond, Tenants: index.Nudged})
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { f.Run(ctx) })
	defer func() { stop(); work.Wait() }()
	time.Sleep(100 * time.Millisecond)
	if c, _ := sink.Cursor("t"); c != 0 {
		t.Error("a tenant that nobody asks about is followed")
	}
	f.Nudge("t")
	within(t, "it is followed once it was nudged", func() bool { c, _ := sink.Cursor("t"); return c == 1 })
}

func TestRebuildWhileSearching(t *testing.T) {
	w, dir := newWorld(t), t.TempDir()
	w.tenant(t, "u")
	for i := range 40 {
		w.met(t, "t", i, fmt.Sprintf("Name Number%s", spelled(i)))
	}
	w.met(t, "u", 99, "Name Numberaaab")
	x := open(t, dir, index.Config{Poll: 5 * time.Millisecond})
	if err := x.SetPassed("t", 40); err != nil {
		t.Fatal(err)
	}
	// An index that has read the log and lost its documents.
	put(t, x, "t", 40)
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
	passed, err := x.Passed("t")
	if cursor, _ := x.Cursor("t"); cursor != 40 || passed != 40 || err != nil {
		t.Errorf("cursor %d, passed %d, %v", cursor, passed, err)
	}
	if diff := cmp.Diff([]tenure.ID{id(99)}, candidates(t, x, "u", byName("Name Numberaaab"))); diff != "" {
		t.Error(diff)
	}
	// What is written after it is found as before.
	w.met(t, "t", 50, "Later Arrival")
	catchUp(t, index.NewFollower(w, x, index.FollowerConfig{}), "t")
	if ids := candidates(t, x, "t", byName("Later Arrivel")); len(ids) == 0 || ids[0] != id(50) {
		t.Errorf("found %v", ids)
	}
}

func TestRebuildWithoutAServer(t *testing.T) {
	w, dir := newWorld(t), t.TempDir()
	w.met(t, "t", 1, "John Smith")
	for range 2 {
		if err := index.Rebuild(t.Context(), dir, w, index.Config{}); err != nil {
			t.Fatal(err)
		}
	}
	generation(t, dir) // there is one
	x := open(t, dir, index.Config{})
	if cursor, err := x.Cursor("t"); cursor != 1 || err != nil {
		t.Errorf("cursor %d, %v", cursor, err)
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

// flooded is a store of one entity that goes by very many names, and of others.
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

func (f flooded) OwnedBy(context.Context, []tenure.ID) ([]tenure.Owner, error) {
	own := func(i int, name string) tenure.Owner {
		return tenure.Owner{Form: registry.NameForm(name), Entity: id(i), Spelling: name}
	}
	list := []tenure.Owner{own(0, "Nova Kestrel"), own(1, "Nova Kestrol"), own(2, "Peter Jones")}
	for i := range floodNames {
		list = append(list, own(0, fmt.Sprintf("Nova Kestrel %d", i)))
	}
	return list, nil
}

// An entity that is given very many names stays findable by its first ones, and
// hides and delays nobody.
func TestFloodOfNames(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{})
	f := index.NewFollower(flooded{}, x, index.FollowerConfig{})
	began := time.Now()
	if err := f.CatchUp(t.Context(), "t"); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(began); took > 20*time.Second {
		t.Errorf("taking in %d names took %s", floodNames, took)
	}
	for name, want := range map[string]int{"Nova Kestrel": 0, "Nova Kestrol": 1, "Petr Jones": 2} {
		ids := candidates(t, x, "t", byName(name))
		if len(ids) == 0 || ids[0] != id(want) {
			t.Errorf("%s finds %v, not %s first", name, ids, id(want))
		}
	}
}
