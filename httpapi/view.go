package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"tenure"
	"tenure/api"
	"tenure/ingest"
	"tenure/store"
)

// openTime is nil where a window is open.
func openTime(i tenure.Instant) *time.Time {
	if i == tenure.Forever || i == tenure.Dawn {
		return nil
	}
	t := i.Time()
	return &t
}

// visibleBeliefs leaves out what the caller may not see.
func visibleBeliefs(c tenure.Caller, list []tenure.Belief) []tenure.Belief {
	return slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool { return !c.Sees(b.Claim) })
}

// rootsOf finds the canonical ids of the entities that beliefs are about.
func rootsOf(ctx context.Context, r store.Reader, list []tenure.Belief) (map[tenure.ID]tenure.ID, error) {
	var ids []tenure.ID
	for _, b := range list {
		ids = append(ids, b.Claim.Subject)
		if b.Claim.Value.Entity != "" {
			ids = append(ids, b.Claim.Value.Entity)
		}
	}
	return canonicalIDs(ctx, r, ids)
}

// canonicalIDs finds the roots of entities.
func canonicalIDs(ctx context.Context, r store.Reader, ids []tenure.ID) (map[tenure.ID]tenure.ID, error) {
	entities, err := r.Entities(ctx, slices.Compact(slices.Sorted(slices.Values(ids))))
	roots := make(map[tenure.ID]tenure.ID, len(entities))
	for _, e := range entities {
		roots[e.ID] = e.Root()
	}
	return roots, err
}

// beliefs are the views of beliefs at an instant, in their order.
func beliefs(ctx context.Context, r store.Reader, list []tenure.Belief, at tenure.Instant) ([]api.Belief, error) {
	roots, err := rootsOf(ctx, r, list)
	if err != nil {
		return nil, err
	}
	views := make([]api.Belief, 0, len(list))
	for _, b := range list {
		views = append(views, beliefView(callerOf(ctx).Tenant, b, roots, at))
	}
	return views, nil
}

// beliefByID is one visible belief; NotFound otherwise.
func beliefByID(ctx context.Context, r store.Reader, id tenure.ID) (tenure.Belief, error) {
	list, err := r.Beliefs(ctx, []tenure.ID{id})
	if err != nil {
		return tenure.Belief{}, err
	}
	if list = visibleBeliefs(callerOf(ctx), list); len(list) != 1 {
		return tenure.Belief{}, notFound()
	}
	return list[0], nil
}

