package bulk_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tenure"
	"tenure/amend"
	"tenure/service/bulk"
	"tenure/store"
	"tenure/store/sqlite"
	"tenure/verify"
)

// TestRejudge judges a store that a program without a base vocabulary wrote.
func TestRejudge(t *testing.T) {
	ctx, now := t.Context(), time.Date(2025, 6, 1, 0, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "t.db")
	if err := sqlite.Migrate(ctx, path); err != nil {
		t.Fatal(err)
	}
	s, err := sqlite.Open(ctx, path, sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	ada, ben := newID('a'), newID('b')
	boston, chicago, boss := claimed('1', ada, "office_location", 1), claimed('2', ada, "office", 2), claimed('3', ada, "manages", 3)
	boston.Value.JSON, chicago.Value.JSON = json.RawMessage(`"Boston"`), json.RawMessage(`"Chicago"`)
	boston.Value.Canonical, chicago.Value.Canonical = "text:boston", "text:chicago"
	boss.Value = tenure.Value{Entity: ben, Canonical: "entity:" + string(ben)}
	changes := []tenure.Change{}
	for _, id := range []tenure.ID{ada, ben} {
		changes = append(changes, tenure.EntityPut{Entity: tenure.Entity{ID: id, Status: tenure.EntityCanonical, Name: "X"}})
	}
	changes = append(changes, tenure.ObservationAdded{Observation: tenure.Observation{ID: newID('0')}})
	for _, c := range []tenure.Claim{boston, chicago, boss} {
		changes = append(changes, tenure.ClaimAdded{Claim: c}, tenure.StandingPut{Slot: c.Slot(), Standing: tenure.Standing{
			Belief: c.ID, Segments: []tenure.Segment{{Window: c.Window, Cause: tenure.Stands}}, LastConfirmed: c.ObservedAt,
		}})
	}
	receipts, err := s.Apply(ctx, "t", 0, []tenure.ChangeSet{{ID: newID('9'), Operation: "ingest", Changes: changes}})
	if err != nil {
		t.Fatal(err)
	}
	judge := func() bulk.RejudgeStats {
		t.Helper()
		stats, err := bulk.Rejudge(ctx, s, bulk.RejudgeConfig{
			Tenant: "t", Now: func() time.Time { return now }, Found: func(amend.RejudgeAnswer) error { return nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		return stats
	}
	if got := judge(); got.Moved != 2 || got.Displaced != 1 || got.Restored != 0 {
		t.Errorf("the first time: %+v", got)
	}
	if got := judge(); got.Moved+got.Displaced+got.Restored != 0 {
		t.Errorf("the second time: %+v", got)
	}
	report, err := verify.Tenant(ctx, s, "t")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Findings {
		if strings.HasPrefix(f, "belief") || strings.HasPrefix(f, "case") {
			t.Error(f)
		}
	}
	office := []tenure.ID{boston.ID, chicago.ID}
	present, past := view(t, s, tenure.Present), view(t, s, tenure.AsOf{Seq: receipts[0].Seq})
	listed(t, present, store.BeliefQuery{Predicate: "office"}, office)
	listed(t, present, store.BeliefQuery{Predicate: "office_location"}, nil)
	listed(t, present, store.BeliefQuery{Predicate: "office", Subject: ada}, office)
	listed(t, present, store.BeliefQuery{Predicate: "manager", Subject: ben}, []tenure.ID{boss.ID})
	listed(t, present, store.BeliefQuery{Subject: ada}, office)
	listed(t, past, store.BeliefQuery{Predicate: "office"}, office[1:])
	listed(t, past, store.BeliefQuery{Predicate: "office_location"}, office[:1])
	listed(t, past, store.BeliefQuery{Predicate: "manager"}, nil)
	found, err := present.Beliefs(ctx, []tenure.ID{boss.ID})
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if c := found[0].Claim; c.Subject != ben || c.Value.Entity != ada || !c.Inverted || c.PredicateAsWritten != "manages" {
		t.Errorf("held as %+v", c)
	}
}

func newID(last byte) tenure.ID {
	return tenure.ID("01a20000-0000-7000-8000-00000000000" + string(last))
}

func claimed(last byte, subject tenure.ID, predicate string, at tenure.Instant) tenure.Claim {
	return tenure.Claim{
		ID: newID(last), Observation: newID('0'), Subject: subject, Predicate: predicate, Layer: tenure.LayerFact,
		Confidence: 1, Window: tenure.Window{From: at, Until: tenure.MaxTime}, Basis: tenure.Observed, ObservedAt: at,
	}
}

func view(t *testing.T, s store.Store, at tenure.AsOf) store.Reader {
	t.Helper()
	r, err := s.View(t.Context(), "t", at)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func listed(t *testing.T, r store.Reader, q store.BeliefQuery, want []tenure.ID) {
	t.Helper()
	list, err := r.List(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != len(want) {
		t.Fatalf("%+v: %d beliefs, not %d", q, len(list), len(want))
	}
	for i, b := range list {
		if b.Claim.ID != want[i] {
			t.Errorf("%+v: %s, not %s", q, b.Claim.ID, want[i])
		}
	}
}
