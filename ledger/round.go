package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"tenure"
	"tenure/contain"
	"tenure/tracing"
)

// round is the decisions of a group of requests, and what became of them. Rounds that are decided on top of
// each other share a transaction.
type round struct {
	ctx  context.Context
	stop context.CancelFunc
	span tracing.Shared

	txn        *Txn
	state      tenure.Receipt       // of the state before its change sets
	group      []*pending           // the requests decided
	sets       []tenure.ChangeSet   // to be applied
	outlines   []map[string]outline // that the decisions of sets remember
	requests   []*pending           // the requests of sets, in the same order
	noops      []noop               // requests without changes
	first      map[string]*pending  // requests of the transaction with a change set, by the scope of their idempotency key
	duplicates []*pending           // requests whose idempotency key another request of the transaction used

	unchanging []*round // rounds without change sets that were decided on top of it and wait for it

	applied  chan struct{} // closed once receipts and err are set
	receipts []tenure.Receipt
	err      error
}

// noop is a request without changes, and the number of change sets decided before it.
type noop struct {
	request *pending
	after   int
}

// maxPendingChanges bounds the changes of a transaction to which further rounds are added: some of its reads
// scan them.
const maxPendingChanges = 8192

// extensible reports whether further rounds may be decided on top of the round. A round without change sets is
// not: nothing would show that its state has become old.
func (r *round) extensible() bool {
	return r != nil && len(r.sets) > 0 && !r.txn.exclusive && len(r.txn.changes) < maxPendingChanges
}

// done reports whether the round has been applied, or could not be.
func (r *round) done() bool {
	select {
	case <-r.applied:
		return true
	default:
		return false
	}
}

// last returns the receipt of the state after the round.
func (r *round) last() tenure.Receipt {
	if len(r.receipts) == 0 {
		return r.state
	}
	return r.receipts[len(r.receipts)-1]
}

// end releases what the round holds besides its decisions.
func (r *round) end() {
	r.stop()
	failure := r.err
	if len(r.group) > 0 && failure == nil {
		failure = r.group[0].res.Err
	}
	r.span.End(string(tenure.CodeOf(failure)))
}

func shareSpan(ctx context.Context, group []*pending) (context.Context, tracing.Shared) {
	return tracing.Share(ctx, "ledger.group", len(group), func(i int) context.Context { return group[i].ctx })
}

// decideRound decides the longest prefix of a group that can share a transaction: the one of a round that is
// being applied, or a new one. The error of a round that could not be decided is in the round. The caller ends
// the round.
func (w *Writer) decideRound(tenant string, group []*pending, under *round) *round {
	r := &round{applied: make(chan struct{})}
	r.ctx, r.stop = context.WithTimeout(w.deciding, w.cfg.Timeout)
	r.ctx, r.span = shareSpan(r.ctx, group)
	r.err = w.decideWithin(r.ctx, w.timeFor(len(group), 0), tenant, r, group, under)
	return r
}

// decideWithin takes the decisions of a round within a time. A panic in one of them is the error of the round: see
// [repair].
func (w *Writer) decideWithin(
	ctx context.Context, within time.Duration, tenant string, r *round, group []*pending, under *round,
) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err := contain.Do(func() error { return w.decideGroup(ctx, tenant, r, group, under) })
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) && !contain.Is(err) {
		late := errSlow
		if r.txn == nil {
			late = errSilent
		}
		return &tenure.Error{
			Code: tenure.Unavailable, Message: "no decision in time; try again", Err: errors.Join(late, err),
		}
	}
	return err
}

