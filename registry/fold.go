package registry

import (
	"reflect"
	"slices"

	"tenure"
)

// Bounds of what an entity remembers for comparison. What is beyond them stays
// in its mentions.
const (
	keptNames    = 64
	keptRecords  = 256
	keptKeys     = 64
	keptValues   = 32
	keptContexts = 16
)

// Fold makes an entity and its forms what its mentions, in order of their ids,
// say of it. Of the mentions made from one row of a system of record the last
// counts: it replaces what the row said before. An entity without mentions
// keeps its name and its type.
func Fold(e tenure.Entity, mentions []tenure.Mention) (tenure.Entity, []tenure.Owner) {
	mentions = newestRows(mentions)
	if len(mentions) == 0 {
		e.Names, e.Records, e.Attributes, e.IdentifierKinds, e.Context = nil, nil, nil, nil, nil
		return e, nil
	}
	e.Name, e.Type, e.Project = "", "", mentions[0].Project
	e.Names, e.Records, e.Attributes, e.IdentifierKinds, e.Context = nil, nil, nil, nil, nil
	var owners []tenure.Owner
	for _, m := range mentions {
		e = absorb(e, m)
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

// Refold is [Fold] for an entity that is there, with the forms that it had: what
// has to be closed and added to make them so.
func Refold(e tenure.Entity, had []tenure.Owner, mentions []tenure.Mention) (next tenure.Entity, changes []tenure.Change) {
	next, owners := Fold(e, mentions)
	for _, o := range had {
		if !slices.Contains(owners, o) {
			changes = append(changes, tenure.OwnerClosed{Owner: o})
		}
	}
	for _, o := range owners {
		if !slices.Contains(had, o) {
			changes = append(changes, tenure.OwnerAdded{Owner: o})
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

// absorb adds to an entity what one more mention says of it: it has the
// mention's type if it had none, and is no project's own if it is met outside
// its project. What was said in a project stays there: of an entity that is
// everybody's, only what everybody may know is remembered for comparison. The
// entity's own maps and lists stay as they are.
func absorb(e tenure.Entity, m tenure.Mention) tenure.Entity {
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
		e.Records = with(e.Records, keptRecords, *m.Record)
	}
	if m.Project != e.Project {
		return e
	}
	e.Names = with(e.Names, keptNames, append([]string{m.Name}, m.Aliases...)...)
	if m.Context != "" {
		e.Context = with(e.Context, keptContexts, m.Context)
	}
	attributes := map[string][]string{}
	for k, v := range e.Attributes {
		attributes[k] = v
	}
	for _, k := range sortedKeys(m.Attributes) {
		if _, known := attributes[k]; known || len(attributes) < keptKeys {
			attributes[k] = with(attributes[k], keptValues, m.Attributes[k]...)
		}
	}
	if len(attributes) > 0 {
		e.Attributes = attributes
	}
	e.IdentifierKinds = redefined(e.IdentifierKinds, m.IdentifierKinds)
	return e
}

// redefined adds definitions to a copy of a list, in place of earlier ones of the
// same attributes.
func redefined(list, more []tenure.IdentifierKind) []tenure.IdentifierKind {
	if len(more) == 0 {
		return list
	}
	out := slices.Clone(list)
	for _, k := range more {
		i := slices.IndexFunc(out, func(o tenure.IdentifierKind) bool { return o.Attribute == k.Attribute })
		switch {
		case i >= 0:
			out[i] = k
		case len(out) < keptKeys:
			out = append(out, k)
		}
	}
	return out
}

// with adds what is not in the list, up to a limit, to a copy of it.
func with[T comparable](list []T, limit int, more ...T) []T {
	out := slices.Clip(list)
	for _, v := range more {
		if len(out) < limit && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}

// ownersBy lists the forms that a mention gives to an entity.
func ownersBy(entity tenure.ID, m tenure.Mention) []tenure.Owner {
	var owners []tenure.Owner
	for _, s := range append([]string{m.Name}, m.Aliases...) {
		owners = append(owners, tenure.Owner{
			Form: NameForm(s), Entity: entity, Type: m.Type, Project: m.Project, Spelling: s, Mention: m.ID,
		})
	}
	for _, id := range identifiers(m) {
		owners = append(owners, tenure.Owner{
			Form: id.form, Entity: entity, Type: m.Type, Spelling: id.spelling, Exclusive: id.exclusive, Mention: m.ID,
		})
	}
	return owners
}

// owned tells whether the form is the entity's by one of the owners already.
func owned(owners []tenure.Owner, o tenure.Owner) bool {
	return slices.ContainsFunc(owners, func(x tenure.Owner) bool {
		return x.Form == o.Form && x.Entity == o.Entity && (x.Project == o.Project || x.Project == "")
	})
}

// Same tells whether two versions of an entity say the same.
func Same(a, b tenure.Entity) bool { return reflect.DeepEqual(a, b) }

// ProfileOf is what is known of a root by all its members.
func ProfileOf(members []tenure.Entity) Profile {
	var p Profile
	p.Attributes = map[string][]string{}
	for i, e := range members {
		if i == 0 {
			p.Project = e.Project
		}
		if p.Type == "" {
			p.Type = e.Type
		}
		p.Names = with(p.Names, keptNames, append([]string{e.Name}, e.Names...)...)
		p.Records = with(p.Records, keptRecords, e.Records...)
		p.Context = with(p.Context, keptContexts, e.Context...)
		for _, k := range sortedKeys(e.Attributes) {
			p.Attributes[k] = with(p.Attributes[k], keptValues, e.Attributes[k]...)
		}
		p.IdentifierKinds = redefined(p.IdentifierKinds, e.IdentifierKinds)
	}
	return p
}

// Combined is a root with what all its members go by and say, for the search for
// others like it.
func Combined(members []tenure.Entity) tenure.Entity {
	e, p := members[0], ProfileOf(members)
	e.Names, e.Records, e.Attributes, e.Context = p.Names, p.Records, p.Attributes, p.Context
	e.IdentifierKinds = p.IdentifierKinds
	return e
}

// ProfileOfMention is what a mention says.
func ProfileOfMention(m tenure.Mention) Profile {
	p := Profile{
		Names: append([]string{m.Name}, m.Aliases...), Type: m.Type, Attributes: m.Attributes, Project: m.Project,
		IdentifierKinds: m.IdentifierKinds,
	}
	if m.Context != "" {
		p.Context = []string{m.Context}
	}
	if m.Record != nil {
		p.Records = []tenure.Record{*m.Record}
	}
	return p
}
