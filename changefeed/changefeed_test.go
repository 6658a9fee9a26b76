package changefeed_test

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
	"go.uber.org/goleak"

	"tenure"
	"tenure/changefeed"
	"tenure/store"
	"tenure/store/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a store in which every entry puts one entity.
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
	c := tenure.Credential{ID: tenure.DerivedID("credential", "t"), Tenant: "t", Roles: tenure.Roles}
	if err := s.PutCredential(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return &world{s, map[string]tenure.Seq{}}
}

func (w *world) write(t *testing.T, tenant string, entries int) {
	t.Helper()
	for range entries {
		n := w.seq[tenant]
		id := tenure.DerivedID("entity", tenant, fmt.Sprint(n))
		e := tenure.Entity{ID: id, Type: "person", Name: "N", Status: tenure.EntityCanonical}
		cs := tenure.ChangeSet{
			ID: tenure.DerivedID("set", tenant, fmt.Sprint(n)), Operation: "test", Actor: "tester",
			Changes: []tenure.Change{tenure.EntityPut{Entity: e}},
		}
		if _, err := w.Apply(t.Context(), tenant, n, []tenure.ChangeSet{cs}); err != nil {
			t.Fatal(err)
		}
		w.seq[tenant] = n + 1
	}
}

// recorder is a consumer that records the pages it receives.
type recorder struct {
	mu       sync.Mutex
	at       map[string]tenure.Seq
	pages    []string // "tenant from-to"
	stateAt  tenure.Seq
	resets   int
	failures int
	changed  chan struct{}
}

func newRecorder() *recorder {
	return &recorder{at: map[string]tenure.Seq{}, changed: make(chan struct{}, 1000)}
}

func (r *recorder) Checkpoint(_ context.Context, tenant string) (tenure.Seq, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at[tenant], nil
}

func (r *recorder) Apply(_ context.Context, p changefeed.Page) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.changed <- struct{}{} }()
	r.pages = append(r.pages, fmt.Sprintf("%s %d-%d", p.Tenant, p.Entries[0].Seq, p.UpTo()))
	if r.failures > 0 {
		r.failures--
		return errors.New("no room")
	}
	r.at[p.Tenant] = p.UpTo()
	r.stateAt, _ = p.State.State()
	return nil
}

func (r *recorder) Reset(_ context.Context, tenant string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at[tenant] = 0
	r.resets++
	return nil
}

func (r *recorder) given() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.pages)
}

func catchUp(t *testing.T, f *changefeed.Follower, tenant string) {
	t.Helper()
	if err := f.CatchUp(t.Context(), tenant); err != nil {
		t.Fatal(err)
	}
}

func watermark(t *testing.T, want tenure.Seq, of interface {
	Watermark(ctx context.Context, tenant string) (tenure.Seq, error)
}) {
	t.Helper()
	if got, err := of.Watermark(t.Context(), "t"); got != want || err != nil {
		t.Errorf("the watermark is %d, not %d: %v", got, want, err)
	}
}

func TestPagesInOrder(t *testing.T) {
	w, r := newWorld(t), newRecorder()
	w.write(t, "t", 7)
	var applied []tenure.Seq
	f := changefeed.New(w, r, changefeed.Config{
		PageSize: 3, Applied: func(p changefeed.Page) { applied = append(applied, p.UpTo()) },
	})
	if lag, err := f.Lag(t.Context(), "t"); lag != 7 || err != nil {
		t.Errorf("lag %d, %v", lag, err)
	}
	catchUp(t, f, "t")
	catchUp(t, f, "t")
	if diff := cmp.Diff([]string{"t 1-3", "t 4-6", "t 7-7"}, r.given()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]tenure.Seq{3, 6, 7}, applied); diff != "" {
		t.Error(diff)
	}
	if r.stateAt < 7 {
		t.Errorf("the state that goes with entry 7 is %d", r.stateAt)
	}
	watermark(t, 7, f)
	if lag, err := f.Lag(t.Context(), "t"); lag != 0 || err != nil {
		t.Errorf("lag %d, %v", lag, err)
	}
}

