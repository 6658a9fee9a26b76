package ledger

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"tenure"
	"tenure/contain"
	"tenure/fair"
	"tenure/store"
)

// Request is a command with the operation and the actor that the log records. Key may be nil.
type Request struct {
	Command   Command
	Operation string
	Actor     string
	Key       *tenure.IdempotencyKey
	// Background lets the requests of callers go first: see [Writer].
	Background bool
}

// Result is the receipt of a request, or the error that refused it. Answer is what the command returned; nil for a
// replayed receipt, which has its JSON. The receipt of a request without a key has none.
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
	// OnCommit receives the change sets of a group with their receipts, before they are answered and before
	// any decision on a state that holds them. Decisions on top of them, which have them as pending changes,
	// may be taken meanwhile.
	OnCommit Observer
}

// Observer receives the change sets that a writer applied.
type Observer func(tenant string, sets []tenure.ChangeSet, receipts []tenure.Receipt)

// Unobserved is an Observer that does nothing.
func Unobserved(string, []tenure.ChangeSet, []tenure.Receipt) {}

// Config configures a writer. The zero value is ready to use.
type Config struct {
	// GroupSize bounds how many requests are decided as one group; a few background requests may join it.
	// Default 256.
	GroupSize int
	// QueueLimit bounds the callers' requests of one tenant that wait: while there are as many, further ones are
	// refused as Unavailable. Default 4096.
	QueueLimit int
	// Timeout bounds the decision of a group, its application and, if it has to be executed again, all its
	// retries together: each of the three. Default 30 s.
	//
	// Several requests together have a sixth of it for their decision: if it does not suffice, they are divided.
	Timeout time.Duration
	// Contained is called with each panic that was contained, and where. Optional.
	Contained func(where string, err error)
}

// Writer takes the requests of many callers to a store. The requests of one tenant are decided one after the other,
// each on the changes of the requests before it, and applied in groups. Those of one actor are in the order of their
// arrival; actors take turns. Tenants have queues of their own, and the groups of several are under way at a time. A
// panic fails the request that it comes from. Background requests
// are in a line of their own: a small group of them follows each group of others, so that a caller waits for few of
// them and they are never left behind.
type Writer struct {
	store    store.Store
	mint     func() tenure.Mint
	policies Policies
	cfg      Config
	state    *stateCache
	failures failures
	health   health

	deciding context.Context // ends when decisions in progress are to end
	stop     context.CancelFunc

	mu     sync.Mutex
	closed bool
	queues map[string]*queue
	work   sync.WaitGroup
}

// queue holds the waiting requests of one tenant. A signal in arrived says that there are new ones.
type queue struct {
	waiting    fair.Queue[*pending] // of callers, by actor
	background []*pending
	arrived    chan struct{}
	owed       bool // the last group was of waiting
	share      int  // bounds the next group of background
}

// Bounds of the background requests after a group of callers' requests: after a single one, and after a large
// group. They join a group of at least large instead, which is no slower for it.
const (
	leastBackground = 4
	mostBackground  = 32
	large           = 128
)

// next returns the next group, at most width and the share of the background, which grows as long as nobody
// else waits.
func (q *queue) next(width int) []*pending {
	n := min(q.waiting.Len(), width)
	if n > 0 && (!q.owed || len(q.background) == 0) {
		q.owed, q.share = n < large, min(max(n, leastBackground), mostBackground)
		group := q.waiting.Take(n)
		if q.owed {
			return group
		}
		return slices.Concat(group, cut(&q.background, min(len(q.background), mostBackground)))
	}
	n = min(len(q.background), width, q.share)
	q.owed, q.share = false, min(2*q.share, math.MaxInt32)
	return cut(&q.background, n)
}

// cut removes the first n requests from a list and returns them.
func cut(list *[]*pending, n int) []*pending {
	first := (*list)[:n:n]
	*list = (*list)[n:]
	return first
}

// pending is a request that waits for its result.
type pending struct {
	req  Request
	ctx  context.Context // the caller's: it carries the trace, and is done once the caller no longer waits
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
	if cfg.QueueLimit <= 0 {
		cfg.QueueLimit = 4096
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = 30 * time.Second
	}
	if cfg.Contained == nil {
		cfg.Contained = func(string, error) {}
	}
	deciding, stop := context.WithCancel(context.Background())
	return &Writer{
		store: s, mint: mint, policies: p, cfg: cfg, state: newStateCache(),
		failures: newFailures(), deciding: deciding, stop: stop, queues: map[string]*queue{},
	}, nil
}

// Do executes the requests in order and returns a result for each. A request that still waits when the context ends is
// not executed; one that is being decided is. Both results are then Unavailable, and a request with a Key can be sent
// again to get its receipt.
func (w *Writer) Do(ctx context.Context, tenant string, requests ...Request) []Result {
	return w.Submit(ctx, tenant, requests...)(ctx)
}

