package registry

import (
	"math"
	"testing"

	"tenure"
	"tenure/similarity"
)

// TestLinesBetweenOutcomes checks each rule of classification at its threshold: from two candidates on, from
// a score of .95 on, up to a score of .70.
func TestLinesBetweenOutcomes(t *testing.T) {
	text, fromRow := tenure.Mention{Name: "Ada"}, tenure.Mention{Name: "Ada", Record: &tenure.Record{Source: "crm", ID: "1"}}
	type edit func(*Scored)
	scored := func(score float64, edits ...edit) Scored {
		c := Scored{Root: tenure.Entity{Status: tenure.EntityCanonical}, Comparison: similarity.Comparison{Score: score, LogOdds: math.Log(score / (1 - score))}}
		for _, e := range edits {
			e(&c)
		}
		return c
	}
	exact := func(c *Scored) { c.Exact = true }
	identified := func(c *Scored) { c.Identified = true }
	sameTokens := func(c *Scored) { c.SameTokens = true }
	pending := func(c *Scored) { c.Root.Status = tenure.EntityPending }
	elsewhere := func(c *Scored) { c.Root.Project = "atlas" }
	vetoed := func(c *Scored) { c.Comparison.Veto = similarity.VetoIdentifier }
	for _, c := range []struct {
		behaviour string
		mention   tenure.Mention
		found     []Scored
		outcome   tenure.Outcome
		reason    string
	}{
		{"nothing", text, nil, tenure.NewEntity, NoCandidate},
		{"pending-ones-take-no-part", text, []Scored{scored(.99, pending), scored(.99, pending)}, tenure.NewEntity, NoCandidate},
		{"on-the-upper-line", text, []Scored{scored(similarity.MergeAt)}, tenure.AutoMerge, BySimilarity},
		{"below-the-upper-line", text, []Scored{scored(.9499)}, tenure.InReview, BySimilarity},
		{"above-the-lower-line", text, []Scored{scored(.7001)}, tenure.InReview, BySimilarity},
		{"on-the-lower-line", text, []Scored{scored(similarity.NewAt)}, tenure.NewEntity, NoCandidate},
		{"by-its-form", text, []Scored{scored(.97, exact)}, tenure.AutoMerge, ByExactName},
		{"by-its-form-in-between", text, []Scored{scored(.8, exact)}, tenure.InReview, ByExactName},
		{"by-its-identifier", text, []Scored{scored(.97, exact, identified)}, tenure.AutoMerge, ByIdentifier},
		{"a-veto", text, []Scored{scored(.97, exact, vetoed)}, tenure.InReview, similarity.VetoIdentifier},
		{"a-veto-of-the-second-is-none", text, []Scored{scored(.97, exact), scored(.8, vetoed)}, tenure.AutoMerge, ByExactName},
		{"a-veto-below-the-line", text, []Scored{scored(.8, vetoed)}, tenure.InReview, similarity.VetoIdentifier},
		{"two-identified", text, []Scored{scored(.99, identified), scored(.1, identified)}, tenure.InReview, IdentifiersDisagree},
		{"two-identified-of-a-row", fromRow, []Scored{scored(.99, identified), scored(.1, identified)}, tenure.InReview, IdentifiersDisagree},
		{"two-over-the-line", text, []Scored{scored(.99), scored(.96)}, tenure.InReview, SeveralCandidates},
		{"two-over-the-line-one-identified", text, []Scored{scored(.99, identified), scored(.96)}, tenure.InReview, SeveralCandidates},
		{"two-over-the-line-one-by-its-form", text, []Scored{scored(.9999, exact), scored(.96)}, tenure.InReview, SeveralCandidates},
		{"two-that-are-alike", text, []Scored{scored(.96), scored(.90)}, tenure.InReview, SeveralSimilar},
		{"a-second-far-behind", text, []Scored{scored(.9999), scored(.90)}, tenure.AutoMerge, BySimilarity},
		{"a-second-that-is-another", text, []Scored{scored(.96), scored(similarity.NewAt)}, tenure.AutoMerge, BySimilarity},
		{"the-form-decides-between-two-alike", text, []Scored{scored(.96, exact), scored(.90)}, tenure.AutoMerge, ByExactName},
		{"two-forms", text, []Scored{scored(.97, exact), scored(.2, exact)}, tenure.InReview, AmbiguousName},
		{"two-forms-of-a-row", fromRow, []Scored{scored(.97, exact), scored(.2, exact)}, tenure.AutoMerge, ByExactName},
		{"two-forms-one-identified", text, []Scored{scored(.97, exact, identified), scored(.2, exact)}, tenure.AutoMerge, ByIdentifier},
		{"two-forms-one-identified-below-the-line", text, []Scored{scored(.9, exact, identified), scored(.2, exact)}, tenure.InReview, AmbiguousName},
		{"two-forms-one-identified-two-over", text, []Scored{scored(.99, exact, identified), scored(.97, exact)}, tenure.InReview, AmbiguousName},
		{"one-name-in-two-orders", text, []Scored{scored(.97, exact, sameTokens), scored(.5, sameTokens)}, tenure.InReview, AmbiguousName},
		{"one-name-in-two-orders-elsewhere", text, []Scored{scored(.97, exact, sameTokens), scored(.5, sameTokens, elsewhere)}, tenure.AutoMerge, ByExactName},
		{"an-identifier-that-is-contradicted", text, []Scored{scored(.3, identified)}, tenure.InReview, Contradicted},
		{"an-identifier-of-a-row-that-is-contradicted", fromRow, []Scored{scored(.3, identified)}, tenure.InReview, Contradicted},
		{"a-form-that-is-contradicted", text, []Scored{scored(.3, exact)}, tenure.InReview, Contradicted},
		{"a-form-of-a-row-that-is-contradicted", fromRow, []Scored{scored(.3, exact)}, tenure.NewEntity, NoCandidate},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			got := classify(c.found, c.mention)
			want := 0.0
			if len(c.found) > 0 && c.found[0].Root.Status != tenure.EntityPending {
				want = c.found[0].Comparison.Score
			}
			if got.outcome != c.outcome || got.reason != c.reason || got.score != want {
				t.Errorf("got %s, %s, %v; want %s, %s, %v", got.outcome, got.reason, got.score, c.outcome, c.reason, want)
			}
		})
	}
}

