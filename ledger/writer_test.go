package ledger_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"tenure"
	"tenure/ledger"
	"tenure/store"
	"tenure/store/sqlite"
)

const tenant = "t"

func openStore(t *testing.T, path string) store.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), path, sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func mint() tenure.Mint { return tenure.NewMint(time.Now()) }

// noPolicies returns policies that do nothing.
func noPolicies() ledger.Policies {
	return ledger.Policies{
		BlockingKeys: func(tenure.Alias) []string { return nil },
		Derive:       func(context.Context, *ledger.Txn) error { return nil },
		OnCommit:     ledger.Unobserved,
	}
}

func TestAWriterNeedsEveryPolicy(t *testing.T) {
	for name, forget := range map[string]func(*ledger.Policies){
		"blocking-keys": func(p *ledger.Policies) { p.BlockingKeys = nil },
		"derivation":    func(p *ledger.Policies) { p.Derive = nil },
		"observer":      func(p *ledger.Policies) { p.OnCommit = nil },
	} {
		t.Run(name, func(t *testing.T) {
			p := noPolicies()
			forget(&p)
			if w, err := ledger.NewWriter(nil, mint, p, ledger.Config{}); err == nil {
				w.Close()
				t.Error("a writer was made without it")
			}
		})
	}
}

func newWriter(t *testing.T, s store.Store) *ledger.Writer {
	t.Helper()
	w, err := ledger.NewWriter(s, mint, noPolicies(), ledger.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// claimName creates an entity for an alias key that no entity has, and answers with the entity that has the
// key.
type claimName struct{ name string }

func (c claimName) key() tenure.AliasKey {
	return tenure.AliasKey{Kind: tenure.NameAlias, Key: c.name}
}

func (c claimName) Plan() ledger.Plan {
	return ledger.Reads(ledger.Prefetch{AliasKeys: []tenure.AliasKey{c.key()}})
}

func (c claimName) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	aliases, err := txn.AliasesByKey(ctx, c.key())
	if err != nil {
		return nil, err
	}
	if len(aliases) > 0 {
		return aliases[0].Entity, nil
	}
	e := tenure.Entity{ID: m.NewID(), Status: tenure.EntityCanonical, Name: c.name, CreatedAt: m.Now}
	o := tenure.Alias{Key: c.key(), Entity: e.ID, Spelling: c.name, Mention: m.NewID()}
	txn.Put(tenure.EntityPut{Entity: e}, tenure.AliasAdded{Alias: o})
	return e.ID, nil
}

// fails is a command whose decision returns an error.
type fails struct{ err error }

func (fails) Plan() ledger.Plan { return nil }

func (f fails) Decide(context.Context, *ledger.Txn, tenure.Mint) (any, error) { return nil, f.err }

// answer returns the text of a result's answer.
func answer(t *testing.T, res ledger.Result) string {
	t.Helper()
	if res.Answer != nil {
		return fmt.Sprint(res.Answer)
	}
	var text string
	if err := json.Unmarshal(res.Receipt.Answer, &text); err != nil {
		t.Fatal(err)
	}
	return text
}

func request(c ledger.Command) ledger.Request {
	return ledger.Request{Command: c, Operation: "test", Actor: "tester"}
}

func keyed(c ledger.Command, key, hash string) ledger.Request {
	r := request(c)
	r.Key = &tenure.IdempotencyKey{Scope: key, Hash: hash}
	return r
}

func entries(t *testing.T, s store.Store) []tenure.Entry {
	t.Helper()
	list, err := s.Log(t.Context(), tenant, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestARequestSeesThoseBeforeItInItsGroup(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	res := newWriter(t, s).Do(t.Context(), tenant, request(claimName{"ada"}), request(claimName{"ada"}))
	if res[0].Err != nil || res[1].Err != nil {
		t.Fatal(res[0].Err, res[1].Err)
	}
	if answer(t, res[0]) != answer(t, res[1]) {
		t.Error("two entities were made for one form")
	}
	if n := len(entries(t, s)); n != 1 {
		t.Errorf("%d entries, want 1: the second request changes nothing", n)
	}
}

func TestAFailingRequestCostsOnlyItself(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	refusal := tenure.Errorf(tenure.Unprocessable, "no")
	res := newWriter(t, s).Do(t.Context(), tenant,
		request(claimName{"a"}), request(fails{refusal}), request(claimName{"b"}))
	if res[0].Err != nil || res[2].Err != nil || !errors.Is(res[1].Err, error(refusal)) {
		t.Errorf("got %v, %v, %v", res[0].Err, res[1].Err, res[2].Err)
	}
	if res[2].Receipt.Seq != res[0].Receipt.Seq+1 {
		t.Errorf("numbers %d and %d: the refused request left a gap", res[0].Receipt.Seq, res[2].Receipt.Seq)
	}
}

func TestAKeyIsCarriedOutOnce(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	w := newWriter(t, s)
	for name, do := range map[string]func(...ledger.Request) []ledger.Result{
		"in-one-group": func(r ...ledger.Request) []ledger.Result { return w.Do(t.Context(), tenant, r...) },
		"one-after-the-other": func(r ...ledger.Request) []ledger.Result {
			var list []ledger.Result
			for _, q := range r {
				list = append(list, w.Do(t.Context(), tenant, q)...)
			}
			return list
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := len(entries(t, s))
			res := do(
				keyed(claimName{name}, name, "h1"), keyed(claimName{name + "2"}, name, "h1"), keyed(claimName{name}, name, "h2"),
			)
			if res[0].Err != nil || res[1].Err != nil || !res[1].Receipt.Replayed || res[0].Receipt.Replayed {
				t.Fatalf("got %+v and %+v", res[0], res[1])
			}
			if res[0].Receipt.Seq != res[1].Receipt.Seq || string(res[0].Receipt.Answer) != string(res[1].Receipt.Answer) {
				t.Error("the same key did not get the first receipt")
			}
			if tenure.CodeOf(res[2].Err) != tenure.KeyReused {
				t.Errorf("another body under the key: %v", res[2].Err)
			}
			if n := len(entries(t, s)) - before; n != 1 {
				t.Errorf("%d entries, want 1", n)
			}
		})
	}
}

func TestWritersOfTwoProcessesMakeOneEntity(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	writers := []*ledger.Writer{newWriter(t, openStore(t, path)), newWriter(t, openStore(t, path))}
	answers := make([]string, 64)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			res := writers[i%2].Do(t.Context(), tenant, request(claimName{fmt.Sprint("n", i%4)}))[0]
			if res.Err != nil {
				t.Error(res.Err)
			}
			answers[i] = fmt.Sprint(res.Answer)
		})
	}
	wg.Wait()
	for i, a := range answers {
		if a != answers[i%4] {
			t.Errorf("writer %d got %s, writer %d %s", i, a, i%4, answers[i%4])
		}
	}
}

