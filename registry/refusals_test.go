package registry_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"tenure"
	"tenure/ingest"
	"tenure/internal/world"
	"tenure/ledger"
	"tenure/registry"
	"tenure/store"
)

const nobody = tenure.ID("00000000-0000-7000-8000-999999999999")

// entityOf resolves a name, in a project if one is given.
func entityOf(t *testing.T, w *world.World, name, project string) tenure.ID {
	t.Helper()
	in := world.Said(name, "office", "red", nil)
	in.Scope.ProjectID = project
	return w.Observe(t, in).Mentions[0].EntityID
}

func entityNow(t *testing.T, w *world.World, id tenure.ID) tenure.Entity {
	t.Helper()
	found, err := w.View(t).Entities(t.Context(), []tenure.ID{id})
	if err != nil || len(found) != 1 {
		t.Fatalf("entity %s: %v, %v", id, found, err)
	}
	return found[0]
}

// TestMergesThatAreRefused checks each reason not to merge two entities, and that nothing is written.
func TestMergesThatAreRefused(t *testing.T) {
	w := world.New(t, 0)
	ada, bea := entityOf(t, w, "Ada Park", ""), entityOf(t, w, "Bea Vale", "")
	ours, theirs := entityOf(t, w, "Cid Moss", "atlas"), entityOf(t, w, "Dan Reed", "nova")
	known, pending, _ := asked(t, w)
	gone := entityOf(t, w, "Eve Lund", "")
	retired := entityNow(t, w, gone)
	retired.Status = tenure.EntityRetired
	w.Do(t, put{tenure.EntityPut{Entity: retired}})
	merged := entityOf(t, w, "Fay Holt", "")
	if res := w.Do(t, registry.Merge{Caller: w.Caller, From: merged, Into: ada})[0]; res.Err != nil {
		t.Fatal(res.Err)
	}
	for _, c := range []struct {
		behaviour  string
		from, into tenure.ID
		code       tenure.Code
		pointer    string
	}{
		{"nobody", nobody, ada, tenure.NotFound, ""},
		{"into-nobody", ada, nobody, tenure.Unprocessable, "/into"},
		{"itself", ada, ada, tenure.Unprocessable, "/into"},
		{"the-same-already", merged, ada, tenure.Conflicting, "/into"},
		{"the-same-already-the-other-way-round", ada, merged, tenure.Conflicting, "/into"},
		{"into-one-that-waits", known, pending, tenure.Unprocessable, "/into"},
		{"into-a-retired-one", ada, gone, tenure.Unprocessable, "/into"},
		{"a-retired-one", gone, ada, tenure.Unprocessable, "/into"},
		{"into-one-of-a-project", ada, ours, tenure.Unprocessable, "/into"},
		{"into-one-of-another-project", theirs, ours, tenure.Unprocessable, "/into"},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			w.Refused(t, registry.Merge{Caller: w.Caller, From: c.from, Into: c.into}, c.code, c.pointer)
		})
	}
	bound := w.Caller
	bound.Bound.ProjectID = "atlas"
	w.Refused(t, registry.Merge{Caller: bound, From: theirs, Into: ada}, tenure.NotFound, "")
	w.Refused(t, registry.Merge{Caller: bound, From: ours, Into: theirs}, tenure.Unprocessable, "/into")
	for _, c := range [][2]tenure.ID{{ours, ada}, {bea, merged}} {
		a := world.Answer[registry.MergeAnswer](t, w.Do(t, registry.Merge{Caller: w.Caller, From: c[0], Into: c[1], Reason: "the same"})[0])
		if a.EntityID != c[0] || a.RootID != ada {
			t.Errorf("%s into %s: %+v", c[0], c[1], a)
		}
	}
	if e := entityNow(t, w, ada); fmt.Sprint(e.Members) != fmt.Sprint(sorted(bea, ours, merged)) {
		t.Errorf("the members are %v", e.Members)
	}
}

func sorted(ids ...tenure.ID) []tenure.ID { return slices.Sorted(slices.Values(ids)) }

