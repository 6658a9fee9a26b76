package changefeed

import (
	"context"
	"math"
	"sync"

	"tenure"
)

// Group is the followers of one process. A consumer that is added to it is run,
// nudged and waited for like the others.
type Group []*Follower

// Run runs all followers until the context ends.
func (g Group) Run(ctx context.Context) {
	var work sync.WaitGroup
	for _, f := range g {
		work.Go(func() { f.Run(ctx) })
	}
	work.Wait()
}

// Nudge has a tenant's log read now by all that read the store. One that is
// behind another is nudged by that one.
func (g Group) Nudge(tenant string) {
	for _, f := range g {
		if f.cfg.Behind == nil {
			f.Nudge(tenant)
		}
	}
}

// Follow has a tenant's log followed by all from now on.
func (g Group) Follow(tenant string) {
	for _, f := range g {
		f.Follow(tenant)
	}
}

// Watermark returns the number up to which a tenant's log is applied by all.
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
