package service

import (
	"context"
	"encoding/json"
	"slices"

	"tenure"
	"tenure/auth"
	"tenure/ingest"
	"tenure/ledger"
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
	return in, err
}

func (s *Service) observation(c tenure.Caller, in Observation) *ingest.Command {
	return &ingest.Command{Caller: c, Input: in, Matcher: s.matcher, Proposer: s.worker.Candidates}
}

// Observe writes one observation: see [ingest.Command.Decide].
func (s *Service) Observe(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, in Observation,
) (Written[Observed], error) {
	in, err := bind(c, in)
	if err != nil {
		return Written[Observed]{}, err
	}
	w, err := write[Observed](ctx, s, c, key, ingest.Operation, s.observation(c, in))
	if err != nil {
		return w, err
	}
	return w, s.nameCandidates(ctx, c, w)
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

// PreviewObservation decides an observation as [Service.Observe] does, and writes nothing: nothing is kept under the
// ids in the answer.
func (s *Service) PreviewObservation(
	ctx context.Context, c tenure.Caller, in Observation,
) (Written[Observed], error) {
	in, err := bind(c, in)
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
// is written: wait returns the results.
func (s *Service) SubmitBatch(
	ctx context.Context, c tenure.Caller, items []BatchItem,
) (wait func(context.Context) []Result[Observed]) {
	results := make([]Result[Observed], len(items))
	var places []int
	var requests []ledger.Request
	for i, it := range items {
		in, err := bind(c, it.Observation)
		if err != nil {
			results[i].Err = err
			continue
		}
		places = append(places, i)
		requests = append(requests, ledger.Request{
			Command: s.observation(c, in), Operation: ingest.Operation, Actor: c.Actor, Key: it.Key,
		})
	}
	written := s.writer.Submit(ctx, c.Tenant, requests...)
	return func(ctx context.Context) []Result[Observed] {
		for i, res := range written(ctx) {
			r := read[Observed](res)
			if r.Err == nil {
				r.Err = s.nameCandidates(ctx, c, r.Written)
			}
			results[places[i]] = r
		}
		return results
	}
}
