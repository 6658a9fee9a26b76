package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
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
		{tenure.Unprocessable, []tenure.Code{"", tenure.Unprocessable, ""}, "[3 1 2 1 1]"},
		{tenure.Internal, []tenure.Code{"", tenure.Internal, ""}, "[3 1 2 1 1]"},
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
	relate(12, false, false, func(c *tenure.Claim, _ *tenure.Entity) { c.Permission.AllowRoles = []string{"hr"} })
	relate(13, false, false, func(c *tenure.Claim, _ *tenure.Entity) { c.Permission.DenyRoles = []string{"guest"} })
	relate(6, false, false, func(c *tenure.Claim, _ *tenure.Entity) { c.Window.Until = 2 })
	relate(10, false, false, func(c *tenure.Claim, _ *tenure.Entity) { c.Window.From = 1_000_000_001 }) // after the present
	relate(11, false, true, func(c *tenure.Claim, _ *tenure.Entity) { c.Window.From = 1_000_000_000 })
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

// TestAnEntityThatAnotherWriterChangedMeanwhile checks that a writer whose group was applied after another writer's
// does not go on with the entities that it knew before.
func TestAnEntityThatAnotherWriterChangedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	other := newWriter(t, openStore(t, path))
	made := other.Do(t.Context(), tenant, request(claimName{"0"}))[0]
	id := tenure.ID(answer(t, made))
	var theirs ledger.Result
	s := &interrupted{Store: openStore(t, path), meanwhile: func() {
		theirs = other.Do(t.Context(), tenant, request(rename{id, "theirs"}))[0]
	}}
	ours := newWriter(t, s)
	read := script{nil, func(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		e, err := txn.Entity(ctx, id)
		return e.Name, err
	}}
	for i, want := range []string{"0", "theirs", "theirs"} {
		// The other entity is written while the first is renamed.
		res := ours.Do(t.Context(), tenant, request(read), request(claimName{fmt.Sprint("own", i)}))
		if res[0].Err != nil || res[1].Err != nil || theirs.Err != nil {
			t.Fatal(res[0].Err, res[1].Err, theirs.Err)
		}
		if got := answer(t, res[0]); got != want {
			t.Errorf("group %d found %q, want %q", i, got, want)
		}
	}
}

// cold is a store whose first reads do not end in time.
type cold struct {
	store.Store
	slow  atomic.Int32 // views that are
	views atomic.Int32
}

func (s *cold) View(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	s.views.Add(1)
	if s.slow.Add(-1) < 0 {
		return s.Store.View(ctx, tenant, at)
	}
	<-ctx.Done()
	return nil, &tenure.Error{Code: tenure.Unavailable, Message: "slow", Err: ctx.Err()}
}

