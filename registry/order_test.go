package registry

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/similarity"
)

func TestCandidatesInOrder(t *testing.T) {
	var list []Scored
	add := func(id tenure.ID, score float64) {
		list = append(list, Scored{Root: tenure.Entity{ID: id}, Comparison: similarity.Comparison{Score: score}})
	}
	add("found-first", .02)
	add("likely-b", .8)
	add("found-second", .29)
	add("likeliest", .9)
	add("likely-a", .8)
	add("doubtful", .31)
	add("found-third", .1)
	inOrder(list)
	var got []tenure.ID
	for _, c := range list {
		got = append(got, c.Root.ID)
	}
	want := []tenure.ID{"likeliest", "likely-a", "likely-b", "doubtful", "found-first", "found-second", "found-third"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
