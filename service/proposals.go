package service

import (
	"context"

	"tenure"
	"tenure/auth"
	"tenure/proposals"
	"tenure/store"
)

// ProposalDecision answers a proposed change: it is made, or it is not. Version is the one that the caller read.
//
// Reviewer names the person, where several people share one credential.
type ProposalDecision struct {
	Observation tenure.ID
	Number      int
	Accept      bool
	Version     int
	Reviewer    string
	Note        string
}

// AnsweredProposal is a proposed change after its answer, with the observation that is the answer.
type AnsweredProposal struct {
	Proposal ProposedChange
	Observed Observed
}

const answerProposal = "answer_proposal"

// AnswerProposal answers a proposed change. An accepted change has the voice of the original speaker. It returns
// NotFound if the caller cannot see the proposal, Conflicting if it no longer waits for an answer or the change cannot
// be made, and AuthorityTooHigh or Forbidden if the statement has more authority than the caller may state, or less
// than what stands.
func (s *Service) AnswerProposal(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, d ProposalDecision,
) (out Written[AnsweredProposal], err error) {
	in, err := s.answer(ctx, c, key, d)
	if err != nil {
		return out, err
	}
	w, err := write[Observed](ctx, s, c, key, answerProposal, s.observation(c, in))
	if err != nil {
		return out, err
	}
	if err := s.nameCandidates(ctx, c, w); err != nil {
		return out, err
	}
	v, err := s.View(ctx, c, AsOf{Known: tenure.AsOf{Seq: w.Receipt.Seq}})
	if err != nil {
		return out, err
	}
	out.Receipt, out.Answer.Observed = w.Receipt, w.Answer
	out.Answer.Proposal, err = v.Proposal(ctx, d.Observation, d.Number)
	return out, err
}

// answer returns the observation that answers a proposed change.
func (s *Service) answer(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, d ProposalDecision,
) (Observation, error) {
	v, err := s.View(ctx, c, AsOf{})
	if err != nil {
		return Observation{}, err
	}
	p, err := v.Proposal(ctx, d.Observation, d.Number)
	if err != nil {
		return Observation{}, err
	}
	scope, err := auth.Bind(c, p.Observation.Scope, "")
	if err != nil || scope.Key() != p.Observation.Scope.Key() {
		return Observation{}, tenure.Errorf(tenure.Forbidden, "the words hold for more than the scope of this key")
	}
	if err := c.MayState(p.Observation.Source.AuthorityLevel, ""); err != nil {
		return Observation{}, err
	}
	reader, err := s.open(ctx, c, tenure.Present)
	if err != nil {
		return Observation{}, err
	}
	replayed, err := replays(ctx, reader, key)
	switch {
	case err != nil:
		return Observation{}, err
	case replayed:
	case p.State != proposals.Open:
		return Observation{}, tenure.Errorf(tenure.Conflicting, "the proposed change is %s: look at it again", p.State)
	case d.Version != p.Version():
		return Observation{}, tenure.FieldError(tenure.Conflicting, "/version",
			"the proposed change has changed since: look at it again")
	}
	in := Observation{Source: sourceOf(c, Source{}), Scope: p.Observation.Scope, Of: d.Observation}
	if d.Accept && !replayed {
		if err := s.undecided(ctx, c, d); err != nil {
			return in, err
		}
		if in, err = s.stage.Accept(ctx, reader, c, p.Observation, d.Number); err != nil {
			return in, err
		}
	}
	in.ID = tenure.AnswerID(d.Observation, d.Number)
	in.Answer = &tenure.ProposalAnswer{Number: d.Number, Accepted: d.Accept, Reviewer: d.Reviewer, Note: d.Note}
	return in, nil
}

// undecided returns Conflicting if a belief answers a proposed change, including one that the caller may not see.
func (s *Service) undecided(ctx context.Context, c tenure.Caller, d ProposalDecision) error {
	c.Clearance, c.Bound = tenure.HighlyRestricted, tenure.Scope{}
	v, err := s.View(ctx, c, AsOf{})
	if err != nil {
		return err
	}
	p, err := v.Proposal(ctx, d.Observation, d.Number)
	if err == nil && p.State != proposals.Open {
		err = tenure.Errorf(tenure.Conflicting, "the change cannot be made: its property has changed since")
	}
	return err
}

// replays reports whether a request with the key was carried out before.
func replays(ctx context.Context, r store.LogReader, key *tenure.IdempotencyKey) (bool, error) {
	if key == nil {
		return false, nil
	}
	found, err := r.Receipts(ctx, []string{key.Scope})
	_, ok := found[key.Scope]
	return ok, err
}
