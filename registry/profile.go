package registry

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	"tenure"
	"tenure/attribute"
	"tenure/similarity"
)

// BuildProfile derives an entity and its aliases from its mentions, in order of their ids. Among mentions of
// one record only the last content counts, because it replaces the former content of the row. An entity without
// mentions that are seen by whoever sees it keeps its name and its type. More may see it, once more may see one of its
// mentions, and never fewer.
func BuildProfile(e tenure.Entity, mentions []tenure.Mention) (tenure.Entity, []tenure.Alias) {
	e.Label, mentions = within(e.Label, e.Project), newestRows(labelled(mentions))
	e.Names, e.Records, e.Attributes, e.IdentifierKinds, e.Context = nil, nil, nil, nil, nil
	e.Label = widest(e.Label, mentions)
	if i := slices.IndexFunc(mentions, func(m tenure.Mention) bool { return e.Label.Covers(m.Label) }); i >= 0 {
		e.Name, e.Type, e.Project = "", "", mentions[i].Project
	}
	var aliases []tenure.Alias
	for _, m := range mentions {
		e = addMention(e, m)
		for _, o := range aliasesBy(e.ID, m) {
			if !hasAlias(aliases, o) {
				aliases = append(aliases, o)
			}
		}
	}
	return e, aliases
}

// within returns a label with the project that evidence of former versions has beside its label.
func within(l tenure.Label, project string) tenure.Label {
	l.Scope.ProjectID = cmp.Or(l.Scope.ProjectID, project)
	return l
}

// labelled returns the mentions with labels that name their projects.
func labelled(mentions []tenure.Mention) []tenure.Mention {
	list := slices.Clone(mentions)
	for i, m := range list {
		list[i].Label = within(m.Label, m.Project)
	}
	return list
}

// widest returns the label of an entity with some mentions: the one that it has, or the one that most may see.
func widest(l tenure.Label, mentions []tenure.Mention) tenure.Label {
	for _, m := range mentions {
		if l.Covers(m.Label) {
			l = m.Label
		}
	}
	return l
}

// newestRows leaves out what a later row of the same record replaces for everybody who may see the former. A later row
// with the same content replaces nothing: the first that had it counts.
func newestRows(mentions []tenure.Mention) []tenure.Mention {
	rows := map[tenure.Record][]tenure.Mention{} // those that count, of each record
	for _, m := range mentions {
		if m.Record == nil || slices.ContainsFunc(rows[*m.Record], func(o tenure.Mention) bool { return Restates(m, o) }) {
			continue
		}
		rows[*m.Record] = append(slices.DeleteFunc(rows[*m.Record], func(o tenure.Mention) bool {
			return o.Label.Covers(m.Label)
		}), m)
	}
	return slices.DeleteFunc(slices.Clone(mentions), func(m tenure.Mention) bool {
		return m.Record != nil && !slices.ContainsFunc(rows[*m.Record], func(o tenure.Mention) bool { return o.ID == m.ID })
	})
}

// RebuildProfile is [BuildProfile] for an existing entity: it also returns the changes that close aliases
// which no longer follow from the mentions and add those which now do.
func RebuildProfile(
	e tenure.Entity, had []tenure.Alias, mentions []tenure.Mention,
) (next tenure.Entity, changes []tenure.Change) {
	next, aliases := BuildProfile(e, mentions)
	for _, o := range had {
		if !slices.Contains(aliases, o) {
			changes = append(changes, tenure.AliasClosed{Alias: o})
		}
	}
	for _, o := range aliases {
		if !slices.Contains(had, o) {
			changes = append(changes, tenure.AliasAdded{Alias: o})
		}
	}
	return next, changes
}

// Restates reports whether a mention has the same content as an earlier one.
func Restates(m, earlier tenure.Mention) bool {
	m.ID, m.Observation, m.Index = earlier.ID, earlier.Observation, earlier.Index
	return reflect.DeepEqual(bare(m), bare(earlier))
}

