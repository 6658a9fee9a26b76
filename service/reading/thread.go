package reading

import (
	"context"
	"slices"

	"tenure"
	"tenure/labels"
	"tenure/ner"
	"tenure/store"
	"tenure/text"
)

// past is a turn before a text, with what it was about.
type past struct {
	tenure.Observation
	entities []tenure.ID   // that it names or says something of, or members of these
	slots    []tenure.Slot // that it says something of, without their scopes
	remarks  []tenure.Belief
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
	var later []tenure.Observation // further readings of turns
	var mentions, claims []tenure.ID
	for _, rec := range list {
		o := rec.Observation
		switch {
		case !o.Scope.VisibleIn(t.in.Scope) || !t.sight.Sees(labels.LabelOf(o)):
			continue
		case o.Of != "":
			later = append(later, o)
		case len(turns) == maxTurns || o.ID == t.in.Of:
			continue
		default:
			turns = append(turns, past{Observation: o})
		}
		mentions, claims = append(mentions, o.Mentions...), append(claims, o.Claims...)
	}
	var assigned []store.MentionRecord
	var made []tenure.Belief
	err = store.Beside(func() (err error) {
		assigned, err = t.r.Mentions(ctx, mentions)
		return err
	}, func() (err error) {
		made, err = t.r.Beliefs(ctx, claims)
		return err
	})
	if err != nil {
		return nil, err
	}
	t.misread = misread(turns, later)
	place := t.placed(turns, later)
	return t.about(turns, place, assigned, made), nil
}

// placed adds to turns what their statements are about, and indexes them by their ids and those of their further
// readings.
func (t *turn) placed(turns []past, later []tenure.Observation) map[tenure.ID]*past {
	place := map[tenure.ID]*past{}
	for i := range turns {
		place[turns[i].ID] = &turns[i]
	}
	for _, o := range later {
		if p := place[o.Of]; p != nil {
			place[o.ID] = p
			p.Named = append(slices.Clip(p.Named), o.Named...)
			p.Statements = slices.Concat(otherWords(p.Statements, o), o.Statements)
		}
	}
	for i := range turns {
		p := &turns[i]
		if t.late != nil && t.late.read[p.ID] != nil {
			p.Statements = t.late.read[p.ID]
		}
		p.entities = slices.Clone(p.Named)
		for _, s := range p.Statements {
			if s.Entity != "" {
				p.entities = append(p.entities, s.Entity)
				p.slots = append(p.slots, tenure.Slot{Subject: s.Entity, Predicate: s.Predicate})
			}
		}
	}
	return place
}

// misread returns the beliefs of turns whose words were reread differently for a late observation.
func misread(turns []past, later []tenure.Observation) map[tenure.ID]bool {
	gone := map[tenure.ID]bool{}
	for _, o := range later {
		i := slices.IndexFunc(turns, func(p past) bool { return p.ID == o.Of && o.For != "" })
		if i < 0 {
			continue
		}
		for _, s := range turns[i].Statements {
			if slices.ContainsFunc(o.Statements, func(r tenure.Said) bool { return r.Span == s.Span }) {
				gone[s.Belief] = true
			}
		}
	}
	return gone
}

// otherWords leaves out the statements whose words were reread differently for a late observation.
func otherWords(list []tenure.Said, o tenure.Observation) []tenure.Said {
	if o.For == "" {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(s tenure.Said) bool {
		return slices.ContainsFunc(o.Statements, func(r tenure.Said) bool { return r.Span == s.Span })
	})
}

// about adds to turns what they were about, and leaves out those that say what the caller may not see.
func (t *turn) about(
	turns []past, place map[tenure.ID]*past, assigned []store.MentionRecord, made []tenure.Belief,
) []past {
	for _, m := range assigned {
		if p := place[m.Mention.Observation]; p != nil {
			p.entities = append(p.entities, m.Assignment.Entity)
		}
	}
	hidden := map[tenure.ID]bool{}
	for _, b := range made {
		p := place[b.Claim.Observation]
		if p == nil {
			continue
		}
		hidden[p.ID] = hidden[p.ID] || !t.sight.Sees(b.Claim.Label())
		if !t.hides(b) {
			p.entities = append(p.entities, b.Claim.Subject)
			p.slots = append(p.slots, tenure.Slot{Subject: b.Claim.Subject, Predicate: b.Claim.Predicate})
			if b.Claim.Predicate == tenure.Remark && t.stands(b) {
				p.remarks = append(p.remarks, b)
			}
		}
	}
	return slices.DeleteFunc(turns, func(p past) bool { return hidden[p.ID] })
}

// question returns the question that a statement may answer, "" if there is none: the newest turn of another speaker
// asks it, and the speaker has asserted no value since. A question with a classification label is not repeated.
func (t *turn) question(s tenure.Statement) string {
	for _, o := range t.said {
		if o.Start >= s.Start {
			break
		}
		if o.Act.Changes() && o.New.Text != "" {
			return ""
		}
	}
	for _, p := range t.before {
		if p.Source.Speaker == t.in.Source.Speaker {
			if slices.ContainsFunc(p.Statements, func(s tenure.Said) bool { return s.Act.Changes() }) {
				return ""
			}
			continue
		}
		if inputOf(p.Observation).Labels.Classification != "" {
			return ""
		}
		for _, o := range slices.Backward(p.Statements) {
			if o.Act == tenure.Asks {
				return text.Head(o.Text, maxSpan)
			}
		}
		break
	}
	return ""
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
