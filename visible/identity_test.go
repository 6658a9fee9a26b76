package visible_test

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tenure"
	"tenure/audience"
	"tenure/store/sqlite"
	"tenure/visible"
)

// TestADecisionListsTheReviewsThatAreSeen: a review whose candidates are all hidden is not seen, and the merge that
// settled it does not tell of it.
func TestADecisionListsTheReviewsThatAreSeen(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"), sqlite.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	if err := s.PutCredential(t.Context(), tenure.Credential{ID: tenure.DerivedID("key"), Tenant: "t", Roles: tenure.Roles}); err != nil {
		t.Fatal(err)
	}
	secret := tenure.NewLabel(tenure.Confidential, tenure.Scope{}, tenure.PermissionScope{})
	entity := func(name string, l tenure.Label) tenure.Entity {
		return tenure.Entity{ID: tenure.DerivedID("entity", name), Name: name, Type: "person", Status: tenure.EntityCanonical, Label: l}
	}
	dana, whitfield, hidden := entity("Dana", tenure.Label{}), entity("Dana Whitfield", tenure.Label{}), entity("D. W.", secret)
	review := func(name string, candidate tenure.ID) tenure.Review {
		return tenure.Review{
			ID: tenure.DerivedID("review", name), State: tenure.ReviewSettled, Entity: dana.ID,
			Candidates: []tenure.Candidate{{Entity: candidate, Score: .8}}, Version: 1,
		}
	}
	open, closed := review("open", whitfield.ID), review("closed", hidden.ID)
	merge := tenure.IdentityDecision{
		ID: tenure.DerivedID("merge"), Kind: tenure.Merge, From: dana.ID, Into: whitfield.ID, Reviews: []tenure.ID{closed.ID, open.ID},
	}
	set := tenure.ChangeSet{ID: tenure.DerivedID("set"), Operation: "test", Actor: "tester", Changes: []tenure.Change{
		tenure.EntityPut{Entity: dana}, tenure.EntityPut{Entity: whitfield}, tenure.EntityPut{Entity: hidden},
		tenure.ReviewPut{Review: open}, tenure.ReviewPut{Review: closed}, tenure.IdentityDecisionPut{Decision: merge},
		tenure.TermPut{Term: tenure.Term{Vocabulary: tenure.LabelsInUse, Name: secret.Name()}},
	}}
	if _, err := s.Apply(t.Context(), "t", 0, []tenure.ChangeSet{set}); err != nil {
		t.Fatal(err)
	}
	for clearance, want := range map[tenure.Classification][]tenure.ID{
		tenure.Restricted: {open.ID}, tenure.HighlyRestricted: {closed.ID, open.ID},
	} {
		r, err := s.View(t.Context(), "t", tenure.Present)
		if err != nil {
			t.Fatal(err)
		}
		caller := tenure.Caller{Tenant: "t", Clearance: clearance, Roles: tenure.Roles}
		list, err := visible.Reader(r, caller, audience.Of(caller)).IdentityDecisionsOn(t.Context(), []tenure.ID{dana.ID})
		if err != nil || len(list) != 1 || !slices.Equal(list[0].Reviews, want) {
			t.Errorf("%s: %+v, %v, want the reviews %v", clearance, list, err, want)
		}
	}
}
