package engine_test

import (
	"testing"

	"tenure"
	"tenure/store/engine"
)

// Sequence numbers have no gaps, times increase even if the clock stands or goes back, and each entry is
// sealed with its predecessor.
func TestAppend(t *testing.T) {
	cs := tenure.ChangeSet{ID: "s", Answer: []byte("a"), Key: &tenure.IdempotencyKey{Scope: "k", Hash: "h"}}
	var head engine.Head
	for i, c := range []struct{ now, want tenure.Instant }{{1000, 1000}, {1000, 1001}, {5, 1002}, {2000, 2000}} {
		entry, receipt, err := head.Append(cs, c.now)
		if err != nil {
			t.Fatal(err)
		}
		if entry.Seq != tenure.Seq(i+1) || entry.Tx != c.want || entry.Hash != entry.Seal(head.Hash) {
			t.Errorf("after %+v: %+v", head, entry)
		}
		if receipt.Seq != entry.Seq || receipt.Tx != entry.Tx || receipt.Hash != "h" || string(receipt.Answer) != "a" {
			t.Errorf("the receipt is %+v", receipt)
		}
		head = engine.HeadOf(entry)
	}
}

func TestCheck(t *testing.T) {
	sets := []tenure.ChangeSet{{}, {ReadSet: []tenure.ConflictKey{tenure.EntityConflict("a"), tenure.EntityConflict("b")}}}
	salting := engine.Salting{Salt: []byte("salt"), From: 4}
	other := engine.Salting{Salt: []byte("another"), From: 4}
	for _, c := range []struct {
		name       string
		base, last tenure.Seq
		touched    int64
		want       tenure.Code
	}{
		{"nothing was read", 5, 9, salting.Hash(tenure.EntityConflict("c")), ""},
		{"something was read", 5, 9, salting.Hash(tenure.EntityConflict("b")), tenure.Conflicting},
		{"the newest state", 9, 9, salting.Hash(tenure.EntityConflict("b")), ""},
		{"a state that is not there", 10, 9, 0, tenure.Conflicting},
		{"the state after an erasure", 4, 9, 0, ""},
		{"a state before an erasure", 3, 9, 0, tenure.Conflicting},
		{"another salt", 5, 9, other.Hash(tenure.EntityConflict("b")), ""},
	} {
		err := salting.Check(c.base, c.last, sets, func() (map[int64]bool, error) { return map[int64]bool{c.touched: true}, nil })
		if tenure.CodeOf(err) != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A caller that appends to the lists of a belief changes nothing for other callers.
func TestBeliefs(t *testing.T) {
	known := engine.NewBeliefs[string](1 << 20)
	known.Put("acme", 7, &tenure.Belief{Claim: tenure.Claim{ID: "c", Supersedes: append(make([]tenure.ID, 0, 4), "a")}}, 10)
	for _, c := range []struct {
		tenant  string
		belief  tenure.ID
		version int64
	}{{"other", "c", 7}, {"acme", "d", 7}, {"acme", "c", 8}} {
		if _, ok := known.Get(c.tenant, c.belief, c.version); ok {
			t.Errorf("%v is known", c)
		}
	}
	one, _ := known.Get("acme", "c", 7)
	two, ok := known.Get("acme", "c", 7)
	if !ok {
		t.Fatal("what was put is not known")
	}
	one.Claim.Supersedes = append(one.Claim.Supersedes, "b")
	two.Claim.Supersedes = append(two.Claim.Supersedes, "x")
	if one.Claim.Supersedes[1] != "b" || two.Claim.Supersedes[1] != "x" {
		t.Errorf("the callers share a list: %v, %v", one.Claim.Supersedes, two.Claim.Supersedes)
	}
}