// TestAColdStoreRefusesNothing checks that the requests of a group that could not be decided in its time are carried
// out once the store is fast, each once, and that a store that stays slow is not waited for again and again.
func TestAColdStoreRefusesNothing(t *testing.T) {
	const requests = 40
	for slow, refused := range map[int]int{1: 0, 1000: requests} {
		s := &cold{Store: openStore(t, filepath.Join(t.TempDir(), "t.db"))}
		s.slow.Store(int32(slow))
		w, err := ledger.NewWriter(s, mint, noPolicies(), ledger.Config{Timeout: 2 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		var list []ledger.Request
		for i := range requests {
			list = append(list, request(claimName{fmt.Sprint("name", i)}))
		}
		got := 0
		for _, res := range w.Do(t.Context(), tenant, list...) {
			if tenure.CodeOf(res.Err) == tenure.Unavailable {
				got++
			} else if res.Err != nil {
				t.Error(res.Err)
			}
		}
		w.Close()
		log, err := s.Log(t.Context(), tenant, 0, 1000)
		if got != refused || len(log) != requests-refused || err != nil {
			t.Errorf("%d slow views: %d are refused, %d written, %v", slow, got, len(log), err)
		}
		if n := s.views.Load(); slow > 1 && n > 2 {
			t.Errorf("a slow store is asked %d times", n)
		}
	}
}

// recording is a store that keeps the change sets applied to it.
type recording struct {
	store.Store
	sets []tenure.ChangeSet
}

func (s *recording) Apply(ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet) ([]tenure.Receipt, error) {
	s.sets = append(s.sets, sets...)
	return s.Store.Apply(ctx, tenant, base, sets)
}

// TestPreconditions checks that every read of a decision becomes a precondition of its change set, whether the store
// or the cache answered it, and that the reads of other decisions do not.
func TestPreconditions(t *testing.T) {
	id, other := idOf('e', 1), idOf('e', 2)
	slot := tenure.Slot{Subject: id, Predicate: "office", Scope: tenure.Scope{}.Canonical()}
	var fresh atomic.Int32
	for _, c := range []struct {
		behaviour string
		read      func(context.Context, *ledger.Txn) error
		want      []tenure.ConflictKey
	}{
		{"nothing", func(context.Context, *ledger.Txn) error { return nil }, []tenure.ConflictKey{}},
		{"aliases", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.AliasesByKey(ctx, ada); return err }, []tenure.ConflictKey{tenure.AliasConflict(ada)}},
		{"aliases-of", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.AliasesOf(ctx, id); return err }, []tenure.ConflictKey{tenure.EntityConflict(id)}},
		{"entity", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.Entity(ctx, id); return err }, []tenure.ConflictKey{tenure.EntityConflict(id)}},
		{"slot", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.Slot(ctx, slot); return err }, []tenure.ConflictKey{tenure.SlotConflict(slot)}},
		{"touched", func(_ context.Context, txn *ledger.Txn) error { txn.Touch(slot); return nil }, []tenure.ConflictKey{tenure.SlotConflict(slot)}},
		{"belief", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.Belief(ctx, id); return err }, []tenure.ConflictKey{tenure.BeliefConflict(id)}},
		{"by-key", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.ByKey(ctx, "k"); return err }, []tenure.ConflictKey{tenure.ClaimKeyConflict("k")}},
		{"dependents", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.Dependents(ctx, id); return err }, []tenure.ConflictKey{tenure.BeliefConflict(id)}},
		{"decisions", func(ctx context.Context, txn *ledger.Txn) error {
			_, err := txn.IdentityDecisionsOn(ctx, id)
			return err
		}, []tenure.ConflictKey{tenure.EntityConflict(id)}},
		{"reviews", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.ReviewsOf(ctx, id); return err }, []tenure.ConflictKey{tenure.EntityConflict(id)}},
		{"review", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.Review(ctx, id); return err }, []tenure.ConflictKey{tenure.ReviewConflict(id)}},
		{"mentions-of", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.MentionsOf(ctx, id); return err }, []tenure.ConflictKey{tenure.EntityConflict(id)}},
		{"slots-about", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.SlotsAbout(ctx, id, 9); return err }, []tenure.ConflictKey{tenure.SubjectConflict(id)}},
		{"slots-of", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.SlotsOf(ctx, "office", 9); return err }, []tenure.ConflictKey{tenure.PredicateConflict("office")}},
		{"slots-referring", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.SlotsReferring(ctx, id); return err }, []tenure.ConflictKey{tenure.ObjectConflict(id)}},
		{"case", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.Case(ctx, id); return err }, []tenure.ConflictKey{tenure.CaseConflict(id)}},
		{"vocabulary", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.Vocabulary(ctx, "v"); return err }, []tenure.ConflictKey{tenure.VocabularyConflict("v")}},
		{"term", func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.Term(ctx, "v/t"); return err }, []tenure.ConflictKey{tenure.TermConflict("v/t")}},
		{"relations-are-none", func(ctx context.Context, txn *ledger.Txn) error {
			_, err := txn.Related(ctx, []tenure.ID{id})
			return err
		}, []tenure.ConflictKey{}},
		{"an-entity-made-here", func(ctx context.Context, txn *ledger.Txn) error {
			made := idOf('n', int(fresh.Add(1)))
			txn.Put(tenure.EntityPut{Entity: tenure.Entity{ID: made, Status: tenure.EntityCanonical, Name: "new"}})
			_, err := txn.Entity(ctx, made)
			return err
		}, []tenure.ConflictKey{}},
		{"two-reads-in-order", func(ctx context.Context, txn *ledger.Txn) error {
			_, err1 := txn.Vocabulary(ctx, "v")
			_, err2 := txn.Case(ctx, id)
			_, err3 := txn.Vocabulary(ctx, "v")
			return errors.Join(err1, err2, err3)
		}, []tenure.ConflictKey{tenure.CaseConflict(id), tenure.VocabularyConflict("v")}},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			s := &recording{Store: stopped(t)}
			decide := func(n int, read func(context.Context, *ledger.Txn) error) ledger.Request {
				return request(script{nil, func(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
					err := read(ctx, txn)
					txn.Put(tenure.VocabularyPut{Vocabulary: tenure.Vocabulary{Name: fmt.Sprint("w", n), Version: 1}})
					return nil, err
				}})
			}
			elsewhere := func(ctx context.Context, txn *ledger.Txn) error { _, err := txn.Entity(ctx, other); return err }
			(&history{}).do(t, newWriter(t, s), decide(1, elsewhere), decide(2, c.read), decide(3, c.read))
			for i := 1; i < 3; i++ {
				if diff := cmp.Diff(c.want, s.sets[i].ReadSet); diff != "" {
					t.Errorf("decision %d: %s", i, diff)
				}
			}
		})
	}
}

