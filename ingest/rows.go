package ingest

import (
	"context"
	"reflect"
	"slices"

	"tenure"
	"tenure/registry"

	"tenure/attribute"
)

// replace rebuilds the entity of a record whose content has changed from its mentions and the new one; the
// former version of the record no longer counts.
func (in *intake) replace(ctx context.Context, m tenure.Mention, d registry.Decision) (registry.Decision, error) {
	if d.Reused {
		if err := in.txn.RequireExclusive(); err != nil {
			return d, err
		}
	}
	if !d.KnownRecord {
		return d, nil
	}
	same, err := in.restates(ctx, m, d.Entity)
	if err != nil || same {
		return d, err
	}
	if err := in.txn.RequireExclusive(); err != nil {
		return d, err
	}
	mentions, err := in.txn.MentionsOf(ctx, d.Entity)
	if err != nil {
		return d, err
	}
	e, err := in.txn.Entity(ctx, d.Entity)
	if err != nil {
		return d, err
	}
	had, err := in.txn.AliasesOf(ctx, d.Entity)
	if err != nil {
		return d, err
	}
	next, changes := registry.RebuildProfile(*e, had, append(mentions, m))
	d.Changes = slices.DeleteFunc(d.Changes, func(c tenure.Change) bool {
		switch c.(type) {
		case tenure.MentionAssigned, tenure.ReviewPut, tenure.IdentityDecisionPut:
			return false
		}
		return true
	})
	if !reflect.DeepEqual(next, *e) {
		d.Changes = append(d.Changes, tenure.EntityPut{Entity: next})
	}
	d.Changes = append(d.Changes, changes...)
	return d, nil
}

// restates reports whether the row has the same content as before, when it was about an entity.
func (in *intake) restates(ctx context.Context, m tenure.Mention, entity tenure.ID) (bool, error) {
	aliases, err := in.txn.AliasesByKey(ctx, attribute.RecordAliasKey(*m.Record))
	if err != nil {
		return false, err
	}
	for _, o := range aliases {
		if o.Entity != entity {
			continue
		}
		found, err := in.txn.Mentions(ctx, []tenure.ID{o.Mention})
		if err != nil || len(found) == 0 {
			return false, err
		}
		if registry.Restates(m, found[0].Mention) {
			return true, nil
		}
	}
	return false, nil
}
