package ledger_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tenure"
	"tenure/ledger"
	"tenure/store"
)

// panics is a command that panics while it is on, and counts its decisions.
type panics struct {
	claimName
	on    *atomic.Bool
	times *atomic.Int32
	where string // plan, job or decide
}

func newPanics(name, where string) panics {
	c := panics{claimName{name}, &atomic.Bool{}, &atomic.Int32{}, where}
	c.on.Store(true)
	return c
}

func (c panics) fail(where string) {
	if c.on.Load() && c.where == where {
		panic("a secret of the command")
	}
}

func (c panics) Plan() ledger.Plan {
	c.fail("plan")
	return append(c.claimName.Plan(), ledger.Step{Name: "job", Work: func(context.Context, *ledger.Txn) []ledger.Job {
		return []ledger.Job{func() { c.fail("job") }, func() {}}
	}})
}

func (c panics) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	c.times.Add(1)
	a, err := c.claimName.Decide(ctx, txn, m)
	c.fail("decide")
	return a, err
}

// clock is a clock that a test sets.
type clock struct{ ahead atomic.Int64 }

func (c *clock) mint() tenure.Mint {
	return tenure.NewMint(time.Now().Add(time.Duration(c.ahead.Load())))
}

// reports counts the panics that a writer reports, by where they were.
type reports struct {
	mu    sync.Mutex
	where map[string]int
}

func (r *reports) note(where string, _ error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.where == nil {
		r.where = map[string]int{}
	}
	r.where[where]++
}

func (r *reports) at(where string) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.where[where]
}

func wantInternal(t *testing.T, res ledger.Result) {
	t.Helper()
	if tenure.CodeOf(res.Err) != tenure.Internal {
		t.Errorf("the request that panics: %v", res.Err)
	}
}

// TestAPanicFailsItsOwnRequest checks that a command that panics is answered with an error, and every other request of
// its group as if it had not been there; and that its key is not carried out again for a while, but is afterwards.
func TestAPanicFailsItsOwnRequest(t *testing.T) {
	for _, where := range []string{"plan", "job", "decide"} {
		t.Run(where, func(t *testing.T) {
			s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
			told := &reports{}
			w, err := ledger.NewWriter(s, mint, noPolicies(), ledger.Config{Contained: told.note})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			bad := newPanics("bad", where)
			list := []ledger.Request{request(claimName{"a"}), keyed(bad, "k", "1")}
			for i := range 9 {
				list = append(list, request(claimName{fmt.Sprint("b", i)}))
			}
			for i, res := range w.Do(t.Context(), tenant, list...) {
				if i == 1 {
					wantInternal(t, res)
				} else if res.Err != nil {
					t.Errorf("request %d: %v", i, res.Err)
				}
			}
			if told.at("command") != 1 {
				t.Errorf("%d panics are reported", told.at("command"))
			}
			decisions := bad.times.Load()
			bad.on.Store(false)
			again := w.Do(t.Context(), tenant, keyed(bad, "k", "1"), request(claimName{"c"}))
			wantInternal(t, again[0])
			if again[1].Err != nil || bad.times.Load() != decisions {
				t.Errorf("the key was carried out again: %v", again[1].Err)
			}
			for name, r := range map[string]ledger.Request{
				"without-a-key": request(bad), "another-body": keyed(bad, "k", "2"), "another-key": keyed(bad, "l", "1"),
			} {
				if res := w.Do(t.Context(), tenant, r)[0]; res.Err != nil {
					t.Errorf("%s: %v", name, res.Err)
				}
			}
			if res := w.Do(t.Context(), "other", keyed(bad, "k", "1"))[0]; res.Err != nil {
				t.Errorf("another tenant: %v", res.Err)
			}
		})
	}
}

