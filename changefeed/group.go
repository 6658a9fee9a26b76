package changefeed

import (
	"context"
	"math"
	"sync"
	"time"

	"tenure"
	"tenure/contain"
	"tenure/store"
)

// Group is the followers of one process. A consumer in the group is run, nudged and waited for together with
// the others.
type Group []*Follower

// Run runs all followers until the context ends. One call of the store in each interval of the first one finds the
// logs that have grown, for all of them.
func (g Group) Run(ctx context.Context) {
	var work sync.WaitGroup
	defer work.Wait()
	for _, f := range g {
		work.Go(func() { contain.Keep(ctx, f.panicked, f.run) })
	}
	if len(g) > 0 {
		contain.Keep(ctx, g[0].panicked, g.watch)
	}
}

// watch asks which logs have grown until the context ends.
func (g Group) watch(ctx context.Context) {
	var mark store.Mark
	interval := g[0].cfg.Interval
	retry := newRetry(interval)
	for wait := time.Duration(0); pause(ctx, wait); {
		var ends []store.LogEnd
		var next store.Mark
		err := contain.Do(func() (err error) {
			ends, next, err = g[0].store.Grown(ctx, mark)
			return err
		})
		if ctx.Err() != nil {
			return
		}
		for _, f := range g {
			f.asked(err)
			f.grown(ctx, ends)
		}
		if err != nil {
			wait = min(retry.NextBackOff(), maxAsking)
			g[0].cfg.Logger.WarnContext(ctx, "the changefeed cannot see which logs have grown",
				"error", err, "again_in", wait)
			continue
		}
		retry.Reset()
		mark, wait = next, interval
	}
}

// maxAsking bounds the pause after a question to the store that failed: until it is answered, the process reports that
// it does not know how far behind it is.
const maxAsking = 2 * time.Second

// Nudge schedules a read of a tenant's log, which this process has written up to an entry, by every follower that has
// none upstream; that one nudges the followers downstream of it.
func (g Group) Nudge(tenant string, end tenure.Seq) {
	for _, f := range g {
		if f.cfg.Upstream == nil {
			f.Nudge(tenant, end)
		}
	}
}

// Follow makes every follower follow a tenant's log.
func (g Group) Follow(tenant string) {
	for _, f := range g {
		f.Follow(tenant)
	}
}

// Watermark returns the sequence number up to which every follower has applied a tenant's log.
func (g Group) Watermark(ctx context.Context, tenant string) (tenure.Seq, error) {
	mark := tenure.Seq(math.MaxInt64)
	for _, f := range g {
		m, err := f.Watermark(ctx, tenant)
		if err != nil {
			return 0, err
		}
		mark = min(mark, m)
	}
	return mark, nil
}

// Parked returns for how many tenants each consumer is parked, by its name, without those that are not: see
// [Follower.Parked].
func (g Group) Parked() map[string]int {
	parked := map[string]int{}
	for _, f := range g {
		if n := f.Parked(); n > 0 {
			parked[f.cfg.Name] = n
		}
	}
	return parked
}
