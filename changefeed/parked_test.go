package changefeed_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/changefeed"
	"tenure/store"
)

// poisoned is a consumer that panics on the pages of one tenant, and counts how often it was given them.
type poisoned struct {
	*recorder
	tenant string
	times  atomic.Int32
}

func (p *poisoned) Apply(ctx context.Context, page changefeed.Page) error {
	if page.Tenant == p.tenant {
		p.times.Add(1)
		panic("a secret of the log")
	}
	return p.recorder.Apply(ctx, page)
}

// TestAnEntryThatPanicsParksItsConsumerForItsTenant checks that the log of a tenant on which a consumer panics is not
// delivered again, that other tenants go on, and that a new follower tries once more.
func TestAnEntryThatPanicsParksItsConsumerForItsTenant(t *testing.T) {
	w := newWorld(t)
	w.write(t, "bad", 2)
	c := &poisoned{recorder: newRecorder(), tenant: "bad"}
	var told atomic.Int32
	f := changefeed.New(w, c, changefeed.Config{
		Name: "index", Interval: 1e6, Contained: func(error) { told.Add(1) },
	})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.Run(ctx)
	}()
	for range 3 { // each write has the follower look again
		w.write(t, "bad", 1)
		f.Nudge("bad", w.seq["bad"])
		w.write(t, "t", 1)
		f.Nudge("t", w.seq["t"])
		for mark := tenure.Seq(0); mark < w.seq["t"]; {
			<-c.changed
			mark, _ = c.Checkpoint(ctx, "t")
		}
	}
	if err := f.CatchUp(ctx, "bad"); !errors.Is(err, changefeed.ErrParked) || strings.Contains(err.Error(), "secret") {
		t.Errorf("catching up: %v", err)
	}
	if _, err := f.Lag(ctx, "bad"); !errors.Is(err, changefeed.ErrParked) {
		t.Errorf("the lag is waited for: %v", err)
	}
	if most, err := f.Behind(ctx); err != nil || most > 1 {
		t.Errorf("%d entries behind: %v; a parked tenant is told apart", most, err)
	}
	stop()
	<-done
	if c.times.Load() != 1 || told.Load() != 1 || f.Parked() != 1 {
		t.Errorf("delivered %d times, reported %d times, parked for %d tenants", c.times.Load(), told.Load(), f.Parked())
	}
	reg := prometheus.NewRegistry()
	reg.MustRegister(f.ParkedMetric())
	metrics, err := reg.Gather()
	if err != nil || metrics[0].GetMetric()[0].GetGauge().GetValue() != 1 {
		t.Errorf("the metric: %v, %v", metrics, err)
	}
	c.tenant = ""
	restarted := changefeed.New(w, c, changefeed.Config{Name: "index"})
	catchUp(t, restarted, "bad")
	if mark, _ := c.Checkpoint(t.Context(), "bad"); mark != w.seq["bad"] {
		t.Errorf("after a restart: %d", mark)
	}
}

// TestAConsumerBehindAParkedOne checks that what depends on a parked consumer is not waited for.
func TestAConsumerBehindAParkedOne(t *testing.T) {
	w := newWorld(t)
	w.write(t, "t", 1)
	first := changefeed.New(w, &poisoned{recorder: newRecorder(), tenant: "t"}, changefeed.Config{Name: "index"})
	second := changefeed.New(w, newRecorder(), changefeed.Config{Name: "re_resolution", Upstream: first})
	for _, f := range []*changefeed.Follower{second, first, second} {
		if err := f.CatchUp(t.Context(), "t"); !errors.Is(err, changefeed.ErrParked) {
			t.Error(err)
		}
	}
	if g := (changefeed.Group{first, second}).Parked(); len(g) != 1 || g["index"] != 1 {
		t.Errorf("parked: %v", g)
	}
}

// shaken is a store whose calls panic once.
type shaken struct {
	store.Store
	grown, log atomic.Int32
}

func (s *shaken) Grown(ctx context.Context, since store.Mark) ([]store.LogEnd, store.Mark, error) {
	if s.grown.Add(-1) >= 0 {
		panic("a fault of the engine")
	}
	return s.Store.Grown(ctx, since)
}

func (s *shaken) Log(ctx context.Context, tenant string, after tenure.Seq, limit int) ([]tenure.Entry, error) {
	if s.log.Add(-1) >= 0 {
		panic("a fault of the engine")
	}
	return s.Store.Log(ctx, tenant, after, limit)
}

// TestAStoreThatPanicsIsAskedAgain checks that a panic of the engine parks no consumer.
func TestAStoreThatPanicsIsAskedAgain(t *testing.T) {
	w, r := newWorld(t), newRecorder()
	w.write(t, "t", 1)
	s := &shaken{Store: w}
	s.grown.Store(1)
	s.log.Store(1)
	f := changefeed.New(s, r, changefeed.Config{Name: "index", Interval: 1e6})
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		f.Run(ctx)
	}()
	<-r.changed
	stop()
	<-done
	if f.Parked() != 0 {
		t.Error("the consumer is parked for a fault of the store")
	}
}