// TestAKeyThatPanickedIsCarriedOutLater checks that a key is not refused for ever.
func TestAKeyThatPanickedIsCarriedOutLater(t *testing.T) {
	now := &clock{}
	w, err := ledger.NewWriter(openStore(t, filepath.Join(t.TempDir(), "t.db")), now.mint, noPolicies(), ledger.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	bad := newPanics("bad", "decide")
	wantInternal(t, w.Do(t.Context(), tenant, keyed(bad, "k", "1"))[0])
	bad.on.Store(false)
	wantInternal(t, w.Do(t.Context(), tenant, keyed(bad, "k", "1"))[0])
	now.ahead.Store(int64(time.Hour))
	if res := w.Do(t.Context(), tenant, keyed(bad, "k", "1"))[0]; res.Err != nil {
		t.Error(res.Err)
	}
}

// faulty is a store whose calls panic while they are told to.
type faulty struct {
	store.Store
	apply string       // the operation with which Apply panics
	views atomic.Int32 // that are to panic
	reads atomic.Bool  // whether reads of receipts do
}

func (s *faulty) Apply(ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet) ([]tenure.Receipt, error) {
	for _, cs := range sets {
		if s.apply != "" && cs.Operation == s.apply {
			panic("a fault of the engine")
		}
	}
	return s.Store.Apply(ctx, tenant, base, sets)
}

func (s *faulty) View(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	if s.views.Add(-1) >= 0 {
		panic("a fault of the engine")
	}
	r, err := s.Store.View(ctx, tenant, at)
	return faultyReader{r, s}, err
}

type faultyReader struct {
	store.Reader
	s *faulty
}

func (r faultyReader) Receipts(ctx context.Context, scopes []string) (map[string]tenure.Receipt, error) {
	if r.s.reads.Load() {
		panic("a fault of the engine")
	}
	return r.Reader.Receipts(ctx, scopes)
}

// TestAStoreThatPanics checks that a panic of the engine ends neither the process nor the writer.
func TestAStoreThatPanics(t *testing.T) {
	s := &faulty{Store: openStore(t, filepath.Join(t.TempDir(), "t.db"))}
	w := newWriter(t, s)
	t.Run("in-apply", func(t *testing.T) {
		s.apply = "bad"
		bad := request(claimName{"bad"})
		bad.Operation = "bad"
		for i, res := range w.Do(t.Context(), tenant, request(claimName{"a"}), bad, request(claimName{"b"})) {
			if i == 1 {
				wantInternal(t, res)
			} else if res.Err != nil {
				t.Errorf("request %d: %v", i, res.Err)
			}
		}
	})
	t.Run("in-a-read-beside-others", func(t *testing.T) {
		s.reads.Store(true)
		wantInternal(t, w.Do(t.Context(), tenant, keyed(claimName{"c"}, "k", "1"))[0])
		s.reads.Store(false)
	})
	t.Run("in-a-view", func(t *testing.T) {
		s.views.Store(1)
		wantInternal(t, w.Do(t.Context(), tenant, request(claimName{"d"}))[0])
	})
	for i, name := range []string{"a", "b", "e"} {
		if res := w.Do(t.Context(), tenant, request(claimName{name}))[0]; res.Err != nil {
			t.Errorf("afterwards, %d: %v", i, res.Err)
		}
	}
	if log := entries(t, s); len(log) != 3 {
		t.Errorf("%d entries are written, want those of a, b and e", len(log))
	}
}

// TestWhoIsToldOfACommitPanics checks that what is written is answered as written, though those who are told of it
// panic, and that policies that panic fail a request and not the writer.
func TestWhoIsToldOfACommitPanics(t *testing.T) {
	told, policies := &reports{}, noPolicies()
	policies.OnCommit = func(string, []tenure.ChangeSet, []tenure.Receipt) { panic("an observer") }
	derives := &atomic.Bool{}
	policies.Derive = func(context.Context, *ledger.Txn) error {
		if derives.Load() {
			panic("a policy")
		}
		return nil
	}
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	w, err := ledger.NewWriter(s, mint, policies, ledger.Config{Contained: told.note})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, name := range []string{"a", "b"} {
		if res := w.Do(t.Context(), tenant, request(claimName{name}))[0]; res.Err != nil || res.Receipt.Seq == 0 {
			t.Errorf("%s: %+v", name, res)
		}
	}
	if len(entries(t, s)) != 2 || told.at("on_commit") != 2 {
		t.Errorf("%d entries, %d reports", len(entries(t, s)), told.at("on_commit"))
	}
	derives.Store(true)
	wantInternal(t, w.Do(t.Context(), tenant, request(claimName{"c"}))[0])
	derives.Store(false)
	if res := w.Do(t.Context(), tenant, request(claimName{"c"}))[0]; res.Err != nil {
		t.Error(res.Err)
	}
}

// endless is a command whose decision does not end in its time.
type endless struct{ claimName }

func (endless) Decide(ctx context.Context, _ *ledger.Txn, _ tenure.Mint) (any, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestOneExpensiveRequestCostsNoOtherItsAnswer checks that a group with a request that takes longer than its time is
// decided without it.
func TestOneExpensiveRequestCostsNoOtherItsAnswer(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	w, err := ledger.NewWriter(s, mint, noPolicies(), ledger.Config{Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	const requests, expensive = 32, 21
	list := make([]ledger.Request, requests)
	for i := range list {
		list[i] = request(claimName{fmt.Sprint("name", i)})
	}
	list[expensive] = request(endless{})
	for i, res := range w.Do(t.Context(), tenant, list...) {
		if i == expensive {
			if tenure.CodeOf(res.Err) != tenure.Unavailable {
				t.Errorf("the expensive request: %v", res.Err)
			}
		} else if res.Err != nil {
			t.Errorf("request %d: %v", i, res.Err)
		}
	}
	if n := len(entries(t, s)); n != requests-1 {
		t.Errorf("%d are written", n)
	}
}

// TestNoKeyWaitsForTheQueueOfAnother checks that the single write of one actor is decided with the next group, though
// hundreds of another wait, and is accepted though these have taken all the room.
func TestNoKeyWaitsForTheQueueOfAnother(t *testing.T) {
	const groupSize, heavy = 8, 64
	s := newGated(t, openStore(t, filepath.Join(t.TempDir(), "t.db")))
	w, err := ledger.NewWriter(s, mint, noPolicies(), ledger.Config{GroupSize: groupSize, QueueLimit: heavy})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	of := func(actor, name string) ledger.Request {
		r := request(claimName{name})
		r.Actor = actor
		return r
	}
	first := w.Submit(t.Context(), tenant, of("heavy", "first"))
	<-s.started
	list := make([]ledger.Request, heavy+groupSize) // one group is decided on top of the first meanwhile
	for i := range list {
		list[i] = of("heavy", fmt.Sprintf("h%03d", i))
	}
	many := w.Submit(t.Context(), tenant, list...)
	if res := w.Do(t.Context(), tenant, of("heavy", "more"))[0]; tenure.CodeOf(res.Err) != tenure.Unavailable {
		t.Errorf("a key that has all the room: %v", res.Err)
	}
	one := w.Submit(t.Context(), tenant, of("quiet", "one"))
	close(s.release)
	results := append(first(t.Context()), append(many(t.Context()), one(t.Context())...)...)
	for i, res := range results {
		if res.Err != nil {
			t.Fatalf("request %d: %v", i, res.Err)
		}
	}
	before := slices.IndexFunc(entries(t, s), func(e tenure.Entry) bool { return e.Actor == "quiet" })
	if before < 0 || before > 1+2*groupSize {
		t.Errorf("%d writes of the heavy key went before the one of the quiet key", before)
	}
}
