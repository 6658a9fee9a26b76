package service

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"time"

	"tenure"
	"tenure/auth"
	"tenure/compile"
	"tenure/fair"
	"tenure/ledger"
	"tenure/service/view"

	"tenure/amend"
)

// The request types of the compiler, so that a request has one shape throughout.
type (
	// CompileRequest asks for the context of one task.
	CompileRequest = compile.Request
	// Task is the task of a model.
	Task = compile.Task
	// Identity is the person on whose behalf a model works.
	Identity = compile.Identity
	// Tool is what a model may call.
	Tool = compile.Tool
	// Turn is a turn of the conversation so far.
	Turn = compile.Turn
	// Payload is content from outside.
	Payload = compile.Payload
	// Required is a property that an answer needs.
	Required = compile.Required
	// Checked is the outcome of checking one constraint.
	Checked = compile.Checked
)

// compilation is the answer to a compile request, in the JSON form in which it is stored.
type compilation struct {
	Envelope    compile.Envelope     `json:"envelope"`
	Trace       compile.Trace        `json:"trace"`
	Constraints []compile.Constraint `json:"constraints"`
	Run         run                  `json:"run"`
}

// run holds what differs between two compilations of the same state and request.
type run struct {
	TraceID   tenure.ID `json:"trace_id"`
	RequestID string    `json:"request_id,omitempty"`
	At        string    `json:"compiled_at"`
	LatencyMS float64   `json:"latency_ms"`
}

// Compile compiles the context that the caller's model may see, stores the answer and returns it: the JSON of
// a Compilation (see api/openapi.yaml). It opens the cases of the ties that it met after answering.
func (s *Service) Compile(ctx context.Context, c tenure.Caller, requestID string, r CompileRequest) ([]byte, error) {
	began := s.now()
	mint := s.mint()
	s.compiling.RLock()
	defer s.compiling.RUnlock()
	var err error
	if r.Scope, err = auth.Bind(c, r.Scope, "/scope"); err != nil {
		return nil, err
	}
	var roles []string
	if r.Identity != nil {
		roles = r.Identity.Roles
	}
	reader, err := s.open(ctx, c, r.AsOf, roles...)
	if err != nil {
		return nil, err
	}
	result, err := s.compiler.Compile(ctx, reader, c, r, mint.Now)
	if err != nil {
		return nil, err
	}
	id := mint.NewID()
	body, err := inJSON(compilation{result.Envelope, result.Trace, result.Constraints, run{
		TraceID: id, RequestID: requestID, At: mint.Now.String(),
		LatencyMS: float64(s.now().Sub(began).Microseconds()) / 1000,
	}})
	if err != nil {
		return nil, err
	}
	kept := tenure.Compilation{ID: id, CreatedAt: mint.Now}
	asked, err := inJSON(r) // as the body, so that erasure finds words in both
	if err != nil {
		return nil, err
	}
	if kept.Body, err = compile.Pack(compile.Kept{
		By: compile.Requester{Actor: c.Actor, Clearance: c.Clearance}, Request: bytes.TrimSpace(asked), Body: body,
	}); err != nil {
		return nil, err
	}
	keep := func() error { return s.store.PutCompilation(ctx, c.Tenant, kept) }
	if err := fair.Away(ctx, keep); err != nil { // it waits for the writes of others
		return nil, err
	}
	if len(result.Ties) > 0 {
		s.after.Go(func() { s.guard(func() { s.openTies(context.WithoutCancel(ctx), c, result.Ties) }) })
	}
	return body, nil
}

// buffers are pooled: an answer has a hundred kilobytes.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func inJSON(v any) ([]byte, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, &tenure.Error{Code: tenure.Internal, Message: "the compilation has no JSON form", Err: err}
	}
	return bytes.Clone(b.Bytes()), nil
}

// openTies opens cases for ties in the background. A failure is harmless: the tie holds without a case, and
// the next compilation opens the case again.
func (s *Service) openTies(ctx context.Context, c tenure.Caller, ties []compile.Tie) {
	requests := make([]ledger.Request, len(ties))
	for i, t := range ties {
		requests[i] = ledger.Request{Command: amend.OpenCrossScopeCase{Sides: t.Sides}, Operation: "open_case",
			Actor: c.Actor}
	}
	for _, res := range s.writer.Do(ctx, c.Tenant, requests...) {
		if res.Err != nil {
			s.logger.Error("the case of a tie was not opened", "tenant", c.Tenant, "error", res.Err)
		}
	}
}

// mayRead reports whether the caller may read the answer to a requester, and what was reported of it.
func mayRead(c tenure.Caller, by compile.Requester) bool {
	return view.Requesters(c).Include(by.Actor, by.Clearance)
}

// Compilation returns the bytes of an earlier answer, to its requester or to an administrator who may see as
// much.
func (s *Service) Compilation(ctx context.Context, c tenure.Caller, traceID string) ([]byte, error) {
	kept, err := s.kept(ctx, c, traceID)
	return kept.Body, err
}

// keptCompilation is a compilation that the caller may read, with the form in which it is stored.
type keptCompilation struct {
	compile.Kept

	stored tenure.Compilation
}

