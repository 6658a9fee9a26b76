package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tenure"
	"tenure/ledger"
	"tenure/store"
)

// gated is a store whose first Apply waits for release; interfere, if set, runs after that and before the change sets
// are applied. It fails the test if two rounds are applied at once.
type gated struct {
	store.Store
	t                *testing.T
	started, release chan struct{}
	interfere        func()
	fails            error // of the first Apply
	once             sync.Once
	applying         sync.Mutex
	views            int
}

func newGated(t *testing.T, s store.Store) *gated {
	return &gated{Store: s, t: t, started: make(chan struct{}), release: make(chan struct{})}
}

func (s *gated) View(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	s.views++
	return s.Store.View(ctx, tenant, at)
}

func (s *gated) Apply(ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet) (_ []tenure.Receipt, err error) {
	if !s.applying.TryLock() {
		s.t.Error("two rounds are applied at once")
		s.applying.Lock()
	}
	defer s.applying.Unlock()
	s.once.Do(func() {
		close(s.started)
		<-s.release
		if s.interfere != nil {
			s.interfere()
		}
		err = s.fails
	})
	if err != nil {
		return nil, err
	}
	return s.Store.Apply(ctx, tenant, base, sets)
}

// decided is a command that signals each of its decisions.
type decided struct {
	ledger.Command
	times chan struct{}
}

func signalling(c ledger.Command) decided { return decided{c, make(chan struct{}, 99)} }

func (c decided) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	a, err := c.Command.Decide(ctx, txn, m)
	c.times <- struct{}{}
	return a, err
}

// together submits the first requests, and the others while the first are being applied: they are decided before the
// store goes on. It returns the results of both.
func together(t *testing.T, s *gated, w *ledger.Writer, first, others []ledger.Request) []ledger.Result {
	t.Helper()
	last := signalling(others[len(others)-1].Command)
	others[len(others)-1].Command = last
	wait := w.Submit(t.Context(), tenant, first...)
	<-s.started
	waitOthers := w.Submit(t.Context(), tenant, others...)
	<-last.times
	close(s.release)
	return append(wait(t.Context()), waitOthers(t.Context())...)
}

// TestARoundIsDecidedWhileTheOneBeforeIsApplied checks that requests which arrive while a round is applied are decided
// on what it will have changed, whatever becomes of it.
func TestARoundIsDecidedWhileTheOneBeforeIsApplied(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	for name, c := range map[string]struct {
		interfere []ledger.Command // of another writer, before the first round is applied
		fails     error
		first     tenure.Code // of the first round
		ben       string      // whose entity the name ben is in the end
		decisions int         // of the last request, before its answer
		views     int
	}{
		"on-top":      {ben: "ours", decisions: 1, views: 2},
		"conflict":    {interfere: []ledger.Command{claimName{"ada"}}, ben: "ours", decisions: 2, views: 3},
		"another-one": {interfere: []ledger.Command{claimName{"ben"}}, ben: "theirs", decisions: 2, views: 2},
		"unavailable": {fails: tenure.Errorf(tenure.Unavailable, "no"), first: tenure.Unavailable, ben: "ours", decisions: 2, views: 2},
	} {
		t.Run(name, func(t *testing.T) {
			path := path + name
			other := newWriter(t, openStore(t, path))
			s := newGated(t, openStore(t, path))
			s.fails = c.fails
			theirs := ""
			s.interfere = func() {
				for _, cmd := range c.interfere {
					theirs = answer(t, other.Do(t.Context(), tenant, request(cmd))[0])
				}
			}
			w := newWriter(t, s)
			last := signalling(claimName{"ben"})
			res := together(t, s, w, []ledger.Request{request(claimName{"ada"})},
				[]ledger.Request{request(claimName{"ben"}), request(claimName{"ada"}), request(last)})
			if got := tenure.CodeOf(res[0].Err); got != c.first {
				t.Fatalf("the first round: %v", res[0].Err)
			}
			for _, r := range res[1:] {
				if r.Err != nil {
					t.Fatal(r.Err)
				}
			}
			if c.first == "" && answer(t, res[0]) != answer(t, res[2]) {
				t.Error("the second round made another entity of the name ada")
			}
			if ben := answer(t, res[1]); ben != answer(t, res[3]) || (ben == theirs) != (c.ben == "theirs") {
				t.Errorf("ben is %s, then %s; the other writer's is %s", ben, answer(t, res[3]), theirs)
			}
			if n := len(last.times); n != c.decisions {
				t.Errorf("decided %d times, want %d", n, c.decisions)
			}
			if s.views != c.views {
				t.Errorf("%d views, want %d", s.views, c.views)
			}
			if n := len(entries(t, s)); n != 2 {
				t.Errorf("%d entries, want one of each name", n)
			}
		})
	}
}