// put is a command that puts a change.
type put struct{ change tenure.Change }

func (put) Plan() ledger.Plan { return nil }

func (c put) Decide(ctx context.Context, txn *ledger.Txn, _ tenure.Mint) (any, error) {
	if e, ok := c.change.(tenure.EntityPut); ok {
		if _, err := txn.Entity(ctx, e.Entity.ID); err != nil {
			return nil, err
		}
	}
	txn.Put(c.change)
	return nil, nil
}

// TestUndosThatAreRefused checks that an identity decision is undone once, by its kind, and by those who see it.
func TestUndosThatAreRefused(t *testing.T) {
	w := world.New(t, 0)
	ours, ada := entityOf(t, w, "Cid Moss", "atlas"), entityOf(t, w, "Ada Park", "")
	m := world.Answer[registry.MergeAnswer](t, w.Do(t, registry.Merge{Caller: w.Caller, From: ours, Into: ada})[0])
	undo := registry.UndoDecision{Caller: w.Caller, Kind: tenure.Merge, Decision: m.MergeID, Reason: "two people"}
	other := undo
	other.Kind = tenure.Split
	w.Refused(t, other, tenure.NotFound, "")
	other = undo
	other.Decision = nobody
	w.Refused(t, other, tenure.NotFound, "")
	other = undo
	other.Caller.Bound.ProjectID = "nova"
	w.Refused(t, other, tenure.NotFound, "")
	a := world.Answer[registry.UndoAnswer](t, w.Do(t, undo)[0])
	if a.EntityID != ours || a.RootID != ours || !slices.Equal(a.Undone, []tenure.ID{m.MergeID}) || len(a.Reviews) != 0 {
		t.Errorf("got %+v", a)
	}
	if e := entityNow(t, w, ours); e.Status != tenure.EntityCanonical || e.MergedInto != "" || len(entityNow(t, w, ada).Members) != 0 {
		t.Errorf("the entity is %s of %q", e.Status, e.MergedInto)
	}
	v, err := w.View(t).IdentityDecisions(t.Context(), []tenure.ID{m.MergeID})
	if err != nil || len(v) != 1 || !v[0].Undone || v[0].UndoneBy != "tester" || v[0].UndoneReason != "two people" || v[0].UndoneAt == 0 {
		t.Errorf("the decision is %+v, %v", v, err)
	}
	w.Refused(t, undo, tenure.Conflicting, "")
}

