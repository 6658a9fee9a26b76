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
)

// Evidence is what a decision adds. Settled is the answer to a case, or nil.
type Evidence struct {
	Claims     []tenure.Claim
	Amendments []tenure.Amendment
	Settled    *quarantine.Settlement
	// Terms are those of the predicates that are defined by the decision
	// itself, by predicate; Slots are those that they change.
	Terms map[string]tenure.Term
	Slots []tenure.Slot
	// Entities are the versions that the decision itself gives to entities.
	Entities map[tenure.ID]tenure.Entity
	// Moves are the claims that it puts into other slots.
	Moves []tenure.ClaimMoved
}

// Projection is what became of beliefs. Before has no entry for a new one.
type Projection struct {
	Changes []tenure.Change
	Before  map[tenure.ID]tenure.Standing
	After   map[tenure.ID]tenure.Standing
	Claims  map[tenure.ID]tenure.Claim // of all beliefs in After
}

// Restored lists the beliefs that stand somewhere where they did not before,
// in order of their ids.
func (p Projection) Restored() []tenure.ID {
	var list []tenure.ID
	for id, after := range p.After {
		if before, ok := p.Before[id]; ok && gains(before, after) {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// Displaced lists the beliefs that stand no longer somewhere where they did,
// in order of their ids.
func (p Projection) Displaced() []tenure.ID {
	var list []tenure.ID
	for id, after := range p.After {
		if before, ok := p.Before[id]; ok && gains(after, before) {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// gains tells whether b stands at an instant at which a does not. Both cover
// the same window.
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

// PredicateTerm is the term of a predicate that nobody has defined: one value
// at a time, compared as text.
func PredicateTerm(name string) tenure.Term {
	return tenure.Term{
		Vocabulary: tenure.Predicates, Name: name, Cardinality: tenure.One, ValueType: tenure.TextValue,
		SuccessionGap: tenure.DefaultSuccessionGap, Registered: true,
	}
}

// Project works out what the evidence changes.
func Project(ctx context.Context, d *ledger.Txn, e Evidence, now tenure.Instant) (Projection, error) {
	p := &projector{
		draft: d, evidence: e, now: now,
		out: Projection{
			Before: map[tenure.ID]tenure.Standing{}, After: map[tenure.ID]tenure.Standing{},
			Claims: map[tenure.ID]tenure.Claim{},
		},
		added: map[tenure.ID]tenure.Claim{}, moves: map[tenure.ID]tenure.ClaimMoved{},
	}
	for _, m := range e.Moves {
		p.moves[m.Claim] = m
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
	draft    *ledger.Txn
	evidence Evidence
	now      tenure.Instant
	out      Projection
	added    map[tenure.ID]tenure.Claim
	moves    map[tenure.ID]tenure.ClaimMoved
	order    []tenure.ID // of After, as they were worked out
}

// affected lists the slots of new claims, of what they name as superseded, of
// what is amended, of what that had named as superseded, and those that claims
// are moved from and to; each as that of the root of its subject, once.
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
	for _, s := range p.evidence.Slots {
		if err := add(s); err != nil {
			return nil, err
		}
	}
	for _, m := range p.evidence.Moves {
		if err := cmp.Or(add(m.From), add(m.To)); err != nil {
			return nil, err
		}
	}
	for _, c := range p.evidence.Claims {
		p.added[c.ID] = c
	}
	for _, c := range p.evidence.Claims {
		if err := cmp.Or(add(c.Slot()), p.named(ctx, c, add)); err != nil {
			return nil, err
		}
	}
	for _, a := range p.evidence.Amendments {
		b, err := p.draft.Belief(ctx, a.Belief)
		if err != nil {
			return nil, err
		}
		if b == nil {
			return nil, tenure.Errorf(tenure.NotFound, "no such belief")
		}
		if err := cmp.Or(add(b.Claim.Slot()), p.named(ctx, b.Claim, add)); err != nil {
			return nil, err
		}
	}
	return slots, nil
}

// named adds the slots of what a claim names as superseded.
func (p *projector) named(ctx context.Context, c tenure.Claim, add func(tenure.Slot) error) error {
	for _, id := range c.Supersedes {
		if own, ok := p.added[id]; ok {
			if err := add(own.Slot()); err != nil {
				return err
			}
			continue
		}
		b, err := p.draft.Belief(ctx, id)
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

// restand gives the slot of a root its standings and its case.
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
	next, changed := quarantine.Next(s, g.cases, held, claims, p.evidence.Settled, p.now)
	if changed {
		p.out.Changes = append(p.out.Changes, tenure.CasePut{Case: next})
	}
	for _, c := range quarantine.Dissolve(g.memberCases, p.now) {
		p.out.Changes = append(p.out.Changes, tenure.CasePut{Case: c})
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
	if t, ok := p.evidence.Terms[predicate]; ok {
		return t, nil
	}
	t, err := p.draft.Term(ctx, tenure.TermID(tenure.Predicates, predicate))
	if t == nil || err != nil {
		return PredicateTerm(predicate), err
	}
	return *t, nil
}

// standing is the newest standing of a belief that is known by now.
func (p *projector) standing(ctx context.Context, id tenure.ID) (tenure.Standing, error) {
	if s, ok := p.out.After[id]; ok {
		return s, nil
	}
	b, err := p.draft.Belief(ctx, id)
	if b == nil || err != nil {
		return tenure.Standing{}, err
	}
	return b.Standing, nil
}

func (p *projector) set(c tenure.Claim, s tenure.Standing) {
	if _, ok := p.out.After[c.ID]; !ok {
		p.order = append(p.order, c.ID)
	}
	if m, ok := p.moves[c.ID]; ok {
		s.Subject, s.Object = m.To.Subject, m.Object
	} else if before := p.out.Before[c.ID]; before.Subject != "" {
		s.Subject, s.Object = before.Subject, before.Object
	}
	p.out.After[c.ID], p.out.Claims[c.ID] = s, c
}

// propagate withholds, or gives back, what depends on beliefs whose ground
// changed, and what depends on that. Dependencies are older than dependents,
// so it ends.
func (p *projector) propagate(ctx context.Context) error {
	queue := slices.Clone(p.order)
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		if _, isNew := p.added[id]; isNew || slices.Equal(p.out.Before[id].Segments, p.out.After[id].Segments) {
			continue
		}
		dependents, err := p.draft.Dependents(ctx, id)
		if err != nil {
			return err
		}
		for _, c := range p.evidence.Claims {
			if slices.Contains(c.DependsOn, id) {
				dependents = append(dependents, &tenure.Belief{Claim: c})
			}
		}
		for _, b := range dependents {
			changed, err := p.withhold(ctx, b)
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

func (p *projector) withhold(ctx context.Context, b *tenure.Belief) (bool, error) {
	c := b.Claim
	if m, ok := p.moves[c.ID]; ok {
		c.Subject, c.Value.Entity = m.To.Subject, m.Object
	}
	p.draft.Touch(c.Slot())
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
	next := beliefs.Withhold(now, c.DependsOn, grounds)
	if reflect.DeepEqual(next, now) {
		return false, nil
	}
	_, known := p.out.Before[c.ID]
	if _, isNew := p.added[c.ID]; !known && !isNew {
		p.out.Before[c.ID] = b.Standing
	}
	p.set(c, next)
	return true, nil
}

// putStandings records the standings that are new or changed, and forgets the
// others.
func (p *projector) putStandings() {
	for _, id := range p.order {
		after := p.out.After[id]
		if before, ok := p.out.Before[id]; ok && reflect.DeepEqual(before, after) {
			delete(p.out.After, id)
			continue
		}
		p.out.Changes = append(p.out.Changes, tenure.StandingPut{Slot: p.out.Claims[id].Slot(), Standing: after})
	}
}
