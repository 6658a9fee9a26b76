package index

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"sync"
	"time"

	"tenure"
	"tenure/store"
)

// Sink is what a follower feeds: it keeps how far it has read together with
// what it was given.
type Sink interface {
	// Cursor is the number up to which a tenant's log is in the sink.
	Cursor(tenant string) (tenure.Seq, error)
	// Put takes documents and removals with the number up to which the log is
	// in them, all of it or nothing. What it takes twice is there once.
	Put(ctx context.Context, tenant string, docs []Document, removed []tenure.ID, upTo tenure.Seq) error
	// Reset forgets what a tenant has, cursor included.
	Reset(ctx context.Context, tenant string) error
}

// Passer is a sink that remembers how far OnPassed has come.
type Passer interface {
	Passed(tenant string) (tenure.Seq, error)
	SetPassed(tenant string, seq tenure.Seq) error
}

// FollowerConfig tunes a follower; the zero value is good.
type FollowerConfig struct {
	// Logger hears of errors. Default: nobody.
	Logger *slog.Logger
	// Interval is how often each tenant's log is looked at. Default 200 ms.
	Interval time.Duration
	// Every is the least time between two looks of Run at a log that grows all
	// the time: what is put in few large batches is merged less. Default 0.
	Every time.Duration
	// Tenants says whose logs Run follows.
	Tenants Tenants
	// PageSize is how many entries are taken at a time. Default 500.
	PageSize int
	// OnPassed is told which entities are new or changed once the sink has
	// them, up to a number. It is told of each at least once, in the order of
	// the log: an error makes the same come again. The sink has to be a
	// Passer, or a restart begins at the sink's cursor.
	OnPassed func(ctx context.Context, tenant string, upTo tenure.Seq, entities []tenure.ID) error
}

// Tenants chooses whose logs are followed.
type Tenants int

// Credentialed tenants are those with a credential and those that were nudged;
// Nudged ones are those for whom Nudge or Follow was called in this process, so that
// nothing is read for tenants that nobody asks about here.
const (
	Credentialed Tenants = iota
	Nudged
)

// maxBackoff bounds the wait after errors.
const maxBackoff = 30 * time.Second

// tenantsEvery is how many intervals lie between looks for new tenants.
const tenantsEvery = 10

// Follower takes the change log of each tenant into a sink.
type Follower struct {
	store store.Store
	sink  Sink
	cfg   FollowerConfig

	mu    sync.Mutex
	lanes map[string]*lane
	fresh chan struct{} // there is a new lane
}

// lane is one tenant's way through the follower.
type lane struct {
	nudged  chan struct{}
	busy    sync.Mutex // held by whoever reads on
	running bool
	passed  tenure.Seq // where the sink is no Passer
	begun   bool
}

// NewFollower makes a follower of all logs of a store. Nothing happens before
// Run or CatchUp.
func NewFollower(s store.Store, sink Sink, cfg FollowerConfig) *Follower {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	cfg.Interval = cmp.Or(cfg.Interval, 200*time.Millisecond)
	cfg.PageSize = cmp.Or(cfg.PageSize, 500)
	return &Follower{store: s, sink: sink, cfg: cfg, lanes: map[string]*lane{}, fresh: make(chan struct{}, 1)}
}

