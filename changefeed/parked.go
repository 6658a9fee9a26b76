package changefeed

import (
	"context"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/contain"
)

// ErrParked reports that a tenant's log is not delivered any more: see [Follower.Parked].
var ErrParked = tenure.Errorf(tenure.Unavailable,
	"a consumer of the changefeed failed on the log, and is parked until a restart")

// park ends the delivery of a tenant's log to a consumer that panicked on it: it would again. The other tenants and the
// other consumers go on.
func (f *Follower) park(ctx context.Context, tenant string, l *lane, err error) {
	f.mu.Lock()
	if l.parked == nil {
		f.parked++
	}
	l.parked, l.nudged, l.running = err, false, false
	delete(f.due, tenant)
	f.mu.Unlock()
	f.cfg.Logger.ErrorContext(ctx, "a consumer of the changefeed panicked and is parked until a restart",
		"consumer", f.cfg.Name, "tenant", tenant, "error", err)
	f.cfg.Contained(err)
}

// Parked returns for how many tenants the consumer is parked: it panicked while their logs were delivered, which is not
// tried again before a restart.
func (f *Follower) Parked() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.parked
}

// parkedFor reports whether the consumer, or one upstream of it, is parked for a tenant.
func (f *Follower) parkedFor(tenant string) bool {
	f.mu.Lock()
	l := f.lanes[tenant]
	parked := l != nil && l.parked != nil
	f.mu.Unlock()
	return parked || f.cfg.Upstream != nil && f.cfg.Upstream.parkedFor(tenant)
}

// checkpoint returns the checkpoint of the consumer, or its panic as an error.
func (f *Follower) checkpoint(ctx context.Context, tenant string) (seq tenure.Seq, err error) {
	err = contain.Do(func() (err error) {
		seq, err = f.consumer.Checkpoint(ctx, tenant)
		return err
	})
	return seq, err
}

// reset resets the consumer, and returns its panic as an error.
func (f *Follower) reset(ctx context.Context, tenant string) error {
	return contain.Do(func() error { return f.consumer.Reset(ctx, tenant) })
}

// ask asks the store. A panic of the store is an error like any other, after which it is asked again: the consumer is
// not to blame.
func ask[T any](question func() (T, error)) (answer T, err error) {
	err = contain.Do(func() (err error) {
		answer, err = question()
		return err
	})
	if contain.Is(err) {
		err = tenure.Errorf(tenure.Internal, "the store failed: %v", err)
	}
	return answer, err
}

// panicked reports a panic of the follower itself.
func (f *Follower) panicked(err error) {
	f.cfg.Logger.Error("the changefeed panicked and begins anew", "consumer", f.cfg.Name, "error", err)
	f.cfg.Contained(err)
}

// ParkedMetric returns the gauge of [Follower.Parked].
func (f *Follower) ParkedMetric() prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name:        "tenure_changefeed_parked_tenants",
		Help:        "Tenants whose log is not delivered to a consumer any more, since it panicked, by consumer.",
		ConstLabels: prometheus.Labels{"consumer": f.cfg.Name},
	}, func() float64 { return float64(f.Parked()) })
}
