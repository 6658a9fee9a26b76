package ingest

import (
	"context"
	"slices"

	"tenure"
	"tenure/registry"
)

// replace makes the entity of a row that was seen before, and now says something
// else, what its mentions and this one say: the row's earlier version counts no
// more.
func (in *intake) replace(ctx context.Context, m tenure.Mention, d registry.Decision) (registry.Decision, error) {
	if !d.Row {
		return d, nil
	}
	same, err := in.restates(ctx, m)
	if err != nil || same {
		return d, err
	}
	if err := in.draft.RequireExclusive(); err != nil {
		return d, err
	}
	mentions, err := in.draft.MentionsOf(ctx, d.Entity)
	if err != nil {
		return d, err
	}
	e, err := in.laid.Entity(ctx, d.Entity)
	if err != nil {
		return d, err
	}
	had, err := in.draft.OwnedBy(ctx, d.Entity)
	if err != nil {
		return d, err
	}
	mentions = append(slices.Clip(mentions), in.mentionsOf(d.Entity)...)
	next, changes := registry.Refold(*e, had, append(mentions, m))
	d.Changes = slices.DeleteFunc(d.Changes, func(c tenure.Change) bool {
		switch c.(type) {
		case tenure.MentionAssigned, tenure.ReviewPut:
			return false
		}
		return true
	})
	d.Changes = append(append(d.Changes, tenure.EntityPut{Entity: next}), changes...)
	return d, nil
}

// mentionsOf are the mentions of this observation that were assigned to an
// entity so far.
func (in *intake) mentionsOf(entity tenure.ID) []tenure.Mention {
	var list []tenure.Mention
	for i, d := range in.decisions {
		if d.Entity == entity {
			list = append(list, in.mentions[i])
		}
	}
	return list
}

// restates tells whether the row says what it said before.
func (in *intake) restates(ctx context.Context, m tenure.Mention) (bool, error) {
	owners, err := in.laid.Owners(ctx, registry.RecordForm(*m.Record))
	if err != nil {
		return false, err
	}
	for _, o := range owners {
		found, err := in.draft.Mentions(ctx, []tenure.ID{o.Mention})
		if err != nil || len(found) == 0 {
			return false, err
		}
		if registry.Restates(m, found[0].Mention) {
			return true, nil
		}
	}
	return false, nil
}