// TestSplits checks which mentions can be split off, what moves with them, and that the undo brings it back.
func TestSplits(t *testing.T) {
	w := world.New(t, 0)
	ada := entityOf(t, w, "Ada Park", "")
	other := entityOf(t, w, "Bea Vale", "")
	again := world.Said("Ada Park", "office", "blue", nil)
	again.Mentions[0].Aliases = []string{"Ada P."}
	a := w.Observe(t, again)
	mentions := func(id tenure.ID) (ids []tenure.ID) {
		list, err := w.View(t).MentionsOf(t.Context(), id, "", 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			ids = append(ids, m.ID)
		}
		return ids
	}
	all := mentions(ada)
	if len(all) != 2 || a.Mentions[0].EntityID != ada {
		t.Fatalf("mentions %v", all)
	}
	split := func(ids ...tenure.ID) registry.Split {
		return registry.Split{Caller: w.Caller, Entity: ada, Mentions: ids, Reason: "another"}
	}
	w.Refused(t, split(), tenure.Invalid, "/mentions")
	w.Refused(t, split(all[0], nobody), tenure.Unprocessable, "/mentions/1")
	w.Refused(t, split(mentions(other)...), tenure.Unprocessable, "/mentions/0")
	w.Refused(t, split(all...), tenure.Unprocessable, "/mentions")
	unknown := split(all[0])
	unknown.Entity = nobody
	w.Refused(t, unknown, tenure.NotFound, "")

	s := world.Answer[registry.SplitAnswer](t, w.Do(t, split(all[1]))[0])
	moved := []tenure.ID{a.Beliefs[0].BeliefID}
	if s.EntityID != ada || s.NewEntityID == ada || !slices.Equal(s.Mentions, all[1:]) || !slices.Equal(s.Moved, moved) {
		t.Errorf("got %+v", s)
	}
	if own := entityNow(t, w, s.NewEntityID); own.Status != tenure.EntityCanonical || !slices.Equal(own.Names, []string{"Ada Park", "Ada P."}) {
		t.Errorf("the new entity is %s %v", own.Status, own.Names)
	}
	if left := entityNow(t, w, ada); !slices.Equal(left.Names, []string{"Ada Park"}) || !slices.Equal(mentions(ada), all[:1]) {
		t.Errorf("left are %v, %v", left.Names, mentions(ada))
	}
	if b := w.Belief(t, moved[0]); b.Standing.Subject != s.NewEntityID {
		t.Errorf("the belief is about %s", b.Standing.Subject)
	}
	u := world.Answer[registry.UndoAnswer](t, w.Do(t, registry.UndoDecision{Caller: w.Caller, Kind: tenure.Split, Decision: s.SplitID})[0])
	if u.EntityID != s.NewEntityID || !slices.Equal(mentions(ada), all) {
		t.Errorf("after the undo: %+v, %v", u, mentions(ada))
	}
	if own := entityNow(t, w, s.NewEntityID); own.Status != tenure.EntityRetired {
		t.Errorf("what was split off is %s", own.Status)
	}
	if b := w.Belief(t, moved[0]); b.Claim.Subject != ada && b.Standing.Subject != ada {
		t.Errorf("the belief is about %s", b.Standing.Subject)
	}
}

