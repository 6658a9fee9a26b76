package visible

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/store"
)

// seen leaves out the beliefs that the audience does not see, and gives the others the standings that follow from the
// evidence that it sees.
func (r *reader) seen(ctx context.Context, list []tenure.Belief, err error) ([]tenure.Belief, error) {
	if err != nil || len(list) == 0 {
		return list, err
	}
	if whole, err := r.whole(ctx); whole || err != nil {
		return list, err
	}
	list, err = r.claimed(ctx, list)
	if err != nil {
		return nil, err
	}
	return r.restand(ctx, list)
}

// claimed leaves out the beliefs that the audience does not see, and of the others the references to these: that a
// claim supersedes or rests on what is hidden is hidden, too.
func (r *reader) claimed(ctx context.Context, list []tenure.Belief) ([]tenure.Belief, error) {
	list, err := r.labelled(ctx, list)
	if err != nil {
		return nil, err
	}
	var named []tenure.ID
	for _, b := range list {
		named = append(append(named, b.Claim.Supersedes...), b.Claim.DependsOn...)
	}
	if len(named) == 0 {
		return list, nil
	}
	found, err := r.Reader.Beliefs(ctx, unique(named))
	if err != nil {
		return nil, err
	}
	if found, err = r.labelled(ctx, found); err != nil {
		return nil, err
	}
	shown := map[tenure.ID]bool{}
	for _, b := range found {
		shown[b.Claim.ID] = true
	}
	for i := range list {
		c := &list[i].Claim
		c.Supersedes, c.DependsOn = only(c.Supersedes, shown), only(c.DependsOn, shown)
	}
	return list, nil
}

// only returns the ids that are shown; nil if none is.
func only(ids []tenure.ID, shown map[tenure.ID]bool) (list []tenure.ID) {
	if !slices.ContainsFunc(ids, func(id tenure.ID) bool { return !shown[id] }) {
		return ids
	}
	for _, id := range ids {
		if shown[id] {
			list = append(list, id)
		}
	}
	return list
}

// labelled leaves out the beliefs that the audience does not see: by their label, or since it does not see of what they
// are. A claim has at least the classification of its entities, so that its scope alone may be wider than theirs.
func (r *reader) labelled(ctx context.Context, list []tenure.Belief) ([]tenure.Belief, error) {
	list = slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool { return !r.sees.Sees(b.Claim.Label()) })
	if !r.bound {
		return list, nil
	}
	var ids []tenure.ID
	for _, b := range list {
		ids = append(ids, ends(b)...)
	}
	shown, err := r.shown(ctx, ids)
	return slices.DeleteFunc(list, func(b tenure.Belief) bool {
		return slices.ContainsFunc(ends(b), func(id tenure.ID) bool { return !shown[id] })
	}), err
}

// ends lists the entities of a belief.
func ends(b tenure.Belief) []tenure.ID {
	list := []tenure.ID{b.Claim.Subject}
	if b.Claim.Value.Entity != "" {
		list = append(list, b.Claim.Value.Entity)
	}
	return list
}

// Beliefs implements [store.BeliefReader].
func (r *reader) Beliefs(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	list, err := r.Reader.Beliefs(ctx, ids)
	return r.seen(ctx, list, err)
}

// BeliefsByKey implements [store.BeliefReader].
func (r *reader) BeliefsByKey(ctx context.Context, keys []string) ([]tenure.Belief, error) {
	list, err := r.Reader.BeliefsByKey(ctx, keys)
	return r.seen(ctx, list, err)
}

// Referring implements [store.BeliefReader].
func (r *reader) Referring(ctx context.Context, entities []tenure.ID) ([]tenure.Belief, error) {
	list, err := r.Reader.Referring(ctx, entities)
	return r.seen(ctx, list, err)
}

// Dependents implements [store.SlotReader].
func (r *reader) Dependents(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	list, err := r.Reader.Dependents(ctx, ids)
	return r.seen(ctx, list, err)
}

// Superseders implements [store.SlotReader].
func (r *reader) Superseders(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	list, err := r.Reader.Superseders(ctx, ids)
	return r.seen(ctx, list, err)
}

