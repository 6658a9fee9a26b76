package registry_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"tenure"
	"tenure/internal/world"
	"tenure/ledger"
	"tenure/registry"
	"tenure/similarity"
	"tenure/store"
)

// faulty is a reader whose n-th read fails, although it returns what it found.
type faulty struct {
	store.Reader
	mu       sync.Mutex
	n, reads int
}

func (f *faulty) fail(err error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reads++
	if f.reads == f.n {
		return errAway
	}
	return err
}

func (f *faulty) Entities(ctx context.Context, ids []tenure.ID) ([]tenure.Entity, error) {
	found, err := f.Reader.Entities(ctx, ids)
	return found, f.fail(err)
}

func (f *faulty) AliasesByKey(ctx context.Context, keys []tenure.AliasKey) ([]tenure.Alias, error) {
	found, err := f.Reader.AliasesByKey(ctx, keys)
	return found, f.fail(err)
}

func (f *faulty) AliasesOf(ctx context.Context, entities []tenure.ID) ([]tenure.Alias, error) {
	found, err := f.Reader.AliasesOf(ctx, entities)
	return found, f.fail(err)
}

func (f *faulty) IdentityDecisionsOn(ctx context.Context, entities []tenure.ID) ([]tenure.IdentityDecision, error) {
	found, err := f.Reader.IdentityDecisionsOn(ctx, entities)
	return found, f.fail(err)
}

func (f *faulty) IdentityDecisions(ctx context.Context, ids []tenure.ID) ([]tenure.IdentityDecision, error) {
	found, err := f.Reader.IdentityDecisions(ctx, ids)
	return found, f.fail(err)
}

func (f *faulty) ListReviews(ctx context.Context, q store.ReviewQuery) ([]tenure.Review, error) {
	found, err := f.Reader.ListReviews(ctx, q)
	return found, f.fail(err)
}

func (f *faulty) Reviews(ctx context.Context, ids []tenure.ID) ([]tenure.Review, error) {
	found, err := f.Reader.Reviews(ctx, ids)
	return found, f.fail(err)
}

func (f *faulty) Mentions(ctx context.Context, ids []tenure.ID) ([]store.MentionRecord, error) {
	found, err := f.Reader.Mentions(ctx, ids)
	return found, f.fail(err)
}

func (f *faulty) MentionsOf(ctx context.Context, entity tenure.ID, after tenure.ID, limit int) ([]tenure.Mention, error) {
	found, err := f.Reader.MentionsOf(ctx, entity, after, limit)
	return found, f.fail(err)
}

func (f *faulty) Observation(ctx context.Context, id tenure.ID) (store.ObservationRecord, error) {
	found, err := f.Reader.Observation(ctx, id)
	return found, f.fail(err)
}

func (f *faulty) Beliefs(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	found, err := f.Reader.Beliefs(ctx, ids)
	return found, f.fail(err)
}

func (f *faulty) List(ctx context.Context, q store.BeliefQuery) ([]tenure.Belief, error) {
	found, err := f.Reader.List(ctx, q)
	return found, f.fail(err)
}

func (f *faulty) Referring(ctx context.Context, entities []tenure.ID) ([]tenure.Belief, error) {
	found, err := f.Reader.Referring(ctx, entities)
	return found, f.fail(err)
}

func (f *faulty) Slots(ctx context.Context, slots []tenure.Slot) ([]store.SlotState, error) {
	found, err := f.Reader.Slots(ctx, slots)
	return found, f.fail(err)
}

func (f *faulty) Relations(ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int) ([]tenure.Belief, error) {
	found, err := f.Reader.Relations(ctx, entities, w, perEntity)
	return found, f.fail(err)
}

func (f *faulty) Terms(ctx context.Context, ids []string) ([]tenure.Term, error) {
	found, err := f.Reader.Terms(ctx, ids)
	return found, f.fail(err)
}