func TestBeginsAnewForAnotherStore(t *testing.T) {
	one, other, r := newWorld(t), newWorld(t), newRecorder()
	one.write(t, "t", 3)
	other.write(t, "t", 1)
	catchUp(t, changefeed.New(one, r, changefeed.Config{}), "t")
	catchUp(t, changefeed.New(other, r, changefeed.Config{}), "t")
	if diff := cmp.Diff([]string{"t 1-3", "t 1-1"}, r.given()); diff != "" || r.resets != 1 {
		t.Errorf("%d resets, %s", r.resets, diff)
	}
}

// writer is a consumer that writes an entry for each page, up to a limit.
type writer struct {
	*recorder
	write func()
	left  int
}

func (c *writer) Apply(ctx context.Context, p changefeed.Page) error {
	if c.left > 0 {
		c.left--
		c.write()
	}
	return c.recorder.Apply(ctx, p)
}

// A consumer downstream of another one receives nothing that the other has not applied, and its own writes reach
// both.
func TestDownstreamOfAnother(t *testing.T) {
	w, first := newWorld(t), newRecorder()
	second := &writer{recorder: newRecorder(), write: func() { w.write(t, "t", 1) }, left: 2}
	w.write(t, "t", 3)
	ahead := changefeed.New(w, first, changefeed.Config{Name: "ahead", PageSize: 2})
	downstream := changefeed.New(w, second, changefeed.Config{Name: "downstream", PageSize: 2, Upstream: ahead})
	first.failures = 1
	if err := downstream.CatchUp(t.Context(), "t"); err == nil || len(second.given()) > 0 {
		t.Errorf("given %v though the one ahead failed: %v", second.given(), err)
	}
	second.failures = 1
	if err := downstream.CatchUp(t.Context(), "t"); err == nil {
		t.Error("the failure of the one downstream is no error")
	}
	watermark(t, 3, ahead)
	watermark(t, 0, downstream)
	catchUp(t, downstream, "t")
	if diff := cmp.Diff([]string{"t 1-2", "t 1-2", "t 3-4", "t 5-5"}, second.given()); diff != "" {
		t.Error(diff)
	}
	watermark(t, 5, ahead)
	watermark(t, 5, downstream)
	first.at["t"] = 4 // the first consumer loses entries, the consumer downstream does not
	watermark(t, 4, downstream)
	catchUp(t, downstream, "t")
	if len(second.given()) != 4 || second.resets != 0 {
		t.Errorf("what was given before comes again: %v", second.given())
	}
	watermark(t, 5, changefeed.Group{ahead, downstream})
}

// run runs followers until the test ends.
func run(t *testing.T, g changefeed.Group) {
	ctx, stop := context.WithCancel(t.Context())
	var work sync.WaitGroup
	work.Go(func() { g.Run(ctx) })
	t.Cleanup(func() { stop(); work.Wait() })
}

// until waits until the consumer's checkpoint reaches want.
func until(t *testing.T, r *recorder, want tenure.Seq) {
	t.Helper()
	for {
		if at, _ := r.Checkpoint(t.Context(), "t"); at >= want {
			return
		}
		select {
		case <-r.changed:
		case <-t.Context().Done():
			t.Fatalf("%d was not reached", want)
		}
	}
}

// A nudge does not move a consumer past the consumer upstream of it.
func TestRunStaysDownstream(t *testing.T) {
	w, second := newWorld(t), newRecorder()
	ahead := changefeed.New(w, newRecorder(), changefeed.Config{})
	downstream := changefeed.New(w, second, changefeed.Config{Interval: time.Hour, Tenants: changefeed.Nudged, Upstream: ahead})
	w.write(t, "t", 1)
	catchUp(t, ahead, "t")
	w.write(t, "t", 1)
	run(t, changefeed.Group{downstream})
	downstream.Nudge("t", 2)
	until(t, second, 1)
	if diff := cmp.Diff([]string{"t 1-1"}, second.given()); diff != "" {
		t.Error(diff)
	}
}