func TestACloseCarriesOutWhatWasAccepted(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	w := newWriter(t, s)
	wait := w.Submit(t.Context(), tenant, request(claimName{"ada"}))
	w.Close()
	if n := len(entries(t, s)); n != 1 {
		t.Errorf("%d entries after the close, want 1", n)
	}
	if res := wait(t.Context()); res[0].Err != nil {
		t.Error(res[0].Err)
	}
	if res := w.Do(t.Context(), tenant, request(claimName{"ben"})); tenure.CodeOf(res[0].Err) != tenure.Unavailable {
		t.Errorf("a request after the close: %v", res[0].Err)
	}
}

// rename gives an entity another name, and answers with its previous name.
type rename struct {
	id   tenure.ID
	name string
}

func (c rename) Plan() ledger.Plan {
	return ledger.Reads(ledger.Prefetch{Entities: []tenure.ID{c.id}})
}

func (c rename) Decide(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
	e, err := txn.Entity(ctx, c.id)
	if err != nil {
		return nil, err
	}
	next := *e
	next.Name = c.name
	txn.Put(tenure.EntityPut{Entity: next})
	return e.Name, nil
}

// The entities that a writer keeps are those that it wrote itself; it keeps none once another writer has
// written.
func TestWritersSeeEachOthersEntities(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	a, b := newWriter(t, openStore(t, path)), newWriter(t, openStore(t, path))
	made := a.Do(t.Context(), tenant, request(claimName{"0"}))[0]
	if made.Err != nil {
		t.Fatal(made.Err)
	}
	id := tenure.ID(answer(t, made))
	for i, w := range []*ledger.Writer{a, a, b, a, b, b, a} {
		res := w.Do(t.Context(), tenant, request(rename{id, fmt.Sprint(i + 1)}), request(rename{id, fmt.Sprint(i + 1)}))
		if res[0].Err != nil || answer(t, res[0]) != fmt.Sprint(i) {
			t.Fatalf("writer of name %d found %v, %v", i+1, res[0].Answer, res[0].Err)
		}
		if answer(t, res[1]) != fmt.Sprint(i+1) {
			t.Fatalf("the next found %v, not %d", res[1].Answer, i+1)
		}
	}
}

