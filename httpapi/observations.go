package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/httpapi/wire"
)

// Observe implements POST /v1/observations.
func (s *server) Observe(ctx context.Context, req api.ObserveRequestObject) (api.ObserveResponseObject, error) {
	if wire.Value(req.Params.DryRun) {
		w, err := s.deps.Service.PreviewObservation(ctx, callerOf(ctx), wire.Input(*req.Body))
		preview := api.Observe200JSONResponse(wire.ObservationAnswer(w))
		preview.DryRun = true
		return preview, err
	}
	w, err := s.deps.Service.Observe(ctx, callerOf(ctx), keyOf(ctx), wire.Input(*req.Body))
	return api.Observe201JSONResponse(wire.ObservationAnswer(w)),
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
		ReceivedAt: o.ReceivedAt.Time(), RecordedAt: rec.RecordedAt.Time(), Text: o.Text,
		SecurityClassification: o.Classification, PermissionScope: o.Permission,
		Addressee: o.Addressee, Actor: o.Actor, Statements: wire.Statements(o.Statements),
		Mentions: wire.Each(rec.Mentions, wire.Mention), Claims: wire.NonNil(o.Claims), Of: o.Of, For: o.For,
		Erased: o.Erased, TextErased: o.TextErased,
	}, nil
}

// ListObservations implements GET /v1/observations.
func (s *server) ListObservations(
	ctx context.Context, req api.ListObservationsRequestObject,
) (api.ListObservationsResponseObject, error) {
	p := req.Params
	f, err := wire.ObservationFilter(p)
	if err != nil {
		return nil, err
	}
	l, err := s.listPage(ctx, p.Limit, p.Cursor, nil, p.KnownAt)
	if err != nil {
		return nil, err
	}
	page, err := l.Observations(ctx, f, l.page)
	return api.ListObservations200JSONResponse{
		Items: wire.Each(page.Items, wire.ListedObservation), NextCursor: nextCursor(l, page), AsOf: wire.KnownState(l.State()),
	}, err
}
