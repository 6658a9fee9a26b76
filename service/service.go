package service

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"tenure"
	"tenure/auth"
	"tenure/compile"
	"tenure/encode"
	"tenure/index"
	"tenure/ledger"
	"tenure/linking"
	"tenure/ner"
	"tenure/registry"

	"tenure/service/reading"
	"tenure/service/resolution"
	"tenure/service/view"
	"tenure/similarity"
	"tenure/statements"
	"tenure/store"
	"tenure/vectors"
	"tenure/webhook"
)

// Config configures a service. Now and Index are required.
type Config struct {
	// Now is the clock.
	Now func() time.Time
	// Index generates candidates. The service keeps it up to date with the log, and does not close it.
	Index *index.Index
	// Logger receives what no answer reports. Default: discarded.
	Logger *slog.Logger
	// Random is the source of key secrets. Default: crypto/rand.
	Random io.Reader
	// Model scores entity resolution. Default: the embedded model.
	Model *similarity.Model
	// Extractor extracts mentions from texts. Default: the rules of package ner.
	Extractor ner.Extractor
	// Statements reads the statements of texts. Default: the rules of package statements.
	Statements statements.Reader
	// Embedder makes the vectors by which beliefs are found that have other words than a query. Default: none are.
	Embedder encode.Embedder
	// Reranker orders what recall has found. Default: the order of what was found.
	Reranker encode.Reranker
	// Webhook tells of new tasks. Default: none.
	Webhook *webhook.Webhook
	// Tokens verifies the tokens of an issuer, which are taken beside keys. Default: none.
	Tokens auth.TokenVerifier
	// Metrics registers the metrics of the service. Default: none.
	Metrics prometheus.Registerer
	// IndexEvery enlarges the pages in which the index follows the log, for a process that writes
	// continuously: see Gather of [changefeed.Config]. Default: 50 ms.
	IndexEvery time.Duration
	// KeepCompilations is how long compilations are kept; 0 keeps them for ever.
	KeepCompilations time.Duration
}

func (c Config) check(s store.Store) error {
	var faults []error
	need := func(have bool, name string) {
		if !have {
			faults = append(faults, errors.New("service: no "+name))
		}
	}
	need(s != nil, "store")
	need(c.Now != nil, "Now")
	need(c.Index != nil, "Index")
	return errors.Join(faults...)
}

func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Random == nil {
		c.Random = rand.Reader
	}
	if c.Model == nil {
		c.Model = similarity.DefaultModel()
	}
	return c
}

// Service carries out the use cases over one store. It is safe for concurrent use.
type Service struct {
	store    store.Store
	keys     *Keys
	writer   *ledger.Writer
	compiler *compile.Compiler
	tokens   *compile.Tokens
	matcher  registry.Matcher
	worker   *resolution.Worker
	vectors  *vectors.Store   // may be nil
	stage    reading.Stage    // of texts, before they are written
	webhook  *webhook.Webhook // may be nil
	stop     context.CancelFunc
	auth     *auth.Authenticator
	now      func() time.Time
	logger   *slog.Logger
	after    sync.WaitGroup // background work that no answer waits for
	panics   *prometheus.CounterVec
	probed   probe
	// compiling is held while a compilation is made and kept; for writing, to wait for those under way.
	compiling sync.RWMutex
	keep      time.Duration // of compilations, 0 for ever
	outcomes  outcomeCounters
}

