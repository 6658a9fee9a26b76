package registry

import (
	"context"
	"slices"

	"tenure"
	"tenure/attribute"
)

// definitions are the tenant's own kinds of identifiers, as they are today, among some attributes. What a mention says
// is compared by these, whatever was defined when it was written; the alias keys that it gave stay as they are.
type definitions struct {
	attributes []string // by key, sorted
	kinds      []tenure.IdentifierKind
}

// definitionsOf returns the definitions for a mention that is being written, which has them.
func definitionsOf(m tenure.Mention) definitions {
	return definitions{attribute.Definable(m.Attributes), m.IdentifierKinds}
}

// definitionsToday reads the definitions for the attributes of a root.
func definitionsToday(ctx context.Context, k EntityReader, members []tenure.Entity) (d definitions, err error) {
	named := map[string][]string{}
	for _, e := range members {
		for _, key := range attribute.Definable(e.Attributes) {
			named[key] = nil
		}
	}
	if len(named) == 0 {
		return d, nil
	}
	d.attributes = attribute.Names(named)
	d.kinds, err = attribute.OwnKinds(ctx, k, named)
	return d, err
}

// of returns the kinds among some attributes, of which a list was in force when they were written.
func (d definitions) of(attributes map[string][]string, had []tenure.IdentifierKind) []tenure.IdentifierKind {
	if len(d.kinds)+len(had) == 0 {
		return had
	}
	var list []tenure.IdentifierKind
	for _, k := range had {
		if _, today := slices.BinarySearch(d.attributes, k.Attribute); !today {
			list = append(list, k)
		}
	}
	keys := attribute.Definable(attributes)
	for _, k := range d.kinds {
		if _, has := slices.BinarySearch(keys, k.Attribute); has {
			list = append(list, k)
		}
	}
	other := func(k tenure.IdentifierKind) bool { return !slices.Contains(had, k) }
	if len(list) == len(had) && !slices.ContainsFunc(list, other) {
		return had
	}
	return list
}

// members returns entities as they are read today, and reports whether any differs from what is stored.
func (d definitions) members(list []tenure.Entity) (today []tenure.Entity, redefined bool) {
	today = slices.Clone(list)
	for i := range today {
		today[i].IdentifierKinds = d.of(today[i].Attributes, today[i].IdentifierKinds)
		redefined = redefined || !slices.Equal(today[i].IdentifierKinds, list[i].IdentifierKinds)
	}
	return today, redefined
}

// definedToday reads entities and mentions by the definitions of today.
type definedToday struct {
	EntityReader
	today definitions
}

// Entity implements [EntityReader].
func (v definedToday) Entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error) {
	e, err := v.EntityReader.Entity(ctx, id)
	if e == nil || err != nil {
		return nil, err
	}
	kinds := v.today.of(e.Attributes, e.IdentifierKinds)
	if slices.Equal(kinds, e.IdentifierKinds) {
		return e, nil
	}
	today := *e
	today.IdentifierKinds = kinds
	return &today, nil
}

// mentionsToday is definedToday with the mentions of entities.
type mentionsToday struct {
	definedToday
	all MentionReader
}

// MentionsOf implements [MentionReader].
func (v mentionsToday) MentionsOf(ctx context.Context, id tenure.ID) ([]tenure.Mention, error) {
	list, err := v.all.MentionsOf(ctx, id)
	list = slices.Clone(list)
	for i := range list {
		list[i].IdentifierKinds = v.today.of(list[i].Attributes, list[i].IdentifierKinds)
	}
	return list, err
}

// readToday returns a reader that reads by the definitions of today of what some roots say, and the roots so read. It
// reports whether that changes what any member of them says.
func readToday(
	ctx context.Context, k MentionReader, roots ...tenure.Entity,
) (MentionReader, []tenure.Entity, bool, error) {
	var all []tenure.Entity
	for _, root := range roots {
		members, err := Members(ctx, k, root)
		if err != nil {
			return k, nil, false, err
		}
		all = append(all, members...)
	}
	d, err := definitionsToday(ctx, k, all)
	if err != nil || len(d.attributes) == 0 {
		return k, roots, false, err
	}
	_, redefined := d.members(all)
	roots, _ = d.members(roots)
	return mentionsToday{definedToday{k, d}, k}, roots, redefined, nil
}