func (f *faulty) Cases(ctx context.Context, ids []tenure.ID) ([]tenure.Case, error) {
	found, err := f.Reader.Cases(ctx, ids)
	return found, f.fail(err)
}

// TestACommandNeedsEveryRead checks that no identity command is decided if one of its reads has failed.
func TestACommandNeedsEveryRead(t *testing.T) {
	w := world.New(t, 0)
	known, pending, r := asked(t, w)
	w.Observe(t, mailed("Jon Vale", "jon@two.example"))
	r = reviewNow(t, w, r.ID)
	list, err := w.View(t).MentionsOf(t.Context(), pending, "", 10)
	if err != nil || len(list) != 2 {
		t.Fatal(len(list), err)
	}
	ada, bea := entityOf(t, w, "Ada Park", ""), entityOf(t, w, "Bea Vale", "")
	merged := world.Answer[registry.MergeAnswer](t, w.Do(t, registry.Merge{Caller: w.Caller, From: bea, Into: ada})[0])
	other, _, settled := func() (tenure.ID, tenure.ID, tenure.Review) {
		w.Observe(t, mailed("Kim Reed", "kim@one.example"))
		a := w.Observe(t, mailed("Kim Reed", "kim@two.example")).Mentions[0]
		return a.EntityID, a.EntityID, reviewNow(t, w, a.ReviewID)
	}()
	w.Do(t, registry.DecideReview{Caller: w.Caller, Review: settled.ID, Version: settled.Version, Decision: registry.DecideNew})
	everyone := &everyone{ids: []tenure.ID{known, pending, ada, bea, other}}
	judge := registry.Matcher{Model: similarity.DefaultModel()}
	for name, command := range map[string]func() ledger.Command{
		"merge": func() ledger.Command { return registry.Merge{Caller: w.Caller, From: other, Into: ada} },
		"undo": func() ledger.Command {
			return registry.UndoDecision{Caller: w.Caller, Kind: tenure.Merge, Decision: merged.MergeID}
		},
		"split": func() ledger.Command {
			return registry.Split{Caller: w.Caller, Entity: pending, Mentions: []tenure.ID{list[1].ID}}
		},
		"decide-merge": func() ledger.Command {
			return registry.DecideReview{
				Caller: w.Caller, Review: r.ID, Version: r.Version, Decision: registry.DecideMerge, Into: known, Mentions: []tenure.ID{list[1].ID},
			}
		},
		"decide-new": func() ledger.Command {
			return registry.DecideReview{Caller: w.Caller, Review: r.ID, Version: r.Version, Decision: registry.DecideNew}
		},
		"defer": func() ledger.Command {
			return registry.DecideReview{Caller: w.Caller, Review: r.ID, Version: r.Version, Decision: registry.DecideDefer}
		},
		"reopen": func() ledger.Command { return registry.UndoReview{Caller: w.Caller, Review: settled.ID} },
		"lease":  func() ledger.Command { return registry.LeaseReview{Caller: w.Caller, Review: r.ID, For: time.Minute} },
		"reresolve": func() ledger.Command {
			return &registry.Reresolve{Tenant: world.Tenant, Entity: known, Matcher: judge, Proposer: everyone, Stable: registry.NewStableRoots()}
		},
	} {
		t.Run(name, func(t *testing.T) {
			run := func(f *faulty) error {
				_, err := ledger.DryRun(t.Context(), f, func() tenure.Mint { return tenure.NewMint(world.Begin) }, command())
				return err
			}
			whole := &faulty{Reader: w.View(t)}
			if err := run(whole); err != nil || whole.reads == 0 {
				t.Fatalf("%d reads, %v", whole.reads, err)
			}
			for n := 1; n <= whole.reads; n++ {
				if err := run(&faulty{Reader: w.View(t), n: n}); !errors.Is(err, errAway) {
					t.Errorf("read %d of %d has failed: %v", n, whole.reads, err)
				}
			}
		})
	}
}
