package observe

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/store"
)

// Store measures the calls of a store: tenure_store_call_seconds by call and
// outcome (the error's code, or ok), and tenure_store_group_size, the change
// sets that shared a transaction.
func Store(next store.Store, reg prometheus.Registerer, now func() time.Time) (store.Store, error) {
	o := &observed{
		Store: next, now: now,
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tenure_store_call_seconds", Help: "Time of a call to the store.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 2, 14),
		}, []string{"call", "outcome"}),
		groups: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "tenure_store_group_size", Help: "Change sets that were applied in one transaction.",
			Buckets: prometheus.ExponentialBuckets(1, 2, 10),
		}),
	}
	for _, c := range []prometheus.Collector{o.calls, o.groups} {
		if err := reg.Register(c); err != nil {
			return nil, err
		}
	}
	return o, nil
}

type observed struct {
	store.Store
	now    func() time.Time
	calls  *prometheus.HistogramVec
	groups prometheus.Histogram
}

func (o *observed) done(call string, began time.Time, err error) {
	outcome := "ok"
	if err != nil {
		outcome = string(tenure.CodeOf(err))
	}
	o.calls.WithLabelValues(call, outcome).Observe(o.now().Sub(began).Seconds())
}

func (o *observed) View(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	began := o.now()
	r, err := o.Store.View(ctx, tenant, at)
	o.done("view", began, err)
	return r, err
}

func (o *observed) Apply(ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet) ([]tenure.Receipt, error) {
	began := o.now()
	receipts, err := o.Store.Apply(ctx, tenant, base, sets)
	o.done("apply", began, err)
	if err == nil {
		o.groups.Observe(float64(len(sets)))
	}
	return receipts, err
}

func (o *observed) Log(ctx context.Context, tenant string, after tenure.Seq, limit int) ([]tenure.Entry, error) {
	began := o.now()
	entries, err := o.Store.Log(ctx, tenant, after, limit)
	o.done("log", began, err)
	return entries, err
}

func (o *observed) PutCompilation(ctx context.Context, tenant string, c tenure.Compilation) error {
	began := o.now()
	err := o.Store.PutCompilation(ctx, tenant, c)
	o.done("put_compilation", began, err)
	return err
}
