package registry

import (
	"context"
	"maps"
	"slices"

	"tenure"
)

// maxTypeDepth bounds the depth of the hierarchy of types, which guards against cycles.
const maxTypeDepth = 16

// TypeHierarchy holds the parent of each entity type that has one.
type TypeHierarchy map[string]string

// Compatible lists the entity types that a mention of the type may mean, the
// nearest first: the type itself and "", the unknown type, then its ancestors, then
// its descendants. It returns nil, which excludes no type, if the type is unknown.
func (h TypeHierarchy) Compatible(t string) []string {
	if t == "" {
		return nil
	}
	list := []string{t, ""}
	add := func(types ...string) {
		for _, other := range types {
			if ok, _ := compatibleTypes(t, other, h.parent); ok && !slices.Contains(list, other) {
				list = append(list, other)
			}
		}
	}
	for above, steps := h[t], 0; above != "" && steps < maxTypeDepth; steps++ {
		add(above)
		above = h[above]
	}
	add(slices.Sorted(maps.Keys(h))...)
	return list
}

// parent returns the parent of a type; the error is always nil.
func (h TypeHierarchy) parent(t string) (string, error) { return h[t], nil }

// compatible reports whether one entity may be of both types, by the hierarchy
// that k reads.
func compatible(ctx context.Context, k EntityReader, a, b string) (bool, error) {
	return compatibleTypes(a, b, func(t string) (string, error) {
		term, err := k.Term(ctx, tenure.TermID(tenure.EntityTypes, t))
		if err != nil || term == nil {
			return "", err
		}
		return term.Parent, nil
	})
}

// compatibleTypes reports whether one entity may be of both types: they are equal,
// one is unknown, or one descends from the other. parent returns "" at the top.
func compatibleTypes(a, b string, parent func(string) (string, error)) (bool, error) {
	if a == "" || b == "" || a == b {
		return true, nil
	}
	if below, err := descends(a, b, parent); err != nil || below {
		return below, err
	}
	return descends(b, a, parent)
}

// descends reports whether the type lies below the ancestor.
func descends(t, ancestor string, parent func(string) (string, error)) (bool, error) {
	for range maxTypeDepth {
		above, err := parent(t)
		if err != nil || above == "" {
			return false, err
		}
		if above == ancestor {
			return true, nil
		}
		t = above
	}
	return false, nil
}
