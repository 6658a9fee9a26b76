package changefeed

import (
	"context"

	"tenure"
	"tenure/store"
)

// Consumer derives something from the logs of tenants. A [Follower] calls it for
// one page of a tenant at a time, for several tenants at once.
type Consumer interface {
	// Checkpoint returns the number up to which a tenant's log is applied, 0 for a
	// tenant that the consumer does not know. It may go back, where the consumer
	// has lost something: what comes after it is then delivered again.
	Checkpoint(ctx context.Context, tenant string) (tenure.Seq, error)
	// Apply applies a page that begins after the checkpoint, and advances the
	// checkpoint to its end. After an error the same entries come again; applying
	// an entry twice must lead where applying it once does.
	Apply(ctx context.Context, p Page) error
	// Reset forgets a tenant, checkpoint included: its log is another one.
	Reset(ctx context.Context, tenant string) error
}

// Page is a part of a tenant's log, without gaps and never empty.
type Page struct {
	Tenant  string
	Entries []tenure.Entry
	// State reads the tenant as it is at the last entry or after it.
	State store.Reader
}

// UpTo returns the number of the last entry.
func (p Page) UpTo() tenure.Seq { return p.Entries[len(p.Entries)-1].Seq }
