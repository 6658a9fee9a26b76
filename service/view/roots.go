package view

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/attribute"
)

// roots holds entities with their roots, all members of those, and their aliases, as far as the caller sees
// them: a root combines the data of its members.
type roots struct {
	entities map[tenure.ID]tenure.Entity
	aliases  []tenure.Alias
}

// gather reads entities, their roots, the members of those, and their aliases.
func (v *View) gather(ctx context.Context, ids []tenure.ID) (roots, error) {
	g, err := v.gatherEntities(ctx, ids)
	if err != nil {
		return g, err
	}
	var all []tenure.ID
	for id := range g.entities {
		all = append(all, id)
	}
	slices.Sort(all)
	g.aliases, err = v.reader.AliasesOf(ctx, all)
	// Ordered by first mention: a merge or a split moves aliases without changing when they were stated.
	slices.SortStableFunc(g.aliases, func(a, b tenure.Alias) int { return cmp.Compare(a.Mention, b.Mention) })
	return g, err
}

// gatherEntities reads entities, their roots, and the members of those.
func (v *View) gatherEntities(ctx context.Context, ids []tenure.ID) (roots, error) {
	g := roots{entities: map[tenure.ID]tenure.Entity{}}
	for range 3 { // the entities, their roots, the members of those
		found, err := v.entities(ctx, slices.DeleteFunc(ids, g.has))
		if err != nil {
			return g, err
		}
		ids = nil
		for _, e := range found {
			g.entities[e.ID] = e
			ids = append(append(ids, e.Root()), e.Members...)
		}
	}
	return g, nil
}

func (g roots) has(id tenure.ID) bool {
	_, ok := g.entities[id]
	return ok
}

// rootOf returns the root of a gathered entity, or the entity itself where its root is hidden from the
// caller.
func (g roots) rootOf(id tenure.ID) tenure.Entity {
	e := g.entities[id]
	if root, ok := g.entities[e.Root()]; ok {
		return root
	}
	return e
}

// whole lists the root of an entity and its members.
func (g roots) whole(id tenure.ID) []tenure.Entity {
	root := g.rootOf(id)
	list := []tenure.Entity{root}
	for _, m := range root.Members {
		if e, ok := g.entities[m]; ok {
			list = append(list, e)
		}
	}
	return list
}

// attributesOf lists the attribute values of the members of a root, by kind.
func attributesOf(members []tenure.Entity) map[string][]string {
	all := map[string][]string{}
	for _, e := range members {
		for kind, values := range e.Attributes {
			for _, v := range values {
				if !slices.Contains(all[kind], v) {
					all[kind] = append(all[kind], v)
				}
			}
		}
	}
	return all
}

// narrowerRecords lists the records that members of a root have by aliases alone, since not everybody sees these who
// sees the member.
func (g roots) narrowerRecords(members []tenure.Entity) (list []tenure.Record) {
	for _, o := range g.aliases {
		row, ok := attribute.RecordOf(o.Key)
		if !ok || slices.Contains(list, row) {
			continue
		}
		if slices.ContainsFunc(members, func(e tenure.Entity) bool {
			return e.ID == o.Entity && !e.Label.Covers(o.Label)
		}) && !slices.ContainsFunc(members, func(e tenure.Entity) bool { return slices.Contains(e.Records, row) }) {
			list = append(list, row)
		}
	}
	return list
}

// OtherNames lists the names of the members of a root, without the name of the first.
func OtherNames(members []tenure.Entity) []string {
	names, shown := []string{}, members[0].Shown(members).Name
	for _, e := range members {
		for _, n := range e.Spellings() {
			if n != shown && !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names
}

// rootIDs returns the ids of the roots of entities.
func (v *View) rootIDs(ctx context.Context, ids []tenure.ID) (map[tenure.ID]tenure.ID, error) {
	entities, err := v.reader.Entities(ctx, sortedUnique(ids))
	found := make(map[tenure.ID]tenure.ID, len(entities))
	for _, e := range entities {
		found[e.ID] = e.Root()
	}
	return found, err
}

// membersOf lists the members of an entity's root, the root first; an unknown entity yields its id alone.
func (v *View) membersOf(ctx context.Context, id tenure.ID) ([]tenure.ID, error) {
	list, err := v.reader.Entities(ctx, []tenure.ID{id})
	if err != nil || len(list) == 0 {
		return []tenure.ID{id}, err
	}
	if root := list[0].Root(); root != id {
		if list, err = v.reader.Entities(ctx, []tenure.ID{root}); err != nil || len(list) == 0 {
			return []tenure.ID{id}, err
		}
	}
	return list[0].Whole(), nil
}

// subjects lists the entities that a filter by entity covers: all members of its root, or "" (any) without a
// filter. It returns Unprocessable for one that is not known, or hidden from the caller; in a state of the past, which
// may precede it, nothing is found of it.
func (v *View) subjects(ctx context.Context, entity tenure.ID) ([]tenure.ID, error) {
	if entity == "" {
		return []tenure.ID{""}, nil
	}
	if v.present {
		found, err := v.entities(ctx, []tenure.ID{entity})
		if err == nil && len(found) == 0 {
			err = tenure.FieldError(tenure.Unprocessable, "entity_id", "there is no such entity")
		}
		if err != nil {
			return nil, err
		}
	}
	return v.membersOf(ctx, entity)
}
