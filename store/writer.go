package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"tenure"
)

// Command is a write that has to be decided on what is there.
type Command interface {
	// Wants lists what Decide is going to read, as far as the draft tells by
	// now. It is asked in rounds, 0 and up, those of a group beside each
	// other; it may look at what is known in the draft and reads nothing of
	// the store.
	Wants(d *Draft, round int) Wants
	// Decide reads the draft and says what is to change. It may be called
	// again, on another draft: it changes nothing itself. A change set without
	// changes is not applied. Reads, Key, Operation and Actor are filled in by
	// the writer.
	Decide(ctx context.Context, d *Draft, m tenure.Mint) (tenure.ChangeSet, error)
}

// Request is a command with who gives it. Key may be nil.
type Request struct {
	Command   Command
	Operation string
	Actor     string
	Key       *tenure.IdempotencyKey
}

// Result is the receipt of a request that was applied, or why it was not.
type Result struct {
	Receipt tenure.Receipt
	Err     error
}

// WriterConfig tunes a writer; the zero value is good.
type WriterConfig struct {
	// GroupSize bounds how many requests share a transaction. Default 256.
	GroupSize int
	// Timeout bounds one group, all its tries included. Default 30 s.
	Timeout time.Duration
	// Keys gives a form the keys under which similar forms meet, for
	// [Draft.Similar]. Default none.
	Keys func(tenure.Owner) []string
	// Complete fills in, after each decision, what follows from its changes;
	// what it reads of the draft is read by the decision. Default nothing.
	Complete func(ctx context.Context, d *Draft, changes []tenure.Change) error
	// Applied is told, before the next decision of the tenant, of sets that
	// were applied with their receipts. Default nobody.
	Applied func(tenant string, sets []tenure.ChangeSet, receipts []tenure.Receipt)
}

// Writer takes the requests of many callers to a store. Those of one tenant
// are decided in the order in which they came, each on what the ones before it
// left behind, and applied in groups.
type Writer struct {
	store  Store
	mint   func() tenure.Mint
	cfg    WriterConfig
	latest *latest

	mu     sync.Mutex
	closed bool
	lanes  map[string]*lane
	work   sync.WaitGroup
}

// lane is the queue of one tenant.
type lane struct {
	queue   []*item
	running bool
}

type item struct {
	req  Request
	res  Result
	done chan struct{}
}

// prefetchRounds bounds how often commands are asked for their wants; what
// they come to want later is read one by one.
const prefetchRounds = 5

// NewWriter makes a writer. The mint is asked once for each request.
func NewWriter(s Store, mint func() tenure.Mint, cfg WriterConfig) *Writer {
	if cfg.GroupSize <= 0 {
		cfg.GroupSize = 256
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = 30 * time.Second
	}
	return &Writer{store: s, mint: mint, cfg: cfg, latest: newLatest(), lanes: map[string]*lane{}}
}

// Do carries out the requests in order and returns a result for each. What is
// accepted is carried out even if the context ends; its results are then
// Unavailable, and a request with a Key can be sent again to learn of it.
func (w *Writer) Do(ctx context.Context, tenant string, requests ...Request) []Result {
	items := make([]*item, len(requests))
	for i, r := range requests {
		items[i] = &item{req: r, done: make(chan struct{})}
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

func (w *Writer) accept(tenant string, items []*item) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	l := w.lanes[tenant]
	if l == nil {
		l = &lane{}
		w.lanes[tenant] = l
	}
	l.queue = append(l.queue, items...)
	if !l.running {
		l.running = true
		w.work.Add(1)
		go w.run(tenant, l)
	}
	return true
}

// Close refuses new requests and waits for those that were accepted.
func (w *Writer) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.work.Wait()
}

func (w *Writer) run(tenant string, l *lane) {
	defer w.work.Done()
	for {
		w.mu.Lock()
		if len(l.queue) == 0 {
			l.running = false
			delete(w.lanes, tenant)
			w.mu.Unlock()
			return
		}
		group := l.queue[:min(len(l.queue), w.cfg.GroupSize)]
		l.queue = l.queue[len(group):]
		w.mu.Unlock()
		w.carryOut(tenant, group)
		for _, it := range group {
			close(it.done)
		}
	}
}

