package attribute

import (
	"context"
	"fmt"
	"slices"

	"tenure"

	"github.com/nyaruka/phonenumbers"
)

// TermReader reads the terms of a tenant. An undefined term is nil.
type TermReader interface {
	Vocabulary(ctx context.Context, name string) (tenure.Vocabulary, error)
	Term(ctx context.Context, id string) (*tenure.Term, error)
}

// KindTerms lists the terms that may define attributes of a mention as identifiers.
func KindTerms(attributes map[string][]string) []string {
	var ids []string
	for _, name := range Names(attributes) {
		if key := Key(name); definable(key) {
			ids = append(ids, tenure.TermID(tenure.IdentifierKinds, key))
		}
	}
	return ids
}

// Definable lists the keys of the attributes that a tenant may define as identifiers, sorted, each once.
func Definable(attributes map[string][]string) (keys []string) {
	for name := range attributes {
		if key := Key(name); definable(key) && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// definable reports whether a tenant may define an attribute: one that is not built in, or the telephone
// number, for its region.
func definable(key string) bool {
	spec, known := known[key]
	return !known || spec.Kind == PhoneKind
}

// OwnKinds returns the tenant's current definitions for the attributes. The mention stores the definitions,
// so that a later change does not reinterpret it.
func OwnKinds(ctx context.Context, r TermReader, attributes map[string][]string) ([]tenure.IdentifierKind, error) {
	ids := KindTerms(attributes)
	if len(ids) == 0 {
		return nil, nil
	}
	if v, err := r.Vocabulary(ctx, tenure.IdentifierKinds); v.Version == 0 || err != nil {
		return nil, err
	}
	var list []tenure.IdentifierKind
	for _, id := range ids {
		t, err := r.Term(ctx, id)
		if err != nil {
			return nil, err
		}
		if t == nil || slices.ContainsFunc(list, func(k tenure.IdentifierKind) bool { return k.Attribute == t.Name }) {
			continue
		}
		k, err := definition(ctx, r, *t)
		if err != nil {
			return nil, err
		}
		if k != nil {
			list = append(list, *k)
		}
	}
	return list, nil
}

// definition converts a term to the definition of an identifier, following its parent; nil if the parent no
// longer exists.
func definition(ctx context.Context, r TermReader, t tenure.Term) (*tenure.IdentifierKind, error) {
	k := &tenure.IdentifierKind{
		Attribute: t.Name, Kind: t.Name, Exclusive: t.Exclusive, Normalizer: t.Normalizer, Region: t.Region,
	}
	switch known, ok := known[t.Name]; {
	case ok:
		k.Kind = known.Key
	case builtin(t.Parent) != nil:
		k.Kind = t.Parent
	case t.Parent != "":
		parent, err := r.Term(ctx, tenure.TermID(tenure.IdentifierKinds, t.Parent))
		if parent == nil || err != nil {
			return nil, err
		}
		k.Kind, k.Exclusive, k.Normalizer = parent.Name, parent.Exclusive, parent.Normalizer
	}
	return k, nil
}

// CheckKind returns Unprocessable if a term does not define a kind of identifier; pointer is the JSON pointer
// of the term. parent is the term's parent, nil if there is none.
func CheckKind(t tenure.Term, parent *tenure.Term, pointer string) error {
	for _, check := range []func(tenure.Term, *tenure.Term) (field, reason string){nameFault, parentFault, regionFault} {
		if field, reason := check(t, parent); reason != "" {
			return tenure.FieldError(tenure.Unprocessable, pointer+field, reason)
		}
	}
	return nil
}

// nameFault checks the attribute name that a term defines.
func nameFault(t tenure.Term, _ *tenure.Term) (field, reason string) {
	spec, known := known[t.Name]
	switch {
	case Key(t.Name) != t.Name:
		return "/name", fmt.Sprintf("is the attribute %q: write it so", Key(t.Name))
	case known && spec.Kind != PhoneKind:
		return "/name", "has a meaning of its own: a tenant cannot define it"
	case known && (t.Parent != "" || t.Exclusive || t.Normalizer != ""):
		return "/name", "is a telephone number: a tenant can define its region alone"
	}
	return "", ""
}

// parentFault checks the kind that a term declares itself a spelling of.
func parentFault(t tenure.Term, parent *tenure.Term) (field, reason string) {
	switch {
	case t.Parent == "":
	case builtin(t.Parent) == nil && parent == nil:
		return "/parent", "is no kind of identifier"
	case parent != nil && parent.Parent != "":
		return "/parent", fmt.Sprintf("is itself a spelling of %q: name that", parent.Parent)
	case t.Exclusive || t.Normalizer != "":
		return "/parent", "says already whether values are exclusive and how they are normalized"
	}
	return "", ""
}

// regionFault checks the region of telephone numbers.
func regionFault(t tenure.Term, _ *tenure.Term) (field, reason string) {
	switch {
	case t.Region == "":
	case known[t.Name].Kind != PhoneKind && t.Parent != phoneName:
		return "/region", "is for telephone numbers alone"
	case !phonenumbers.GetSupportedRegions()[t.Region]:
		return "/region", "is no country that telephone numbers are known of"
	}
	return "", ""
}

const phoneName = "phone"
