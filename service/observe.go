package service

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"tenure"
	"tenure/auth"
	"tenure/ingest"
	"tenure/ledger"
	"tenure/store"
	"tenure/text"
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
	return write[Observed](ctx, s, c, key, ingest.Operation, s.observation(c, in))
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
			results[places[i]] = read[Observed](res)
		}
		return results
	}
}

// ObservationRecord is an observation with the assignments of its mentions.
type ObservationRecord struct {
	Observation tenure.Observation
	RecordedAt  tenure.Instant
	Mentions    []AssignedMention
}

// ObservationFilter selects observations. A zero field does not filter. Text matches a part of the text, whatever its
// case.
type ObservationFilter struct {
	Session, Project, Speaker, Origin, Text string
	Since, Until                            *tenure.Instant
}

// search returns the field of the filter by which the store searches: that which chooses the fewest, as a rule.
func (f ObservationFilter) search() (store.ObservationField, string) {
	switch {
	case f.Session != "":
		return store.BySession, f.Session
	case f.Speaker != "":
		return store.BySpeaker, f.Speaker
	case f.Project != "":
		return store.ByProject, f.Project
	}
	return "", ""
}

// chooses reports whether the filter selects an observation within its window.
func (f ObservationFilter) chooses(o tenure.Observation) bool {
	is := func(wanted, have string) bool { return wanted == "" || wanted == have }
	return is(f.Session, store.BySession.Field(o)) && is(f.Project, store.ByProject.Field(o)) &&
		is(f.Speaker, store.BySpeaker.Field(o)) && is(f.Origin, o.Source.Origin) &&
		(f.Text == "" || strings.Contains(text.Plain(o.Text), text.Plain(f.Text)))
}

// Observations lists the observations whose scope and claims are all visible to the caller, those observed last first,
// without their mentions.
func (v *View) Observations(ctx context.Context, f ObservationFilter, p Page) (Listing[ObservationRecord], error) {
	q := store.ObservationQuery{From: tenure.MinTime, Before: tenure.MaxTime}
	q.By, q.Name = f.search()
	if f.Since != nil {
		q.From = *f.Since
	}
	if f.Until != nil {
		q.Before = *f.Until
	}
	key := func(o store.ObservationRecord) string {
		return fmt.Sprintf("%d/%s", o.Observation.ObservedAt, o.Observation.ID)
	}
	fetch := func(after string, n int) ([]store.ObservationRecord, error) {
		if q.Limit = n; after != "" {
			if _, err := fmt.Sscanf(after, "%d/%s", &q.Before, &q.BeforeID); err != nil {
				return nil, tenure.FieldError(tenure.StaleCursor, "cursor", "is not the place of an observation")
			}
		}
		return v.reader.ListObservations(ctx, q)
	}
	return scan(p.withDefaults(), fetch, key, func(list []store.ObservationRecord) ([]*ObservationRecord, error) {
		return v.chosen(ctx, f, list)
	})
}

// chosen returns the observations that a filter selects and the caller sees, nil in the place of each other one.
func (v *View) chosen(
	ctx context.Context, f ObservationFilter, list []store.ObservationRecord,
) ([]*ObservationRecord, error) {
	kept := make([]*ObservationRecord, len(list))
	var claims []tenure.ID
	for i, o := range list {
		if v.caller.Within(o.Observation.Scope) && f.chooses(o.Observation) {
			kept[i] = &ObservationRecord{Observation: o.Observation, RecordedAt: o.RecordedAt}
			claims = append(claims, o.Observation.Claims...)
		}
	}
	beliefs, err := v.reader.Beliefs(ctx, claims)
	if err != nil {
		return nil, err
	}
	hidden := map[tenure.ID]bool{} // observations with a claim that the caller does not see
	for _, b := range beliefs {
		if !v.caller.Sees(b.Claim) {
			hidden[b.Claim.Observation] = true
		}
	}
	for i, o := range kept {
		if o != nil && hidden[o.Observation.ID] {
			kept[i] = nil
		}
	}
	return kept, nil
}

// AssignedMention is a mention with its assignment and the root of the assigned entity; both are zero for an
// unassigned mention.
type AssignedMention struct {
	Mention    tenure.Mention
	Assignment tenure.Assignment
	RootID     tenure.ID
}

// Observation returns an observation whose scope and claims are all visible to the caller.
func (v *View) Observation(ctx context.Context, id tenure.ID) (ObservationRecord, error) {
	rec, err := v.reader.Observation(ctx, id)
	if err != nil {
		return ObservationRecord{}, hide(err)
	}
	beliefs, err := v.reader.Beliefs(ctx, rec.Observation.Claims)
	if err != nil {
		return ObservationRecord{}, err
	}
	if !v.caller.Within(rec.Observation.Scope) || len(v.visible(beliefs)) != len(beliefs) {
		return ObservationRecord{}, absent()
	}
	var assigned []tenure.ID
	for _, a := range rec.Assignments {
		assigned = append(assigned, a.Entity)
	}
	roots, err := v.rootIDs(ctx, assigned)
	out := ObservationRecord{Observation: rec.Observation, RecordedAt: rec.RecordedAt}
	for i, m := range rec.Mentions {
		mention := AssignedMention{Mention: m}
		if i < len(rec.Assignments) {
			mention.Assignment = rec.Assignments[i]
			mention.RootID = roots[mention.Assignment.Entity]
		}
		out.Mentions = append(out.Mentions, mention)
	}
	return out, err
}
