package registry

import (
	"slices"

	"tenure"
)

// Forest is who was merged into whom: the merges that are not undone.
type Forest struct{ into map[tenure.ID]tenure.ID }

// NewForest reads off verdicts which merges count.
func NewForest(verdicts []tenure.IdentityDecision) Forest {
	f := Forest{into: map[tenure.ID]tenure.ID{}}
	for _, v := range verdicts {
		if v.Kind == tenure.Merge && !v.Undone {
			f.into[v.From] = v.Into
		}
	}
	return f
}

// Root follows merges to the entity that stands for id.
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

// Reroot gives entities, which are all those of some roots, the roots and the
// members that the merges make of them, and returns those that change. What is
// merged has the status merged; what a merge no longer holds has the status
// that is given for it.
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
		if !Same(emptyToNil(next), emptyToNil(e)) {
			changed = append(changed, next)
		}
	}
	return changed
}

// emptyToNil has no list where a list is empty.
func emptyToNil(e tenure.Entity) tenure.Entity {
	if len(e.Members) == 0 {
		e.Members = nil
	}
	return e
}
