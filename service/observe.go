package service

import (
	"context"
	"encoding/json"
	"slices"

	"tenure"
	"tenure/auth"
	"tenure/ingest"
	"tenure/ledger"
	"tenure/service/reading"
	"tenure/store"
)

// The types of the write path, aliased so that a claim has one shape throughout.
type (
	// Observation is one observation as a caller states it.
	Observation = ingest.Input
	// Source identifies the source of an observation.
	Source = ingest.Source
	// Mention names an entity, within an observation or by itself.
	Mention = ingest.Mention
	// Claim is one statement of an observation.
	Claim = ingest.Claim
	// Value is the value of a claim: JSON, or an entity.
	Value = ingest.Value
	// Ref refers to an entity, by its id or by a mention of the same observation.
	Ref = ingest.Ref
	// Observed is the result of an observation.
	Observed = ingest.Answer
	// ResolvedName is the decision about a mention of an observation.
	ResolvedName = ingest.MentionAnswer
	// Later is the further reading of a text that an observation arrived too late for.
	Later = ingest.Later
	// Became is the belief made from a claim, and its effect on others.
	Became = ingest.BeliefAnswer
)

// ParseValue returns the value of a claim from its JSON: see [ingest.ParseValue].
func ParseValue(raw json.RawMessage) Value { return ingest.ParseValue(raw) }

// bind checks an observation, also against the caller's credential. It returns Invalid for the faults of the
// observation and Forbidden as [auth.Bind] does.
func bind(c tenure.Caller, in Observation) (Observation, error) {
	if err := in.Faults().Err(); err != nil {
		return in, err
	}
	var err error
	in.Scope, err = auth.Bind(c, in.Scope, "/scope")
	return in.Labelled(), err
}

func (s *Service) observation(c tenure.Caller, in Observation) *ingest.Command {
	return &ingest.Command{Caller: c, Input: in, Matcher: s.matcher, Proposer: s.worker.Candidates}
}

// Observe writes one observation: see [ingest.Command.Decide]. A text that comes without claims is read first: see
// [reading.Stage.Read].
func (s *Service) Observe(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, in Observation,
) (Written[Observed], error) {
	w, _, err := s.observe(ctx, c, key, in)
	return w, err
}

// observe implements Observe, and also returns the observation as it was written.
func (s *Service) observe(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, in Observation,
) (Written[Observed], Observation, error) {
	in, err := s.prepare(ctx, c, in)
	if err != nil {
		return Written[Observed]{}, in, err
	}
	w, err := write[Observed](ctx, s, c, key, ingest.Operation, s.observation(c, in))
	if err == nil {
		err = s.complete(ctx, c, in, &w)
	}
	if err == nil {
		s.heed(ctx, c, in, reading.Quiet{}, &w)
	}
	return w, in, err
}

// prepare checks an observation, and reads its text or compares its claims.
func (s *Service) prepare(ctx context.Context, c tenure.Caller, in Observation) (Observation, error) {
	in, err := bind(c, in)
	if err != nil || !in.Unread() && !reading.Compares(in) {
		return in, err
	}
	reader, err := s.openFor(ctx, c, in)
	if err != nil {
		return in, err
	}
	if !in.Unread() {
		return s.stage.Compare(ctx, reader, c, in, s.mint().Now)
	}
	return s.stage.Read(ctx, reader, c, in, s.mint().Now)
}

// stagesOf returns the stage that reads each text of a batch: see [reading.Stage.Ahead].
func (s *Service) stagesOf(ctx context.Context, c tenure.Caller, inputs []Observation) []reading.Stage {
	readers, err := s.readersFor(ctx, c, inputs)
	if err != nil {
		return slices.Repeat([]reading.Stage{s.stage}, len(inputs)) // each read reports the error
	}
	return s.stage.Ahead(ctx, func(in Observation) store.Reader {
		return readers[s.observation(c, in).Label()]
	}, c, inputs, s.mint().Now)
}

// complete adds to a replayed answer what is not stored with it: the names of candidates, and the statements, which
// are kept with the observation.
func (s *Service) complete(ctx context.Context, c tenure.Caller, in Observation, w *Written[Observed]) error {
	if !w.Receipt.Replayed {
		return nil
	}
	if err := s.nameCandidates(ctx, c, *w); err != nil || in.Reading == nil {
		return err
	}
	reader, err := s.open(ctx, c, tenure.Present)
	if err != nil {
		return err
	}
	list, err := reader.Observations(ctx, []tenure.ID{w.Answer.ObservationID})
	for _, o := range list {
		w.Answer.Statements = o.Statements
	}
	return err
}

// nameCandidates completes a replayed answer by the names of the candidates, which are not stored with it.
func (s *Service) nameCandidates(ctx context.Context, c tenure.Caller, w Written[Observed]) error {
	var ids []tenure.ID
	for _, m := range w.Answer.Mentions {
		for _, candidate := range m.Candidates {
			ids = append(ids, candidate.EntityID)
		}
	}
	if !w.Receipt.Replayed || len(ids) == 0 {
		return nil
	}
	reader, err := s.open(ctx, c, tenure.AsOf{Seq: w.Receipt.Seq})
	if err != nil {
		return err
	}
	slices.Sort(ids)
	entities, err := reader.Entities(ctx, slices.Compact(ids))
	names := make(map[tenure.ID]string, len(entities))
	for _, e := range entities {
		names[e.ID] = e.Name
	}
	for _, m := range w.Answer.Mentions {
		for i := range m.Candidates {
			m.Candidates[i].Name = names[m.Candidates[i].EntityID]
		}
	}
	return err
}