// Submit is [Writer.Do] in two steps: the requests are in their place in the queue when it returns, and wait
// returns their results.
func (w *Writer) Submit(
	ctx context.Context, tenant string, requests ...Request,
) (wait func(context.Context) []Result) {
	items := make([]*pending, len(requests))
	accepted := make([]*pending, 0, len(requests))
	for i, r := range requests {
		items[i] = &pending{req: r, ctx: ctx, done: make(chan struct{})}
		if w.failures.refuses(tenant, r.Key, func() tenure.Instant { return w.mint().Now }) {
			items[i].res.Err = errPanickedBefore
			answer(items[i : i+1])
			continue
		}
		accepted = append(accepted, items[i])
	}
	refused := w.accept(tenant, accepted)
	return func(ctx context.Context) []Result {
		results := make([]Result, len(items))
		for i, it := range items {
			if results[i].Err = refused; refused == nil {
				results[i] = it.wait(ctx)
			}
		}
		return results
	}
}

// wait returns the result of a request, Unavailable if the context ends before there is one.
func (it *pending) wait(ctx context.Context) Result {
	select {
	case <-it.done:
		return it.res
	default:
	}
	select {
	case <-it.done:
		return it.res
	case <-ctx.Done():
		return Result{Err: &tenure.Error{
			Code: tenure.Unavailable, Message: "no answer in time; the write may still be carried out", Err: ctx.Err(),
		}}
	}
}

// accept appends requests to the queue of their tenant, and starts a worker if none is running. It returns Unavailable
// if the writer is closed, or if too many callers' requests wait.
func (w *Writer) accept(tenant string, items []*pending) error {
	if len(items) == 0 {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return errClosed
	}
	q, running := w.queues[tenant]
	if running && !background(items) && q.waiting.Full(w.cfg.QueueLimit, items[0].req.Actor) {
		return tenure.Errorf(tenure.Unavailable, "%d writes of the tenant are waiting already: try again later",
			q.waiting.Len())
	}
	if !running {
		q = &queue{arrived: make(chan struct{}, 1), share: w.cfg.GroupSize}
		w.queues[tenant] = q
		w.work.Go(func() { w.run(tenant, q) })
	}
	for _, it := range items {
		if it.req.Background {
			q.background = append(q.background, it)
		} else {
			q.waiting.Add(it, it.req.Actor)
		}
	}
	select {
	case q.arrived <- struct{}{}:
	default:
	}
	return nil
}

var errClosed = tenure.Errorf(tenure.Unavailable, "the service is shutting down")

func background(items []*pending) bool {
	return !slices.ContainsFunc(items, func(it *pending) bool { return !it.req.Background })
}

// Close refuses new requests and waits for the accepted ones.
func (w *Writer) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.work.Wait()
	w.stop()
}

// Drop refuses new requests, those that wait, and those that are being decided; what is being applied is applied. It
// returns how many callers' requests were waiting.
func (w *Writer) Drop() (waiting int) {
	w.mu.Lock()
	w.closed = true
	var dropped []*pending
	for _, q := range w.queues {
		waiting += q.waiting.Len()
		dropped = append(append(dropped, q.waiting.Take(q.waiting.Len())...), q.background...)
		q.background = nil
	}
	w.mu.Unlock()
	w.stop()
	for _, it := range dropped {
		it.res.Err = errClosed
	}
	answer(dropped)
	return waiting
}

// turns are the rounds of a queue: the one that is being applied, and the one that is decided on top of it.
type turns struct {
	*Writer

	tenant   string
	q        *queue
	width    int // of the next group, at most
	group    []*pending
	applying *round
}

// run executes the requests of a queue until it is empty. While the changes of one round are applied, the next
// round is decided on top of them, in the same transaction.
func (w *Writer) run(tenant string, q *queue) {
	t := &turns{Writer: w, tenant: tenant, q: q, width: w.cfg.GroupSize}
	for more := true; more; {
		if err := contain.Do(func() error { more = t.next(); return nil }); err != nil {
			w.contained("writer", err)
			t.abandon(err)
		}
	}
}

// next executes the next group. It reports whether there may be more.
func (t *turns) next() (more bool) {
	t.group = t.take(t.tenant, t.q, t.width, t.applying)
	if len(t.group) == 0 && t.applying == nil {
		return false
	}
	var next *round
	next, t.applying = t.decideNext(t.tenant, t.group, t.applying)
	if next == nil {
		return true
	}
	if next.err != nil {
		next.end()
		t.redo(t.tenant, t.group, next.err)
		answer(t.group)
		return true
	}
	// An exclusive decision discards what was prefetched for the requests after it: rounds are short after
	// one, and grow again.
	if rest := t.group[len(next.group):]; len(rest) > 0 {
		t.putBack(t.q, rest)
		t.group, t.width = next.group, len(next.group)
	}
	t.width = min(2*t.width, t.cfg.GroupSize)
	t.applying = next
	t.work.Go(func() { t.apply(t.tenant, next) })
	return true
}

