package visible

import (
	"context"
	"slices"

	"tenure"
	"tenure/registry/forest"
	"tenure/store"
)

// Entities implements [store.IdentityReader]: roots follow from the identity decisions that the audience sees.
func (r *reader) Entities(ctx context.Context, ids []tenure.ID) ([]tenure.Entity, error) {
	list, err := r.Reader.Entities(ctx, ids)
	if err != nil {
		return nil, err
	}
	if whole, err := r.whole(ctx); whole || err != nil {
		return list, err
	}
	list = slices.DeleteFunc(slices.Clone(list), func(e tenure.Entity) bool { return !r.sees.Sees(e.Label) })
	var roots []tenure.ID
	for _, e := range list {
		if e.MergedInto != "" || len(e.Members) > 0 {
			roots = append(roots, e.Root())
		}
	}
	if len(roots) == 0 {
		return list, nil
	}
	regrouped, err := r.regrouped(ctx, unique(roots))
	for i, e := range list {
		if next, ok := regrouped[e.ID]; ok {
			list[i] = next
		}
	}
	return list, err
}

// regrouped finds the members of roots that have others for the audience: of each root of which it does not see all
// members, those that it sees.
func (r *reader) regrouped(ctx context.Context, roots []tenure.ID) (map[tenure.ID]tenure.Entity, error) {
	all, err := r.wholeOf(ctx, roots)
	if err != nil {
		return nil, err
	}
	group := map[tenure.ID][]tenure.Entity{} // what is seen of each root with its members
	apart := map[tenure.ID]bool{}            // the roots of which something is not
	for _, e := range all {
		if r.sees.Sees(e.Label) {
			group[e.Root()] = append(group[e.Root()], e)
		} else {
			apart[e.Root()] = true
		}
	}
	regrouped := map[tenure.ID]tenure.Entity{}
	for root := range apart {
		var ids []tenure.ID
		for _, e := range group[root] {
			ids = append(ids, e.ID)
		}
		decisions, err := r.Reader.IdentityDecisionsOn(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, e := range forest.Regroup(group[root], decisions) {
			regrouped[e.ID] = e
		}
	}
	return regrouped, nil
}

// wholeOf reads roots and all of their members.
func (r *reader) wholeOf(ctx context.Context, roots []tenure.ID) ([]tenure.Entity, error) {
	tops, err := r.Reader.Entities(ctx, roots)
	if err != nil {
		return nil, err
	}
	var members []tenure.ID
	for _, e := range tops {
		members = append(members, e.Members...)
	}
	below, err := r.Reader.Entities(ctx, unique(members))
	return slices.Concat(tops, below), err
}

// shown finds which of the entities the audience sees.
func (r *reader) shown(ctx context.Context, ids []tenure.ID) (map[tenure.ID]bool, error) {
	list, err := r.Reader.Entities(ctx, unique(ids))
	shown := make(map[tenure.ID]bool, len(list))
	for _, e := range list {
		shown[e.ID] = r.sees.Sees(e.Label)
	}
	return shown, err
}

// AliasesByKey implements [store.IdentityReader].
func (r *reader) AliasesByKey(ctx context.Context, keys []tenure.AliasKey) ([]tenure.Alias, error) {
	list, err := r.Reader.AliasesByKey(ctx, keys)
	return r.aliases(list), err
}

// AliasesOf implements [store.IdentityReader].
func (r *reader) AliasesOf(ctx context.Context, entities []tenure.ID) ([]tenure.Alias, error) {
	list, err := r.Reader.AliasesOf(ctx, entities)
	return r.aliases(list), err
}

func (r *reader) aliases(list []tenure.Alias) []tenure.Alias {
	hidden := func(o tenure.Alias) bool { return !r.sees.Sees(o.Label) }
	if !slices.ContainsFunc(list, hidden) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), hidden)
}

// IdentityDecisions implements [store.IdentityReader]: who sees both sides sees the decision.
func (r *reader) IdentityDecisions(ctx context.Context, ids []tenure.ID) ([]tenure.IdentityDecision, error) {
	list, err := r.Reader.IdentityDecisions(ctx, ids)
	if err != nil {
		return nil, err
	}
	return r.decisions(ctx, list)
}

