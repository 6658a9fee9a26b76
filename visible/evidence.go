package visible

import (
	"context"
	"slices"

	"tenure"
	"tenure/labels"
	"tenure/store"
)

// Observation implements [store.EvidenceReader].
func (r *reader) Observation(ctx context.Context, id tenure.ID) (store.ObservationRecord, error) {
	rec, err := r.Reader.Observation(ctx, id)
	if err != nil {
		return rec, err
	}
	shown, err := r.records(ctx, []store.ObservationRecord{rec})
	if err != nil {
		return store.ObservationRecord{}, err
	}
	if len(shown) == 0 {
		return store.ObservationRecord{}, tenure.Errorf(tenure.NotFound, "there is no such observation")
	}
	rec = shown[0]
	mentions, assigned := rec.Mentions, rec.Assignments
	rec.Mentions, rec.Assignments = nil, nil
	for i, m := range mentions {
		if !r.sees.Sees(m.Label) {
			continue
		}
		rec.Mentions = append(rec.Mentions, m)
		if i < len(assigned) {
			rec.Assignments = append(rec.Assignments, assigned[i])
		}
	}
	return rec, nil
}

// records leaves out the observations that the audience does not see.
func (r *reader) records(ctx context.Context, list []store.ObservationRecord) ([]store.ObservationRecord, error) {
	all := make([]tenure.Observation, len(list))
	for i, rec := range list {
		all[i] = rec.Observation
	}
	hidden, err := r.hidden(ctx, all)
	return slices.DeleteFunc(list, func(rec store.ObservationRecord) bool { return hidden[rec.Observation.ID] }), err
}

// hidden finds the observations that the audience does not see: by their label, by that of a claim that was made in
// them, or since they are about the words of one that it does not see.
func (r *reader) hidden(ctx context.Context, list []tenure.Observation) (map[tenure.ID]bool, error) {
	hidden := map[tenure.ID]bool{}
	if whole, err := r.whole(ctx); whole || err != nil {
		return hidden, err
	}
	of := map[tenure.ID]tenure.ID{}
	var others []tenure.ID
	for _, o := range list {
		if o.Of != "" {
			of[o.ID] = o.Of
			others = append(others, o.Of)
		}
	}
	spoken, err := r.Reader.Observations(ctx, unique(others))
	if err != nil {
		return nil, err
	}
	var claims []tenure.ID
	for _, o := range slices.Concat(list, spoken) {
		hidden[o.ID] = !r.sees.Sees(labels.LabelOf(o))
		claims = append(claims, o.Claims...)
	}
	made, err := r.Reader.Beliefs(ctx, unique(claims))
	for _, b := range made {
		hidden[b.Claim.Observation] = hidden[b.Claim.Observation] || !r.sees.Sees(b.Claim.Label())
	}
	for id, words := range of {
		hidden[id] = hidden[id] || hidden[words]
	}
	return hidden, err
}

// Observations implements [store.EvidenceReader].
func (r *reader) Observations(ctx context.Context, ids []tenure.ID) ([]tenure.Observation, error) {
	list, err := r.Reader.Observations(ctx, ids)
	if err != nil || len(list) == 0 {
		return list, err
	}
	hidden, err := r.hidden(ctx, list)
	return slices.DeleteFunc(slices.Clone(list), func(o tenure.Observation) bool { return hidden[o.ID] }), err
}

// ListObservations implements [store.EvidenceReader].
func (r *reader) ListObservations(ctx context.Context, q store.ObservationQuery) ([]store.ObservationRecord, error) {
	return filled(q.Limit, func(last *store.ObservationRecord, n int) ([]store.ObservationRecord, error) {
		q := q
		if q.Limit = n; last != nil {
			q.Before, q.BeforeID = last.Observation.ObservedAt, last.Observation.ID
		}
		return r.Reader.ListObservations(ctx, q)
	}, func(list []store.ObservationRecord) ([]store.ObservationRecord, error) { return r.records(ctx, list) })
}

// ProposalsOn implements [store.EvidenceReader].
func (r *reader) ProposalsOn(
	ctx context.Context, entities []tenure.ID, in tenure.Scope, perEntity int,
) ([]store.ObservationRecord, error) {
	if whole, err := r.whole(ctx); whole || err != nil {
		return r.Reader.ProposalsOn(ctx, entities, in, perEntity)
	}
	kept, err := grown(perEntity, func(room int) ([]store.ObservationRecord, error) {
		return r.Reader.ProposalsOn(ctx, entities, in, room)
	}, func(list []store.ObservationRecord) ([]store.ObservationRecord, error) {
		return r.records(ctx, list)
	}, func(all, kept []store.ObservationRecord, _ int) bool { return len(all) == len(kept) })
	if err != nil {
		return nil, err
	}
	return newestOf(kept, entities, perEntity), nil
}

// newestOf keeps, of each entity, the newest observations that propose a change of it.
func newestOf(list []store.ObservationRecord, entities []tenure.ID, perEntity int) []store.ObservationRecord {
	kept, of := map[tenure.ID]bool{}, map[tenure.ID]int{}
	for _, rec := range slices.Backward(list) {
		for _, id := range rec.Observation.ProposesOf() {
			if slices.Contains(entities, id) && of[id] < perEntity {
				of[id]++
				kept[rec.Observation.ID] = true
			}
		}
	}
	return slices.DeleteFunc(list, func(rec store.ObservationRecord) bool { return !kept[rec.Observation.ID] })
}

// Mentions implements [store.EvidenceReader].
func (r *reader) Mentions(ctx context.Context, ids []tenure.ID) ([]store.MentionRecord, error) {
	list, err := r.Reader.Mentions(ctx, ids)
	return slices.DeleteFunc(slices.Clone(list), func(m store.MentionRecord) bool {
		return !r.sees.Sees(m.Mention.Label)
	}), err
}

// MentionsOf implements [store.EvidenceReader].
func (r *reader) MentionsOf(
	ctx context.Context, entity tenure.ID, after tenure.ID, limit int,
) ([]tenure.Mention, error) {
	return filled(limit, func(last *tenure.Mention, n int) ([]tenure.Mention, error) {
		if last != nil {
			after = last.ID
		}
		return r.Reader.MentionsOf(ctx, entity, after, n)
	}, func(list []tenure.Mention) ([]tenure.Mention, error) {
		return slices.DeleteFunc(list, func(m tenure.Mention) bool { return !r.sees.Sees(m.Label) }), nil
	})
}

// unique returns the ids in order, each once; it does not modify the list.
func unique(ids []tenure.ID) []tenure.ID {
	return slices.Compact(slices.Sorted(slices.Values(ids)))
}
