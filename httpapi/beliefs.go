package httpapi

import (
	"context"
	"encoding/json"
	"time"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// ListBeliefs implements GET /v1/beliefs.
func (s *server) ListBeliefs(
	ctx context.Context, req api.ListBeliefsRequestObject,
) (api.ListBeliefsResponseObject, error) {
	p := req.Params
	l, err := s.listPage(ctx, p.Limit, p.Cursor, p.ValidAt, p.KnownAt)
	if err != nil {
		return nil, err
	}
	page, err := l.Beliefs(ctx, service.BeliefFilter{
		Entity: tenure.ID(value(p.EntityId)), Predicate: value(p.Predicate), Status: tenure.Status(value(p.Status)),
		Text: value(p.Text), Source: value(p.Source), Layer: tenure.Layer(value(p.Layer)), NeedsReview: p.NeedsReview,
	}, l.page)
	return api.ListBeliefs200JSONResponse{
		Items: each(page.Items, beliefView(callerOf(ctx).Tenant)), NextCursor: nextCursor(l, page), AsOf: asOf(l.View),
	}, err
}

// GetBelief implements GET /v1/beliefs/{id}.
func (s *server) GetBelief(ctx context.Context, req api.GetBeliefRequestObject) (api.GetBeliefResponseObject, error) {
	v, err := s.read(ctx, req.Params.ValidAt, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	b, err := v.Belief(ctx, tenure.ID(req.Id))
	return api.GetBelief200JSONResponse(beliefView(callerOf(ctx).Tenant)(b)), err
}

// GetBeliefChain implements GET /v1/beliefs/{id}/chain.
func (s *server) GetBeliefChain(
	ctx context.Context, req api.GetBeliefChainRequestObject,
) (api.GetBeliefChainResponseObject, error) {
	v, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	list, truncated, err := v.Chain(ctx, tenure.ID(req.Id))
	return api.GetBeliefChain200JSONResponse{Items: each(list, beliefView(callerOf(ctx).Tenant)), Truncated: truncated}, err
}

// ConfirmBelief implements POST /v1/beliefs/{id}/confirm.
func (s *server) ConfirmBelief(
	ctx context.Context, req api.ConfirmBeliefRequestObject,
) (api.ConfirmBeliefResponseObject, error) {
	a, err := s.amend(ctx, tenure.Confirm, req.Id, req.Params.IdempotencyKey, req.Body)
	return api.ConfirmBelief200JSONResponse{AmendedJSONResponse: a}, err
}

// RetractBelief implements POST /v1/beliefs/{id}/retract.
func (s *server) RetractBelief(
	ctx context.Context, req api.RetractBeliefRequestObject,
) (api.RetractBeliefResponseObject, error) {
	a, err := s.amend(ctx, tenure.Retract, req.Id, req.Params.IdempotencyKey, req.Body)
	return api.RetractBelief200JSONResponse{AmendedJSONResponse: a}, err
}

// EndBelief implements POST /v1/beliefs/{id}/end.
func (s *server) EndBelief(ctx context.Context, req api.EndBeliefRequestObject) (api.EndBeliefResponseObject, error) {
	a, err := s.amend(ctx, tenure.End, req.Id, req.Params.IdempotencyKey, req.Body)
	return api.EndBelief200JSONResponse{AmendedJSONResponse: a}, err
}

func (s *server) amend(
	ctx context.Context, kind tenure.AmendmentKind, id api.Id, key *string, in *api.AmendmentInput,
) (api.AmendedJSONResponse, error) {
	body := value(in)
	w, err := s.deps.Service.Amend(ctx, callerOf(ctx), idempotencyKey(ctx, key), service.Amendment{
		Kind: kind, Belief: tenure.ID(id), At: instantOf(body.At), AuthorityLevel: body.AuthorityLevel, Reason: body.Reason,
	})
	return amendedView(callerOf(ctx).Tenant, w), told(ctx, w.Receipt, err)
}

// UndoAmendment implements POST /v1/amendments/{id}/undo.
func (s *server) UndoAmendment(
	ctx context.Context, req api.UndoAmendmentRequestObject,
) (api.UndoAmendmentResponseObject, error) {
	key := idempotencyKey(ctx, req.Params.IdempotencyKey)
	w, err := s.deps.Service.UndoAmendment(ctx, callerOf(ctx), key, tenure.ID(req.Id), value(req.Body).Reason)
	return api.UndoAmendment200JSONResponse{AmendedJSONResponse: amendedView(callerOf(ctx).Tenant, w)}, told(ctx, w.Receipt, err)
}

func amendedView(tenant string, w service.Written[service.Amended]) api.AmendedJSONResponse {
	return api.AmendedJSONResponse{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), AmendmentId: w.Answer.Amendment, Undoes: w.Answer.Undoes,
		Belief: beliefView(tenant)(w.Answer.Belief), Restored: nonNil(w.Answer.Restored), Displaced: nonNil(w.Answer.Displaced),
	}
}

// ListAmendments implements GET /v1/beliefs/{id}/amendments.
func (s *server) ListAmendments(
	ctx context.Context, req api.ListAmendmentsRequestObject,
) (api.ListAmendmentsResponseObject, error) {
	v, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	list, err := v.Amendments(ctx, tenure.ID(req.Id))
	return api.ListAmendments200JSONResponse{Items: each(list, amendmentView)}, err
}

// GetAmendment implements GET /v1/amendments/{id}.
func (s *server) GetAmendment(
	ctx context.Context, req api.GetAmendmentRequestObject,
) (api.GetAmendmentResponseObject, error) {
	v, err := s.read(ctx, nil, req.Params.KnownAt)
	if err != nil {
		return nil, err
	}
	a, err := v.Amendment(ctx, tenure.ID(req.Id))
	return api.GetAmendment200JSONResponse(amendmentView(a)), err
}

func amendmentView(a service.AmendmentRecord) api.AmendmentRecord {
	return api.AmendmentRecord{
		AmendmentId: a.ID, Kind: a.Kind, BeliefId: a.Belief, CaseId: a.Case, At: a.At.Time(),
		AuthorityLevel: a.AuthorityLevel, Role: a.Role, Actor: a.Actor, Reason: a.Reason, Undoes: a.Undoes,
		UndoneBy: a.UndoneBy,
	}
}

// openTime converts an instant; nil for the open end of a window.
func openTime(i tenure.Instant) *time.Time {
	if i == tenure.MaxTime || i == tenure.MinTime {
		return nil
	}
	t := i.Time()
	return &t
}

// beliefView returns a function that encodes beliefs of the caller's tenant.
func beliefView(tenant string) func(service.Belief) api.Belief {
	return func(b service.Belief) api.Belief {
		c, s := b.Claim, b.Standing
		v := api.Belief{
			ObjectId: c.ID, ObservationId: c.Observation,
			Subject: c.Subject, Predicate: c.Predicate, Value: valueView(c.Value),
			PredicateAsWritten: c.PredicateAsWritten, Inverted: c.Inverted, Many: c.Many,
			Key: b.Key, Content: b.Content, NormalizedClaim: b.Normalized, ObjectType: c.ObjectType,
			CanonicalEntityIds: b.RootIDs, Layer: c.Layer, MemoryType: c.MemoryType,
			Scope: c.Scope.Canonical(), TenantId: tenant,
			UserId: c.Scope.UserID, ProjectId: c.Scope.ProjectID, SessionId: c.Scope.SessionID,
			SourceOrigin: c.Source.Origin, SourceAuthority: c.Source.SourceAuthority,
			AuthorityLevel: c.Source.AuthorityLevel, Speaker: c.Source.Speaker, Role: c.Source.Role, ConfidenceScore: c.Confidence,
			SecurityClassification: c.Classification, PermissionScope: c.Permission,
			ValidFrom: openTime(c.Window.From), ValidUntil: openTime(c.Window.Until), ValidFromBasis: c.Basis,
			RecordedAt: b.RecordedAt.Time(), TxStart: b.StandingTx.From.Time(), TxEnd: openTime(b.StandingTx.Until),
			LastConfirmed: s.LastConfirmed.Time(), WhyItMatters: c.WhyItMatters,
			ApplicableTaskTypes: nonNil(c.ApplicableTaskTypes), BehavioralImplication: c.BehavioralImplication,
			ContradictionStatus: b.Status,
			Supersedes:          nonNil(c.Supersedes), SupersessionEvidence: c.Evidence, DependsOn: nonNil(c.DependsOn),
			Recalls: c.Recalls, NeedsReview: s.NeedsReview, IsConstraint: c.IsConstraint, ConstraintType: c.ConstraintType,
			DecayRule: c.DecayRule, UpdatePath: c.UpdatePath, RetirementRule: c.RetirementRule, CaseId: s.Case,
			Segments: each(s.Segments, segmentView), Withheld: b.Withheld,
		}
		if b.SupersededBy != "" {
			v.SupersessionLink = &b.SupersededBy
		}
		return v
	}
}

func segmentView(g tenure.Segment) api.Segment {
	return api.Segment{
		ValidFrom: openTime(g.From), ValidUntil: openTime(g.Until), Status: g.Cause.Status(), Cause: g.Cause,
		By: g.By, Relation: g.Relation,
	}
}

func valueView(v tenure.Value) json.RawMessage {
	if v.Entity == "" {
		return v.JSON
	}
	raw, err := json.Marshal(map[string]tenure.ID{"entity_id": v.Entity})
	if err != nil {
		panic(err) // a map of strings always has a JSON form
	}
	return raw
}