// New returns a service over an opened store, and starts the worker that re-resolves entities. It reports
// every configuration error. The service does not close the store.
func New(s store.Store, cfg Config) (*Service, error) {
	if err := cfg.check(s); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	svc := &Service{store: s, now: cfg.Now, logger: cfg.Logger, panics: newPanics(), keep: cfg.KeepCompilations,
		outcomes: newOutcomeCounters()}
	tokens := compile.NewTokens()
	svc.tokens = tokens
	go svc.guard(func() { tokens.Count("Tenure") }) // loads the vocabulary in advance, for the first compilation
	matcher := registry.Matcher{Model: cfg.Model}
	if err := svc.openVectors(s, cfg); err != nil {
		return nil, err
	}
	whole := false
	defer func() {
		if !whole {
			svc.closeVectors()
		}
	}()
	worker := resolution.NewWorker(s, cfg.Index, resolution.Config{
		Logger: cfg.Logger, Now: cfg.Now, Matcher: matcher, Extractor: cfg.Extractor,
		IndexEvery: cfg.IndexEvery, Vectors: svc.vectors,
		Contained: func(err error) { svc.contained("changefeed", err) },
	})
	linker := linking.New(worker.Candidates, cfg.Model)
	compiler, err := compile.New(tokens, compile.Config{
		Linker: linker, Index: worker, Similar: worker.Similar(), Reranker: cfg.Reranker,
	})
	if err != nil {
		return nil, err
	}
	svc.keys, svc.compiler, svc.matcher, svc.worker = NewKeys(s, cfg.Now, cfg.Random), compiler, matcher, worker
	svc.stage = reading.Stage{Extractor: worker, Linker: linker, Statements: cfg.Statements}
	svc.auth, svc.webhook, svc.stop = auth.New(s, cfg.Now, auth.Config{Tokens: cfg.Tokens}), cfg.Webhook, func() {}
	if err := svc.register(cfg.Metrics); err != nil {
		return nil, err
	}
	onCommit := worker.OnCommit
	if cfg.Webhook != nil {
		onCommit = func(tenant string, sets []tenure.ChangeSet, receipts []tenure.Receipt) {
			worker.OnCommit(tenant, sets, receipts)
			cfg.Webhook.Nudge(tenant, receipts[len(receipts)-1].Seq)
		}
	}
	if svc.writer, err = ledger.NewWriter(s, svc.mint, registry.Policies(cfg.Model, onCommit),
		ledger.Config{Contained: svc.contained}); err != nil {
		return nil, err
	}
	worker.Start(svc.writer)
	var ctx context.Context
	ctx, svc.stop = context.WithCancel(context.Background())
	svc.after.Go(func() { svc.guard(func() { svc.keepNotes(ctx) }) })
	svc.after.Go(func() { svc.guard(func() { svc.purge(ctx) }) })
	if svc.keep > 0 {
		svc.after.Go(func() { svc.guard(func() { svc.retain(ctx) }) })
	}
	if svc.webhook != nil {
		svc.after.Go(func() { svc.webhook.Run(ctx) })
	}
	whole = true
	return svc, nil
}

// register registers the metrics of the service, if there is somewhere to.
func (s *Service) register(reg prometheus.Registerer) error {
	if reg == nil {
		return nil
	}
	err := errors.Join(reg.Register(s.panics), s.outcomes.register(reg), s.worker.Register(reg))
	if s.webhook != nil {
		err = errors.Join(err, s.webhook.Register(reg))
	}
	return err
}

// mint returns the current time and a source of new ids.
func (s *Service) mint() tenure.Mint { return tenure.NewMint(s.now()) }

// Close waits for accepted work. The store can be closed afterwards.
func (s *Service) Close() { s.Stop(context.Background()) }

// Stop is [Service.Close] until the context ends: then it refuses the writes that still wait, and returns how many of
// callers there were.
func (s *Service) Stop(ctx context.Context) (dropped int) {
	waited := make(chan int, 1)
	inTime := context.AfterFunc(ctx, func() { waited <- s.writer.Drop() })
	s.stop()
	s.after.Wait()
	s.worker.Close()
	s.writer.Close()
	s.closeVectors()
	if inTime() {
		return 0
	}
	return <-waited
}

// Worker returns the background worker of entity resolution.
func (s *Service) Worker() *resolution.Worker { return s.worker }

// Authenticate returns the caller of a key that came from the address client: see [auth.Authenticator.Authenticate].
func (s *Service) Authenticate(ctx context.Context, key, client string) (tenure.Caller, error) {
	return s.auth.Authenticate(ctx, key, client)
}

