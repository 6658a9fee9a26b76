package changefeed

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"tenure"
	"tenure/store"
)

// Config configures a follower. Name is required; the zero value of every other field is ready to use.
type Config struct {
	// Name identifies the consumer in the log.
	Name string
	// Logger receives errors. Default: none.
	Logger *slog.Logger
	// Interval is how often Run reads the log of each tenant. Default 200 ms.
	Interval time.Duration
	// Gather is how long Run waits for more entries once it has some: one page of many entries costs less
	// than many pages of one. Default 0.
	Gather time.Duration
	// PageSize bounds the entries of a page. Default 500.
	PageSize int
	// Tenants selects the tenants whose logs Run follows.
	Tenants Tenants
	// Upstream is the follower whose watermark bounds what is delivered, for a consumer that depends on what
	// the other one derives. Default: none.
	Upstream *Follower
	// Applied is called after each page. Default: none.
	Applied func(p Page)
}

// Tenants selects tenants.
type Tenants int

const (
	// Credentialed selects the tenants that have a credential, and the tenants that were nudged.
	Credentialed Tenants = iota
	// Nudged selects the tenants for which this process called Nudge or Follow, so that logs unused here are
	// not read.
	Nudged
)

// maxBackoff bounds the pause after errors.
const maxBackoff = 30 * time.Second

// tenantsEvery is the number of intervals between two listings of the tenants.
const tenantsEvery = 10

// Follower delivers the log of each tenant to a consumer.
type Follower struct {
	store      store.Store
	consumer   Consumer
	cfg        Config
	downstream []*Follower // the followers whose Upstream is this follower

	mu    sync.Mutex
	lanes map[string]*lane
	fresh chan struct{} // signals that a lane was added
}

// lane is the delivery of one tenant's log.
type lane struct {
	nudged  chan struct{}
	busy    sync.Mutex // held while pages are delivered
	running bool
}

// New returns a follower. It delivers nothing before Run or CatchUp.
func New(s store.Store, c Consumer, cfg Config) *Follower {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Applied == nil {
		cfg.Applied = func(Page) {}
	}
	cfg.Interval = cmp.Or(cfg.Interval, 200*time.Millisecond)
	cfg.PageSize = cmp.Or(cfg.PageSize, 500)
	f := &Follower{store: s, consumer: c, cfg: cfg, lanes: map[string]*lane{}, fresh: make(chan struct{}, 1)}
	if cfg.Upstream != nil {
		cfg.Upstream.downstream = append(cfg.Upstream.downstream, f)
	}
	return f
}

// Run follows the selected tenants until the context ends. Errors are logged and retried with exponential
// back-off.
func (f *Follower) Run(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	for {
		tenants, err := f.Tenants(ctx)
		if err != nil && ctx.Err() == nil {
			f.cfg.Logger.WarnContext(ctx, "the changefeed cannot list the tenants", "consumer", f.cfg.Name, "error", err)
		}
		for _, t := range tenants {
			if l := f.lane(t); f.start(l) {
				work.Go(func() { f.follow(ctx, t, l) })
			}
		}
		if !pause(ctx, f.fresh, tenantsEvery*f.cfg.Interval) {
			return
		}
	}
}

// Tenants lists the followed tenants.
func (f *Follower) Tenants(ctx context.Context) ([]string, error) {
	f.mu.Lock()
	var names []string
	for t := range f.lanes {
		names = append(names, t)
	}
	f.mu.Unlock()
	if f.cfg.Tenants == Nudged {
		return names, nil
	}
	credentials, err := f.store.Credentials(ctx, "")
	for _, c := range credentials {
		names = append(names, c.Tenant)
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

func (f *Follower) lane(tenant string) *lane {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.lanes[tenant]
	if l == nil {
		l = &lane{nudged: make(chan struct{}, 1)}
		f.lanes[tenant] = l
	}
	return l
}

func (f *Follower) start(l *lane) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	before := l.running
	l.running = true
	return !before
}

// follow delivers a tenant's log at intervals and after nudges.
func (f *Follower) follow(ctx context.Context, tenant string, l *lane) {
	retry := backoff.NewExponentialBackOff()
	retry.InitialInterval, retry.MaxInterval = 2*f.cfg.Interval, maxBackoff
	retry.Reset()
	wait, nudged := f.cfg.Interval, l.nudged
	for pause(ctx, nudged, wait) && pause(ctx, nil, f.cfg.Gather) {
		err := f.deliver(ctx, tenant)
		switch {
		case err == nil:
			retry.Reset()
			wait, nudged = f.cfg.Interval, l.nudged
		case ctx.Err() == nil:
			wait, nudged = retry.NextBackOff(), nil // a nudge must not shorten the back-off
			f.cfg.Logger.WarnContext(ctx, "a consumer of the changefeed falls behind",
				"consumer", f.cfg.Name, "tenant", tenant, "error", err, "again_in", wait)
		}
	}
}

// pause waits for a duration or a signal; it reports false if the context ended.
func pause(ctx context.Context, signalled <-chan struct{}, wait time.Duration) bool {
	if wait == 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-signalled:
	case <-timer.C:
	}
	return ctx.Err() == nil
}

