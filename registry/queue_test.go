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

	"tenure/calibrate"
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
	w.Do(t, registry.UndoMerge{Caller: w.Caller, Kind: tenure.Split, Decision: split.SplitID})
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
	u := world.Answer[registry.UndoMergeAnswer](t, w.Do(t, registry.ReopenReview{Caller: w.Caller, Review: r.ID})[0])
	if !slices.Equal(u.Undone, []tenure.ID{m.MergeID}) || !slices.Equal(u.Reviews, []tenure.ID{r.ID}) {
		t.Errorf("got %+v", u)
	}
	w.Refused(t, registry.UndoMerge{Caller: w.Caller, Kind: tenure.Merge, Decision: m.MergeID}, tenure.Conflicting, "")
}

// TestWhatIsGathered checks what becomes a label: answers about scores of the model, answers about another
// model's scores after scoring again, and merges by score. Everything else is at most counted.
func TestWhatIsGathered(t *testing.T) {
	w := world.New(t, 0)
	file, err := similarity.DefaultFile()
	if err != nil {
		t.Fatal(err)
	}
	model, curve := similarity.DefaultModel(), calibrate.Curve(file.Calibration)
	id := func(n int) tenure.ID { return tenure.DerivedID("gathered", string(rune('a'+n))) }
	person := func(n int, name string) tenure.Change {
		return tenure.EntityPut{Entity: tenure.Entity{ID: id(n), Type: "person", Name: name, Names: []string{name}, Status: tenure.EntityCanonical}}
	}
	answer := func(n int, change func(*tenure.Review)) tenure.Change {
		r := answeredAt(0.8, true)
		r.ID, r.Entity, r.Model, r.OpenedAt = id(n), id(0), model.Version, 5
		r.Candidates[0].Entity, r.Into = id(1), id(1)
		change(&r)
		return tenure.ReviewPut{Review: r}
	}
	decision := func(n int, change func(*tenure.IdentityDecision)) tenure.Change {
		v := tenure.IdentityDecision{ID: id(n), Kind: tenure.Merge, From: id(0), Into: id(1), At: 10}
		change(&v)
		return tenure.IdentityDecisionPut{Decision: v}
	}
	changes := []tenure.Change{
		person(0, "Wojciech Kowalczyk"), person(1, "W. Kowalczyk"),
		answer(2, func(*tenure.Review) {}),
		answer(3, func(r *tenure.Review) { r.Model = "0" }),
		answer(4, func(r *tenure.Review) { r.Model, r.Reason = "0", registry.ByExactName }),
		answer(5, func(r *tenure.Review) { r.Reason = registry.AmbiguousName }),
		decision(6, func(v *tenure.IdentityDecision) { v.Automatic, v.Score = true, 0.97 }),
		decision(7, func(v *tenure.IdentityDecision) { v.Automatic, v.Score, v.Undone = true, 0.96, true }),
		decision(8, func(v *tenure.IdentityDecision) { v.Automatic, v.Score, v.At = true, 0.97, 1 }),
		decision(9, func(*tenure.IdentityDecision) {}),
		decision(10, func(v *tenure.IdentityDecision) { v.Kind = tenure.Split }),
		decision(11, func(v *tenure.IdentityDecision) { v.Undone = true }),
	}
	for _, c := range changes {
		if _, err := w.Store.Apply(t.Context(), world.Tenant, mustSeq(t, w), []tenure.ChangeSet{{ID: tenure.NewMint(time.Now()).NewID(), Changes: []tenure.Change{c}}}); err != nil {
			t.Fatal(err)
		}
	}
	d, err := calibrate.CollectLabels(t.Context(), w.Store, world.Tenant, model, curve)
	if err != nil {
		t.Fatal(err)
	}
	if d.Automatic != 2 || d.Undone != 1 || d.Merges != 1 || d.Splits != 1 || d.OtherModel != 2 || len(d.Answers) != 2 || len(d.Labels) != 4 {
		t.Fatalf("got %+v", d)
	}
	same, undisputed := 0, 0
	for _, l := range d.Labels {
		if l.Same {
			same++
		}
		if l.Undisputed {
			undisputed++
		}
	}
	if same != 3 || undisputed != 1 {
		t.Errorf("the labels are %+v", d.Labels)
	}
	for _, a := range d.Answers { // the answer about the other model is scored again
		if a.Score < 0.7 || a.Score > 0.95 {
			t.Errorf("a score of %v", a.Score)
		}
	}
}

func mustSeq(t *testing.T, w *world.World) tenure.Seq {
	t.Helper()
	seq, _ := w.View(t).State()
	return seq
}

// answeredAt returns a review with one candidate that a person answered.
func answeredAt(score float64, same bool) tenure.Review {
	r := tenure.Review{
		State: tenure.ReviewSettled, Reason: "similar", Decision: registry.DecideNew, DecidedBy: "somebody",
		Candidates: []tenure.Candidate{{Entity: "a", Score: score}},
	}
	if same {
		r.Decision, r.Into = registry.DecideMerge, "a"
	}
	return r
}
