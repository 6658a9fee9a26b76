package registry_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"tenure"
	"tenure/ingest"
	"tenure/internal/world"
	"tenure/ledger"

	"tenure/registry"

	"tenure/similarity"
)

// mailed makes a claim about a person with a mailbox.
func mailed(name, mailbox string) ingest.Input {
	in := world.Said(name, "office", "red", nil)
	in.Mentions[0].Attributes = map[string][]string{"email": {mailbox}}
	return in
}

// asked opens a review: one name with two mailboxes.
func asked(t *testing.T, w *world.World) (known, pending tenure.ID, r tenure.Review) {
	t.Helper()
	known = w.Observe(t, mailed("Jon Vale", "jon@one.example")).Mentions[0].EntityID
	a := w.Observe(t, mailed("Jon Vale", "jon@two.example")).Mentions[0]
	return known, a.EntityID, reviewNow(t, w, a.ReviewID)
}

func reviewNow(t *testing.T, w *world.World, id tenure.ID) tenure.Review {
	t.Helper()
	list, err := w.View(t).Reviews(t.Context(), []tenure.ID{id})
	if err != nil || len(list) != 1 {
		t.Fatalf("review %s: %v, %v", id, list, err)
	}
	return list[0]
}

func TestMentionsOfOneGroupJoinOneReview(t *testing.T) {
	w := world.New(t, 0)
	w.Observe(t, mailed("Jon Vale", "jon@one.example"))
	again := func() ledger.Command { return w.Command(mailed("Jon Vale", "jon@two.example")) }
	var ids []tenure.ID
	for _, res := range w.Do(t, again(), again(), again()) {
		ids = append(ids, world.Answer[ingest.Answer](t, res).Mentions[0].ReviewID)
	}
	if ids[0] == "" || ids[1] != ids[0] || ids[2] != ids[0] {
		t.Fatalf("the reviews are %q", ids)
	}
	r := reviewNow(t, w, ids[0])
	if r.PendingMentions != 3 || r.PendingBeliefs != 3 || r.Version != 3 || r.Priority != registry.Priority(r) || r.Model != similarity.DefaultModel().Version {
		t.Errorf("got %+v", r)
	}
}

func TestWhatIsPartedWaitsNoMore(t *testing.T) {
	w := world.New(t, 0)
	_, pending, r := asked(t, w)
	for range 2 {
		w.Observe(t, mailed("Jon Vale", "jon@two.example"))
	}
	list, err := w.View(t).MentionsOf(t.Context(), pending, "", 10)
	if err != nil || len(list) != 3 {
		t.Fatal(len(list), err)
	}
	r = reviewNow(t, w, r.ID)
	split := world.Answer[registry.SplitAnswer](t, w.Do(t, registry.Split{Caller: w.Caller, Entity: pending, Mentions: []tenure.ID{list[1].ID}})[0])
	if now := reviewNow(t, w, r.ID); now.PendingMentions != 2 || now.PendingBeliefs != 2 || now.Version <= r.Version || now.Priority >= r.Priority {
		t.Errorf("after the split: %+v", now)
	}
	w.Do(t, registry.UndoDecision{Caller: w.Caller, Kind: tenure.Split, Decision: split.SplitID})
	if now := reviewNow(t, w, r.ID); now.PendingMentions != 3 || now.PendingBeliefs != 3 || now.Priority != r.Priority {
		t.Errorf("after its undo: %+v", now)
	}
}

func TestALeaseKeepsOthersOut(t *testing.T) {
	w := world.New(t, 0)
	_, _, r := asked(t, w)
	lease := registry.LeaseReview{Caller: w.Caller, Review: r.ID, Reviewer: "Dana", For: time.Minute}
	a := world.Answer[registry.LeaseReviewAnswer](t, w.Do(t, lease)[0])
	decide := registry.DecideReview{Caller: w.Caller, Review: r.ID, Version: a.Version, Decision: registry.DecideNew}
	err := w.Do(t, decide)[0].Err
	var refused *tenure.Error
	if !errors.As(err, &refused) || refused.Code != tenure.Conflicting || !strings.Contains(refused.Message, "Dana") ||
		!strings.Contains(refused.Message, a.LeasedUntil.String()) {
		t.Errorf("another decides: %v", err)
	}
	other := decide
	other.Caller.Actor = "another"
	other.Reviewer = "Dana"
	w.Refused(t, other, tenure.Conflicting, "")
	for range 61 { // each command advances the clock by a second
		w.Do(t, registry.LeaseReview{Caller: w.Caller, Review: r.ID, Release: true})
	}
	if res := w.Do(t, decide)[0]; res.Err != nil {
		t.Errorf("after the lease: %v", res.Err)
	}
	if now := reviewNow(t, w, r.ID); now.LeasedBy != "" || now.State != tenure.ReviewSettled {
		t.Errorf("got %+v", now)
	}
}

func TestAReviewIsUndoneWithItsMerge(t *testing.T) {
	w := world.New(t, 0)
	known, pending, r := asked(t, w)
	m := world.Answer[registry.MergeAnswer](t, w.Do(t, registry.Merge{Caller: w.Caller, From: pending, Into: known})[0])
	if now := reviewNow(t, w, r.ID); now.Merge != m.MergeID {
		t.Fatalf("got %+v", now)
	}
	u := world.Answer[registry.UndoAnswer](t, w.Do(t, registry.UndoReview{Caller: w.Caller, Review: r.ID})[0])
	if !slices.Equal(u.Undone, []tenure.ID{m.MergeID}) || !slices.Equal(u.Reviews, []tenure.ID{r.ID}) {
		t.Errorf("got %+v", u)
	}
	w.Refused(t, registry.UndoDecision{Caller: w.Caller, Kind: tenure.Merge, Decision: m.MergeID}, tenure.Conflicting, "")
}
