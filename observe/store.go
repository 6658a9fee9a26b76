package observe

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/attribute"

	"tenure"
	"tenure/store"
	"tenure/tracing"
)

// The attributes of store spans.
const (
	foundKey = attribute.Key("tenure.found")
	setsKey  = attribute.Key("tenure.change_sets")
)

// Store returns a store whose calls are measured and traced: tenure_store_call_seconds by call and outcome
// (the error's code, or ok), tenure_store_read_seconds by the method of the reader, and
// tenure_store_group_size, the number of change sets per transaction. A call makes a span only if its context
// carries one.
func Store(next store.Store, reg prometheus.Registerer, now func() time.Time) (store.Store, error) {
	seconds := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "tenure_store_read_seconds", Help: "Time of a read of one state of the store.",
		Buckets: prometheus.ExponentialBuckets(0.000032, 4, 10),
	}, []string{"method"})
	o := &observed{
		next: next, now: now,
		calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "tenure_store_call_seconds", Help: "Time of a call to the store.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 2, 14),
		}, []string{"call", "outcome"}),
		groups: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "tenure_store_group_size", Help: "Change sets that were applied in one transaction.",
			Buckets: prometheus.ExponentialBuckets(1, 2, 10),
		}),
		reads: newReads(seconds),
	}
	for _, c := range []prometheus.Collector{o.calls, o.groups, seconds} {
		if err := reg.Register(c); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// observed is a store whose calls are measured. The store is a field and not embedded, so that the compiler
// refuses a method that goes unmeasured.
type observed struct {
	next   store.Store
	now    func() time.Time
	calls  *prometheus.HistogramVec
	groups prometheus.Histogram
	reads  *reads
}

// call is one store call in progress.
type call struct {
	o     *observed
	name  string
	began time.Time
	span  tracing.Span
}

func (o *observed) begin(ctx context.Context, name string) (context.Context, call) {
	ctx, span := tracing.Start(ctx, "store."+name)
	return ctx, call{o, name, o.now(), span}
}

func (c call) end(err error) {
	code := string(tenure.CodeOf(err))
	c.span.End(code)
	if code == "" {
		code = "ok"
	}
	c.o.calls.WithLabelValues(c.name, code).Observe(c.o.now().Sub(c.began).Seconds())
}

func (o *observed) View(ctx context.Context, tenant string, at tenure.AsOf) (store.Reader, error) {
	ctx, c := o.begin(ctx, "view")
	r, err := o.next.View(ctx, tenant, at)
	c.end(err)
	if err != nil {
		return nil, err
	}
	return &reader{next: r, now: o.now, reads: o.reads}, nil
}

func (o *observed) Apply(
	ctx context.Context, tenant string, base tenure.Seq, sets []tenure.ChangeSet,
) ([]tenure.Receipt, error) {
	ctx, c := o.begin(ctx, "apply")
	if c.span.On() {
		c.span.Set(setsKey.Int(len(sets)))
	}
	receipts, err := o.next.Apply(ctx, tenant, base, sets)
	c.end(err)
	if err == nil {
		o.groups.Observe(float64(len(sets)))
	}
	return receipts, err
}

func (o *observed) Log(ctx context.Context, tenant string, after tenure.Seq, limit int) ([]tenure.Entry, error) {
	ctx, c := o.begin(ctx, "log")
	entries, err := o.next.Log(ctx, tenant, after, limit)
	c.end(err)
	return entries, err
}

func (o *observed) Grown(ctx context.Context, since store.Mark) ([]store.LogEnd, store.Mark, error) {
	ctx, c := o.begin(ctx, "grown")
	ends, mark, err := o.next.Grown(ctx, since)
	c.end(err)
	return ends, mark, err
}

func (o *observed) Ask(ctx context.Context, tenant string, q store.Question) ([][]any, error) {
	ctx, c := o.begin(ctx, "ask")
	rows, err := o.next.Ask(ctx, tenant, q)
	c.end(err)
	return rows, err
}

func (o *observed) PutCredential(
	ctx context.Context, credential tenure.Credential, events ...tenure.AuditEvent,
) error {
	ctx, c := o.begin(ctx, "put_credential")
	err := o.next.PutCredential(ctx, credential, events...)
	c.end(err)
	return err
}

func (o *observed) PutAudit(ctx context.Context, tenant string, events ...tenure.AuditEvent) error {
	ctx, c := o.begin(ctx, "put_audit")
	err := o.next.PutAudit(ctx, tenant, events...)
	c.end(err)
	return err
}

func (o *observed) Audit(ctx context.Context, tenant string, q store.AuditQuery) ([]tenure.AuditEvent, error) {
	ctx, c := o.begin(ctx, "audit")
	events, err := o.next.Audit(ctx, tenant, q)
	c.end(err)
	return events, err
}

func (o *observed) Credential(ctx context.Context, id tenure.ID) (tenure.Credential, error) {
	ctx, c := o.begin(ctx, "credential")
	credential, err := o.next.Credential(ctx, id)
	c.end(err)
	return credential, err
}

func (o *observed) Credentials(ctx context.Context, tenant string) ([]tenure.Credential, error) {
	ctx, c := o.begin(ctx, "credentials")
	list, err := o.next.Credentials(ctx, tenant)
	c.end(err)
	return list, err
}

func (o *observed) PutCompilation(ctx context.Context, tenant string, compilation tenure.Compilation) error {
	ctx, c := o.begin(ctx, "put_compilation")
	err := o.next.PutCompilation(ctx, tenant, compilation)
	c.end(err)
	return err
}

func (o *observed) Compilation(ctx context.Context, tenant string, id tenure.ID) (tenure.Compilation, error) {
	ctx, c := o.begin(ctx, "compilation")
	compilation, err := o.next.Compilation(ctx, tenant, id)
	c.end(err)
	return compilation, err
}

func (o *observed) Ping(ctx context.Context) error {
	ctx, c := o.begin(ctx, "ping")
	err := o.next.Ping(ctx)
	c.end(err)
	return err
}

func (o *observed) Probe(ctx context.Context) error {
	ctx, c := o.begin(ctx, "probe")
	err := o.next.Probe(ctx)
	c.end(err)
	return err
}

// Close closes the underlying store.
func (o *observed) Close() error { return o.next.Close() }

func (o *observed) EraseCompilations(
	ctx context.Context, tenant string, chosen func(tenure.Compilation) bool,
) (int, error) {
	ctx, c := o.begin(ctx, "erase_compilations")
	n, err := o.next.EraseCompilations(ctx, tenant, chosen)
	c.end(err)
	return n, err
}

func (o *observed) DropCompilations(ctx context.Context, tenant string, before tenure.ID, limit int) (int, error) {
	ctx, c := o.begin(ctx, "drop_compilations")
	n, err := o.next.DropCompilations(ctx, tenant, before, limit)
	c.end(err)
	return n, err
}

func (o *observed) PutOutcome(ctx context.Context, tenant string, outcome tenure.CompilationOutcome, base int) error {
	ctx, c := o.begin(ctx, "put_outcome")
	err := o.next.PutOutcome(ctx, tenant, outcome, base)
	c.end(err)
	return err
}

func (o *observed) Outcomes(
	ctx context.Context, tenant string, q store.OutcomeQuery,
) ([]tenure.CompilationOutcome, error) {
	ctx, c := o.begin(ctx, "outcomes")
	list, err := o.next.Outcomes(ctx, tenant, q)
	c.end(err)
	return list, err
}

func (o *observed) LastUsed(
	ctx context.Context, tenant string, objects []tenure.ID, of store.Requesters,
) (map[tenure.ID]tenure.Instant, error) {
	ctx, c := o.begin(ctx, "last_used")
	last, err := o.next.LastUsed(ctx, tenant, objects, of)
	c.end(err)
	return last, err
}

func (o *observed) Unpurged(ctx context.Context) (bool, error) {
	ctx, c := o.begin(ctx, "unpurged")
	erased, err := o.next.Unpurged(ctx)
	c.end(err)
	return erased, err
}

func (o *observed) Purge(ctx context.Context) (bool, error) {
	ctx, c := o.begin(ctx, "purge")
	done, err := o.next.Purge(ctx)
	c.end(err)
	return done, err
}
