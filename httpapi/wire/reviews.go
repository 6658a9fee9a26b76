package wire

import (
	"tenure"
	"tenure/api"
	"tenure/service"
)

// Review encodes a review without its detail.
func Review(r service.Review) api.Review {
	return api.Review{
		ReviewId: r.ID, State: r.State, Version: r.Version, EntityId: r.Entity, Reason: r.Reason, Name: r.Name, Type: r.Type,
		ProjectId: r.Project, OpenedAt: r.OpenedAt.Time(), DeferredBy: r.DeferredBy, DeferNote: r.DeferNote,
		Decision: r.Decision, Into: r.Into, DecidedBy: r.DecidedBy, Note: r.Note,
		Priority: r.Priority, PendingMentions: r.PendingMentions, PendingBeliefs: r.PendingBeliefs, Model: r.Model,
		LeasedBy: r.LeasedBy, Reviewer: r.LeasedFor, LeasedUntil: given(r.LeasedUntil),
		DeferredAt: given(r.DeferredAt), DecidedAt: given(r.DecidedAt),
		Candidates: Each(r.Candidates, func(c tenure.Candidate) api.ReviewCandidate {
			return api.ReviewCandidate{EntityId: c.Entity, Score: c.Score, Veto: c.Veto}
		}),
	}
}

// Side encodes one side of a review.
func Side(s service.ReviewSide) *api.ReviewSide {
	e := s.Entity
	return &api.ReviewSide{
		EntityId: s.EntityID, RootId: e.Root(), Name: e.Name, Type: e.Type, Status: e.Status, ProjectId: e.Project,
		Aliases: NonNil(s.Aliases), Attributes: s.Attributes, Records: s.Records, Mentions: Each(s.Mentions, mentionInContext),
	}
}

func mentionInContext(in service.MentionInContext) api.MentionInContext {
	m := in.Mention
	v := api.MentionInContext{
		MentionId: m.ID, EntityId: in.Entity, ObservationId: m.Observation, Name: m.Name, Type: m.Type,
		Aliases: m.Aliases, Attributes: m.Attributes, Context: m.Context, Record: m.Record,
		Source: in.Source, Excerpt: in.Excerpt,
	}
	if in.Source != nil {
		v.ObservedAt = in.ObservedAt.Time()
	}
	return v
}

// Field encodes the comparison of a field.
func Field(f service.FieldComparison) api.FieldComparison {
	return api.FieldComparison{
		Field: f.Field, Left: NonNil(f.Left), Right: NonNil(f.Right), Agreement: f.Agreement, LogOdds: f.LogOdds,
	}
}

// DecisionOf converts the answer to a review.
func DecisionOf(id tenure.ID, in api.DecisionInput) service.ReviewDecision {
	return service.ReviewDecision{
		Reviewer: in.Reviewer, Review: id, Decision: in.Decision, Into: in.Into, Mentions: in.Mentions, Version: in.Version,
		Note: in.Note,
	}
}

// DecisionIn converts one answer of a batch.
func DecisionIn(in api.ReviewDecision) service.ReviewDecision {
	return DecisionOf(in.ReviewId, api.DecisionInput{
		Reviewer: in.Reviewer, Decision: in.Decision, Into: in.Into, Mentions: in.Mentions, Version: in.Version, Note: in.Note,
	})
}

// DecisionAnswer encodes the answer to a decision.
func DecisionAnswer(w service.Written[service.DecidedReview]) api.DecisionAnswer {
	a := w.Answer
	var cut service.Cut
	out := api.DecisionAnswer{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), ReviewId: a.ReviewID, State: a.State, EntityId: a.EntityID,
		RootId: a.RootID, MergeId: a.MergeID, SplitId: a.SplitID, CannotLinks: shown(&cut, "cannot_links", a.CannotLinks),
		Restored: shown(&cut, "restored", a.Restored), Displaced: shown(&cut, "displaced", a.Displaced),
	}
	out.Cut = api.Cut(cut)
	return out
}

// ReviewLease encodes the lease of a review.
func ReviewLease(a service.LeasedReview) api.LeaseAnswer {
	return api.LeaseAnswer{
		ReviewId: a.ReviewID, Version: a.Version, LeasedBy: a.LeasedBy, Reviewer: a.Reviewer, LeasedUntil: given(a.LeasedUntil),
	}
}
