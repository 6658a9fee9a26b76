package neo4j

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"tenure"
)

// TestAViewBeginsWithACompleteCommit has one process commit much at once while
// another one views. Without [Store.barrier] it fails in most runs: the
// tenant's node is visible some milliseconds before the indexes are.
func TestAViewBeginsWithACompleteCommit(t *testing.T) {
	const commits, claims, viewers = 12, 1000, 2
	ctx, tenant, subject := context.Background(), "t-"+string(newID()), newID()
	writer, other := internal(t), internal(t)
	last := tenure.Slot{Subject: subject, Predicate: fmt.Sprint(claims - 1)}
	var stop atomic.Bool
	var views atomic.Int64
	var wg sync.WaitGroup
	for range viewers {
		wg.Go(func() {
			for !stop.Load() {
				view, err := other.View(ctx, tenant, tenure.Present)
				if err != nil {
					t.Error(err)
					return
				}
				seq, _ := view.State()
				states, err := view.Slots(ctx, []tenure.Slot{last})
				if err != nil || len(states[0].Beliefs) != int(seq) {
					t.Errorf("state %d has %d of %d beliefs, %v", seq, len(states[0].Beliefs), seq, err)
					return
				}
				views.Add(1)
			}
		})
	}
	for n := range commits {
		cs := tenure.ChangeSet{ID: newID()}
		for i := range claims {
			c := tenure.Claim{ID: newID(), Subject: subject, Predicate: fmt.Sprint(i)}
			cs.Changes = append(cs.Changes, tenure.ClaimAdded{Claim: c})
		}
		if _, err := writer.Apply(ctx, tenant, tenure.Seq(n), []tenure.ChangeSet{cs}); err != nil {
			t.Fatal(err)
		}
	}
	stop.Store(true)
	wg.Wait()
	if views.Load() == 0 {
		t.Error("nothing was viewed")
	}
}
