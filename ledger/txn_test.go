package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"tenure"
	"tenure/ledger"
	"tenure/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// interrupted is a store that runs a hook between the view and the first Apply.
type interrupted struct {
	store.Store
	once      sync.Once
	meanwhile func()
}

func (s *interrupted) Apply(
	ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet,
) ([]tenure.Receipt, error) {
	s.once.Do(s.meanwhile)
	return s.Store.Apply(ctx, tenant, base, sets)
}

// A decision is applied with its read set: when another writer changes something in it first, the decision is
// taken again.
func TestADecisionIsTakenAgainIfWhatItReadHasChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	other := newWriter(t, openStore(t, path))
	var theirs ledger.Result
	s := &interrupted{Store: openStore(t, path), meanwhile: func() {
		theirs = other.Do(t.Context(), tenant, request(claimName{"ada"}))[0]
	}}
	ours := newWriter(t, s).Do(t.Context(), tenant, request(claimName{"ada"}), request(claimName{"ben"}))
	if theirs.Err != nil || ours[0].Err != nil || ours[1].Err != nil {
		t.Fatal(theirs.Err, ours[0].Err, ours[1].Err)
	}
	if answer(t, ours[0]) != answer(t, theirs) {
		t.Error("two writers made two entities for one form")
	}
	if n := len(entries(t, s)); n != 2 {
		t.Errorf("%d entries, want 2: one of each form", n)
	}
}

// script is a command made of functions.
type script struct {
	plan   ledger.Plan
	decide func(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error)
}

func (c script) Plan() ledger.Plan { return c.plan }

func (c script) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	return c.decide(ctx, txn, m)
}

var (
	ada   = tenure.AliasKey{Kind: tenure.NameAlias, Key: "ada"}
	work  = tenure.Slot{Subject: entity.ID, Predicate: "office", Scope: tenure.Scope{}.Canonical()}
	claim = tenure.Claim{
		ID: "22222222-2222-7222-8222-222222222222", Subject: work.Subject, Predicate: work.Predicate, Scope: work.Scope,
		Key: "k", Window: tenure.Window{From: 1, Until: tenure.MaxTime},
	}
	entity = tenure.Entity{ID: "11111111-1111-7111-8111-111111111111", Status: tenure.EntityCanonical, Name: "Ada"}
	alias  = tenure.Alias{Key: ada, Entity: entity.ID, Spelling: "Ada", Mention: "33333333-3333-7333-8333-333333333333"}
	asking = tenure.Review{
		ID: "44444444-4444-7444-8444-444444444444", State: tenure.ReviewOpen, Entity: entity.ID, Version: 1,
	}
)

// blind puts changes without having read anything.
func blind(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
	txn.Put(
		tenure.EntityPut{Entity: entity}, tenure.AliasAdded{Alias: alias}, tenure.ClaimAdded{Claim: claim},
		tenure.StandingPut{Slot: work, Standing: tenure.Standing{Belief: claim.ID}}, tenure.ReviewPut{Review: asking},
	)
	return "put", nil
}

// blindly is blind for an entity that exists.
func blindly(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
	txn.Put(
		tenure.AliasAdded{Alias: alias}, tenure.ClaimAdded{Claim: claim},
		tenure.StandingPut{Slot: work, Standing: tenure.Standing{Belief: claim.ID}}, tenure.ReviewPut{Review: asking},
	)
	return "put", nil
}

// seen counts which of blind's changes a transaction shows.
func seen(ctx context.Context, txn *ledger.Txn) (map[string]int, error) {
	aliases, err1 := txn.AliasesByKey(ctx, ada)
	entityAliases, err2 := txn.AliasesOf(ctx, entity.ID)
	e, err3 := txn.Entity(ctx, entity.ID)
	slot, err4 := txn.Slot(ctx, work)
	byKey, err5 := txn.ByKey(ctx, "k")
	reviews, err6 := txn.ReviewsOf(ctx, entity.ID)
	n := map[string]int{
		"aliases": len(aliases), "entity aliases": len(entityAliases), "beliefs": len(slot.Beliefs), "by key": len(byKey),
		"reviews": len(reviews),
	}
	if e != nil {
		n["entities"] = 1
	}
	return n, errors.Join(err1, err2, err3, err4, err5, err6)
}

func look(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) { return seen(ctx, txn) }

// expect compares what seen counted with the expected count of each thing.
func expect(t *testing.T, what string, got map[string]int, want int) {
	t.Helper()
	for _, name := range []string{"aliases", "entity aliases", "entities", "beliefs", "by key", "reviews"} {
		if got[name] != want {
			t.Errorf("%s: %d %s, want %d", what, got[name], name, want)
		}
	}
}