// TestAnswersToAReview checks each answer, and the state that it leaves: of the review, of the entity, and of what is
// said to be different.
func TestAnswersToAReview(t *testing.T) {
	open := func(t *testing.T) (*world.World, tenure.ID, tenure.ID, tenure.Review) {
		w := world.New(t, 0)
		known, pending, r := asked(t, w)
		return w, known, pending, r
	}
	answer := func(w *world.World, r tenure.Review, decision string, edits ...func(*registry.DecideReview)) registry.DecideReview {
		c := registry.DecideReview{Caller: w.Caller, Reviewer: "Dana", Review: r.ID, Version: r.Version, Decision: decision, Note: "seen"}
		for _, edit := range edits {
			edit(&c)
		}
		return c
	}
	t.Run("the-same", func(t *testing.T) {
		w, known, pending, r := open(t)
		a := world.Answer[registry.DecideReviewAnswer](t, w.Do(t, answer(w, r, registry.DecideMerge, func(c *registry.DecideReview) { c.Into = known }))[0])
		if a.State != tenure.ReviewSettled || a.EntityID != pending || a.RootID != known || a.MergeID == "" || a.SplitID != "" || len(a.CannotLinks) != 0 {
			t.Errorf("got %+v", a)
		}
		now := reviewNow(t, w, r.ID)
		if now.State != tenure.ReviewSettled || now.Decision != registry.DecideMerge || now.Into != known || now.Merge != a.MergeID ||
			now.DecidedBy != "tester" || now.Note != "seen" || now.Version != r.Version+1 || now.DecidedAt == 0 {
			t.Errorf("the review is %+v", now)
		}
		if n := len(now.Events); n != 1 || now.Events[0].Reviewer != "Dana" || now.Events[0].Action != registry.DecideMerge {
			t.Errorf("events %+v", now.Events)
		}
	})
	t.Run("another", func(t *testing.T) {
		w, known, pending, r := open(t)
		a := world.Answer[registry.DecideReviewAnswer](t, w.Do(t, answer(w, r, registry.DecideNew))[0])
		if a.State != tenure.ReviewSettled || a.EntityID != pending || a.RootID != pending || len(a.CannotLinks) != 1 {
			t.Errorf("got %+v", a)
		}
		if e := entityNow(t, w, pending); e.Status != tenure.EntityCanonical || e.Reason != "" {
			t.Errorf("the entity is %s for %q", e.Status, e.Reason)
		}
		decided, err := w.View(t).IdentityDecisionsOn(t.Context(), []tenure.ID{pending})
		if err != nil || len(decided) != 1 || decided[0].Kind != tenure.CannotLink || decided[0].Into != known || decided[0].Review != r.ID {
			t.Errorf("decided %+v, %v", decided, err)
		}
		back := world.Answer[registry.UndoAnswer](t, w.Do(t, registry.UndoReview{Caller: w.Caller, Review: r.ID, Reason: "no"})[0])
		if !slices.Equal(back.Undone, a.CannotLinks) || !slices.Equal(back.Reviews, []tenure.ID{r.ID}) || back.EntityID != pending {
			t.Errorf("reopened: %+v", back)
		}
		now := reviewNow(t, w, r.ID)
		if e := entityNow(t, w, pending); e.Status != tenure.EntityPending || e.Reason != r.Reason || now.State != tenure.ReviewOpen || now.Decision != "" || now.FromStatus != "" {
			t.Errorf("the entity is %s for %q, the review %+v", e.Status, e.Reason, now)
		}
		w.Refused(t, registry.UndoReview{Caller: w.Caller, Review: r.ID}, tenure.Conflicting, "")
	})
	t.Run("later", func(t *testing.T) {
		w, _, pending, r := open(t)
		a := world.Answer[registry.DecideReviewAnswer](t, w.Do(t, answer(w, r, registry.DecideDefer))[0])
		now := reviewNow(t, w, r.ID)
		if a.State != tenure.ReviewOpen || now.DeferredBy != "tester" || now.DeferNote != "seen" || now.DeferredAt == 0 || now.Version != r.Version+1 ||
			now.Priority != r.Priority/4 {
			t.Errorf("got %+v, %+v", a, now)
		}
		if e := entityNow(t, w, pending); e.Status != tenure.EntityPending {
			t.Errorf("the entity is %s", e.Status)
		}
	})
	t.Run("one-mention-of-two", func(t *testing.T) {
		w, known, pending, r := open(t)
		w.Observe(t, mailed("Jon Vale", "jon@two.example"))
		list, err := w.View(t).MentionsOf(t.Context(), pending, "", 10)
		if err != nil || len(list) != 2 {
			t.Fatal(len(list), err)
		}
		r = reviewNow(t, w, r.ID)
		a := world.Answer[registry.DecideReviewAnswer](t, w.Do(t, answer(w, r, registry.DecideMerge, func(c *registry.DecideReview) {
			c.Into, c.Mentions = known, []tenure.ID{list[1].ID}
		}))[0])
		if a.SplitID == "" || a.MergeID == "" || a.EntityID == pending || a.RootID != known || a.State != tenure.ReviewSettled {
			t.Errorf("got %+v", a)
		}
		if now := reviewNow(t, w, r.ID); now.State != tenure.ReviewOpen || now.PendingMentions != 1 || now.PendingBeliefs != 1 {
			t.Errorf("the rest waits: %+v", now)
		}
		if e := entityNow(t, w, pending); e.Status != tenure.EntityPending {
			t.Errorf("the rest is %s", e.Status)
		}
	})
	t.Run("all-mentions-are-the-whole", func(t *testing.T) {
		w, known, pending, r := open(t)
		list, err := w.View(t).MentionsOf(t.Context(), pending, "", 10)
		if err != nil || len(list) != 1 {
			t.Fatal(len(list), err)
		}
		a := world.Answer[registry.DecideReviewAnswer](t, w.Do(t, answer(w, r, registry.DecideMerge, func(c *registry.DecideReview) {
			c.Into, c.Mentions = known, []tenure.ID{list[0].ID, list[0].ID}
		}))[0])
		if a.SplitID != "" || a.MergeID == "" || a.EntityID != pending || a.State != tenure.ReviewSettled {
			t.Errorf("got %+v", a)
		}
	})
	t.Run("refused", func(t *testing.T) {
		w, known, _, r := open(t)
		w.Refused(t, answer(w, r, registry.DecideMerge), tenure.Invalid, "/into")
		w.Refused(t, answer(w, r, registry.DecideMerge, func(c *registry.DecideReview) { c.Into = nobody }), tenure.Unprocessable, "/into")
		w.Refused(t, answer(w, r, registry.DecideNew, func(c *registry.DecideReview) { c.Version++ }), tenure.Conflicting, "/version")
		w.Refused(t, answer(w, r, registry.DecideNew, func(c *registry.DecideReview) { c.Review = nobody }), tenure.NotFound, "")
		w.Refused(t, registry.UndoReview{Caller: w.Caller, Review: r.ID}, tenure.Conflicting, "")
		w.Do(t, answer(w, r, registry.DecideMerge, func(c *registry.DecideReview) { c.Into = known }))
		w.Refused(t, answer(w, r, registry.DecideNew), tenure.Conflicting, "")
		w.Refused(t, registry.LeaseReview{Caller: w.Caller, Review: r.ID, For: time.Minute}, tenure.Conflicting, "")
	})
}