// TestTheBestThatDoesNotWait checks which candidate a match binds to: the best one that is not pending.
func TestTheBestThatDoesNotWait(t *testing.T) {
	pending := Scored{Root: tenure.Entity{Status: tenure.EntityPending}}
	canonical := Scored{Root: tenure.Entity{Status: tenure.EntityCanonical}}
	for _, c := range []struct {
		found []Scored
		want  int
	}{
		{nil, -1}, {[]Scored{pending}, -1}, {[]Scored{canonical, canonical}, 0}, {[]Scored{pending, pending, canonical, canonical}, 2},
	} {
		if got := settledAt(c.found); got != c.want {
			t.Errorf("of %d: %d, want %d", len(c.found), got, c.want)
		}
	}
}

// TestUnopposed checks what is evidence against the only holder of a name: anything but the frequency of the name and
// the calibration.
func TestUnopposed(t *testing.T) {
	line := func(feature string, odds float64) similarity.Contribution {
		return similarity.Contribution{Feature: feature, LogOdds: odds}
	}
	for _, c := range []struct {
		reasons []similarity.Contribution
		want    bool
	}{
		{nil, true},
		{[]similarity.Contribution{line("name", -3), line("name_words", -1), line("calibration", -2), line("date_equal", 4), line("type_differs", 0)}, true},
		{[]similarity.Contribution{line("name", 3), line("date_differs", -.1)}, false},
		{[]similarity.Contribution{line("bound", -1), line("prior_registry", -2)}, true},
	} {
		if got := unopposed(c.reasons); got != c.want {
			t.Errorf("%v: %v", c.reasons, got)
		}
	}
}
