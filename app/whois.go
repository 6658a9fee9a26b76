package app

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/changefeed"
	"tenure/httpapi"
	"tenure/index"
	"tenure/ner"
	"tenure/registry"
	"tenure/review"
	"tenure/store"
)

// whois is what works on who is who beside the requests: it keeps the index and
// the dictionaries up with the log, and takes the second look.
type whois struct {
	store      store.Store
	writer     *store.Writer
	judge      registry.Judge
	candidates *candidates
	settled    *review.Settled
	dictionary dictionaries
	extractor  ner.Extractor
	feeds      changefeed.Group
	indexing   *changefeed.Follower
	resolving  *changefeed.Follower
	logger     *slog.Logger

	stop context.CancelFunc
	work sync.WaitGroup

	delivered     *prometheus.CounterVec
	merged, asked atomic.Int64 // by second looks
}

// Logs that other processes write to are read every followEvery; of what this one
// writes, the entries of gatherFor share a page. So an entry of another process is
// found, and the second look comes, within a quarter of a second.
const (
	followEvery = 200 * time.Millisecond
	gatherFor   = 50 * time.Millisecond
)

func newWhois(s store.Store, cfg Config, judge registry.Judge) *whois {
	x, logger := cfg.Index, cfg.Logger
	w := &whois{
		store: s, judge: judge, logger: logger, extractor: ner.New(), settled: review.NewSettled(),
		dictionary: dictionaries{tenants: map[string]*dictionary{}},
		delivered: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tenure_changefeed_entries_total", Help: "Entries of the log that were applied, by consumer.",
		}, []string{"consumer"}),
	}
	w.candidates = &candidates{
		index: x, store: s, logger: logger, now: cfg.Now, kinds: map[string]kinds{}, asked: w.seen, sessions: newSessions(),
	}
	every := changefeed.Config{
		Logger: logger, Interval: followEvery, Gather: cmp.Or(cfg.IndexEvery, gatherFor), PageSize: indexPage,
		Tenants: changefeed.Nudged,
	}
	follow := func(name string, c changefeed.Consumer, behind *changefeed.Follower) *changefeed.Follower {
		own := every
		own.Name, own.Behind = name, behind
		own.Applied = func(p changefeed.Page) { w.delivered.WithLabelValues(name).Add(float64(len(p.Entries))) }
		f := changefeed.New(s, c, own)
		w.feeds = append(w.feeds, f)
		return f
	}
	// All that follows the log is here: what is added is run, nudged, waited for
	// and measured like the rest.
	w.indexing = follow(index.ConsumerName, x, nil)
	w.resolving = follow("second_look", (*resolving)(w), w.indexing)
	follow("dictionary", &w.dictionary, nil)
	return w
}

// indexPage is how many entries of the log are read at once by a consumer that has
// much to catch up with.
const indexPage = 4000

// start begins to follow the logs of the tenants that are asked about.
func (w *whois) start(writer *store.Writer) {
	w.writer = writer
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	w.work.Go(func() { w.feeds.Run(ctx) })
}

// close ends the following; what was taken up to then is kept.
func (w *whois) close() {
	w.stop()
	w.work.Wait()
}

// seen says that a tenant is being served: its log is followed from now on.
func (w *whois) seen(tenant string) { w.feeds.Follow(tenant) }

// reached is the number up to which a tenant's log is known here: in the index, had
// its second look, and in the dictionary that texts are read with.
func (w *whois) reached(tenant string) (tenure.Seq, error) {
	return w.feeds.Watermark(context.Background(), tenant)
}

// applied makes what was just written findable.
func (w *whois) applied(tenant string, sets []tenure.ChangeSet, receipts []tenure.Receipt) {
	for i, cs := range sets {
		w.candidates.index.Add(tenant, receipts[i].Seq, cs.Changes)
		w.candidates.sessions.note(tenant, cs.Changes)
	}
	w.feeds.Nudge(tenant)
}

// longestLag is how many entries of a tenant's log the index may be behind while
// the process is ready for requests: some minutes of an import.
const longestLag = 100_000

// ready is an error while candidates are missing for much of what was written.
func (w *whois) ready(ctx context.Context) error {
	behind, err := w.behind(ctx)
	if err == nil && behind > longestLag {
		return tenure.Errorf(tenure.Unavailable, "the index is %d entries behind", behind)
	}
	return err
}

// behind returns how many entries of a log are not in the index, of the tenant with
// the most of them.
func (w *whois) behind(ctx context.Context) (most tenure.Seq, err error) {
	tenants, err := w.indexing.Tenants(ctx)
	for _, t := range tenants {
		lag, failure := w.indexing.Lag(ctx, t)
		most, err = max(most, lag), errors.Join(err, failure)
	}
	return most, err
}

