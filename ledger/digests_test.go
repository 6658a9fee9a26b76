package ledger_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/uuid"

	"tenure"
	"tenure/ledger"
	"tenure/store"
)

// digesting returns a writer whose digest of an entity is its name.
func digesting(t *testing.T, s store.Store) *ledger.Writer {
	t.Helper()
	p := noPolicies()
	p.Digest = func(e tenure.Entity) []byte { return []byte(e.Name) }
	w, err := ledger.NewWriter(s, mint, p, ledger.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// digestOf tells the digest of an entity, and whether the entity is as stored and not loaded.
func digestOf(id tenure.ID) script {
	return script{nil, func(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		return fmt.Sprintf("%s %v", txn.Digest(id), txn.Unloaded(id)), nil
	}}
}

// TestADigestIsOfTheEntityAsItIs asks for the digest of an entity that was made, renamed, loaded, renamed earlier in
// the group, and renamed by another writer.
func TestADigestIsOfTheEntityAsItIs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.db")
	w := digesting(t, openStore(t, path))
	id := tenure.ID(answer(t, w.Do(t.Context(), tenant, request(claimName{"Ada"}))[0]))
	check := func(when, want string, requests ...ledger.Request) {
		t.Helper()
		results := w.Do(t.Context(), tenant, append(requests, request(digestOf(id)))...)
		if got := answer(t, results[len(requests)]); got != want {
			t.Errorf("%s: %q, not %q", when, got, want)
		}
	}
	check("made", "Ada true")
	if res := w.Do(t.Context(), tenant, request(rename{id, "Bea"}))[0]; res.Err != nil {
		t.Fatal(res.Err)
	}
	check("renamed", "Bea true")
	check("renamed in the group", " false", request(rename{id, "Cleo"}))
	check("renamed before", "Cleo true")
	check("loaded", " false", request(script{nil, func(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		_, err := txn.Entity(ctx, id)
		return nil, err
	}}))
	other := newWriter(t, openStore(t, path))
	if res := other.Do(t.Context(), tenant, request(rename{id, "Dora"}))[0]; res.Err != nil {
		t.Fatal(res.Err)
	}
	check("renamed by another writer", " true")
	check("loaded since", " false", request(script{nil, func(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		_, err := txn.Entity(ctx, id)
		return nil, err
	}}))
	check("read before", "Dora true")
}

// TestDigestsAreBounded puts more digests than there is room for: those that were used last stay.
func TestDigestsAreBounded(t *testing.T) {
	const many = 2000
	d := ledger.NewDigests(50_000) // of some 650 digests
	ids := make([]uuid.UUID, many)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
		d.Put(ids[i], fmt.Sprint("digest ", i))
		d.Put(ids[i], fmt.Sprint("other ", i))
		if got := d.Get(ids[0]); got != "other 0" {
			t.Fatalf("the one that is used is %q after %d others", got, i)
		}
	}
	kept := 0
	for i, id := range ids {
		switch got := d.Get(id); got {
		case "":
		case fmt.Sprint("other ", i):
			kept++
		default:
			t.Errorf("%q, not that of %d", got, i)
		}
	}
	if kept < 300 || kept > 1400 {
		t.Errorf("%d digests are kept", kept)
	}
	d.Put(ids[0], "")
	if got := d.Get(ids[0]); got != "" {
		t.Errorf("%q after it was taken away", got)
	}
}

// TestDigestsOfManyAtATime puts and gets digests concurrently.
func TestDigestsOfManyAtATime(t *testing.T) {
	d := ledger.NewDigests(20_000)
	done := make(chan bool)
	ids := make([]uuid.UUID, 300)
	for i := range ids {
		ids[i] = uuid.Must(uuid.NewV7())
	}
	deadline := time.Now().Add(50 * time.Millisecond)
	for range 4 {
		go func() {
			defer func() { done <- true }()
			for time.Now().Before(deadline) {
				for i, id := range ids {
					if got, want := d.Get(id), fmt.Sprint("of ", i); got != "" && got != want {
						t.Errorf("%q, not %q", got, want)
					}
					d.Put(id, fmt.Sprint("of ", i))
				}
			}
		}()
	}
	for range 4 {
		<-done
	}
}
