package registry

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"tenure"
	"tenure/similarity"
)

// TestLinesOfReassessment checks each rule of re-resolution at its threshold, and what makes a neighbourhood
// contested.
func TestLinesOfReassessment(t *testing.T) {
	type edit func(*neighbour)
	scored := func(id tenure.ID, score float64, edits ...edit) neighbour {
		c := neighbour{whole: 1, Scored: Scored{
			Root:       tenure.Entity{ID: id, Status: tenure.EntityCanonical},
			Comparison: similarity.Comparison{Score: score, LogOdds: math.Log(score / (1 - score))},
		}}
		for _, e := range edits {
			e(&c)
		}
		return c
	}
	vetoed := func(c *neighbour) { c.Comparison.Veto = similarity.VetoIdentifier }
	pending := func(c *neighbour) { c.Root.Status = tenure.EntityPending }
	ofTwo := func(c *neighbour) { c.whole = 2 }
	text, fromRow := tenure.Entity{}, tenure.Entity{Records: []tenure.Record{{Source: "crm", ID: "1"}}}
	for _, c := range []struct {
		behaviour        string
		root             tenure.Entity
		found            []neighbour
		outcome          tenure.Outcome
		reason           string
		candidates       string
		near             string
		contested, clear bool
	}{
		{"nothing", text, nil, tenure.NewEntity, NoCandidate, "[]", "[]", false, false},
		{"on-the-lower-line", text, []neighbour{scored("a", similarity.NewAt)}, tenure.NewEntity, NoCandidate, "[]", "[a]", false, false},
		{"above-the-lower-line", text, []neighbour{scored("a", .7001)}, tenure.InReview, BySimilarity, "[a]", "[a]", false, false},
		{"below-the-upper-line", text, []neighbour{scored("a", .9499)}, tenure.InReview, BySimilarity, "[a]", "[a]", false, false},
		{"on-the-upper-line", text, []neighbour{scored("a", similarity.MergeAt)}, tenure.AutoMerge, BySimilarity, "[a]", "[a]", true, true},
		{"a-pending-one", text, []neighbour{scored("a", .99, pending)}, tenure.NewEntity, NoCandidate, "[]", "[a]", false, false},
		{"a-veto", text, []neighbour{scored("a", .97, vetoed)}, tenure.InReview, similarity.VetoIdentifier, "[a]", "[a]", false, false},
		{"a-veto-below-the-line", text, []neighbour{scored("a", .9, vetoed)}, tenure.InReview, BySimilarity, "[a]", "[a]", false, false},
		{"a-veto-on-the-line", text, []neighbour{scored("a", similarity.MergeAt, vetoed)}, tenure.InReview, similarity.VetoIdentifier, "[a]", "[a]", false, false},
		{"two-that-are-alike", text, []neighbour{scored("b", .96), scored("a", .90)}, tenure.InReview, SeveralSimilar, "[b a]", "[b a]", false, false},
		{"two-that-are-alike-for-a-row", fromRow, []neighbour{scored("b", .96), scored("a", .90)}, tenure.AutoMerge, BySimilarity, "[b a]", "[b a]", true, false},
		{"a-second-far-behind", text, []neighbour{scored("a", .90), scored("b", .9999)}, tenure.AutoMerge, BySimilarity, "[b a]", "[b a]", true, true},
		{"a-second-that-is-another", text, []neighbour{scored("a", .96), scored("b", .7)}, tenure.AutoMerge, BySimilarity, "[a]", "[a b]", true, true},
		{"equal-scores-by-id", text, []neighbour{scored("c", .8), scored("a", .8), scored("b", .9)}, tenure.InReview, BySimilarity, "[b a c]", "[b a c]", false, false},
		{"another-of-several-records", text, []neighbour{scored("a", .8, ofTwo)}, tenure.InReview, BySimilarity, "[a]", "[a]", true, false},
		{"another-of-several-records-that-is-different", text, []neighbour{scored("a", .2, ofTwo)}, tenure.NewEntity, NoCandidate, "[]", "[a]", true, false},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			a := &assessor{root: c.root, prepared: &similarity.Prepared{}, whole: 1, found: slices.Clone(c.found)}
			got := a.assessment()
			if got.Outcome != c.outcome || got.Reason != c.reason || got.Contested != c.contested || got.Clear != c.clear {
				t.Errorf("got %s %s, contested %v, clear %v", got.Outcome, got.Reason, got.Contested, got.Clear)
			}
			var list []tenure.ID
			for _, s := range got.Candidates {
				list = append(list, s.Root.ID)
			}
			if fmt.Sprint(list) != c.candidates || fmt.Sprint(ids(got.Near)) != c.near {
				t.Errorf("candidates %v, near %v; want %s, %s", list, ids(got.Near), c.candidates, c.near)
			}
			if len(list) > 0 && got.Score != got.Candidates[0].Comparison.Score {
				t.Errorf("the score is %v", got.Score)
			}
		})
	}
}

