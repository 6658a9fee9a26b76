package compile

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"tenure"
	"tenure/beliefs"
	"tenure/conflicts"
	"tenure/quarantine"
	"tenure/store"
)

// Tie is a contradiction between claims of several scopes that no rule decides. It does not bind requests
// that see only one side. The caller opens a case with the id Case after answering.
type Tie struct {
	Case      tenure.ID
	Subject   tenure.ID // the root
	Predicate string
	Sides     []tenure.ID   // beliefs, sorted
	Window    tenure.Window // where all sides stand
}

// tied is a tie with its objects.
type tied struct {
	Tie
	sides []*object
}

// reconcile chooses between claims of one subject and predicate that stand in different scopes with different
// values: stronger authority, then narrower scope, then newer valid time, then more trusted source (Context
// Architecture, Reconciliation Protocols). If nothing decides, no side is kept.
func reconcile(
	objects []*object, at tenure.Instant,
) (kept []*object, dropped []omission, ties []tied) {
	kept = make([]*object, 0, len(objects))
	for _, g := range slots(objects) {
		term := g[0].term
		if term.Cardinality == tenure.Many || agree(g) {
			kept = append(kept, g...)
			continue
		}
		beside, g := besideOthers(g)
		kept = append(kept, beside...)
		if len(g) == 0 {
			continue
		}
		best, tie, lost := narrow(g, *term, at)
		kept = append(kept, best...)
		if len(tie) > 0 {
			ties = append(ties, tieOf(tie))
			dropped = append(dropped, lost...)
			continue
		}
		for _, d := range lost {
			if against := contradicting(d.object, best, *term); against != nil {
				d.by = against.claim().ID
				dropped = append(dropped, d)
				continue
			}
			kept = append(kept, d.object) // the same value, or a finer or coarser one
		}
	}
	return kept, dropped, ties
}

// besideOthers splits off the claims that stand beside any other.
func besideOthers(g []*object) (beside, rest []*object) {
	for _, o := range g {
		if o.claim().SaysMany() {
			beside = append(beside, o)
		} else {
			rest = append(rest, o)
		}
	}
	return beside, rest
}

// contradicting returns the first of some objects whose value contradicts that of another, nil if none does or one says
// the same. What stands in one scope does not contradict itself.
func contradicting(o *object, best []*object, term tenure.Term) *object {
	var against *object
	for _, b := range best {
		switch v, w := o.claim().Value, b.claim().Value; {
		case v.Canonical == w.Canonical:
			return nil
		case against == nil && o.claim().Scope.Key() != b.claim().Scope.Key() && !beliefs.Compatible(term, v, w):
			against = b
		}
	}
	return against
}

// finest omits an object if another of its slot has a finer value, or a known one where it says that nothing is known.
func finest(objects []*object) (kept []*object, dropped []omission) {
	kept = make([]*object, 0, len(objects))
	for _, g := range slots(objects) {
		if len(g) == 1 {
			kept = append(kept, g[0])
			continue
		}
		list := make([]tenure.Value, len(g))
		for i, o := range g {
			list[i] = o.claim().Value
		}
		for i, by := range beliefs.Finest(*g[0].term, list) {
			if by < 0 {
				kept = append(kept, g[i])
				continue
			}
			dropped = append(dropped, omission{object: g[i], reason: reasonCoarser, by: g[by].claim().ID})
		}
	}
	return kept, dropped
}

// slotMaps are pooled: several stages of a compilation group the same objects.
var slotMaps = sync.Pool{New: func() any { return map[rootSlot]int{} }}

// slots groups objects by subject and predicate, in the order of their first object.
func slots(objects []*object) [][]*object {
	at := slotMaps.Get().(map[rootSlot]int)
	defer func() {
		clear(at)
		slotMaps.Put(at)
	}()
	sizes := make([]int, 0, len(objects))
	where := make([]int, len(objects))
	for n, o := range objects {
		k := rootSlot{o.root, o.claim().Predicate}
		i, ok := at[k]
		if !ok {
			i = len(sizes)
			at[k] = i
			sizes = append(sizes, 0)
		}
		sizes[i]++
		where[n] = i
	}
	room, groups := make([]*object, len(objects)), make([][]*object, len(sizes))
	for i, n := range sizes {
		groups[i], room = room[:0:n], room[n:]
	}
	for n, o := range objects {
		groups[where[n]] = append(groups[where[n]], o)
	}
	return groups
}

// agree reports whether objects that stand do not contradict each other: they have one value, or one scope, in which a
// settlement put them beside each other.
func agree(g []*object) bool {
	oneValue, oneScope := true, true
	for _, o := range g[1:] {
		oneValue = oneValue && o.claim().Value.Canonical == g[0].claim().Value.Canonical
		oneScope = oneScope && o.claim().Scope.Key() == g[0].claim().Scope.Key()
	}
	return oneValue || oneScope
}