func TestRunTriesAgain(t *testing.T) {
	w, r := newWorld(t), newRecorder()
	r.failures = 2
	run(t, changefeed.Group{changefeed.New(w, r, changefeed.Config{Interval: time.Millisecond})})
	w.write(t, "t", 1)
	until(t, r, 1)
	if pages := r.given(); len(pages) != 3 || pages[0] != "t 1-1" || pages[2] != "t 1-1" {
		t.Errorf("given %v", pages)
	}
}

// With an interval that never elapses, only nudges and the followers upstream cause reads, and only of the tenants that
// this process uses.
func TestRunIsNudged(t *testing.T) {
	w, first, second := newWorld(t), newRecorder(), newRecorder()
	ahead := changefeed.New(w, first, changefeed.Config{Interval: time.Hour, Tenants: changefeed.Nudged})
	downstream := changefeed.New(w, second, changefeed.Config{Interval: time.Hour, Tenants: changefeed.Nudged, Upstream: ahead})
	g := changefeed.Group{ahead, downstream}
	w.write(t, "t", 1)
	w.write(t, "unused", 1)
	run(t, g)
	g.Nudge("t", 1)
	until(t, second, 1)
	w.write(t, "t", 1)
	g.Nudge("t", 2)
	until(t, second, 2)
	if diff := cmp.Diff([]string{"t 1-1", "t 2-2"}, first.given()); diff != "" {
		t.Error(diff)
	}
}

// counting is a store that counts the calls of each kind.
type counting struct {
	store.Store

	mu    sync.Mutex
	calls map[string]int
	asked int // questions which logs have grown
}

func (c *counting) count(kind string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[kind]++
}

// since returns the calls since the last time.
func (c *counting) since() map[string]int {
	c.mu.Lock()
	defer c.mu.Unlock()
	calls := c.calls
	c.calls = map[string]int{}
	return calls
}

func (c *counting) View(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	c.count("view")
	return c.Store.View(ctx, tenant, at)
}

func (c *counting) Log(ctx context.Context, tenant string, after tenure.Seq, limit int) ([]tenure.Entry, error) {
	c.count("log")
	return c.Store.Log(ctx, tenant, after, limit)
}

func (c *counting) Grown(ctx context.Context, since store.Mark) ([]store.LogEnd, store.Mark, error) {
	ends, mark, err := c.Store.Grown(ctx, since)
	c.count("grown")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked++
	return ends, mark, err
}

func (c *counting) Credentials(ctx context.Context, tenant string) ([]tenure.Credential, error) {
	c.count("credentials")
	return c.Store.Credentials(ctx, tenant)
}