// Saying implements [store.BeliefReader].
func (r *reader) Saying(ctx context.Context, texts []string, perText int) ([]tenure.Belief, error) {
	if whole, err := r.whole(ctx); whole || err != nil {
		return r.Reader.Saying(ctx, texts, perText)
	}
	var all []tenure.Belief
	for _, t := range texts {
		kept, err := grown(perText, func(room int) ([]tenure.Belief, error) {
			return r.Reader.Saying(ctx, []string{t}, room)
		}, func(list []tenure.Belief) ([]tenure.Belief, error) {
			return r.claimed(ctx, list)
		}, atLeast[tenure.Belief](perText))
		if err != nil {
			return nil, err
		}
		all = append(all, kept[max(0, len(kept)-perText):]...) // the newest are last
	}
	return r.restand(ctx, inOrder(all))
}

// Recent implements [store.BeliefReader].
func (r *reader) Recent(ctx context.Context, q store.RecentQuery) ([]tenure.Belief, error) {
	if whole, err := r.whole(ctx); whole || err != nil {
		return r.Reader.Recent(ctx, q)
	}
	kept, err := grown(q.Limit, func(room int) ([]tenure.Belief, error) {
		q := q
		q.Limit, q.Fallen = room, true // what displaces may be hidden
		return r.Reader.Recent(ctx, q)
	}, func(list []tenure.Belief) ([]tenure.Belief, error) {
		list, err := r.claimed(ctx, list)
		if err != nil {
			return nil, err
		}
		list, err = r.restand(ctx, withinReach(list, q.Limit))
		return slices.DeleteFunc(slices.Clone(list), func(b tenure.Belief) bool {
			return !q.Fallen && !stands(b, q.Window)
		}), err
	}, atLeast[tenure.Belief](q.Limit))
	return kept[:min(len(kept), max(q.Limit, 0))], err
}

// withinReach leaves of each set of ids the newest beliefs that a search for so many looks at. The newest are first.
func withinReach(list []tenure.Belief, limit int) []tenure.Belief {
	of := map[tenure.Scope]int{}
	return slices.DeleteFunc(list, func(b tenure.Belief) bool {
		at := b.Claim.Scope
		if !at.Provisional() {
			at.Kind = ""
		}
		of[at]++
		return of[at] > limit*store.RecentReach
	})
}

// List implements [store.BeliefReader].
func (r *reader) List(ctx context.Context, q store.BeliefQuery) ([]tenure.Belief, error) {
	if whole, err := r.whole(ctx); whole || err != nil {
		return r.Reader.List(ctx, q)
	}
	contested := q.Contested
	q.Contested = false // what contradicts may be hidden
	return filled(q.Limit, func(last *tenure.Belief, n int) ([]tenure.Belief, error) {
		q := q
		if q.Limit = n; last != nil {
			q.After = last.Claim.ID
		}
		return r.Reader.List(ctx, q)
	}, func(list []tenure.Belief) ([]tenure.Belief, error) {
		list, err := r.seen(ctx, list, nil)
		return slices.DeleteFunc(list, func(b tenure.Belief) bool { return contested && !b.Standing.Contested() }), err
	})
}

// Live implements [store.BeliefReader].
func (r *reader) Live(
	ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int,
) ([]tenure.Belief, error) {
	return r.about(ctx, entities, perEntity, r.Reader.Live, w, func(b tenure.Belief) bool { return stands(b, w) })
}

// Facts implements [store.BeliefReader].
func (r *reader) Facts(
	ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int,
) ([]tenure.Belief, error) {
	return r.about(ctx, entities, perEntity, r.Reader.Facts, w, func(b tenure.Belief) bool {
		return stands(b, w) && b.Claim.Predicate != tenure.Remark
	})
}

// Displaced implements [store.BeliefReader].
func (r *reader) Displaced(
	ctx context.Context, entities []tenure.ID, w tenure.Window, limit int,
) ([]tenure.Belief, error) {
	return r.displaced(ctx, entities, limit, r.Reader.Displaced, w, func(b tenure.Belief) bool { return !stands(b, w) })
}

// DisplacedFacts implements [store.BeliefReader].
func (r *reader) DisplacedFacts(
	ctx context.Context, entities []tenure.ID, w tenure.Window, limit int,
) ([]tenure.Belief, error) {
	return r.displaced(ctx, entities, limit, r.Reader.DisplacedFacts, w, func(b tenure.Belief) bool {
		return !stands(b, w) && b.Claim.Predicate != tenure.Remark
	})
}

// boundRoom is how many times as many relations of each direction are read as are asked for: those that are bound to
// others are among them.
const boundRoom = 4

