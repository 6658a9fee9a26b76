package fair_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tenure/fair"
)

// works is work that is carried out until it is told to end, beside a record of what has begun.
type works struct {
	*fair.Semaphore

	t    *testing.T
	ends map[string]chan struct{}

	mu    sync.Mutex
	begun []string
	errs  map[string]error
}

func newWorks(t *testing.T, slots int) *works {
	return &works{
		t: t, ends: map[string]chan struct{}{}, errs: map[string]error{},
		Semaphore: fair.NewSemaphore(fair.Config{Slots: slots, Waiting: 60, Wait: 10 * time.Second}),
	}
}

// start asks for a slot for work such as "tenant/key/1". It has one, or waits, or was refused when start returns.
func (w *works) start(ctx context.Context, name string, do func(context.Context) error) {
	path, end := strings.Split(name, "/"), make(chan struct{})
	w.ends[name] = end
	go func() {
		err := w.Do(ctx, path[0], path[1], func(ctx context.Context) error {
			w.begins(name)
			if do != nil {
				return do(ctx)
			}
			<-end
			return nil
		})
		w.mu.Lock()
		defer w.mu.Unlock()
		w.errs[name] = err
	}()
	synctest.Wait()
}

func (w *works) begins(name string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.begun = append(w.begun, name)
}

// end ends work, and with it, in the end, all that has begun.
func (w *works) end(name string) {
	close(w.ends[name])
	synctest.Wait()
}

func (w *works) want(want string) {
	w.t.Helper()
	if got := strings.Join(w.begun, " "); got != want {
		w.t.Errorf("begun: %s\nwant:  %s", got, want)
	}
	w.begun = nil
}

// TestAQuietTenantGoesBeforeTheFiftiethOfABusyOne checks the order in which slots are given while all of them are
// taken: tenants take turns, then the keys of each.
func TestAQuietTenantGoesBeforeTheFiftiethOfABusyOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorks(t, 1)
		w.start(t.Context(), "busy/k/0", nil)
		for i := 1; i <= 50; i++ {
			w.start(t.Context(), fmt.Sprint("busy/k/", i), nil)
		}
		for _, name := range []string{"busy/l/0", "quiet/k/0", "quiet/k/1"} {
			w.start(t.Context(), name, nil)
		}
		if w.Waiting() != 53 {
			t.Errorf("%d wait", w.Waiting())
		}
		w.want("busy/k/0")
		for _, name := range []string{"busy/k/0", "busy/k/1", "quiet/k/0", "busy/l/0", "quiet/k/1"} {
			w.end(name)
		}
		w.want("busy/k/1 quiet/k/0 busy/l/0 quiet/k/1 busy/k/2")
		for i := 2; i <= 50; i++ {
			w.end(fmt.Sprint("busy/k/", i))
		}
		if w.Waiting() != 0 || len(w.begun) != 48 {
			t.Errorf("%d wait, and %d have begun", w.Waiting(), len(w.begun))
		}
	})
}

// TestTheLastSlotIsForATenantWithoutOne checks that whoever asks for a first slot does not wait for the work of one
// other tenant.
func TestTheLastSlotIsForATenantWithoutOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorks(t, 3)
		for i := range 4 {
			w.start(t.Context(), fmt.Sprint("busy/k/", i), nil)
		}
		w.want("busy/k/0 busy/k/1")
		w.start(t.Context(), "quiet/k/0", nil)
		w.start(t.Context(), "quiet/k/1", nil)
		w.want("quiet/k/0")
		w.end("quiet/k/0")
		w.want("quiet/k/1")
		w.end("quiet/k/1")
		w.want("")
		w.end("busy/k/0")
		w.want("busy/k/2")
		for _, name := range []string{"busy/k/1", "busy/k/2", "busy/k/3"} {
			w.end(name)
		}
	})
}

// TestWhoeverGivesUpLeavesNothing checks that work whose context ends, or that has waited for too long, is not carried
// out and takes no slot, and that no more waits than is told.
func TestWhoeverGivesUpLeavesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorks(t, 1)
		w.start(t.Context(), "a/k/0", nil)
		for i := range 60 {
			w.start(t.Context(), fmt.Sprint("a/k/waits", i), nil)
		}
		w.start(t.Context(), "a/k/more", nil)
		if err := w.errs["a/k/more"]; !errors.Is(err, fair.ErrFull) {
			t.Errorf("one more than may wait: %v", err)
		}
		ctx, hangUp := context.WithCancel(t.Context())
		w.start(ctx, "b/k/leaves", nil)
		hangUp()
		synctest.Wait()
		if err := w.errs["b/k/leaves"]; !errors.Is(err, context.Canceled) || w.Waiting() != 60 {
			t.Errorf("who hung up: %v; %d wait", err, w.Waiting())
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if err := w.errs["a/k/waits59"]; !errors.Is(err, fair.ErrWaited) || w.Waiting() != 0 {
			t.Errorf("after ten seconds: %v; %d wait", err, w.Waiting())
		}
		w.want("a/k/0")
		w.end("a/k/0")
		w.start(t.Context(), "a/k/after", nil)
		w.want("a/k/after")
		w.end("a/k/after")
	})
}

// TestASlotIsFreeAfterAPanic checks that work which panics, also while it is away, takes no slot with it.
func TestASlotIsFreeAfterAPanic(t *testing.T) {
	s := fair.NewSemaphore(fair.Config{Slots: 1, Waiting: 1, Wait: time.Minute})
	panics := func(ctx context.Context) error { panic("work") }
	for _, work := range []func(context.Context) error{panics, func(ctx context.Context) error {
		return fair.Away(ctx, func() error { return panics(ctx) })
	}} {
		func() {
			defer func() { _ = recover() }()
			_ = s.Do(t.Context(), "a", "k", work)
		}()
	}
	if err := s.Do(t.Context(), "a", "k", func(context.Context) error { return nil }); err != nil {
		t.Error(err)
	}
}

// TestWhatIsAwayHasNoSlot checks that others are carried out while work waits for something outside, that it then goes
// before all that waits, and that it ends with its context if it has no turn.
func TestWhatIsAwayHasNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorks(t, 1)
		outside, broken := make(chan struct{}), errors.New("the endpoint is down")
		ctx, hangUp := context.WithCancel(t.Context())
		away := func(ctx context.Context) error {
			return fair.Away(ctx, func() error {
				<-outside
				return broken
			})
		}
		w.start(ctx, "a/k/away", func(ctx context.Context) error {
			err := away(ctx)
			w.begins("a/k/back")
			return err
		})
		w.start(ctx, "b/k/0", nil)
		w.start(ctx, "b/k/1", nil)
		w.want("a/k/away b/k/0")
		close(outside)
		synctest.Wait()
		w.want("")
		w.end("b/k/0")
		w.want("a/k/back b/k/1")
		if err := w.errs["a/k/away"]; !errors.Is(err, broken) {
			t.Errorf("the error of what it waited for: %v", err)
		}
		w.start(ctx, "c/k/waits", away)
		hangUp()
		synctest.Wait()
		if w.Waiting() != 0 {
			t.Errorf("%d wait", w.Waiting())
		}
		w.end("b/k/1")
		w.start(t.Context(), "a/k/after", nil)
		w.end("a/k/after")
		if err := fair.Away(t.Context(), func() error { return broken }); !errors.Is(err, broken) {
			t.Errorf("outside of a slot: %v", err)
		}
	})
}