// TestLeases checks who holds a review, for how long, and who may take it over.
func TestLeases(t *testing.T) {
	w := world.New(t, 0)
	_, _, r := asked(t, w)
	lease := func(actor, reviewer string, length time.Duration) registry.LeaseReview {
		c := registry.LeaseReview{Caller: w.Caller, Review: r.ID, Reviewer: reviewer, For: length}
		c.Caller.Actor = actor
		return c
	}
	a := world.Answer[registry.LeaseReviewAnswer](t, w.Do(t, lease("tester", "Dana", time.Minute))[0])
	now := reviewNow(t, w, r.ID)
	if a.LeasedBy != "tester" || a.Reviewer != "Dana" || a.Version != r.Version || now.Version != r.Version || now.LeasedUntil != a.LeasedUntil {
		t.Errorf("got %+v, %+v", a, now)
	}
	longer := world.Answer[registry.LeaseReviewAnswer](t, w.Do(t, lease("tester", "Dana", time.Hour))[0])
	if longer.LeasedUntil <= a.LeasedUntil {
		t.Errorf("extended from %s to %s", a.LeasedUntil, longer.LeasedUntil)
	}
	w.Refused(t, lease("tester", "Eric", time.Minute), tenure.Conflicting, "")
	w.Refused(t, lease("another", "Dana", time.Minute), tenure.Conflicting, "")
	release := lease("tester", "Dana", 0)
	release.Release = true
	if a := world.Answer[registry.LeaseReviewAnswer](t, w.Do(t, release)[0]); a.LeasedBy != "" || a.LeasedUntil != 0 {
		t.Errorf("released: %+v", a)
	}
	before, _ := w.View(t).State()
	w.Do(t, release) // releases nothing
	if after, _ := w.View(t).State(); after != before {
		t.Error("the release of nothing was written")
	}
	if a := world.Answer[registry.LeaseReviewAnswer](t, w.Do(t, lease("another", "", time.Second))[0]); a.LeasedBy != "another" {
		t.Errorf("after the release: %+v", a)
	}
	w.Do(t, ingestNothing(w)) // the clock goes on
	if res := w.Do(t, lease("tester", "Eric", time.Second))[0]; res.Err != nil {
		t.Errorf("after the end: %v", res.Err)
	}
}

func ingestNothing(w *world.World) *ingest.Command {
	return w.Command(world.Said("Zoe Quill", "office", "red", nil))
}

