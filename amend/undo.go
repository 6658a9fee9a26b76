package amend

import (
	"context"

	"tenure"
	"tenure/audience"
	"tenure/beliefs"
	"tenure/ledger"
	"tenure/projection"
	"tenure/quarantine"
	"tenure/queue"
	"tenure/visible"
)

// Undo undoes an amendment: standing is as if it had never been made. The amendment stays, and the undo is one more.
type Undo struct {
	Caller    tenure.Caller
	Amendment tenure.ID
	Reason    string
}

// Plan returns no steps: Decide reads on demand.
func (Undo) Plan() ledger.Plan { return nil }

// Decide undoes the amendment. It returns NotFound if the caller cannot see its belief; AuthorityTooHigh if the caller
// may not state its level, and Forbidden if its role outranks the caller's; Conflicting if it was undone before; and
// Unprocessable for an undo, for a part of the answer to a case, and where the claim was erased.
func (u Undo) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	a, b, err := u.target(ctx, txn)
	if err != nil {
		return nil, err
	}
	switch {
	case b.Claim.Erased:
		return nil, tenure.Errorf(tenure.Unprocessable, "what the belief said was erased")
	case a.Kind == tenure.Undo:
		return nil, tenure.Errorf(tenure.Unprocessable, "an undo is not undone: make the amendment again")
	case a.Case != "":
		return nil, tenure.Errorf(tenure.Unprocessable, "this is part of the answer to the case %s: undo that", a.Case)
	}
	counts, err := effective(ctx, txn, u.Caller, b.Claim)
	if err != nil {
		return nil, err
	}
	if !counts[a.ID] {
		return nil, tenure.Errorf(tenure.Conflicting, "the amendment was undone before")
	}
	if a.Kind != tenure.Confirm || a.AuthorityLevel < b.Claim.Source.AuthorityLevel {
		if err := u.Caller.MayState(a.AuthorityLevel, ""); err != nil {
			return nil, err
		}
	}
	if err := notOutranked(ctx, txn, u.Caller, a.Role); err != nil {
		return nil, err
	}
	return put(ctx, txn, u.Caller, b.Claim, undoOf(*a, u.Caller, u.Reason, m), m.Now)
}

// target returns the amendment and its belief, NotFound if the caller does not see them.
func (u Undo) target(ctx context.Context, txn *ledger.Txn) (*tenure.Amendment, *tenure.Belief, error) {
	a, err := txn.Amendment(ctx, u.Amendment)
	if err != nil {
		return nil, nil, err
	}
	if a == nil {
		return nil, nil, noAmendment()
	}
	b, err := txn.Belief(ctx, a.Belief)
	if err != nil {
		return nil, nil, err
	}
	shown, err := visible.Stored(txn, u.Caller).AmendmentsByID(ctx, []tenure.ID{u.Amendment})
	if err != nil {
		return nil, nil, err
	}
	if b == nil || len(shown) == 0 {
		return nil, nil, noAmendment()
	}
	return a, b, nil
}

func noAmendment() error { return tenure.Errorf(tenure.NotFound, "there is no such amendment") }

// undoOf returns the amendment that undoes another.
func undoOf(a tenure.Amendment, c tenure.Caller, reason string, m tenure.Mint) tenure.Amendment {
	return tenure.Amendment{
		ID: m.NewID(), Kind: tenure.Undo, Belief: a.Belief, Case: a.Case, At: m.Now, AuthorityLevel: a.AuthorityLevel,
		Role: c.Role, Actor: c.Actor, Reason: reason, Undoes: a.ID, Label: a.Label,
	}
}

// effective returns the amendments of a claim that count, of those that the caller sees.
func effective(
	ctx context.Context, txn *ledger.Txn, by tenure.Caller, c tenure.Claim,
) (map[tenure.ID]bool, error) {
	list, err := amendmentsOf(ctx, txn, by, c)
	counts := map[tenure.ID]bool{}
	for _, a := range list {
		counts[a.ID] = true
	}
	return counts, err
}

