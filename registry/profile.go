package registry

import (
	"reflect"
	"slices"

	"tenure"
	"tenure/similarity"
)

// BuildProfile makes an entity and its forms what its mentions, in order of their ids,
// say of it. Of the mentions made from one row of a system of record the last
// counts: it replaces what the row said before. An entity without mentions
// keeps its name and its type.
func BuildProfile(e tenure.Entity, mentions []tenure.Mention) (tenure.Entity, []tenure.Alias) {
	mentions = newestRows(mentions)
	if len(mentions) == 0 {
		e.Names, e.Records, e.Attributes, e.IdentifierKinds, e.Context = nil, nil, nil, nil, nil
		return e, nil
	}
	e.Name, e.Type, e.Project = "", "", mentions[0].Project
	e.Names, e.Records, e.Attributes, e.IdentifierKinds, e.Context = nil, nil, nil, nil, nil
	var owners []tenure.Alias
	for _, m := range mentions {
		e = addMention(e, m)
		for _, o := range ownersBy(e.ID, m) {
			if !owned(owners, o) {
				owners = append(owners, o)
			}
		}
	}
	return e, owners
}

func newestRows(mentions []tenure.Mention) []tenure.Mention {
	last := map[tenure.Record]tenure.ID{}
	for _, m := range mentions {
		if m.Record != nil {
			last[*m.Record] = m.ID
		}
	}
	return slices.DeleteFunc(slices.Clone(mentions), func(m tenure.Mention) bool {
		return m.Record != nil && last[*m.Record] != m.ID
	})
}

// RebuildProfile is [Fold] for an entity that is there, with the forms that it had: what
// has to be closed and added to make them so.
func RebuildProfile(e tenure.Entity, had []tenure.Alias, mentions []tenure.Mention) (next tenure.Entity, changes []tenure.Change) {
	next, owners := BuildProfile(e, mentions)
	for _, o := range had {
		if !slices.Contains(owners, o) {
			changes = append(changes, tenure.AliasClosed{Alias: o})
		}
	}
	for _, o := range owners {
		if !slices.Contains(had, o) {
			changes = append(changes, tenure.AliasAdded{Alias: o})
		}
	}
	return next, changes
}

// Restates tells whether a mention says just what an earlier one said.
func Restates(m, earlier tenure.Mention) bool {
	m.ID, m.Observation, m.Index = earlier.ID, earlier.Observation, earlier.Index
	return reflect.DeepEqual(bare(m), bare(earlier))
}

// bare has nothing where there is an empty list: a store keeps none.
func bare(m tenure.Mention) tenure.Mention {
	if len(m.Aliases) == 0 {
		m.Aliases = nil
	}
	if len(m.Attributes) == 0 {
		m.Attributes = nil
	}
	return m
}

// addMention adds to an entity what one more mention says of it: it has the
// mention's type if it had none, and is no project's own if it is met outside
// its project. What was said in a project stays there: of an entity that is
// everybody's, only what everybody may know is remembered for comparison. The
// entity's own maps and lists stay as they are.
func addMention(e tenure.Entity, m tenure.Mention) tenure.Entity {
	if e.Name == "" {
		e.Name = m.Name
	}
	if e.Type == "" {
		e.Type = m.Type
	}
	if e.Project != m.Project && e.Project != "" {
		e.Project, e.Names, e.Context, e.Attributes, e.IdentifierKinds = "", []string{e.Name}, nil, nil, nil
	}
	if m.Record != nil {
		e.Records = similarity.AppendDistinct(e.Records, similarity.MaxProfileRecords, *m.Record)
	}
	if m.Project != e.Project {
		return e
	}
	e.Names = similarity.AppendDistinct(e.Names, similarity.MaxProfileNames, append([]string{m.Name}, m.Aliases...)...)
	if m.Context != "" {
		e.Context = similarity.AppendDistinct(e.Context, similarity.MaxProfileContexts, m.Context)
	}
	attributes := map[string][]string{}
	for k, v := range e.Attributes {
		attributes[k] = v
	}
	for _, k := range similarity.SortedKeys(m.Attributes) {
		if _, known := attributes[k]; known || len(attributes) < similarity.MaxProfileKeys {
			attributes[k] = similarity.AppendDistinct(attributes[k], similarity.MaxProfileValues, m.Attributes[k]...)
		}
	}
	if len(attributes) > 0 {
		e.Attributes = attributes
	}
	e.IdentifierKinds = similarity.Redefined(e.IdentifierKinds, m.IdentifierKinds)
	return e
}

// ownersBy lists the forms that a mention gives to an entity.
func ownersBy(entity tenure.ID, m tenure.Mention) []tenure.Alias {
	var owners []tenure.Alias
	for _, s := range append([]string{m.Name}, m.Aliases...) {
		owners = append(owners, tenure.Alias{
			Key: similarity.NameAliasKey(s), Entity: entity, Type: m.Type, Project: m.Project, Spelling: s, Mention: m.ID,
		})
	}
	for _, id := range similarity.Identifiers(m) {
		owners = append(owners, tenure.Alias{
			Key: id.Form, Entity: entity, Type: m.Type, Spelling: id.Spelling, Exclusive: id.Exclusive, Mention: m.ID,
		})
	}
	return owners
}

// owned tells whether the form is the entity's by one of the owners already.
func owned(owners []tenure.Alias, o tenure.Alias) bool {
	return slices.ContainsFunc(owners, func(x tenure.Alias) bool {
		return x.Key == o.Key && x.Entity == o.Entity && (x.Project == o.Project || x.Project == "")
	})
}

// Same tells whether two versions of an entity say the same.
func Same(a, b tenure.Entity) bool { return reflect.DeepEqual(a, b) }
