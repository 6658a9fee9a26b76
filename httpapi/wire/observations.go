package wire

import (
	"tenure"
	"tenure/api"
	"tenure/service"
)

// ObservationOf returns the observation in a line of a batch.
func ObservationOf(l api.BatchLine) api.ObservationInput {
	return api.ObservationInput{
		Source: l.Source, Scope: l.Scope, ObservedAt: l.ObservedAt, Text: l.Text, Addressee: l.Addressee, Extract: l.Extract,
		Mentions: l.Mentions, Claims: l.Claims,
		SecurityClassification: l.SecurityClassification, PermissionScope: l.PermissionScope,
	}
}

// Input converts the observation in a body.
func Input(o api.ObservationInput) service.Observation {
	in := service.Observation{
		Source: service.Source{
			Origin: o.Source.Origin, AuthorityLevel: o.Source.AuthorityLevel, SourceAuthority: o.Source.SourceAuthority,
			Speaker: o.Source.Speaker, Role: o.Source.Role, Session: o.Source.SessionId,
			Thread: o.Source.Thread,
		},
		Scope: o.Scope, ObservedAt: InstantOf(o.ObservedAt), Text: o.Text, Addressee: o.Addressee, Extract: o.Extract,
		Classification: o.SecurityClassification, Permission: o.PermissionScope,
	}
	for _, m := range o.Mentions {
		in.Mentions = append(in.Mentions, MentionOf(m))
	}
	for _, claim := range o.Claims {
		in.Claims = append(in.Claims, claimOf(claim))
	}
	return in
}

// MentionOf converts a mention.
func MentionOf(m api.MentionInput) service.Mention {
	return service.Mention{
		Name: m.Name, Type: m.Type, Aliases: m.Aliases, Attributes: m.Attributes, Context: m.Context, Record: m.Record,
	}
}

func claimOf(c api.ClaimInput) service.Claim {
	return service.Claim{
		Subject:   service.Ref{Mention: c.Subject.Mention, EntityID: c.Subject.EntityId},
		Predicate: c.Predicate, Value: service.ParseValue(c.Value), Key: c.Key, Layer: c.Layer, Confidence: c.ConfidenceScore,
		ValidFrom: InstantOf(c.ValidFrom), ValidUntil: InstantOf(c.ValidUntil),
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

// ObservationAnswer encodes the answer to an observation. A replay carries the receipt of the first request.
func ObservationAnswer(w service.Written[service.Observed]) api.ObservationAnswer {
	a, r := w.Answer, w.Receipt
	return api.ObservationAnswer{
		ObservationId: a.ObservationID, Seq: r.Seq, RecordedAt: r.Tx.Time(),
		Mentions: Each(a.Mentions, MentionAnswer), Beliefs: Each(a.Beliefs, BeliefAnswer),
		Statements: Statements(a.Statements), Later: LaterTexts(a.Later), Registered: NonNil(a.Registered),
		Warnings: Each(a.Warnings, Warning),
	}
}

// LaterTexts encodes the further readings of earlier texts.
func LaterTexts(list []service.Later) []api.LaterText {
	var out []api.LaterText
	for _, l := range list {
		out = append(out, api.LaterText{
			ObservationId: l.Observation, Of: l.Of, Statements: Statements(l.Statements),
		})
	}
	return out
}

// Statements encodes the statements of a text, without other readings of a clause that did nothing.
func Statements(list []tenure.Said) []api.Statement {
	out := []api.Statement{}
	for i, s := range list {
		if s.Idle() {
			continue
		}
		v := statement(s)
		if s.Proposal != nil {
			v.Proposal = i + 1
		}
		out = append(out, v)
	}
	return out
}

func statement(s tenure.Said) api.Statement {
	return api.Statement{
		Start: s.Start, End: s.End, Text: s.Text, Act: s.Act, Effect: s.Effect, Subject: s.Subject,
		Property: s.Property, New: s.New, Old: s.Old, Kind: s.Kind, ValidFrom: timeOf(s.From),
		ValidUntil: timeOf(s.Until), Voice: s.Voice, Trigger: s.Trigger, Alternative: s.Alternative,
		EntityId: s.Entity, Predicate: s.Predicate, BeliefId: s.Belief, Amended: s.Amended, Why: s.Why,
		Confidence: s.Confidence, Extractor: s.Extractor,
	}
}

// MentionAnswer encodes the decision about a mention.
func MentionAnswer(m service.ResolvedName) api.MentionAnswer {
	candidates := []api.Candidate{}
	for _, c := range m.Candidates {
		candidates = append(candidates, api.Candidate{EntityId: c.EntityID, Name: c.Name, Score: c.Score})
	}
	return api.MentionAnswer{
		MentionId: m.MentionID, Decision: m.Outcome, Score: m.Score, EntityId: m.EntityID,
		PendingId: m.PendingID, ReviewId: m.ReviewID, Reason: m.Reason, Candidates: candidates,
	}
}

// BeliefAnswer encodes what became of a claim.
func BeliefAnswer(b service.Became) api.BeliefAnswer {
	var cut service.Cut
	out := api.BeliefAnswer{
		BeliefId: b.BeliefID, Status: b.Status,
		Superseded: shown(&cut, "superseded", b.Superseded), Restored: shown(&cut, "restored", b.Restored),
		DisputedWith: service.Shown(&cut, "disputed_with", b.DisputedWith), OverriddenBy: b.OverriddenBy, CaseId: b.CaseID,
		NeedsReview: b.NeedsReview, Predicate: b.Predicate,
	}
	out.Cut = api.Cut(cut)
	return out
}

// Warning encodes a warning.
func Warning(w tenure.Warning) api.Warning {
	var cut service.Cut
	out := api.Warning{
		Code: w.Code, Pointer: w.Pointer, Message: w.Code.Message(), Beliefs: service.Shown(&cut, "beliefs", w.Beliefs),
		CaseId: w.Case, Cause: w.Cause, ReviewId: w.Review, Candidates: w.Entities,
	}
	out.Cut = api.Cut(cut)
	return out
}

// ListedObservation encodes an observation in a list, with a part of a long text.
func ListedObservation(rec service.ObservationRecord) api.ListedObservation {
	o := rec.Observation
	v := api.ListedObservation{
		ObservationId: o.ID, Source: o.Source, Scope: o.Scope.Canonical(), ObservedAt: o.ObservedAt.Time(),
		ReceivedAt: o.ReceivedAt.Time(), RecordedAt: rec.RecordedAt.Time(), Text: o.Text,
		Addressee: o.Addressee, Actor: o.Actor, Claims: NonNil(o.Claims), Of: o.Of,
	}
	if runes := []rune(o.Text); len(runes) > maxListedText {
		v.Text, v.TextTruncated = string(runes[:maxListedText]), true
	}
	return v
}

// maxListedText is how many characters of a text are shown in a list.
const maxListedText = 2000

// Mention encodes a mention with its assignment.
func Mention(in service.AssignedMention) api.Mention {
	m, a := in.Mention, in.Assignment
	return api.Mention{
		MentionId: m.ID, Name: m.Name, Type: m.Type, Aliases: m.Aliases, Attributes: m.Attributes,
		Context: m.Context, Record: m.Record,
		EntityId: a.Entity, Decision: a.Outcome, Score: a.Score, Reason: a.Reason, RootId: in.RootID,
	}
}
