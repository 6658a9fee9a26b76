package resolution

import (
	"cmp"
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/audience"
	"tenure/changefeed"
	"tenure/index"
	"tenure/ledger"
	"tenure/ner"
	"tenure/registry"

	"tenure/store"
	"tenure/vectors"
)

// Config configures a worker. Logger, Now and Matcher are required.
type Config struct {
	Logger  *slog.Logger
	Now     func() time.Time
	Matcher registry.Matcher
	// Extractor extracts mentions from texts. Default: the rules of package ner.
	Extractor ner.Extractor
	// IndexEvery enlarges the pages in which consumers follow the log, for a process that writes
	// continuously: see Gather of [changefeed.Config]. Default: 50 ms.
	IndexEvery time.Duration
	// Idle is for how long the names of a tenant without requests are kept in memory; twice as long at most.
	// Default: 10 minutes.
	Idle time.Duration
	// Contained is called with each panic that was contained. Optional.
	Contained func(err error)
	// Vectors finds beliefs by similarity. Default: none are found so.
	Vectors *vectors.Store
}

// Worker resolves entities in the background: it keeps the name index and the mention dictionaries up to date
// with the log, and re-resolves every entity that the log changed.
type Worker struct {
	// Candidates generates the candidates of every decision in the process.
	Candidates *Candidates

	store      store.Store
	writer     *ledger.Writer
	matcher    registry.Matcher
	stable     *registry.StableRoots
	dictionary dictionaries
	extractor  ner.Extractor
	feeds      changefeed.Group
	indexing   *changefeed.Follower
	wording    *changefeed.Follower
	resolving  *changefeed.Follower
	naming     *changefeed.Follower
	vectors    *vectors.Store       // may be nil
	embedding  *changefeed.Follower // nil without vectors
	waited     changefeed.Group     // for, by whoever waits until a write is processed
	delivered  *prometheus.CounterVec
	logger     *slog.Logger

	stop context.CancelFunc
	work sync.WaitGroup

	merged, opened atomic.Int64 // by re-resolution
}

// The worker asks every followEvery which logs other processes have written, with one call for all tenants; entries
// that arrive within gatherFor share a page. So an entry of another process is found, and re-resolved, within a
// quarter of a second.
const (
	followEvery = 200 * time.Millisecond
	gatherFor   = 50 * time.Millisecond
	// pageSize is how many log entries a lagging consumer reads per page.
	pageSize = 4000
	// idleAfter is the default of Idle.
	idleAfter = 10 * time.Minute
	// namesTimeout bounds how long the first text of a tenant waits for the tenant's names.
	namesTimeout = time.Second
)