// Run follows the tenants of the configuration until the context ends. Errors
// are logged and tried again, later each time.
func (f *Follower) Run(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	for {
		tenants, err := f.tenants(ctx)
		if err != nil && ctx.Err() == nil {
			f.cfg.Logger.WarnContext(ctx, "the index does not learn of new tenants", "error", err)
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

// tenants are those that are known, and unless it is only for them, those with
// a credential.
func (f *Follower) tenants(ctx context.Context) ([]string, error) {
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

func (f *Follower) follow(ctx context.Context, tenant string, l *lane) {
	wait, nudged := f.cfg.Interval, l.nudged
	for pause(ctx, nudged, wait) && pause(ctx, nil, f.cfg.Every) {
		err := f.follows(ctx, tenant)
		switch {
		case err == nil:
			wait, nudged = f.cfg.Interval, l.nudged
		case ctx.Err() == nil:
			wait, nudged = min(2*wait, maxBackoff), nil // a nudge is no reason to try at once
			f.cfg.Logger.WarnContext(ctx, "the index falls behind", "tenant", tenant, "error", err, "again_in", wait)
		}
	}
}

// pause waits for a time or a nudge; false if the context has ended.
func pause(ctx context.Context, nudged <-chan struct{}, wait time.Duration) bool {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-nudged:
	case <-timer.C:
	}
	return ctx.Err() == nil
}

// Nudge says that a tenant's log has grown: it is looked at now.
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

// CatchUp reads a tenant's log to its end and returns the first error. The sink
// is filled even while OnPassed fails.
func (f *Follower) CatchUp(ctx context.Context, tenant string) error {
	return f.read(ctx, tenant, math.MaxInt64)
}

// follows reads what there is of a log at the moment: what comes while it is read
// makes a batch of its own.
func (f *Follower) follows(ctx context.Context, tenant string) error {
	end, err := f.end(ctx, tenant)
	if err != nil {
		return err
	}
	return f.read(ctx, tenant, end)
}

// read takes a log into the sink to its end, or to a number and little more.
func (f *Follower) read(ctx context.Context, tenant string, end tenure.Seq) error {
	l := f.lane(tenant)
	l.busy.Lock()
	defer l.busy.Unlock()
	if err := f.restart(ctx, tenant); err != nil {
		return err
	}
	for {
		from, err := f.sink.Cursor(tenant)
		if err != nil {
			return err
		}
		more := from < end
		if more {
			more, err = f.step(ctx, tenant, l, from)
		}
		if err != nil {
			return err
		}
		if !more {
			return f.pass(ctx, tenant, l, from)
		}
	}
}

// restart begins anew when the log ends before the cursor: the store is
// another one.
func (f *Follower) restart(ctx context.Context, tenant string) error {
	cursor, err := f.sink.Cursor(tenant)
	if err != nil || cursor == 0 {
		return err
	}
	end, err := f.end(ctx, tenant)
	if err != nil || end >= cursor {
		return err
	}
	f.cfg.Logger.WarnContext(ctx, "the log is shorter than the index has read: it is read anew", "tenant", tenant, "cursor", cursor, "end", end)
	return f.sink.Reset(ctx, tenant)
}

func (f *Follower) end(ctx context.Context, tenant string) (tenure.Seq, error) {
	r, err := f.store.View(ctx, tenant, tenure.Present)
	if err != nil {
		return 0, err
	}
	seq, _ := r.State()
	return seq, nil
}

// step puts one page of the log into the sink; false if there is none.
func (f *Follower) step(ctx context.Context, tenant string, l *lane, from tenure.Seq) (more bool, err error) {
	entries, err := f.store.Log(ctx, tenant, from, f.cfg.PageSize)
	if err != nil || len(entries) == 0 {
		return false, err
	}
	upTo, touched := entries[len(entries)-1].Seq, touched(entries)
	docs, removed, err := f.documents(ctx, tenant, touched)
	if err != nil {
		return false, err
	}
	if err := f.sink.Put(ctx, tenant, docs, removed, upTo); err != nil {
		return false, err
	}
	// An error comes again when the log is at its end: see pass.
	_ = f.told(ctx, tenant, l, from, upTo, touched)
	return true, nil
}

// documents reads entities as they are now, which is at or after any entry of
// the page; those that nobody can be found by are removed.
func (f *Follower) documents(ctx context.Context, tenant string, ids []tenure.ID) (docs []Document, removed []tenure.ID, err error) {
	if len(ids) == 0 {
		return nil, nil, nil
	}
	r, err := f.store.View(ctx, tenant, tenure.Present)
	if err != nil {
		return nil, nil, err
	}
	entities, err := r.Entities(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	owners, err := r.OwnedBy(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	byID := make(map[tenure.ID]*Document, len(entities))
	for _, e := range entities {
		d := documentOf(e)
		byID[e.ID] = &d
	}
	for _, o := range owners {
		if d := byID[o.Entity]; d != nil {
			d.add(o)
		}
	}
	for _, id := range ids {
		if d := byID[id]; d != nil && !d.empty() {
			docs = append(docs, *d)
		} else {
			removed = append(removed, id)
		}
	}
	return docs, removed, nil
}

// elsewhere are the kinds of changes that name an entity and change nothing
// that it is found by.
var elsewhere = []tenure.ChangeKind{
	tenure.KindObservationAdded, tenure.KindMentionAdded, tenure.KindMentionAssigned, tenure.KindClaimAdded,
	tenure.KindClaimMoved, tenure.KindStandingPut, tenure.KindAmended, tenure.KindCasePut, tenure.KindReviewPut,
}

// touched lists the entities that entries make or change, each once.
func touched(entries []tenure.Entry) []tenure.ID {
	seen := map[tenure.ID]bool{}
	var ids []tenure.ID
	for _, e := range entries {
		for _, c := range e.Changes {
			if c.Entity != "" && !seen[c.Entity] && !slices.Contains(elsewhere, c.Kind) {
				seen[c.Entity] = true
				ids = append(ids, c.Entity)
			}
		}
	}
	return ids
}

// pass tells OnPassed of what it has not been told of, up to a number.
func (f *Follower) pass(ctx context.Context, tenant string, l *lane, upTo tenure.Seq) error {
	if f.cfg.OnPassed == nil {
		return nil
	}
	for {
		passed, err := f.passed(tenant, l, upTo)
		if err != nil || passed >= upTo {
			return err
		}
		entries, err := f.store.Log(ctx, tenant, passed, min(f.cfg.PageSize, int(upTo-passed)))
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			return fmt.Errorf("the log of %q ends at %d, before %d", tenant, passed, upTo)
		}
		if err := f.told(ctx, tenant, l, passed, entries[len(entries)-1].Seq, touched(entries)); err != nil {
			return err
		}
	}
}

// told tells OnPassed of a page that begins where it has come to, and notes it.
func (f *Follower) told(ctx context.Context, tenant string, l *lane, from, upTo tenure.Seq, entities []tenure.ID) error {
	if f.cfg.OnPassed == nil {
		return nil
	}
	passed, err := f.passed(tenant, l, from)
	if err != nil || passed != from {
		return err
	}
	if len(entities) > 0 {
		if err := f.cfg.OnPassed(ctx, tenant, upTo, entities); err != nil {
			return fmt.Errorf("the second look: %w", err)
		}
	}
	if p, ok := f.sink.(Passer); ok {
		return p.SetPassed(tenant, upTo)
	}
	l.passed = upTo
	return nil
}

// passed is how far OnPassed has come; begin is where it starts if nobody
// remembers.
func (f *Follower) passed(tenant string, l *lane, begin tenure.Seq) (tenure.Seq, error) {
	if p, ok := f.sink.(Passer); ok {
		return p.Passed(tenant)
	}
	if !l.begun {
		l.begun, l.passed = true, begin
	}
	return l.passed, nil
}

// Lag says how many entries of each tenant's log are not in the sink yet.
func (f *Follower) Lag(ctx context.Context) (map[string]tenure.Seq, error) {
	tenants, err := f.tenants(ctx)
	if err != nil {
		return nil, err
	}
	lag := make(map[string]tenure.Seq, len(tenants))
	for _, t := range tenants {
		if lag[t], err = f.LagOf(ctx, t); err != nil {
			return nil, err
		}
	}
	return lag, nil
}

// LagOf says how many entries of a tenant's log are not in the sink yet.
func (f *Follower) LagOf(ctx context.Context, tenant string) (tenure.Seq, error) {
	end, err := f.end(ctx, tenant)
	if err != nil {
		return 0, err
	}
	cursor, err := f.sink.Cursor(tenant)
	return max(0, end-min(end, cursor)), err
}
