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

func TestCheckReads(t *testing.T) {
	sets := []tenure.ChangeSet{{}, {ReadSet: []tenure.ConflictKey{tenure.EntityConflict("a"), tenure.EntityConflict("b")}}}
	touched := map[int64]bool{engine.Hash(string(tenure.EntityConflict("c"))): true}
	if err := engine.CheckReads(sets, touched); err != nil {
		t.Error(err)
	}
	touched[engine.Hash(string(tenure.EntityConflict("b")))] = true
	if err := engine.CheckReads(sets, touched); tenure.CodeOf(err) != tenure.Conflicting {
		t.Errorf("got %v", err)
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
