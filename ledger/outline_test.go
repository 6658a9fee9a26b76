package ledger_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/ledger"
	"tenure/store"
)

// remembering puts a claim into a slot, and remembers an outline of the slot after it, unless that is nil. It tells what
// was remembered before.
func remembering(c tenure.Claim, outline any, before *any) script {
	return script{nil, func(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		*before = txn.Outline(c.Slot())
		txn.Put(tenure.ClaimAdded{Claim: c})
		if outline != nil {
			txn.Remember(c.Slot(), outline, 1)
		}
		return nil, nil
	}}
}

// TestAnOutlineIsOfTheSlotAsItIs remembers outlines of a slot in several decisions, of one group and of several, of which
// one is refused and one remembers nothing.
func TestAnOutlineIsOfTheSlotAsItIs(t *testing.T) {
	for _, together := range []bool{true, false} {
		path := filepath.Join(t.TempDir(), "t.db")
		s := openStore(t, path)
		w, other := newWriter(t, s), newWriter(t, s)
		refused := script{nil, func(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
			txn.Put(tenure.ClaimAdded{Claim: numbered(9)})
			txn.Remember(numbered(9).Slot(), "refused", 1)
			return nil, tenure.Errorf(tenure.Unprocessable, "no")
		}}
		seen := make([]any, 6)
		requests := []ledger.Request{
			request(remembering(numbered(1), "first", &seen[0])), request(remembering(numbered(2), "second", &seen[1])),
			request(refused), request(remembering(numbered(3), nil, &seen[2])),
			request(remembering(numbered(4), "fourth", &seen[3])), request(remembering(numbered(5), "fifth", &seen[4])),
		}
		if together {
			w.Do(t.Context(), tenant, requests...)
		} else {
			for _, r := range requests {
				w.Do(t.Context(), tenant, r)
			}
		}
		other.Do(t.Context(), tenant, request(remembering(numbered(6), nil, new(any))))
		w.Do(t.Context(), tenant, request(remembering(numbered(7), nil, &seen[5])))
		if want := []any{nil, "first", "second", nil, "fourth", nil}; !cmp.Equal(seen, want) {
			t.Errorf("together %v: %v, want %v", together, seen, want)
		}
	}
}

// numbered is a claim of one slot.
func numbered(n int) tenure.Claim {
	return tenure.Claim{
		ID: idOf(7, n), Observation: idOf(8, n), Subject: idOf(1, 1), Predicate: "office", Scope: tenure.Scope{}.Canonical(),
		Value: tenure.Value{JSON: []byte(`"a"`), Canonical: "a"},
	}
}

// TestAPartIsWhatTheSlotHolds reads all beliefs of a slot as a part, stored and pending ones, and compares that with the
// slot.
func TestAPartIsWhatTheSlotHolds(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "t.db"))
	w := newWriter(t, s)
	naming := func(n int, named ...int) tenure.Claim {
		c := numbered(n)
		for _, k := range named {
			c.Supersedes = append(c.Supersedes, idOf(7, k))
		}
		return c
	}
	amended := func(n, of int) tenure.Change {
		return tenure.Amended{Slot: numbered(of).Slot(), Amendment: tenure.Amendment{
			ID: idOf(9, n), Kind: tenure.Retract, Belief: idOf(7, of),
		}}
	}
	stored := script{nil, func(_ context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		txn.Put(tenure.ClaimAdded{Claim: naming(1)}, tenure.ClaimAdded{Claim: naming(2, 1)}, amended(1, 1), amended(2, 2))
		return nil, nil
	}}
	var part, whole store.SlotState
	reading := script{nil, func(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
		ids := []tenure.ID{idOf(7, 1), idOf(7, 2)}
		slot := numbered(1).Slot()
		if _, err := txn.Part(ctx, []tenure.Slot{slot}, ids[:1], nil); err != nil {
			return nil, err
		}
		txn.Put(tenure.ClaimAdded{Claim: naming(3, 1, 2)}, amended(3, 1), amended(4, 3))
		var err error
		if part, err = txn.Part(ctx, []tenure.Slot{slot}, append(ids, idOf(7, 3)), nil); err != nil {
			return nil, err
		}
		whole, err = txn.Slot(ctx, slot)
		return nil, err
	}}
	for _, res := range w.Do(t.Context(), tenant, request(stored), request(reading)) {
		if res.Err != nil {
			t.Fatal(res.Err)
		}
	}
	told := func(st store.SlotState) (list []string) {
		for _, b := range st.Beliefs {
			list = append(list, "holds "+string(b.Claim.ID))
		}
		for _, c := range st.Superseders {
			list = append(list, "named by "+string(c.ID))
		}
		for _, a := range st.Amendments {
			list = append(list, "amended by "+string(a.ID))
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	if diff := cmp.Diff(told(whole), told(part)); diff != "" {
		t.Errorf("-slot +part:\n%s", diff)
	}
}
