package projection

import (
	"context"
	"slices"

	"tenure"
	"tenure/beliefs"
)

// smallSlot is the number of claims up to which a slot is read and judged as a whole, whatever was added to it.
const smallSlot = 64

// judged is what a slot was judged by: all of its evidence, or a part that is enough.
type judged struct {
	*gathered

	after   map[tenure.ID]tenure.Standing // of the claims that can have changed
	outline *beliefs.Outline              // of all claims of the slot, nil if none is kept
}

// outlined is what is remembered of a root's slot: the same under the slot of each member.
type outlined struct {
	*beliefs.Outline

	members []tenure.Slot
	cases   []tenure.ID
	labels  []tenure.Label
}

// judge reads of a slot what the claims that were added have to be judged with, and judges it: all of a small slot, of
// one in which something else has changed, and of one of which nothing is remembered.
func (p *projector) judge(ctx context.Context, s tenure.Slot) (judged, error) {
	added, err := p.addedTo(ctx, s)
	if err != nil {
		return judged{}, err
	}
	if j, enough, err := p.judgePart(ctx, s, added); enough || err != nil {
		return j, err
	}
	g, err := p.gather(ctx, s)
	if err != nil {
		return judged{}, err
	}
	j := judged{gathered: g}
	if len(g.evidence.Claims) <= smallSlot {
		j.after = beliefs.Stand(g.evidence)
		return j, nil
	}
	if len(added) > 0 {
		if j.after, j.outline = judgeAdded(g, p.added); j.after != nil {
			return j, nil
		}
	}
	j.after = beliefs.Stand(g.evidence)
	j.outline = beliefs.NewOutline(g.evidence, j.after)
	return j, nil
}

// addedTo returns the claims that the decision added to a slot, none if something else has changed there.
func (p *projector) addedTo(ctx context.Context, s tenure.Slot) ([]tenure.Claim, error) {
	if p.whole[s.Key()] || len(p.moved) > 0 {
		return nil, nil
	}
	var list []tenure.Claim
	for _, c := range p.txn.Changes() {
		put, ok := c.(tenure.ClaimAdded)
		if !ok {
			continue
		}
		at, err := p.rootSlot(ctx, put.Claim.Slot())
		if err != nil {
			return nil, err
		}
		if at == s {
			list = append(list, put.Claim)
		}
	}
	return list, nil
}

// judgeAdded judges as many of the claims as the added ones need. It returns nil if these need all.
func judgeAdded(g *gathered, isAdded map[tenure.ID]bool) (map[tenure.ID]tenure.Standing, *beliefs.Outline) {
	e := g.evidence
	var old []tenure.ID
	var added []tenure.Claim
	for _, c := range e.Claims {
		if isAdded[c.ID] {
			added = append(added, c)
		} else {
			old = append(old, c.ID)
		}
	}
	outline := beliefs.NewOutline(e.Of(old), g.before)
	if outline == nil {
		return nil, nil
	}
	needed, enough := outline.Needed(e.Term, e.Outranks, added)
	if !enough {
		return nil, nil
	}
	for _, c := range added {
		needed = append(needed, c.ID)
	}
	few := e.Of(needed)
	after, enough := beliefs.StandAgain(few, g.before, isAdded)
	if !enough {
		return nil, nil
	}
	return after, outline.With(few, after)
}