// NewWorker returns a worker over a store and its index. The worker is idle until Start.
func NewWorker(s store.Store, x *index.Index, cfg Config) *Worker {
	w := &Worker{
		Candidates: NewCandidates(s, x, cfg.Logger, cfg.Now),
		store:      s, matcher: cfg.Matcher, logger: cfg.Logger, extractor: cfg.Extractor, stable: registry.NewStableRoots(),
		delivered: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "tenure_changefeed_entries_total", Help: "Entries of the log that were applied, by consumer.",
		}, []string{"consumer"}),
	}
	w.dictionary = dictionaries{tenants: map[string]*dictionary{}, forget: w.Candidates.sessions.forget}
	if w.extractor == nil {
		w.extractor = ner.New()
	}
	w.Candidates.searched = w.follow
	follow := func(
		name string, c changefeed.Consumer, upstream *changefeed.Follower, idle time.Duration,
	) *changefeed.Follower {
		f := changefeed.New(s, c, changefeed.Config{
			Name: name, Upstream: upstream, Logger: cfg.Logger, Interval: followEvery, Idle: idle, PageSize: pageSize,
			Gather: cmp.Or(cfg.IndexEvery, gatherFor), Tenants: changefeed.Nudged, Contained: cfg.Contained,
			Applied: func(p changefeed.Page) { w.delivered.WithLabelValues(name).Add(float64(len(p.Entries))) },
		})
		w.feeds = append(w.feeds, f)
		return f
	}
	// All log consumers are registered here, so that a new one is run, nudged, awaited and measured like the
	// others.
	w.indexing = follow(index.ConsumerName, x, nil, 0)
	w.resolving = follow("re_resolution", (*reresolver)(w), w.indexing, 0)
	w.wording = follow(index.BeliefsConsumer, x.Beliefs(), nil, 0)
	w.naming = follow("dictionary", &w.dictionary, nil, cmp.Or(cfg.Idle, idleAfter))
	w.waited = slices.Clone(w.feeds)
	if w.vectors = cfg.Vectors; w.vectors != nil { // which takes long, and may have to wait for others
		w.embedding = follow(vectors.ConsumerName, w.vectors, nil, 0)
	}
	feed := func(f *changefeed.Follower, name string) index.Feed {
		return index.Feed{
			CatchUp: func(ctx context.Context, c changefeed.Consumer, tenant string) error {
				return changefeed.New(s, c, changefeed.Config{Name: name, PageSize: pageSize}).CatchUp(ctx, tenant)
			},
			View: func(ctx context.Context, tenant string, seq tenure.Seq) (store.Reader, error) {
				return s.View(ctx, tenant, tenure.AsOf{Seq: seq})
			},
			Replaced: func() { f.Again(context.Background()) },
		}
	}
	x.Follow(feed(w.indexing, index.ConsumerName))
	x.Beliefs().Follow(feed(w.wording, index.BeliefsConsumer))
	return w
}

// Start follows the logs of the tenants that this process serves; re-resolution writes through the writer.
func (w *Worker) Start(writer *ledger.Writer) {
	w.writer = writer
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	w.work.Go(func() { w.feeds.Run(ctx) })
}

// Close stops the worker. The index keeps its contents.
func (w *Worker) Close() {
	w.stop()
	w.work.Wait()
}

// follow starts following the log of a tenant.
func (w *Worker) follow(tenant string) { w.feeds.Follow(tenant) }

// Watermark returns the sequence number up to which a tenant's log is fully processed: indexed, re-resolved,
// and in the mention dictionary.
func (w *Worker) Watermark(tenant string) (tenure.Seq, error) {
	w.follow(tenant)
	return w.waited.Watermark(context.Background(), tenant)
}

// OnCommit makes committed change sets searchable: see [ledger.Policies].
func (w *Worker) OnCommit(tenant string, sets []tenure.ChangeSet, receipts []tenure.Receipt) {
	for i, cs := range sets {
		w.Candidates.index.Add(tenant, receipts[i].Seq, cs.Changes)
		w.Candidates.sessions.note(tenant, cs.Changes)
	}
	w.feeds.Nudge(tenant, receipts[len(receipts)-1].Seq)
}

// maxLag is the number of entries that the index may lag behind a tenant's log while the process reports
// ready: some minutes of an import.
const maxLag = 100_000

// Ready returns Unavailable while the index lags so far behind a log that many candidates are missing.
func (w *Worker) Ready(ctx context.Context) error {
	lag, err := w.indexing.Behind(ctx)
	if err == nil && lag > maxLag {
		return tenure.Errorf(tenure.Unavailable, "the index is %d entries behind", lag)
	}
	return err
}

// Parked returns for how many tenants each consumer is parked: see [changefeed.Group.Parked].
func (w *Worker) Parked() map[string]int { return w.feeds.Parked() }

// Unresolved returns the number of entries that re-resolution lags behind the log of a tenant.
func (w *Worker) Unresolved(ctx context.Context, tenant string) (tenure.Seq, error) {
	return w.resolving.Lag(ctx, tenant)
}

