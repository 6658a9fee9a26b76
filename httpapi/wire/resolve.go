package wire

import (
	"tenure"
	"tenure/api"
	"tenure/service"
)

// Resolved encodes a resolved mention.
func Resolved(m service.ResolvedMention) api.ResolvedMention {
	v := api.ResolvedMention{
		Name: m.Name, Type: m.Type, Decision: m.Outcome, Score: m.Score, EntityId: m.Entity, Reason: m.Reason,
		Candidates: Each(m.Candidates, candidateView),
	}
	if p := m.Place; p != nil {
		v.Start, v.End, v.Chain = &p.Start, &p.End, p.Chain
	}
	return v
}

func candidateView(c service.RankedCandidate) api.RankedCandidate {
	return api.RankedCandidate{
		EntityId: c.Root.ID, Name: c.Root.Name, Type: c.Root.Type, Status: c.Root.Status,
		Score: c.Score, Veto: c.Veto, Contributions: NonNil(c.Contributions), Aliases: c.Aliases,
	}
}

// Comparison encodes a comparison.
func Comparison(c service.Comparison) api.Comparison {
	return api.Comparison{
		Score: c.Score, Decision: c.Band, Veto: c.Veto, Prior: api.Prior{Name: c.Prior.Name, LogOdds: c.Prior.LogOdds},
		Contributions: NonNil(c.Contributions), Model: c.Model,
	}
}

// CompileRequest converts a request to compile. It returns Invalid for a known_at that cannot be read.
func CompileRequest(in api.CompileInput) (r service.CompileRequest, err error) {
	r = service.CompileRequest{
		Task: service.Task{Type: in.Task.Type, Name: in.Task.Name}, Query: in.Query, Scope: in.Scope,
		Entities: in.Entities, FactsShare: in.FactsShare, Hops: in.Hops, Provider: in.Provider,
		Environment: in.Environment, WorkingSet: in.WorkingSet,
	}
	for _, t := range in.Tools {
		r.Tools = append(r.Tools, service.Tool{Name: t.Name, Description: t.Description, Parameters: t.Parameters})
	}
	for _, t := range in.Turns {
		r.Turns = append(r.Turns, service.Turn{Role: t.Role, Content: t.Content})
	}
	for _, p := range in.Payloads {
		r.Payloads = append(r.Payloads, service.Payload{Origin: p.Origin, Title: p.Title, Content: p.Content})
	}
	for _, q := range in.Required {
		r.Required = append(r.Required, service.Required{EntityID: q.EntityId, Predicate: q.Predicate})
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

// ResolveRequest converts a request to resolve. It returns Invalid for a known_at that cannot be read.
func ResolveRequest(in api.ResolveInput) (r service.ResolveRequest, err error) {
	r = service.ResolveRequest{
		Mentions: Each(in.Mentions, MentionOf), Text: in.Text, Scope: in.Scope, MaxCandidates: Value(in.MaxCandidates),
	}
	if in.KnownAt != "" {
		r.Known, err = parseKnownAt(in.KnownAt, "/known_at")
	}
	return r, err
}

// CheckedConstraint converts the outcome of checking a constraint.
func CheckedConstraint(c service.Checked) api.CheckedConstraint {
	return api.CheckedConstraint{
		ObjectId: c.ObjectID, Pointer: c.Pointer, Text: c.Text, Must: c.Must, MustNot: c.MustNot, Unknown: c.Unknown,
		Outcome: api.CheckOutcome(c.Outcome), Reasons: c.Reasons,
	}
}
