package beliefs

import (
	"maps"
	"slices"

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
	// LeftOut are the Superseders that are claims of the slot, where Claims holds only some of the slot's.
	LeftOut map[tenure.ID]bool
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

// inSlot tells the claims of the slot.
func (e Evidence) inSlot() map[tenure.ID]bool {
	in := make(map[tenure.ID]bool, len(e.Claims)+len(e.LeftOut))
	maps.Copy(in, e.LeftOut)
	for i := range e.Claims {
		in[e.Claims[i].ID] = true
	}
	return in
}

// Of returns the evidence of some of the claims.
func (e Evidence) Of(ids []tenure.ID) Evidence {
	wanted := make(map[tenure.ID]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	few := e
	few.Claims, few.Superseders, few.LeftOut = nil, slices.Clip(e.Superseders), maps.Clone(e.LeftOut)
	if few.LeftOut == nil {
		few.LeftOut = map[tenure.ID]bool{}
	}
	for _, c := range e.Claims {
		switch {
		case wanted[c.ID]:
			few.Claims = append(few.Claims, c)
		case len(c.Supersedes) > 0:
			few.Superseders, few.LeftOut[c.ID] = append(few.Superseders, c), true
		}
	}
	return few
}

func (e Evidence) rule() conflicts.Rule { return conflicts.Rule{Term: e.Term, Outranks: e.Outranks} }

// Ground is the standing of a belief that others depend on.
type Ground struct {
	tenure.Standing

	// Again are the windows in which the ground's slot holds an equal value that rests on nothing itself.
	Again []tenure.Window
}