// TestWhatIsCached checks the reads that answer from what was loaded, and with nothing before.
func TestWhatIsCached(t *testing.T) {
	w := newWriter(t, stopped(t))
	root, member, value := idOf('e', 1), idOf('e', 2), idOf('e', 3)
	slot := tenure.Slot{Subject: root, Predicate: "manager", Scope: tenure.Scope{}.Canonical()}
	claimOf := func(n int, cause tenure.Cause, value tenure.ID) []tenure.Change {
		c := tenure.Claim{
			ID: idOf('c', n), Subject: root, Predicate: slot.Predicate, Scope: slot.Scope, Key: "k",
			Window: tenure.Window{From: 1, Until: tenure.MaxTime}, Value: tenure.Value{Entity: value, Canonical: fmt.Sprint(n)},
		}
		return []tenure.Change{tenure.ClaimAdded{Claim: c}, standingOf(c, cause)}
	}
	h := &history{}
	h.do(t, w, request(script{nil, func(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		txn.Put(
			tenure.EntityPut{Entity: tenure.Entity{ID: root, Status: tenure.EntityCanonical, Members: []tenure.ID{member}}},
			tenure.EntityPut{Entity: tenure.Entity{ID: member, Status: tenure.EntityMerged, MergedInto: root}},
			tenure.AliasAdded{Alias: tenure.Alias{Key: ada, Entity: root, Spelling: "Ada", Mention: idOf('a', 1)}},
			tenure.VocabularyPut{Vocabulary: tenure.Vocabulary{Name: "v", Version: 3}},
			tenure.TermPut{Term: tenure.Term{Vocabulary: "v", Name: "kept"}}, tenure.TermPut{Term: tenure.Term{Vocabulary: "v", Name: "gone", Removed: true}},
		)
		txn.Put(slices.Concat(claimOf(1, tenure.Stands, value), claimOf(2, tenure.ByTrust, ""), claimOf(3, tenure.ByTie, value))...)
		return nil, nil
	}}))
	cached := func(txn *ledger.Txn) string {
		whole := func(id tenure.ID) (ids []tenure.ID) {
			for _, e := range txn.CachedWhole(id) {
				ids = append(ids, e.ID)
			}
			return ids
		}
		return strings.TrimSpace(fmt.Sprintln(
			len(txn.CachedAliases(ada)), txn.CachedEntity(root) != nil, txn.CachedEntity(value) != nil, len(whole(root)), whole(member),
			txn.CachedBelief(idOf('c', 1)) != nil, len(txn.CachedByKey("k")), len(txn.CachedStanding(slot)), txn.CachedValues(slot),
			txn.CachedVocabulary("v").Version, txn.CachedVocabulary("w").Name, txn.CachedTerm(tenure.TermID("v", "kept")) != nil, txn.CachedTerm(tenure.TermID("v", "gone")) != nil,
		))
	}
	h.do(t, w, request(script{nil, func(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		const nothing = "0 false false 0 [] false 0 0 [] 0 w false false"
		if got := cached(txn); got != nothing {
			t.Errorf("before: %s", got)
		}
		if err := txn.Load(ctx, ledger.Prefetch{Entities: []tenure.ID{member}}); err != nil {
			return nil, err
		}
		if list := txn.CachedWhole(member); list != nil {
			t.Errorf("without the root: %v", list)
		}
		err := txn.Load(ctx, ledger.Prefetch{
			AliasKeys: []tenure.AliasKey{ada}, Entities: []tenure.ID{root, value}, Slots: []tenure.Slot{slot}, Keys: []string{"k"},
			Vocabularies: []string{"v", "w"}, Terms: []string{tenure.TermID("v", "kept"), tenure.TermID("v", "gone")},
		})
		want := fmt.Sprintf("1 true false 2 [%s %s] true 3 1 [%s %s] 3 w true false", root, member, value, value)
		if got := cached(txn); got != want {
			t.Errorf("afterwards: %s, want %s", got, want)
		}
		return nil, err
	}}))
}

