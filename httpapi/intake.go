package httpapi

import (
	"time"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// observationOf returns the observation in a line of a batch.
func observationOf(l api.BatchLine) api.ObservationInput {
	return api.ObservationInput{
		Source: l.Source, Scope: l.Scope, ObservedAt: l.ObservedAt, Text: l.Text, Mentions: l.Mentions, Claims: l.Claims,
	}
}

// inputOf converts the observation in a body.
func inputOf(o api.ObservationInput) service.Observation {
	in := service.Observation{
		Source: service.Source{
			Origin: o.Source.Origin, AuthorityLevel: o.Source.AuthorityLevel, SourceAuthority: o.Source.SourceAuthority,
			Speaker: o.Source.Speaker, Role: o.Source.Role, Session: o.Source.SessionId,
		},
		Scope: o.Scope, ObservedAt: instantOf(o.ObservedAt), Text: o.Text,
	}
	for _, m := range o.Mentions {
		in.Mentions = append(in.Mentions, mentionOf(m))
	}
	for _, claim := range o.Claims {
		in.Claims = append(in.Claims, claimOf(claim))
	}
	return in
}

func mentionOf(m api.MentionInput) service.Mention {
	return service.Mention{
		Name: m.Name, Type: m.Type, Aliases: m.Aliases, Attributes: m.Attributes, Context: m.Context, Record: m.Record,
	}
}

func claimOf(c api.ClaimInput) service.Claim {
	return service.Claim{
		Subject:   service.Ref{Mention: c.Subject.Mention, EntityID: c.Subject.EntityId},
		Predicate: c.Predicate, Value: service.ParseValue(c.Value), Key: c.Key, Layer: c.Layer, Confidence: c.ConfidenceScore,
		ValidFrom: instantOf(c.ValidFrom), ValidUntil: instantOf(c.ValidUntil),
		Supersedes: c.Supersedes, Evidence: c.SupersessionEvidence, DependsOn: c.DependsOn, Recalls: c.Recalls, Many: c.Many,
		Description: tenure.Description{
			ObjectType: c.ObjectType, Content: c.Content, NormalizedClaim: c.NormalizedClaim,
			MemoryType: c.MemoryType, IsConstraint: c.IsConstraint, ConstraintType: c.ConstraintType,
			Classification: c.SecurityClassification, Permission: c.PermissionScope,
			WhyItMatters: c.WhyItMatters, ApplicableTaskTypes: c.ApplicableTaskTypes,
			BehavioralImplication: c.BehavioralImplication, DecayRule: c.DecayRule,
			UpdatePath: c.UpdatePath, RetirementRule: c.RetirementRule,
		},
	}
}

// instantOf converts a time; nil for an absent one.
func instantOf(t time.Time) *tenure.Instant {
	if t.IsZero() {
		return nil
	}
	i := tenure.At(t)
	return &i
}

// answerOf encodes the answer to an observation. A replay carries the receipt of the first request.
func answerOf(w service.Written[service.Observed]) api.ObservationAnswer {
	a, r := w.Answer, w.Receipt
	return api.ObservationAnswer{
		ObservationId: a.ObservationID, Seq: r.Seq, RecordedAt: r.Tx.Time(),
		Mentions: each(a.Mentions, mentionView), Beliefs: each(a.Beliefs, becameView),
		Registered: nonNil(a.Registered), Warnings: each(a.Warnings, warningView),
	}
}

func mentionView(m service.ResolvedName) api.MentionAnswer {
	candidates := []api.Candidate{}
	for _, c := range m.Candidates {
		candidates = append(candidates, api.Candidate{EntityId: c.EntityID})
	}
	return api.MentionAnswer{
		MentionId: m.MentionID, Decision: m.Outcome, Score: m.Score, EntityId: m.EntityID,
		PendingId: m.PendingID, ReviewId: m.ReviewID, Reason: m.Reason, Candidates: candidates,
	}
}

func becameView(b service.Became) api.BeliefAnswer {
	return api.BeliefAnswer{
		BeliefId: b.BeliefID, Status: b.Status, Superseded: nonNil(b.Superseded), Restored: nonNil(b.Restored),
		DisputedWith: b.DisputedWith, OverriddenBy: b.OverriddenBy, CaseId: b.CaseID, NeedsReview: b.NeedsReview,
	}
}

func warningView(w tenure.Warning) api.Warning {
	return api.Warning{
		Code: w.Code, Pointer: w.Pointer, Message: w.Code.Message(), Beliefs: w.Beliefs, CaseId: w.Case, Cause: w.Cause,
		ReviewId: w.Review, Candidates: w.Entities,
	}
}

// nonNil returns the list, never nil: JSON distinguishes null from [].
func nonNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
