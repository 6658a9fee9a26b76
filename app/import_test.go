package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tenure"
	"tenure/index"
	"tenure/ingest"
	"tenure/registry"
	"tenure/review"
	"tenure/store"
	"tenure/store/sqlite"
)

const tenant = "t"

var importer = tenure.Caller{Tenant: tenant, Actor: "import", Clearance: tenure.HighlyRestricted}

// newApp serves a store in a temporary folder.
func newApp(t *testing.T) (*App, store.Store, *index.Index) {
	t.Helper()
	dir := t.TempDir()
	s, err := sqlite.Open(t.Context(), filepath.Join(dir, "t.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(filepath.Join(dir, "index"), index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := New(s, Config{Now: time.Now, Logger: slog.New(slog.DiscardHandler), CursorKey: make([]byte, 32), Index: x})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		a.Close()
		if err := errors.Join(x.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	return a, s, x
}

func person(i int) Row {
	names := []string{"Katharina Lindqvist", "Bo Okafor", "Amaya Ruiz", "Tomasz Wilk", "Ines Carvalho"}
	return Row{
		Record: tenure.Record{Source: "crm", ID: fmt.Sprint(i)}, Name: fmt.Sprintf("%s %c%c", names[i%5], 'A'+i%23, 'a'+i/23%23), Type: "person",
		Attributes: map[string][]string{"passport": {fmt.Sprintf("P%07d", i*7919)}},
	}
}

func load(ctx context.Context, a *App, n int, progress func(Imported)) (Imported, error) {
	i := 0
	return a.Import(ctx, ImportConfig{Caller: importer, Origin: "import://crm", Progress: progress}, func() (Row, bool) {
		i++
		return person(i - 1), i <= n
	})
}

// An import that is interrupted goes on where it stopped: what was written then
// is unchanged now, and nothing is there twice.
func TestImportGoesOn(t *testing.T) {
	a, _, _ := newApp(t)
	const rows = 3 * importGroup
	ctx, cancel := context.WithCancel(t.Context())
	part, err := load(ctx, a, rows, func(sum Imported) {
		if sum.Rows >= importGroup {
			cancel()
		}
	})
	if err == nil || part.Rows != importGroup {
		t.Fatalf("an import that was interrupted: %+v, %v", part, err)
	}
	var told []int
	whole, err := load(t.Context(), a, rows, func(sum Imported) { told = append(told, sum.Rows) })
	if err != nil {
		t.Fatal(err)
	}
	if whole.Unchanged < importGroup || whole.Unchanged+whole.New+whole.Merged+whole.InReview != rows {
		t.Errorf("the rest: %+v", whole)
	}
	if !slices.Equal(told, []int{importGroup, 2 * importGroup, rows}) {
		t.Errorf("progress told of %v rows", told)
	}
	again, err := load(t.Context(), a, rows, nil)
	if err != nil || again.Unchanged != rows || again.LaterAsked+again.LaterMerged != 0 {
		t.Errorf("the same again: %+v, %v", again, err)
	}
}

// Two people whom somebody took for one are suspected, and nobody else is.
func TestSuspects(t *testing.T) {
	a, _, _ := newApp(t)
	const rows = 40
	if _, err := load(t.Context(), a, rows, nil); err != nil {
		t.Fatal(err)
	}
	ids := entities(t, a, rows)
	_, _, err := write[review.MergeAnswer](t.Context(), a.service, importer, nil, "merge", review.Merge{
		Caller: importer, From: ids[3], Into: ids[11],
	})
	if err != nil {
		t.Fatal(err)
	}
	s := a.NewSuspects(tenant, 10)
	if err := s.Look(t.Context(), entities(t, a, rows)); err != nil {
		t.Fatal(err)
	}
	worst := s.Worst()
	if len(worst) != 1 || worst[0].Mentions != 2 || worst[0].Contradicting != 1 || !slices.Contains(worst[0].Reasons, SuspectContradiction) {
		t.Errorf("suspected: %+v", worst)
	}
}

func entities(t *testing.T, a *App, n int) []tenure.ID {
	t.Helper()
	var rows []Row
	for i := range n {
		rows = append(rows, person(i))
	}
	ids, err := a.EntitiesOf(t.Context(), tenant, rows)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// A second look that cannot search has not been: it comes again.
func TestASecondLookWithoutCandidatesComesAgain(t *testing.T) {
	a, s, x := newApp(t)
	const rows = 3
	if _, err := load(t.Context(), a, rows, nil); err != nil {
		t.Fatal(err)
	}
	ids := entities(t, a, rows)
	closed, err := index.Open(t.TempDir(), index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	look := func(x *index.Index) error {
		w := newWhois(s, Config{Now: time.Now, Logger: slog.New(slog.DiscardHandler), Index: x}, registry.Judge{Model: registry.DefaultModel()})
		w.writer = a.service.writer
		return w.look(t.Context(), tenant, ids)
	}
	if err := look(closed); tenure.CodeOf(err) != tenure.Unavailable {
		t.Errorf("without an index: %v", err)
	}
	if err := look(x); err != nil {
		t.Errorf("with it: %v", err)
	}
}

// A sweep asks about what nobody looked for when it was written, once, and merges
// nothing; a dry run asks nobody.
func TestSweep(t *testing.T) {
	_, s, x := newApp(t)
	mint := func() tenure.Mint { return tenure.NewMint(time.Now()) }
	w := store.NewWriter(s, mint, store.WriterConfig{})
	defer w.Close()
	for _, name := range []string{"Katharina Lindqvist", "Bo Okafor", "Katharina Lindquist"} {
		res := w.Do(t.Context(), tenant, store.Request{Operation: ingest.Operation, Actor: "a", Command: &ingest.Command{
			Caller: importer, Judge: registry.Judge{Model: registry.DefaultModel()}, Input: ingest.Input{
				Source:   ingest.Source{Origin: "test://"},
				Mentions: []ingest.Mention{{Name: name, Type: "person", Attributes: map[string][]string{"dob": {"1981-04-02"}, "city": {"Oslo"}}}},
			},
		}})
		if res[0].Err != nil {
			t.Fatal(res[0].Err)
		}
	}
	sweep := func(dry bool) (Swept, []Question) {
		var asked []Question
		var came tenure.Seq
		sum, err := Sweep(t.Context(), s, SweepConfig{
			Tenant: tenant, Index: x, Now: time.Now, Logger: slog.New(slog.DiscardHandler), DryRun: dry,
			Found: func(q Question) error { asked = append(asked, q); return nil },
			Done:  func(upTo tenure.Seq, _ Swept) error { came = upTo; return nil },
		})
		if err != nil || came == 0 {
			t.Fatalf("swept up to %d: %v", came, err)
		}
		return sum, asked
	}
	dry, asked := sweep(true)
	if dry.Entities != 3 || len(asked) != 1 || asked[0].Review != "" || len(asked[0].Candidates) != 1 {
		t.Fatalf("a dry run: %+v, %+v", dry, asked)
	}
	pair := []string{asked[0].Name, asked[0].Candidates[0].Name}
	if slices.Sort(pair); !slices.Equal(pair, []string{"Katharina Lindquist", "Katharina Lindqvist"}) {
		t.Errorf("asked whether %v are one", pair)
	}
	_, asked = sweep(false)
	if len(asked) != 1 || asked[0].Review == "" {
		t.Errorf("the sweep asked %+v", asked)
	}
	view, err := s.View(t.Context(), tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	reviews, err := view.ListReviews(t.Context(), store.ReviewQuery{State: tenure.ReviewOpen, Limit: 10})
	if err != nil || len(reviews) != 1 {
		t.Errorf("open reviews: %+v, %v", reviews, err)
	}
	if _, asked = sweep(false); len(asked) != 0 {
		t.Errorf("the same was asked again: %+v", asked)
	}
}