// TestPrefetchesAreAdded checks that no kind of read is forgotten where the reads of several decisions are put together.
func TestPrefetchesAreAdded(t *testing.T) {
	one := func() ledger.Prefetch {
		var p ledger.Prefetch
		v := reflect.ValueOf(&p).Elem()
		for i := range v.NumField() {
			v.Field(i).Set(reflect.MakeSlice(v.Field(i).Type(), 1, 1))
		}
		return p
	}
	p := one()
	p.Add(one())
	for v, i := reflect.ValueOf(p), 0; i < v.NumField(); i++ {
		if n := v.Field(i).Len(); n != 2 {
			t.Errorf("%s: %d, want 2", v.Type().Field(i).Name, n)
		}
	}
}

// TestAClaimMovedToANewEntity checks that the slot of an entity which the decision creates shows the claim that moves
// there with what bore on it before, whether that slot was read before or not.
func TestAClaimMovedToANewEntity(t *testing.T) {
	t.Run("unread", func(t *testing.T) { movedToNew(t, false) })
	t.Run("read", func(t *testing.T) { movedToNew(t, true) })
}

func movedToNew(t *testing.T, read bool) {
	t.Helper()
	w := newWriter(t, stopped(t))
	from := tenure.Slot{Subject: idOf('e', 1), Predicate: "office", Scope: tenure.Scope{}.Canonical()}
	to := from
	to.Subject = idOf('e', 2)
	c := tenure.Claim{
		ID: idOf('c', 1), Subject: from.Subject, Predicate: from.Predicate, Scope: from.Scope,
		Window: tenure.Window{From: 1, Until: tenure.MaxTime}, Value: tenure.Value{Canonical: "text:x"},
	}
	amendment := tenure.Amendment{ID: idOf('b', 1), Kind: tenure.Confirm, Belief: c.ID}
	h := &history{}
	h.do(t, w, request(script{nil, func(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		txn.Put(
			tenure.EntityPut{Entity: tenure.Entity{ID: from.Subject, Status: tenure.EntityCanonical}},
			tenure.ClaimAdded{Claim: c}, standingOf(c, tenure.Stands), tenure.Amended{Slot: from, Amendment: amendment},
		)
		return nil, nil
	}}))
	h.do(t, w, request(script{nil, func(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		if _, err := txn.Belief(ctx, c.ID); err != nil {
			return nil, err
		}
		txn.Put(tenure.EntityPut{Entity: tenure.Entity{ID: to.Subject, Status: tenure.EntityCanonical}})
		if read {
			if st, err := txn.Slot(ctx, to); err != nil || len(st.Beliefs) != 0 {
				return nil, fmt.Errorf("%d beliefs: %w", len(st.Beliefs), err)
			}
		}
		txn.Put(tenure.ClaimMoved{Claim: c.ID, From: from, To: to})
		st, err := txn.Slot(ctx, to)
		if err != nil {
			return nil, err
		}
		if len(st.Beliefs) != 1 || st.Beliefs[0].Claim.Subject != to.Subject || len(st.Amendments) != 1 {
			t.Errorf("the new slot has %+v", st)
		}
		left, err := txn.Slot(ctx, from)
		if len(left.Beliefs) != 0 {
			t.Errorf("the former slot has %+v", left.Beliefs)
		}
		return nil, err
	}}))
}
