package amend

import (
	"context"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
	"tenure/quarantine"
)

// SettleCase settles a quarantine case: Accept is the belief that holds, or none. Version is the version of
// the case that the reviewer saw. The sides are judged with their own authority, or with AuthorityLevel where that is
// given and stronger.
type SettleCase struct {
	Caller         tenure.Caller
	Case           tenure.ID
	Accept         tenure.ID // "" rejects all
	Version        int
	AuthorityLevel *int
	Note           string
}

// SettleCaseAnswer reports the effect of a settlement.
type SettleCaseAnswer struct {
	CaseID    tenure.ID   `json:"case_id"`
	Accepted  tenure.ID   `json:"accepted,omitempty"`
	Rejected  []tenure.ID `json:"rejected"`
	Restored  []tenure.ID `json:"restored"`
	Displaced []tenure.ID `json:"displaced"`
}

// Plan lists what Decide reads.
func (r SettleCase) Plan() ledger.Plan {
	return ledger.Reads(ledger.Prefetch{Cases: []tenure.ID{r.Case}})
}

// Decide applies the settlement. It returns NotFound if the caller cannot see the case, Conflicting if the
// case is closed or has changed since Version, AuthorityTooHigh if the caller may not state the level, and
// Unprocessable if the case does not hold the accepted belief.
func (r SettleCase) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if err := mayState(r.Caller, r.AuthorityLevel); err != nil {
		return nil, err
	}
	c, sides, err := caseOf(ctx, txn, r.Caller, r.Case)
	if err != nil {
		return nil, err
	}
	switch {
	case c.State != tenure.CaseOpen:
		return nil, tenure.Errorf(tenure.Conflicting, "the case is %s: look at it again", c.State)
	case r.Version != c.Version:
		return nil, tenure.FieldError(tenure.Conflicting, "/version", "the case has changed since: look at it again")
	case r.Accept != "" && !slices.Contains(c.Holds, r.Accept):
		return nil, tenure.FieldError(tenure.Unprocessable, "/accept", "is none of the beliefs that the case holds")
	}
	settlement := quarantine.Settlement{Case: c.ID, Accepted: r.Accept, Note: r.Note}
	if c.CrossScope {
		return r.acrossScopes(txn, c, settlement, m), nil
	}
	return r.inSlot(ctx, txn, c, sides, settlement, m)
}

// caseOf returns a case and its sides. A case with a side that the caller cannot see is NotFound, as one that does not
// exist.
func caseOf(
	ctx context.Context, txn *ledger.Txn, caller tenure.Caller, id tenure.ID,
) (tenure.Case, map[tenure.ID]tenure.Claim, error) {
	missing := tenure.Errorf(tenure.NotFound, "there is no such case")
	c, err := txn.Case(ctx, id)
	if err != nil {
		return tenure.Case{}, nil, err
	}
	if c == nil {
		return tenure.Case{}, nil, missing
	}
	sides := map[tenure.ID]tenure.Claim{}
	for _, id := range c.Holds {
		b, err := txn.Belief(ctx, id)
		if err != nil {
			return tenure.Case{}, nil, err
		}
		if b == nil || !caller.Sees(b.Claim) {
			return tenure.Case{}, nil, missing
		}
		sides[id] = b.Claim
	}
	return *c, sides, nil
}

// acrossScopes records the settlement in the case alone and amends no belief: the settlement binds only
// requests that see all sides.
func (r SettleCase) acrossScopes(
	txn *ledger.Txn, c tenure.Case, s quarantine.Settlement, m tenure.Mint,
) SettleCaseAnswer {
	txn.Put(tenure.CasePut{Case: quarantine.Settle(c, s, m.Now)})
	return SettleCaseAnswer{
		CaseID: c.ID, Accepted: r.Accept, Rejected: without(c.Holds, r.Accept), Restored: []tenure.ID{},
		Displaced: []tenure.ID{},
	}
}

// inSlot accepts one value and rejects the others. A reviewer settles with the authority of the sides.
func (r SettleCase) inSlot(ctx context.Context, txn *ledger.Txn, c tenure.Case, sides map[tenure.ID]tenure.Claim,
	s quarantine.Settlement, m tenure.Mint) (any, error) {
	answer := SettleCaseAnswer{CaseID: c.ID, Accepted: r.Accept, Rejected: []tenure.ID{}}
	for _, id := range c.Holds {
		claim := sides[id]
		kind := tenure.Reject
		switch {
		case id == r.Accept:
			kind = tenure.Accept
		case r.Accept != "" && claim.Value.Canonical == sides[r.Accept].Value.Canonical:
			continue // has the accepted value
		default:
			answer.Rejected = append(answer.Rejected, id)
		}
		level := claim.Source.AuthorityLevel
		if r.AuthorityLevel != nil {
			level = min(level, *r.AuthorityLevel)
		}
		txn.Put(tenure.Amended{Slot: c.Slot(), Amendment: tenure.Amendment{
			ID: m.NewID(), Kind: kind, Belief: id, Case: c.ID, At: m.Now, AuthorityLevel: level, Role: r.Caller.Role,
			Actor: r.Caller.Actor, Reason: r.Note,
		}})
	}
	p, err := projection.Project(ctx, txn, projection.Cause{Settled: &s}, m.Now)
	if err != nil {
		return nil, err
	}
	answer.Restored, answer.Displaced = without(p.Restored(), ""), without(p.Displaced(), "")
	return answer, nil
}

// OpenCrossScopeCase opens the case of a tie across scopes that a compilation found. It changes nothing if
// the case exists.
type OpenCrossScopeCase struct{ Sides []tenure.ID }

// Plan lists what Decide reads.
func (o OpenCrossScopeCase) Plan() ledger.Plan {
	return ledger.Reads(ledger.Prefetch{Beliefs: o.Sides, Cases: []tenure.ID{quarantine.AcrossScopesID(o.sorted())}})
}

func (o OpenCrossScopeCase) sorted() []tenure.ID { return slices.Sorted(slices.Values(o.Sides)) }

// Decide opens the case.
func (o OpenCrossScopeCase) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	c, err := txn.Case(ctx, quarantine.AcrossScopesID(o.sorted()))
	if c != nil || err != nil {
		return nil, err
	}
	var sides []tenure.Claim
	for _, id := range o.Sides {
		b, err := txn.Belief(ctx, id)
		if err != nil {
			return nil, err
		}
		if b == nil {
			return nil, tenure.Errorf(tenure.Unprocessable, "a side of the tie is not known")
		}
		sides = append(sides, b.Claim)
	}
	txn.Put(tenure.CasePut{Case: quarantine.AcrossScopes(sides, m.Now)})
	return nil, nil
}
