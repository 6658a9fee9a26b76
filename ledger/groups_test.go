package ledger_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/ledger"
	"tenure/store"
)

// picky is a store that refuses the groups with a certain operation.
type picky struct {
	store.Store
	refuses string
	with    error
	sizes   []int
}

func (s *picky) Apply(ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet) ([]tenure.Receipt, error) {
	s.sizes = append(s.sizes, len(sets))
	if slices.ContainsFunc(sets, func(cs tenure.ChangeSet) bool { return cs.Operation == s.refuses }) {
		return nil, s.with
	}
	return s.Store.Apply(ctx, tenant, base, sets)
}

// TestWhatTheStoreRefusesCostsOnlyItself checks that a change set which the store refuses fails its own request alone,
// that a store which is out of reach fails all of the group, and that endless conflicts end in time.
func TestWhatTheStoreRefusesCostsOnlyItself(t *testing.T) {
	for _, c := range []struct {
		code  tenure.Code
		codes []tenure.Code
		sizes string
	}{
		{tenure.Unprocessable, []tenure.Code{"", tenure.Unprocessable, ""}, "[3 1 1 1]"},
		{tenure.Internal, []tenure.Code{"", tenure.Internal, ""}, "[3 1 1 1]"},
		{tenure.Unavailable, []tenure.Code{tenure.Unavailable, tenure.Unavailable, tenure.Unavailable}, "[3]"},
		{tenure.Conflicting, []tenure.Code{tenure.Unavailable, tenure.Unavailable, tenure.Unavailable}, ""},
	} {
		t.Run(string(c.code), func(t *testing.T) {
			s := &picky{Store: openStore(t, filepath.Join(t.TempDir(), "t.db")), refuses: "bad", with: tenure.Errorf(c.code, "no")}
			var cfg ledger.Config
			if c.code == tenure.Conflicting {
				cfg.Timeout = time.Second
			}
			w, err := ledger.NewWriter(s, mint, noPolicies(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			bad := request(claimName{"b"})
			bad.Operation = "bad"
			var got []tenure.Code
			for _, res := range w.Do(t.Context(), tenant, request(claimName{"a"}), bad, request(claimName{"c"})) {
				if res.Err == nil {
					got = append(got, "")
					continue
				}
				got = append(got, tenure.CodeOf(res.Err))
			}
			if diff := cmp.Diff(c.codes, got); diff != "" {
				t.Error(diff)
			}
			if sizes := fmt.Sprint(s.sizes); c.sizes != "" && sizes != c.sizes {
				t.Errorf("applied %s, want %s", sizes, c.sizes)
			}
		})
	}
}

// TestReceiptsOfAGroup checks that each request of a group has its own number in the order of the requests, and one
// without changes that of the state which it was decided on.
func TestReceiptsOfAGroup(t *testing.T) {
	w := newWriter(t, stopped(t))
	first := w.Do(t.Context(), tenant, request(claimName{"a"}))[0].Receipt
	res := w.Do(t.Context(), tenant,
		request(claimName{"a"}), request(claimName{"b"}), request(claimName{"b"}), request(claimName{"c"}), request(claimName{"a"}))
	var got []tenure.Seq
	for i, r := range res {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
		got = append(got, r.Receipt.Seq-first.Seq)
		if r.Receipt.Tx-first.Tx != tenure.Instant(got[i]) {
			t.Errorf("request %d: number %d at %d after the first", i, got[i], r.Receipt.Tx-first.Tx)
		}
	}
	if fmt.Sprint(got) != "[0 1 1 2 2]" {
		t.Errorf("got %v", got)
	}
}

// TestGroupsAreBounded checks how many requests share a transaction, and that all are carried out in order.
func TestGroupsAreBounded(t *testing.T) {
	s := &picky{Store: openStore(t, filepath.Join(t.TempDir(), "t.db"))}
	w, err := ledger.NewWriter(s, mint, noPolicies(), ledger.Config{GroupSize: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var requests []ledger.Request
	for i := range 8 {
		requests = append(requests, request(claimName{fmt.Sprint(i)}))
	}
	for i, res := range w.Do(t.Context(), tenant, requests...) {
		if res.Err != nil || res.Receipt.Seq != tenure.Seq(i+1) {
			t.Errorf("request %d: number %d, %v", i, res.Receipt.Seq, res.Err)
		}
	}
	if got := fmt.Sprint(s.sizes); got != "[3 3 2]" {
		t.Errorf("groups of %s", got)
	}
}

// TestSimilarNames checks that a decision finds the entities that accepted decisions of its group named alike, each
// once, and none of a refused one.
func TestSimilarNames(t *testing.T) {
	p := noPolicies()
	p.BlockingKeys = func(a tenure.Alias) []string { return []string{a.Key.Key[:1], "all"} }
	w, err := ledger.NewWriter(openStore(t, filepath.Join(t.TempDir(), "t.db")), mint, p, ledger.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	refused := script{nil, func(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
		_, err := claimName{"a9"}.Decide(ctx, txn, m)
		return nil, fmt.Errorf("refused: %w", err)
	}}
	var found [][]tenure.ID
	search := script{nil, func(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		for _, keys := range [][]string{{"a"}, {"b"}, {"a", "all"}, {"none"}, nil} {
			found = append(found, txn.Similar(keys))
		}
		return nil, nil
	}}
	res := w.Do(t.Context(), tenant, request(claimName{"a1"}), request(refused), request(claimName{"b1"}), request(claimName{"a2"}), request(search))
	a1, b1, a2 := tenure.ID(answer(t, res[0])), tenure.ID(answer(t, res[2])), tenure.ID(answer(t, res[3]))
	want := [][]tenure.ID{{a1, a2}, {b1}, {a1, a2, b1}, nil, nil}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
}

// TestRelated checks which beliefs relate entities for the resolution of names: what every caller may see, in the
// present, in both directions, and by roots.
func TestRelated(t *testing.T) {
	w := newWriter(t, stopped(t))
	h := &history{}
	self := idOf('e', 0)
	entities := []tenure.Entity{{ID: self, Status: tenure.EntityCanonical}}
	var want []tenure.ID
	var puts []tenure.Change
	relate := func(n int, back, counts bool, edit func(*tenure.Claim, *tenure.Entity)) {
		e := tenure.Entity{ID: idOf('e', n), Status: tenure.EntityCanonical}
		c := tenure.Claim{
			ID: idOf('c', n), Subject: self, Predicate: fmt.Sprint("p", n), Scope: tenure.Scope{}.Canonical(),
			Window: tenure.Window{From: 1, Until: tenure.MaxTime}, Value: tenure.Value{Entity: e.ID, Canonical: "entity:" + string(e.ID)},
			Description: tenure.Description{Classification: tenure.Public},
		}
		if back {
			c.Subject, c.Value.Entity = e.ID, self
		}
		edit(&c, &e)
		entities = append(entities, e)
		puts = append(puts, tenure.ClaimAdded{Claim: c}, standingOf(c, tenure.Stands))
		if counts {
			want = append(want, e.Root())
		}
	}
	relate(1, false, true, func(*tenure.Claim, *tenure.Entity) {})
	relate(2, true, true, func(*tenure.Claim, *tenure.Entity) {})
	relate(3, false, false, func(c *tenure.Claim, _ *tenure.Entity) { c.Scope = tenure.Scope{ProjectID: "p"}.Canonical() })
	relate(4, false, false, func(c *tenure.Claim, _ *tenure.Entity) { c.Classification = tenure.HighlyRestricted })
	relate(9, false, false, func(c *tenure.Claim, _ *tenure.Entity) { c.Classification = "" })
	relate(5, false, true, func(c *tenure.Claim, _ *tenure.Entity) { c.Classification = tenure.Restricted })
	relate(6, false, false, func(c *tenure.Claim, _ *tenure.Entity) { c.Window.Until = 2 })
	relate(7, false, true, func(_ *tenure.Claim, e *tenure.Entity) { e.Status, e.MergedInto = tenure.EntityMerged, idOf('e', 20) })
	relate(8, false, false, func(_ *tenure.Claim, e *tenure.Entity) { e.Status, e.MergedInto = tenure.EntityMerged, idOf('e', 20) })
	entities = append(entities, tenure.Entity{ID: idOf('e', 20), Status: tenure.EntityCanonical, Members: []tenure.ID{idOf('e', 7), idOf('e', 8)}})
	var got []tenure.ID
	h.do(t, w, request(script{nil, func(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		for _, e := range entities {
			txn.Put(tenure.EntityPut{Entity: e})
		}
		txn.Put(puts...)
		return nil, nil
	}}))
	h.do(t, w, request(script{nil, func(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (_ any, err error) {
		got, err = txn.Related(ctx, []tenure.ID{self})
		return nil, err
	}}))
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestPlansBesideOneAnother checks that plans which are executed together carry out and load all of their steps.
func TestPlansBesideOneAnother(t *testing.T) {
	var done []string
	step := func(name string, p ledger.Prefetch) ledger.Step {
		return ledger.Step{
			Name: name,
			Work: func(context.Context, *ledger.Txn) []ledger.Job {
				return []ledger.Job{func() { done = append(done, name) }}
			},
			Load: func(*ledger.Txn) ledger.Prefetch { return p },
		}
	}
	one := ledger.Plan{step("a1", ledger.Prefetch{Keys: []string{"1"}}), step("a2", ledger.Prefetch{Keys: []string{"2"}}), step("a3", ledger.Prefetch{})}
	other := ledger.Plan{{Name: "b1"}, step("b2", ledger.Prefetch{Keys: []string{"3"}, Terms: []string{"t"}})}
	joined := ledger.Beside(one, other, nil)
	var got []string
	for _, s := range joined {
		for _, job := range s.Work(t.Context(), nil) {
			job()
		}
		got = append(got, fmt.Sprint(s.Name, s.Load(nil).Keys, s.Load(nil).Terms, done))
		done = nil
	}
	want := []string{"a1 and b1[1] [] [a1]", "a2 and b2[2 3] [t] [a2 b2]", "a3[] [] [a3]"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
