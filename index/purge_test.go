package index_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/index"
)

// termsIn lists all terms that an index holds, those of deleted documents too.
func termsIn(t *testing.T, x *index.Index) []string {
	t.Helper()
	found, err := x.Terms()
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(found))
}

// TestAPurgedIndexHoldsNothingThatWasRemoved: neither among many documents, nor as the only one.
func TestAPurgedIndexHoldsNothingThatWasRemoved(t *testing.T) {
	for _, others := range []int{0, 3, 300} {
		t.Run(fmt.Sprint(others), func(t *testing.T) {
			x := open(t, t.TempDir(), index.Config{Poll: time.Hour})
			flush := func() {
				t.Helper()
				if err := x.Flush(); err != nil {
					t.Fatal(err)
				}
			}
			for i := range others {
				put(t, x, "t", tenure.Seq(1+i), named(10+i, fmt.Sprint("Person ", i)))
				if i%100 == 0 {
					flush()
				}
			}
			put(t, x, "t", 999, named(2, "Ann"))
			flush()
			before := termsIn(t, x)
			put(t, x, "t", 1000, named(1, "Zimbrelle Quaggan"))
			flush()
			put(t, x, "t", 1001, named(2, "Ann Quaggan"))
			flush()
			if more := termsIn(t, x); len(more) == len(before) {
				t.Fatal("the index has no more terms: the search is of no use")
			}
			if err := x.Put(t.Context(), "t", []index.Document{named(2, "Ann")}, []tenure.ID{id(1)}, 1002); err != nil {
				t.Fatal(err)
			}
			if err := x.Purge(t.Context()); err != nil {
				t.Fatal(err)
			}
			finds(t, "what is left", x, "Ann", id(2))
			if diff := cmp.Diff(before, termsIn(t, x)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestAPurgedIndexOfOneSegment: what was removed is purged from the only file of an index, too, again and again.
func TestAPurgedIndexOfOneSegment(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{Poll: time.Hour})
	put(t, x, "t", 1, named(9, "Ann"))
	if err := x.Flush(); err != nil {
		t.Fatal(err)
	}
	left := termsIn(t, x)
	put(t, x, "t", 2, named(1, "Zimbrelle Quaggan"), named(2, "Orfeo Blick"))
	if err := x.Purge(t.Context()); err != nil { // one segment
		t.Fatal(err)
	}
	for i, gone := range []tenure.ID{id(1), id(2)} {
		if err := x.Put(t.Context(), "t", nil, []tenure.ID{gone}, tenure.Seq(3+i)); err != nil {
			t.Fatal(err)
		}
		if err := x.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(left, termsIn(t, x)); diff != "" {
		t.Error(diff)
	}
	finds(t, "what is left", x, "Ann", id(9))
}

// TestSeveralPurges checks that an index is purged for several tenants at a time.
func TestSeveralPurges(t *testing.T) {
	x := open(t, t.TempDir(), index.Config{Poll: time.Hour})
	var purging sync.WaitGroup
	for i := range 8 {
		tenant := fmt.Sprint("t", i)
		put(t, x, tenant, 1, named(1, "Zimbrelle Quaggan"))
		purging.Go(func() {
			if err := x.Purge(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	purging.Wait()
}
