package httpapi

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/api"
	"tenure/store"
)

// roots are entities with all members of their roots and the forms of those, as
// far as the caller may see them: what is known of a root is what is known of
// its members.
type roots struct {
	entities map[tenure.ID]tenure.Entity
	owners   []tenure.Owner
}

// gather reads entities, their roots, the members of those, and their forms.
func gather(ctx context.Context, r store.Reader, ids []tenure.ID) (roots, error) {
	g, err := gatherEntities(ctx, r, ids)
	if err != nil {
		return g, err
	}
	var all []tenure.ID
	for id := range g.entities {
		all = append(all, id)
	}
	slices.Sort(all)
	g.owners, err = r.OwnedBy(ctx, all)
	// In the order in which they were first said, whatever was moved since.
	slices.SortStableFunc(g.owners, func(a, b tenure.Owner) int { return cmp.Compare(a.Mention, b.Mention) })
	return g, err
}

func gatherEntities(ctx context.Context, r store.Reader, ids []tenure.ID) (roots, error) {
	g := roots{entities: map[tenure.ID]tenure.Entity{}}
	for range 3 { // the entities, their roots, the members of those
		found, err := visibleEntities(ctx, r, slices.DeleteFunc(ids, g.has))
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

// rootOf is what stands for an entity that was gathered: itself where the
// caller may not see its root.
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

// visibleEntities finds entities by id, without those that the caller may not
// see.
func visibleEntities(ctx context.Context, r store.Reader, ids []tenure.ID) (map[tenure.ID]tenure.Entity, error) {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := r.Entities(ctx, ids)
	found := make(map[tenure.ID]tenure.Entity, len(list))
	for _, e := range list {
		if inProject(callerOf(ctx), e.Project) {
			found[e.ID] = e
		}
	}
	return found, err
}

// view is an entity with what all members of its root hold.
func (g roots) view(c tenure.Caller, id tenure.ID) api.Entity {
	e, whole := g.entities[id], g.whole(id)
	v := api.Entity{
		EntityId: e.ID, CanonicalId: e.Root(), Type: e.Type, Status: e.Status, Name: e.Name, ProjectId: e.Project,
		MergedInto: e.MergedInto, Reason: e.Reason, CreatedAt: e.CreatedAt.Time(), Aliases: []api.Alias{},
		Attributes: attributesOf(whole),
	}
	for _, m := range whole {
		v.Records = append(v.Records, m.Records...)
		for _, o := range g.owners {
			if o.Entity == m.ID && inProject(c, o.Project) {
				v.Aliases = append(v.Aliases, api.Alias{
					EntityId: o.Entity, Kind: o.Form.Kind, Spelling: o.Spelling, ProjectId: o.Project, Exclusive: o.Exclusive,
					MentionId: o.Mention,
				})
			}
		}
	}
	for _, m := range whole[1:] {
		v.Members = append(v.Members, m.ID)
	}
	return v
}

// attributesOf lists, by kind, the values that the members of a root carry.
func attributesOf(members []tenure.Entity) api.Attributes {
	all := api.Attributes{}
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

// membersOf lists the members of an entity's root, the root first; of an entity
// that is not known, its id alone.
func membersOf(ctx context.Context, r store.Reader, id tenure.ID) ([]tenure.ID, error) {
	list, err := r.Entities(ctx, []tenure.ID{id})
	if err != nil || len(list) == 0 {
		return []tenure.ID{id}, err
	}
	if root := list[0].Root(); root != id {
		if list, err = r.Entities(ctx, []tenure.ID{root}); err != nil || len(list) == 0 {
			return []tenure.ID{id}, err
		}
	}
	return list[0].Whole(), nil
}

// subjects are the entities that a filter by entity means: all members of its
// root, or "" for any where there is no filter.
func subjects(ctx context.Context, r store.Reader, entity *string) ([]tenure.ID, error) {
	if entity == nil {
		return []tenure.ID{""}, nil
	}
	return membersOf(ctx, r, tenure.ID(*entity))
}

// together is the page of what several entities have, in the order of its key:
// each once, at most n. fetch gives the page of one of them.
func together[T any, K cmp.Ordered](
	entities []tenure.ID, n int, key func(T) K, fetch func(tenure.ID) ([]T, error),
) ([]T, error) {
	var all []T
	for _, id := range entities {
		list, err := fetch(id)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	if len(entities) > 1 {
		slices.SortStableFunc(all, func(a, b T) int { return cmp.Compare(key(a), key(b)) })
		all = slices.CompactFunc(all, func(a, b T) bool { return key(a) == key(b) })
	}
	return all[:min(len(all), n)], nil
}