// measure shows the lag of the index, and what came of second looks.
func (w *whois) measure(reg prometheus.Registerer) error {
	lag := func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), searchTimeout)
		defer cancel()
		most, err := w.behind(ctx)
		if err != nil {
			return -1
		}
		return float64(most)
	}
	looks := func(outcome string, n *atomic.Int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "tenure_second_looks_total", Help: "Second looks that led to something, by what they led to.",
			ConstLabels: prometheus.Labels{"outcome": outcome},
		}, func() float64 { return float64(n.Load()) })
	}
	for _, c := range []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "tenure_index_lag_entries",
			Help: "Entries of the log that are not in the index, of the tenant with the most of them; -1 if it cannot be told.",
		}, lag),
		looks("merged", &w.merged), looks("asked", &w.asked), w.delivered,
	} {
		if err := reg.Register(c); err != nil {
			return err
		}
	}
	return nil
}

// looksAtOnce is how many second looks share a group.
const looksAtOnce = 64

// resolving takes the second look at what the index has: it is a
// [changefeed.Consumer] behind it.
type resolving whois

// Checkpoint returns the number up to which a tenant's entities had their second
// look. Building the index anew gives nobody another one.
func (r *resolving) Checkpoint(_ context.Context, tenant string) (tenure.Seq, error) {
	return r.candidates.index.Checkpoints().Get(tenant), nil
}

// Apply takes the second look at the entities of a page.
func (r *resolving) Apply(ctx context.Context, p changefeed.Page) error {
	if err := (*whois)(r).look(ctx, p.Tenant, index.Touched(p.Entries)); err != nil {
		return err
	}
	r.candidates.index.Checkpoints().Set(p.Tenant, p.UpTo())
	return nil
}

// Reset has all entities of a tenant looked at again.
func (r *resolving) Reset(_ context.Context, tenant string) error {
	r.candidates.index.Checkpoints().Set(tenant, 0)
	return nil
}

// look takes the second look at entities, and then at those that wait for one of
// them.
func (w *whois) look(ctx context.Context, tenant string, entities []tenure.ID) error {
	waiting, err := w.lookAt(ctx, tenant, entities)
	if err != nil {
		return err
	}
	_, err = w.lookAt(ctx, tenant, waiting)
	return err
}

// lookAt returns the pending entities that were met. A look that was refused is
// logged: it comes again with the entity's next change.
func (w *whois) lookAt(ctx context.Context, tenant string, entities []tenure.ID) (waiting []tenure.ID, err error) {
	for part := range slices.Chunk(entities, looksAtOnce) {
		looks := make([]*review.Look, len(part))
		requests := make([]store.Request, len(part))
		for i, id := range part {
			looks[i] = &review.Look{Tenant: tenant, Entity: id, Judge: w.judge, Proposer: w.candidates, Settled: w.settled}
			requests[i] = store.Request{Command: looks[i], Operation: "look", Actor: review.Looker}
		}
		for i, res := range w.writer.Do(ctx, tenant, requests...) {
			switch tenure.CodeOf(res.Err) {
			case "":
				waiting = append(waiting, looks[i].Waiting()...)
				w.count(looks[i].Found())
			case tenure.Unavailable:
				return nil, res.Err // the same come again
			default:
				w.logger.WarnContext(ctx, "the second look failed", "tenant", tenant, "entity", part[i], "error", res.Err)
			}
		}
	}
	slices.Sort(waiting)
	return slices.Compact(waiting), nil
}

func (w *whois) count(f review.Found) {
	if f.Merged != "" {
		w.merged.Add(1)
	}
	if f.Opened != nil {
		w.asked.Add(1)
	}
}

// looks is how many second looks of this process led to something.
type looks struct{ merged, asked int }

func (w *whois) looked() looks { return looks{int(w.merged.Load()), int(w.asked.Load())} }

// Extract finds the mentions of a text.
func (w *whois) Extract(ctx context.Context, c tenure.Caller, text, project string) ([]httpapi.Span, error) {
	w.seen(c.Tenant)
	found, err := w.extractor.Extract(ctx, text, w.dictionary.of(c.Tenant).In(project))
	if err != nil {
		return nil, err
	}
	spans := make([]httpapi.Span, len(found))
	for i, m := range found {
		spans[i] = httpapi.Span{Start: m.Start, End: m.End, Name: m.Text, Type: m.Type, Chain: m.Chain}
	}
	return spans, nil
}
