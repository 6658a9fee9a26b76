package projection

import (
	"context"
	"slices"

	"tenure"
	"tenure/beliefs"
	"tenure/ledger"
	"tenure/store"
)

// gathered is the evidence in the slot of a root: the evidence in the slots of all members.
type gathered struct {
	evidence beliefs.Evidence
	before   map[tenure.ID]tenure.Standing
	// cases are the cases of the root itself, memberCases those of its members.
	cases, memberCases []tenure.Case
	seen               map[tenure.ID]bool // beliefs, superseders and amendments
	labels             []tenure.Label     // of the rest of the slot, where a part of it was gathered
	members            []tenure.Slot
}

func newGathered() *gathered {
	return &gathered{before: map[tenure.ID]tenure.Standing{}, seen: map[tenure.ID]bool{}}
}

// Expand adds the slots of all members of the subjects' roots, as far as the transaction has cached them.
func Expand(txn *ledger.Txn, slots []tenure.Slot) []tenure.Slot {
	var list []tenure.Slot
	for _, s := range slots {
		list = append(list, s)
		e := txn.CachedEntity(s.Subject)
		if e == nil {
			continue
		}
		if root := txn.CachedEntity(e.Root()); root != nil {
			for _, id := range root.Whole() {
				s.Subject = id
				list = append(list, s)
			}
		}
	}
	return list
}

func (p *projector) root(ctx context.Context, id tenure.ID) (tenure.ID, error) {
	e, err := p.txn.Entity(ctx, id)
	if e == nil || err != nil {
		return id, err
	}
	return e.Root(), nil
}

func (p *projector) rootSlot(ctx context.Context, s tenure.Slot) (tenure.Slot, error) {
	var err error
	s.Subject, err = p.root(ctx, s.Subject)
	return s, err
}

// gather returns the evidence of a root's slot, with what its claims depend on.
func (p *projector) gather(ctx context.Context, s tenure.Slot) (*gathered, error) {
	g, err := p.collect(ctx, s)
	if err != nil {
		return nil, err
	}
	return g, p.grounds(ctx, &g.evidence)
}

// members lists the slots of a root's members, the root's own first.
func (p *projector) members(ctx context.Context, s tenure.Slot) ([]tenure.Slot, error) {
	e, err := p.txn.Entity(ctx, s.Subject)
	if e == nil || err != nil {
		return []tenure.Slot{s}, err
	}
	var list []tenure.Slot
	for _, id := range e.Whole() {
		member := s
		member.Subject = id
		list = append(list, member)
	}
	return list, nil
}

// collect joins the evidence of the members' slots.
func (p *projector) collect(ctx context.Context, s tenure.Slot) (*gathered, error) {
	g := newGathered()
	var err error
	if g.members, err = p.members(ctx, s); err != nil {
		return nil, err
	}
	for _, member := range g.members {
		st, err := p.txn.Slot(ctx, member)
		if err != nil {
			return nil, err
		}
		if err := p.add(ctx, g, s, st); err != nil {
			return nil, err
		}
	}
	if err := p.complete(ctx, g, s); err != nil {
		return nil, err
	}
	p.slots[s.Key()] = g.evidence.Claims
	return g, nil
}

// complete adds what claims are compared by.
func (p *projector) complete(ctx context.Context, g *gathered, s tenure.Slot) (err error) {
	if g.evidence.Term, err = p.term(ctx, s.Predicate); err != nil {
		return err
	}
	g.evidence.Amendments = beliefs.Effective(g.evidence.Amendments)
	if g.evidence.Outranks, err = p.outranks(ctx, spoken(g.evidence)); err != nil {
		return err
	}
	return p.canonical(ctx, g.evidence)
}

// add adds the evidence of a member's slot. It leaves out a claim whose subject is no longer a member.
func (p *projector) add(ctx context.Context, g *gathered, s tenure.Slot, st store.SlotState) error {
	g.evidence.Claims = slices.Grow(g.evidence.Claims, len(st.Beliefs))
	var of, at tenure.Slot // most claims are of one slot: its root is at
	for i := range st.Beliefs {
		b := &st.Beliefs[i]
		if slot := b.Claim.Slot(); i == 0 || slot != of {
			var err error
			if at, err = p.rootSlot(ctx, slot); err != nil {
				return err
			}
			of = slot
		}
		if at != s || g.seen[b.Claim.ID] {
			continue
		}
		g.seen[b.Claim.ID] = true
		g.evidence.Claims = append(g.evidence.Claims, b.Claim)
		if !p.added[b.Claim.ID] {
			g.before[b.Claim.ID] = b.Standing
		}
	}
	g.evidence.Superseders = append(g.evidence.Superseders, st.Superseders...)
	for _, a := range st.Amendments {
		if !g.seen[a.ID] {
			g.seen[a.ID] = true
			g.evidence.Amendments = append(g.evidence.Amendments, a)
		}
	}
	for _, c := range st.Cases {
		if c.Subject == s.Subject {
			g.cases = append(g.cases, c)
		} else {
			g.memberCases = append(g.memberCases, c)
		}
	}
	return nil
}

