package neo4j_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"tenure"
	"tenure/store"
)

// A commit becomes visible piece by piece. Two stores stand for two processes:
// what the one commits must be all or nothing to the other.

// TestTwoProcessesMakeOneEntity has many writers of two processes decide
// whether a name has an owner, and make one where it has none. Large change
// sets make the commits slow enough to be seen half done.
func TestTwoProcessesMakeOneEntity(t *testing.T) {
	ctx, tenant := context.Background(), randomTenant()
	stores := []store.Store{open(t), open(t)}
	var names []tenure.Form
	for i := range 12 {
		names = append(names, tenure.Form{Kind: tenure.NameKind, Key: fmt.Sprintf("name %d", i)})
	}
	decide := func(s store.Store, form tenure.Form) error {
		view, err := s.View(ctx, tenant, tenure.Present)
		if err != nil {
			return err
		}
		base, _ := view.State()
		owners, err := view.Owners(ctx, []tenure.Form{form})
		if err != nil || len(owners) > 0 {
			return err
		}
		e := newID()
		cs := tenure.ChangeSet{ID: newID(), Reads: []tenure.Cell{tenure.FormCell(form)}}
		for range 60 {
			cs.Changes = append(cs.Changes, believed(stated(e, "filler", newID()))...)
		}
		cs.Changes = append(cs.Changes, tenure.EntityPut{Entity: tenure.Entity{ID: e, Name: form.Key}},
			tenure.OwnerAdded{Owner: tenure.Owner{Form: form, Entity: e, Mention: newID()}})
		_, err = s.Apply(ctx, tenant, base, []tenure.ChangeSet{cs})
		return err
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for _, form := range names {
				for {
					err := decide(stores[i%2], form)
					if err == nil {
						break
					}
					if tenure.CodeOf(err) != tenure.Conflicting {
						t.Error(err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
	view, err := stores[0].View(ctx, tenant, tenure.Present)
	if err != nil {
		t.Fatal(err)
	}
	owners, err := view.Owners(ctx, names)
	if err != nil || len(owners) != len(names) {
		t.Errorf("%d names have %d owners, %v", len(names), len(owners), err)
	}
}

// TestViewsAreWholeWhileOthersWrite has one process replace all beliefs of an
// entity at once, again and again, while another reads: it must see one
// generation, whole, and the same again by the same view.
func TestViewsAreWholeWhileOthersWrite(t *testing.T) {
	ctx, tenant, subject := context.Background(), randomTenant(), newID()
	writer, reader := open(t), open(t)
	const slots, generations = 40, 25
	window := tenure.Window{From: 1_750_000_000_000_000, Until: 1_750_000_000_000_001}
	next := func(generation int, before []tenure.Claim) (tenure.ChangeSet, []tenure.Claim) {
		cs := tenure.ChangeSet{ID: newID()}
		var claims []tenure.Claim
		for i := range slots {
			c := stated(subject, fmt.Sprintf("p%d", i), newID())
			c.Content = fmt.Sprint(generation)
			claims = append(claims, c)
			cs.Changes = append(cs.Changes, believed(c)...)
		}
		for _, c := range before {
			cs.Changes = append(cs.Changes, stood(c, tenure.BySuccession))
		}
		return cs, claims
	}
	cs, claims := next(0, nil)
	seq := apply(t, writer, tenant, 0, cs)
	var done atomic.Bool
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for !done.Load() {
				view, err := reader.View(ctx, tenant, tenure.Present)
				if err != nil {
					t.Error(err)
					return
				}
				at, _ := view.State()
				for range 3 {
					live, err := view.Live(ctx, []tenure.ID{subject}, window, 1000)
					if err != nil || len(live) != slots {
						t.Errorf("state %d has %d live beliefs, %v", at, len(live), err)
						return
					}
					for _, b := range live {
						if b.Claim.Content != fmt.Sprint(at-1) {
							t.Errorf("state %d has a belief of generation %s", at, b.Claim.Content)
							return
						}
					}
				}
			}
		})
	}
	for g := 1; g <= generations; g++ {
		cs, claims = next(g, claims)
		seq = apply(t, writer, tenant, seq, cs)
	}
	done.Store(true)
	wg.Wait()
}