// asks waits until a number of questions which logs have grown have begun and ended.
func (c *counting) asks(n int) {
	c.mu.Lock()
	until := c.asked + n + 1 // one may be on its way
	c.mu.Unlock()
	for {
		c.mu.Lock()
		asked := c.asked
		c.mu.Unlock()
		if asked >= until {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// Tenants whose logs do not grow cost no call each: there is one question for all of them, also about how far behind
// the consumers are. What another process writes is found by that question.
func TestIdleTenantsCostNothing(t *testing.T) {
	const tenants = 40
	w := newWorld(t)
	s := &counting{Store: w, calls: map[string]int{}}
	first, second := newRecorder(), newRecorder()
	cfg := changefeed.Config{Interval: time.Millisecond, Tenants: changefeed.Nudged}
	ahead := changefeed.New(s, first, cfg)
	cfg.Upstream = ahead
	g := changefeed.Group{ahead, changefeed.New(s, second, cfg)}
	var names []string
	for i := range tenants {
		names = append(names, fmt.Sprint("t", i))
		w.write(t, names[i], 1)
		g.Follow(names[i])
	}
	run(t, g)
	for len(second.given()) < tenants || !caughtUp(t, ahead) {
		s.asks(1)
	}
	s.asks(2)
	s.since()
	s.asks(5)
	if most, err := ahead.Behind(t.Context()); most != 0 || err != nil {
		t.Errorf("%d behind, %v", most, err)
	}
	if calls := s.since(); calls["grown"] < 4 || len(calls) > 1 {
		t.Errorf("while nothing happens the store is called: %v", calls)
	}
	w.write(t, "t7", 1) // not nudged: as another process does
	w.write(t, "unused", 1)
	for len(second.given()) == tenants {
		s.asks(1)
	}
	if got := second.given()[tenants:]; !slices.Equal(got, []string{"t7 2-2"}) {
		t.Errorf("given %v", got)
	}
	s.asks(2)
	calls := s.since()
	delete(calls, "grown")
	if calls["log"] != 2 || calls["view"] > 8 {
		t.Errorf("one entry costs %v", calls)
	}
}

func caughtUp(t *testing.T, f *changefeed.Follower) bool {
	t.Helper()
	most, err := f.Behind(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return most == 0
}

// A follower of all tenants reads, when it starts, only the logs that its consumer is not at the end of.
func TestAllTenantsAreMetWithoutACallEach(t *testing.T) {
	w, r := newWorld(t), newRecorder()
	for i := range 20 {
		w.write(t, fmt.Sprint("t", i), 1)
		r.at[fmt.Sprint("t", i)] = 1
	}
	w.write(t, "t", 1)
	s := &counting{Store: w, calls: map[string]int{}}
	run(t, changefeed.Group{changefeed.New(s, r, changefeed.Config{Interval: time.Hour})})
	until(t, r, 1)
	if calls := s.since(); calls["view"] > 2 || calls["log"] != 1 || calls["grown"] != 1 {
		t.Errorf("the store was called: %v", calls)
	}
	if diff := cmp.Diff([]string{"t 1-1"}, r.given()); diff != "" {
		t.Error(diff)
	}
}

// A consumer drops what it holds of a tenant that is not in use, and reads the log again when it is.
func TestIdleTenantsAreLetGo(t *testing.T) {
	w, r := newWorld(t), newRecorder()
	w.write(t, "t", 2)
	f := changefeed.New(w, r, changefeed.Config{
		Interval: time.Millisecond, Idle: time.Millisecond, Tenants: changefeed.Nudged,
	})
	run(t, changefeed.Group{f})
	for range 3 {
		f.Follow("t")
		<-r.changed
		for at := tenure.Seq(1); at > 0; time.Sleep(time.Millisecond) { // until it is let go
			at, _ = r.Checkpoint(t.Context(), "t")
		}
	}
	w.write(t, "t", 1) // by another process; the tenant has no requests here
	w.write(t, "other", 1)
	f.Follow("other")
	for len(r.given()) < 4 {
		<-r.changed
	}
	if diff := cmp.Diff([]string{"t 1-2", "t 1-2", "t 1-2", "other 1-1"}, r.given()); diff != "" {
		t.Error(diff)
	}
}

// A consumer that has lost a part of what it had gets it again.
func TestAgain(t *testing.T) {
	w, r := newWorld(t), newRecorder()
	w.write(t, "t", 3)
	f := changefeed.New(w, r, changefeed.Config{Interval: time.Hour, Tenants: changefeed.Nudged})
	run(t, changefeed.Group{f})
	f.Follow("t")
	until(t, r, 3)
	r.mu.Lock()
	r.at["t"] = 1
	r.mu.Unlock()
	f.Again(t.Context())
	until(t, r, 3)
	if diff := cmp.Diff([]string{"t 1-3", "t 2-3"}, r.given()); diff != "" {
		t.Error(diff)
	}
}

// Entries that arrive while a follower gathers share a page.
func TestGather(t *testing.T) {
	w, r := newWorld(t), newRecorder()
	f := changefeed.New(w, r, changefeed.Config{Interval: time.Hour, Gather: time.Hour, Tenants: changefeed.Nudged})
	run(t, changefeed.Group{f})
	w.write(t, "t", 1)
	f.Nudge("t", 1)
	w.write(t, "t", 1)
	if len(r.given()) > 0 {
		t.Errorf("given %v while it gathers", r.given())
	}
	catchUp(t, f, "t") // CatchUp does not wait to gather
	if diff := cmp.Diff([]string{"t 1-2"}, r.given()); diff != "" {
		t.Error(diff)
	}
}
