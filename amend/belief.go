package amend

import (
	"context"
	"fmt"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
	"tenure/vocabulary"
)

// Belief amends one belief: Kind is Retract, End or Confirm. At is the time of the end or the
// confirmation; nil means now. AuthorityLevel is the authority of the amendment, at most as strong as the
// caller's.
type Belief struct {
	Caller         tenure.Caller
	Belief         tenure.ID
	Kind           tenure.AmendmentKind
	At             *tenure.Instant
	AuthorityLevel int
	Reason         string
}

// Answer reports the effect of an amendment.
type Answer struct {
	AmendmentID tenure.ID `json:"amendment_id"`
	BeliefID    tenure.ID `json:"belief_id"`
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
// stronger authority stated it, and Unprocessable for an end that is not after the belief's start or a second
// retraction.
func (a Belief) Decide(ctx context.Context, txn *ledger.Txn, m tenure.Mint) (any, error) {
	b, err := txn.Belief(ctx, a.Belief)
	if err != nil {
		return nil, err
	}
	if b == nil || !a.Caller.Sees(b.Claim) {
		return nil, tenure.Errorf(tenure.NotFound, "there is no such belief")
	}
	if err := a.allowed(ctx, txn, b.Claim, m.Now); err != nil {
		return nil, err
	}
	amendment := tenure.Amendment{
		ID: m.NewID(), Kind: a.Kind, Belief: a.Belief, At: a.at(m.Now),
		AuthorityLevel: a.AuthorityLevel, Actor: a.Caller.Actor, Reason: a.Reason,
	}
	txn.Put(tenure.Amended{Slot: b.Claim.Slot(), Amendment: amendment})
	p, err := projection.Project(ctx, txn, projection.Cause{}, m.Now)
	if err != nil {
		return nil, err
	}
	return Answer{
		AmendmentID: amendment.ID, BeliefID: a.Belief,
		Restored: without(p.Restored(), a.Belief), Displaced: without(p.Displaced(), a.Belief),
	}, nil
}

func (a Belief) at(now tenure.Instant) tenure.Instant {
	if a.At != nil {
		return *a.At
	}
	return now
}

func (a Belief) allowed(ctx context.Context, txn *ledger.Txn, c tenure.Claim, now tenure.Instant) error {
	if a.Kind != tenure.Confirm && a.AuthorityLevel > c.Source.AuthorityLevel {
		return tenure.Errorf(tenure.Forbidden,
			"the belief stands on authority level %d, which a word of level %d cannot amend",
			c.Source.AuthorityLevel, a.AuthorityLevel)
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
	st, err := txn.Slot(ctx, c.Slot())
	if err != nil {
		return err
	}
	for _, o := range st.Amendments {
		if o.Belief == c.ID && (o.Kind == tenure.Retract || o.Kind == tenure.Reject) {
			return tenure.Errorf(tenure.Unprocessable, "the belief was retracted or rejected before")
		}
	}
	return nil
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
