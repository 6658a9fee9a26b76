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
		preview := api.Observe200JSONResponse(answerOf(w))
		preview.DryRun = true
		return preview, err
	}
	key := idempotencyKey(ctx, req.Params.IdempotencyKey)
	w, err := s.deps.Service.Observe(ctx, callerOf(ctx), key, inputOf(*req.Body))
	return api.Observe201JSONResponse(answerOf(w)),
		made(ctx, "/v1/observations/", w.Answer.ObservationID, w.Receipt, err)
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

// ListObservations implements GET /v1/observations.
func (s *server) ListObservations(
	ctx context.Context, req api.ListObservationsRequestObject,
) (api.ListObservationsResponseObject, error) {
	p := req.Params
	f := service.ObservationFilter{
		Session: value(p.SessionId), Project: value(p.ProjectId), Speaker: value(p.Speaker), Origin: value(p.Origin),
		Text: value(p.Text),
	}
	var err error
	if f.Since, err = instantParameter("since", p.Since); err != nil {
		return nil, err
	}
	if f.Until, err = instantParameter("until", p.Until); err != nil {
		return nil, err
	}
	l, err := s.listPage(ctx, p.Limit, p.Cursor, nil, p.KnownAt)
	if err != nil {
		return nil, err
	}
	page, err := l.Observations(ctx, f, l.page)
	return api.ListObservations200JSONResponse{
		Items: each(page.Items, listedView), NextCursor: nextCursor(l, page), AsOf: knownState(l.State()),
	}, err
}

// maxListedText is how many characters of a text are shown in a list.
const maxListedText = 2000

func listedView(rec service.ObservationRecord) api.ListedObservation {
	o := rec.Observation
	v := api.ListedObservation{
		ObservationId: o.ID, Source: o.Source, Scope: o.Scope.Canonical(), ObservedAt: o.ObservedAt.Time(),
		ReceivedAt: o.ReceivedAt.Time(), RecordedAt: rec.RecordedAt.Time(), Text: o.Text, Actor: o.Actor,
		Claims: nonNil(o.Claims),
	}
	if runes := []rune(o.Text); len(runes) > maxListedText {
		v.Text, v.TextTruncated = string(runes[:maxListedText]), true
	}
	return v
}

func assignedView(in service.AssignedMention) api.Mention {
	m, a := in.Mention, in.Assignment
	return api.Mention{
		MentionId: m.ID, Name: m.Name, Type: m.Type, Aliases: m.Aliases, Attributes: m.Attributes,
		Context: m.Context, Record: m.Record,
		EntityId: a.Entity, Decision: a.Outcome, Score: a.Score, Reason: a.Reason, RootId: in.RootID,
	}
}