// CatchUp processes the log of a tenant to its end: re-resolution, the names that texts are read with, and vectors.
func (w *Worker) CatchUp(ctx context.Context, tenant string) error {
	for _, f := range []*changefeed.Follower{w.resolving, w.naming, w.embedding} {
		if f == nil {
			continue
		}
		if err := f.CatchUp(ctx, tenant); err != nil {
			return err
		}
	}
	return nil
}

// Register registers the metrics of the worker: index lag and re-resolution outcomes.
func (w *Worker) Register(reg prometheus.Registerer) error {
	lag := func() float64 {
		most, err := w.indexing.Behind(context.Background())
		if err != nil {
			return -1
		}
		return float64(most)
	}
	count := func(outcome string, n *atomic.Int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "tenure_re_resolutions_total", Help: "Re-resolutions that changed something, by outcome.",
			ConstLabels: prometheus.Labels{"outcome": outcome},
		}, func() float64 { return float64(n.Load()) })
	}
	all := []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "tenure_index_lag_entries",
			Help: "Entries of the log that are not in the index, of the tenant with the most of them; -1 if it cannot be told.",
		}, lag),
		count("merged", &w.merged), count("asked", &w.opened), w.delivered,
	}
	for _, f := range w.feeds {
		all = append(all, f.ParkedMetric())
	}
	for _, c := range all {
		if err := reg.Register(c); err != nil {
			return err
		}
	}
	return nil
}

// GroupSize is how many entities are re-resolved in one group of the writer.
const GroupSize = 64

// reresolver re-resolves indexed entities: a [changefeed.Consumer] downstream of the index.
type reresolver Worker

// Checkpoint returns the sequence number up to which a tenant's entities were re-resolved. Rebuilding the
// index does not change it.
func (r *reresolver) Checkpoint(_ context.Context, tenant string) (tenure.Seq, error) {
	return r.Candidates.index.Checkpoints().Get(tenant), nil
}

// Apply re-resolves the entities of a page.
func (r *reresolver) Apply(ctx context.Context, p changefeed.Page) error {
	ids, err := changed(ctx, p)
	if err != nil {
		return err
	}
	if err := (*Worker)(r).reresolve(ctx, p.Tenant, ids); err != nil {
		return err
	}
	if err := (*Worker)(r).redefined(ctx, p); err != nil {
		return err
	}
	r.Candidates.index.Checkpoints().Set(p.Tenant, p.UpTo())
	return nil
}

// changed lists the entities that a page created, changed or decided on for everybody who sees them, each once.
func changed(ctx context.Context, p changefeed.Page) ([]tenure.ID, error) {
	labels, err := labelsOfSides(ctx, p)
	if err != nil {
		return nil, err
	}
	seen := map[tenure.ID]bool{}
	var out []tenure.ID
	for _, e := range p.Entries {
		same := unchanged(e, labels)
		for _, c := range e.Changes {
			if k := c.Kind.Current(); k != tenure.KindEntityPut && k != tenure.KindIdentityDecisionPut {
				continue
			}
			for _, id := range []tenure.ID{c.Entity, c.Other} {
				if id != "" && !seen[id] && !same[id] {
					seen[id] = true
					out = append(out, id)
				}
			}
		}
	}
	return out, nil
}

// labelsOfSides finds the labels of the entities that the identity decisions of a page are about.
func labelsOfSides(ctx context.Context, p changefeed.Page) (map[tenure.ID]tenure.Label, error) {
	var sides []tenure.ID
	for _, e := range p.Entries {
		for _, c := range e.Changes {
			if c.Kind.Current() == tenure.KindIdentityDecisionPut {
				sides = append(sides, c.Entity, c.Other)
			}
		}
	}
	list, err := p.State.Entities(ctx, sides)
	labels := make(map[tenure.ID]tenure.Label, len(list))
	for _, e := range list {
		labels[e.ID] = e.Label
	}
	return labels, err
}