// TestARootOfSeveralRecordsIsContested checks that a root of several records is always clustered again, since what joined
// them may be gone, and one record is not for what is near it.
func TestARootOfSeveralRecordsIsContested(t *testing.T) {
	born := func(dates ...string) *similarity.Prepared {
		return similarity.DefaultModel().CachedProfile(similarity.Profile{Names: []string{"Ada Park"}, Attributes: map[string][]string{"dob": dates}})
	}
	near := []neighbour{{whole: 1, Scored: Scored{Root: tenure.Entity{ID: "a"}}}}
	for _, c := range []struct {
		behaviour string
		l         assessor
		want      bool
	}{
		{"one-record-alone", assessor{root: tenure.Entity{Records: []tenure.Record{{Source: "crm", ID: "1"}}}, whole: 1, prepared: born("1950-03-07", "1980-11-23")}, false},
		{"two-records-that-agree", assessor{whole: 2, prepared: born("1950-03-07")}, true},
		{"two-records-that-agree-near-another", assessor{whole: 2, prepared: born("1950-03-07"), found: near}, true},
		{"two-records-that-contradict", assessor{whole: 2, prepared: born("1950-03-07", "1980-11-23")}, true},
		{"one-record-near-another", assessor{whole: 1, prepared: born("1950-03-07"), found: near}, false},
	} {
		if got := c.l.assessment(); got.Contested != c.want {
			t.Errorf("%s: contested is %v", c.behaviour, got.Contested)
		}
	}
}

// TestWhoIsReassessed checks which entities re-resolution considers: those that no rule leaves to a person.
func TestWhoIsReassessed(t *testing.T) {
	byScore := []string{BySimilarity, ByExactName, ByIdentifier, SeveralSimilar, SeveralCandidates}
	byRule := []string{AmbiguousName, IdentifiersDisagree, Contradicted, similarity.VetoIdentifier, ""}
	for _, status := range []tenure.EntityStatus{tenure.EntityCanonical, tenure.EntityPending, tenure.EntityMerged, tenure.EntityRetired} {
		for _, reason := range append(slices.Clone(byScore), byRule...) {
			for _, records := range [][]tenure.Record{nil, {{Source: "crm", ID: "1"}}} {
				e := tenure.Entity{Status: status, Reason: reason, Records: records}
				want := status == tenure.EntityCanonical ||
					status == tenure.EntityPending && (records != nil || slices.Contains(byScore, reason))
				if got := shouldReassess(e); got != want {
					t.Errorf("%s for %q with %d records: %v", status, reason, len(records), got)
				}
			}
		}
	}
}

// TestOtherRows checks that a source sets two entities apart only with rows of each and none of both.
func TestOtherRows(t *testing.T) {
	list := func(pairs ...string) (list []tenure.Record) {
		for _, p := range pairs {
			list = append(list, tenure.Record{Source: p[:1], ID: p[1:]})
		}
		return list
	}
	for _, c := range []struct {
		a, b []tenure.Record
		want string
	}{
		{nil, nil, "[]"},
		{list("a1"), nil, "[]"},
		{nil, list("a1"), "[]"},
		{list("a1"), list("b1"), "[]"},
		{list("a1"), list("a1"), "[]"},
		{list("a1"), list("a2"), "[a]"},
		{list("a1", "a2"), list("a3"), "[a]"},
		{list("a1", "a2"), list("a2", "a3"), "[]"},
		{list("a1", "b1"), list("a2", "b1"), "[a]"},
		{list("a1", "b1"), list("b2", "a2"), "[a b]"},
		{list("a1", "b1"), list("a1", "b2"), "[b]"},
	} {
		if got := fmt.Sprint(otherRows(c.a, c.b)); got != c.want {
			t.Errorf("%v and %v: %s, want %s", c.a, c.b, got, c.want)
		}
	}
}

// TestLeads checks which of two entities a merge keeps: the one with a name, else the one created first, of two created
// together the one with the lower id.
func TestLeads(t *testing.T) {
	at := func(created tenure.Instant, id tenure.ID) tenure.Entity {
		return tenure.Entity{ID: id, CreatedAt: created}
	}
	for _, c := range []struct {
		a, b tenure.Entity
		want bool
	}{
		{at(1, "b"), at(2, "a"), true},
		{at(2, "a"), at(1, "b"), false},
		{at(1, "a"), at(1, "b"), true},
		{at(1, "b"), at(1, "a"), false},
		{at(1, "a"), at(1, "a"), false},
		{tenure.Entity{ID: "b", CreatedAt: 2, Name: "Ada"}, at(1, "a"), true},
		{at(1, "a"), tenure.Entity{ID: "b", CreatedAt: 2, Name: "Ada"}, false},
	} {
		if got := leads(c.a, c.b); got != c.want {
			t.Errorf("%v before %v: %v", c.a, c.b, got)
		}
	}
}
