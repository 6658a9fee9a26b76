// Package forest computes which entities are one: the roots that follow from merges.
package forest

import (
	"reflect"
	"slices"

	"tenure"
)

// Forest maps each merged entity to the entity it was merged into, by the merges that are not undone.
type Forest struct{ into map[tenure.ID]tenure.ID }

// New returns the forest of the merges among identity decisions.
func New(decisions []tenure.IdentityDecision) Forest {
	f := Forest{into: map[tenure.ID]tenure.ID{}}
	for _, v := range decisions {
		if v.Kind == tenure.Merge && !v.Undone {
			f.into[v.From] = v.Into
		}
	}
	return f
}

// Root follows merges from id to its root.
func (f Forest) Root(id tenure.ID) tenure.ID {
	for range len(f.into) + 1 {
		next, ok := f.into[id]
		if !ok {
			return id
		}
		id = next
	}
	return id
}

// Reroot assigns roots and members to entities, which are all members of some roots, and returns the entities
// that change. Merged entities get the status merged; entities that no merge holds any more get the status in
// free.
func (f Forest) Reroot(entities []tenure.Entity, free map[tenure.ID]tenure.EntityStatus) []tenure.Entity {
	members := map[tenure.ID][]tenure.ID{}
	for _, e := range entities {
		if root := f.Root(e.ID); root != e.ID {
			members[root] = append(members[root], e.ID)
		}
	}
	var changed []tenure.Entity
	for _, e := range entities {
		next := e
		next.Members = slices.Sorted(slices.Values(members[e.ID]))
		if root := f.Root(e.ID); root != e.ID {
			next.MergedInto, next.Status = root, tenure.EntityMerged
		} else {
			next.MergedInto = ""
			if status, ok := free[e.ID]; ok {
				next.Status = status
			}
		}
		if !reflect.DeepEqual(emptyToNil(next), emptyToNil(e)) {
			changed = append(changed, next)
		}
	}
	return changed
}

// emptyToNil replaces empty lists by nil, so that versions compare equal.
func emptyToNil(e tenure.Entity) tenure.Entity {
	if len(e.Members) == 0 {
		e.Members = nil
	}
	return e
}

// Regroup returns entities, which are members of one root, with the roots that follow from those of the decisions that
// are about two of them.
func Regroup(group []tenure.Entity, decisions []tenure.IdentityDecision) []tenure.Entity {
	in := func(id tenure.ID) bool {
		return slices.ContainsFunc(group, func(e tenure.Entity) bool { return e.ID == id })
	}
	free := map[tenure.ID]tenure.EntityStatus{}
	var among []tenure.IdentityDecision
	for _, d := range decisions {
		switch {
		case d.Kind != tenure.Merge || d.Undone:
		case in(d.From) && in(d.Into):
			among = append(among, d)
		case in(d.From):
			free[d.From] = d.FromStatus
		}
	}
	list := slices.Clone(group)
	for _, e := range New(among).Reroot(group, free) {
		for i := range list {
			if list[i].ID == e.ID {
				list[i] = e
			}
		}
	}
	return list
}
