package service

import (
	"context"

	"tenure"
	"tenure/amend"
	"tenure/ledger"
)

// Amendment confirms, retracts or ends a belief. At is the time of the end or of the confirmation; nil is
// now. AuthorityLevel defaults to that of the belief, and is at most as strong as the caller's.
type Amendment struct {
	Kind           tenure.AmendmentKind
	Belief         tenure.ID
	At             *tenure.Instant
	AuthorityLevel *int
	Reason         string
}

// Amended is an amended belief, with the beliefs that stand again and those that stand no longer.
type Amended struct {
	Amendment tenure.ID
	Undoes    tenure.ID // the amendment that was undone, if one was
	Belief    Belief
	Restored  []tenure.ID
	Displaced []tenure.ID
}

// Amend amends a belief. It returns Invalid for a retraction with a time, and otherwise the errors of
// [amend.Belief.Decide].
func (s *Service) Amend(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, a Amendment,
) (Written[Amended], error) {
	var out Written[Amended]
	if a.Kind == tenure.Retract && a.At != nil {
		return out, tenure.FieldError(tenure.Invalid, "/at", "a retraction is of all time: end the belief instead")
	}
	return s.amend(ctx, c, key, string(a.Kind), amend.Belief{
		Caller: c, Belief: a.Belief, Kind: a.Kind, At: a.At, AuthorityLevel: a.AuthorityLevel, Reason: a.Reason,
	})
}

// UndoAmendment undoes an amendment: see [amend.Undo.Decide].
func (s *Service) UndoAmendment(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, id tenure.ID, reason string,
) (Written[Amended], error) {
	return s.amend(ctx, c, key, "undo_amendment", amend.Undo{Caller: c, Amendment: id, Reason: reason})
}

func (s *Service) amend(
	ctx context.Context, c tenure.Caller, key *tenure.IdempotencyKey, operation string, cmd ledger.Command,
) (out Written[Amended], err error) {
	res, v, err := writeAndView[amend.Answer](ctx, s, c, key, operation, cmd)
	if err != nil {
		return out, err
	}
	a := res.Answer
	out.Receipt = res.Receipt
	out.Answer = Amended{Amendment: a.AmendmentID, Undoes: a.Undoes, Restored: a.Restored, Displaced: a.Displaced}
	out.Answer.Belief, err = v.Belief(ctx, a.BeliefID)
	return out, err
}
