package admission_test

import (
	"fmt"
	"testing"
	"time"

	"tenure/httpapi/admission"
)

var noon = time.Date(2026, 6, 6, 12, 0, 0, 0, time.UTC)

func TestCost(t *testing.T) {
	for name, c := range map[string]struct {
		operation string
		bytes     int64
		names     int
		want      int
	}{
		"a-read":                       {want: 1},
		"an-unknown-length":            {bytes: -1, want: 1},
		"a-small-observation":          {bytes: 900, names: 2, want: 1},
		"a-megabyte":                   {bytes: 1 << 20, want: 65},
		"a-hundred-mentions-of-twenty": {bytes: 100 << 10, names: 100 * 21, want: 1 + 6 + 262},
		"a-compilation":                {operation: "Compile", bytes: 300, want: 10},
		"a-neighborhood":               {operation: "GetNeighborhood", want: 5},
		"a-recall-of-a-long-query":     {operation: "Recall", bytes: 33 << 10, want: 12},
		"a-hundred-names-to-resolve":   {operation: "Resolve", bytes: 10 << 10, names: 100, want: 101},
	} {
		t.Run(name, func(t *testing.T) {
			if got := admission.Cost(c.operation, c.bytes, c.names); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}

func TestCostOfAnswer(t *testing.T) {
	for bytes, want := range map[int64]int{0: 0, 1200: 0, 60 << 10: 1, 600 << 10: 18} {
		if got := admission.CostOfAnswer(bytes); got != want {
			t.Errorf("%d bytes: %d, want %d", bytes, got, want)
		}
	}
}

// TestABucketIsUsedUpAndFillsAgain checks when a key that used all it may is taken again, and that other keys are
// taken meanwhile, as long as their tenant's bucket has enough.
func TestABucketIsUsedUpAndFillsAgain(t *testing.T) {
	b := admission.New(admission.Config{PerKey: 10, PerTenant: 15, Burst: 30})
	admit := func(after time.Duration, key string, cost int, want time.Duration) {
		t.Helper()
		if got := b.Admit(noon.Add(after), "acme", key, cost); (got - want).Abs() > time.Millisecond {
			t.Errorf("after %s, %s, cost %d: wait %s, want %s", after, key, cost, got, want)
		}
	}
	admit(0, "a", 20, 0)
	admit(0, "a", 20, time.Second) // 10 are left; the tenant has 10 as well and fills faster
	admit(0, "a", 10, 0)           // a refusal takes nothing
	admit(0, "b", 15, time.Second) // its own bucket is full, the tenant's empty
	admit(time.Second, "b", 15, 0)
	if wait := b.Admit(noon, "other", "a", 30); wait != 0 {
		t.Errorf("another tenant waits %s", wait)
	}
	admit(time.Hour, "a", 1000, 0) // more than fits into a bucket takes a full one
	admit(time.Hour, "a", 1, 100*time.Millisecond)
}

// TestADebtIsPaidBack checks that a cost which was not known in advance delays what comes after it.
func TestADebtIsPaidBack(t *testing.T) {
	b := admission.New(admission.Config{PerKey: 10, Burst: 10})
	if wait := b.Owe(noon, "acme", "a", 60); (wait - 5*time.Second).Abs() > time.Millisecond {
		t.Errorf("60 of 10 are made up for after %s", wait)
	}
	if wait := b.Admit(noon.Add(5*time.Second), "acme", "a", 1); wait <= 0 {
		t.Error("the next request is taken before there is anything in the bucket")
	}
	if wait := b.Admit(noon.Add(6*time.Second), "acme", "a", 1); wait != 0 {
		t.Errorf("after the debt: %s", wait)
	}
}

func TestNoBoundIsNoBucket(t *testing.T) {
	b := admission.New(admission.Config{})
	if wait := b.Admit(noon, "acme", "a", 1e9) + b.Owe(noon, "acme", "a", 1e9); wait != 0 || b.Size() != 0 {
		t.Errorf("wait %s, %d buckets", wait, b.Size())
	}
}

// TestBucketsThatAreIdleAreDropped checks that keys which come and go leave nothing in memory, and that more than there
// is room for are not kept.
func TestBucketsThatAreIdleAreDropped(t *testing.T) {
	b := admission.New(admission.Config{PerKey: 10, PerTenant: 10, Burst: 10})
	for i := range 20_000 {
		b.Admit(noon.Add(time.Duration(i)*time.Second), "acme", fmt.Sprint("key", i), 1)
	}
	if b.Size() > 2000 {
		t.Errorf("%d buckets of keys that are idle", b.Size())
	}
	for i := range 100_000 {
		b.Admit(noon.Add(24*time.Hour), "acme", fmt.Sprint("key", i), 1)
	}
	if b.Size() > 1<<16 {
		t.Errorf("%d buckets at once", b.Size())
	}
}
