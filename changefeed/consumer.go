package changefeed

import (
	"context"

	"tenure"
	"tenure/store"
)

// Consumer derives state from the logs of tenants. A [Follower] calls it for one page of a tenant at a time,
// and for several tenants concurrently.
type Consumer interface {
	// Checkpoint returns the sequence number up to which a tenant's log is applied, 0 for a tenant that the
	// consumer does not know. The checkpoint may go back when the consumer has lost state: the entries after
	// it are then delivered again.
	Checkpoint(ctx context.Context, tenant string) (tenure.Seq, error)
	// Apply applies a page that begins after the checkpoint, and advances the checkpoint to its end. After an
	// error the same entries are delivered again, so applying an entry must be idempotent.
	Apply(ctx context.Context, p Page) error
	// Reset discards a tenant's state and checkpoint: its log was replaced by another one.
	Reset(ctx context.Context, tenant string) error
}

// Page is a contiguous, non-empty part of a tenant's log.
type Page struct {
	Tenant  string
	Entries []tenure.Entry
	// State reads the tenant's state as of the last entry or later.
	State store.Reader
}

// UpTo returns the sequence number of the last entry.
func (p Page) UpTo() tenure.Seq { return p.Entries[len(p.Entries)-1].Seq }
