package bulk_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"tenure"
	"tenure/index"

	"tenure/service"
	"tenure/service/bulk"
	"tenure/similarity"
	"tenure/store"
	"tenure/store/sqlite"
)

const tenant = "t"

// importGroup is how many rows an import decides together.
const importGroup = 256

var importer = tenure.Caller{Tenant: tenant, Actor: "import", Clearance: tenure.HighlyRestricted}

// world is a service over a store in a temporary folder.
type world struct {
	*service.Service
	store store.Store
	index *index.Index

	imports int // of chats
}

func newWorld(t *testing.T) *world {
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
	svc, err := service.New(s, service.Config{Now: time.Now, Index: x})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		svc.Close()
		if err := errors.Join(x.Close(), s.Close()); err != nil {
			t.Error(err)
		}
	})
	return &world{Service: svc, store: s, index: x}
}

func person(i int) bulk.Row {
	names := []string{"Katharina Lindqvist", "Bo Okafor", "Amaya Ruiz", "Tomasz Wilk", "Ines Carvalho"}
	return bulk.Row{
		Record: tenure.Record{Source: "crm", ID: fmt.Sprint(i)}, Name: fmt.Sprintf("%s %c%c", names[i%5], 'A'+i%23, 'a'+i/23%23), Type: "person",
		Attributes: map[string][]string{"passport": {fmt.Sprintf("P%07d", i*7919)}},
	}
}

func people(n int) []bulk.Row {
	rows := make([]bulk.Row, n)
	for i := range rows {
		rows[i] = person(i)
	}
	return rows
}

func (w *world) load(ctx context.Context, rows []bulk.Row, progress func(bulk.Imported)) (bulk.Imported, error) {
	cfg := bulk.ImportConfig{Caller: importer, Origin: "import://crm", Progress: progress}
	return bulk.NewImporter(w.store, w.Service).Import(ctx, cfg, func() (bulk.Row, bool) {
		if len(rows) == 0 {
			return bulk.Row{}, false
		}
		r := rows[0]
		rows = rows[1:]
		return r, true
	})
}

