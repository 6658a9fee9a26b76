package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"tenure"
	"tenure/store"
	"tenure/tracing"
)

// Request is a command with the operation and the actor that the log names. Key may be nil.
type Request struct {
	Command   Command
	Operation string
	Actor     string
	Key       *tenure.IdempotencyKey
}

// Result is the receipt of a request, or the reason why it was refused.
type Result struct {
	Receipt tenure.Receipt
	Err     error
}

// Policies are the rules that a writer applies to every decision, whichever command took it. None may be left out: a
// writer that is to do without one says so with a function that does nothing.
type Policies struct {
	// BlockingKeys returns the keys under which an owner's form meets similar forms in [Txn.Similar].
	BlockingKeys func(tenure.Alias) []string
	// Derive completes a decision with what follows from its changes. What it reads is read by the decision.
	Derive func(ctx context.Context, t *Txn) error
	// OnCommit observes the change sets of a group with their receipts, before the next decision of the tenant.
	OnCommit Observer
}

// Observer receives the change sets that a writer has applied.
type Observer func(tenant string, sets []tenure.ChangeSet, receipts []tenure.Receipt)

// Unobserved is the observer of a writer whose commits nothing in its process follows.
func Unobserved(string, []tenure.ChangeSet, []tenure.Receipt) {}

// Config tunes a writer; the zero value is good.
type Config struct {
	// GroupSize bounds how many requests share a transaction. Default 256.
	GroupSize int
	// Timeout bounds one group, all its tries included. Default 30 s.
	Timeout time.Duration
}

// Writer takes the requests of many callers to a store. The requests of one tenant are decided in the order of their
// arrival, each on the changes of those before it, and applied in groups.
type Writer struct {
	store    store.Store
	mint     func() tenure.Mint
	policies Policies
	cfg      Config
	entities *entityCache

	mu     sync.Mutex
	closed bool
	queues map[string]*queue
	work   sync.WaitGroup
}

// queue holds the waiting requests of one tenant.
type queue struct {
	waiting []*pending
	running bool
}

// pending is a request that waits for its result.
type pending struct {
	req  Request
	ctx  context.Context // of the caller, for its trace alone
	res  Result
	done chan struct{}
}

// NewWriter returns a writer to a store. The mint is called once for each request. A missing policy is an error.
func NewWriter(s store.Store, mint func() tenure.Mint, p Policies, cfg Config) (*Writer, error) {
	if p.BlockingKeys == nil || p.Derive == nil || p.OnCommit == nil {
		return nil, tenure.Errorf(tenure.Internal, "a writer needs every policy: blocking keys, derivation, observer")
	}
	if cfg.GroupSize <= 0 {
		cfg.GroupSize = 256
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = 30 * time.Second
	}
	return &Writer{
		store: s, mint: mint, policies: p, cfg: cfg, entities: newEntityCache(), queues: map[string]*queue{},
	}, nil
}

// Do carries out the requests in order and returns a result for each. Accepted requests are carried out even if the
// context ends; their results are then Unavailable, and a request with a Key can be sent again to get its receipt.
func (w *Writer) Do(ctx context.Context, tenant string, requests ...Request) []Result {
	items := make([]*pending, len(requests))
	for i, r := range requests {
		items[i] = &pending{req: r, ctx: ctx, done: make(chan struct{})}
	}
	results := make([]Result, len(items))
	if !w.accept(tenant, items) {
		for i := range results {
			results[i].Err = tenure.Errorf(tenure.Unavailable, "the service is shutting down")
		}
		return results
	}
	for i, it := range items {
		select {
		case <-it.done:
			results[i] = it.res
		case <-ctx.Done():
			results[i].Err = &tenure.Error{
				Code: tenure.Unavailable, Message: "no answer in time; the write may still be carried out", Err: ctx.Err(),
			}
		}
	}
	return results
}

// accept puts requests into the queue of their tenant, and starts work on it if none is going on.
func (w *Writer) accept(tenant string, items []*pending) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	q := w.queues[tenant]
	if q == nil {
		q = &queue{}
		w.queues[tenant] = q
	}
	q.waiting = append(q.waiting, items...)
	if !q.running {
		q.running = true
		w.work.Add(1)
		go w.run(tenant, q)
	}
	return true
}

