package httpapi

import (
	"context"

	"tenure"
	"tenure/api"
	"tenure/httpapi/wire"
	"tenure/service"
)

// GetProposal implements GET /v1/observations/{id}/proposals/{number}.
func (s *server) GetProposal(
	ctx context.Context, req api.GetProposalRequestObject,
) (api.GetProposalResponseObject, error) {
	v, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	p, err := v.Proposal(ctx, tenure.ID(req.Id), req.Number)
	if err != nil {
		return nil, err
	}
	return api.GetProposal200JSONResponse(wire.ProposedChange(p)), nil
}

// AnswerProposal implements POST /v1/observations/{id}/proposals/{number}/answer.
func (s *server) AnswerProposal(
	ctx context.Context, req api.AnswerProposalRequestObject,
) (api.AnswerProposalResponseObject, error) {
	w, err := s.deps.Service.AnswerProposal(ctx, callerOf(ctx), keyOf(ctx), service.ProposalDecision{
		Observation: tenure.ID(req.Id), Number: req.Number, Accept: req.Body.Answer == "accept",
		Version: req.Body.Version, Reviewer: req.Body.Reviewer, Note: req.Body.Note,
	})
	if err != nil {
		return nil, err
	}
	return api.AnswerProposal200JSONResponse(wire.ProposalAnswer(w)), told(ctx, w.Receipt, nil)
}