// PreviewObservation decides an observation as [Service.Observe] does, and writes nothing: the ids in the answer refer
// to nothing.
func (s *Service) PreviewObservation(
	ctx context.Context, c tenure.Caller, in Observation,
) (Written[Observed], error) {
	in, err := s.prepare(ctx, c, in)
	if err != nil {
		return Written[Observed]{}, err
	}
	return preview[Observed](ctx, s, c, s.observation(c, in))
}

// BatchItem is one observation of a batch. Key may be nil.
type BatchItem struct {
	Key         *tenure.IdempotencyKey
	Observation Observation
}

// ObserveBatch writes observations in order, each decided on the state after the ones before it, and returns
// a result for each. A refused observation does not stop the others.
func (s *Service) ObserveBatch(ctx context.Context, c tenure.Caller, items []BatchItem) []Result[Observed] {
	return s.SubmitBatch(ctx, c, items)(ctx)
}

// SubmitBatch is [Service.ObserveBatch] in two steps, so that the next batch can be submitted before this one
// is written: wait returns the results. Before a text is read, the earlier items of its thread and all earlier items
// with claims are written.
func (s *Service) SubmitBatch(
	ctx context.Context, c tenure.Caller, items []BatchItem,
) (wait func(context.Context) []Result[Observed]) {
	b := &submission{s: s, caller: c, results: make([]Result[Observed], len(items))}
	b.readAhead(ctx, items)
	for from := 0; from < len(items); {
		if from > 0 {
			b.submit(ctx)
			b.settle(ctx)
		}
		until := b.wave(items, from)
		b.add(ctx, items, from, until)
		from = until
	}
	b.submit(ctx)
	return func(ctx context.Context) []Result[Observed] {
		b.settle(ctx)
		return b.results
	}
}

// submission is a batch on its way to the writer.
type submission struct {
	s       *Service
	caller  tenure.Caller
	results []Result[Observed]
	stages  map[int]reading.Stage // by the index of the item

	places   []int // the item index of each request
	inputs   []Observation
	requests []ledger.Request
	written  func(context.Context) []ledger.Result
}

// readAhead selects the stage that reads the text of each item.
func (b *submission) readAhead(ctx context.Context, items []BatchItem) {
	var inputs []Observation
	var places []int
	for i, it := range items {
		if in, err := bind(b.caller, it.Observation); err == nil && in.Unread() {
			inputs, places = append(inputs, in), append(places, i)
		}
	}
	b.stages = map[int]reading.Stage{}
	stages := b.s.stagesOf(ctx, b.caller, inputs)
	for i, place := range places {
		b.stages[place] = stages[i]
	}
}

// wave returns the end of the run of items from an index on that may be read together: no text in it follows another
// item of its thread, or an item with claims.
func (b *submission) wave(items []BatchItem, from int) (until int) {
	threads, stated := map[string]bool{}, false
	for until = from; until < len(items); until++ {
		in, err := bind(b.caller, items[until].Observation)
		if err != nil {
			continue
		}
		thread := reading.ThreadOf(in)
		read := in.Unread() || reading.Compares(in)
		if read && (stated || threads[thread]) {
			break
		}
		threads[thread] = true
		stated = stated || len(in.Claims) > 0
	}
	return until
}

// add turns a wave of items into requests, or into refusals among the results. Their texts are read in parallel, from
// one state of the store.
func (b *submission) add(ctx context.Context, items []BatchItem, from, until int) {
	inputs := make([]Observation, until-from)
	var unread []int // of inputs
	for i := range inputs {
		inputs[i], b.results[from+i].Err = bind(b.caller, items[from+i].Observation)
		if b.results[from+i].Err == nil && (inputs[i].Unread() || reading.Compares(inputs[i])) {
			unread = append(unread, i)
		}
	}
	if len(unread) > 0 {
		readers, err := b.s.readersFor(ctx, b.caller, inputs)
		now := b.s.mint().Now
		ledger.Parallel(len(unread), func(k int) {
			i, failure := unread[k], err
			reader := readers[b.s.observation(b.caller, inputs[i]).Label()]
			if read := b.stages[from+i].Read; failure == nil {
				if !inputs[i].Unread() {
					read = b.s.stage.Compare
				}
				inputs[i], failure = read(ctx, reader, b.caller, inputs[i], now)
			}
			b.results[from+i].Err = failure
		})
	}
	for i, in := range inputs {
		if b.results[from+i].Err != nil {
			continue
		}
		b.places, b.inputs = append(b.places, from+i), append(b.inputs, in)
		b.requests = append(b.requests, ledger.Request{
			Command: b.s.observation(b.caller, in), Operation: ingest.Operation, Actor: b.caller.Actor, Key: items[from+i].Key,
		})
	}
}

// submit submits the requests.
func (b *submission) submit(ctx context.Context) {
	b.written = b.s.writer.Submit(ctx, b.caller.Tenant, b.requests...)
}

// settle waits for what was submitted.
func (b *submission) settle(ctx context.Context) {
	quiet := reading.Quiet{}
	for i, res := range b.written(ctx) {
		r := &b.results[b.places[i]]
		if *r = read[Observed](res); r.Err == nil {
			r.Err = b.s.complete(ctx, b.caller, b.inputs[i], &r.Written)
		}
		if r.Err == nil {
			b.s.heed(ctx, b.caller, b.inputs[i], quiet, &r.Written)
		}
	}
	b.places, b.inputs, b.requests = nil, nil, nil
}
