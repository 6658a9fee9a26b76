package resolution

import (
	"context"
	"time"

	"tenure"
	"tenure/recall"
)

// The bounds of what a search by similarity waits for: how many entries of the log are embedded first, and how long that
// may take. Beyond, it is done without: who searches is told.
const (
	mostUnembedded = 64
	embedTimeout   = time.Second
)

// similar finds beliefs by their vectors, which it has the worker make first where few are missing.
type similar struct{ *Worker }

// Similar returns the space of vectors, nil where there is none.
func (w *Worker) Similar() recall.Space {
	if w.vectors == nil {
		return nil
	}
	return similar{w}
}

// Nearest implements [recall.Space].
func (w similar) Nearest(
	ctx context.Context, tenant, query string, upTo tenure.Seq, q recall.Wanted,
) ([]recall.Near, bool, error) {
	w.follow(tenant)
	mark, err := w.vectors.Checkpoint(ctx, tenant)
	if err != nil {
		return nil, false, err
	}
	if unread := upTo - mark; unread > 0 && unread <= mostUnembedded {
		within, cancel := context.WithTimeout(ctx, embedTimeout)
		err := w.embedding.CatchUp(within, tenant)
		cancel()
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if err != nil { // the vectors say how many are missing
			w.logger.DebugContext(ctx, "vectors are missing", "tenant", tenant, "error", err)
		}
	}
	return w.vectors.Nearest(ctx, tenant, query, upTo, q)
}
