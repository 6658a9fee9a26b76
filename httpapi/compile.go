package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"tenure/api"
	"tenure/httpapi/wire"
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
