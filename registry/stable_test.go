package registry

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tenure"
	"tenure/ledger"
	"tenure/store/sqlite"
)

// TestASplitIsMadeTwiceAtMost checks when the automatic split of the same mentions is left to a person: after two, made
// by the service, of these mentions, off any member of the root.
func TestASplitIsMadeTwiceAtMost(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	view, err := s.View(t.Context(), "t", tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	split := func(from tenure.ID, automatic bool, mentions ...tenure.ID) tenure.IdentityDecision {
		v := tenure.IdentityDecision{Kind: tenure.Split, From: from, Into: "new", Automatic: automatic}
		for _, m := range mentions {
			v.Moved = append(v.Moved, tenure.Assignment{Mention: m, Entity: from})
		}
		return v
	}
	merge := split("root", true, "m1")
	merge.Kind = tenure.Merge
	root := tenure.Entity{ID: "root", Members: []tenure.ID{"member"}}
	plan := &ClusterPlan{From: &root, Split: []tenure.ID{"m1", "m2"}}
	for _, c := range []struct {
		behaviour string
		plan      *ClusterPlan
		decisions []tenure.IdentityDecision
		want      bool
	}{
		{"no-plan", nil, nil, false},
		{"a-merge-is-planned", &ClusterPlan{Same: &[2]tenure.Entity{}}, nil, false},
		{"never-before", plan, nil, false},
		{"once", plan, []tenure.IdentityDecision{split("root", true, "m1")}, false},
		{"twice", plan, []tenure.IdentityDecision{split("root", true, "m1"), split("root", true, "m3", "m1")}, true},
		{"twice-by-a-person", plan, []tenure.IdentityDecision{split("root", false, "m1"), split("root", false, "m1")}, false},
		{"twice-others", plan, []tenure.IdentityDecision{split("root", true, "m2"), split("root", true, "m3")}, false},
		{"two-merges", plan, []tenure.IdentityDecision{merge, merge}, false},
		{"once-off-each-member", plan, []tenure.IdentityDecision{split("root", true, "m1"), split("member", true, "m1")}, true},
	} {
		txn := ledger.NewTxn(view)
		for _, id := range root.Whole() { // what is put is shown where it was read
			if _, err := txn.IdentityDecisionsOn(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
		for i, v := range c.decisions {
			v.ID = tenure.ID(fmt.Sprint("v", i))
			txn.Put(tenure.IdentityDecisionPut{Decision: v})
		}
		if got, err := splitBefore(t.Context(), txn, c.plan); err != nil || got != c.want {
			t.Errorf("%s: %v, %v", c.behaviour, got, err)
		}
	}
}

// TestStableRoots checks that what is known of a root holds for the version of its members alone, and that neighbours are
// known from both ends, and after a merge.
func TestStableRoots(t *testing.T) {
	s := NewStableRoots()
	ada := []tenure.Entity{{ID: "ada", Name: "Ada"}, {ID: "member", Name: "A."}}
	renamed := slices.Clone(ada)
	renamed[1].Name = "Ada P."
	bea := tenure.Entity{ID: "bea", Name: "Bea"}
	s.add(ada)
	s.addNear(ada, []tenure.Entity{bea})
	for i, c := range []struct {
		members     []tenure.Entity
		want        bool
		near        []tenure.ID
		description string
	}{
		{ada, true, []tenure.ID{"bea"}, "as it was"},
		{renamed, false, []tenure.ID{"bea"}, "changed"},
		{[]tenure.Entity{{ID: "root"}, ada[0]}, false, []tenure.ID{"bea"}, "merged into another"},
		{[]tenure.Entity{bea}, false, []tenure.ID{"ada"}, "from the other end"},
		{[]tenure.Entity{{ID: "other", Name: "Ada"}}, false, nil, "another"},
	} {
		near, looked := s.nearTo(c.members)
		if s.has(c.members) != c.want || looked != c.want || !slices.Equal(near, c.near) {
			t.Errorf("%d, %s: stable %v, searched %v, near %v", i, c.description, s.has(c.members), looked, near)
		}
	}
	var none *StableRoots
	none.add(ada)
	none.addNear(ada, nil)
	if _, looked := none.nearTo(ada); looked || none.has(ada) {
		t.Error("no cache knows something")
	}
}