// Close refuses new requests and waits for the accepted ones.
func (w *Writer) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.work.Wait()
}

// run works on a queue until it is empty.
func (w *Writer) run(tenant string, q *queue) {
	defer w.work.Done()
	for {
		w.mu.Lock()
		if len(q.waiting) == 0 {
			q.running = false
			delete(w.queues, tenant)
			w.mu.Unlock()
			return
		}
		group := q.waiting[:min(len(q.waiting), w.cfg.GroupSize)]
		q.waiting = q.waiting[len(group):]
		w.mu.Unlock()
		w.execute(tenant, group)
		for _, it := range group {
			close(it.done)
		}
	}
}

// execute carries out a group, in parts where one transaction cannot hold it.
func (w *Writer) execute(tenant string, group []*pending) {
	ctx, cancel := context.WithTimeout(context.Background(), w.cfg.Timeout)
	defer cancel()
	ctx, span := tracing.Share(ctx, "ledger.group", len(group), func(i int) context.Context { return group[i].ctx })
	defer func(first *pending) { span.End(string(tenure.CodeOf(first.res.Err))) }(group[0])
	// What is read ahead for a request is lost where one before it needs a transaction of its own: after that, fewer
	// are tried together, and more again while it goes well.
	for width := len(group); len(group) > 0; {
		tried := group[:min(width, len(group))]
		n, err := w.group(ctx, tenant, tried)
		if err != nil {
			w.refuse(ctx, tenant, group, err)
			return
		}
		width = 2 * n
		group = group[n:]
	}
}

// refuse gives the requests of a group the error that the group ended with.
func (w *Writer) refuse(ctx context.Context, tenant string, group []*pending, err error) {
	// One request that the engine cannot take must not cost the others theirs.
	if code := tenure.CodeOf(err); len(group) > 1 && code != tenure.Unavailable && code != tenure.Conflicting {
		for _, it := range group {
			if _, err := w.group(ctx, tenant, []*pending{it}); err != nil {
				it.res = Result{Err: err}
			}
		}
		return
	}
	for _, it := range group {
		it.res = Result{Err: err}
	}
}

// group decides and applies requests, again while other writers get in between, and returns how many it has done.
func (w *Writer) group(ctx context.Context, tenant string, group []*pending) (int, error) {
	backoff := time.Millisecond
	for {
		n, err := w.try(ctx, tenant, group)
		if tenure.CodeOf(err) != tenure.Conflicting {
			return n, err
		}
		wait := time.Duration(rand.Int64N(int64(backoff))) + backoff/2 //nolint:gosec // jitter needs no secrecy
		backoff = min(2*backoff, 64*time.Millisecond)
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return 0, &tenure.Error{Code: tenure.Unavailable, Message: "too many writers at once; try again", Err: err}
		}
	}
}

// try does as many of the group as can share a transaction, and returns how many.
func (w *Writer) try(ctx context.Context, tenant string, group []*pending) (int, error) {
	view, err := w.store.View(ctx, tenant, tenure.Present)
	if err != nil {
		return 0, err
	}
	base, tx := view.State()
	t := NewTxn(view)
	t.keysOf, t.snapshot = w.policies.BlockingKeys, w.entities.of(tenant, base)
	if err := readAhead(ctx, t, receiptsOf(group), plansOf(group)); err != nil {
		return 0, err
	}
	r := round{first: map[string]*pending{}}
	n := 0
	for _, it := range group {
		it.res = Result{}
		if w.decideOne(ctx, t, &r, it); errors.Is(it.res.Err, errExclusive) {
			break
		}
		if n++; t.exclusive {
			break
		}
	}
	receipts := []tenure.Receipt{{Seq: base, Tx: tx}}
	if len(r.sets) > 0 {
		applied, err := w.store.Apply(ctx, tenant, base, r.sets)
		if err != nil {
			return 0, err
		}
		receipts = append(receipts, applied...)
		w.entities.applied(tenant, base, r.sets, applied)
		w.policies.OnCommit(tenant, r.sets, applied)
	}
	r.finish(receipts)
	return n, nil
}

func plansOf(group []*pending) []Plan {
	plans := make([]Plan, len(group))
	for i, it := range group {
		plans[i] = it.req.Command.Plan()
	}
	return plans
}

