package changefeed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"tenure"
	"tenure/contain"
	"tenure/store"
)

// Config configures a follower. Name is required; the zero value of every other field is ready to use.
type Config struct {
	// Name identifies the consumer in the log.
	Name string
	// Logger receives errors. Default: none.
	Logger *slog.Logger
	// Interval is how often Run asks the store which logs have grown: one call for all tenants. Default 200 ms.
	Interval time.Duration
	// Idle is for how long a tenant is followed that this process neither nudges nor follows again; twice as
	// long at most. The consumer then drops what it holds of the tenant (Reset), and reads the log from the
	// start when the tenant is in use again. Default: for ever.
	Idle time.Duration
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
	// Contained is called with each panic that was contained: see [Follower.Parked]. Optional.
	Contained func(err error)
}

// Tenants selects tenants.
type Tenants int

const (
	// All selects every tenant that wrote.
	All Tenants = iota
	// Nudged selects the tenants for which this process called Nudge or Follow, so that logs unused here are
	// not read.
	Nudged
)

// maxBackoff bounds the pause after errors.
const maxBackoff = 30 * time.Second

// Follower delivers the log of each tenant to a consumer. A tenant whose log does not grow costs neither a
// goroutine nor a call of the store.
type Follower struct {
	store      store.Store
	consumer   Consumer
	cfg        Config
	downstream []*Follower // the followers whose Upstream is this follower

	mu     sync.Mutex
	lanes  map[string]*lane
	due    map[string]*lane // those whose log may have grown, or is being delivered
	period int              // numbers the periods of Idle
	failed error            // of the last question which logs have grown
	parked int              // how many lanes are
	fresh  chan struct{}    // signals that there are new ones in due
}

// lane is the delivery of one tenant's log. Its fields but busy belong to the follower's lock.
type lane struct {
	busy    sync.Mutex // held while pages are delivered
	running bool       // by a goroutine of Run
	nudged  bool       // since the last delivery began
	end     tenure.Seq // of the log, as far as it is known
	mark    tenure.Seq // the checkpoint after the last delivery
	used    int        // the last period in which this process used the tenant
	parked  error      // the panic that ended its delivery; nil for none
}

// New returns a follower. It delivers nothing before Run or CatchUp.
func New(s store.Store, c Consumer, cfg Config) *Follower {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	if cfg.Applied == nil {
		cfg.Applied = func(Page) {}
	}
	if cfg.Contained == nil {
		cfg.Contained = func(error) {}
	}
	cfg.Interval = cmp.Or(cfg.Interval, 200*time.Millisecond)
	cfg.PageSize = cmp.Or(cfg.PageSize, 500)
	f := &Follower{
		store: s, consumer: c, cfg: cfg, lanes: map[string]*lane{}, due: map[string]*lane{}, fresh: make(chan struct{}, 1),
	}
	if cfg.Upstream != nil {
		cfg.Upstream.downstream = append(cfg.Upstream.downstream, f)
	}
	return f
}

// Run follows the selected tenants until the context ends. Errors are logged and retried with exponential
// back-off.
func (f *Follower) Run(ctx context.Context) { Group{f}.Run(ctx) }

// run delivers the logs that are due until the context ends, each in a goroutine of its own.
func (f *Follower) run(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	var idle <-chan time.Time
	if f.cfg.Idle > 0 {
		ticker := time.NewTicker(f.cfg.Idle)
		defer ticker.Stop()
		idle = ticker.C
	}
	for {
		for tenant, l := range f.start() {
			work.Go(func() {
				if err := contain.Do(func() error { f.follow(ctx, tenant, l); return nil }); err != nil {
					f.park(ctx, tenant, l, err)
				}
			})
		}
		select {
		case <-ctx.Done():
			return
		case <-idle:
			f.letGo(ctx)
		case <-f.fresh:
		}
	}
}

// start returns the lanes that are due and not being delivered.
func (f *Follower) start() map[string]*lane {
	f.mu.Lock()
	defer f.mu.Unlock()
	started := map[string]*lane{}
	for tenant, l := range f.due {
		if !l.running {
			l.running = true
			started[tenant] = l
		}
	}
	return started
}

// follow delivers a tenant's log until it is not due any more.
func (f *Follower) follow(ctx context.Context, tenant string, l *lane) {
	retry := newRetry(f.cfg.Interval)
	for pause(ctx, f.cfg.Gather) && f.begin(tenant, l) {
		err := f.deliver(ctx, tenant)
		switch {
		case err == nil, errors.Is(err, ErrParked):
			retry.Reset()
		case ctx.Err() == nil:
			wait := retry.NextBackOff()
			f.cfg.Logger.WarnContext(ctx, "a consumer of the changefeed falls behind",
				"consumer", f.cfg.Name, "tenant", tenant, "error", err, "again_in", wait)
			f.again(l)
			pause(ctx, wait) // a nudge does not shorten it
		}
	}
}