// Nudge schedules a read of a tenant's log, which has grown.
func (f *Follower) Nudge(tenant string) {
	signal(f.lane(tenant).nudged)
	f.Follow(tenant)
}

// Follow starts following a tenant's log. It does nothing for a followed tenant.
func (f *Follower) Follow(tenant string) {
	l := f.lane(tenant)
	f.mu.Lock()
	running := l.running
	f.mu.Unlock()
	if !running {
		signal(l.nudged)
		signal(f.fresh)
	}
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// CatchUp delivers a tenant's log to its end, including entries written meanwhile, and returns the first
// error. The follower upstream catches up first, and keeps its progress if this follower fails.
func (f *Follower) CatchUp(ctx context.Context, tenant string) error {
	for {
		if f.cfg.Upstream != nil {
			if err := f.cfg.Upstream.CatchUp(ctx, tenant); err != nil {
				return err
			}
		}
		if err := f.deliver(ctx, tenant); err != nil {
			return err
		}
		if lag, err := f.Lag(ctx, tenant); err != nil || lag == 0 {
			return err
		}
	}
}

// Watermark returns the sequence number up to which the consumer, and every consumer upstream of it, has applied a
// tenant's log.
func (f *Follower) Watermark(ctx context.Context, tenant string) (tenure.Seq, error) {
	mark, err := f.consumer.Checkpoint(ctx, tenant)
	if err != nil || f.cfg.Upstream == nil {
		return mark, err
	}
	limit, err := f.cfg.Upstream.Watermark(ctx, tenant)
	return min(mark, limit), err
}

// Lag returns the number of entries of a tenant's log beyond the watermark.
func (f *Follower) Lag(ctx context.Context, tenant string) (tenure.Seq, error) {
	// The watermark is read first: a consumer that writes would otherwise be ahead of the end, which would
	// not count its own writes.
	mark, err := f.Watermark(ctx, tenant)
	if err != nil {
		return 0, err
	}
	end, err := f.end(ctx, tenant)
	return max(0, end-mark), err
}

// deliver delivers a tenant's log up to its current end. Entries written meanwhile form a later page.
func (f *Follower) deliver(ctx context.Context, tenant string) error {
	l := f.lane(tenant)
	l.busy.Lock()
	defer l.busy.Unlock()
	from, err := f.consumer.Checkpoint(ctx, tenant)
	if err != nil {
		return err
	}
	end, err := f.end(ctx, tenant)
	if err != nil {
		return err
	}
	if from > end {
		f.cfg.Logger.WarnContext(ctx, "the log is shorter than a consumer has read: it is read anew",
			"consumer", f.cfg.Name, "tenant", tenant, "checkpoint", from, "end", end)
		if err := f.consumer.Reset(ctx, tenant); err != nil {
			return err
		}
		from = 0
	}
	if f.cfg.Upstream != nil {
		mark, err := f.cfg.Upstream.Watermark(ctx, tenant)
		if err != nil {
			return err
		}
		end = min(end, mark)
	}
	for from < end && err == nil {
		from, err = f.page(ctx, tenant, from, end)
	}
	return err
}

func (f *Follower) end(ctx context.Context, tenant string) (tenure.Seq, error) {
	view, err := f.store.View(ctx, tenant, tenure.Present)
	if err != nil {
		return 0, err
	}
	end, _ := view.State()
	return end, nil
}

// page delivers one page, and returns the consumer's checkpoint after it.
func (f *Follower) page(ctx context.Context, tenant string, from, end tenure.Seq) (tenure.Seq, error) {
	if err := ctx.Err(); err != nil {
		return from, err
	}
	entries, err := f.store.Log(ctx, tenant, from, int(min(tenure.Seq(f.cfg.PageSize), end-from)))
	if err != nil {
		return from, err
	}
	if len(entries) == 0 {
		return from, fmt.Errorf("the log of %q ends at %d, before %d", tenant, from, end)
	}
	state, err := f.store.View(ctx, tenant, tenure.Present)
	if err != nil {
		return from, err
	}
	p := Page{tenant, entries, state}
	if err := f.consumer.Apply(ctx, p); err != nil {
		return from, fmt.Errorf("%s: %w", f.cfg.Name, err)
	}
	f.cfg.Applied(p)
	for _, b := range f.downstream {
		b.Nudge(tenant)
	}
	return f.consumer.Checkpoint(ctx, tenant)
}
