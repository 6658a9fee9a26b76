package quarantine

import (
	"fmt"
	"slices"
	"strconv"

	"tenure"
	"tenure/queue"
)

// Held is what is tied in a slot: the beliefs, sorted by id, and the windows.
type Held struct {
	Beliefs []tenure.ID
	Windows []tenure.Window
}

// Find returns what is tied in the standings of a slot.
func Find(standings []tenure.Standing) Held {
	var h Held
	for _, s := range standings {
		tied := false
		for _, g := range s.Segments {
			if g.Cause == tenure.ByTie {
				tied = true
				h.Windows = append(h.Windows, g.Window)
			}
		}
		if tied {
			h.Beliefs = append(h.Beliefs, s.Belief)
		}
	}
	slices.Sort(h.Beliefs)
	h.Windows = tenure.Union(h.Windows)
	return h
}

// The answers to a case.
const (
	Accept    = "accept"     // one side holds, and no other
	Both      = "both"       // every side holds
	RejectAll = "reject_all" // no side holds
	Defer     = "defer"      // not now
)

// Undo is the action that takes an answer back.
const Undo = "undone"

// Settlement is the answer of a person or a tool to a case.
type Settlement struct {
	Case tenure.ID
	By   queue.Worker
	// How is one of the answers but Defer.
	How      string
	Accepted tenure.ID
	// From is since when the accepted side holds; before, the other does. Nil: the other never held.
	From *tenure.Instant
	Note string
}

// caseID derives the id of a slot's case from the number of cases settled before: two processes that find the
// same tie open the same case, and a tie that returns is the same case.
func caseID(s tenure.Slot, settled int) tenure.ID {
	return tenure.DerivedID("case", s.Key(), strconv.Itoa(settled))
}

// Next returns the next version of the slot's case and reports whether there is one. claims holds the tied
// claims by id; settled is the answer that is being applied, or nil.
func Next(slot tenure.Slot, cases []tenure.Case, held Held, claims map[tenure.ID]tenure.Claim, settled *Settlement,
	now tenure.Instant) (tenure.Case, bool) {
	var open, dissolved *tenure.Case
	number := 0
	for i := range cases {
		switch cases[i].State {
		case tenure.CaseOpen:
			open = &cases[i]
		case tenure.CaseDissolved:
			dissolved = &cases[i]
		default:
			number++
		}
	}
	if open != nil && settled != nil && settled.Case == open.ID {
		return closeCase(*open, tenure.CaseSettled, settled, now), true
	}
	switch {
	case open == nil && len(held.Beliefs) == 0:
		return tenure.Case{}, false
	case open == nil && dissolved != nil:
		return fill(reopen(*dissolved), held, claims), true
	case open == nil:
		c := tenure.Case{
			ID: caseID(slot, number), Subject: slot.Subject, Predicate: slot.Predicate, Scope: slot.Scope,
			State: tenure.CaseOpen, OpenedAt: now, Version: 1,
		}
		return fill(c, held, claims), true
	case len(held.Beliefs) == 0:
		return closeCase(*open, tenure.CaseDissolved, nil, now), true
	case slices.Equal(open.Holds, held.Beliefs) && slices.Equal(open.Windows, held.Windows):
		return tenure.Case{}, false
	default:
		c := *open
		c.Version++
		return fill(c, held, claims), true
	}
}

// Dissolve closes the open cases of slots whose subjects were merged into another root, whose case holds
// their ties from then on.
func Dissolve(cases []tenure.Case, now tenure.Instant) []tenure.Case {
	var list []tenure.Case
	for _, c := range cases {
		if c.State == tenure.CaseOpen && !c.CrossScope {
			list = append(list, closeCase(c, tenure.CaseDissolved, nil, now))
		}
	}
	return list
}

