package projection

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"tenure"
	"tenure/beliefs"
	"tenure/ledger"
	"tenure/quarantine"
	"tenure/vocabulary"
)

// Cause is a reason for projecting slots beyond the changes of the decision.
type Cause struct {
	// Slots are projected although no evidence was added to them.
	Slots []tenure.Slot
	// Settled is the settlement of a case, or nil.
	Settled *quarantine.Settlement
}

// Projection is the change of standings. Before has no entry for a new belief.
type Projection struct {
	Before map[tenure.ID]tenure.Standing
	After  map[tenure.ID]tenure.Standing
	Claims map[tenure.ID]tenure.Claim // claims of all beliefs in After
}

// Restored lists beliefs that stand at some time at which they did not stand before, in order of their ids.
func (p Projection) Restored() []tenure.ID { return p.changed(gains) }

// Displaced lists beliefs that no longer stand at some time at which they stood before, in order of their
// ids.
func (p Projection) Displaced() []tenure.ID {
	return p.changed(func(before, after tenure.Standing) bool { return gains(after, before) })
}

func (p Projection) changed(by func(before, after tenure.Standing) bool) []tenure.ID {
	var list []tenure.ID
	for id, after := range p.After {
		if before, ok := p.Before[id]; ok && by(before, after) {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// gains reports whether b stands at an instant at which a does not. Both cover the same window.
func gains(a, b tenure.Standing) bool {
	for _, g := range b.Segments {
		if g.Cause != tenure.Stands {
			continue
		}
		for _, h := range a.Segments {
			if h.Cause != tenure.Stands && h.Overlaps(g.Window) {
				return true
			}
		}
	}
	return false
}

// Project writes the standings and the cases that follow from the changes of a decision, and returns how
// beliefs changed. It must be called once, after all other changes of the decision.
func Project(ctx context.Context, txn *ledger.Txn, cause Cause, now tenure.Instant) (Projection, error) {
	p := &projector{
		txn: txn, cause: cause, now: now,
		out: Projection{
			Before: map[tenure.ID]tenure.Standing{}, After: map[tenure.ID]tenure.Standing{},
			Claims: map[tenure.ID]tenure.Claim{},
		},
		added: map[tenure.ID]bool{}, moved: map[tenure.ID]bool{},
	}
	slots, err := p.affected(ctx)
	if err != nil {
		return p.out, err
	}
	for _, s := range slots {
		if err := p.restand(ctx, s); err != nil {
			return p.out, err
		}
	}
	if err := p.propagate(ctx); err != nil {
		return p.out, err
	}
	p.putStandings()
	return p.out, nil
}

type projector struct {
	txn   *ledger.Txn
	cause Cause
	now   tenure.Instant
	out   Projection
	added map[tenure.ID]bool // claims of the decision
	moved map[tenure.ID]bool // claims that the decision moved to other slots
	order []tenure.ID        // keys of After, in order of projection
	cases []tenure.Change
}

// affected lists the slots to project: slots of new claims, of claims that these supersede, of amended
// claims, of claims that amended claims supersede, and of moved claims, before and after the move. Each slot
// is replaced by the slot of its root and listed once.
func (p *projector) affected(ctx context.Context) ([]tenure.Slot, error) {
	var slots []tenure.Slot
	seen := map[string]bool{}
	add := func(s tenure.Slot) error {
		s, err := p.rootSlot(ctx, s)
		if key := s.Key(); err == nil && !seen[key] {
			seen[key] = true
			slots = append(slots, s)
		}
		return err
	}
	for _, s := range p.cause.Slots {
		if err := add(s); err != nil {
			return nil, err
		}
	}
	for _, c := range p.txn.Changes() {
		if err := p.affectedBy(ctx, c, add); err != nil {
			return nil, err
		}
	}
	return slots, nil
}

func (p *projector) affectedBy(ctx context.Context, c tenure.Change, add func(tenure.Slot) error) error {
	switch c := c.(type) {
	case tenure.ClaimMoved:
		p.moved[c.Claim] = true
		return cmp.Or(add(c.From), add(c.To))
	case tenure.ClaimAdded:
		p.added[c.Claim.ID] = true
		return cmp.Or(add(c.Claim.Slot()), p.named(ctx, c.Claim, add))
	case tenure.Amended:
		b, err := p.txn.Belief(ctx, c.Amendment.Belief)
		if err != nil {
			return err
		}
		if b == nil {
			return tenure.Errorf(tenure.NotFound, "no such belief")
		}
		return cmp.Or(add(b.Claim.Slot()), p.named(ctx, b.Claim, add))
	}
	return nil
}

// named adds the slots of the claims that a claim names as superseded.
func (p *projector) named(ctx context.Context, c tenure.Claim, add func(tenure.Slot) error) error {
	for _, id := range c.Supersedes {
		b, err := p.txn.Belief(ctx, id)
		if err != nil {
			return err
		}
		if b != nil {
			if err := add(b.Claim.Slot()); err != nil {
				return err
			}
		}
	}
	return nil
}

// restand projects the slot of a root: its standings and its case.
func (p *projector) restand(ctx context.Context, s tenure.Slot) error {
	g, err := p.gather(ctx, s)
	if err != nil {
		return err
	}
	after := beliefs.Stand(g.evidence)
	claims := map[tenure.ID]tenure.Claim{}
	var list []tenure.Standing
	for _, c := range g.evidence.Claims {
		claims[c.ID] = c
		list = append(list, after[c.ID])
	}
	held := quarantine.Find(list)
	next, changed := quarantine.Next(s, g.cases, held, claims, p.cause.Settled, p.now)
	if changed {
		p.cases = append(p.cases, tenure.CasePut{Case: next})
	}
	for _, c := range quarantine.Dissolve(g.memberCases, p.now) {
		p.cases = append(p.cases, tenure.CasePut{Case: c})
	}
	open := openCase(g.cases, next, changed)
	for _, c := range g.evidence.Claims {
		standing := after[c.ID]
		if slices.Contains(held.Beliefs, c.ID) {
			standing.Case = open
		}
		if old, ok := g.before[c.ID]; ok {
			p.out.Before[c.ID] = old
		}
		p.set(c, standing)
	}
	return nil
}

func openCase(cases []tenure.Case, next tenure.Case, changed bool) tenure.ID {
	if changed {
		return next.ID
	}
	for _, c := range cases {
		if c.State == tenure.CaseOpen {
			return c.ID
		}
	}
	return ""
}

func (p *projector) term(ctx context.Context, predicate string) (tenure.Term, error) {
	return vocabulary.Resolve(ctx, p.txn, predicate)
}

// standing returns the newest known standing of a belief, including standings of this decision.
func (p *projector) standing(ctx context.Context, id tenure.ID) (tenure.Standing, error) {
	if s, ok := p.out.After[id]; ok {
		return s, nil
	}
	b, err := p.txn.Belief(ctx, id)
	if b == nil || err != nil {
		return tenure.Standing{}, err
	}
	return b.Standing, nil
}

func (p *projector) set(c tenure.Claim, s tenure.Standing) {
	if _, ok := p.out.After[c.ID]; !ok {
		p.order = append(p.order, c.ID)
	}
	s = s.MovedLike(p.out.Before[c.ID])
	p.out.After[c.ID], p.out.Claims[c.ID] = s, c
}

// propagate re-evaluates the beliefs whose grounds changed, transitively. It terminates, since a belief
// depends only on older beliefs.
func (p *projector) propagate(ctx context.Context) error {
	queue := slices.Clone(p.order)
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		if p.added[id] || slices.Equal(p.out.Before[id].Segments, p.out.After[id].Segments) {
			continue
		}
		dependents, err := p.txn.Dependents(ctx, id)
		if err != nil {
			return err
		}
		for _, b := range dependents {
			changed, err := p.applyGrounds(ctx, b)
			if err != nil {
				return err
			}
			if changed {
				queue = append(queue, b.Claim.ID)
			}
		}
	}
	return nil
}

func (p *projector) applyGrounds(ctx context.Context, b *tenure.Belief) (bool, error) {
	c := b.Claim
	p.txn.Touch(c.Slot())
	grounds := map[tenure.ID]tenure.Standing{}
	for _, id := range c.DependsOn {
		var err error
		if grounds[id], err = p.standing(ctx, id); err != nil {
			return false, err
		}
	}
	now, err := p.standing(ctx, c.ID)
	if err != nil {
		return false, err
	}
	next := beliefs.ApplyGrounds(now, c.DependsOn, grounds)
	if reflect.DeepEqual(next, now) {
		return false, nil
	}
	if _, known := p.out.Before[c.ID]; !known && !p.added[c.ID] {
		p.out.Before[c.ID] = b.Standing
	}
	p.set(c, next)
	return true, nil
}

// putStandings writes the cases and the standings that are new or changed.
func (p *projector) putStandings() {
	p.txn.Put(p.cases...)
	for _, id := range p.order {
		after := p.out.After[id]
		if before, ok := p.out.Before[id]; ok && !p.moved[id] && reflect.DeepEqual(before, after) {
			delete(p.out.After, id)
			continue
		}
		p.txn.Put(tenure.StandingPut{Slot: p.out.Claims[id].Slot(), Standing: after})
	}
}
