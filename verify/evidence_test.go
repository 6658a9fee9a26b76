package verify_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"tenure"
	"tenure/store"
	"tenure/store/sqlite"
	"tenure/verify"
)

// beside is a store that another process writes to: what is verified is its first state, and a page of the log has one
// entry.
type beside struct{ store.Store }

func (s beside) View(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	if at == tenure.Present {
		at = tenure.AsOf{Seq: 1}
	}
	return s.Store.View(ctx, tenant, at)
}

func (s beside) Log(ctx context.Context, tenant string, after tenure.Seq, _ int) ([]tenure.Entry, error) {
	return s.Store.Log(ctx, tenant, after, 1)
}

// Evidence that a server erases while it is verified is no finding, however many entries lie between.
func TestErasedMeanwhile(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	newID := tenure.NewMint(time.Time{}).NewID
	said := tenure.Observation{ID: newID(), Text: "secret"}
	for seq, c := range []tenure.Change{
		tenure.ObservationAdded{Observation: said},
		tenure.ObservationAdded{Observation: tenure.Observation{ID: newID()}},
		tenure.ContentErased{Kind: tenure.ErasedObservation, ID: said.ID},
	} {
		cs := tenure.ChangeSet{ID: newID(), Operation: "test", Actor: "test", Changes: []tenure.Change{c}}
		if _, err := s.Apply(t.Context(), "t", tenure.Seq(seq), []tenure.ChangeSet{cs}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := verify.Tenant(t.Context(), beside{s}, "t")
	if err != nil || len(r.Findings) > 0 || r.Entries != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}