// narrow narrows a group by authority, by scope, and then by the rules that also decide within one scope
// (package conflicts). If nothing decides, the sides of the tie are returned apart.
func narrow(g []*object, term tenure.Term, at tenure.Instant) (best, tie []*object, lost []omission) {
	best = g
	for _, a := range []struct {
		reason string
		of     func(*object) int
	}{
		{string(tenure.ByAuthority), func(o *object) int { return o.claim().Source.AuthorityLevel }},
		{reasonNarrower, func(o *object) int { return -o.claim().Scope.Specificity() }},
	} {
		var beaten []*object
		best, beaten = minBy(best, a.of)
		for _, o := range beaten {
			lost = append(lost, omission{object: o, reason: a.reason})
		}
	}
	if agree(best) {
		return best, nil, lost
	}
	claimants := make([]conflicts.Claimant, len(best))
	for i, o := range best {
		claimants[i] = conflicts.Claimant{
			Claim: o.claim(), Window: o.stood, Grain: beliefs.Grain(term, o.claim().Value),
			Beside: []conflicts.Beside{{Case: tenure.ID(o.claim().Scope.Key())}}, // one scope's stand together
		}
	}
	var left []*object
	for i, segments := range conflicts.Reconcile(claimants, nil, conflicts.Rule{Term: term}) {
		switch seg, _ := (tenure.Standing{Segments: segments}).At(at); seg.Cause {
		case tenure.Stands:
			left = append(left, best[i])
		case tenure.ByTie:
			tie = append(tie, best[i])
		default:
			lost = append(lost, omission{object: best[i], reason: reasonOf(seg.Cause)})
		}
	}
	return left, tie, lost
}

// minBy splits off the objects with the lowest number.
func minBy(g []*object, of func(*object) int) (low, rest []*object) {
	lowest := of(g[0])
	for _, o := range g {
		lowest = min(lowest, of(o))
	}
	for _, o := range g {
		if of(o) == lowest {
			low = append(low, o)
		} else {
			rest = append(rest, o)
		}
	}
	return low, rest
}

func tieOf(sides []*object) tied {
	t := tied{sides: sides, Tie: Tie{
		Subject: sides[0].root, Predicate: sides[0].claim().Predicate, Window: sides[0].stood,
	}}
	slices.SortFunc(sides, func(a, b *object) int { return cmp.Compare(a.claim().ID, b.claim().ID) })
	for _, o := range sides {
		t.Sides = append(t.Sides, o.claim().ID)
		t.Window = t.Window.Intersect(o.stood)
	}
	t.Case = quarantine.AcrossScopesID(t.Sides)
	return t
}

// valueOf returns the canonical value of a side, nil if there is no such side.
func (t tied) valueOf(side tenure.ID) *string {
	for _, o := range t.sides {
		if o.claim().ID == side {
			return &o.claim().Value.Canonical
		}
	}
	return nil
}

// settle applies settled cases to their ties. Undecided ties are omitted; open lists those that have no open case.
func settle(
	ctx context.Context, r store.CaseReader, in []tied,
) (kept []*object, dropped []omission, open []Tie, err error) {
	if len(in) == 0 {
		return nil, nil, nil, nil
	}
	ids := make([]tenure.ID, len(in))
	for i, t := range in {
		ids[i] = t.Case
	}
	slices.Sort(ids)
	list, err := r.Cases(ctx, ids)
	if err != nil {
		return nil, nil, nil, err
	}
	cases := map[tenure.ID]tenure.Case{}
	for _, c := range list {
		cases[c.ID] = c
	}
	for _, t := range in {
		c := cases[t.Case]
		accepted := t.valueOf(c.Accepted)
		for _, o := range t.sides {
			switch {
			case c.State != tenure.CaseSettled:
				dropped = append(dropped, omission{object: o, reason: reasonConflict, caseID: t.Case})
			case accepted != nil && o.claim().Value.Canonical == *accepted,
				c.SettledBy != nil && c.SettledBy.How == quarantine.Both:
				kept = append(kept, o)
			default:
				dropped = append(dropped, omission{object: o, reason: string(tenure.ByRejection), by: c.Accepted})
			}
		}
		if c.State != tenure.CaseSettled && c.State != tenure.CaseOpen {
			open = append(open, t.Tie)
		}
	}
	return kept, dropped, open, nil
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// dedupe keeps the best of the objects of one subject with one value.
func dedupe(objects []*object) (kept []*object, dropped []omission) {
	for _, g := range slots(objects) {
		slices.SortFunc(g, func(a, b *object) int {
			return cmp.Or(
				cmp.Compare(a.claim().Value.Canonical, b.claim().Value.Canonical),
				// What binds goes first, in force before other: the stable prefix does not depend on what else is read.
				-compareBool(binds(a.claim()) && a.inForce, binds(b.claim()) && b.inForce),
				-compareBool(binds(a.claim()), binds(b.claim())),
				cmp.Compare(a.claim().Source.AuthorityLevel, b.claim().Source.AuthorityLevel),
				cmp.Compare(b.claim().Scope.Specificity(), a.claim().Scope.Specificity()),
				cmp.Compare(b.claim().Window.From, a.claim().Window.From),
				cmp.Compare(conflicts.Trust(*b.claim()), conflicts.Trust(*a.claim())),
				cmp.Compare(a.claim().ID, b.claim().ID),
			)
		})
		for i, o := range g {
			if i > 0 && o.claim().Value.Canonical == g[i-1].claim().Value.Canonical {
				twin := kept[len(kept)-1]
				twin.propose(o.proposed)
				dropped = append(dropped, omission{object: o, reason: reasonDuplicate, by: twin.claim().ID})
				continue
			}
			kept = append(kept, o)
		}
	}
	return kept, dropped
}