// receiptsOf lists the receipts of the keys of a group.
func receiptsOf(group []*pending) Prefetch {
	var p Prefetch
	for _, it := range group {
		if it.req.Key != nil {
			p.Receipts = append(p.Receipts, it.req.Key.Scope)
		}
	}
	return p
}

// round is what one try of a group comes to.
type round struct {
	sets       []tenure.ChangeSet
	owners     []*pending          // of sets
	noops      []noop              // requests that change nothing
	first      map[string]*pending // those with a set, by the scope of their key
	duplicates []*pending          // those whose key has a set already
}

// noop is a request that changes nothing; it was decided after so many sets.
type noop struct {
	request *pending
	after   int
}

// decideOne decides a request, or finds the receipt of the time that it was carried out before.
func (w *Writer) decideOne(ctx context.Context, t *Txn, r *round, it *pending) {
	if k := it.req.Key; k != nil {
		if r.first[k.Scope] != nil {
			r.duplicates = append(r.duplicates, it)
			return
		}
		done, err := replay(ctx, t, k)
		if err != nil {
			it.res.Err = err
			return
		}
		if done != nil {
			it.res.Receipt = *done
			return
		}
	}
	cs, err := w.decide(ctx, t, it.req)
	switch {
	case err != nil:
		t.rollback()
		it.res.Err = err
	case len(cs.Changes) == 0:
		t.rollback()
		it.res.Receipt.Answer = cs.Answer
		r.noops = append(r.noops, noop{it, len(r.sets)})
	default:
		t.accept()
		r.sets, r.owners = append(r.sets, cs), append(r.owners, it)
		if it.req.Key != nil {
			r.first[it.req.Key.Scope] = it
		}
	}
}

// finish hands out the receipts: that of the state which the round began with, then those of its sets.
func (r *round) finish(receipts []tenure.Receipt) {
	for i, it := range r.owners {
		it.res.Receipt = receipts[i+1]
	}
	for _, n := range r.noops {
		n.request.res.Receipt.Seq, n.request.res.Receipt.Tx = receipts[n.after].Seq, receipts[n.after].Tx
	}
	for _, it := range r.duplicates {
		it.res = repeat(r.first[it.req.Key.Scope], it.req.Key)
	}
}

// decide returns the change set of a request: what its command and then the policies put.
func (w *Writer) decide(ctx context.Context, t *Txn, req Request) (_ tenure.ChangeSet, err error) {
	ctx, span := tracing.Start(ctx, "ledger.decide")
	defer func() { span.End(string(tenure.CodeOf(err))) }()
	m := w.mint()
	answer, err := decide(ctx, t, req.Command, m)
	if err != nil {
		return tenure.ChangeSet{}, err
	}
	if err := w.policies.Derive(ctx, t); err != nil {
		return tenure.ChangeSet{}, err
	}
	if req.Key != nil {
		t.read(tenure.IdempotencyConflict(req.Key.Scope))
	}
	cs := tenure.ChangeSet{
		ID: m.NewID(), Operation: req.Operation, Actor: req.Actor, Key: req.Key,
		ReadSet: t.takeReads(), Changes: slices.Clone(t.Changes()),
	}
	if answer == nil {
		return cs, nil
	}
	if cs.Answer, err = json.Marshal(answer); err != nil {
		return tenure.ChangeSet{}, &tenure.Error{Code: tenure.Internal, Message: "the answer has no JSON form", Err: err}
	}
	return cs, nil
}

// replay finds the receipt of a key that was used before.
func replay(ctx context.Context, t *Txn, k *tenure.IdempotencyKey) (*tenure.Receipt, error) {
	if err := load(ctx, t.receiptsOf([]string{k.Scope})); err != nil {
		return nil, err
	}
	r := t.receipts[k.Scope]
	if r == nil {
		return nil, nil
	}
	if r.Hash != k.Hash {
		return nil, keyReused()
	}
	found := *r
	found.Replayed = true
	return &found, nil
}

func repeat(first *pending, k *tenure.IdempotencyKey) Result {
	if first.req.Key.Hash != k.Hash {
		return Result{Err: keyReused()}
	}
	res := first.res
	res.Receipt.Replayed = true
	return res
}

func keyReused() error {
	return tenure.FieldError(tenure.KeyReused, "Idempotency-Key", "was used before with another body")
}
