package beliefs

import "tenure"

// Evidence is all that the standing of a slot's claims depends on.
type Evidence struct {
	// Claims are all claims ever made in the slot, in any order.
	Claims []tenure.Claim
	// Superseders are claims, of any slot, that name one of Claims; those of
	// the slot itself may be left out.
	Superseders []tenure.Claim
	// Amendments are those of Claims and of Superseders that count (see Effective), in any order.
	Amendments []tenure.Amendment
	// Term defines the predicate.
	Term tenure.Term
	// Grounds are the standings of what Claims depend on, by belief. Where one
	// of Claims depends on another, who asks gives the standing that the other
	// has by now, and asks again when it changes (see ApplyGrounds).
	Grounds map[tenure.ID]tenure.Standing
	// Outranks reports whether one role outranks another; nil means that none does.
	Outranks func(a, b string) bool
}
