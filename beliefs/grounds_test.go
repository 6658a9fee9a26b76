package beliefs_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/beliefs"
)

func segment(from, until tenure.Instant, cause tenure.Cause, by tenure.ID) tenure.Segment {
	return tenure.Segment{Window: tenure.Window{From: from, Until: until}, Cause: cause, By: by}
}

func standing(id tenure.ID, segments ...tenure.Segment) tenure.Standing {
	return tenure.Standing{Belief: id, Segments: segments}
}

// TestLostGround checks where each cause of a ground's segment makes a dependent lose it.
func TestLostGround(t *testing.T) {
	everywhere := []tenure.Window{{From: tenure.MinTime, Until: tenure.MaxTime}}
	window := []tenure.Window{{From: 5, Until: 9}}
	lost := func(dependent tenure.ID, ground tenure.Standing) (list []tenure.Window) {
		always := standing(dependent, segment(tenure.MinTime, tenure.MaxTime, tenure.Stands, ""))
		got := beliefs.ApplyGrounds(always, []tenure.ID{"g"}, map[tenure.ID]beliefs.Ground{"g": {Standing: ground}})
		for _, s := range got.Segments {
			if s.Cause == tenure.ByDependency {
				list = append(list, s.Window)
			}
		}
		return list
	}
	for cause, want := range map[tenure.Cause][]tenure.Window{
		tenure.Stands: nil, tenure.ByRetraction: everywhere, tenure.ByRejection: everywhere, tenure.ByBar: everywhere,
		tenure.ByAuthority: window, tenure.BySuccession: window, tenure.ByTrust: window, tenure.ByTie: window,
		tenure.ByName: window, tenure.ByEnd: window, tenure.ByDependency: window, tenure.ByRank: window,
	} {
		ground := standing("g", segment(1, 5, tenure.Stands, ""), segment(5, 9, cause, "x"))
		if diff := cmp.Diff(want, lost("d", ground)); diff != "" {
			t.Errorf("%s: %s", cause, diff)
		}
		if got := lost("x", ground); got != nil {
			t.Errorf("%s by the dependent itself: %v", cause, got)
		}
	}
}

// TestApplyGrounds checks which parts of a belief rest on lost ground, what is said of them, and that they are restored.
func TestApplyGrounds(t *testing.T) {
	stands := standing("d", segment(10, 30, tenure.Stands, ""))
	lost := func(id tenure.ID, from, until tenure.Instant) tenure.Standing {
		return standing(id, segment(from, until, tenure.BySuccession, "x"))
	}
	for _, c := range []struct {
		behaviour string
		has       tenure.Standing
		grounds   []tenure.Standing
		want      []tenure.Segment
		review    bool
	}{
		{"sound-ground", stands, []tenure.Standing{standing("g", segment(0, 99, tenure.Stands, ""))}, []tenure.Segment{segment(10, 30, tenure.Stands, "")}, false},
		{"lost-in-the-middle", stands, []tenure.Standing{lost("g", 15, 20)}, []tenure.Segment{segment(10, 15, tenure.Stands, ""), segment(15, 20, tenure.ByDependency, "g"), segment(20, 30, tenure.Stands, "")}, true},
		{"lost-before-and-after", stands, []tenure.Standing{lost("g", 0, 10), lost("h", 30, 40)}, []tenure.Segment{segment(10, 30, tenure.Stands, "")}, false},
		{"lost-all-over", stands, []tenure.Standing{lost("g", 10, 30)}, []tenure.Segment{segment(10, 30, tenure.ByDependency, "g")}, true},
		{
			"the-least-id-is-named-where-two-are-lost", stands, []tenure.Standing{lost("h", 10, 20), lost("g", 10, 15), lost("i", 10, 30)},
			[]tenure.Segment{segment(10, 30, tenure.ByDependency, "g")}, true,
		},
		{
			"losses-that-adjoin-are-one-by-the-first", stands, []tenure.Standing{lost("h", 5, 20), lost("g", 20, 25)},
			[]tenure.Segment{segment(10, 25, tenure.ByDependency, "h"), segment(25, 30, tenure.Stands, "")}, true,
		},
		{
			"what-does-not-stand-stays-as-it-is", standing("d", segment(10, 20, tenure.ByTrust, "y"), segment(20, 30, tenure.Stands, "")),
			[]tenure.Standing{lost("g", 10, 30)}, []tenure.Segment{segment(10, 20, tenure.ByTrust, "y"), segment(20, 30, tenure.ByDependency, "g")}, true,
		},
		{
			"ground-that-stands-again-restores", tenure.Standing{Belief: "d", NeedsReview: true, Segments: []tenure.Segment{segment(10, 20, tenure.ByDependency, "g"), segment(20, 30, tenure.Stands, "")}},
			[]tenure.Standing{standing("g", segment(0, 99, tenure.Stands, ""))}, []tenure.Segment{segment(10, 30, tenure.Stands, "")}, false,
		},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			grounds := map[tenure.ID]beliefs.Ground{}
			depends := []tenure.ID{"missing"}
			for _, g := range c.grounds {
				grounds[g.Belief] = beliefs.Ground{Standing: g}
				depends = append(depends, g.Belief)
			}
			got := beliefs.ApplyGrounds(c.has, depends, grounds)
			if diff := cmp.Diff(c.want, got.Segments); diff != "" || got.NeedsReview != c.review {
				t.Errorf("review %v; %s", got.NeedsReview, diff)
			}
		})
	}
}
