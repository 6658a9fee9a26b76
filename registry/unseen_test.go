package registry_test

import (
	"slices"
	"testing"

	"tenure"
	"tenure/internal/world"
	"tenure/registry"
)

// labelled resolves a name under a label.
func labelled(t *testing.T, w *world.World, name string, level tenure.Classification, user string) tenure.ID {
	t.Helper()
	in := world.Said(name, "office", "red", nil)
	in.Classification, in.Scope.UserID = level, user
	return w.Observe(t, in).Mentions[0].EntityID
}

// TestMergesOfWhatNotAllSee checks that the root of a merge is seen by all who see what is merged into it.
func TestMergesOfWhatNotAllSee(t *testing.T) {
	w := world.New(t, 0)
	open, secret := labelled(t, w, "Ada Park", "", ""), labelled(t, w, "Bea Vale", tenure.Confidential, "")
	ours := labelled(t, w, "Dan Reed", "", "u1")
	_, pending, _ := asked(t, w)
	merge := func(from, into tenure.ID) registry.Merge {
		return registry.Merge{Caller: w.Caller, From: from, Into: into}
	}
	w.Refused(t, merge(secret, ours), tenure.Unprocessable, "/into")
	w.Refused(t, merge(ours, secret), tenure.Unprocessable, "/into")
	w.Refused(t, merge(pending, secret), tenure.Unprocessable, "/into")
	a := world.Answer[registry.MergeAnswer](t, w.Do(t, merge(open, secret))[0])
	if a.EntityID != secret || a.RootID != open {
		t.Errorf("%+v", a)
	}
	low := w.Caller
	low.Clearance = tenure.Restricted
	w.Refused(t, registry.UndoDecision{Caller: low, Kind: tenure.Merge, Decision: a.MergeID}, tenure.NotFound, "")
}

// TestASplitTellsOfWhatIsSeen splits a mention of which a hidden claim was made, by a caller who does not see the claim.
func TestASplitTellsOfWhatIsSeen(t *testing.T) {
	w := world.New(t, 0)
	ada := entityOf(t, w, "Ada Park", "")
	in := world.Said("Ada Park", "office", "blue", nil)
	secret := in.Claims[0]
	secret.Predicate, secret.Classification = "salary", tenure.Confidential
	in.Claims = append(in.Claims, secret)
	o := w.Observe(t, in)
	low := w.Caller
	low.Clearance = tenure.Restricted
	a := world.Answer[registry.SplitAnswer](t, w.Do(t, registry.Split{
		Caller: low, Entity: ada, Mentions: []tenure.ID{o.Mentions[0].MentionID},
	})[0])
	seen := []tenure.ID{o.Beliefs[0].BeliefID}
	if !slices.Equal(a.Moved, seen) {
		t.Errorf("moved %v, want %v", a.Moved, seen)
	}
}
