package beliefs

import (
	"tenure"
	"tenure/conflicts"
)

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
	// Outranks reports whether the word of one role counts for more than that of another. It is a strict partial
	// order; nil orders no roles.
	Outranks func(a, b string) bool
	// Grounds are what Claims depend on, by belief. Where one of Claims depends on another, who asks gives the
	// standing that the other has by now, and asks again when it changes (see ApplyGrounds).
	Grounds map[tenure.ID]Ground
}

func (e Evidence) rule() conflicts.Rule { return conflicts.Rule{Term: e.Term, Outranks: e.Outranks} }

// Ground is the standing of a belief that others depend on.
type Ground struct {
	tenure.Standing

	// Again are the windows in which the ground's slot holds an equal value that rests on nothing itself.
	Again []tenure.Window
}
