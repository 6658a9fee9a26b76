package index_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/index"
)

// TestSearchesOfOneStateAreIndependent checks that a search finds the same whatever was searched before it in
// the same state, and that new documents are found.
func TestSearchesOfOneStateAreIndependent(t *testing.T) {
	documents := []index.Document{
		named(1, "Alpha of Beta Gamma"), named(2, "Alpha Omega Beta Gamma"), named(3, "ABG"), named(4, "AOBG"),
		named(5, "Omega Gamma"), {Entity: id(6), Type: "robot", Names: []string{"Omega Gamma"}},
	}
	var queries []index.Query
	for _, types := range [][]string{nil, {"person"}, {"robot"}} {
		for _, d := range documents {
			queries = append(queries, index.Query{Names: d.Names, Types: types})
		}
	}
	open := func() *index.Index {
		x := open(t, t.TempDir(), index.Config{})
		put(t, x, "t", 1, documents...)
		return x
	}
	shared := open()
	for i := len(queries) - 1; i >= 0; i-- { // the one with fewer acronyms before the other of the same first
		alone := candidates(t, open(), "t", queries[i])
		if diff := cmp.Diff(alone, candidates(t, shared, "t", queries[i])); diff != "" {
			t.Errorf("%v after other searches: %s", queries[i], diff)
		}
	}
	put(t, shared, "t", 2, named(7, "Omega Gamma"))
	want := []tenure.ID{id(5), id(6), id(7)}
	if got := candidates(t, shared, "t", index.Query{Names: []string{"Omega Gamma"}, Limit: 3}); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("after a new document: %v, want %v", got, want)
	}
}