// TestKeysOfARoundThatIsApplied checks that a key which a round being applied has used is not carried out again, and
// refused with another body.
func TestKeysOfARoundThatIsApplied(t *testing.T) {
	s := newGated(t, openStore(t, filepath.Join(t.TempDir(), "t.db")))
	res := together(t, s, newWriter(t, s), []ledger.Request{keyed(claimName{"ada"}, "k", "1")},
		[]ledger.Request{keyed(claimName{"ben"}, "k", "1"), keyed(claimName{"cem"}, "k", "2"), request(claimName{"dee"})})
	if res[0].Err != nil || res[1].Err != nil || res[3].Err != nil {
		t.Fatal(res[0].Err, res[1].Err, res[3].Err)
	}
	if !res[1].Receipt.Replayed || answer(t, res[1]) != answer(t, res[0]) {
		t.Error("the key was carried out twice")
	}
	if tenure.CodeOf(res[2].Err) != tenure.KeyReused {
		t.Errorf("another body: %v", res[2].Err)
	}
	if n := len(entries(t, s)); n != 2 {
		t.Errorf("%d entries, want 2", n)
	}
}

// TestReceiptsOfRounds checks that receipts are numbered on from the round before, and that a request without changes
// gets the number of the state which it was decided on.
func TestReceiptsOfRounds(t *testing.T) {
	s := newGated(t, openStore(t, filepath.Join(t.TempDir(), "t.db")))
	res := together(t, s, newWriter(t, s), []ledger.Request{request(claimName{"a"})},
		[]ledger.Request{request(claimName{"a"}), request(claimName{"b"}), request(claimName{"a"})})
	var got []tenure.Seq
	for _, r := range res {
		got = append(got, r.Receipt.Seq-res[0].Receipt.Seq)
	}
	if fmt.Sprint(got) != "[0 0 1 1]" {
		t.Errorf("numbers %v", got)
	}
	if res[1].Receipt.Tx != res[0].Receipt.Tx || res[3].Receipt.Tx != res[2].Receipt.Tx || res[2].Receipt.Tx <= res[0].Receipt.Tx {
		t.Error("a request without changes is not of the time of the state that it was decided on")
	}
}

