package reading

import (
	"context"
	"slices"

	"tenure"
	"tenure/ner"
	"tenure/store"
)

// past is a turn before a text, with what it was about.
type past struct {
	tenure.Observation
	entities []tenure.ID   // that it names or says something of, or members of these
	slots    []tenure.Slot // that it says something of, without their scopes
}

// turnsBefore reads the newest turns of the thread that the caller may see from the scope of the text, the newest
// first.
func (t *turn) turnsBefore(ctx context.Context) ([]past, error) {
	list, err := t.r.ListObservations(ctx, store.ObservationQuery{
		By: store.ByThread, Name: t.thread(), From: tenure.MinTime, Before: t.at + 1, Limit: 2 * maxTurns,
	})
	if err != nil {
		return nil, err
	}
	var turns []past
	var mentions, claims []tenure.ID
	for _, rec := range list {
		o := rec.Observation
		if len(turns) == maxTurns || !o.Scope.VisibleIn(t.in.Scope) || !t.caller.Within(o.Scope) {
			continue
		}
		turns = append(turns, past{Observation: o})
		mentions, claims = append(mentions, o.Mentions...), append(claims, o.Claims...)
	}
	assigned, err := t.r.Mentions(ctx, mentions)
	if err != nil {
		return nil, err
	}
	made, err := t.r.Beliefs(ctx, claims)
	if err != nil {
		return nil, err
	}
	return t.about(turns, assigned, made), nil
}

// about adds to turns what they were about, and leaves out those that say what the caller may not see.
func (t *turn) about(turns []past, assigned []store.MentionRecord, made []tenure.Belief) []past {
	place := map[tenure.ID]*past{}
	for i := range turns {
		p := &turns[i]
		place[p.ID] = p
		p.entities = slices.Clone(p.Named)
		for _, s := range p.Statements {
			if s.Entity != "" {
				p.entities = append(p.entities, s.Entity)
				p.slots = append(p.slots, tenure.Slot{Subject: s.Entity, Predicate: s.Predicate})
			}
		}
	}
	for _, m := range assigned {
		if p := place[m.Mention.Observation]; p != nil {
			p.entities = append(p.entities, m.Assignment.Entity)
		}
	}
	hidden := map[tenure.ID]bool{}
	for _, b := range made {
		hidden[b.Claim.Observation] = hidden[b.Claim.Observation] || !t.caller.Sees(b.Claim)
		if p := place[b.Claim.Observation]; p != nil {
			p.entities = append(p.entities, b.Claim.Subject)
			p.slots = append(p.slots, tenure.Slot{Subject: b.Claim.Subject, Predicate: b.Claim.Predicate})
		}
	}
	return slices.DeleteFunc(turns, func(p past) bool { return hidden[p.ID] })
}

// near lists the entities of the turns before, those of the newest first.
func (t *turn) near() (list []tenure.ID) {
	for _, p := range t.before {
		list = append(list, p.entities...)
	}
	return unique(list)
}

// unique returns what is in a list, but for "", once each and in its order.
func unique[T ~string](list []T) (kept []T) {
	seen := map[T]bool{"": true}
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			kept = append(kept, s)
		}
	}
	return kept
}

func sortByPlace(list []ner.Mention) {
	slices.SortFunc(list, func(a, b ner.Mention) int { return a.Start - b.Start })
}