// TestAMergeSettlesWhatIsAsked checks that a merge by hand settles the reviews that ask about the two, from either side,
// and leaves others open.
func TestAMergeSettlesWhatIsAsked(t *testing.T) {
	w := world.New(t, 0)
	known, pending, r := asked(t, w)
	other := entityOf(t, w, "Bea Vale", "")
	question := func(n int, about, candidate tenure.ID) tenure.Review {
		v := tenure.Review{
			ID: tenure.ID(fmt.Sprintf("00000000-0000-7000-9000-%012d", n)), State: tenure.ReviewOpen, Entity: about, Version: 1,
			Candidates: []tenure.Candidate{{Entity: candidate, Score: .8}}, Reason: registry.BySimilarity, OpenedAt: tenure.At(world.Begin),
		}
		w.Do(t, put{tenure.ReviewPut{Review: v}})
		return v
	}
	same, back, apart := question(1, other, known), question(2, known, other), question(3, known, pending)
	a := world.Answer[registry.MergeAnswer](t, w.Do(t, registry.Merge{Caller: w.Caller, From: other, Into: known})[0])
	if got := sorted(a.Reviews...); !slices.Equal(got, sorted(same.ID, back.ID)) {
		t.Errorf("settled %v", got)
	}
	for id, want := range map[tenure.ID]tenure.ReviewState{
		same.ID: tenure.ReviewSettled, back.ID: tenure.ReviewSettled, apart.ID: tenure.ReviewOpen, r.ID: tenure.ReviewOpen,
	} {
		if got := reviewNow(t, w, id); got.State != want {
			t.Errorf("review %s is %s, want %s", id, got.State, want)
		}
	}
	u := world.Answer[registry.UndoAnswer](t, w.Do(t, registry.UndoDecision{Caller: w.Caller, Kind: tenure.Merge, Decision: a.MergeID})[0])
	if got := sorted(u.Reviews...); !slices.Equal(got, sorted(same.ID, back.ID)) {
		t.Errorf("reopened %v", got)
	}
	list, err := w.View(t).ListReviews(t.Context(), store.ReviewQuery{State: tenure.ReviewOpen})
	if err != nil || len(list) != 4 {
		t.Errorf("%d are open, %v", len(list), err)
	}
}

// TestAMergeNamesTheReviewsThatItsCallerSees: a review whose only candidate is hidden from the caller is settled by the
// merge, and reopened by its undoing, and neither answer names it.
func TestAMergeNamesTheReviewsThatItsCallerSees(t *testing.T) {
	w := world.New(t, 0)
	known, other := entityOf(t, w, "Ada Vale", ""), entityOf(t, w, "Bea Vale", "")
	secret := world.Said("Countess of Vale", "office", "red", nil)
	secret.Classification = tenure.HighlyRestricted
	hidden := w.Observe(t, secret).Mentions[0].EntityID
	w.Do(t, registry.Merge{Caller: w.Caller, From: hidden, Into: known})
	question := func(n int, candidate tenure.ID) tenure.ID {
		v := tenure.Review{
			ID: tenure.ID(fmt.Sprintf("00000000-0000-7000-9000-%012d", n)), State: tenure.ReviewOpen, Entity: other, Version: 1,
			Candidates: []tenure.Candidate{{Entity: candidate, Score: .8}}, Reason: registry.BySimilarity, OpenedAt: tenure.At(world.Begin),
		}
		w.Do(t, put{tenure.ReviewPut{Review: v}})
		return v.ID
	}
	seen, unseen := question(1, known), question(2, hidden)
	caller := w.Caller
	caller.Clearance = tenure.Confidential
	a := world.Answer[registry.MergeAnswer](t, w.Do(t, registry.Merge{Caller: caller, From: other, Into: known})[0])
	if !slices.Equal(a.Reviews, []tenure.ID{seen}) || reviewNow(t, w, unseen).State != tenure.ReviewSettled {
		t.Errorf("settled %v, and the hidden one is %s", a.Reviews, reviewNow(t, w, unseen).State)
	}
	u := world.Answer[registry.UndoAnswer](t, w.Do(t, registry.UndoDecision{Caller: caller, Kind: tenure.Merge, Decision: a.MergeID})[0])
	if !slices.Equal(u.Reviews, []tenure.ID{seen}) || reviewNow(t, w, unseen).State != tenure.ReviewOpen {
		t.Errorf("reopened %v, and the hidden one is %s", u.Reviews, reviewNow(t, w, unseen).State)
	}
}
