package registry

import (
	"cmp"
	"slices"

	"tenure"
)

// identifier is one identifier of a mention.
type identifier struct {
	form      tenure.Form
	spelling  string
	exclusive bool
}

// recordKind is the kind of the form that a row of a system of record is.
const recordKind = "record"

// identifiers lists the identifiers of a mention by kind, those of one kind in
// order of the attributes that carry them and as given.
func identifiers(m tenure.Mention) []identifier {
	var list []identifier
	for _, name := range sortedKeys(m.Attributes) {
		spec, _ := specOf(AttributeKey(name), m.IdentifierKinds)
		if spec.identifier == nil {
			continue
		}
		for _, v := range m.Attributes[name] {
			for _, key := range spec.identifier.keys(v) {
				f := tenure.Form{Kind: spec.key, Key: key}
				if !slices.ContainsFunc(list, func(o identifier) bool { return o.form == f }) {
					list = append(list, identifier{f, v, spec.identifier.exclusive(key)})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b identifier) int { return cmp.Compare(a.form.Kind, b.form.Kind) })
	if m.Record != nil {
		list = append(list, identifier{RecordForm(*m.Record), m.Record.ID, true})
	}
	return list
}

// IsLaterForm reports whether the first version of the table of kinds did not make
// the form of the mention's identifier: entities of older stores lack it.
func IsLaterForm(m tenure.Mention, f tenure.Form) bool {
	if f.Kind == tenure.NameKind || f.Kind == recordKind {
		return false
	}
	k := builtin(f.Kind)
	return k == nil || !k.first || !slices.ContainsFunc(m.Attributes[f.Kind], func(v string) bool {
		key, ok := k.normalize(v)
		return ok && key == f.Key
	})
}

// RecordForm is the form of a row of a system of record.
func RecordForm(r tenure.Record) tenure.Form {
	return tenure.Form{Kind: recordKind, Key: r.Source + "\x1f" + r.ID}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