// judgePart reads and judges what the added claims need. It reports false if that is not known, or most of the slot.
func (p *projector) judgePart(ctx context.Context, s tenure.Slot, added []tenure.Claim) (judged, bool, error) {
	if len(added) == 0 {
		return judged{}, false, nil
	}
	members, err := p.members(ctx, s)
	if err != nil {
		return judged{}, false, err
	}
	known := p.outlineOf(members)
	if known == nil {
		return judged{}, false, nil
	}
	needed, enough, err := p.needed(ctx, s, known, added)
	if !enough || err != nil {
		return judged{}, false, err
	}
	g := newGathered()
	g.members = members
	st, err := p.txn.Part(ctx, members, needed, known.cases)
	if err != nil {
		return judged{}, false, err
	}
	if err := p.add(ctx, g, s, st); err != nil {
		return judged{}, false, err
	}
	if err := p.leaveOut(ctx, g, s); err != nil {
		return judged{}, false, err
	}
	if err := p.complete(ctx, g, s); err != nil {
		return judged{}, false, err
	}
	if err := p.grounds(ctx, &g.evidence); err != nil {
		return judged{}, false, err
	}
	if g.labels = withLabels(known.labels, nil); !slices.Equal(g.slotLabels(), known.labels) {
		return judged{}, false, nil // each standing of the slot is to say so
	}
	after, enough := beliefs.StandAgain(g.evidence, g.before, p.added)
	if !enough {
		return judged{}, false, nil
	}
	return judged{g, after, known.With(g.evidence, after)}, true, nil
}

// needed lists the claims that have to be read to judge the added ones, with these.
func (p *projector) needed(ctx context.Context, s tenure.Slot, known *outlined, added []tenure.Claim) (
	ids []tenure.ID, enough bool, err error,
) {
	e := beliefs.Evidence{Claims: slices.Clone(added)}
	if e.Term, err = p.term(ctx, s.Predicate); err != nil {
		return nil, false, err
	}
	if e.Outranks, err = p.outranks(ctx, known.Spoken() || spoken(e)); err != nil {
		return nil, false, err
	}
	if err := p.canonical(ctx, e); err != nil {
		return nil, false, err
	}
	ids, enough = known.Needed(e.Term, e.Outranks, e.Claims)
	enough = enough && 2*len(ids) < known.Len()
	for _, c := range added {
		ids = append(ids, c.ID)
	}
	return ids, enough, nil
}

// leaveOut tells which superseders are claims of the slot that were not read as such.
func (p *projector) leaveOut(ctx context.Context, g *gathered, s tenure.Slot) error {
	g.evidence.LeftOut = map[tenure.ID]bool{}
	for _, c := range g.evidence.Superseders {
		at, err := p.rootSlot(ctx, c.Slot())
		if err != nil {
			return err
		}
		g.evidence.LeftOut[c.ID] = at == s
	}
	return nil
}

// outlineOf returns what is remembered of a root's slot as it is, nil if nothing is.
func (p *projector) outlineOf(members []tenure.Slot) *outlined {
	first, _ := p.txn.Outline(members[0]).(*outlined)
	if first == nil || !slices.Equal(first.members, members) {
		return nil
	}
	for _, s := range members[1:] {
		if o, _ := p.txn.Outline(s).(*outlined); o != first {
			return nil
		}
	}
	return first
}

// keep notes what is remembered of a slot once the decision is written, with the case that it has by now.
func (p *projector) keep(j judged, now tenure.ID) {
	o := &outlined{Outline: j.outline, members: j.members, labels: j.slotLabels()}
	for _, c := range slices.Concat(j.cases, j.memberCases) {
		o.cases = append(o.cases, c.ID)
	}
	if now != "" && !slices.Contains(o.cases, now) {
		o.cases = append(o.cases, now)
	}
	p.outlines = append(p.outlines, o)
}

// keepFree keeps what is remembered of a slot in which claims lose or regain their grounds, where that is all the same
// to the others.
func (p *projector) keepFree(ctx context.Context, s tenure.Slot) error {
	s, err := p.rootSlot(ctx, s)
	if err != nil || p.judged[s.Key()] {
		return err
	}
	p.judged[s.Key()] = true
	members, err := p.members(ctx, s)
	if err != nil {
		return err
	}
	if o := p.outlineOf(members); o != nil && o.Free() {
		p.outlines = append(p.outlines, o)
	}
	return nil
}

func (p *projector) remember() {
	for _, o := range p.outlines {
		size := o.Len()
		for _, s := range o.members {
			p.txn.Remember(s, o, size)
			size = 0 // of the others
		}
	}
}
