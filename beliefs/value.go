package beliefs

import (
	"encoding/json"
	"errors"
	"time"

	"tenure"
	"tenure/cache"
	"tenure/grain"
	"tenure/values"
)

// cachedForms bounds the canonical forms in each half of the cache; a form of more than largestForm bytes is not
// cached.
const (
	cachedForms = 1 << 15
	largestForm = 256
)

// forms caches canonical forms: a slot is judged again with every claim that it gets.
var forms = cache.New[formKey, form](cachedForms)

type formKey struct {
	kind  tenure.ValueType
	value string
}

type form struct {
	canonical string
	ambiguous bool
	grain     *grain.Grain
	err       error
}

// Canonical returns the form in which a value is compared: equal for two values that are the same under the
// term's value type, and for no others. The error says what the type requires.
func Canonical(term tenure.Term, value json.RawMessage) (string, error) {
	f := formOf(term, value)
	return f.canonical, f.err
}

// Ambiguous reports whether a value can be read in several ways, so that it is compared as text.
func Ambiguous(term tenure.Term, value json.RawMessage) bool { return formOf(term, value).ambiguous }

// Grain returns how fine a value is, nil for an entity and for what the term's type does not take.
func Grain(term tenure.Term, v tenure.Value) *grain.Grain {
	if v.Entity != "" || len(v.JSON) == 0 {
		return nil
	}
	return formOf(term, v.JSON).grain
}

// Compatible reports whether two values do not contradict each other: they are equal, or one is finer.
func Compatible(term tenure.Term, a, b tenure.Value) bool {
	return a.Canonical == b.Canonical || grain.Compatible(Grain(term, a), Grain(term, b))
}

// Finer reports whether a says what b says, and more: it is finer where the predicate has one value at a time, or it is
// a value and b is none.
func Finer(term tenure.Term, a, b tenure.Value) bool {
	if a.Canonical == b.Canonical {
		return false
	}
	g, h := Grain(term, a), Grain(term, b)
	if h != nil && h.None {
		return g == nil || !g.None
	}
	return term.Cardinality != tenure.Many && h.Covers(g)
}

func formOf(term tenure.Term, value json.RawMessage) form {
	kind := term.ValueType
	if term.Registered {
		kind = tenure.AnyValue // its type is not defined yet
	}
	key := formKey{kind, string(value)}
	if f, ok := forms.Get(key); ok {
		return f
	}
	var f form
	v, err := typed(kind, value)
	if f.err = err; err == nil {
		f.canonical, f.ambiguous, f.grain = v.Canonical(), v.Ambiguous != "", v.Grain()
	}
	if len(value) <= largestForm {
		forms.Put(key, f, 1)
	}
	return f
}

// CanonicalEntity returns the canonical form of a value that is an entity.
func CanonicalEntity(root tenure.ID) string { return "entity:" + string(root) }

var (
	errNumber  = errors.New("has to be a number")
	errBoolean = errors.New("has to be true or false")
	errTime    = errors.New("has to be a date or an RFC 3339 time")
	errEntity  = errors.New("has to be an entity: this predicate relates two entities")
)

// typed reads a value as a type has it.
func typed(kind tenure.ValueType, value json.RawMessage) (values.Value, error) {
	switch kind {
	case tenure.EntityValue:
		return values.Value{}, errEntity
	case tenure.TextValue:
		return asText(value)
	case tenure.JSONValue:
		return values.ParseJSON(value)
	}
	v, err := values.Parse(value)
	if err != nil {
		return v, err
	}
	switch kind {
	case tenure.NumberValue:
		return only(v, errNumber, values.Number, values.Money, values.Quantity)
	case tenure.BooleanValue:
		return only(v, errBoolean, values.Boolean)
	case tenure.TimeValue:
		return asTime(v)
	}
	return v, nil
}

// only refuses values of other kinds but none at all, and says how an ambiguous one could be read.
func only(v values.Value, refusal error, kinds ...values.Kind) (values.Value, error) {
	for _, k := range append(kinds, values.None) {
		if v.Kind == k {
			return v, nil
		}
	}
	if v.Ambiguous != "" {
		refusal = errors.New(v.Ambiguous)
	}
	return values.Value{}, refusal
}

// asTime takes a day or an instant.
func asTime(v values.Value) (values.Value, error) {
	v, err := only(v, errTime, values.Date, values.Instant)
	if err != nil || v.Kind != values.Date {
		return v, err
	}
	if _, err := time.Parse("date:"+time.DateOnly, v.Canonical()); err != nil {
		return values.Value{}, errTime // a part of a date
	}
	return v, nil
}

// asText compares a text by its words, unless it is no value, and anything else by what it is.
func asText(value json.RawMessage) (values.Value, error) {
	var s string
	if json.Unmarshal(value, &s) == nil && len(value) > 0 && value[0] != 'n' {
		return values.OfWords(s), nil
	}
	return values.Parse(value)
}