func (w *world) entities(t *testing.T, rows []bulk.Row) []tenure.ID {
	t.Helper()
	ids, err := bulk.NewImporter(w.store, w.Service).EntitiesOf(t.Context(), tenant, rows)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func (w *world) end(t *testing.T) tenure.Seq {
	t.Helper()
	r, err := w.store.View(t.Context(), tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	seq, _ := r.State()
	return seq
}

// TestImportGoesOn checks that an interrupted import resumes: rows already written are unchanged, and no row
// is written twice.
func TestImportGoesOn(t *testing.T) {
	w := newWorld(t)
	rows := people(3 * importGroup)
	ctx, cancel := context.WithCancel(t.Context())
	part, err := w.load(ctx, rows, func(sum bulk.Imported) {
		if sum.Rows >= importGroup {
			cancel()
		}
	})
	if err == nil || part.Rows != importGroup {
		t.Fatalf("an import that was interrupted: %+v, %v", part, err)
	}
	var told []int
	whole, err := w.load(t.Context(), rows, func(sum bulk.Imported) { told = append(told, sum.Rows) })
	if err != nil {
		t.Fatal(err)
	}
	if whole.Unchanged < importGroup || whole.Unchanged+whole.New+whole.Merged+whole.InReview != len(rows) {
		t.Errorf("the rest: %+v", whole)
	}
	if !slices.Equal(told, []int{importGroup, 2 * importGroup, len(rows)}) {
		t.Errorf("progress told of %v rows", told)
	}
}

// TestInterruptedImportEndsAlike checks that an import that was interrupted in the middle, and run again, puts the same
// rows together as one that was not, and writes no row twice.
func TestInterruptedImportEndsAlike(t *testing.T) {
	rows := people(4 * importGroup)
	for i := range rows {
		if i%3 == 2 { // the same person again, with a slip
			again := rows[i-1-i%2]
			again.Record.ID, again.Name = rows[i].Record.ID, again.Name+"x"
			rows[i] = again
		}
	}
	whole := newWorld(t)
	if _, err := whole.load(t.Context(), rows, nil); err != nil {
		t.Fatal(err)
	}
	parted := newWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := parted.load(ctx, rows, func(sum bulk.Imported) {
		if sum.Rows >= 2*importGroup {
			cancel()
		}
	}); err == nil {
		t.Fatal("the import was not interrupted")
	}
	rest, err := parted.load(t.Context(), rows, nil)
	if err != nil || rest.Unchanged < 2*importGroup || rest.Rows != len(rows) {
		t.Fatalf("the rest: %+v, %v", rest, err)
	}
	if diff := cmp.Diff(partition(whole.entities(t, rows)), partition(parted.entities(t, rows))); diff != "" {
		t.Errorf("rows that are one entity, without and with an interruption: %s", diff)
	}
	end := parted.end(t)
	if again, err := parted.load(t.Context(), rows, nil); err != nil || again.Unchanged != len(rows) || parted.end(t) != end {
		t.Errorf("once more: %+v, %v; the log ends at %d, was %d", again, err, parted.end(t), end)
	}
}

// partition returns for each row the first one of its entity.
func partition(entities []tenure.ID) []int {
	first, list := map[tenure.ID]int{}, make([]int, len(entities))
	for i, e := range entities {
		if _, ok := first[e]; !ok {
			first[e] = i
		}
		list[i] = first[e]
	}
	return list
}

// TestImportIsIdempotent checks that a row is written again only if its content changed, and then keeps its
// entity.
func TestImportIsIdempotent(t *testing.T) {
	w := newWorld(t)
	rows := people(10)
	rows[2].Name = ""                           // its passport identifies
	rows[4].Name, rows[4].Attributes = " ", nil // nothing does
	first, err := w.load(t.Context(), rows, nil)
	if err != nil || first.Rows != 9 || first.New != 9 {
		t.Fatalf("the first import: %+v, %v", first, err)
	}
	ids, end := w.entities(t, rows), w.end(t)
	again, err := w.load(t.Context(), rows, nil)
	if err != nil || again != (bulk.Imported{Rows: 9, Unchanged: 9, LeftOut: 1}) || w.end(t) != end {
		t.Errorf("the same again: %+v, %v; the log ends at %d, was %d", again, err, w.end(t), end)
	}
	for i := range rows {
		if (ids[i] == "") != (i == 4) {
			t.Errorf("row %d means %q", i, ids[i])
		}
	}
	rows[7].Attributes = map[string][]string{"passport": rows[7].Attributes["passport"], "city": {"Oslo"}}
	changed, err := w.load(t.Context(), rows, nil)
	if err != nil || changed.Unchanged != 8 || changed.Merged != 1 {
		t.Errorf("with a change: %+v, %v", changed, err)
	}
	if after := w.entities(t, rows); !slices.Equal(after, ids) {
		t.Errorf("the rows mean %v, meant %v", after, ids)
	}
}

// TestEntitiesOfAProject checks that a row is found in its own project only.
func TestEntitiesOfAProject(t *testing.T) {
	w := newWorld(t)
	r := person(1)
	r.Project = "nova"
	if _, err := w.load(t.Context(), []bulk.Row{r}, nil); err != nil {
		t.Fatal(err)
	}
	other := r
	other.Project = "zeta"
	if ids := w.entities(t, []bulk.Row{r, other}); ids[0] == "" || ids[1] != "" {
		t.Errorf("the rows mean %q", ids)
	}
}

// TestOvermergeReport checks that two people merged by hand are reported, and no other entity is.
func TestOvermergeReport(t *testing.T) {
	w := newWorld(t)
	rows := people(40)
	if _, err := w.load(t.Context(), rows, nil); err != nil {
		t.Fatal(err)
	}
	ids := w.entities(t, rows)
	if _, err := w.Merge(t.Context(), importer, nil, service.EntityMerge{From: ids[3], Into: ids[11]}); err != nil {
		t.Fatal(err)
	}
	r := bulk.NewOvermergeReport(w.store, similarity.DefaultModel(), tenant, 10)
	for range 2 { // each root counts once
		if err := r.Examine(t.Context(), w.entities(t, rows)); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // and the report can be read twice
		worst := r.Worst()
		if len(worst) != 1 || worst[0].Entity != ids[11] || worst[0].Mentions != 2 || worst[0].Contradicting != 1 ||
			!slices.Equal(worst[0].Reasons, []string{bulk.ContradictingIdentifiers}) {
			t.Errorf("reported: %+v", worst)
		}
	}
}

// namesakes writes three people without candidate generation, two of them much alike, as if two processes had
// written them concurrently.
func (w *world) namesakes(t *testing.T) {
	t.Helper()
	put(t, w.store, "Katharina Lindqvist", "Bo Okafor", "Katharina Lindquist")
}

func scan(t *testing.T, w *world, dry bool) (bulk.ScanStats, []bulk.Finding) {
	t.Helper()
	var found []bulk.Finding
	var came tenure.Seq
	stats, err := bulk.DuplicateScan(t.Context(), w.store, bulk.ScanConfig{
		Tenant: tenant, Index: w.index, Now: time.Now, Logger: slog.New(slog.DiscardHandler), DryRun: dry,
		Found:      func(f bulk.Finding) error { found = append(found, f); return nil },
		Checkpoint: func(upTo tenure.Seq, _ bulk.ScanStats) error { came = upTo; return nil },
	})
	if err != nil || came == 0 {
		t.Fatalf("scanned up to %d: %v", came, err)
	}
	return stats, found
}

func (w *world) openReviews(t *testing.T) []tenure.Review {
	t.Helper()
	view, err := w.store.View(t.Context(), tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	list, err := view.ListReviews(t.Context(), store.ReviewQuery{State: tenure.ReviewOpen, Ranked: true, Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
