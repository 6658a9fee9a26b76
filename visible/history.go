package visible

import (
	"context"
	"slices"

	"tenure"
	"tenure/store"
)

// History implements [store.LogReader]. Whoever may not read the log is listed of an entry what they see of its
// evidence and its decisions, and no entry of which they see none: what followed from these followed from all evidence.
func (r *reader) History(
	ctx context.Context, entity tenure.ID, after tenure.Seq, limit int,
) ([]tenure.Entry, error) {
	if r.log {
		return r.Reader.History(ctx, entity, after, limit)
	}
	return filled(limit, func(last *tenure.Entry, n int) ([]tenure.Entry, error) {
		if last != nil {
			after = last.Seq
		}
		return r.Reader.History(ctx, entity, after, n)
	}, func(list []tenure.Entry) ([]tenure.Entry, error) { return r.entries(ctx, entity, list) })
}

// entries leaves out the changes of what the audience does not see, and the entries in which no other concerns the
// entity.
func (r *reader) entries(ctx context.Context, entity tenure.ID, list []tenure.Entry) ([]tenure.Entry, error) {
	shown, err := r.shownIn(ctx, list)
	if err != nil {
		return nil, err
	}
	var kept []tenure.Entry
	for _, e := range list {
		if e = ofShown(e, shown); slices.ContainsFunc(e.Changes, func(c tenure.EntryChange) bool {
			return c.Entity == entity || c.Other == entity
		}) {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// shownIn finds which of the entities, beliefs, mentions, observations and amendments in entries the audience sees.
func (r *reader) shownIn(ctx context.Context, list []tenure.Entry) (map[tenure.ID]bool, error) {
	var entities, beliefs []tenure.ID
	of := map[tenure.ChangeKind][]tenure.ID{}
	for _, e := range list {
		for _, c := range e.Changes {
			entities, beliefs = add(add(entities, c.Entity), c.Other), add(beliefs, c.Belief)
			of[c.Kind.Current()] = add(of[c.Kind.Current()], c.ID)
		}
	}
	shown, err := r.shown(ctx, entities)
	if err != nil {
		return nil, err
	}
	held, err := evidence{r}.Beliefs(ctx, unique(beliefs))
	if err != nil {
		return nil, err
	}
	said, err := r.Mentions(ctx, unique(slices.Concat(of[tenure.KindMentionAdded], of[tenure.KindMentionAssigned])))
	if err != nil {
		return nil, err
	}
	made, err := r.Observations(ctx, unique(of[tenure.KindObservationAdded]))
	if err != nil {
		return nil, err
	}
	amended, err := r.AmendmentsByID(ctx, unique(of[tenure.KindAmended]))
	if err != nil {
		return nil, err
	}
	show(shown, held, func(b tenure.Belief) tenure.ID { return b.Claim.ID })
	show(shown, said, func(m store.MentionRecord) tenure.ID { return m.Mention.ID })
	show(shown, made, func(o tenure.Observation) tenure.ID { return o.ID })
	show(shown, amended, func(a tenure.Amendment) tenure.ID { return a.ID })
	return shown, nil
}

func show[T any](shown map[tenure.ID]bool, list []T, id func(T) tenure.ID) {
	for _, x := range list {
		shown[id(x)] = true
	}
}

func add(list []tenure.ID, id tenure.ID) []tenure.ID {
	if id == "" {
		return list
	}
	return append(list, id)
}

// ofShown returns the entry with the changes of what is shown. An entry whose observation or identity decision is not
// shown has none: what it changed follows from that.
func ofShown(e tenure.Entry, shown map[tenure.ID]bool) tenure.Entry {
	hidden := func(id tenure.ID) bool { return id != "" && !shown[id] }
	all := e.Changes
	e.Changes = nil
	for _, c := range all {
		self := false
		switch c.Kind.Current() {
		case tenure.KindObservationAdded:
			if hidden(c.ID) {
				e.Changes = nil
				return e
			}
		case tenure.KindIdentityDecisionPut:
			if hidden(c.Entity) || hidden(c.Other) {
				e.Changes = nil
				return e
			}
		case tenure.KindMentionAdded, tenure.KindMentionAssigned, tenure.KindAmended:
			self = hidden(c.ID)
		case tenure.KindClaimAdded:
		default:
			continue
		}
		if !self && !hidden(c.Entity) && !hidden(c.Other) && !hidden(c.Belief) {
			e.Changes = append(e.Changes, c)
		}
	}
	return e
}
