package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"tenure/api"
	"tenure/httpapi/wire"
	"tenure/service"
)

// Compile implements POST /v1/compile.
func (s *server) Compile(ctx context.Context, req api.CompileRequestObject) (api.CompileResponseObject, error) {
	in, err := wire.CompileRequest(*req.Body)
	if err != nil {
		return nil, err
	}
	body, err := s.deps.Service.Compile(ctx, callerOf(ctx), stateOf(ctx).requestID, in)
	return compilation(body), err
}

// GetCompilation implements GET /v1/compilations/{trace_id}.
func (s *server) GetCompilation(
	ctx context.Context, req api.GetCompilationRequestObject,
) (api.GetCompilationResponseObject, error) {
	body, err := s.deps.Service.Compilation(ctx, callerOf(ctx), req.TraceId)
	return compilation(body), err
}

// compilation is a stored answer, written byte for byte.
type compilation []byte

func (c compilation) write(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(c)))
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(c)
	return err
}

func (c compilation) VisitCompileResponse(w http.ResponseWriter) error        { return c.write(w) }
func (c compilation) VisitGetCompilationResponse(w http.ResponseWriter) error { return c.write(w) }

// CheckAnswer implements POST /v1/compilations/{trace_id}/check.
func (s *server) CheckAnswer(
	ctx context.Context, req api.CheckAnswerRequestObject,
) (api.CheckAnswerResponseObject, error) {
	outcome, list, err := s.deps.Service.CheckAnswer(ctx, callerOf(ctx), req.TraceId, req.Body.Answer)
	if err != nil {
		return nil, err
	}
	return api.CheckAnswer200JSONResponse{
		Outcome: api.CheckOutcome(outcome), Constraints: wire.Each(list, wire.CheckedConstraint),
	}, nil
}

// ExplainObject implements GET /v1/compilations/{trace_id}/why.
func (s *server) ExplainObject(
	ctx context.Context, req api.ExplainObjectRequestObject,
) (api.ExplainObjectResponseObject, error) {
	fate, err := s.deps.Service.Why(ctx, callerOf(ctx), req.TraceId, req.Params.Object)
	if err != nil {
		return nil, err
	}
	return asJSON(fate)
}

// ReplayCompilation implements POST /v1/compilations/{trace_id}/replay.
func (s *server) ReplayCompilation(
	ctx context.Context, req api.ReplayCompilationRequestObject,
) (api.ReplayCompilationResponseObject, error) {
	d, err := s.deps.Service.Replay(ctx, callerOf(ctx), req.TraceId)
	if err != nil {
		return nil, err
	}
	return asJSON(d)
}

// ReportOutcome implements POST /v1/compilations/{trace_id}/outcome.
func (s *server) ReportOutcome(
	ctx context.Context, req api.ReportOutcomeRequestObject,
) (api.ReportOutcomeResponseObject, error) {
	o, err := s.deps.Service.ReportOutcome(ctx, callerOf(ctx), req.TraceId, wire.OutcomeInput(*req.Body))
	return api.ReportOutcome200JSONResponse(wire.Outcome(o)), err
}

// GetOutcome implements GET /v1/compilations/{trace_id}/outcome.
func (s *server) GetOutcome(
	ctx context.Context, req api.GetOutcomeRequestObject,
) (api.GetOutcomeResponseObject, error) {
	o, err := s.deps.Service.Outcome(ctx, callerOf(ctx), req.TraceId)
	return api.GetOutcome200JSONResponse(wire.Outcome(o)), err
}

// GetOutcomeStatistics implements GET /v1/compilations/statistics.
func (s *server) GetOutcomeStatistics(
	ctx context.Context, req api.GetOutcomeStatisticsRequestObject,
) (api.GetOutcomeStatisticsResponseObject, error) {
	since, err := wire.Since(req.Params.Since)
	if err != nil {
		return nil, err
	}
	page := service.Page{Limit: wire.Value(req.Params.Limit)}.WithDefaults()
	sums, err := s.deps.Service.OutcomeStatistics(ctx, callerOf(ctx), since, page.Limit)
	return api.GetOutcomeStatistics200JSONResponse(wire.OutcomeStatistics(sums)), err
}

// asJSON returns an answer that is written as it is: compile's own types have the form of the document.
func asJSON(answer any) (compilation, error) { return json.Marshal(answer) }

func (c compilation) VisitExplainObjectResponse(w http.ResponseWriter) error     { return c.write(w) }
func (c compilation) VisitReplayCompilationResponse(w http.ResponseWriter) error { return c.write(w) }
