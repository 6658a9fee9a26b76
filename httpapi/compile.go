package httpapi

import (
	"context"
	"net/http"
	"strconv"

	"tenure"
	"tenure/api"
	"tenure/auth"
	"tenure/compile"
)

// Compile implements POST /v1/compile.
func (s *server) Compile(ctx context.Context, req api.CompileRequestObject) (api.CompileResponseObject, error) {
	caller := callerOf(ctx)
	in, err := compileRequest(caller, *req.Body)
	if err != nil {
		return nil, err
	}
	body, err := s.deps.Compiler.Compile(ctx, caller, stateOf(ctx).requestID, in)
	if e := asError(err); err != nil && e.Code == tenure.Unprocessable && len(e.Fields) == 0 && in.AsOf != tenure.Present {
		return nil, futureState("/known_at", err)
	}
	if err != nil {
		return nil, err
	}
	return compilation(body), nil
}

func compileRequest(c tenure.Caller, in api.CompileInput) (compile.Request, error) {
	scope, err := auth.Bind(c, in.Scope, "/scope")
	if err != nil {
		return compile.Request{}, err
	}
	r := compile.Request{
		Task: compile.Task{Type: in.Task.Type, Name: in.Task.Name}, Query: in.Query, Scope: scope,
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
		r.Identity = &compile.Identity{
			EntityID: who.EntityId, Name: who.Name, UserID: who.UserId, Roles: who.Roles, Authority: who.Authority,
			Department: who.Department, Organization: who.Organization,
			CommunicationStyle: who.CommunicationStyle, Permissions: who.Permissions,
		}
	}
	return r, nil
}

// GetCompilation implements GET /v1/compilations/{trace_id}.
func (s *server) GetCompilation(ctx context.Context, req api.GetCompilationRequestObject) (api.GetCompilationResponseObject, error) {
	body, err := s.deps.Compiler.Compilation(ctx, callerOf(ctx), req.TraceId)
	if tenure.CodeOf(err) == tenure.NotFound {
		return nil, notFound()
	}
	if err != nil {
		return nil, err
	}
	return compilation(body), nil
}

// compilation is an answer that is given byte for byte as it was kept.
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
