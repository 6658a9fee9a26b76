package httpapi

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/compile"
	"tenure/ingest"
	"tenure/registry"
	"tenure/store"
)

// Observer is the write path. A replayed answer is that of the first request.
type Observer interface {
	Observe(ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, in ingest.Input) (ingest.Answer, tenure.Receipt, error)
	// ObserveAll decides the items in order and returns a result for each.
	ObserveAll(ctx context.Context, c tenure.Caller, items []ObserveItem) []ObserveResult
}

// ObserveItem is one observation of a batch. Key may be nil.
type ObserveItem struct {
	Key   *tenure.IdempotencyKey
	Input ingest.Input
}

// ObserveResult is what became of an item.
type ObserveResult struct {
	Answer  ingest.Answer
	Receipt tenure.Receipt
	Err     error
}

// Amendment is a later word on a belief, as a caller gives it: a Retract, an
// End or a Confirm.
type Amendment struct {
	Kind   tenure.AmendmentKind
	Belief tenure.ID
	At     *tenure.Instant // nil: now
	// AuthorityLevel is at most as strong as the caller's.
	AuthorityLevel int
	Reason         string
}

// Amender applies amendments and says which beliefs stand again. NotFound for
// a belief that the caller may not see.
type Amender interface {
	Amend(ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, a Amendment) (restored []tenure.ID, r tenure.Receipt, err error)
}

// Settlement is the decision of a quarantine case. Accept is "" where every
// belief is rejected. Version is that of the case as it was seen.
type Settlement struct {
	Case           tenure.ID
	Accept         tenure.ID
	Version        int
	AuthorityLevel int
	Note           string
}

// Settler settles cases and says which beliefs stand again. NotFound for a
// case that the caller may not see, Conflicting if it has another version.
type Settler interface {
	Settle(ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, s Settlement) (restored []tenure.ID, r tenure.Receipt, err error)
}

// Vocabularist gives a vocabulary its next version. Conflicting if the version
// of v, which is the one that was seen, is not the newest.
type Vocabularist interface {
	PutVocabulary(ctx context.Context, c tenure.Caller, v tenure.Vocabulary, terms []tenure.Term) (tenure.Receipt, error)
}

// Compiler compiles context envelopes. Both methods give the JSON of a
// Compilation (see openapi.yaml); the same bytes for the same id.
type Compiler interface {
	Compile(ctx context.Context, c tenure.Caller, requestID string, r compile.Request) ([]byte, error)
	// Compilation is NotFound where there is none, or none that the caller
	// may see.
	Compilation(ctx context.Context, c tenure.Caller, traceID string) ([]byte, error)
}

// Authenticator knows callers by their keys; see auth.Authenticator.
type Authenticator interface {
	Authenticate(ctx context.Context, key string) (tenure.Caller, error)
	Forget(id tenure.ID)
}

// Deps are what the handlers work with. All are needed that are not said to be nil.
type Deps struct {
	Store         store.Store
	Authenticator Authenticator
	Observer      Observer
	Amender       Amender
	Settler       Settler
	Vocabularist  Vocabularist
	Compiler      Compiler
	Arbiter       Arbiter
	// Judge says who is who.
	Judge registry.Judge
	// Proposer generates candidates; nil if nothing does. Indexed is the number
	// up to which it has seen the log of a tenant; nil if it always has.
	Proposer ingest.Proposer
	Indexed  func(tenant string) (tenure.Seq, error)
	// Extractor finds mentions in texts; nil if nothing does.
	Extractor Extractor
	// Mint gives the present and new ids.
	Mint func() tenure.Mint
	// Random is the source of secrets. It is used by many at once.
	Random io.Reader
	// CursorKey signs cursors; at least 32 bytes, the same in every process.
	CursorKey  []byte
	Logger     *slog.Logger
	Registerer prometheus.Registerer
	Gatherer   prometheus.Gatherer
}

// Config tunes the service; the zero value is good.
type Config struct {
	// BodyLimit bounds a body, but that of a batch. Default 1 MiB.
	BodyLimit int
	// LineLimit bounds a line of a batch. Default 1 MiB.
	LineLimit int
	// GroupLines bounds how many lines of a batch are decided at once.
	// Default 256.
	GroupLines int
	// Timeout bounds a request, and each group of a batch. Default 30 s.
	Timeout time.Duration
	// Now is the clock of the network, by which each group of a batch extends
	// the deadlines of its connection. nil leaves them as the server set them.
	Now func() time.Time
	// Ready is asked by /readyz besides the store; nil asks nothing more.
	Ready func(context.Context) error
}

func (c Config) withDefaults() Config {
	if c.BodyLimit <= 0 {
		c.BodyLimit = 1 << 20
	}
	if c.LineLimit <= 0 {
		c.LineLimit = 1 << 20
	}
	if c.GroupLines <= 0 {
		c.GroupLines = 256
	}
	if c.Timeout <= 0 {
		c.Timeout = 30 * time.Second
	}
	return c
}

const minCursorKey = 32

func (d Deps) check() error {
	var errs []error
	need := func(have bool, name string) {
		if !have {
			errs = append(errs, errors.New("httpapi: no "+name))
		}
	}
	need(d.Store != nil, "Store")
	need(d.Authenticator != nil, "Authenticator")
	need(d.Observer != nil, "Observer")
	need(d.Amender != nil, "Amender")
	need(d.Settler != nil, "Settler")
	need(d.Vocabularist != nil, "Vocabularist")
	need(d.Compiler != nil, "Compiler")
	need(d.Arbiter != nil, "Arbiter")
	need(d.Judge.Model != nil, "Judge")
	need(d.Mint != nil, "Mint")
	need(d.Random != nil, "Random")
	need(len(d.CursorKey) >= minCursorKey, "CursorKey of 32 bytes or more")
	need(d.Logger != nil, "Logger")
	need(d.Registerer != nil, "Registerer")
	need(d.Gatherer != nil, "Gatherer")
	return errors.Join(errs...)
}
