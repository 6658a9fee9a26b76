package app

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"tenure"
	"tenure/compile"
	"tenure/httpapi"
	"tenure/ingest"
	"tenure/ledger"
	"tenure/registry"
	"tenure/review"
	"tenure/store"
)

// service carries out what the handlers ask for.
type service struct {
	store    store.Store
	writer   *ledger.Writer
	compiler *compile.Compiler
	judge    registry.Judge
	proposer ingest.Proposer
	mint     func() tenure.Mint
	now      func() time.Time
	logger   *slog.Logger
	after    sync.WaitGroup // work that a response does not wait for
}

// write carries out one command and reads its answer.
func write[A any](ctx context.Context, s *service, c tenure.Caller, key *tenure.IdempotencyKey, operation string, cmd ledger.Command) (A, tenure.Receipt, error) {
	res := s.writer.Do(ctx, c.Tenant, ledger.Request{Command: cmd, Operation: operation, Actor: c.Actor, Key: key})[0]
	return read[A](res)
}

func read[A any](res ledger.Result) (A, tenure.Receipt, error) {
	var a A
	if res.Err != nil {
		return a, res.Receipt, res.Err
	}
	if err := json.Unmarshal(res.Receipt.Answer, &a); err != nil {
		return a, res.Receipt, &tenure.Error{Code: tenure.Internal, Message: "the stored answer cannot be read", Err: err}
	}
	return a, res.Receipt, nil
}

func (s *service) observation(c tenure.Caller, in ingest.Input) *ingest.Command {
	return &ingest.Command{Caller: c, Input: in, Judge: s.judge, Proposer: s.proposer}
}

// Observe writes one observation.
func (s *service) Observe(ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, in ingest.Input) (ingest.Answer, tenure.Receipt, error) {
	return write[ingest.Answer](ctx, s, c, key, ingest.Operation, s.observation(c, in))
}

// ObserveAll writes observations in order, each decided on the ones before.
func (s *service) ObserveAll(ctx context.Context, c tenure.Caller, items []httpapi.ObserveItem) []httpapi.ObserveResult {
	requests := make([]ledger.Request, len(items))
	for i, it := range items {
		requests[i] = ledger.Request{
			Command: s.observation(c, it.Input), Operation: ingest.Operation, Actor: c.Actor, Key: it.Key,
		}
	}
	results := make([]httpapi.ObserveResult, len(items))
	for i, res := range s.writer.Do(ctx, c.Tenant, requests...) {
		results[i].Answer, results[i].Receipt, results[i].Err = read[ingest.Answer](res)
	}
	return results
}

// Amend retracts, ends or confirms a belief.
func (s *service) Amend(ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, a httpapi.Amendment) ([]tenure.ID, tenure.Receipt, error) {
	answer, receipt, err := write[review.Answer](ctx, s, c, key, string(a.Kind), review.Amend{
		Caller: c, Belief: a.Belief, Kind: a.Kind, At: a.At, AuthorityLevel: a.AuthorityLevel, Reason: a.Reason,
	})
	return answer.Restored, receipt, err
}

// Settle answers a quarantine case.
func (s *service) Settle(ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, a httpapi.Settlement) ([]tenure.ID, tenure.Receipt, error) {
	answer, receipt, err := write[review.ResolveAnswer](ctx, s, c, key, "settle", review.Resolve{
		Caller: c, Case: a.Case, Accept: a.Accept, Version: a.Version, AuthorityLevel: a.AuthorityLevel, Note: a.Note,
	})
	return answer.Restored, receipt, err
}

// DecideReview answers a review.
func (s *service) DecideReview(ctx context.Context, key *tenure.IdempotencyKey, d review.Decide) (review.DecideAnswer, tenure.Receipt, error) {
	return write[review.DecideAnswer](ctx, s, d.Caller, key, "decide_review", d)
}

// DecideReviews answers reviews in order, each by itself.
func (s *service) DecideReviews(ctx context.Context, c tenure.Caller, items []httpapi.DecideItem) []httpapi.DecideResult {
	requests := make([]ledger.Request, len(items))
	for i, it := range items {
		requests[i] = ledger.Request{Command: it.Decide, Operation: "decide_review", Actor: c.Actor, Key: it.Key}
	}
	results := make([]httpapi.DecideResult, len(items))
	for i, res := range s.writer.Do(ctx, c.Tenant, requests...) {
		results[i].Answer, results[i].Receipt, results[i].Err = read[review.DecideAnswer](res)
	}
	return results
}

// Reopen takes the answer to a review back.
func (s *service) Reopen(ctx context.Context, key *tenure.IdempotencyKey, c review.Reopen) (review.UndoAnswer, tenure.Receipt, error) {
	return write[review.UndoAnswer](ctx, s, c.Caller, key, "undo_review", c)
}

// Lease gives a review to somebody for a while, or takes it from them.
func (s *service) Lease(ctx context.Context, key *tenure.IdempotencyKey, l review.Lease) (review.LeaseAnswer, tenure.Receipt, error) {
	return write[review.LeaseAnswer](ctx, s, l.Caller, key, "lease_review", l)
}

