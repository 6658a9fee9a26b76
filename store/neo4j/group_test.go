package neo4j_test

import (
	"context"
	"slices"
	"testing"

	"tenure"
	"tenure/store"
)

// comings is a history in which an alias, a claim and a candidate come and go: the alias is b's and the claim
// about b in the states with even numbers.
func comings(a, b tenure.ID) []tenure.ChangeSet {
	c := stated(a, "office", newID())
	form := tenure.AliasKey{Kind: tenure.NameAlias, Key: string(a)}
	own := func(e tenure.ID) tenure.Alias { return tenure.Alias{Key: form, Entity: e, Mention: c.Observation} }
	review := tenure.Review{ID: newID(), State: tenure.ReviewOpen, Entity: newID()}
	sets := []tenure.ChangeSet{{ID: newID(), Changes: believed(c)}}
	for i := range 4 {
		at, other := a, b
		if i%2 == 1 {
			at, other = b, a
		}
		from, to := c.Slot(), c.Slot()
		from.Subject, to.Subject = other, at
		review.Candidates = []tenure.Candidate{{Entity: at}}
		changes := []tenure.Change{tenure.AliasAdded{Alias: own(at)}, tenure.ReviewPut{Review: review}}
		if i > 0 {
			put := stood(c, tenure.Stands)
			put.Slot, put.Standing.Subject = to, at
			changes = append(changes, tenure.AliasClosed{Alias: own(other)}, tenure.ClaimMoved{Claim: c.ID, From: from, To: to}, put)
		}
		if i == 0 {
			sets[0].Changes = append(sets[0].Changes, changes...)
			continue
		}
		sets = append(sets, tenure.ChangeSet{ID: newID(), Changes: changes})
	}
	return sets
}

// A history of changes makes the same states in one transaction as in several.
func TestAGroupIsAsItsSetsOneByOne(t *testing.T) {
	ctx, s := context.Background(), open(t)
	for name, size := range map[string]int{"in-one-group": 4, "in-two": 2, "one-by-one": 1} {
		t.Run(name, func(t *testing.T) {
			tenant, a, b := randomTenant(), newID(), newID()
			seq := tenure.Seq(0)
			for group := range slices.Chunk(comings(a, b), size) {
				seq = apply(t, s, tenant, seq, group...)
			}
			for n := tenure.Seq(1); n <= seq; n++ {
				view, err := s.View(ctx, tenant, tenure.AsOf{Seq: n})
				if err != nil {
					t.Fatal(err)
				}
				here, there := a, b
				if n%2 == 0 {
					here, there = b, a
				}
				if got := present(t, view, here); got != [4]int{1, 1, 1, 1} {
					t.Errorf("state %d has %v where all should be", n, got)
				}
				if got := present(t, view, there); got != [4]int{} {
					t.Errorf("state %d has %v where nothing should be", n, got)
				}
				slots, err := view.SlotsAfter(ctx, "", 10)
				if want := []tenure.ID{a, b}[:min(n, 2)]; err != nil || !slices.Equal(subjectsOf(slots), want) {
					t.Errorf("state %d has the slots %v, %v", n, slots, err)
				}
			}
		})
	}
}

func subjectsOf(slots []tenure.Slot) []tenure.ID {
	ids := make([]tenure.ID, 0, len(slots))
	for _, s := range slots {
		ids = append(ids, s.Subject)
	}
	return ids
}

// present counts the aliases, the live and the listed claims and the reviews of an entity.
func present(t *testing.T, view store.Reader, e tenure.ID) [4]int {
	t.Helper()
	ctx, window := context.Background(), tenure.Window{From: 1_750_000_000_000_000, Until: 1_750_000_000_000_001}
	aliases, err := view.AliasesOf(ctx, []tenure.ID{e})
	if err != nil {
		t.Fatal(err)
	}
	live, err := view.Live(ctx, []tenure.ID{e}, window, 10)
	if err != nil {
		t.Fatal(err)
	}
	listed, err := view.List(ctx, store.BeliefQuery{Subject: e})
	if err != nil {
		t.Fatal(err)
	}
	reviews, err := view.ListReviews(ctx, store.ReviewQuery{Entity: e, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	return [4]int{len(aliases), len(live), len(listed), len(reviews)}
}
