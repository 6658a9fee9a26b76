package changefeed

import (
	"context"
	"math"
	"sync"

	"tenure"
)

// Group is the followers of one process. A consumer in the group is run, nudged and waited for together with
// the others.
type Group []*Follower

// Run runs all followers until the context ends.
func (g Group) Run(ctx context.Context) {
	var work sync.WaitGroup
	for _, f := range g {
		work.Go(func() { f.Run(ctx) })
	}
	work.Wait()
}

// Nudge schedules a read of a tenant's log by every follower that has none upstream; that one nudges the followers
// downstream of it.
func (g Group) Nudge(tenant string) {
	for _, f := range g {
		if f.cfg.Upstream == nil {
			f.Nudge(tenant)
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