// AcrossScopes returns the case of a tie between beliefs of several scopes about one subject and predicate.
// Its id depends on the beliefs alone.
func AcrossScopes(sides []tenure.Claim, now tenure.Instant) tenure.Case {
	claims := map[tenure.ID]tenure.Claim{}
	var held Held
	for _, c := range sides {
		claims[c.ID] = c
		held.Beliefs = append(held.Beliefs, c.ID)
	}
	slices.Sort(held.Beliefs)
	first := claims[held.Beliefs[0]]
	c := tenure.Case{
		ID: AcrossScopesID(held.Beliefs), Subject: first.Subject, Predicate: first.Predicate,
		CrossScope: true, State: tenure.CaseOpen, OpenedAt: now, Version: 1,
	}
	return fill(c, held, claims)
}

// AcrossScopesID derives the id of a tie across scopes from the sorted ids of its beliefs.
func AcrossScopesID(beliefs []tenure.ID) tenure.ID {
	parts := []string{"cross_scope"}
	for _, id := range beliefs {
		parts = append(parts, string(id))
	}
	return tenure.DerivedID("case", parts...)
}

func fill(c tenure.Case, held Held, claims map[tenure.ID]tenure.Claim) tenure.Case {
	c.Holds, c.Windows = held.Beliefs, held.Windows
	c.Resolver = tenure.Resolver{
		Kind: tenure.ResolverPerson,
		Task: fmt.Sprintf("%d claims about %q contradict each other and nothing decides between them: say which one holds",
			len(held.Beliefs), c.Predicate),
	}
	for _, id := range held.Beliefs {
		if path := claims[id].UpdatePath; path != "" {
			c.Resolver.Kind, c.Resolver.Target = tenure.ResolverTool, path
			c.Resolver.Task = fmt.Sprintf("%d claims about %q contradict each other and nothing decides between them: look the value up", len(held.Beliefs), c.Predicate)
			break
		}
	}
	return c
}

func closeCase(c tenure.Case, state tenure.CaseState, s *Settlement, now tenure.Instant) tenure.Case {
	c.State, c.ClosedAt, c.Lease, c.Score = state, now, tenure.Lease{}, 0
	c.Version++
	if s != nil {
		c.Accepted, c.AcceptedFrom, c.Note = s.Accepted, s.From, s.Note
		c.SettledBy = &tenure.Settler{Actor: s.By.Actor, Reviewer: s.By.Person, At: now, How: s.How}
		c.Events = queue.Remember(c.Events, tenure.CaseEvent{
			At: now, Actor: s.By.Actor, Reviewer: s.By.Person, Action: s.How, Accepted: s.Accepted, From: s.From, Note: s.Note,
		})
	}
	return c
}

// reopen opens a closed case again, as it was before anybody looked at it.
func reopen(c tenure.Case) tenure.Case {
	c.State, c.ClosedAt, c.Accepted, c.AcceptedFrom, c.Note, c.SettledBy = tenure.CaseOpen, 0, "", nil, "", nil
	c.DeferredBy, c.DeferredAt, c.DeferredUntil, c.DeferNote = "", 0, 0, ""
	c.Version++
	return c
}

// Undone opens a settled case again.
func Undone(c tenure.Case, by queue.Worker, reason string, now tenure.Instant) tenure.Case {
	c = reopen(c)
	c.Events = queue.Remember(c.Events, tenure.CaseEvent{
		At: now, Actor: by.Actor, Reviewer: by.Person, Action: Undo, Note: reason,
	})
	return c
}

// Deferred returns the next version of an open case that is put off, until a time unless that is 0.
func Deferred(c tenure.Case, by queue.Worker, until tenure.Instant, note string, now tenure.Instant) tenure.Case {
	c.DeferredBy, c.DeferredAt, c.DeferredUntil, c.DeferNote = by.Actor, now, until, note
	c.Lease = tenure.Lease{}
	c.Version++
	c.Events = queue.Remember(c.Events, tenure.CaseEvent{
		At: now, Actor: by.Actor, Reviewer: by.Person, Action: Defer, Until: until, Note: note,
	})
	return c
}

// Settle closes a case with an answer.
func Settle(c tenure.Case, s Settlement, now tenure.Instant) tenure.Case {
	return closeCase(c, tenure.CaseSettled, &s, now)
}
