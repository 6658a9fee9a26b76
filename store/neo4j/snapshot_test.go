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

// A commit becomes visible gradually. Two stores stand for two processes: a commit of one must be all or
// nothing to the other.

// Many writers of two processes decide whether a name is an alias of an entity, and create one if it is not.
// Large change sets make the commits slow enough to be seen half done.
func TestTwoProcessesMakeOneEntity(t *testing.T) {
	ctx, tenant := context.Background(), randomTenant()
	stores := []store.Store{open(t), open(t)}
	var names []tenure.AliasKey
	for i := range 12 {
		names = append(names, tenure.AliasKey{Kind: tenure.NameAlias, Key: fmt.Sprintf("name %d", i)})
	}
	decide := func(s store.Store, form tenure.AliasKey) error {
		view, err := s.View(ctx, tenant, tenure.Present)
		if err != nil {
			return err
		}
		base, _ := view.State()
		aliases, err := view.AliasesByKey(ctx, []tenure.AliasKey{form})
		if err != nil || len(aliases) > 0 {
			return err
		}
		e := newID()
		cs := tenure.ChangeSet{ID: newID(), ReadSet: []tenure.ConflictKey{tenure.AliasConflict(form)}}
		for range 60 {
			cs.Changes = append(cs.Changes, believed(stated(e, "filler", newID()))...)
		}
		cs.Changes = append(cs.Changes, tenure.EntityPut{Entity: tenure.Entity{ID: e, Name: form.Key}},
			tenure.AliasAdded{Alias: tenure.Alias{Key: form, Entity: e, Mention: newID()}})
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
	aliases, err := view.AliasesByKey(ctx, names)
	if err != nil || len(aliases) != len(names) {
		t.Errorf("%d names have %d aliases, %v", len(names), len(aliases), err)
	}
}

// One process repeatedly replaces all beliefs of an entity in one change set while another reads: a view must
// show one complete generation, and the same again.
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

// One process repeatedly moves all claims of an entity to another and back while another reads: a view must
// find all claims at one of the two, by every search.
func TestViewsAreWholeWhileClaimsMove(t *testing.T) {
	ctx, tenant, sides, object := context.Background(), randomTenant(), []tenure.ID{newID(), newID()}, newID()
	writer, reader := open(t), open(t)
	const slots, moves = 40, 24
	var claims []tenure.Claim
	var first []tenure.Change
	for i := range slots {
		c := stated(sides[0], fmt.Sprintf("p%d", i), newID())
		c.Value = tenure.Value{Entity: object}
		claims = append(claims, c)
		first = append(first, believed(c)...)
	}
	seq := apply(t, writer, tenant, 0, tenure.ChangeSet{ID: newID(), Changes: first})
	var done atomic.Bool
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for !done.Load() && !t.Failed() {
				view, err := reader.View(ctx, tenant, tenure.Present)
				if err != nil {
					t.Error(err)
					return
				}
				at, _ := view.State()
				for range 2 {
					found, err := countAt(ctx, view, sides, claims)
					if home := int(at+1) % 2; err != nil || found[home] != [4]int{slots, slots, slots, slots} || found[1-home] != [4]int{} {
						t.Errorf("state %d has %v, %v", at, found, err)
						return
					}
				}
			}
		})
	}
	for i := range moves {
		cs := tenure.ChangeSet{ID: newID()}
		for _, c := range claims {
			from, to := c.Slot(), c.Slot()
			from.Subject, to.Subject = sides[i%2], sides[1-i%2]
			put := stood(c, tenure.Stands)
			put.Slot, put.Standing.Subject = to, to.Subject
			cs.Changes = append(cs.Changes, tenure.ClaimMoved{Claim: c.ID, From: from, To: to, Object: object}, put)
		}
		seq = apply(t, writer, tenant, seq, cs)
	}
	done.Store(true)
	wg.Wait()
}

// countAt counts the claims that a view finds at each side: live, related, in their slots and listed.
func countAt(ctx context.Context, view store.Reader, sides []tenure.ID, claims []tenure.Claim) (n [2][4]int, err error) {
	window := tenure.Window{From: 1_750_000_000_000_000, Until: 1_750_000_000_000_001}
	for i, side := range sides {
		live, err := view.Live(ctx, []tenure.ID{side}, window, 1000)
		if err != nil {
			return n, err
		}
		related, err := view.Relations(ctx, []tenure.ID{side}, window, 1000)
		if err != nil {
			return n, err
		}
		var slots []tenure.Slot
		for _, c := range claims {
			s := c.Slot()
			s.Subject = side
			slots = append(slots, s)
		}
		states, err := view.Slots(ctx, slots)
		if err != nil {
			return n, err
		}
		listed, err := view.List(ctx, store.BeliefQuery{Subject: side})
		if err != nil {
			return n, err
		}
		n[i] = [4]int{len(live), len(related), 0, len(listed)}
		for _, s := range states {
			n[i][2] += len(s.Beliefs)
		}
		for _, b := range live {
			if b.Claim.Subject != side {
				return n, fmt.Errorf("a belief about %s is about %s", side, b.Claim.Subject)
			}
		}
	}
	return n, nil
}