// abandon answers every request that is under way with the error of a panic. What is being applied is applied.
func (t *turns) abandon(err error) {
	under := t.group
	if r := t.applying; r != nil {
		<-r.applied
		r.stop()
		under = slices.Concat(r.group, under)
		for _, u := range r.unchanging {
			under = append(under, u.group...)
		}
	}
	t.applying, t.group = nil, nil
	for _, it := range under {
		if !it.answered() {
			it.res = Result{Err: err}
		}
	}
	answer(under)
}

// decideNext decides a group. It waits for the round that is being applied and answers it, unless the group has
// no change sets: then it is kept with that round, which is still being applied. Next is nil for a group that
// is kept, and for an empty one. Background requests by themselves are decided on what has been applied: whoever
// observes commits knows of that, and what they look for depends on no timing. Those that join a large group are
// decided with it.
func (w *Writer) decideNext(tenant string, group []*pending, applying *round) (next, still *round) {
	if len(group) > 0 && !background(group) && applying.extensible() {
		next = w.decideRound(tenant, group, applying)
		if next.err == nil && len(next.group) == len(group) && len(next.sets) == 0 && !applying.done() {
			applying.unchanging = append(applying.unchanging, next)
			return nil, applying
		}
	}
	asAssumed := applying == nil || w.finish(tenant, applying)
	if next != nil {
		next.state = applying.last()
		if asAssumed && (next.err != nil || len(next.group) > 0 && w.current(tenant, next)) {
			return next, nil
		}
		next.end()
	}
	if len(group) == 0 {
		return nil, nil
	}
	return w.decideRound(tenant, group, nil), nil
}

// take returns the next requests of a queue whose callers still wait, at most width. If none waits while a round is
// being applied, it waits until one does or the round has been applied. It returns none and ends the queue if none
// waits and no round is being applied.
func (w *Writer) take(tenant string, q *queue, width int, applying *round) []*pending {
	for {
		w.mu.Lock()
		group := q.next(width)
		if len(group) == 0 && applying == nil {
			delete(w.queues, tenant)
		}
		w.mu.Unlock()
		switch {
		case len(group) > 0:
			if group = wanted(group); len(group) > 0 {
				return group
			}
			continue
		case applying == nil:
			return nil
		}
		select {
		case <-q.arrived:
		case <-applying.applied:
			return nil
		}
	}
}

// wanted returns the requests of a group whose callers still wait, and refuses the others.
func wanted(group []*pending) []*pending {
	return slices.DeleteFunc(group, func(it *pending) bool {
		if it.ctx.Err() == nil {
			return false
		}
		it.res = Result{Err: &tenure.Error{
			Code: tenure.Unavailable, Message: "nobody waited for the write any more: it was not carried out", Err: it.ctx.Err(),
		}}
		close(it.done)
		return true
	})
}

// putBack returns requests to the heads of their lines.
func (w *Writer) putBack(q *queue, requests []*pending) {
	w.mu.Lock()
	defer w.mu.Unlock()
	first := slices.IndexFunc(requests, func(it *pending) bool { return it.req.Background })
	if first < 0 {
		first = len(requests)
	}
	for _, it := range slices.Backward(requests[:first]) {
		q.waiting.PutBack(it, it.req.Actor)
	}
	q.background = slices.Concat(requests[first:], q.background)
}

// answer answers the requests that are not answered yet.
func answer(group []*pending) {
	for _, it := range group {
		if !it.answered() {
			close(it.done)
		}
	}
}

func (it *pending) answered() bool {
	select {
	case <-it.done:
		return true
	default:
		return false
	}
}

// execute decides and applies requests, retries while other writers conflict, and returns how many requests it
// completed. Each decision has to be taken within a time.
func (w *Writer) execute(ctx context.Context, tenant string, group []*pending, within time.Duration) (int, error) {
	backoff := time.Millisecond
	for {
		n, err := w.try(ctx, tenant, group, within)
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
func (w *Writer) try(ctx context.Context, tenant string, group []*pending, within time.Duration) (int, error) {
	r := &round{}
	if err := w.decideWithin(ctx, within, tenant, r, group, nil); err != nil {
		return 0, err
	}
	if err := w.commit(ctx, tenant, r); err != nil {
		return 0, err
	}
	r.distribute()
	return len(r.group), nil
}
