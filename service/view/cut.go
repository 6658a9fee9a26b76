package view

import (
	"context"
	"slices"
	"strconv"

	"tenure"
)

// Bounds of the lists in an answer about one thing. There may be a hundred thousand of each.
const (
	// MaxListed bounds the aliases, records, members, decisions and values of an attribute of an entity, and each list of
	// ids in the answer to a write.
	MaxListed = 500
	// MaxSides bounds the sides and the windows of a case.
	MaxSides = 100
)

// Cut tells which lists of an answer are not whole, by the names of their fields, and how many there are of each.
type Cut map[string]int

// CutTo returns at most the first items of a list, and notes under its name if there are more.
func CutTo[T any](c *Cut, name string, list []T, most int) []T {
	if len(list) <= most {
		return list
	}
	if *c == nil {
		*c = Cut{}
	}
	(*c)[name] = len(list)
	return slices.Clip(list[:most])
}

// Aliases lists the aliases of an entity and of the other members of its root, in the order in which an entity shows
// them.
func (v *View) Aliases(ctx context.Context, id tenure.ID, p Page) (Listing[tenure.Alias], error) {
	g, err := v.gather(ctx, []tenure.ID{id})
	if err != nil {
		return Listing[tenure.Alias]{}, err
	}
	if !g.has(id) {
		return Listing[tenure.Alias]{}, Absent()
	}
	return paged(v.aliasesOf(g, id), p)
}

// paged returns a page of a list that is the same whenever its state is read: its key is the place of an item.
func paged[T any](all []T, p Page) (Listing[T], error) {
	p = p.WithDefaults()
	start := 0
	if p.After != "" {
		var err error
		if start, err = strconv.Atoi(p.After); err != nil || start < 0 || start > len(all) {
			return Listing[T]{}, tenure.FieldError(tenure.StaleCursor, "cursor", "is not a place in this listing")
		}
	}
	end := min(start+p.Limit, len(all))
	return Listing[T]{Items: all[start:end], Last: strconv.Itoa(end), More: end < len(all)}, nil
}

// aliasesOf lists the aliases of the members of a root that the caller sees.
func (v *View) aliasesOf(g roots, id tenure.ID) (list []tenure.Alias) {
	for _, m := range g.whole(id) {
		for _, o := range g.aliases {
			if o.Entity == m.ID && v.inProject(o.Project) {
				list = append(list, o)
			}
		}
	}
	return list
}
