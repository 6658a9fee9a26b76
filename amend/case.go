package amend

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
	"tenure/quarantine"
	"tenure/queue"
	"tenure/visible"
)

// SettleCase answers a quarantine case with one of the answers of package quarantine. Accept is the belief that holds,
// From the time since when; Until is the time until which the case is put off. Version is the version of the case that
// the reviewer saw. The sides are judged with their own authority, or with AuthorityLevel where
// that is given and stronger.
//
// Reviewer names the person, where several people share one credential.
type SettleCase struct {
	Caller         tenure.Caller
	Reviewer       string
	Case           tenure.ID
	How            string
	Accept         tenure.ID
	From, Until    *tenure.Instant
	Version        int
	AuthorityLevel *int
	Note           string
}

// SettleCaseAnswer reports the effect of an answer.
type SettleCaseAnswer struct {
	CaseID    tenure.ID        `json:"case_id"`
	State     tenure.CaseState `json:"state"`
	Accepted  tenure.ID        `json:"accepted,omitempty"`
	Rejected  []tenure.ID      `json:"rejected"`
	Restored  []tenure.ID      `json:"restored"`
	Displaced []tenure.ID      `json:"displaced"`
}

// Plan lists what Decide reads.
func (r SettleCase) Plan() ledger.Plan {
	return ledger.Reads(ledger.Prefetch{Cases: []tenure.ID{r.Case}})
}

// Decide applies the answer. It returns NotFound if the caller cannot see the case, Conflicting if the case is closed,
// leased by another reviewer or has changed since Version, AuthorityTooHigh if the caller may not state the level,
// Forbidden or AuthorityTooHigh for a resolver that may not answer it, and Unprocessable if the answer does not fit
// what the case holds.
func (r SettleCase) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	if err := mayState(r.Caller, r.AuthorityLevel); err != nil {
		return nil, err
	}
	c, sides, err := visibleCase(ctx, txn, r.Caller, r.Case)
	if err != nil {
		return nil, err
	}
	worker := queue.Worker{Actor: r.Caller.Actor, Person: r.Reviewer}
	if err := cmp.Or(mayAnswer(r.Caller, c, sides), r.current(c), queue.Free(c.Lease, "case", worker, m.Now)); err != nil {
		return nil, err
	}
	answer := SettleCaseAnswer{
		CaseID: c.ID, State: tenure.CaseSettled, Accepted: r.Accept, Rejected: []tenure.ID{}, Restored: []tenure.ID{},
		Displaced: []tenure.ID{},
	}
	if r.How == quarantine.Defer {
		return r.putOff(txn, c, worker, answer, m.Now)
	}
	settlement := quarantine.Settlement{
		Case: c.ID, By: worker, How: r.How, Accepted: r.Accept, From: r.From, Note: r.Note,
	}
	if c.CrossScope {
		return r.acrossScopes(txn, c, settlement, answer, m)
	}
	return r.inSlot(ctx, txn, c, sides, settlement, answer, m)
}

// current returns an error if the answer is not to the case as it is.
func (r SettleCase) current(c tenure.Case) error {
	switch {
	case c.State != tenure.CaseOpen:
		return tenure.Errorf(tenure.Conflicting, "the case is %s: look at it again", c.State)
	case r.Version != c.Version:
		return tenure.FieldError(tenure.Conflicting, "/version", "the case has changed since: look at it again")
	case r.Accept != "" && !slices.Contains(c.Holds, r.Accept):
		return tenure.FieldError(tenure.Unprocessable, "/accept", "is none of the beliefs that the case holds")
	}
	return nil
}

// mayAnswer returns Forbidden for a resolver that is neither reviewer nor administrator where the case waits for a
// person, and AuthorityTooHigh where a side has a stronger authority than the resolver.
func mayAnswer(by tenure.Caller, c tenure.Case, sides map[tenure.ID]tenure.Claim) error {
	if !by.Has(tenure.RoleResolver) || by.Has(tenure.RoleReviewer) || by.Has(tenure.RoleAdmin) {
		return nil
	}
	if c.Resolver.Kind != tenure.ResolverTool {
		return tenure.Errorf(tenure.Forbidden, "the case waits for a person, and a resolver answers what a tool can look up")
	}
	if level := strongest(sides); level < by.MaxAuthority {
		return tenure.Errorf(tenure.AuthorityTooHigh,
			"a side of the case stands on authority level %d, and the credential reaches level %d", level, by.MaxAuthority)
	}
	return nil
}