// bare replaces empty lists and maps by nil, as a store returns them.
func bare(m tenure.Mention) tenure.Mention {
	if len(m.Aliases) == 0 {
		m.Aliases = nil
	}
	if len(m.Attributes) == 0 {
		m.Attributes = nil
	}
	return m
}

// corrected returns the mentions of one entity without the attributes that a later one corrects.
func corrected(mentions []tenure.Mention) []tenure.Mention {
	for i, m := range mentions {
		if len(m.Corrects) == 0 {
			continue
		}
		mentions = slices.Clone(mentions)
		for j := range mentions[:i] {
			mentions[j].Attributes = withoutBirthDate(mentions[j].Attributes)
		}
	}
	return mentions
}

// withoutBirthDate returns the attributes without any date of birth.
func withoutBirthDate(attributes map[string][]string) map[string][]string {
	rest := maps.Clone(attributes)
	maps.DeleteFunc(rest, func(name string, _ []string) bool { return attribute.IsBirthDate(name) })
	return rest
}

// uncorrecting returns the mention without what it corrects: a correction says nothing of who is meant.
func uncorrecting(m tenure.Mention) tenure.Mention {
	if len(m.Corrects) > 0 {
		m.Attributes = withoutBirthDate(m.Attributes)
	}
	return m
}

// addMention returns the entity with the content of one more mention. The entity takes the mention's type if it has
// none. An entity keeps nothing that not everybody may see who sees it, so that comparison cannot leak it: one of the
// whole tenant nothing that was said within a project. The entity's own maps and lists are not modified.
func addMention(e tenure.Entity, m tenure.Mention) tenure.Entity {
	if e.Label = within(e.Label, e.Project); !e.Label.Covers(within(m.Label, m.Project)) {
		return e
	}
	if e.Name == "" {
		e.Name = m.Name
	}
	if e.Type == "" {
		e.Type = m.Type
	}
	if m.Record != nil {
		e.Records = similarity.AppendDistinct(e.Records, similarity.MaxProfileRecords, *m.Record)
	}
	e.Names = similarity.AppendDistinct(e.Names, similarity.MaxProfileNames, m.Spellings()...)
	if m.Context != "" {
		e.Context = similarity.AppendDistinct(e.Context, similarity.MaxProfileContexts, m.Context)
	}
	attributes := map[string][]string{}
	maps.Copy(attributes, e.Attributes)
	if len(m.Corrects) > 0 {
		attributes = withoutBirthDate(attributes)
	}
	for _, k := range attribute.Names(m.Attributes) {
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

// aliasesBy lists the aliases that a mention gives to an entity.
func aliasesBy(entity tenure.ID, m tenure.Mention) []tenure.Alias {
	var aliases []tenure.Alias
	add := func(key tenure.AliasKey, spelling string, exclusive bool) {
		aliases = append(aliases, tenure.Alias{
			Key: key, Entity: entity, Type: m.Type, Project: m.Project, Spelling: spelling, Exclusive: exclusive,
			Mention: m.ID, Label: within(m.Label, m.Project),
		})
	}
	for _, s := range m.Spellings() {
		add(similarity.NameAliasKey(s), s, false)
	}
	for _, id := range attribute.Identifiers(m) {
		add(id.AliasKey, id.Spelling, id.Exclusive)
	}
	return aliases
}

// hasAlias reports whether one of the aliases has the alias key and entity of o for everybody who may see o.
func hasAlias(aliases []tenure.Alias, o tenure.Alias) bool {
	return slices.ContainsFunc(aliases, func(x tenure.Alias) bool {
		return x.Key == o.Key && x.Entity == o.Entity && (x.Project == o.Project || x.Project == "") &&
			o.Label.Covers(x.Label)
	})
}

// same reports whether two versions of an entity are equal.
func same(a, b tenure.Entity) bool { return reflect.DeepEqual(a, b) }