// canonical gives every value the form in which it is compared today, whatever the form was when it was written:
// a value that the predicate's present type does not take keeps its form, values that are members of one root have
// the same, so that they do not contradict, and a text that names one of the entities has that of the entity.
func (p *projector) canonical(ctx context.Context, e beliefs.Evidence) error {
	claims := e.Claims
	var ids []tenure.ID
	for _, c := range claims {
		if c.Value.Entity != "" {
			ids = append(ids, c.Value.Entity)
		}
	}
	if err := p.txn.Load(ctx, ledger.Prefetch{Entities: ids}); err != nil {
		return err
	}
	for i := range claims {
		v := &claims[i].Value
		if v.Entity == "" {
			v.Canonical = beliefs.Form(e.Term, *v)
			continue
		}
		root, err := p.root(ctx, v.Entity)
		if err != nil {
			return err
		}
		v.Canonical = beliefs.CanonicalEntity(root)
	}
	if len(ids) > 0 && len(ids) < len(claims) {
		beliefs.JoinNames(claims)
	}
	return nil
}

func (p *projector) grounds(ctx context.Context, e *beliefs.Evidence) (err error) {
	e.Grounds = map[tenure.ID]beliefs.Ground{}
	for _, c := range e.Claims {
		for _, id := range c.DependsOn {
			if _, known := e.Grounds[id]; known {
				continue
			}
			if e.Grounds[id], err = p.ground(ctx, id); err != nil {
				return err
			}
		}
	}
	return nil
}

// ground returns the standing of a belief that others depend on, and where a lost one is repaired by an equal value.
func (p *projector) ground(ctx context.Context, id tenure.ID) (g beliefs.Ground, err error) {
	if g.Standing, err = p.standing(ctx, id); err != nil || !g.Lost() {
		return g, err
	}
	b, err := p.txn.Belief(ctx, id)
	if b == nil || err != nil {
		return g, err
	}
	s, err := p.rootSlot(ctx, b.Claim.Slot())
	if err != nil {
		return g, err
	}
	claims, err := p.slotClaims(ctx, s)
	if err != nil {
		return g, err
	}
	var value string
	for _, c := range claims {
		if c.ID == id {
			value = c.Value.Canonical
		}
	}
	for _, c := range claims {
		if c.Value.Canonical != value || len(c.DependsOn) > 0 {
			continue
		}
		st, err := p.standing(ctx, c.ID)
		if err != nil {
			return g, err
		}
		g.Again = append(g.Again, standsIn(st)...)
	}
	return g, nil
}

// standsIn lists the windows in which a claim stands.
func standsIn(s tenure.Standing) (list []tenure.Window) {
	for _, g := range s.Segments {
		if g.Cause == tenure.Stands {
			list = append(list, g.Window)
		}
	}
	return list
}

// slotClaims returns the claims of a root's slot, with the values in which they are compared today.
func (p *projector) slotClaims(ctx context.Context, s tenure.Slot) ([]tenure.Claim, error) {
	if claims, ok := p.slots[s.Key()]; ok {
		return claims, nil
	}
	g, err := p.collect(ctx, s)
	if err != nil {
		return nil, err
	}
	return g.evidence.Claims, nil
}

// allLabels lists those of all evidence of the slot and of what its claims rest on in their order, none if that is the
// zero label alone.
func (g *gathered) allLabels() []tenure.Label { return withLabels(g.slotLabels(), g.evidence.Grounds) }

// labelsOf lists those of the evidence that a claim of the slot stands by, which has some labels: what others of its
// claims rest on is not among it.
func (g *gathered) labelsOf(c tenure.Claim, slot []tenure.Label) []tenure.Label {
	if len(c.DependsOn) == 0 {
		return slot
	}
	grounds := map[tenure.ID]beliefs.Ground{}
	for _, id := range c.DependsOn {
		grounds[id] = g.evidence.Grounds[id]
	}
	return withLabels(slot, grounds)
}

// slotLabels lists those of all evidence of the slot in their order, none if that is the zero label alone.
func (g *gathered) slotLabels() []tenure.Label {
	list := g.labels
	list = slices.Clone(list)
	for _, claims := range [][]tenure.Claim{g.evidence.Claims, g.evidence.Superseders} {
		for i := range claims {
			list = tenure.AppendLabel(list, claims[i].Label())
		}
	}
	for _, a := range g.evidence.Amendments {
		if a.Label != nil {
			list = tenure.AppendLabel(list, *a.Label)
		}
	}
	return withLabels(list, nil)
}

// withLabels returns labels with those of grounds.
func withLabels(list []tenure.Label, grounds map[tenure.ID]beliefs.Ground) []tenure.Label {
	list = slices.Clone(list)
	add := func(more []tenure.Label) {
		if len(more) == 0 {
			more = []tenure.Label{{}}
		}
		for _, l := range more {
			list = tenure.AppendLabel(list, l)
		}
	}
	if len(list) == 0 {
		add(nil)
	}
	for _, g := range grounds {
		add(g.Labels)
	}
	slices.SortFunc(list, tenure.Label.Compare)
	if len(list) == 1 && list[0] == (tenure.Label{}) {
		return nil
	}
	return list
}
