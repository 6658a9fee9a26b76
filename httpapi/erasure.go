package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/httpapi/wire"
	"tenure/service"
)

// EraseEntity implements DELETE /v1/entities/{id}/content.
func (s *server) EraseEntity(
	ctx context.Context, req api.EraseEntityRequestObject,
) (api.EraseEntityResponseObject, error) {
	e, err := s.erase(ctx, service.ErasureRequest{Entity: tenure.ID(req.Id)}, req.Params.Plan)
	return api.EraseEntity200JSONResponse(e), err
}

// EraseObservation implements DELETE /v1/observations/{id}/content.
func (s *server) EraseObservation(
	ctx context.Context, req api.EraseObservationRequestObject,
) (api.EraseObservationResponseObject, error) {
	e, err := s.erase(ctx, service.ErasureRequest{Observation: tenure.ID(req.Id)}, req.Params.Plan)
	return api.EraseObservation200JSONResponse(e), err
}

// EraseUser implements DELETE /v1/users/{user_id}/content.
func (s *server) EraseUser(ctx context.Context, req api.EraseUserRequestObject) (api.EraseUserResponseObject, error) {
	e, err := s.erase(ctx, service.ErasureRequest{User: req.UserId}, req.Params.Plan)
	return api.EraseUser200JSONResponse(e), err
}

func (s *server) erase(ctx context.Context, q service.ErasureRequest, plan string) (api.Erasure, error) {
	e, err := s.deps.Service.Erase(ctx, callerOf(ctx), q, plan)
	return wire.Erasure(e), err
}
