package amend

import (
	"context"
	"fmt"

	"tenure"
	"tenure/labels"
	"tenure/ledger"
	"tenure/projection"
	"tenure/visible"
	"tenure/vocabulary"
)

// Belief amends one belief: Kind is Retract, End or Confirm. At is the time of the end or the
// confirmation; nil means now. AuthorityLevel is the authority of the amendment, which the caller must be allowed;
// nil means that of the belief.
type Belief struct {
	Caller         tenure.Caller
	Belief         tenure.ID
	Kind           tenure.AmendmentKind
	At             *tenure.Instant
	AuthorityLevel *int
	Reason         string
	// Label is that of the evidence that amends; nil for a decision about the belief itself, which whoever sees the
	// belief sees.
	Label *tenure.Label
}

// Answer reports the effect of an amendment.
type Answer struct {
	AmendmentID tenure.ID `json:"amendment_id"`
	BeliefID    tenure.ID `json:"belief_id"`
	// Undoes is the amendment that was undone, if one was.
	Undoes tenure.ID `json:"undoes,omitempty"`
	// Restored lists beliefs that stand at some time at which they did not stand before.
	Restored []tenure.ID `json:"restored"`
	// Displaced lists other beliefs that no longer stand at some time at which they stood before.
	Displaced []tenure.ID `json:"displaced"`
}

// Plan lists what Decide reads.
func (a Belief) Plan() ledger.Plan {
	return ledger.Plan{
		{Name: "belief", Load: func(*ledger.Txn) ledger.Prefetch {
			return ledger.Prefetch{Beliefs: []tenure.ID{a.Belief}}
		}},
		{Name: "slot", Load: a.slot},
	}
}

func (a Belief) slot(txn *ledger.Txn) ledger.Prefetch {
	b := txn.CachedBelief(a.Belief)
	if b == nil {
		return ledger.Prefetch{}
	}
	c := b.Claim
	return ledger.Prefetch{
		Slots: []tenure.Slot{c.Slot()}, Beliefs: c.Supersedes, Dependents: []tenure.ID{c.ID},
		Terms: vocabulary.IDs(c.Predicate),
	}
}

// Decide applies the amendment. It returns NotFound if the caller cannot see the belief, Forbidden if a
// stronger authority or a role that outranks the caller's stated it, AuthorityTooHigh if the caller may not state its
// level, Unprocessable for an end that is not after the belief's start, and Conflicting for a belief that was retracted
// or rejected before, or that ended no later.
func (a Belief) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	c, made, err := a.made(ctx, txn, m)
	if err != nil {
		return nil, err
	}
	return put(ctx, txn, a.Caller, c, made, m.Now)
}

// Put puts the amendment as a part of a decision, which projects what follows from it. It fails as Decide does, and
// then puts nothing.
func (a Belief) Put(ctx context.Context, txn *ledger.Txn, m tenure.Mint) error {
	c, made, err := a.made(ctx, txn, m)
	if err != nil {
		return err
	}
	txn.Put(tenure.Amended{Slot: c.Slot(), Amendment: made})
	if made.Label == nil {
		return nil
	}
	l := *made.Label
	if l.Scope == c.Label().Scope {
		l.Scope = tenure.Scope{} // beliefs of different scopes are in different slots
	}
	return labels.Use(ctx, txn, l)
}

