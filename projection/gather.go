package projection

import (
	"context"
	"slices"

	"tenure"
	"tenure/beliefs"
	"tenure/ledger"
	"tenure/store"
)

// gathered is all that is known of the slot of a root: what its members' slots
// hold, and what is new.
type gathered struct {
	evidence beliefs.Evidence
	before   map[tenure.ID]tenure.Standing
	// cases are those of the root itself, memberCases those of its members.
	cases, memberCases []tenure.Case
	seen               map[tenure.ID]bool // beliefs, superseders and amendments
}

// Expand lists for slots those of all members of the subjects' roots, as far as
// the draft knows them by now.
func Expand(d *ledger.Txn, slots []tenure.Slot) []tenure.Slot {
	var list []tenure.Slot
	for _, s := range slots {
		list = append(list, s)
		e := d.CachedEntity(s.Subject)
		if e == nil {
			continue
		}
		if root := d.CachedEntity(e.Root()); root != nil {
			for _, id := range root.Whole() {
				s.Subject = id
				list = append(list, s)
			}
		}
	}
	return list
}

// entity is the version of an entity that the decision leads to; nil for one
// that is not known.
func (p *projector) entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error) {
	if e, ok := p.evidence.Entities[id]; ok {
		return &e, nil
	}
	return p.draft.Entity(ctx, id)
}

func (p *projector) root(ctx context.Context, id tenure.ID) (tenure.ID, error) {
	e, err := p.entity(ctx, id)
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

// gather puts what is stored and what is new into one body of evidence.
func (p *projector) gather(ctx context.Context, s tenure.Slot) (*gathered, error) {
	g := &gathered{before: map[tenure.ID]tenure.Standing{}, seen: map[tenure.ID]bool{}}
	g.evidence.Amendments = slices.Clone(p.evidence.Amendments)
	members, left, err := p.subjects(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, id := range slices.Concat(members, left) {
		member := s
		member.Subject = id
		st, err := p.draft.Slot(ctx, member)
		if err != nil {
			return nil, err
		}
		if err := p.stored(ctx, g, s, st); err != nil {
			return nil, err
		}
		switch {
		case id == s.Subject:
			g.cases = st.Cases
		case slices.Contains(members, id):
			g.memberCases = append(g.memberCases, st.Cases...)
		}
	}
	for _, c := range p.evidence.Claims {
		own, err := p.rootSlot(ctx, c.Slot())
		if err != nil {
			return nil, err
		}
		if own == s {
			g.evidence.Claims = append(g.evidence.Claims, c)
		} else if len(c.Supersedes) > 0 {
			g.evidence.Superseders = append(g.evidence.Superseders, c)
		}
	}
	if err := p.canonical(ctx, g.evidence.Claims); err != nil {
		return nil, err
	}
	if g.evidence.Term, err = p.term(ctx, s.Predicate); err != nil {
		return nil, err
	}
	return g, p.grounds(ctx, &g.evidence)
}

// subjects lists the members of a root, and those others from whom claims are
// moved to one of them.
func (p *projector) subjects(ctx context.Context, s tenure.Slot) (members, left []tenure.ID, err error) {
	e, err := p.entity(ctx, s.Subject)
	if err != nil {
		return nil, nil, err
	}
	members = []tenure.ID{s.Subject}
	if e != nil {
		members = e.Whole()
	}
	for _, m := range p.evidence.Moves {
		to, err := p.rootSlot(ctx, m.To)
		if err != nil {
			return nil, nil, err
		}
		if to == s && !slices.Contains(members, m.From.Subject) && !slices.Contains(left, m.From.Subject) {
			left = append(left, m.From.Subject)
		}
	}
	return members, left, nil
}

// stored adds what a member's slot holds, as far as it is in the slot of the
// root after the decision.
func (p *projector) stored(ctx context.Context, g *gathered, s tenure.Slot, st store.SlotState) error {
	for _, b := range st.Beliefs {
		c := b.Claim
		if m, ok := p.moves[c.ID]; ok {
			c.Subject, c.Value.Entity = m.To.Subject, m.Object
		}
		at, err := p.rootSlot(ctx, c.Slot())
		if err != nil {
			return err
		}
		if at != s || g.seen[c.ID] {
			continue
		}
		g.seen[c.ID] = true
		g.evidence.Claims = append(g.evidence.Claims, c)
		g.before[c.ID] = b.Standing
	}
	g.evidence.Superseders = append(g.evidence.Superseders, st.Superseders...)
	for _, a := range st.Amendments {
		if !g.seen[a.ID] {
			g.seen[a.ID] = true
			g.evidence.Amendments = append(g.evidence.Amendments, a)
		}
	}
	return nil
}

// canonical makes two entities one value where they are of one root.
func (p *projector) canonical(ctx context.Context, claims []tenure.Claim) error {
	var ids []tenure.ID
	for _, c := range claims {
		if c.Value.Entity != "" {
			ids = append(ids, c.Value.Entity)
		}
	}
	if err := p.draft.Load(ctx, ledger.Prefetch{Entities: ids}); err != nil {
		return err
	}
	for i := range claims {
		v := &claims[i].Value
		if v.Entity == "" {
			continue
		}
		root, err := p.root(ctx, v.Entity)
		if err != nil {
			return err
		}
		v.Canonical = beliefs.CanonicalEntity(root)
	}
	return nil
}

func (p *projector) grounds(ctx context.Context, e *beliefs.Evidence) (err error) {
	e.Grounds = map[tenure.ID]tenure.Standing{}
	for _, c := range e.Claims {
		for _, id := range c.DependsOn {
			if e.Grounds[id], err = p.standing(ctx, id); err != nil {
				return err
			}
		}
	}
	return nil
}