// strongest returns the strongest (least) authority level of claims.
func strongest(sides map[tenure.ID]tenure.Claim) int {
	level := math.MaxInt
	for _, c := range sides {
		level = min(level, c.Source.AuthorityLevel)
	}
	return level
}

// putOff leaves the case open.
func (r SettleCase) putOff(
	txn *ledger.Txn, c tenure.Case, by queue.Worker, answer SettleCaseAnswer, now tenure.Instant,
) (any, error) {
	until := tenure.Instant(0)
	if r.Until != nil {
		if until = *r.Until; until <= now {
			return nil, tenure.FieldError(tenure.Unprocessable, "/until", "must be in the future")
		}
	}
	txn.Put(tenure.CasePut{Case: quarantine.Deferred(c, by, until, r.Note, now)})
	answer.State = tenure.CaseOpen
	return answer, nil
}

// acrossScopes records the settlement in the case alone and amends no belief: the settlement binds only
// requests that see all sides.
func (r SettleCase) acrossScopes(
	txn *ledger.Txn, c tenure.Case, s quarantine.Settlement, answer SettleCaseAnswer, m tenure.Mint,
) (any, error) {
	if r.From != nil {
		return nil, tenure.FieldError(tenure.Unprocessable, "/from",
			"cannot be said of a case across scopes: end the belief of the one scope instead")
	}
	if r.How != quarantine.Both {
		answer.Rejected = without(c.Holds, r.Accept)
	}
	txn.Put(tenure.CasePut{Case: quarantine.Settle(c, s, m.Now)})
	return answer, nil
}

// inSlot amends the sides. A reviewer settles with the authority of the sides.
func (r SettleCase) inSlot(ctx context.Context, txn *ledger.Txn, c tenure.Case, sides map[tenure.ID]tenure.Claim,
	s quarantine.Settlement, answer SettleCaseAnswer, m tenure.Mint) (any, error) {
	judged, err := r.judge(c, sides)
	if err != nil {
		return nil, err
	}
	for _, a := range judged {
		if a.Kind == tenure.Reject {
			answer.Rejected = append(answer.Rejected, a.Belief)
		}
		a.ID, a.Case, a.Actor, a.Role, a.Reason = m.NewID(), c.ID, r.Caller.Actor, r.Caller.Role, r.Note
		if a.Kind != tenure.Start && a.Kind != tenure.End {
			a.At = m.Now
		}
		txn.Put(tenure.Amended{Slot: c.Slot(), Amendment: a})
	}
	p, err := visible.Project(ctx, txn, r.Caller, projection.Cause{Settled: &s}, m.Now)
	if err != nil {
		return nil, err
	}
	answer.Restored, answer.Displaced = without(p.Restored(), ""), without(p.Displaced(), "")
	return answer, nil
}

// judge lists what the answer says of the sides, in the order of the case: kind, belief, authority level, and the time
// of a start or an end.
func (r SettleCase) judge(c tenure.Case, sides map[tenure.ID]tenure.Claim) ([]tenure.Amendment, error) {
	if r.From != nil {
		return r.judgeFrom(c, sides)
	}
	var list []tenure.Amendment
	level := r.level(strongest(sides))
	for _, id := range c.Holds {
		a := tenure.Amendment{Kind: tenure.Reject, Belief: id, AuthorityLevel: r.level(sides[id].Source.AuthorityLevel)}
		switch {
		case r.How == quarantine.Both:
			a.Kind, a.AuthorityLevel = tenure.Beside, level
		case id == r.Accept:
			a.Kind = tenure.Accept
		case r.accepts(sides, id):
			continue
		}
		list = append(list, a)
	}
	return list, nil
}

// level returns the level of what is said of a side with that authority.
func (r SettleCase) level(own int) int {
	if r.AuthorityLevel != nil {
		return min(own, *r.AuthorityLevel)
	}
	return own
}

// accepts reports whether a side has the accepted value.
func (r SettleCase) accepts(sides map[tenure.ID]tenure.Claim, id tenure.ID) bool {
	return r.Accept != "" && sides[id].Value.Canonical == sides[r.Accept].Value.Canonical
}

