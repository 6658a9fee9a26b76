package ledger

import (
	"time"

	"tenure"
	"tenure/cache"
	"tenure/contain"
)

// A command that panicked is not executed again for a while under the same idempotency key, so that a client that
// repeats it does not have it panic over and over. The bound is of each half of what is remembered.
const (
	failureAge         = 10 * time.Minute
	rememberedFailures = 4096
)

// failures remembers the idempotency keys of requests that panicked.
type failures struct {
	keys *cache.Cache[failedKey, failure]
}

type failedKey struct{ tenant, scope string }

type failure struct {
	hash  string
	until tenure.Instant
}

func newFailures() failures { return failures{cache.New[failedKey, failure](rememberedFailures)} }

// refuses reports whether a request has panicked lately.
func (f failures) refuses(tenant string, k *tenure.IdempotencyKey, now func() tenure.Instant) bool {
	if k == nil {
		return false
	}
	failed, ok := f.keys.Get(failedKey{tenant, k.Scope})
	return ok && failed.hash == k.Hash && now() < failed.until
}

var errPanickedBefore = tenure.Errorf(tenure.Internal,
	"the request failed before, and is not carried out again for a while")

// noteFailure remembers and reports a request that panicked.
func (w *Writer) noteFailure(tenant string, it *pending, err error) {
	if !contain.Is(err) {
		return
	}
	w.contained("command", err)
	if k := it.req.Key; k != nil {
		w.failures.keys.Put(failedKey{tenant, k.Scope}, failure{k.Hash, w.mint().Now.Add(failureAge)}, 1)
	}
}

// contained reports a panic, if there was one.
func (w *Writer) contained(where string, err error) {
	if err != nil {
		w.cfg.Contained(where, err)
	}
}
