package bulk

import (
	"cmp"
	"context"
	"time"

	"tenure"
	"tenure/amend"
	"tenure/ledger"
	"tenure/registry"
	"tenure/similarity"
	"tenure/store"
)

// RejudgeConfig configures a rejudging. Found is called with what each batch changed, once it is applied.
type RejudgeConfig struct {
	Tenant string
	Now    func() time.Time
	Found  func(amend.RejudgeAnswer) error
}

// RejudgeStats counts the slots that were judged, the claims that were moved to another predicate, and the beliefs
// that stand at more or fewer times than before.
type RejudgeStats struct{ Slots, Moved, Restored, Displaced int }

// rejudged is how many slots are judged in one change set.
const rejudged = 200

// Rejudge judges every slot of a tenant by the vocabulary and the rules of this program. It may be interrupted and run
// again: what is judged by them already stays as it is.
func Rejudge(ctx context.Context, s store.Store, cfg RejudgeConfig) (RejudgeStats, error) {
	var stats RejudgeStats
	mint := func() tenure.Mint { return tenure.NewMint(cfg.Now()) }
	policies := registry.Policies(similarity.DefaultModel(), ledger.Unobserved)
	writer, err := ledger.NewWriter(s, mint, policies, ledger.Config{})
	if err != nil {
		return stats, err
	}
	defer writer.Close()
	view, err := s.View(ctx, cfg.Tenant, tenure.Present)
	if err != nil {
		return stats, err
	}
	for after := ""; ; {
		slots, err := view.SlotsAfter(ctx, after, rejudged)
		if err != nil || len(slots) == 0 {
			return stats, err
		}
		res := writer.Do(ctx, cfg.Tenant, ledger.Request{
			Command: amend.Rejudge{Slots: slots}, Operation: "rejudge", Actor: "migrate", Background: true,
		})[0]
		if res.Err != nil {
			return stats, res.Err
		}
		a, _ := res.Answer.(amend.RejudgeAnswer)
		stats.Slots += len(slots)
		stats.Moved += len(a.Moved)
		stats.Restored += len(a.Restored)
		stats.Displaced += len(a.Displaced)
		if err := cfg.Found(a); err != nil {
			return stats, err
		}
		after = cmp.Or(slots[len(slots)-1].Key(), after)
	}
}
