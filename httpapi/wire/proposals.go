package wire

import (
	"fmt"

	"tenure"
	"tenure/api"
	"tenure/service"
)

// ProposedChange encodes a change that a statement proposes.
func ProposedChange(p service.ProposedChange) api.ProposedChange {
	o, would := p.Observation, p.Said.Proposal
	v := api.ProposedChange{
		Id: p.ID, ObservationId: o.ID, Number: p.Number, State: p.State, Text: p.Said.Text, Speaker: o.Source.Speaker,
		Scope: o.Scope.Canonical(), ObservedAt: o.ObservedAt.Time(), EntityId: p.Said.Entity, Name: p.Name,
		Predicate: p.Said.Predicate, Effect: would.Effect, Value: would.Value, ValidFrom: timeOf(would.From),
		ValidUntil: timeOf(would.Until), Why: p.Said.Why, Confidence: p.Said.Confidence, Priority: p.Priority,
		OpenedAt: o.ReceivedAt.Time(), Version: p.Version(),
		Stands: Each(p.Stands, func(b tenure.Belief) api.StandingValue {
			c := b.Claim
			return api.StandingValue{
				BeliefId: c.ID, Value: valueView(c), ValueName: p.ValueNames[c.ID], Speaker: c.Source.Speaker,
				ObservedAt: c.ObservedAt.Time(),
			}
		}),
	}
	if a := p.Answered; a != nil {
		v.AnsweredBy, v.Reviewer, v.AnsweredAt = a.Actor, a.Answer.Reviewer, a.ReceivedAt.Time()
		v.AnswerId, v.Note = a.ID, a.Answer.Note
	}
	return v
}

// ProposalAnswer encodes what the answer to a proposed change did.
func ProposalAnswer(w service.Written[service.AnsweredProposal]) api.ProposalAnswer {
	a := w.Answer
	return api.ProposalAnswer{
		Seq: w.Receipt.Seq, RecordedAt: w.Receipt.Tx.Time(), Proposal: ProposedChange(a.Proposal),
		Beliefs: Each(a.Observed.Beliefs, BeliefAnswer), Warnings: Each(a.Observed.Warnings, Warning),
	}
}

// waitingProposal encodes a proposed change that waits for an answer.
func waitingProposal(p service.ProposedChange) api.Waiting {
	change := ProposedChange(p)
	return api.Waiting{
		Kind: service.KindProposal, Id: p.ID, Path: fmt.Sprintf("/v1/observations/%s/proposals/%d", p.Observation.ID, p.Number),
		Name: p.Name, Predicate: p.Said.Predicate, Task: service.ProposalTask, WaitsFor: tenure.ResolverPerson,
		ProjectId: p.Observation.Scope.ProjectID, Priority: p.Priority, OpenedAt: change.OpenedAt, Version: change.Version,
		Proposal: &change,
	}
}