func (w *Writer) carryOut(tenant string, group []*item) {
	ctx, cancel := context.WithTimeout(context.Background(), w.cfg.Timeout)
	defer cancel()
	// What is read ahead for an item is lost where one before it needs a draft of
	// its own: after that, fewer are tried together, and more again while it goes well.
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

// refuse gives a group its error.
func (w *Writer) refuse(ctx context.Context, tenant string, group []*item, err error) {
	// One request that the engine cannot take must not cost the others theirs.
	if code := tenure.CodeOf(err); len(group) > 1 && code != tenure.Unavailable && code != tenure.Conflicting {
		for _, it := range group {
			if _, err := w.group(ctx, tenant, []*item{it}); err != nil {
				it.res = Result{Err: err}
			}
		}
		return
	}
	for _, it := range group {
		it.res = Result{Err: err}
	}
}

// group decides and applies, again and again while others get in between. It
// returns how many of the items it has done.
func (w *Writer) group(ctx context.Context, tenant string, group []*item) (int, error) {
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

// try does as many of the items as can share a draft.
func (w *Writer) try(ctx context.Context, tenant string, group []*item) (int, error) {
	view, err := w.store.View(ctx, tenant, tenure.Present)
	if err != nil {
		return 0, err
	}
	base, tx := view.State()
	d := NewDraft(view)
	d.keysOf, d.recalled = w.cfg.Keys, w.latest.of(tenant, base)
	if err := prefetch(ctx, d, group); err != nil {
		return 0, err
	}
	r := round{twins: map[string]*item{}}
	n := 0
	for _, it := range group {
		it.res = Result{}
		if w.admit(ctx, d, &r, it); errors.Is(it.res.Err, errNotAlone) {
			break
		}
		if n++; d.alone {
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
		w.latest.applied(tenant, base, r.sets, applied)
		if w.cfg.Applied != nil {
			w.cfg.Applied(tenant, r.sets, applied)
		}
	}
	r.finish(receipts)
	return n, nil
}

// round is what one try of a group comes to.
type round struct {
	sets    []tenure.ChangeSet
	owners  []*item          // of sets
	idle    []idle           // those that change nothing
	twins   map[string]*item // those with a set, by the scope of their key
	repeats []*item          // those whose key is a twin's
}

// idle is an item that changes nothing; it was decided after so many sets.
type idle struct {
	item  *item
	after int
}

// admit decides an item, or finds out that it was carried out before.
func (w *Writer) admit(ctx context.Context, d *Draft, r *round, it *item) {
	if k := it.req.Key; k != nil {
		if r.twins[k.Scope] != nil {
			r.repeats = append(r.repeats, it)
			return
		}
		done, err := replay(ctx, d, k)
		if err != nil {
			it.res.Err = err
			return
		}
		if done != nil {
			it.res.Receipt = *done
			return
		}
	}
	cs, err := w.decide(ctx, d, it)
	switch {
	case err != nil:
		it.res.Err = err
	case len(cs.Changes) == 0:
		it.res.Receipt.Answer = cs.Answer
		r.idle = append(r.idle, idle{it, len(r.sets)})
	default:
		d.apply(cs)
		r.sets, r.owners = append(r.sets, cs), append(r.owners, it)
		if it.req.Key != nil {
			r.twins[it.req.Key.Scope] = it
		}
	}
}

// finish hands out the receipts: that of the state which the round began with,
// then those of its sets.
func (r *round) finish(receipts []tenure.Receipt) {
	for i, it := range r.owners {
		it.res.Receipt = receipts[i+1]
	}
	for _, i := range r.idle {
		i.item.res.Receipt.Seq, i.item.res.Receipt.Tx = receipts[i.after].Seq, receipts[i.after].Tx
	}
	for _, it := range r.repeats {
		it.res = repeat(r.twins[it.req.Key.Scope], it.req.Key)
	}
}

func (w *Writer) decide(ctx context.Context, d *Draft, it *item) (tenure.ChangeSet, error) {
	clear(d.reads)
	m := w.mint()
	cs, err := it.req.Command.Decide(ctx, d, m)
	if err != nil {
		return cs, err
	}
	if w.cfg.Complete != nil {
		if err := w.cfg.Complete(ctx, d, cs.Changes); err != nil {
			return cs, err
		}
	}
	if it.req.Key != nil {
		d.read(tenure.IdempotencyCell(it.req.Key.Scope))
	}
	cs.ID, cs.Operation, cs.Actor = m.NewID(), it.req.Operation, it.req.Actor
	cs.Key, cs.Reads = it.req.Key, d.takeReads()
	return cs, nil
}

// replay finds the receipt of a key that was used before.
func replay(ctx context.Context, d *Draft, k *tenure.IdempotencyKey) (*tenure.Receipt, error) {
	if err := load(ctx, d.receiptsOf([]string{k.Scope})); err != nil {
		return nil, err
	}
	r := d.receipts[k.Scope]
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

func repeat(first *item, k *tenure.IdempotencyKey) Result {
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

func prefetch(ctx context.Context, d *Draft, group []*item) error {
	for round := range prefetchRounds {
		var wants Wants
		for i, w := range wantsOf(d, group, round) {
			wants.Add(w)
			if k := group[i].req.Key; round == 0 && k != nil {
				wants.Receipts = append(wants.Receipts, k.Scope)
			}
		}
		if err := d.Load(ctx, wants); err != nil {
			return err
		}
	}
	return nil
}

// wantsOf asks the commands of a group for their wants, on all processors: some
// search an index of their own.
func wantsOf(d *Draft, group []*item, round int) []Wants {
	list := make([]Wants, len(group))
	var next atomic.Int64
	var asking sync.WaitGroup
	ask := func() {
		for i := int(next.Add(1)) - 1; i < len(group); i = int(next.Add(1)) - 1 {
			list[i] = group[i].req.Command.Wants(d, round)
		}
	}
	// The caller takes part, so that a group of one waits for no other goroutine.
	for range min(len(group), runtime.GOMAXPROCS(0)) - 1 {
		asking.Go(ask)
	}
	ask()
	asking.Wait()
	return list
}