// IdempotencyKey returns the key that identifies a repeated request: it is scoped to the credential and the
// operation, and hash is the hash of the request body.
func IdempotencyKey(c tenure.Caller, operation, key, hash string) *tenure.IdempotencyKey {
	return &tenure.IdempotencyKey{Scope: c.Actor + "\x1f" + operation + "\x1f" + key, Hash: hash}
}

// Written is the answer to a write, with the receipt of its change set. A replayed receipt comes with the
// answer to the first request.
type Written[A any] struct {
	Answer  A
	Receipt tenure.Receipt
}

// Result is the outcome of one item of a batch: an answer or an error.
type Result[A any] struct {
	Written[A]
	Err error
}

// write carries out one command of a caller. Objects hidden from the caller are reported as absent, whatever
// error the command returns.
func write[A any](
	ctx context.Context, s *Service, c tenure.Caller, key *tenure.IdempotencyKey, operation string, cmd ledger.Command,
) (Written[A], error) {
	res := read[A](s.writer.Do(ctx, c.Tenant, ledger.Request{Command: cmd, Operation: operation, Actor: c.Actor,
		Key: key})[0])
	return res.Written, res.Err
}

// writeEach carries out commands of a caller in order, independently of each other, and returns a result for each. The
// index of a command is part of its idempotency key.
func writeEach[A any](ctx context.Context, s *Service, c tenure.Caller, key *tenure.IdempotencyKey, operation string,
	commands []ledger.Command) []Result[A] {
	requests, results := make([]ledger.Request, len(commands)), make([]Result[A], len(commands))
	for i, cmd := range commands {
		requests[i] = ledger.Request{Command: cmd, Operation: operation, Actor: c.Actor}
		if key != nil {
			requests[i].Key = &tenure.IdempotencyKey{Scope: fmt.Sprintf("%s\x1f%d", key.Scope, i), Hash: key.Hash}
		}
	}
	for i, res := range s.writer.Do(ctx, c.Tenant, requests...) {
		results[i] = read[A](res)
	}
	return results
}

// refuseAll returns the error as the result of each item of a batch.
func refuseAll[A any](n int, err error) []Result[A] {
	results := make([]Result[A], n)
	for i := range results {
		results[i].Err = err
	}
	return results
}

// preview decides one command of a caller on the present state and writes nothing. The receipt tells the state.
func preview[A any](ctx context.Context, s *Service, c tenure.Caller, cmd ledger.Command) (Written[A], error) {
	r, err := s.open(ctx, c, tenure.Present)
	if err != nil {
		return Written[A]{}, err
	}
	answers, err := ledger.DryRun(ctx, r, s.mint, cmd)
	if err != nil {
		return Written[A]{}, view.Hide(err)
	}
	seq, tx := r.State()
	res := read[A](ledger.Result{Receipt: tenure.Receipt{Seq: seq, Tx: tx}, Answer: answers[0]})
	return res.Written, res.Err
}

// writeAndView is write, with a view of the state that the command produced.
func writeAndView[A any](
	ctx context.Context, s *Service, c tenure.Caller, key *tenure.IdempotencyKey, operation string, cmd ledger.Command,
) (Written[A], *View, error) {
	w, err := write[A](ctx, s, c, key, operation, cmd)
	if err != nil {
		return w, nil, err
	}
	v, err := s.View(ctx, c, AsOf{Known: tenure.AsOf{Seq: w.Receipt.Seq}})
	return w, v, err
}

// read returns the typed answer of a result. It decodes the stored answer of a replayed receipt.
func read[A any](res ledger.Result) Result[A] {
	out := Result[A]{Written: Written[A]{Receipt: res.Receipt}, Err: view.Hide(res.Err)}
	if res.Err != nil {
		return out
	}
	if answer, ok := res.Answer.(A); ok {
		out.Answer = answer
		return out
	}
	if err := json.Unmarshal(res.Receipt.Answer, &out.Answer); err != nil {
		out.Err = &tenure.Error{Code: tenure.Internal, Message: "the stored answer cannot be read", Err: err}
	}
	return out
}
