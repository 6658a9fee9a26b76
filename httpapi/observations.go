package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// Observe implements POST /v1/observations.
func (s *server) Observe(ctx context.Context, req api.ObserveRequestObject) (api.ObserveResponseObject, error) {
	if value(req.Params.DryRun) {
		w, err := s.deps.Service.PreviewObservation(ctx, callerOf(ctx), inputOf(*req.Body))
		if err != nil {
			return nil, err
		}
		preview := api.Observe200JSONResponse(answerOf(w))
		preview.DryRun = true
		return preview, nil
	}
	key := idempotencyKey(ctx, req.Params.IdempotencyKey)
	w, err := s.deps.Service.Observe(ctx, callerOf(ctx), key, inputOf(*req.Body))
	if err != nil {
		return nil, err
	}
	return api.Observe201JSONResponse{Body: answerOf(w), Headers: api.Observe201ResponseHeaders{
		Location: "/v1/observations/" + string(w.Answer.ObservationID), IdempotencyReplayed: replayed(w.Receipt),
	}}, nil
}

// GetObservation implements GET /v1/observations/{id}.
func (s *server) GetObservation(
	ctx context.Context, req api.GetObservationRequestObject,
) (api.GetObservationResponseObject, error) {
	v, err := s.read(ctx, nil, nil)
	if err != nil {
		return nil, err
	}
	rec, err := v.Observation(ctx, tenure.ID(req.Id))
	if err != nil {
		return nil, err
	}
	o := rec.Observation
	return api.GetObservation200JSONResponse{
		ObservationId: o.ID, Source: o.Source, Scope: o.Scope.Canonical(), ObservedAt: o.ObservedAt.Time(),
		ReceivedAt: o.ReceivedAt.Time(), RecordedAt: rec.RecordedAt.Time(), Text: o.Text, Actor: o.Actor,
		Mentions: each(rec.Mentions, assignedView), Claims: nonNil(o.Claims),
	}, nil
}

func assignedView(in service.AssignedMention) api.Mention {
	m, a := in.Mention, in.Assignment
	return api.Mention{
		MentionId: m.ID, Name: m.Name, Type: m.Type, Aliases: m.Aliases, Attributes: m.Attributes,
		Context: m.Context, Record: m.Record,
		EntityId: a.Entity, Decision: a.Outcome, Score: a.Score, Reason: a.Reason, RootId: in.RootID,
	}
}