// unchanged finds the entities with which an entry merged one that fewer people see, or from which it split one: they
// are the same to all who do not see that one.
func unchanged(e tenure.Entry, labels map[tenure.ID]tenure.Label) map[tenure.ID]bool {
	same := map[tenure.ID]bool{}
	for _, c := range e.Changes {
		if c.Kind.Current() != tenure.KindIdentityDecisionPut {
			continue
		}
		switch one, other := labels[c.Entity], labels[c.Other]; {
		case one == other:
		case one.Covers(other):
			same[c.Other] = true
		case other.Covers(one):
			same[c.Entity] = true
		}
	}
	return same
}

// Reset schedules the re-resolution of all entities of a tenant.
func (r *reresolver) Reset(_ context.Context, tenant string) error {
	r.Candidates.index.Checkpoints().Set(tenant, 0)
	return nil
}

// reresolve re-resolves entities, and then the pending entities among their candidates.
func (w *Worker) reresolve(ctx context.Context, tenant string, entities []tenure.ID) error {
	waiting, err := w.reresolveEach(ctx, tenant, entities, nil)
	if err != nil {
		return err
	}
	_, err = w.reresolveEach(ctx, tenant, waiting, nil)
	return err
}

// reresolveEach re-resolves entities and returns the pending entities among their candidates. A refusal is
// only logged: the next change of the entity re-resolves it.
func (w *Worker) reresolveEach(
	ctx context.Context, tenant string, entities []tenure.ID, redefined []string,
) (waiting []tenure.ID, err error) {
	for part := range slices.Chunk(entities, GroupSize) {
		commands := make([]*registry.Reresolve, len(part))
		requests := make([]ledger.Request, len(part))
		for i, id := range part {
			commands[i] = &registry.Reresolve{Tenant: tenant, Entity: id, Matcher: w.matcher, Proposer: w.Candidates,
				Stable: w.stable, Redefined: redefined}
			requests[i] = ledger.Request{Command: commands[i], Operation: "re_resolve", Actor: registry.ActorReresolver,
				Background: true}
		}
		for i, res := range w.writer.Do(ctx, tenant, requests...) {
			switch tenure.CodeOf(res.Err) {
			case "":
				waiting = append(waiting, commands[i].Waiting()...)
				w.count(commands[i].Findings())
			case tenure.Unavailable:
				return nil, res.Err // the follower retries the same entities
			default:
				w.logger.WarnContext(ctx, "re-resolution failed", "tenant", tenant, "entity", part[i], "error", res.Err)
			}
		}
	}
	slices.Sort(waiting)
	return slices.Compact(waiting), nil
}

func (w *Worker) count(f registry.Findings) {
	if f.Merged != "" {
		w.merged.Add(1)
	}
	if f.Opened != nil {
		w.opened.Add(1)
	}
}

// Outcomes counts the merges and the reviews made by re-resolution.
type Outcomes struct{ Merged, Opened int }

// Outcomes returns the counts since the process started.
func (w *Worker) Outcomes() Outcomes { return Outcomes{int(w.merged.Load()), int(w.opened.Load())} }

// Extract extracts the mentions of a text, using the names known in a project.
func (w *Worker) Extract(
	ctx context.Context, tenant, text, project string, sees audience.Sight,
) ([]ner.Mention, error) {
	w.follow(tenant)
	if err := w.learnNames(ctx, tenant); err != nil {
		w.logger.InfoContext(ctx, "a text is read without all names", "tenant", tenant, "error", err)
	}
	return w.extractor.Extract(ctx, text, w.dictionary.of(tenant).For(project, sees))
}

// learnNames reads the names of a tenant of which none was read yet.
func (w *Worker) learnNames(ctx context.Context, tenant string) error {
	if mark, err := w.dictionary.Checkpoint(ctx, tenant); mark > 0 || err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, namesTimeout)
	defer cancel()
	return w.naming.CatchUp(ctx, tenant)
}
