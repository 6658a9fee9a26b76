package bulk

import (
	"context"
	"slices"

	"tenure"

	"tenure/calibrate"
	"tenure/similarity"
	"tenure/store"
	"tenure/text"
)

// NameFrequencies counts the words of the names in a tenant's registry by entity class: each name of a
// canonical entity once.
func NameFrequencies(ctx context.Context, s store.Store, tenant string) (map[string]*calibrate.Collection, error) {
	view, err := s.View(ctx, tenant, tenure.Present)
	if err != nil {
		return nil, err
	}
	collections, seen := map[string]*calibrate.Collection{}, map[tenure.ID]bool{}
	end, _ := view.State()
	for at := tenure.Seq(0); at < end; {
		entries, err := s.Log(ctx, tenant, at, min(logPage, int(end-at)))
		if err != nil || len(entries) == 0 {
			return collections, err
		}
		at = entries[len(entries)-1].Seq
		ids := slices.DeleteFunc(entitiesPut(entries), func(id tenure.ID) bool { return seen[id] })
		roots, err := view.Entities(ctx, ids)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			seen[id] = true
		}
		if err := countNames(ctx, view, roots, collections); err != nil {
			return nil, err
		}
	}
	return collections, nil
}

// entitiesPut lists the entities that entries put, without duplicates.
func entitiesPut(entries []tenure.Entry) []tenure.ID {
	var ids []tenure.ID
	for _, e := range entries {
		for _, c := range e.Changes {
			if c.Kind == tenure.KindEntityPut {
				ids = append(ids, c.Entity)
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func countNames(
	ctx context.Context, view store.Reader, entities []tenure.Entity, collections map[string]*calibrate.Collection,
) error {
	var wanted []tenure.ID
	for _, e := range entities {
		wanted = append(wanted, e.Members...)
	}
	found, err := view.Entities(ctx, wanted)
	if err != nil {
		return err
	}
	members := map[tenure.ID]tenure.Entity{}
	for _, e := range found {
		members[e.ID] = e
	}
	for _, e := range entities {
		if e.Status != tenure.EntityCanonical {
			continue
		}
		class := similarity.ClassOf(e.Type)
		if collections[class] == nil {
			collections[class] = &calibrate.Collection{}
		}
		whole := []tenure.Entity{e}
		for _, id := range e.Members {
			whole = append(whole, members[id])
		}
		named := map[string]bool{}
		for _, n := range similarity.ProfileOf(whole).Names {
			if key := text.Key(n); key != "" && !named[key] {
				named[key] = true
				collections[class].Add(n, e.Type)
			}
		}
	}
	return nil
}
