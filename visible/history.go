package visible

import (
	"context"
	"slices"

	"tenure"
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
	var entities, beliefs, mentions, observations, amendments []tenure.ID
	for _, e := range list {
		for _, c := range e.Changes {
			entities, beliefs = add(add(entities, c.Entity), c.Other), add(beliefs, c.Belief)
			switch c.Kind.Current() {
			case tenure.KindObservationAdded:
				observations = add(observations, c.ID)
			case tenure.KindMentionAdded, tenure.KindMentionAssigned:
				mentions = add(mentions, c.ID)
			case tenure.KindAmended:
				amendments = add(amendments, c.ID)
			}
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
	said, err := r.Mentions(ctx, unique(mentions))
	if err != nil {
		return nil, err
	}
	made, err := r.Observations(ctx, unique(observations))
	if err != nil {
		return nil, err
	}
	amended, err := r.AmendmentsByID(ctx, unique(amendments))
	if err != nil {
		return nil, err
	}
	for _, b := range held {
		shown[b.Claim.ID] = true
	}
	for _, a := range amended {
		shown[a.ID] = true
	}
	for _, m := range said {
		shown[m.Mention.ID] = true
	}
	for _, o := range made {
		shown[o.ID] = true
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
		case tenure.KindMentionAdded, tenure.KindAmended:
			self = hidden(c.ID)
		case tenure.KindClaimAdded, tenure.KindMentionAssigned:
		default:
			continue
		}
		if !self && !hidden(c.Entity) && !hidden(c.Other) && !hidden(c.Belief) {
			e.Changes = append(e.Changes, c)
		}
	}
	return e
}
