package registry

import (
	"fmt"
	"testing"

	"tenure"
	"tenure/similarity"
)

// TestFirstStep checks the first step towards the clusters: a split before a merge, a decided record before an
// undecided one, and no step where the entities are the clusters.
func TestFirstStep(t *testing.T) {
	canonical, pending := tenure.EntityCanonical, tenure.EntityPending
	type piece struct {
		root int
		home bool
	}
	for _, c := range []struct {
		behaviour string
		roots     []tenure.EntityStatus
		pieces    []piece
		clusters  []cluster
		want      string
	}{
		{"as-they-are", []tenure.EntityStatus{canonical, canonical}, []piece{{0, true}, {1, true}}, []cluster{{places: []int{0}}, {places: []int{1}}}, "nothing"},
		{"two-are-one", []tenure.EntityStatus{canonical, canonical}, []piece{{0, true}, {1, true}}, []cluster{{places: []int{0, 1}}}, "e0 into e1"},
		{"into-the-canonical-one", []tenure.EntityStatus{canonical, pending}, []piece{{0, true}, {1, true}}, []cluster{{places: []int{0, 1}}}, "e1 into e0"},
		{"two-that-are-pending", []tenure.EntityStatus{pending, pending}, []piece{{0, true}, {1, true}}, []cluster{{places: []int{0, 1}}}, "e0 into e1"},
		{
			"a-canonical-one-before-two-that-are-pending", []tenure.EntityStatus{pending, pending, canonical, pending}, []piece{{0, true}, {1, true}, {2, true}, {3, true}},
			[]cluster{{places: []int{0, 1}}, {places: []int{2, 3}}}, "e3 into e2",
		},
		{"a-split", []tenure.EntityStatus{canonical}, []piece{{0, true}, {0, false}}, []cluster{{places: []int{0}}, {places: []int{1}}}, "split [m1] off e0, competitors []"},
		{
			"all-of-one-cluster-are-split-off", []tenure.EntityStatus{canonical}, []piece{{0, true}, {0, false}, {0, false}, {0, false}},
			[]cluster{{places: []int{0, 2}}, {places: []int{1, 3}}}, "split [m1 m3] off e0, competitors []",
		},
		{
			"a-split-before-a-merge", []tenure.EntityStatus{canonical, canonical}, []piece{{0, true}, {0, false}, {1, true}},
			[]cluster{{places: []int{0}}, {places: []int{1, 2}}}, "split [m1] off e0, competitors []",
		},
		{
			"a-record-of-another-root-in-the-cluster-stays", []tenure.EntityStatus{canonical, canonical}, []piece{{0, true}, {0, false}, {1, true}, {1, false}},
			[]cluster{{places: []int{0}}, {places: []int{2}}, {places: []int{1, 3}}}, "split [m1] off e0, competitors []",
		},
		{
			"undecided-among-competitors", []tenure.EntityStatus{canonical, canonical, canonical}, []piece{{0, true}, {0, false}, {1, true}, {2, true}},
			[]cluster{{places: []int{0}}, {places: []int{1}, competitors: []int{2, 3}}, {places: []int{2}}, {places: []int{3}}}, "split [m1] off e0, competitors [e1 e2]",
		},
		{
			"decided-before-undecided", []tenure.EntityStatus{canonical, canonical}, []piece{{0, true}, {0, false}, {0, false}, {1, true}},
			[]cluster{{places: []int{0}}, {places: []int{1}, competitors: []int{0, 3}}, {places: []int{2}}, {places: []int{3}}}, "split [m2] off e0, competitors []",
		},
		{
			"a-root-without-a-record-of-its-own-splits-nothing", []tenure.EntityStatus{canonical}, []piece{{0, false}, {0, false}},
			[]cluster{{places: []int{0}}, {places: []int{1}}}, "nothing",
		},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			n := &neighbourhood{matcher: Matcher{Model: similarity.DefaultModel()}}
			for i, status := range c.roots {
				e := tenure.Entity{ID: tenure.ID(fmt.Sprint("e", i)), Status: status, Name: "Ada Park", Names: []string{"Ada Park"}}
				n.roots, n.own = append(n.roots, e), append(n.own, []tenure.Entity{e})
			}
			for i, p := range c.pieces {
				n.records = append(n.records, record{root: p.root, anchor: p.home, mentions: []tenure.ID{tenure.ID(fmt.Sprint("m", i))}})
			}
			if got := stepOf(n.nextStep(c.clusters)); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func stepOf(g *ClusterPlan) string {
	switch {
	case g.From != nil:
		return fmt.Sprintf("split %v off %s, competitors %v", g.Split, g.From.ID, g.Competitors)
	case g.Same != nil && g.Score > 0:
		return fmt.Sprintf("%s into %s", g.Same[0].ID, g.Same[1].ID)
	}
	return "nothing"
}

// TestMergeable checks which root may be merged into which: never one of a project into another project's.
func TestMergeable(t *testing.T) {
	canonical, pending := tenure.EntityCanonical, tenure.EntityPending
	for _, c := range []struct {
		from, into               tenure.EntityStatus
		fromProject, intoProject string
		status                   tenure.EntityStatus
		want                     bool
	}{
		{canonical, canonical, "", "", canonical, true},
		{pending, canonical, "", "", canonical, true},
		{canonical, pending, "", "", canonical, false},
		{canonical, pending, "", "", pending, false},
		{pending, pending, "", "", pending, true},
		{pending, pending, "", "", canonical, false},
		{canonical, canonical, "atlas", "", canonical, true},
		{canonical, canonical, "atlas", "atlas", canonical, true},
		{canonical, canonical, "", "atlas", canonical, false},
		{canonical, canonical, "nova", "atlas", canonical, false},
	} {
		n := &neighbourhood{roots: []tenure.Entity{{Status: c.from, Project: c.fromProject}, {Status: c.into, Project: c.intoProject}}}
		if got := n.mergeable(0, 1, c.status); got != c.want {
			t.Errorf("%s of %q into %s of %q, for %s: %v", c.from, c.fromProject, c.into, c.intoProject, c.status, got)
		}
		if n.mergeable(1, 1, c.status) {
			t.Error("a root is merged into itself")
		}
	}
}

// TestGained checks what waits for the answer about an entity: mentions and claims that come, less those that go.
func TestGained(t *testing.T) {
	assigned := func(e tenure.ID) tenure.Change {
		return tenure.MentionAssigned{Assignment: tenure.Assignment{Entity: e}}
	}
	about := func(subject, value tenure.ID) tenure.Change {
		return tenure.ClaimAdded{Claim: tenure.Claim{Subject: subject, Value: tenure.Value{Entity: value}}}
	}
	parted := func(undone bool, moved ...tenure.ID) tenure.Change {
		v := tenure.IdentityDecision{Kind: tenure.Split, Undone: undone}
		for _, e := range moved {
			v.Moved = append(v.Moved, tenure.Assignment{Entity: e})
		}
		return tenure.IdentityDecisionPut{Decision: v}
	}
	moved := func(from, to tenure.ID) tenure.Change {
		return tenure.ClaimMoved{From: tenure.Slot{Subject: from}, To: tenure.Slot{Subject: to}}
	}
	for _, c := range []struct {
		behaviour        string
		changes          []tenure.Change
		mentions, claims int
	}{
		{"nothing", nil, 0, 0},
		{"mentions-of-it-and-of-another", []tenure.Change{assigned("e"), assigned("other"), assigned("e")}, 2, 0},
		{"claims-about-it-and-that-name-it", []tenure.Change{about("e", ""), about("x", "e"), about("x", "y")}, 0, 2},
		{"a-claim-that-relates-it-to-itself", []tenure.Change{about("e", "e")}, 0, 1},
		{"mentions-that-are-split-off", []tenure.Change{parted(false, "e", "e", "x")}, -2, 0},
		{"a-split-that-is-undone", []tenure.Change{parted(true, "e")}, 0, 0},
		{"a-merge", []tenure.Change{tenure.IdentityDecisionPut{Decision: tenure.IdentityDecision{Kind: tenure.Merge, Moved: []tenure.Assignment{{Entity: "e"}}}}}, 0, 0},
		{"a-claim-that-comes", []tenure.Change{moved("x", "e")}, 0, 1},
		{"a-claim-that-goes", []tenure.Change{moved("e", "x")}, 0, -1},
		{"a-claim-that-stays", []tenure.Change{moved("e", "e")}, 0, 0},
		{"what-fewer-see", []tenure.Change{tenure.ClaimAdded{Claim: tenure.Claim{
			Subject: "e", Description: tenure.Description{Classification: tenure.Confidential},
		}}}, 0, 0},
	} {
		if mentions, claims := gained(c.changes, tenure.Entity{ID: "e"}, nil); mentions != c.mentions || claims != c.claims {
			t.Errorf("%s: %d mentions and %d claims", c.behaviour, mentions, claims)
		}
	}
}

// TestWhatAReviewAsksAbout checks the candidates of a review: those of the name, of the identifier, or over the
// threshold of a new entity, none that is pending, at most twenty, and each once.
func TestWhatAReviewAsksAbout(t *testing.T) {
	found := func(id tenure.ID, score float64) Scored {
		return Scored{Root: tenure.Entity{ID: id, Status: tenure.EntityCanonical}, Comparison: similarity.Comparison{Score: score, Veto: "v-" + string(id)}}
	}
	exact, identified, waits := found("exact", .1), found("identified", .1), found("waits", .99)
	exact.Exact, identified.Identified, waits.Root.Status = true, true, tenure.EntityPending
	list := asked([]Scored{found("over", .7001), found("on", similarity.NewAt), waits, exact, identified})
	want := "[{over 0.7001 v-over} {exact 0.1 v-exact} {identified 0.1 v-identified}]"
	if got := fmt.Sprint(list); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var many []Scored
	for i := range 25 {
		many = append(many, found(tenure.ID(fmt.Sprint(i)), .8))
	}
	if got := len(asked(many)); got != 20 {
		t.Errorf("%d candidates", got)
	}
	before := tenure.Review{Version: 4, Candidates: []tenure.Candidate{{Entity: "over", Score: .5}}}
	after := withCandidates(before, []Scored{found("over", .9), found("next", .9), found("on", .7)})
	if got := fmt.Sprint(after.Version, after.Candidates); got != "5 [{over 0.5 } {next 0.9 v-next}]" {
		t.Errorf("got %s", got)
	}
	if len(before.Candidates) != 1 {
		t.Errorf("the former version asks about %v", before.Candidates)
	}
	if got := len(withCandidates(before, many).Candidates); got != 20 {
		t.Errorf("%d candidates", got)
	}
}

// TestClosestPending checks which pending entity a mention joins: the first over the merge threshold without a veto.
func TestClosestPending(t *testing.T) {
	found := func(id tenure.ID, status tenure.EntityStatus, score float64, veto string) Scored {
		return Scored{Root: tenure.Entity{ID: id, Status: status}, Comparison: similarity.Comparison{Score: score, Veto: veto}}
	}
	list := []Scored{
		found("canonical", tenure.EntityCanonical, .99, ""), found("vetoed", tenure.EntityPending, .99, "v"),
		found("below", tenure.EntityPending, .9499, ""), found("on", tenure.EntityPending, similarity.MergeAt, ""),
		found("second", tenure.EntityPending, .99, ""),
	}
	if p := (&resolver{}).pendingLike(list, ""); p == nil || p.Root.ID != "on" {
		t.Errorf("got %v", p)
	}
	if p := (&resolver{}).pendingLike(list[:3], ""); p != nil {
		t.Errorf("got %v", p)
	}
}