func newRetry(interval time.Duration) *backoff.ExponentialBackOff {
	retry := backoff.NewExponentialBackOff()
	retry.InitialInterval, retry.MaxInterval = 2*interval, maxBackoff
	retry.Reset()
	return retry
}

// begin reports whether a lane was nudged since its last delivery began; if not, it ends the lane's run.
func (f *Follower) begin(tenant string, l *lane) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !l.nudged {
		l.running = false
		delete(f.due, tenant)
		return false
	}
	l.nudged = false
	return true
}

func (f *Follower) again(l *lane) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l.nudged = true
}

// pause waits; it reports false if the context ended.
func pause(ctx context.Context, wait time.Duration) bool {
	if wait == 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
	return ctx.Err() == nil
}

// lane returns the lane of a tenant, which it adds if necessary. The caller holds the lock.
func (f *Follower) lane(tenant string) (l *lane, added bool) {
	if l = f.lanes[tenant]; l == nil {
		l, added = &lane{used: f.period}, true
		f.lanes[tenant] = l
	}
	return l, added
}

// schedule makes a lane due, unless it is parked. The caller holds the lock.
func (f *Follower) schedule(tenant string, l *lane) {
	if l.parked != nil {
		return
	}
	l.nudged = true
	f.due[tenant] = l
	select {
	case f.fresh <- struct{}{}:
	default:
	}
}

// Nudge schedules a read of a tenant's log, which this process has written up to an entry.
func (f *Follower) Nudge(tenant string, end tenure.Seq) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l, added := f.lane(tenant)
	l.used, l.end = f.period, max(l.end, end)
	if added || end > l.mark {
		f.schedule(tenant, l)
	}
}

// Follow starts following a tenant's log. For a followed tenant it only records that the tenant is in use.
func (f *Follower) Follow(tenant string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l, added := f.lane(tenant)
	l.used = f.period
	if added {
		f.schedule(tenant, l)
	}
}

// grown schedules reads of the followed logs that the consumer has not read to their ends.
func (f *Follower) grown(ctx context.Context, ends []store.LogEnd) {
	for _, e := range ends {
		f.mu.Lock()
		l := f.lanes[e.Tenant]
		if l != nil {
			if l.end = max(l.end, e.Seq); e.Seq > l.mark {
				f.schedule(e.Tenant, l)
			}
		}
		f.mu.Unlock()
		if l == nil && f.cfg.Tenants == All {
			f.meet(ctx, e)
		}
	}
}

// meet begins to follow a tenant that is not followed yet. Its log is read only if the consumer is not at its end.
func (f *Follower) meet(ctx context.Context, e store.LogEnd) {
	mark, err := f.checkpoint(ctx, e.Tenant)
	f.mu.Lock()
	defer f.mu.Unlock()
	l, _ := f.lane(e.Tenant)
	l.end, l.mark = max(l.end, e.Seq), max(l.mark, mark)
	if err != nil || mark != e.Seq {
		f.schedule(e.Tenant, l)
	}
}

// asked records the outcome of the question which logs have grown.
func (f *Follower) asked(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failed = err
}

// Again schedules reads of the followed logs of which the consumer has lost a part.
func (f *Follower) Again(ctx context.Context) {
	f.mu.Lock()
	ends := make([]store.LogEnd, 0, len(f.lanes))
	for tenant, l := range f.lanes {
		ends = append(ends, store.LogEnd{Tenant: tenant, Seq: l.end})
	}
	f.mu.Unlock()
	for _, e := range ends {
		mark, err := f.checkpoint(ctx, e.Tenant)
		if err == nil && mark >= e.Seq {
			continue
		}
		f.mu.Lock()
		if l := f.lanes[e.Tenant]; l != nil {
			l.mark = mark
			f.schedule(e.Tenant, l)
		}
		f.mu.Unlock()
	}
}

// letGo begins a period of Idle and lets go of the tenants that were not used in the last one.
func (f *Follower) letGo(ctx context.Context) {
	f.mu.Lock()
	f.period++
	idle := map[string]*lane{}
	for tenant, l := range f.lanes {
		if l.used < f.period-1 {
			idle[tenant] = l
		}
	}
	f.mu.Unlock()
	for tenant, l := range idle {
		if err := f.forget(ctx, tenant, l); err != nil {
			f.cfg.Logger.WarnContext(ctx, "a consumer of the changefeed cannot let a tenant go",
				"consumer", f.cfg.Name, "tenant", tenant, "error", err)
		}
	}
}