// TestAResultThatIsThereIsNotLost checks that results which are there when the context ends are returned all the same.
func TestAResultThatIsThereIsNotLost(t *testing.T) {
	w := newWriter(t, openStore(t, filepath.Join(t.TempDir(), "t.db")))
	var requests []ledger.Request
	for i := range 16 {
		requests = append(requests, request(claimName{fmt.Sprint(i)}))
	}
	wait := w.Submit(t.Context(), tenant, requests...)
	wait(t.Context())
	ended, end := context.WithCancel(t.Context())
	end()
	for i, res := range wait(ended) {
		if res.Err != nil {
			t.Errorf("request %d: %v", i, res.Err)
		}
	}
}

// waiting is a command that decides once it is released, or its context ends.
type waiting struct {
	claimName
	begun, release chan struct{}
}

func (c waiting) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	close(c.begun)
	select {
	case <-c.release:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return c.claimName.Decide(ctx, txn, m)
}

// occupied returns a writer that is busy with a command, which release ends.
func occupied(t *testing.T, s store.Store, cfg ledger.Config) (w *ledger.Writer, first func() []ledger.Result, release func()) {
	t.Helper()
	w, err := ledger.NewWriter(s, mint, noPolicies(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	c := waiting{claimName{"first"}, make(chan struct{}), make(chan struct{})}
	wait := w.Submit(t.Context(), tenant, request(c))
	<-c.begun
	return w, func() []ledger.Result { return wait(t.Context()) }, sync.OnceFunc(func() { close(c.release) })
}

// TestAWriteThatNobodyWaitsForIsNotCarriedOut checks that of the writes that wait those are carried out whose callers
// wait, too.
func TestAWriteThatNobodyWaitsForIsNotCarriedOut(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	w, first, release := occupied(t, s, ledger.Config{})
	leaving, leave := context.WithCancel(t.Context())
	gone := w.Submit(leaving, tenant, request(claimName{"gone"}))
	stays := w.Submit(t.Context(), tenant, request(claimName{"stays"}))
	leave()
	release()
	for name, res := range map[string]ledger.Result{"first": first()[0], "stays": stays(t.Context())[0]} {
		if res.Err != nil {
			t.Errorf("%s: %v", name, res.Err)
		}
	}
	if res := gone(t.Context())[0]; tenure.CodeOf(res.Err) != tenure.Unavailable {
		t.Errorf("the write of a caller who left: %v", res.Err)
	}
	if n := len(entries(t, s)); n != 2 {
		t.Errorf("%d entries, want 2", n)
	}
}

// TestAFullQueueRefuses checks that no more writes wait than the limit, that a refused one is not carried out, and that
// there is room again once some are.
func TestAFullQueueRefuses(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	w, first, release := occupied(t, s, ledger.Config{QueueLimit: 2})
	var waits []func(context.Context) []ledger.Result
	for i := range 2 {
		waits = append(waits, w.Submit(t.Context(), tenant, request(claimName{fmt.Sprint(i)})))
	}
	if res := w.Do(t.Context(), tenant, request(claimName{"too many"})); tenure.CodeOf(res[0].Err) != tenure.Unavailable {
		t.Errorf("a third that waits: %v", res[0].Err)
	}
	release()
	for _, res := range []ledger.Result{first()[0], waits[0](t.Context())[0], waits[1](t.Context())[0]} {
		if res.Err != nil {
			t.Error(res.Err)
		}
	}
	if res := w.Do(t.Context(), tenant, request(claimName{"later"})); res[0].Err != nil {
		t.Error(res[0].Err)
	}
	if n := len(entries(t, s)); n != 4 {
		t.Errorf("%d entries, want 4", n)
	}
}

// TestADropEndsWhatWaits checks that a writer which drops its requests answers them all, carries out none of them, says
// how many waited, and is closed.
func TestADropEndsWhatWaits(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	w, first, release := occupied(t, s, ledger.Config{})
	defer release()
	var waits []func(context.Context) []ledger.Result
	for i := range 3 {
		waits = append(waits, w.Submit(t.Context(), tenant, request(claimName{fmt.Sprint(i)})))
	}
	if n := w.Drop(); n != 3 {
		t.Errorf("%d were waiting, want 3", n)
	}
	w.Close()
	results := first()
	for _, wait := range waits {
		results = append(results, wait(t.Context())...)
	}
	results = append(results, w.Do(t.Context(), tenant, request(claimName{"late"}))...)
	for i, res := range results {
		if tenure.CodeOf(res.Err) != tenure.Unavailable {
			t.Errorf("request %d: %v", i, res.Err)
		}
	}
	if n := len(entries(t, s)); n != 0 {
		t.Errorf("%d entries, want none", n)
	}
}