// Relations implements [store.BeliefReader].
func (r *reader) Relations(
	ctx context.Context, entities []tenure.ID, w tenure.Window, perEntity int,
) ([]tenure.Belief, error) {
	if whole, err := r.whole(ctx); whole || err != nil {
		return r.Reader.Relations(ctx, entities, w, perEntity)
	}
	mixed, err := r.hides(ctx)
	if err != nil {
		return nil, err
	}
	if !mixed {
		list, err := r.Reader.Relations(ctx, entities, w, boundRoom*perEntity)
		if err != nil || len(list) == 0 {
			return list, err
		}
		return r.claimed(ctx, list)
	}
	var all []tenure.Belief
	for _, id := range unique(entities) {
		out, err := r.allAbout(ctx, id)
		if err != nil {
			return nil, err
		}
		in, err := r.Referring(ctx, []tenure.ID{id})
		if err != nil {
			return nil, err
		}
		for _, list := range [][]tenure.Belief{out, in} {
			list = slices.DeleteFunc(list, func(b tenure.Belief) bool { return b.Claim.Value.Entity == "" || !stands(b, w) })
			slices.SortFunc(list, newestFirst)
			all = append(all, list[:min(len(list), max(perEntity, 0))]...)
		}
	}
	return inOrder(all), nil
}

// find is a search for beliefs about entities.
type find func(ctx context.Context, entities []tenure.ID, w tenure.Window, limit int) ([]tenure.Belief, error)

// about lists of each entity the newest beliefs that fit. Whoever is bound by a scope alone is shown what the store
// found: what stands does so in all scopes.
func (r *reader) about(
	ctx context.Context, entities []tenure.ID, perEntity int, search find, w tenure.Window, fits func(tenure.Belief) bool,
) ([]tenure.Belief, error) {
	whole, err := r.whole(ctx)
	if whole || err != nil {
		return search(ctx, entities, w, perEntity)
	}
	mixed, err := r.hides(ctx)
	if err != nil {
		return nil, err
	}
	var all []tenure.Belief
	for i, id := range entities {
		if slices.Contains(entities[:i], id) {
			continue
		}
		var list []tenure.Belief
		if mixed {
			list, err = r.allAbout(ctx, id)
			list = slices.DeleteFunc(list, func(b tenure.Belief) bool { return !fits(b) })
			slices.SortFunc(list, newestFirst)
		} else {
			list, err = grown(perEntity, func(room int) ([]tenure.Belief, error) {
				return search(ctx, []tenure.ID{id}, w, room)
			}, func(list []tenure.Belief) ([]tenure.Belief, error) {
				return r.claimed(ctx, list)
			}, atLeast[tenure.Belief](perEntity))
		}
		if err != nil {
			return nil, err
		}
		all = append(all, list[:min(len(list), max(perEntity, 0))]...)
	}
	return all, nil
}

// displaced lists the newest beliefs about entities that fit.
func (r *reader) displaced(
	ctx context.Context, entities []tenure.ID, limit int, search find, w tenure.Window, fits func(tenure.Belief) bool,
) ([]tenure.Belief, error) {
	list, err := r.about(ctx, entities, limit, search, w, fits)
	if whole, e := r.whole(ctx); whole || e != nil || err != nil {
		return list, cmp.Or(err, e)
	}
	slices.SortFunc(list, newestFirst)
	return list[:min(len(list), max(limit, 0))], nil
}

// allAbout lists all beliefs about an entity.
func (r *reader) allAbout(ctx context.Context, id tenure.ID) ([]tenure.Belief, error) {
	const page = 500
	var all []tenure.Belief
	q := store.BeliefQuery{Subject: id, Limit: page}
	for {
		list, err := r.Reader.List(ctx, q)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
		if len(list) < page {
			return r.seen(ctx, all, nil)
		}
		q.After = list[len(list)-1].Claim.ID
	}
}

// stands reports whether a belief stands somewhere in the window.
func stands(b tenure.Belief, w tenure.Window) bool {
	return slices.ContainsFunc(b.Standing.Segments, func(g tenure.Segment) bool {
		return g.Cause == tenure.Stands && g.Overlaps(w)
	})
}

func newestFirst(a, b tenure.Belief) int {
	return cmp.Or(cmp.Compare(b.RecordedAt, a.RecordedAt), cmp.Compare(b.Claim.ID, a.Claim.ID))
}

// inOrder sorts beliefs by when they were recorded, each once.
func inOrder(list []tenure.Belief) []tenure.Belief {
	slices.SortFunc(list, func(a, b tenure.Belief) int { return newestFirst(b, a) })
	return slices.CompactFunc(list, func(a, b tenure.Belief) bool { return a.Claim.ID == b.Claim.ID })
}
