package resolution

import (
	"context"
	"time"

	"tenure"
	"tenure/recall"
)

// The bounds of what a search waits for: how many entries of the log the index of beliefs has to read first, and how
// long that may take. The worker reads more in the background.
const (
	mostUnread  = 5000
	readTimeout = 10 * time.Second
)

// Documents implements [recall.Source]: it has the index read what it has not read yet.
func (w *Worker) Documents(
	ctx context.Context, tenant string, upTo tenure.Seq, q recall.Wanted,
) ([]recall.Hit, bool, error) {
	w.follow(tenant)
	x := w.Candidates.index.Beliefs()
	mark, err := x.Checkpoint(ctx, tenant)
	if err != nil {
		return nil, false, err
	}
	if unread := upTo - mark; unread > mostUnread {
		return nil, false, tenure.Errorf(tenure.Unavailable, "the index of beliefs is %d entries behind", unread)
	} else if unread > 0 {
		if err := w.readOn(ctx, tenant); err != nil {
			return nil, false, err
		}
	}
	return x.Documents(ctx, tenant, upTo, q)
}

func (w *Worker) readOn(ctx context.Context, tenant string) error {
	within, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	err := w.wording.CatchUp(within, tenant)
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	return &tenure.Error{Code: tenure.Unavailable, Message: "the index of beliefs is behind", Err: err}
}