func lookedAt(t *testing.T, res ledger.Result) map[string]int {
	t.Helper()
	if res.Err != nil {
		t.Fatal(res.Err)
	}
	return res.Answer.(map[string]int)
}

// everything prefetches all that seen reads.
var everything = ledger.Reads(ledger.Prefetch{
	AliasKeys: []tenure.AliasKey{ada}, EntityAliases: []tenure.ID{entity.ID}, Entities: []tenure.ID{entity.ID},
	Slots: []tenure.Slot{work}, Keys: []string{"k"},
})

// The decisions of a group see the changes of earlier decisions, whether they prefetched or read late, and
// whether the entity is new or existed.
func TestDecisionsSeeWhatWasPutBefore(t *testing.T) {
	for name, tc := range map[string]struct {
		plan  ledger.Plan
		known bool
	}{
		"read-ahead":         {everything, false},
		"read-late":          {nil, false},
		"read-ahead-of-more": {everything, true},
		"read-late-of-more":  {nil, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWriter(t, openStore(t, filepath.Join(t.TempDir(), "t.db")))
			put := blind
			if tc.known {
				put = blindly
				made := func(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
					txn.Put(tenure.EntityPut{Entity: entity})
					return nil, nil
				}
				if res := w.Do(t.Context(), tenant, request(script{nil, made})); res[0].Err != nil {
					t.Fatal(res[0].Err)
				}
			}
			own := script{tc.plan, func(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
				if _, err := put(ctx, txn, m); err != nil {
					return nil, err
				}
				return seen(ctx, txn)
			}}
			if tc.plan == nil { // the next decision is the first to read
				own = script{nil, put}
			}
			res := w.Do(t.Context(), tenant, request(own), request(script{nil, look}))
			if tc.plan != nil {
				expect(t, "the decision itself", lookedAt(t, res[0]), 1)
			}
			expect(t, "the decision after it", lookedAt(t, res[1]), 1)
			expect(t, "the store", lookedAt(t, w.Do(t.Context(), tenant, request(script{nil, look}))[0]), 1)
		})
	}
}

// A refused decision leaves nothing behind, whatever it put and read.
func TestWhatIsRefusedIsDiscarded(t *testing.T) {
	refusal := tenure.Errorf(tenure.Unprocessable, "no")
	for name, plan := range map[string]ledger.Plan{"read-ahead": everything, "read-late": nil} {
		t.Run(name, func(t *testing.T) {
			s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
			refused := script{plan, func(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
				if _, err := blind(ctx, txn, m); err != nil {
					return nil, err
				}
				n, err := seen(ctx, txn)
				expect(t, "before the refusal", n, 1)
				return nil, errors.Join(err, refusal)
			}}
			res := newWriter(t, s).Do(t.Context(), tenant,
				request(refused), request(script{nil, look}), request(script{plan, blind}))
			if !errors.Is(res[0].Err, error(refusal)) || res[2].Err != nil {
				t.Fatal(res[0].Err, res[2].Err)
			}
			expect(t, "after the refusal", lookedAt(t, res[1]), 0)
			if n := len(entries(t, s)); n != 1 {
				t.Errorf("%d entries, want 1", n)
			}
		})
	}
}