// decideGroup takes the decisions of a round.
func (w *Writer) decideGroup(ctx context.Context, tenant string, r *round, group []*pending, under *round) error {
	if under != nil {
		r.txn, r.first = under.txn, under.first
	} else {
		view, err := w.store.View(ctx, tenant, tenure.Present)
		if err != nil {
			return err
		}
		r.state.Seq, r.state.Tx = view.State()
		r.txn, r.first = NewTxn(view), map[string]*pending{}
		r.txn.keysOf, r.txn.snapshot = w.policies.BlockingKeys, w.state.of(tenant, r.state.Seq)
	}
	if err := readAhead(ctx, r.txn, receiptsOf(group), plansOf(group)); err != nil {
		return err
	}
	for i, it := range group {
		yield(i, 8)
		it.res = Result{}
		if w.decideOne(ctx, r, it); errors.Is(it.res.Err, errExclusive) {
			break
		}
		r.group = append(r.group, it)
		if r.txn.exclusive {
			break
		}
	}
	if ctx.Err() != nil { // requests that were refused for it are to be decided again
		return &tenure.Error{Code: tenure.Unavailable, Message: "no decision in time; try again", Err: ctx.Err()}
	}
	return nil
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

// decideOne decides a request, or finds the receipt of its earlier execution.
func (w *Writer) decideOne(ctx context.Context, r *round, it *pending) {
	t := r.txn
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
		r.outlines = append(r.outlines, t.accept())
		r.sets, r.requests = append(r.sets, cs), append(r.requests, it)
		if it.req.Key != nil {
			r.first[it.req.Key.Scope] = it
		}
	}
}

// current reports whether a round that was decided on top of another is of the newest state. Only answers
// without a change set need that: the store checks the others when it applies them.
func (w *Writer) current(tenant string, r *round) bool {
	if len(r.group) == len(r.requests)+len(r.duplicates) {
		return true
	}
	view, err := w.store.View(r.ctx, tenant, tenure.Present)
	if err != nil {
		return false
	}
	seq, _ := view.State()
	return seq == r.state.Seq
}

// apply commits a round. The time that the round waited for the one before it does not count.
func (w *Writer) apply(tenant string, r *round) {
	defer close(r.applied)
	ctx, stop := context.WithTimeout(context.WithoutCancel(r.ctx), w.cfg.Timeout)
	defer stop()
	r.err = contain.Do(func() error { return w.commit(ctx, tenant, r) })
}

// commit applies the change sets of a round, if it has any. What is written stays written: a panic of those who are
// told of it fails no request.
func (w *Writer) commit(ctx context.Context, tenant string, r *round) error {
	if len(r.sets) == 0 {
		return nil
	}
	err := contain.Do(func() (err error) {
		r.receipts, err = w.store.Apply(ctx, tenant, r.state.Seq, r.sets)
		return err
	})
	w.health.note(err)
	if err != nil {
		return err
	}
	w.contained("cache", contain.Do(func() error {
		w.state.applied(tenant, r.state.Seq, r.sets, r.outlines, r.receipts)
		return nil
	}))
	w.contained("on_commit", contain.Do(func() error {
		w.policies.OnCommit(tenant, r.sets, r.receipts)
		return nil
	}))
	return nil
}

// finish waits until a round has been applied, executes its requests again if it could not be, and answers
// them, and then the rounds that wait for it. It reports whether the store's state is the one that decisions on
// top of the round assumed.
func (w *Writer) finish(tenant string, r *round) bool {
	<-r.applied
	r.end()
	asAssumed := r.err == nil && r.last().Seq == r.state.Seq+tenure.Seq(len(r.sets))
	if r.err != nil {
		w.redo(tenant, r.group, r.err)
	} else {
		r.distribute()
	}
	answer(r.group)
	for _, u := range r.unchanging {
		if u.state = r.last(); asAssumed && w.current(tenant, u) {
			u.distribute()
		} else {
			w.redo(tenant, u.group, nil)
		}
		u.end()
		answer(u.group)
	}
	return asAssumed
}

// distribute gives each request its receipt. A request without changes gets the receipt of the state that it
// was decided on.
func (r *round) distribute() {
	for i, it := range r.requests {
		it.res.Receipt = r.receipts[i]
	}
	for _, n := range r.noops {
		on := r.state
		if n.after > 0 {
			on = r.receipts[n.after-1]
		}
		n.request.res.Receipt.Seq, n.request.res.Receipt.Tx = on.Seq, on.Tx
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
	if answer == nil || req.Key == nil { // only a replay reads the JSON
		return cs, answer, nil
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