// kept reads a compilation.
func (s *Service) kept(ctx context.Context, c tenure.Caller, traceID string) (k keptCompilation, err error) {
	id, ok := tenure.ParseID(traceID)
	if !ok {
		return k, view.Absent()
	}
	if k.stored, err = s.store.Compilation(ctx, c.Tenant, id); err != nil {
		return k, view.Hide(s.absent(id, err))
	}
	if s.keep > 0 && k.stored.CreatedAt < s.oldest() { // and not removed yet
		return k, s.outdated()
	}
	if len(k.stored.Body) == 0 {
		return k, tenure.Errorf(tenure.Gone, "the compilation told of something that was erased")
	}
	if k.Kept, err = compile.Unpack(k.stored.Body); err != nil {
		return k, err
	}
	if !mayRead(c, k.By) {
		return keptCompilation{}, view.Absent()
	}
	return k, nil
}

// answered reads the answer of a compilation.
func (s *Service) answered(
	ctx context.Context, c tenure.Caller, traceID string,
) (k keptCompilation, a compilation, err error) {
	if k, err = s.kept(ctx, c, traceID); err != nil {
		return k, a, err
	}
	if err := json.Unmarshal(k.Body, &a); err != nil {
		return k, a, unreadable(err)
	}
	return k, a, nil
}

// unreadable is the error for a stored compilation that has not the form in which it was stored.
func unreadable(err error) error {
	return &tenure.Error{Code: tenure.Internal, Message: "the compilation cannot be read", Err: err}
}

// CheckAnswer compares the answer of a model, a text or JSON, with the hard constraints of a compilation. It returns
// the outcome of all of them, and of each.
func (s *Service) CheckAnswer(
	ctx context.Context, c tenure.Caller, traceID, answer string,
) (outcome string, list []Checked, err error) {
	_, a, err := s.answered(ctx, c, traceID)
	if err != nil {
		return "", nil, err
	}
	if a.Constraints == nil {
		return "", nil, tenure.Errorf(tenure.Unprocessable, "its constraints were not kept")
	}
	list = compile.Check(a.Constraints, answer)
	return compile.OutcomeOf(list), list, nil
}

// Why explains what became of a belief or a passage in a compilation. It is NotFound for one that the caller may not
// see.
func (s *Service) Why(ctx context.Context, c tenure.Caller, traceID, object string) (compile.Fate, error) {
	k, a, err := s.answered(ctx, c, traceID)
	if err != nil {
		return compile.Fate{}, err
	}
	id, ok := tenure.ParseID(object)
	if !ok {
		return compile.Fate{}, tenure.FieldError(tenure.Invalid, "/object", "must be the id of a belief or of a passage")
	}
	if fate, ok := compile.FateOf(a.Trace, id); ok {
		return fate, nil
	}
	if a.Trace.AsOf.Seq == 0 {
		return compile.Fate{}, view.Absent() // nothing was known
	}
	return s.unread(ctx, c, k, a.Trace.AsOf.Seq, id)
}

// unread explains why a compilation has nothing of a belief or a passage.
func (s *Service) unread(
	ctx context.Context, c tenure.Caller, k keptCompilation, seq tenure.Seq, id tenure.ID,
) (compile.Fate, error) {
	reader, err := s.open(ctx, c, tenure.AsOf{Seq: seq})
	if err != nil {
		return compile.Fate{}, err
	}
	found, err := reader.Beliefs(ctx, []tenure.ID{id})
	if err != nil {
		return compile.Fate{}, err
	}
	if len(found) > 0 {
		var r CompileRequest // empty for one that was kept before requests were
		if len(k.Request) > 0 {
			if r, err = k.request(); err != nil {
				return compile.Fate{}, err
			}
		}
		return compile.Unread(&found[0].Claim, c, r), nil
	}
	passages, err := reader.Passages(ctx, []tenure.ID{id})
	switch {
	case err != nil:
		return compile.Fate{}, err
	case len(passages) == 0:
		return compile.Fate{}, view.Absent()
	}
	return compile.UnreadPassage(id), nil
}

// request returns the request of a compilation, which has one.
func (k keptCompilation) request() (r CompileRequest, err error) {
	if err := json.Unmarshal(k.Request, &r); err != nil {
		return r, unreadable(err)
	}
	return r, nil
}

// Replay compiles a request again in the state and at the instant of its compilation, with what the caller may see now,
// and returns how the two differ. It is Unprocessable for a compilation that was kept before requests were.
func (s *Service) Replay(ctx context.Context, c tenure.Caller, traceID string) (compile.Differences, error) {
	k, then, err := s.answered(ctx, c, traceID)
	if err != nil {
		return compile.Differences{}, err
	}
	switch {
	case len(k.Request) == 0:
		return compile.Differences{}, tenure.Errorf(tenure.Unprocessable, "its request was not kept")
	case then.Trace.AsOf.Seq == 0:
		return compile.Differences{}, tenure.Errorf(tenure.Unprocessable, "nothing was known when it was compiled")
	}
	r, err := k.request()
	if err != nil {
		return compile.Differences{}, err
	}
	at, err := time.Parse(time.RFC3339Nano, then.Trace.AsOf.ValidAt)
	if err != nil {
		return compile.Differences{}, unreadable(err)
	}
	r.ValidAt = tenure.At(at)
	r.AsOf = tenure.AsOf{Seq: then.Trace.AsOf.Seq}
	var roles []string
	if r.Identity != nil {
		roles = r.Identity.Roles
	}
	reader, err := s.open(ctx, c, r.AsOf, roles...)
	if err != nil {
		return compile.Differences{}, err
	}
	now, err := s.compiler.Compile(ctx, reader, c, r, s.mint().Now)
	if err != nil {
		return compile.Differences{}, err
	}
	return compile.Compare(compile.Result{Envelope: then.Envelope, Trace: then.Trace}, now), nil
}