func beliefView(tenant string, b tenure.Belief, roots map[tenure.ID]tenure.ID, at tenure.Instant) api.Belief {
	c, s := b.Claim, b.Standing
	_, covered := s.At(at)
	decisive := ingest.Decisive(s, at)
	status := tenure.Clean
	if len(s.Segments) > 0 {
		status = decisive.Cause.Status()
	}
	v := api.Belief{
		ObjectId: c.ID, ObservationId: c.Observation, Subject: c.Subject, Predicate: c.Predicate, Value: valueView(c.Value),
		Key: cmp.Or(c.Key, c.Predicate), Content: cmp.Or(c.Content, normalized(c)), NormalizedClaim: normalized(c), ObjectType: c.ObjectType,
		CanonicalEntityIds: canonical(c, roots), Layer: c.Layer, MemoryType: c.MemoryType,
		Scope: c.Scope.Normal(), TenantId: tenant, UserId: c.Scope.UserID, ProjectId: c.Scope.ProjectID, SessionId: c.Scope.SessionID,
		SourceOrigin: c.Source.Origin, SourceAuthority: c.Source.SourceAuthority,
		AuthorityLevel: c.Source.AuthorityLevel, Speaker: c.Source.Speaker, ConfidenceScore: c.Confidence,
		SecurityClassification: c.Classification, PermissionScope: c.Permission,
		ValidFrom: openTime(c.Window.From), ValidUntil: openTime(c.Window.Until), ValidFromBasis: c.Basis,
		RecordedAt: b.RecordedAt.Time(), TxStart: b.StandingTx.From.Time(), TxEnd: openTime(b.StandingTx.Until),
		LastConfirmed: s.LastConfirmed.Time(), WhyItMatters: c.WhyItMatters,
		ApplicableTaskTypes: some(c.ApplicableTaskTypes), BehavioralImplication: c.BehavioralImplication,
		ContradictionStatus: status, SupersessionLink: displacedBy(decisive),
		Supersedes: some(c.Supersedes), SupersessionEvidence: c.Evidence, DependsOn: some(c.DependsOn),
		NeedsReview: s.NeedsReview, IsConstraint: c.IsConstraint, ConstraintType: c.ConstraintType,
		DecayRule: c.DecayRule, UpdatePath: c.UpdatePath, RetirementRule: c.RetirementRule, CaseId: s.Case,
		Segments: []api.Segment{}, Withheld: !covered || status != tenure.Clean || s.NeedsReview,
	}
	for _, g := range s.Segments {
		v.Segments = append(v.Segments, api.Segment{
			ValidFrom: openTime(g.From), ValidUntil: openTime(g.Until), Status: g.Cause.Status(), Cause: g.Cause,
			By: g.By, Relation: g.Relation,
		})
	}
	return v
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

func canonical(c tenure.Claim, roots map[tenure.ID]tenure.ID) []tenure.ID {
	ids := []tenure.ID{}
	for _, id := range []tenure.ID{c.Subject, c.Value.Entity} {
		if id = cmp.Or(roots[id], id); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// displacedBy is the belief that took the place of a segment's, if one did; an
// amendment is none.
func displacedBy(g tenure.Segment) *tenure.ID {
	switch g.Cause {
	case tenure.ByAuthority, tenure.BySuccession, tenure.ByName:
		if g.By != "" {
			return &g.By
		}
	}
	return nil
}

// inProject tells whether an object of the project may be seen by the caller.
func inProject(c tenure.Caller, project string) bool {
	return c.Within(tenure.Scope{ProjectID: project})
}

func entryView(e tenure.Entry) api.Entry {
	v := api.Entry{
		Seq: e.Seq, RecordedAt: e.Tx.Time(), ChangeSetId: e.ID, Operation: e.Operation, Actor: e.Actor,
		Changes: []api.EntrySubject{}, Hash: e.Hash,
	}
	for _, c := range e.Changes {
		v.Changes = append(v.Changes, api.EntrySubject{Kind: string(c.Kind), Id: c.ID, EntityId: c.Entity, BeliefId: c.Belief, Name: c.Name})
	}
	return v
}

func keyView(c tenure.Credential) api.Key {
	v := api.Key{
		Id: c.ID, Label: c.Label, Roles: some(c.Roles), Clearance: c.Clearance, MaxAuthority: c.MaxAuthority,
		ActFor: c.ActFor, Bound: c.Bound, CreatedAt: c.CreatedAt.Time(),
	}
	if c.RevokedAt != 0 {
		v.RevokedAt = c.RevokedAt.Time()
	}
	return v
}

func termView(t tenure.Term) api.Term {
	v := api.Term{
		Name: t.Name, Parent: t.Parent, Cardinality: t.Cardinality, ValueType: t.ValueType,
		Constant: t.Constant, Deduplicated: t.Deduplicated, Registered: t.Registered,
		Exclusive: t.Exclusive, Normalizer: t.Normalizer, Region: t.Region,
	}
	if t.Vocabulary == tenure.Predicates {
		v.SuccessionGap = &t.SuccessionGap
	}
	return v
}

// normalized is the claim as a normalized fact (Context Architecture,
// Fact-to-Instruction Conversion Ladder, level 1), unless it states one.
func normalized(c tenure.Claim) string {
	switch {
	case c.NormalizedClaim != "":
		return c.NormalizedClaim
	case c.Value.Entity != "":
		return c.Predicate + " == " + string(c.Value.Entity)
	default:
		return c.Predicate + " == " + string(c.Value.JSON)
	}
}
