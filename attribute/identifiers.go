package attribute

import (
	"cmp"
	"slices"
	"strings"

	"tenure"
)

// Identifier is one identifier of a mention.
type Identifier struct {
	AliasKey  tenure.AliasKey
	Spelling  string
	Exclusive bool
}

// recordKind is the kind of the alias key of a row in a system of record.
const recordKind = "record"

// Identifiers lists the identifiers of a mention, grouped by kind; within a kind by attribute, then in the
// order given.
func Identifiers(m tenure.Mention) []Identifier {
	var list []Identifier
	for _, name := range Names(m.Attributes) {
		spec, _ := Lookup(Key(name), m.IdentifierKinds)
		if spec.Identifier == nil {
			continue
		}
		for _, v := range m.Attributes[name] {
			for _, key := range spec.Identifier.keys(v) {
				f := tenure.AliasKey{Kind: spec.Key, Key: key}
				if !slices.ContainsFunc(list, func(o Identifier) bool { return o.AliasKey == f }) {
					list = append(list, Identifier{f, v, spec.Identifier.Exclusive(key)})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Identifier) int { return cmp.Compare(a.AliasKey.Kind, b.AliasKey.Kind) })
	if m.Record != nil {
		list = append(list, Identifier{RecordAliasKey(*m.Record), m.Record.ID, true})
	}
	return list
}

// IsLaterAliasKey reports whether an alias key of the mention's identifiers is missing from the first version of
// the table of kinds. Entities in older stores lack such alias keys.
func IsLaterAliasKey(m tenure.Mention, f tenure.AliasKey) bool {
	if f.Kind == tenure.NameAlias || f.Kind == recordKind {
		return false
	}
	k := builtin(f.Kind)
	return k == nil || !k.sinceV1 || !slices.ContainsFunc(m.Attributes[f.Kind], func(v string) bool {
		key, ok := k.normalize(v)
		return ok && key == f.Key
	})
}

// RecordAliasKey returns the alias key of a row in a system of record.
func RecordAliasKey(r tenure.Record) tenure.AliasKey {
	return tenure.AliasKey{Kind: recordKind, Key: r.Source + "\x1f" + r.ID}
}

// RecordOf returns the row of an alias key, false for a key of something else.
func RecordOf(key tenure.AliasKey) (tenure.Record, bool) {
	source, id, ok := strings.Cut(key.Key, "\x1f")
	return tenure.Record{Source: source, ID: id}, ok && key.Kind == recordKind
}