// made checks the amendment and returns it, with the claim that it amends.
func (a Belief) made(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (tenure.Claim, tenure.Amendment, error) {
	refused := func(err error) (tenure.Claim, tenure.Amendment, error) {
		return tenure.Claim{}, tenure.Amendment{}, err
	}
	if err := mayState(a.Caller, a.AuthorityLevel); err != nil {
		return refused(err)
	}
	b, err := txn.Belief(ctx, a.Belief)
	if err != nil {
		return refused(err)
	}
	shown, err := visible.Stored(txn, a.Caller).Beliefs(ctx, []tenure.ID{a.Belief})
	if err != nil {
		return refused(err)
	}
	if b == nil || len(shown) == 0 {
		return refused(tenure.Errorf(tenure.NotFound, "there is no such belief"))
	}
	level, err := a.level(b.Claim)
	if err != nil {
		return refused(err)
	}
	if err := a.allowed(ctx, txn, b.Claim, m.Now); err != nil {
		return refused(err)
	}
	return b.Claim, tenure.Amendment{
		ID: m.NewID(), Kind: a.Kind, Belief: a.Belief, At: a.at(m.Now),
		AuthorityLevel: level, Role: a.Caller.Role, Actor: a.Caller.Actor, Reason: a.Reason, Label: a.narrower(b.Claim),
	}, nil
}

// narrower returns the label of the amendment, nil if whoever sees the claim sees the evidence that amends it.
func (a Belief) narrower(c tenure.Claim) *tenure.Label {
	if a.Label == nil || c.Label().Covers(*a.Label) {
		return nil
	}
	return a.Label
}

// put writes an amendment of a claim and what follows from it.
func put(
	ctx context.Context, txn *ledger.Txn, by tenure.Caller, c tenure.Claim, a tenure.Amendment, now tenure.Instant,
) (any, error) {
	txn.Put(tenure.Amended{Slot: c.Slot(), Amendment: a})
	p, err := visible.Project(ctx, txn, by, projection.Cause{}, now)
	if err != nil {
		return nil, err
	}
	return Answer{
		AmendmentID: a.ID, BeliefID: c.ID, Undoes: a.Undoes,
		Restored: without(p.Restored(), c.ID), Displaced: without(p.Displaced(), c.ID),
	}, nil
}

// level returns the authority level of the amendment: the stated one, else that of the belief, or for a confirmation
// the caller's where that is weaker.
func (a Belief) level(c tenure.Claim) (int, error) {
	own := c.Source.AuthorityLevel
	if a.AuthorityLevel == nil && a.Kind != tenure.Confirm && own < a.Caller.MaxAuthority {
		return 0, tenure.Errorf(tenure.Forbidden,
			"the belief stands on authority level %d; this key may state %d at the strongest", own, a.Caller.MaxAuthority)
	}
	level, err := a.Caller.Level(a.AuthorityLevel, own, levelField)
	if err == nil && a.Kind != tenure.Confirm && level > own {
		err = tenure.Errorf(tenure.Forbidden,
			"the belief stands on authority level %d, which a word of level %d cannot amend", own, level)
	}
	return level, err
}

const levelField = "/authority_level"

// mayState returns AuthorityTooHigh if a level is stated that the caller may not state.
func mayState(c tenure.Caller, stated *int) error {
	_, err := c.Level(stated, tenure.UserLevel, levelField)
	return err
}

func (a Belief) at(now tenure.Instant) tenure.Instant {
	if a.At != nil {
		return *a.At
	}
	return now
}

func (a Belief) allowed(ctx context.Context, txn *ledger.Txn, c tenure.Claim, now tenure.Instant) error {
	if a.Kind != tenure.Confirm {
		if err := notOutranked(ctx, txn, a.Caller, c.Source.Role); err != nil {
			return err
		}
	}
	switch a.Kind {
	case tenure.End:
		if a.at(now) <= c.Window.From {
			return tenure.FieldError(tenure.Unprocessable, "/at",
				fmt.Sprintf("is not after the belief's start, %s: retract what never held", c.Window.From))
		}
	case tenure.Confirm:
		if a.at(now) > now {
			return tenure.FieldError(tenure.Unprocessable, "/at", "lies in the future")
		}
	}
	list, err := amendmentsOf(ctx, txn, a.Caller, c)
	if err != nil {
		return err
	}
	for _, o := range list {
		if err := a.after(o, now); err != nil {
			return err
		}
	}
	return nil
}

// after returns Conflicting if another amendment of the belief leaves nothing to amend.
func (a Belief) after(o tenure.Amendment, now tenure.Instant) error {
	switch o.Kind {
	case tenure.Retract, tenure.Reject:
		return tenure.Errorf(tenure.Conflicting, "the belief was retracted or rejected before")
	case tenure.End:
		noWeaker := a.AuthorityLevel == nil || o.AuthorityLevel <= *a.AuthorityLevel
		if a.Kind == tenure.End && noWeaker && o.At <= a.at(now) {
			return tenure.FieldError(tenure.Conflicting, "/at",
				fmt.Sprintf("the belief ended before, at %s: undo that end to state a later one", o.At))
		}
	}
	return nil
}

// notOutranked returns Forbidden if a role outranks the caller's.
func notOutranked(ctx context.Context, txn *ledger.Txn, c tenure.Caller, role string) error {
	if c.Role == "" || role == "" {
		return nil
	}
	order, err := projection.Roles(ctx, txn)
	if err == nil && order.Outranks(role, c.Role) {
		err = tenure.Errorf(tenure.Forbidden, "it was said in the role %q, which outranks yours, %q", role, c.Role)
	}
	return err
}

func without(ids []tenure.ID, id tenure.ID) []tenure.ID {
	list := []tenure.ID{}
	for _, i := range ids {
		if i != id {
			list = append(list, i)
		}
	}
	return list
}