// judgeFrom has the accepted value start at a time and the one other value end then.
func (r SettleCase) judgeFrom(c tenure.Case, sides map[tenure.ID]tenure.Claim) ([]tenure.Amendment, error) {
	var list []tenure.Amendment
	level, others, began := r.level(strongest(sides)), map[string]bool{}, tenure.MaxTime
	for _, id := range c.Holds {
		a := tenure.Amendment{Kind: tenure.End, Belief: id, AuthorityLevel: level, At: *r.From}
		claim := sides[id]
		if r.accepts(sides, id) {
			a.Kind = tenure.Start
			if *r.From >= claim.Window.Until {
				return nil, tenure.FieldError(tenure.Unprocessable, "/from", "is not before the end of the accepted belief")
			}
		} else {
			others[claim.Value.Canonical], began = true, min(began, claim.Window.From)
		}
		list = append(list, a)
	}
	switch {
	case len(others) > 1:
		return nil, tenure.FieldError(tenure.Unprocessable, "/from",
			"leaves open which of the other values held before: the case holds more than two")
	case *r.From <= began:
		return nil, tenure.FieldError(tenure.Unprocessable, "/from",
			fmt.Sprintf("is not after the start of the other belief, %s: accept without it", began))
	}
	return list, nil
}

// LeaseCase leases a case to a reviewer, so that no other reviewer can answer it, or ends the lease if Release is set.
// Reviewer names the person, where several share one credential. A lease decides nothing and expires by itself.
type LeaseCase struct {
	Caller   tenure.Caller
	Case     tenure.ID
	Reviewer string
	For      time.Duration
	Release  bool
}

// LeaseCaseAnswer reports the holder of the lease; LeasedBy is "" if there is none.
type LeaseCaseAnswer struct {
	CaseID      tenure.ID      `json:"case_id"`
	Version     int            `json:"version"`
	LeasedBy    string         `json:"leased_by,omitempty"`
	Reviewer    string         `json:"reviewer,omitempty"`
	LeasedUntil tenure.Instant `json:"leased_until,omitempty"`
}

// Plan lists what Decide reads.
func (l LeaseCase) Plan() ledger.Plan {
	return ledger.Reads(ledger.Prefetch{Cases: []tenure.ID{l.Case}})
}

// Decide writes the lease to the case. It returns NotFound if the caller cannot see the case, Conflicting if the case
// is closed or leased by another reviewer, and Forbidden for a resolver that may not answer it. The holder of a lease
// extends it. The version stays, because the question of the case does not change.
func (l LeaseCase) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	c, sides, err := visibleCase(ctx, txn, l.Caller, l.Case)
	if err != nil {
		return nil, err
	}
	if c.State != tenure.CaseOpen {
		return nil, tenure.Errorf(tenure.Conflicting, "the case is %s", c.State)
	}
	worker := queue.Worker{Actor: l.Caller.Actor, Person: l.Reviewer}
	if err := cmp.Or(mayAnswer(l.Caller, c, sides), queue.Free(c.Lease, "case", worker, m.Now)); err != nil {
		return nil, err
	}
	next := c
	next.Lease = tenure.Lease{}
	if !l.Release {
		next.Lease = queue.Leased(worker, m.Now, l.For)
	}
	if !l.Release || c.LeasedBy != "" {
		txn.Put(tenure.CasePut{Case: next})
	}
	return LeaseCaseAnswer{
		CaseID: c.ID, Version: c.Version, LeasedBy: next.LeasedBy, Reviewer: next.LeasedFor, LeasedUntil: next.LeasedUntil,
	}, nil
}

// visibleCase reads a case and the claims that it holds. It returns NotFound if the caller cannot see one of them: the
// case would reveal it.
func visibleCase(
	ctx context.Context, txn *ledger.Txn, by tenure.Caller, id tenure.ID,
) (tenure.Case, map[tenure.ID]tenure.Claim, error) {
	absent := tenure.Errorf(tenure.NotFound, "there is no such case")
	c, err := txn.Case(ctx, id)
	if err != nil {
		return tenure.Case{}, nil, err
	}
	if c == nil {
		return tenure.Case{}, nil, absent
	}
	shown, err := visible.Stored(txn, by).Cases(ctx, []tenure.ID{id})
	if err != nil {
		return *c, nil, err
	}
	if len(shown) == 0 {
		return *c, nil, absent
	}
	sides := map[tenure.ID]tenure.Claim{}
	for _, id := range c.Holds {
		b, err := txn.Belief(ctx, id)
		if err != nil {
			return *c, nil, err
		}
		if b == nil {
			return *c, nil, absent
		}
		sides[id] = b.Claim
	}
	return *c, sides, nil
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
