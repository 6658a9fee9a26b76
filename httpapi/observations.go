package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/store"
)

// Observe implements POST /v1/observations.
func (s *server) Observe(ctx context.Context, req api.ObserveRequestObject) (api.ObserveResponseObject, error) {
	in, err := inputOf(callerOf(ctx), *req.Body)
	if err != nil {
		return nil, err
	}
	answer, r, err := s.deps.Observer.Observe(ctx, callerOf(ctx), idempotencyKey(ctx, req.Params.IdempotencyKey), in)
	if err != nil {
		return nil, err
	}
	return api.Observe201JSONResponse{Body: answerOf(answer, r), Headers: api.Observe201ResponseHeaders{
		Location: "/v1/observations/" + string(answer.ObservationID), IdempotencyReplayed: replayed(r),
	}}, nil
}

// GetObservation implements GET /v1/observations/{id}.
func (s *server) GetObservation(ctx context.Context, req api.GetObservationRequestObject) (api.GetObservationResponseObject, error) {
	r, err := s.view(ctx, tenure.Present)
	if err != nil {
		return nil, err
	}
	rec, err := observationByID(ctx, r, tenure.ID(req.Id))
	if err != nil {
		return nil, err
	}
	var assigned []tenure.ID
	for _, a := range rec.Assignments {
		assigned = append(assigned, a.Entity)
	}
	canonical, err := canonicalIDs(ctx, r, assigned)
	if err != nil {
		return nil, err
	}
	o := rec.Observation
	out := api.Observation{
		ObservationId: o.ID, Source: o.Source, Scope: o.Scope.Normal(), ObservedAt: o.ObservedAt.Time(),
		ReceivedAt: o.ReceivedAt.Time(), RecordedAt: rec.RecordedAt.Time(), Text: o.Text, Actor: o.Actor,
		Mentions: []api.Mention{}, Claims: some(o.Claims),
	}
	for i, m := range rec.Mentions {
		view := api.Mention{
			MentionId: m.ID, Name: m.Name, Type: m.Type, Aliases: m.Aliases, Attributes: m.Attributes,
			Context: m.Context, Record: m.Record,
		}
		if i < len(rec.Assignments) {
			a := rec.Assignments[i]
			view.EntityId, view.Decision, view.Score, view.Reason = a.Entity, a.Outcome, a.Score, a.Reason
			view.CanonicalId = canonical[a.Entity]
		}
		out.Mentions = append(out.Mentions, view)
	}
	return api.GetObservation200JSONResponse(out), nil
}

// observationByID is an observation whose claims the caller may all see;
// NotFound otherwise.
func observationByID(ctx context.Context, r store.Reader, id tenure.ID) (*store.ObservationRecord, error) {
	rec, err := r.Observation(ctx, id)
	if tenure.CodeOf(err) == tenure.NotFound {
		return nil, notFound()
	}
	if err != nil {
		return nil, err
	}
	caller := callerOf(ctx)
	beliefs, err := r.Beliefs(ctx, rec.Observation.Claims)
	if err != nil {
		return nil, err
	}
	seen := caller.Within(rec.Observation.Scope)
	for _, b := range beliefs {
		seen = seen && caller.Sees(b.Claim)
	}
	if !seen {
		return nil, notFound()
	}
	return &rec, nil
}