// amendmentsOf lists the amendments of a claim that count, of those that the caller sees.
func amendmentsOf(
	ctx context.Context, txn *ledger.Txn, by tenure.Caller, c tenure.Claim,
) ([]tenure.Amendment, error) {
	st, err := txn.Slot(ctx, c.Slot())
	if err != nil {
		return nil, err
	}
	sees := audience.Of(by)
	var list []tenure.Amendment
	for _, a := range beliefs.Effective(st.Amendments) {
		if a.Belief == c.ID && (a.Label == nil || sees.Sees(*a.Label)) {
			list = append(list, a)
		}
	}
	return list, nil
}

// UndoSettlement undoes the answer to a case: the case is open again as it was, and every standing is as if
// the case had not been answered.
type UndoSettlement struct {
	Caller tenure.Caller
	Case   tenure.ID
	Reason string
}

// Plan lists what Decide reads.
func (u UndoSettlement) Plan() ledger.Plan {
	return ledger.Reads(ledger.Prefetch{Cases: []tenure.ID{u.Case}})
}

// Decide undoes the settlement. It returns NotFound if the caller cannot see the case, Conflicting if it was not
// answered, AuthorityTooHigh if the answer was given with more authority than the sides' and than the caller's, and
// Forbidden if its role outranks the caller's.
func (u UndoSettlement) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	c, sides, err := visibleCase(ctx, txn, u.Caller, u.Case)
	if err != nil {
		return nil, err
	}
	if c.State != tenure.CaseSettled {
		return nil, tenure.Errorf(tenure.Conflicting, "the case is %s: there is no answer to undo", c.State)
	}
	answer := SettleCaseAnswer{CaseID: c.ID, State: tenure.CaseOpen, Rejected: []tenure.ID{}}
	level := strongest(sides)
	for _, id := range c.Holds {
		if err := u.side(ctx, txn, c, sides[id], level, m); err != nil {
			return nil, err
		}
	}
	if err := u.reopen(ctx, txn, c, m.Now); err != nil {
		return nil, err
	}
	cause := projection.Cause{}
	if !c.CrossScope {
		cause.Slots = []tenure.Slot{c.Slot()}
	}
	p, err := visible.Project(ctx, txn, u.Caller, cause, m.Now)
	if err != nil {
		return nil, err
	}
	answer.Restored, answer.Displaced = without(p.Restored(), ""), without(p.Displaced(), "")
	return answer, nil
}

// side undoes what the settlement said of a side. level is the strongest of the sides.
func (u UndoSettlement) side(
	ctx context.Context, txn *ledger.Txn, c tenure.Case, claim tenure.Claim, level int, m tenure.Mint,
) error {
	list, err := amendmentsOf(ctx, txn, u.Caller, claim)
	if err != nil {
		return err
	}
	for _, a := range list {
		if a.Case != c.ID {
			continue
		}
		if a.AuthorityLevel < level {
			if err := u.Caller.MayState(a.AuthorityLevel, ""); err != nil {
				return err
			}
		}
		if err := notOutranked(ctx, txn, u.Caller, a.Role); err != nil {
			return err
		}
		txn.Put(tenure.Amended{Slot: claim.Slot(), Amendment: undoOf(a, u.Caller, u.Reason, m)})
	}
	return nil
}

// reopen opens the case, and dissolves one that was opened in the slot since: a slot has one open case.
func (u UndoSettlement) reopen(ctx context.Context, txn *ledger.Txn, c tenure.Case, now tenure.Instant) error {
	if !c.CrossScope {
		st, err := txn.Slot(ctx, c.Slot())
		if err != nil {
			return err
		}
		for _, later := range quarantine.Dissolve(st.Cases, now) {
			txn.Put(tenure.CasePut{Case: later})
		}
	}
	by := queue.Worker{Actor: u.Caller.Actor}
	txn.Put(tenure.CasePut{Case: quarantine.Undone(c, by, u.Reason, now)})
	return nil
}