// IdentityDecisionsOn implements [store.IdentityReader].
func (r *reader) IdentityDecisionsOn(ctx context.Context, entities []tenure.ID) ([]tenure.IdentityDecision, error) {
	list, err := r.Reader.IdentityDecisionsOn(ctx, entities)
	if err != nil {
		return nil, err
	}
	return r.decisions(ctx, list)
}

func (r *reader) decisions(ctx context.Context, list []tenure.IdentityDecision) ([]tenure.IdentityDecision, error) {
	if whole, err := r.whole(ctx); whole || err != nil || len(list) == 0 {
		return list, err
	}
	var sides []tenure.ID
	for _, d := range list {
		sides = append(sides, d.From, d.Into)
	}
	shown, err := r.shown(ctx, sides)
	if err != nil {
		return nil, err
	}
	kept := slices.DeleteFunc(slices.Clone(list), func(d tenure.IdentityDecision) bool {
		return !shown[d.From] || !shown[d.Into]
	})
	return kept, r.settled(ctx, kept)
}

// settled takes from decisions the reviews that they settled and the audience does not see.
func (r *reader) settled(ctx context.Context, list []tenure.IdentityDecision) error {
	var ids []tenure.ID
	for _, d := range list {
		ids = append(ids, d.Reviews...)
	}
	if len(ids) == 0 {
		return nil
	}
	reviews, err := r.Reviews(ctx, unique(ids))
	for i, d := range list {
		list[i].Reviews = slices.DeleteFunc(slices.Clone(d.Reviews), func(id tenure.ID) bool {
			return !slices.ContainsFunc(reviews, func(v tenure.Review) bool { return v.ID == id })
		})
	}
	return err
}

// Reviews implements [store.IdentityReader].
func (r *reader) Reviews(ctx context.Context, ids []tenure.ID) ([]tenure.Review, error) {
	list, err := r.Reader.Reviews(ctx, ids)
	if err != nil {
		return nil, err
	}
	return r.reviews(ctx, list)
}

// reviews leaves out the reviews of entities that the audience does not see, and the candidates that it does not see.
func (r *reader) reviews(ctx context.Context, list []tenure.Review) ([]tenure.Review, error) {
	if whole, err := r.whole(ctx); whole || err != nil || len(list) == 0 {
		return list, err
	}
	var ids []tenure.ID
	for _, v := range list {
		ids = append(ids, v.Entity)
		for _, c := range v.Candidates {
			ids = append(ids, c.Entity)
		}
	}
	shown, err := r.shown(ctx, ids)
	if err != nil {
		return nil, err
	}
	var kept []tenure.Review
	for _, v := range list {
		asked := len(v.Candidates)
		v.Candidates = slices.DeleteFunc(slices.Clone(v.Candidates), func(c tenure.Candidate) bool {
			return !shown[c.Entity]
		})
		if shown[v.Entity] && (asked == 0 || len(v.Candidates) > 0) {
			kept = append(kept, v)
		}
	}
	return kept, nil
}

// ListReviews implements [store.IdentityReader].
func (r *reader) ListReviews(ctx context.Context, q store.ReviewQuery) ([]tenure.Review, error) {
	return filled(q.Limit, func(last *tenure.Review, n int) ([]tenure.Review, error) {
		q := q
		if q.Limit = n; last != nil {
			q.After = q.Key(*last)
		}
		return r.Reader.ListReviews(ctx, q)
	}, func(list []tenure.Review) ([]tenure.Review, error) { return r.reviews(ctx, list) })
}

// OpenReviews implements [store.IdentityReader].
func (r *reader) OpenReviews(ctx context.Context, entities []tenure.ID, limit int) ([]tenure.Review, error) {
	kept, err := grown(limit, func(room int) ([]tenure.Review, error) {
		return r.Reader.OpenReviews(ctx, entities, room)
	}, func(list []tenure.Review) ([]tenure.Review, error) {
		return r.reviews(ctx, list)
	}, atLeast[tenure.Review](limit))
	return kept[:min(len(kept), max(limit, 0))], err
}
