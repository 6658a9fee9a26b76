package reading

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/ingest"
	"tenure/linking"
	"tenure/statements/align"
	"tenure/store"
	"tenure/text"
)

// propose keeps with an unsure statement the change that it would make, or returns why there is none.
func (t *turn) propose(c align.Change) (why string) {
	said := &t.out.Statements[c.Statement]
	p := &tenure.Proposal{
		Effect: tenure.Adds, Value: text.Head(c.Value, maxRemark), Beside: c.Beside, From: c.From, Until: c.Until,
	}
	known := c.Slot >= 0 && t.slots[c.Slot].root.ID != ""
	if known {
		p.Effect = t.wouldDo(c)
	}
	switch {
	case p.Effect == tenure.Keeps:
		return whyStands
	case !known:
		p.Name = t.nameOf(c)
		if p.Name == "" || c.Predicate == "" || c.Value == "" {
			return whyNobody
		}
	case p.Effect == tenure.Set:
		p.Stands, p.Many = t.inTheWay(c)
	default:
		c.Effect = p.Effect
		if p.Stands, why = t.amended(c); why != "" {
			return why
		}
	}
	if proposes(t.out.Statements[:c.Statement], said, p) {
		return whyAlready
	}
	said.Proposal = p
	return ""
}

// proposes reports whether one of the statements already proposes the same change.
func proposes(list []tenure.Said, said *tenure.Said, p *tenure.Proposal) bool {
	return slices.ContainsFunc(list, func(o tenure.Said) bool {
		return o.Proposal != nil && o.Entity == said.Entity && o.Predicate == said.Predicate &&
			o.Proposal.Effect == p.Effect && o.Proposal.Name == p.Name && same(o.Proposal.Value, p.Value)
	})
}

// wouldDo returns what an unsure statement about a known entity would do: Keeps if what it says stands already.
func (t *turn) wouldDo(c align.Change) tenure.Effect {
	st, s := t.said[c.Statement], t.slots[c.Slot]
	stands := slices.ContainsFunc(s.Values, func(v string) bool { return same(v, c.Value) })
	switch {
	case c.Value != "" && !stands:
		return tenure.Set
	case st.Act == tenure.Retracts, st.Act == tenure.Corrects:
		return tenure.RetractsValue
	case st.Act == tenure.Ends, !same(st.New.Text, c.Value):
		return tenure.EndsSlot
	}
	return tenure.Keeps
}

// inTheWay lists the beliefs that a new value would displace, and reports whether it would stand beside others.
func (t *turn) inTheWay(c align.Change) (ids []tenure.ID, many bool) {
	s := t.slots[c.Slot]
	many = c.Beside || s.Many
	for i, b := range s.beliefs {
		if !many || !c.Beside && t.displaces(c, s, i) {
			ids = append(ids, b.Claim.ID)
		}
	}
	return ids, many
}

// nameOf returns the name of a subject that is no entity yet: the speaker's if the change is about the speaker.
func (t *turn) nameOf(c align.Change) string { return cmp.Or(t.subjectOf(c), t.in.Source.Speaker) }

// subjectOf returns the name of a subject that is no entity yet: "Hugo's sister" of Hugo's "my sister", "" of the
// speaker.
func (t *turn) subjectOf(c align.Change) string {
	name := text.Head(c.Subject, maxName)
	if c.Own && name != "" {
		return t.own(name)
	}
	return name
}

// Accept returns the input that makes the change which a statement of an observation proposes, as if the statement had
// been certain: in the voice of its speaker, at the time at which it was said. It returns Conflicting if there is
// nothing left to change.
func (s Stage) Accept(
	ctx context.Context, r store.Reader, c tenure.Caller, o tenure.Observation, number int,
) (ingest.Input, error) {
	said := o.Statements[number-1]
	p := said.Proposal
	in, err := withText(ctx, r, o)
	if err != nil {
		return in, err
	}
	t := s.begin(r, c, in, o.ReceivedAt)
	t.in.Reading, t.said = t.out, []tenure.Statement{said.Statement}
	if t.mentions, err = t.extract(ctx, o.Scope.ProjectID); err != nil {
		return t.in, err
	}
	t.named, err = s.Linker.Places(ctx, r, linking.Utterance{
		Tenant: c.Tenant, Text: t.text, Project: o.Scope.ProjectID, Speaker: o.Source.Speaker,
	})
	if err != nil {
		return t.in, err
	}
	t.mentions = joined(t.text, t.mentions, t.named.Places)
	change := align.Change{
		Effect: p.Effect, Slot: -1, Subject: p.Name, Predicate: said.Predicate, Value: p.Value, Beside: p.Beside,
		From: p.From, Until: p.Until, Why: said.Why,
	}
	if said.Entity != "" {
		if change.Slot, err = t.slotOf(ctx, said.Entity, said.Predicate); err != nil {
			return t.in, err
		}
	}
	t.write([]align.Change{change})
	if done := t.out.Statements[0]; done.Effect == tenure.Keeps {
		return t.in, tenure.Errorf(tenure.Conflicting, "the change cannot be made: %s", done.Why)
	}
	t.quote(said.Span)
	return t.in, nil
}

// withText returns an observation as its source stated it. A further reading has the text of the one that it is of.
func withText(ctx context.Context, r store.Reader, o tenure.Observation) (ingest.Input, error) {
	in := inputOf(o)
	if o.Of == "" {
		return in, nil
	}
	found, err := r.Observations(ctx, []tenure.ID{o.Of})
	for _, first := range found {
		in.Text = first.Text
	}
	return in.Labelled(), err
}

// quote makes the clause of the only statement the text of the input.
func (t *turn) quote(clause tenure.Span) {
	st := &t.out.Statements[0]
	t.in.Text = clause.Text
	for _, s := range []*tenure.Span{&st.Span, &st.Subject, &st.New, &st.Old} {
		if s.End > 0 {
			s.Start, s.End = s.Start-clause.Start, s.End-clause.Start
		}
	}
}

// slotOf reads the slots of an entity, and returns the index of that of a predicate, which it adds if there is none.
func (t *turn) slotOf(ctx context.Context, entity tenure.ID, predicate string) (int, error) {
	whole, err := t.roots(ctx, []tenure.ID{entity})
	if err != nil {
		return 0, err
	}
	if len(whole) != 1 {
		return 0, tenure.Errorf(tenure.Conflicting, "the entity that the words are about is not there any more")
	}
	if t.slots, err = t.known(ctx, whole); err != nil {
		return 0, err
	}
	i := slices.IndexFunc(t.slots, func(s slot) bool { return s.Predicate == predicate })
	if i >= 0 {
		return i, nil
	}
	i = len(t.slots)
	t.slots = append(t.slots, slot{Slot: align.Slot{Predicate: predicate}, root: whole[0]})
	return i, t.fill(ctx, t.slots[i:])
}

// inputOf returns an observation as its source stated it, to be read again.
func inputOf(o tenure.Observation) ingest.Input {
	s := o.Source
	return ingest.Input{
		Source: ingest.Source{
			Origin: s.Origin, AuthorityLevel: &s.AuthorityLevel, SourceAuthority: &s.SourceAuthority, Speaker: s.Speaker,
			Role: s.Role, Session: s.Session, Thread: s.Thread,
		},
		Scope: o.Scope, ObservedAt: &o.ObservedAt, Text: o.Text, Addressee: o.Addressee, Of: o.ID,
		Classification: o.Classification, Permission: o.Permission,
	}.Labelled()
}
