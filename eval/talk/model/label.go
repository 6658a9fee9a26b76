package main

import (
	"slices"
	"strings"

	"tenure"
	talk "tenure/eval/talk/conversation"
	"tenure/eval/talk/memory"
	"tenure/statements"
	"tenure/statements/align"
	"tenure/text"
	"tenure/vocabulary"
)

// class is whether the new value of a statement holds for a slot.
type class int

const (
	no class = iota
	yes
	unknown // nothing is learned from it, and it counts neither way
)

// pairing is a statement beside a slot, with what its author says that the turn does there.
type pairing struct {
	writer  string
	slot    string // conversation, turn, variant and slot
	variant string
	row     []float64 // nil for what only tells that the slot gets a new value
	said    tenure.Statement
	gold    *talk.Gold // of the turn and the slot, nil if none
}

// tell tells a conversation that is read by weights of words, and returns what is measured of its statements beside what
// it tells, and beside a crowd.
func tell(c *talk.Conversation, w *statements.Weights, crowd *crowd) (all []pairing, err error) {
	m, hearing := &memory.Memory{}, memory.NewHearing(c.Known, w)
	for _, f := range c.Known {
		m.Know(f)
	}
	gold := golds(c)
	for turn, t := range c.Turns {
		list, err := hearing.Hear(t)
		if err != nil {
			return nil, err
		}
		var changes []align.Change
		for i, v := range crowd.variants(m.Slots(t), gold, turn) {
			found, done := v.measure(c, turn, list, gold)
			if all = append(all, found...); i == 0 {
				changes = done
			}
		}
		m.Apply(t, list, slices.DeleteFunc(changes, func(c align.Change) bool { return c.Effect != align.Keeps }))
	}
	return all, nil
}

// of returns what a turn does to a slot, nil if nothing.
func of(gold []talk.Gold, turn int, s align.Slot) *talk.Gold {
	for i := range gold {
		g := &gold[i]
		if g.Turn == turn && len(s.Names) > 0 && text.Key(g.Subject) == text.Key(s.Names[0]) &&
			vocabulary.Normal(g.About) == vocabulary.Normal(s.Predicate) {
			return g
		}
	}
	return nil
}

// golds are what the turns do as the author says, else as the question tells.
func golds(c *talk.Conversation) []talk.Gold {
	if len(c.Gold) > 0 || len(c.Asks) != 1 || len(c.Known) == 0 || c.Asks[0].Aim != "change" {
		return c.Gold
	}
	a, k := c.Asks[0], c.Known[0]
	g := talk.Gold{Act: a.Act, Subject: k.Subject, About: k.Predicate}
	for i, t := range c.Turns {
		for _, p := range a.Must {
			for s := range strings.SplitSeq(p, "|") {
				if at := talk.Find(strings.ToLower(t.Text), strings.ToLower(s)); at >= 0 && at+len(s) <= len(t.Text) {
					g.Turn, g.New = i, t.Text[at:at+len(s)]
					return []talk.Gold{g}
				}
			}
		}
	}
	if len(a.Must) == 0 {
		return []talk.Gold{g}
	}
	return nil
}

// sets reports whether a turn gives the slot a new value.
func sets(g *talk.Gold) bool {
	return g != nil && g.New != "" && (g.Act == string(tenure.Asserts) || g.Act == string(tenure.Corrects))
}

// class says whether the author says that the new value of the statement holds for the slot.
func (p pairing) class() class {
	if p.gold == nil {
		return no
	}
	switch tenure.Act(p.gold.Act) {
	case tenure.Asserts, tenure.Corrects:
	case tenure.Plans:
		return unknown
	default:
		return no
	}
	wanted, said := strings.ToLower(p.gold.New), strings.ToLower(p.said.New.Text)
	switch {
	case wanted == "", wanted != said && talk.Find(wanted, said) >= 0:
		return unknown
	case talk.Find(said, wanted) >= 0:
		return yes
	}
	return no
}