// TestAnExclusiveDecisionWaitsForTheRoundBefore checks that an exclusive decision shares a transaction neither with the
// round that is applied before it nor with decisions after it.
func TestAnExclusiveDecisionWaitsForTheRoundBefore(t *testing.T) {
	s := newGated(t, openStore(t, filepath.Join(t.TempDir(), "t.db")))
	w := newWriter(t, s)
	in := map[string]*ledger.Txn{} // the transaction of each decision that was taken in the end
	adds := func(name string, exclusive bool) ledger.Request {
		return request(script{nil, func(_ context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
			if exclusive {
				if err := txn.RequireExclusive(); err != nil {
					return nil, err
				}
			}
			in[name] = txn
			txn.Put(tenure.EntityPut{Entity: tenure.Entity{ID: m.NewID(), Status: tenure.EntityCanonical, Name: name}})
			return nil, nil
		}})
	}
	wait := w.Submit(t.Context(), tenant, adds("a", false))
	<-s.started
	waitOthers := w.Submit(t.Context(), tenant, adds("b", true), adds("c", false), adds("d", true), adds("e", true))
	close(s.release)
	for _, r := range append(wait(t.Context()), waitOthers(t.Context())...) {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	for _, exclusive := range []string{"b", "d", "e"} {
		for name, txn := range in {
			if name != exclusive && txn == in[exclusive] {
				t.Errorf("%s shares the transaction of %s", name, exclusive)
			}
		}
	}
	if n := len(entries(t, s)); n != 5 {
		t.Errorf("%d entries, want 5", n)
	}
}

// TestAnEntityOfAnEarlierDecisionIsAPrecondition checks that a decision about an entity which an earlier decision of the
// same transaction created records that it has read the entity: once that one is applied, other writers know the entity.
func TestAnEntityOfAnEarlierDecisionIsAPrecondition(t *testing.T) {
	s := &recording{Store: openStore(t, filepath.Join(t.TempDir(), "t.db"))}
	create := script{nil, func(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		txn.Put(tenure.EntityPut{Entity: entity})
		return nil, nil
	}}
	read := script{nil, func(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
		if _, err := txn.Entity(ctx, entity.ID); err != nil {
			return nil, err
		}
		txn.Put(tenure.VocabularyPut{Vocabulary: tenure.Vocabulary{Name: "w", Version: 1}})
		return nil, nil
	}}
	for _, r := range newWriter(t, s).Do(t.Context(), tenant, request(create), request(read)) {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	if got := s.sets[1].ReadSet; !reflect.DeepEqual(got, []tenure.ConflictKey{tenure.EntityConflict(entity.ID)}) {
		t.Errorf("the read set is %v", got)
	}
}

// namesNow is a command without changes that answers with the number of entities which have a name.
type namesNow struct{ claimName }

func (c namesNow) Decide(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
	aliases, err := txn.AliasesByKey(ctx, c.key())
	return fmt.Sprint(len(aliases)), err
}

// TestARequestSeesWhatWasWrittenBeforeIt checks that a request without changes is decided on a state no older than its
// submission, though the round before it, on an older one, is not answered yet.
func TestARequestSeesWhatWasWrittenBeforeIt(t *testing.T) {
	for name, c := range map[string]struct {
		first  ledger.Command
		commit bool // the other writer writes after the first round is committed, not while it is decided
	}{
		"without-changes": {first: namesNow{claimName{"ben"}}},
		"with-changes":    {first: claimName{"ben"}},
		"committed":       {first: claimName{"ben"}, commit: true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.db")
			reached, release := make(chan struct{}), make(chan struct{})
			hold := sync.OnceFunc(func() { close(reached); <-release })
			first := script{nil, func(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
				a, err := c.first.Decide(ctx, txn, m)
				if !c.commit {
					hold()
				}
				return a, err
			}}
			p := noPolicies()
			p.OnCommit = func(string, []tenure.ChangeSet, []tenure.Receipt) { hold() }
			w, err := ledger.NewWriter(openStore(t, path), mint, p, ledger.Config{})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			waitFirst := w.Submit(t.Context(), tenant, request(first))
			<-reached
			if res := newWriter(t, openStore(t, path)).Do(t.Context(), tenant, request(claimName{"ada"})); res[0].Err != nil {
				t.Fatal(res[0].Err)
			}
			last := signalling(namesNow{claimName{"ada"}})
			wait := w.Submit(t.Context(), tenant, request(last))
			if c.commit {
				<-last.times // decided on top of the first round
			}
			close(release)
			if res := waitFirst(t.Context())[0]; res.Err != nil {
				t.Fatal(res.Err)
			}
			if res := wait(t.Context())[0]; res.Err != nil || res.Answer != "1" {
				t.Errorf("%v entities, %v: the one that was there before is not seen", res.Answer, res.Err)
			}
		})
	}
}

// TestABackgroundRequestIsDecidedOnWhatIsObserved checks that it is not decided while a round before it is applied: what
// it looks for, those who observe commits know by then.
func TestABackgroundRequestIsDecidedOnWhatIsObserved(t *testing.T) {
	reached, release := make(chan struct{}), make(chan struct{})
	var observed atomic.Int64
	hold := sync.OnceFunc(func() { close(reached); <-release })
	p := noPolicies()
	p.OnCommit = func(string, []tenure.ChangeSet, []tenure.Receipt) { hold(); observed.Add(1) }
	w, err := ledger.NewWriter(openStore(t, filepath.Join(t.TempDir(), "t.db")), mint, p, ledger.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	waitFirst := w.Submit(t.Context(), tenant, request(claimName{"ada"}))
	<-reached
	later := request(script{nil, func(context.Context, *ledger.Txn, tenure.Mint) (any, error) { return observed.Load(), nil }})
	later.Background = true
	wait := w.Submit(t.Context(), tenant, later)
	close(release)
	if res := wait(t.Context())[0]; res.Err != nil || res.Answer != int64(1) {
		t.Errorf("it was decided when %v commits were observed: %v", res.Answer, res.Err)
	}
	if res := waitFirst(t.Context())[0]; res.Err != nil {
		t.Error(res.Err)
	}
}

// deadlines is a store that records the deadline of each Apply.
type deadlines struct {
	store.Store
	of []time.Time
}

func (s *deadlines) Apply(ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet) ([]tenure.Receipt, error) {
	deadline, _ := ctx.Deadline()
	s.of = append(s.of, deadline)
	return s.Store.Apply(ctx, tenant, base, sets)
}

// TestWaitingForARoundDoesNotCount checks that the time which a decided round waits for the one before it is not taken
// from the time that it has to be applied.
func TestWaitingForARoundDoesNotCount(t *testing.T) {
	below := &deadlines{Store: openStore(t, filepath.Join(t.TempDir(), "t.db"))}
	s := newGated(t, below)
	w, err := ledger.NewWriter(s, mint, noPolicies(), ledger.Config{Timeout: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var waited time.Time
	s.interfere = func() { waited = time.Now() } // the second round is decided
	together(t, s, w, []ledger.Request{request(claimName{"a"})}, []ledger.Request{request(claimName{"b"})})
	if len(below.of) != 2 || below.of[1].Before(waited.Add(time.Hour)) {
		t.Errorf("deadlines %v, and the second round had waited until %v", below.of, waited)
	}
}

// TestBackgroundRequestsGiveWay checks that a request overtakes background requests that wait, but for a few, and that
// these are not left behind while others keep coming.
func TestBackgroundRequestsGiveWay(t *testing.T) {
	s := newGated(t, openStore(t, filepath.Join(t.TempDir(), "t.db")))
	w := newWriter(t, s)
	var order []string
	adds := func(name string, background bool) ledger.Request {
		r := request(script{nil, func(_ context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
			order = append(order, name)
			txn.Put(tenure.EntityPut{Entity: tenure.Entity{ID: m.NewID(), Status: tenure.EntityCanonical, Name: name}})
			return nil, nil
		}})
		r.Background = background
		return r
	}
	first := w.Submit(t.Context(), tenant, adds("first", false))
	<-s.started
	var background, others []ledger.Request
	for range 40 {
		background = append(background, adds("background", true))
	}
	for range 20 {
		others = append(others, adds("other", false))
	}
	inBackground := w.Submit(t.Context(), tenant, background...)
	var results []ledger.Result
	var waits []func(context.Context) []ledger.Result
	for _, r := range others {
		waits = append(waits, w.Submit(t.Context(), tenant, r))
	}
	close(s.release)
	for _, wait := range append(waits, first, inBackground) {
		results = append(results, wait(t.Context())...)
	}
	for _, r := range results {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	if len(order) != 61 {
		t.Fatalf("%d decisions, want 61", len(order))
	}
	// Until the others arrive, the background may have had groups of 4, 8 and 16.
	if at := slices.Index(order, "other"); at > 1+28 {
		t.Errorf("%d background requests went before the first of the others", at-1)
	}
	if at := slices.Index(order, "background"); at > 21 {
		t.Errorf("the first of the background went after %d others", at-1)
	}
}

// TestAPanicCostsOnlyItself checks that a decision or a job that panics is answered with an error without a word of it,
// and that the others of its group are carried out.
func TestAPanicCostsOnlyItself(t *testing.T) {
	jobs := func(context.Context, *ledger.Txn) []ledger.Job {
		return []ledger.Job{func() { panic("secret") }, func() {}}
	}
	for name, c := range map[string]script{
		"decision": {nil, func(context.Context, *ledger.Txn, tenure.Mint) (any, error) { panic("secret") }},
		"job":      {ledger.Plan{{Name: "bad", Work: jobs}}, blind},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWriter(t, openStore(t, filepath.Join(t.TempDir(), "t.db")))
			res := w.Do(t.Context(), tenant, request(claimName{"a"}), request(c), request(claimName{"b"}))
			if res[0].Err != nil || res[2].Err != nil {
				t.Error(res[0].Err, res[2].Err)
			}
			var e *tenure.Error
			if !errors.As(res[1].Err, &e) || e.Code != tenure.Internal || strings.Contains(e.Message, "secret") {
				t.Errorf("the panic is answered with %v", res[1].Err)
			}
		})
	}
}
