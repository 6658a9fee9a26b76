package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// Compile implements POST /v1/compile.
func (s *server) Compile(ctx context.Context, req api.CompileRequestObject) (api.CompileResponseObject, error) {
	in, err := compileRequest(*req.Body)
	if err != nil {
		return nil, err
	}
	body, err := s.deps.Service.Compile(ctx, callerOf(ctx), stateOf(ctx).requestID, in)
	return compilation(body), err
}

func compileRequest(in api.CompileInput) (r service.CompileRequest, err error) {
	r = service.CompileRequest{
		Task: service.Task{Type: in.Task.Type, Name: in.Task.Name}, Query: in.Query, Scope: in.Scope,
		Entities: in.Entities, FactsShare: in.FactsShare, Hops: in.Hops, Provider: in.Provider,
		Environment: in.Environment, WorkingSet: in.WorkingSet,
	}
	if in.BudgetTokens != nil {
		r.BudgetTokens = *in.BudgetTokens
	}
	if !in.ValidAt.IsZero() {
		r.ValidAt = tenure.At(in.ValidAt)
	}
	if in.KnownAt != "" {
		if r.AsOf, err = parseKnownAt(in.KnownAt, "/known_at"); err != nil {
			return r, err
		}
	}
	if who := in.Identity; who != nil {
		r.Identity = &service.Identity{
			EntityID: who.EntityId, Name: who.Name, UserID: who.UserId, Roles: who.Roles, Authority: who.Authority,
			Department: who.Department, Organization: who.Organization,
			CommunicationStyle: who.CommunicationStyle, Permissions: who.Permissions,
		}
	}
	return r, nil
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
