package service

import (
	"testing"
	"time"

	"tenure"
	"tenure/compile"
	"tenure/internal/world"
)

// TestCompilationsAreKeptForATime checks that old compilations go, that newer ones stay, and that the caller is told
// which of the two a missing one is.
func TestCompilationsAreKeptForATime(t *testing.T) {
	svc, s := newService(t)
	svc.keep = 24 * time.Hour
	s.Put(tenant, tenure.EntityPut{Entity: tenure.Entity{ID: "e"}})
	c := Operator(tenant, "op")
	body, err := compile.Pack(compile.Kept{By: compile.Requester{Actor: c.Actor, Clearance: c.Clearance}, Body: []byte("{}")})
	if err != nil {
		t.Fatal(err)
	}
	made := func(ago time.Duration) tenure.ID {
		id := tenure.FirstID(tenure.At(world.Begin.Add(-ago)))
		kept := tenure.Compilation{ID: id, CreatedAt: tenure.At(world.Begin.Add(-ago)), Body: body}
		if err := s.PutCompilation(t.Context(), tenant, kept); err != nil {
			t.Fatal(err)
		}
		return id
	}
	old, last, young := made(25*time.Hour), made(24*time.Hour), made(time.Hour)
	if err := svc.dropOld(t.Context()); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[tenure.ID]tenure.Code{
		old: tenure.Gone, last: "", young: "", tenure.FirstID(tenure.At(world.Begin.Add(-time.Minute))): tenure.NotFound,
		tenure.DerivedID("x", "y"): tenure.NotFound,
	} {
		if _, err := svc.Compilation(t.Context(), c, string(id)); tenure.CodeOf(err) != want {
			t.Errorf("%s: %v, want %q", id, err, want)
		}
	}
	svc.keep = 0
	if _, err := svc.Compilation(t.Context(), c, string(old)); tenure.CodeOf(err) != tenure.NotFound {
		t.Errorf("where all are kept: %v", err)
	}
}
