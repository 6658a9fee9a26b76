package bulk_test

import (
	"slices"
	"testing"
	"time"

	"tenure"
	"tenure/ingest"
	"tenure/ledger"
	"tenure/registry"

	"tenure/service/bulk"
	"tenure/similarity"
	"tenure/store"
)

// put writes people with the same city and birthday, without candidate generation.
func put(t *testing.T, s store.Store, names ...string) {
	t.Helper()
	mint := func() tenure.Mint { return tenure.NewMint(time.Now()) }
	w, err := ledger.NewWriter(s, mint, registry.Policies(similarity.DefaultModel(), ledger.Unobserved), ledger.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, name := range names {
		res := w.Do(t.Context(), tenant, ledger.Request{Operation: ingest.Operation, Actor: "a", Command: &ingest.Command{
			Caller: importer, Matcher: registry.Matcher{Model: similarity.DefaultModel()}, Input: ingest.Input{
				Source:   ingest.Source{Origin: "test://"},
				Mentions: []ingest.Mention{{Name: name, Type: "person", Attributes: map[string][]string{"dob": {"1981-04-02"}, "city": {"Oslo"}}}},
			},
		}})
		if res[0].Err != nil {
			t.Fatal(res[0].Err)
		}
	}
}

// TestDuplicateScan checks that a scan raises duplicates missed at write time, once each, and merges nothing.
func TestDuplicateScan(t *testing.T) {
	w := newWorld(t)
	w.namesakes(t)
	stats, found := scan(t, w, false)
	if stats.Entities != 3 || stats.Findings != 1 || len(found) != 1 || found[0].Review == "" || len(found[0].Candidates) != 1 {
		t.Fatalf("%+v, %+v", stats, found)
	}
	pair := []string{found[0].Name, found[0].Candidates[0].Name}
	if slices.Sort(pair); !slices.Equal(pair, []string{"Katharina Lindquist", "Katharina Lindqvist"}) {
		t.Errorf("asked whether %v are one", pair)
	}
	if open := w.openReviews(t); len(open) != 1 || open[0].ID != found[0].Review {
		t.Errorf("open reviews: %+v", open)
	}
	if _, found = scan(t, w, false); len(found) != 0 {
		t.Errorf("the same was asked again: %+v", found)
	}
}

// TestDuplicateScanOpensReviewsOfWorth checks that a review opened by a scan has a priority like any other.
func TestDuplicateScanOpensReviewsOfWorth(t *testing.T) {
	w := newWorld(t)
	w.namesakes(t)
	scan(t, w, false)
	for _, r := range w.openReviews(t) {
		if r.Priority <= 0 || r.Model != similarity.DefaultModel().Version {
			t.Errorf("a review worth %v by the model %q", r.Priority, r.Model)
		}
	}
}

// TestDryRunFindsWhatTheRunOpens checks that a dry run finds exactly the reviews that a run opens.
func TestDryRunFindsWhatTheRunOpens(t *testing.T) {
	w := newWorld(t)
	put(t, w.store, "Katharina Lindqvist", "Bo Okafor", "Katharina Lindquist", "Tomasz Wilk", "Bo Okaphor", "Katarina Lindqvist", "Ines Carvalho")
	end := w.end(t)
	dryStats, dry := scan(t, w, true)
	if w.end(t) != end || len(w.openReviews(t)) != 0 {
		t.Errorf("a dry run has written up to %d, from %d", w.end(t), end)
	}
	stats, opened := scan(t, w, false)
	if stats != dryStats || stats.Findings < 2 {
		t.Errorf("a dry run: %+v, the run: %+v", dryStats, stats)
	}
	if got, want := pairs(dry), pairs(opened); !slices.Equal(got, want) {
		t.Errorf("a dry run: %q\nthe run:   %q", got, want)
	}
	for _, f := range dry {
		if f.Review != "" {
			t.Errorf("a dry run has opened %s", f.Review)
		}
	}
}

// pairs returns the pairs that findings ask about, with their scores.
func pairs(found []bulk.Finding) []string {
	var list []string
	for _, f := range found {
		for _, c := range f.Candidates {
			list = append(list, string(min(f.Entity, c.Entity))+" "+string(max(f.Entity, c.Entity)))
		}
	}
	slices.Sort(list)
	return list
}
