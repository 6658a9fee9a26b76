package wire

import (
	"encoding/json"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// Amended encodes the answer to an amendment for a tenant.
func Amended(tenant string, w service.Written[service.Amended]) api.AmendedJSONResponse {
	a := w.Answer
	var cut service.Cut
	out := api.AmendedJSONResponse{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), AmendmentId: a.Amendment, Undoes: a.Undoes,
		Belief:   Belief(tenant)(a.Belief),
		Restored: shown(&cut, "restored", a.Restored), Displaced: shown(&cut, "displaced", a.Displaced),
	}
	out.Cut = api.Cut(cut)
	return out
}

// Amendment encodes an amendment.
func Amendment(a service.AmendmentRecord) api.AmendmentRecord {
	return api.AmendmentRecord{
		AmendmentId: a.ID, Kind: a.Kind, BeliefId: a.Belief, CaseId: a.Case, At: a.At.Time(),
		AuthorityLevel: a.AuthorityLevel, Role: a.Role, Actor: a.Actor, Reason: a.Reason, Undoes: a.Undoes,
		UndoneBy: a.UndoneBy,
	}
}

// Belief returns a function that encodes beliefs of the caller's tenant.
func Belief(tenant string) func(service.Belief) api.Belief {
	return func(b service.Belief) api.Belief {
		c, s := b.Claim, b.Standing
		v := api.Belief{
			ObjectId: c.ID, ObservationId: c.Observation, Erased: c.Erased,
			Subject: c.Subject, Predicate: c.Predicate, Value: valueView(c),
			PredicateAsWritten: c.PredicateAsWritten, Inverted: c.Inverted, Many: c.Many,
			Key: b.Key, Content: b.Content, NormalizedClaim: b.Normalized, ObjectType: c.ObjectType,
			CanonicalEntityIds: b.RootIDs, Layer: c.Layer, MemoryType: c.MemoryType,
			Scope: c.Scope.Canonical(), TenantId: tenant,
			UserId: c.Scope.UserID, ProjectId: c.Scope.ProjectID, SessionId: c.Scope.SessionID,
			SourceOrigin: c.Source.Origin, SourceAuthority: c.Source.SourceAuthority,
			AuthorityLevel: c.Source.AuthorityLevel, Speaker: c.Source.Speaker, Role: c.Source.Role, ConfidenceScore: c.Confidence,
			SecurityClassification: c.Classification, PermissionScope: c.Permission,
			ValidFrom: OpenTime(c.Window.From), ValidUntil: OpenTime(c.Window.Until), ValidFromBasis: c.Basis,
			RecordedAt: b.RecordedAt.Time(), TxStart: b.StandingTx.From.Time(), TxEnd: OpenTime(b.StandingTx.Until),
			LastConfirmed: s.LastConfirmed.Time(), LastUsed: given(b.LastUsed), WhyItMatters: c.WhyItMatters,
			ApplicableTaskTypes: NonNil(c.ApplicableTaskTypes), BehavioralImplication: c.BehavioralImplication,
			ContradictionStatus: b.Status,
			Supersedes:          NonNil(c.Supersedes), SupersessionEvidence: c.Evidence, DependsOn: NonNil(c.DependsOn),
			Recalls: c.Recalls, NeedsReview: s.NeedsReview, IsConstraint: c.IsConstraint, ConstraintType: c.ConstraintType,
			DecayRule: c.DecayRule, UpdatePath: c.UpdatePath, RetirementRule: c.RetirementRule, CaseId: s.Case,
			Segments: Each(s.Segments, segmentView), Withheld: b.Withheld,
		}
		if b.SupersededBy != "" {
			v.SupersessionLink = &b.SupersededBy
		}
		return v
	}
}

func segmentView(g tenure.Segment) api.Segment {
	return api.Segment{
		ValidFrom: OpenTime(g.From), ValidUntil: OpenTime(g.Until), Status: g.Cause.Status(), Cause: g.Cause,
		By: g.By, Relation: g.Relation,
	}
}

func valueView(c tenure.Claim) json.RawMessage {
	v := c.Value
	switch {
	case c.Erased:
		return json.RawMessage(`{"erased": true}`)
	case v.Entity == "":
		return v.JSON
	}
	raw, err := json.Marshal(map[string]tenure.ID{"entity_id": v.Entity})
	if err != nil {
		panic(err) // a map of strings always has a JSON form
	}
	return raw
}

// Conflict returns a function that encodes conflicts of a tenant.
func Conflict(tenant string) func(service.Conflict) api.Conflict {
	belief := Belief(tenant)
	loss := func(l service.Loss) api.Loss {
		g := segmentView(l.Segment)
		v := api.Loss{
			ValidFrom: g.ValidFrom, ValidUntil: g.ValidUntil, Status: g.Status, Cause: g.Cause, By: g.By, Relation: g.Relation,
		}
		if l.Winner != nil {
			winner := belief(*l.Winner)
			v.Belief = &winner
		}
		return v
	}
	return func(c service.Conflict) api.Conflict {
		return api.Conflict{Belief: belief(c.Belief), CaseId: c.Belief.Standing.Case, LostTo: Each(c.Losses, loss)}
	}
}
