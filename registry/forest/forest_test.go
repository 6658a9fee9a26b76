package forest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/registry/forest"
)

func merged(from, into tenure.ID) tenure.IdentityDecision {
	return tenure.IdentityDecision{Kind: tenure.Merge, From: from, Into: into}
}

// TestRoot checks that merges are followed to their end, that undone merges and splits lead nowhere, and that a
// circle ends.
func TestRoot(t *testing.T) {
	undone := merged("x", "y")
	undone.Undone = true
	f := forest.New([]tenure.IdentityDecision{
		merged("a", "b"), merged("b", "c"), merged("c", "d"), merged("e", "d"), undone,
		{Kind: tenure.Split, From: "s", Into: "t"}, {Kind: tenure.CannotLink, From: "k", Into: "l"},
	})
	for id, want := range map[tenure.ID]tenure.ID{
		"a": "d", "b": "d", "c": "d", "d": "d", "e": "d", "x": "x", "s": "s", "k": "k", "unknown": "unknown",
	} {
		if got := f.Root(id); got != want {
			t.Errorf("the root of %s is %s, want %s", id, got, want)
		}
	}
	circle := forest.New([]tenure.IdentityDecision{merged("a", "b"), merged("b", "a")})
	if got := circle.Root("a"); got != "a" && got != "b" {
		t.Errorf("a circle leads to %s", got)
	}
}

// TestReroot checks what merges and undone merges change: roots, sorted members, and status, and nothing where all is
// as it should be.
func TestReroot(t *testing.T) {
	canonical := func(id tenure.ID, members ...tenure.ID) tenure.Entity {
		return tenure.Entity{ID: id, Status: tenure.EntityCanonical, Members: members}
	}
	below := func(id, root tenure.ID) tenure.Entity {
		return tenure.Entity{ID: id, Status: tenure.EntityMerged, MergedInto: root}
	}
	for _, c := range []struct {
		behaviour string
		merges    []tenure.IdentityDecision
		entities  []tenure.Entity
		free      map[tenure.ID]tenure.EntityStatus
		want      []tenure.Entity
	}{
		{"nothing-to-do", []tenure.IdentityDecision{merged("b", "a")}, []tenure.Entity{canonical("a", "b"), below("b", "a"), canonical("c")}, nil, nil},
		{"an-empty-list-is-none", nil, []tenure.Entity{canonical("a", []tenure.ID{}...)}, nil, nil},
		{"a-merge", []tenure.IdentityDecision{merged("b", "a")}, []tenure.Entity{canonical("a"), canonical("b")}, nil, []tenure.Entity{canonical("a", "b"), below("b", "a")}},
		{
			"a-chain-is-flat-and-sorted", []tenure.IdentityDecision{merged("c", "a"), merged("b", "c")},
			[]tenure.Entity{canonical("c"), canonical("b"), canonical("a")}, nil,
			[]tenure.Entity{below("c", "a"), below("b", "a"), canonical("a", "b", "c")},
		},
		{
			"a-freed-one-takes-its-status", nil, []tenure.Entity{canonical("a", "b"), below("b", "a")},
			map[tenure.ID]tenure.EntityStatus{"b": tenure.EntityPending, "a": tenure.EntityCanonical},
			[]tenure.Entity{canonical("a"), {ID: "b", Status: tenure.EntityPending}},
		},
		{
			"the-status-in-free-is-not-for-what-is-merged", []tenure.IdentityDecision{merged("b", "a")},
			[]tenure.Entity{canonical("a"), canonical("b")}, map[tenure.ID]tenure.EntityStatus{"b": tenure.EntityPending},
			[]tenure.Entity{canonical("a", "b"), below("b", "a")},
		},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			if diff := cmp.Diff(c.want, forest.New(c.merges).Reroot(c.entities, c.free)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