// A version that is put again replaces, in its place, the version that the decision put before.
func TestAVersionIsPutOnce(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	twice := func(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		renamed := entity
		renamed.Name = "Ada Park"
		txn.Put(tenure.EntityPut{Entity: entity}, tenure.AliasAdded{Alias: alias})
		txn.Put(tenure.EntityPut{Entity: renamed})
		return nil, nil
	}
	if res := newWriter(t, s).Do(t.Context(), tenant, request(script{nil, twice})); res[0].Err != nil {
		t.Fatal(res[0].Err)
	}
	if changes := entries(t, s)[0].Changes; len(changes) != 2 || changes[0].Kind != tenure.KindEntityPut {
		t.Errorf("the entry has %+v", changes)
	}
	view, err := s.View(t.Context(), tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	found, err := view.Entities(t.Context(), []tenure.ID{entity.ID})
	if err != nil || len(found) != 1 || found[0].Name != "Ada Park" {
		t.Errorf("got %+v, %v", found, err)
	}
}

// An exclusive decision gets a transaction of its own.
func TestAnExclusiveDecisionHasItsOwnTransaction(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	var pending []int
	exclusive := func(name string) script {
		return script{nil, func(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
			if err := txn.RequireExclusive(); err != nil {
				return nil, err
			}
			pending = append(pending, len(txn.Similar([]string{"any"})))
			return claimName{name}.Decide(ctx, txn, m)
		}}
	}
	p := noPolicies()
	p.BlockingKeys = func(tenure.Alias) []string { return []string{"any"} }
	var groups [][]int
	p.OnCommit = func(_ string, sets []tenure.ChangeSet, _ []tenure.Receipt) { groups = append(groups, []int{len(sets)}) }
	w, err := ledger.NewWriter(s, mint, p, ledger.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	for _, res := range w.Do(t.Context(), tenant,
		request(claimName{"a"}), request(exclusive("b")), request(claimName{"c"}), request(exclusive("d")),
	) {
		if res.Err != nil {
			t.Fatal(res.Err)
		}
	}
	if fmt.Sprint(pending) != "[0 0]" || fmt.Sprint(groups) != "[[1] [1] [1] [1]]" {
		t.Errorf("pending %v; groups %v", pending, groups)
	}
	if n := len(entries(t, s)); n != 4 {
		t.Errorf("%d entries, want 4", n)
	}
}

// planned is decided once its plan has loaded enough.
type planned struct{ brought, needs int }

func (c *planned) Plan() ledger.Plan {
	return ledger.Plan{{Name: "more", Work: func(context.Context, *ledger.Txn) []ledger.Job {
		return []ledger.Job{func() { c.brought++ }}
	}}}
}

func (c *planned) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if _, err := blind(ctx, txn, m); err != nil {
		return nil, err
	}
	if c.brought < c.needs {
		return nil, ledger.ErrReplan
	}
	return len(txn.Changes()), nil
}

// A decision that lacks an input is planned again, and the changes that it put before are discarded.
func TestADecisionIsPlannedAgain(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	res := newWriter(t, s).Do(t.Context(), tenant, request(&planned{needs: 4}), request(&planned{needs: 1_000_000}))
	if res[0].Err != nil || res[0].Answer != 5 {
		t.Errorf("got %v, %v", res[0].Answer, res[0].Err)
	}
	if tenure.CodeOf(res[1].Err) != tenure.Internal {
		t.Errorf("a decision that never has enough: %v", res[1].Err)
	}
}

// A dry run decides each command as if it were the only one, and writes nothing.
func TestADryRunWritesNothing(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	view, err := s.View(t.Context(), tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	var saw []map[string]int
	decide := func(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
		n, err := seen(ctx, txn)
		saw = append(saw, n)
		if err != nil {
			return nil, err
		}
		return blind(ctx, txn, m)
	}
	if _, err := ledger.DryRun(t.Context(), view, mint, script{everything, decide}, script{nil, decide}); err != nil {
		t.Fatal(err)
	}
	for _, n := range saw {
		expect(t, "a dry run", n, 0)
	}
	if n := len(entries(t, s)); len(saw) != 2 || n != 0 {
		t.Errorf("%d decisions, %d entries", len(saw), n)
	}
}

// TestAliasesGrowInPlace checks that the aliases of one entity in one decision cost memory for what they are, not for
// their square; that a list that was read does not change; and that an undone change leaves the shorter list.
func TestAliasesGrowInPlace(t *testing.T) {
	view, err := openStore(t, filepath.Join(t.TempDir(), "t.db")).View(t.Context(), tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	txn := ledger.NewTxn(view)
	entity := idOf('e', 1)
	txn.Put(tenure.EntityPut{Entity: tenure.Entity{ID: entity, Name: "Ada"}})
	read := func() []tenure.Alias {
		list, err := txn.AliasesOf(t.Context(), entity)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	read()
	const many = 4000
	add := func(i int) {
		key := tenure.AliasKey{Kind: tenure.NameAlias, Key: fmt.Sprint("ada ", i)}
		txn.Put(tenure.AliasAdded{Alias: tenure.Alias{Key: key, Entity: entity, Mention: idOf('m', i)}})
	}
	add(0)
	first := read()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for i := range many {
		add(i + 1)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 100<<20 {
		t.Errorf("%d aliases cost %d MB", many, got>>20)
	}
	_ = append(first, tenure.Alias{Entity: "another"})
	all := read()
	if len(first) != 1 || len(all) != many+1 || all[1].Key.Key != "ada 1" || all[many].Key.Key != fmt.Sprint("ada ", many) {
		t.Errorf("%d at first, %d in all", len(first), len(all))
	}
}
