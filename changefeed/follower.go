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

// Config tunes a follower. Name is needed; the zero value of the rest is good.
type Config struct {
	// Name says in the log which consumer an error is of.
	Name string
	// Logger receives errors. Default: none.
	Logger *slog.Logger
	// Interval is how often Run reads the log of each tenant. Default 200 ms.
	Interval time.Duration
	// Gather is how long Run waits for more entries once there are some: one page
	// of many costs less than many pages of one. Default 0.
	Gather time.Duration
	// PageSize bounds the entries of a page. Default 500.
	PageSize int
	// Tenants selects whose logs Run follows.
	Tenants Tenants
	// Behind is a follower beyond whose watermark nothing is delivered, for a
	// consumer that acts on what another one derives. Default: none.
	Behind *Follower
	// Applied is called after each page. Default: not.
	Applied func(p Page)
}

// Tenants selects tenants.
type Tenants int

const (
	// Credentialed selects the tenants that have a credential, and those that
	// were nudged.
	Credentialed Tenants = iota
	// Nudged selects the tenants for which this process called Nudge or Follow,
	// so that nothing is read for those that nobody uses here.
	Nudged
)

// maxBackoff bounds the pause after errors.
const maxBackoff = 30 * time.Second

// tenantsEvery is how many intervals lie between two listings of the tenants.
const tenantsEvery = 10

// Follower takes the log of each tenant to a consumer.
type Follower struct {
	store    store.Store
	consumer Consumer
	cfg      Config
	behind   []*Follower // those whose Behind this one is

	mu    sync.Mutex
	lanes map[string]*lane
	fresh chan struct{} // receives a signal for a new lane
}

// lane is the delivery of one tenant's log.
type lane struct {
	nudged  chan struct{}
	busy    sync.Mutex // held while pages are delivered
	running bool
}

// New makes a follower. It delivers nothing before Run or CatchUp.
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
	if cfg.Behind != nil {
		cfg.Behind.behind = append(cfg.Behind.behind, f)
	}
	return f
}

// Run follows the selected tenants until the context ends. Errors are logged and
// tried again with exponential back-off.
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

// Tenants returns the names of those that are followed.
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

// follow delivers a tenant's log, at intervals and when it is nudged.
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
			wait, nudged = retry.NextBackOff(), nil // a nudge is no reason to try at once
			f.cfg.Logger.WarnContext(ctx, "a consumer of the changefeed falls behind",
				"consumer", f.cfg.Name, "tenant", tenant, "error", err, "again_in", wait)
		}
	}
}

// pause waits for a time or a signal; it reports false if the context has ended.
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

// Nudge has a tenant's log read now, since it has grown.
func (f *Follower) Nudge(tenant string) {
	signal(f.lane(tenant).nudged)
	f.Follow(tenant)
}

// Follow has a tenant's log followed from now on. It costs nothing where that is
// so already.
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

// CatchUp delivers a tenant's log to its end, what is written meanwhile included,
// and returns the first error. The follower that this one is behind catches up
// first, and keeps what it has if this one fails.
func (f *Follower) CatchUp(ctx context.Context, tenant string) error {
	for {
		if f.cfg.Behind != nil {
			if err := f.cfg.Behind.CatchUp(ctx, tenant); err != nil {
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

// Watermark returns the number up to which a tenant's log is applied by the
// consumer, and by those that it is behind.
func (f *Follower) Watermark(ctx context.Context, tenant string) (tenure.Seq, error) {
	mark, err := f.consumer.Checkpoint(ctx, tenant)
	if err != nil || f.cfg.Behind == nil {
		return mark, err
	}
	limit, err := f.cfg.Behind.Watermark(ctx, tenant)
	return min(mark, limit), err
}

// Lag returns how many entries of a tenant's log are beyond the watermark.
func (f *Follower) Lag(ctx context.Context, tenant string) (tenure.Seq, error) {
	// The watermark is read first: a consumer that writes would otherwise be ahead
	// of the end, with its own writes not counted.
	mark, err := f.Watermark(ctx, tenant)
	if err != nil {
		return 0, err
	}
	end, err := f.end(ctx, tenant)
	return max(0, end-mark), err
}

// deliver delivers what there is of a tenant's log at the moment. What is written
// while it does makes a page of its own, later.
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
	if f.cfg.Behind != nil {
		mark, err := f.cfg.Behind.Watermark(ctx, tenant)
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

// page delivers one page, and returns where the consumer stands after it.
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
	for _, b := range f.behind {
		b.Nudge(tenant)
	}
	return f.consumer.Checkpoint(ctx, tenant)
}