// Merge joins two entities.
func (s *service) Merge(ctx context.Context, key *tenure.IdempotencyKey, m review.Merge) (review.MergeAnswer, tenure.Receipt, error) {
	return write[review.MergeAnswer](ctx, s, m.Caller, key, "merge", m)
}

// Split makes a new entity of some mentions of another.
func (s *service) Split(ctx context.Context, key *tenure.IdempotencyKey, c review.Split) (review.SplitAnswer, tenure.Receipt, error) {
	return write[review.SplitAnswer](ctx, s, c.Caller, key, "split", c)
}

// Undo takes a merge or a split back.
func (s *service) Undo(ctx context.Context, key *tenure.IdempotencyKey, u review.Undo) (review.UndoAnswer, tenure.Receipt, error) {
	return write[review.UndoAnswer](ctx, s, u.Caller, key, "undo_"+string(u.Kind), u)
}

// PutVocabulary gives a vocabulary its next version.
func (s *service) PutVocabulary(ctx context.Context, c tenure.Caller, v tenure.Vocabulary, terms []tenure.Term) (tenure.Receipt, error) {
	_, receipt, err := write[tenure.Vocabulary](ctx, s, c, nil, "put_vocabulary", review.PutVocabulary{
		Name: v.Name, Closed: v.Closed, Version: v.Version, Terms: terms,
	})
	return receipt, err
}

// compiled is the answer to a compile request.
type compiled struct {
	Envelope compile.Envelope `json:"envelope"`
	Trace    compile.Trace    `json:"trace"`
	Run      run              `json:"run"`
}

// run is what differs between two compilations of the same state and request.
type run struct {
	TraceID   tenure.ID `json:"trace_id"`
	RequestID string    `json:"request_id,omitempty"`
	At        string    `json:"compiled_at"`
	LatencyMS float64   `json:"latency_ms"`
}

// Compile compiles what the caller's model may see, keeps the answer, and has
// the cases of ties that it met opened once it is given.
func (s *service) Compile(ctx context.Context, c tenure.Caller, requestID string, r compile.Request) ([]byte, error) {
	began := s.now()
	mint := s.mint()
	view, err := s.store.View(ctx, c.Tenant, r.AsOf)
	if err != nil {
		return nil, err
	}
	result, err := s.compiler.Compile(ctx, view, c, r, mint.Now)
	if err != nil {
		return nil, err
	}
	id := mint.NewID()
	body, err := encode(compiled{result.Envelope, result.Trace, run{
		TraceID: id, RequestID: requestID, At: mint.Now.String(),
		LatencyMS: float64(s.now().Sub(began).Microseconds()) / 1000,
	}})
	if err != nil {
		return nil, err
	}
	kept := tenure.Compilation{ID: id, CreatedAt: mint.Now}
	if kept.Body, err = pack(asker{c.Actor, c.Clearance}, body); err != nil {
		return nil, err
	}
	if err := s.store.PutCompilation(ctx, c.Tenant, kept); err != nil {
		return nil, err
	}
	if len(result.Ties) > 0 {
		s.after.Add(1)
		go s.openTies(context.WithoutCancel(ctx), c, result.Ties)
	}
	return body, nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, &tenure.Error{Code: tenure.Internal, Message: "the compilation has no JSON form", Err: err}
	}
	return b.Bytes(), nil
}

// openTies has the cases opened. A compilation never waits for it: the tie
// holds without its case, and the next compilation asks for it again.
func (s *service) openTies(ctx context.Context, c tenure.Caller, ties []compile.Tie) {
	defer s.after.Done()
	requests := make([]ledger.Request, len(ties))
	for i, t := range ties {
		requests[i] = ledger.Request{Command: review.OpenTie{Sides: t.Sides}, Operation: "open_case", Actor: c.Actor}
	}
	for _, res := range s.writer.Do(ctx, c.Tenant, requests...) {
		if res.Err != nil {
			s.logger.Error("the case of a tie was not opened", "tenant", c.Tenant, "error", res.Err)
		}
	}
}

// seesAll tells whether the caller may read what another was answered: an
// administrator who is bound to nothing and cleared for as much.
func seesAll(c tenure.Caller, by asker) bool {
	return c.Has(tenure.RoleAdmin) && c.Bound == (tenure.Scope{}) && by.clearance.Rank() <= c.Clearance.Rank()
}

// Compilation gives an answer again to who asked for it, or to an
// administrator who may see as much; to others there is none.
func (s *service) Compilation(ctx context.Context, c tenure.Caller, traceID string) ([]byte, error) {
	none := tenure.Errorf(tenure.NotFound, "there is no such compilation")
	id, ok := tenure.ParseID(traceID)
	if !ok {
		return nil, none
	}
	kept, err := s.store.Compilation(ctx, c.Tenant, id)
	if err != nil {
		return nil, err
	}
	by, body, err := unpack(kept.Body)
	if err != nil {
		return nil, err
	}
	if by.actor != c.Actor && !seesAll(c, by) {
		return nil, none
	}
	return body, nil
}