func (f *Follower) forget(ctx context.Context, tenant string, l *lane) error {
	if !l.busy.TryLock() {
		return nil // it is in use after all
	}
	defer l.busy.Unlock()
	f.mu.Lock()
	idle := !l.running && !l.nudged && l.used < f.period-1 && l.parked == nil
	f.mu.Unlock()
	if !idle {
		return nil
	}
	err := f.reset(ctx, tenant)
	f.mu.Lock()
	defer f.mu.Unlock()
	if l.mark = 0; l.nudged || l.used >= f.period-1 || err != nil {
		f.schedule(tenant, l)
	} else {
		delete(f.lanes, tenant)
	}
	return err
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
	mark, err := f.checkpoint(ctx, tenant)
	if err != nil || f.cfg.Upstream == nil {
		return mark, err
	}
	limit, err := f.cfg.Upstream.Watermark(ctx, tenant)
	return min(mark, limit), err
}

// Behind returns the number of entries by which the consumer is behind the followed log that it is furthest behind,
// as far as the ends of the logs are known, without a call of the store. The error is that of the last question to
// the store which logs have grown.
func (f *Follower) Behind(ctx context.Context) (most tenure.Seq, err error) {
	f.mu.Lock()
	ends, err := make(map[string]tenure.Seq, len(f.due)), f.failed
	for tenant, l := range f.due {
		ends[tenant] = l.end
	}
	f.mu.Unlock()
	for tenant, end := range ends {
		mark, failure := f.checkpoint(ctx, tenant)
		most, err = max(most, end-mark), errors.Join(err, failure)
	}
	return most, err
}

// Lag returns the number of entries of a tenant's log beyond the watermark. It is an error where the consumer, or one
// upstream of it, is parked for the tenant: waiting for it would not end.
func (f *Follower) Lag(ctx context.Context, tenant string) (tenure.Seq, error) {
	if f.parkedFor(tenant) {
		return 0, ErrParked
	}
	// The watermark is read first: a consumer that writes would otherwise be ahead of the end, which would
	// not count its own writes.
	mark, err := f.Watermark(ctx, tenant)
	if err != nil {
		return 0, err
	}
	end, err := f.end(ctx, tenant)
	return max(0, end-mark), err
}

// hold returns the lane of a tenant, locked for a delivery.
func (f *Follower) hold(tenant string) *lane {
	for {
		f.mu.Lock()
		l, _ := f.lane(tenant)
		f.mu.Unlock()
		l.busy.Lock()
		f.mu.Lock()
		current := f.lanes[tenant] == l
		f.mu.Unlock()
		if current {
			return l
		}
		l.busy.Unlock() // the tenant was let go meanwhile
	}
}

// deliver delivers a tenant's log up to its current end. Entries written meanwhile form a later page. A panic parks the
// lane.
func (f *Follower) deliver(ctx context.Context, tenant string) error {
	l := f.hold(tenant)
	defer l.busy.Unlock()
	if f.parkedFor(tenant) {
		return ErrParked
	}
	err := contain.Do(func() error { return f.deliverTo(ctx, tenant, l) })
	if contain.Is(err) {
		f.park(ctx, tenant, l, err)
		return ErrParked
	}
	return err
}

// deliverTo is deliver for a lane that is held.
func (f *Follower) deliverTo(ctx context.Context, tenant string, l *lane) error {
	from, err := f.checkpoint(ctx, tenant)
	if err != nil {
		return err
	}
	end, err := f.end(ctx, tenant)
	if err != nil {
		return err
	}
	f.mu.Lock()
	l.end, l.mark = end, min(from, end)
	f.mu.Unlock()
	if from > end {
		f.cfg.Logger.WarnContext(ctx, "the log is shorter than a consumer has read: it is read anew",
			"consumer", f.cfg.Name, "tenant", tenant, "checkpoint", from, "end", end)
		if err := f.reset(ctx, tenant); err != nil {
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
	f.mu.Lock()
	l.mark = from
	f.mu.Unlock()
	return err
}

func (f *Follower) end(ctx context.Context, tenant string) (tenure.Seq, error) {
	view, err := ask(func() (store.Reader, error) { return f.store.View(ctx, tenant, tenure.Present) })
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
	entries, err := ask(func() ([]tenure.Entry, error) {
		return f.store.Log(ctx, tenant, from, int(min(tenure.Seq(f.cfg.PageSize), end-from)))
	})
	if err != nil {
		return from, err
	}
	if len(entries) == 0 {
		return from, fmt.Errorf("the log of %q ends at %d, before %d", tenant, from, end)
	}
	state, err := ask(func() (store.Reader, error) { return f.store.View(ctx, tenant, tenure.Present) })
	if err != nil {
		return from, err
	}
	p := Page{tenant, entries, state}
	if err := f.consumer.Apply(ctx, p); err != nil {
		return from, fmt.Errorf("%s: %w", f.cfg.Name, err)
	}
	f.cfg.Applied(p)
	for _, b := range f.downstream {
		b.Nudge(tenant, p.UpTo())
	}
	return f.checkpoint(ctx, tenant)
}
