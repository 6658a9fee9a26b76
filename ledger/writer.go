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

// Request is a command with the operation and the actor that the log records. Key may be nil.
type Request struct {
	Command   Command
	Operation string
	Actor     string
	Key       *tenure.IdempotencyKey
}

// Result is the receipt of a request, or the error that refused it. Answer is what the command returned, of
// which the receipt has the JSON; nil for a replayed receipt.
type Result struct {
	Receipt tenure.Receipt
	Answer  any
	Err     error
}

// Policies are the rules that a writer applies to every decision, whatever its command. All are required: a
// writer without a policy sets a function that does nothing.
type Policies struct {
	// BlockingKeys returns the blocking keys under which an alias is found by [Txn.Similar].
	BlockingKeys func(tenure.Alias) []string
	// Derive completes a decision with the consequences of its changes. What Derive reads joins the read set
	// of the decision.
	Derive func(ctx context.Context, t *Txn) error
	// OnCommit receives the change sets of a group with their receipts, before the next decision of the
	// tenant.
	OnCommit Observer
}

// Observer receives the change sets that a writer applied.
type Observer func(tenant string, sets []tenure.ChangeSet, receipts []tenure.Receipt)

// Unobserved is an Observer that does nothing.
func Unobserved(string, []tenure.ChangeSet, []tenure.Receipt) {}

// Config configures a writer. The zero value is ready to use.
type Config struct {
	// GroupSize bounds how many requests share a transaction. Default 256.
	GroupSize int
	// Timeout bounds one group, including all its retries. Default 30 s.
	Timeout time.Duration
}

// Writer takes the requests of many callers to a store. The requests of one tenant are decided in the order
// of their arrival, each on the changes of the requests before it, and applied in groups.
type Writer struct {
	store    store.Store
	mint     func() tenure.Mint
	policies Policies
	cfg      Config
	state    *stateCache

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
	ctx  context.Context // the caller's, only for its trace
	res  Result
	done chan struct{}
}

// NewWriter returns a writer to a store. The mint is called once for each request. A missing policy is an
// error.
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
		store: s, mint: mint, policies: p, cfg: cfg, state: newStateCache(), queues: map[string]*queue{},
	}, nil
}

// Do executes the requests in order and returns a result for each. Accepted requests are executed even if the
// context ends; their results are then Unavailable, and a request with a Key can be sent again to get its
// receipt.
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

// accept appends requests to the queue of their tenant, and starts a worker if none is running.
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

// run executes the requests of a queue until it is empty.
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

// execute executes a group, in parts if one transaction cannot hold it.
func (w *Writer) execute(tenant string, group []*pending) {
	ctx, cancel := context.WithTimeout(context.Background(), w.cfg.Timeout)
	defer cancel()
	ctx, span := tracing.Share(ctx, "ledger.group", len(group), func(i int) context.Context { return group[i].ctx })
	defer func(first *pending) { span.End(string(tenure.CodeOf(first.res.Err))) }(group[0])
	// An exclusive decision discards what was prefetched for the requests after it. The width of a try
	// shrinks after that, and grows again while whole tries succeed.
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

// refuse gives every request of a group the error that the group ended with.
func (w *Writer) refuse(ctx context.Context, tenant string, group []*pending, err error) {
	// A request that the engine refuses must not fail the others of its group: each is tried alone.
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

// group decides and applies requests, retries while other writers conflict, and returns how many requests it
// completed.
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

// try decides and applies the longest prefix of the group that can share a transaction, and returns its
// length.
func (w *Writer) try(ctx context.Context, tenant string, group []*pending) (int, error) {
	view, err := w.store.View(ctx, tenant, tenure.Present)
	if err != nil {
		return 0, err
	}
	base, tx := view.State()
	t := NewTxn(view)
	t.keysOf, t.snapshot = w.policies.BlockingKeys, w.state.of(tenant, base)
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
		w.state.applied(tenant, base, r.sets, applied)
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

// receiptsOf lists the receipts to prefetch for the idempotency keys of a group.
func receiptsOf(group []*pending) Prefetch {
	var p Prefetch
	for _, it := range group {
		if it.req.Key != nil {
			p.Receipts = append(p.Receipts, it.req.Key.Scope)
		}
	}
	return p
}

// round holds the outcome of one try of a group.
type round struct {
	sets       []tenure.ChangeSet
	requests   []*pending          // the requests of sets, in the same order
	noops      []noop              // requests without changes
	first      map[string]*pending // requests with a change set, by the scope of their idempotency key
	duplicates []*pending          // requests whose idempotency key another request of the round used
}

// noop is a request without changes, and the number of change sets decided before it.
type noop struct {
	request *pending
	after   int
}

// decideOne decides a request, or finds the receipt of its earlier execution.
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
	cs, answer, err := w.decide(ctx, t, it.req)
	it.res.Answer = answer
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
		r.sets, r.requests = append(r.sets, cs), append(r.requests, it)
		if it.req.Key != nil {
			r.first[it.req.Key.Scope] = it
		}
	}
}

// finish distributes the receipts. A request without changes gets the receipt of the state that it was
// decided on.
func (r *round) finish(receipts []tenure.Receipt) {
	for i, it := range r.requests {
		it.res.Receipt = receipts[i+1]
	}
	for _, n := range r.noops {
		n.request.res.Receipt.Seq, n.request.res.Receipt.Tx = receipts[n.after].Seq, receipts[n.after].Tx
	}
	for _, it := range r.duplicates {
		it.res = repeat(r.first[it.req.Key.Scope], it.req.Key)
	}
}

// decide returns the change set of a request, with the changes of its command and then those of the policies,
// and the answer of the command.
func (w *Writer) decide(ctx context.Context, t *Txn, req Request) (cs tenure.ChangeSet, answer any, err error) {
	ctx, span := tracing.Start(ctx, "ledger.decide")
	defer func() { span.End(string(tenure.CodeOf(err))) }()
	m := w.mint()
	if answer, err = decide(ctx, t, req.Command, m); err != nil {
		return tenure.ChangeSet{}, nil, err
	}
	if err := w.policies.Derive(ctx, t); err != nil {
		return tenure.ChangeSet{}, nil, err
	}
	if req.Key != nil {
		t.read(tenure.IdempotencyConflict(req.Key.Scope))
	}
	cs = tenure.ChangeSet{
		ID: m.NewID(), Operation: req.Operation, Actor: req.Actor, Key: req.Key,
		ReadSet: t.takeReads(), Changes: slices.Clone(t.Changes()),
	}
	if answer == nil {
		return cs, nil, nil
	}
	if cs.Answer, err = json.Marshal(answer); err != nil {
		return tenure.ChangeSet{}, nil, &tenure.Error{Code: tenure.Internal, Message: "the answer has no JSON form", Err: err}
	}
	return cs, answer, nil
}

// replay returns the receipt of an idempotency key that was used before.
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
	res.Answer, res.Receipt.Replayed = nil, true
	return res
}

func keyReused() error {
	return tenure.FieldError(tenure.KeyReused, "Idempotency-Key", "was used before with another body")
}
