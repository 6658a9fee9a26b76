package beliefs

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
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

// Form returns the canonical form of a value that is no entity: the one that it had when it was written, if the term
// does not take it.
func Form(term tenure.Term, v tenure.Value) string {
	if form, err := Canonical(term, v.JSON); err == nil {
		return form
	}
	return v.Canonical
}

// JoinNames gives each text that says by which name one of the claims states its entity the canonical form of that
// entity: the text and the entity are one value. A name by which several entities were stated is left alone.
func JoinNames(claims []tenure.Claim) {
	named := map[string]string{}
	for _, c := range claims {
		if c.Value.Entity == "" || c.Value.Name == "" {
			continue
		}
		name := values.OfText(c.Value.Name).Canonical()
		if form, ok := named[name]; ok && form != c.Value.Canonical {
			named[name] = ""
			continue
		}
		named[name] = c.Value.Canonical
	}
	for i := range claims {
		v := &claims[i].Value
		var text string
		if v.Entity != "" || json.Unmarshal(v.JSON, &text) != nil || text == "" {
			continue
		}
		if form := named[values.OfText(text).Canonical()]; form != "" {
			v.Canonical = form
		}
	}
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

// Finest returns for each of the values that stand in one slot the index of the first that says the same and more, -1
// where there is none. A value is said finer where the predicate has one value at a time; no value is, by any value.
func Finest(term tenure.Term, list []tenure.Value) []int {
	if len(list) == 1 {
		return []int{-1}
	}
	grains, finer := make([]*grain.Grain, len(list)), make([]int, len(list))
	for i, v := range list {
		grains[i] = Grain(term, v)
	}
	vague := slices.ContainsFunc(grains, func(g *grain.Grain) bool { return g != nil && g.Vague })
	for i, h := range grains {
		finer[i] = -1
		if h == nil || !h.None && (!vague || term.Cardinality == tenure.Many) {
			continue
		}
		for j, g := range grains {
			if h.None && (g == nil || !g.None) || list[i].Canonical != list[j].Canonical && h.Covers(g) {
				finer[i] = j
				break
			}
		}
	}
	return finer
}

func formOf(term tenure.Term, value json.RawMessage) form {
	kind := term.ValueType
	switch {
	case term.Base && kind == tenure.TextValue:
		kind = words
	case term.Base || term.Registered:
		kind = tenure.AnyValue // the tenant has defined no type
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

// words is the type of texts in the base vocabulary: see asWords.
const words tenure.ValueType = "words"

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
	case words:
		return asWords(value)
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
	switch {
	case v.Ambiguous != "":
		refusal = errors.New(v.Ambiguous)
	case v.Impossible != "":
		refusal = errors.New(v.Impossible)
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

// asWords compares a text by its words, a number or a truth by how it is written, and anything else by what it is.
// What says that there is no value is none.
func asWords(value json.RawMessage) (values.Value, error) {
	v, err := values.Parse(value)
	switch {
	case err != nil || v.Kind == values.None || len(value) == 0:
		return v, err
	case value[0] == '"':
		return asText(value)
	case value[0] == '{' || value[0] == '[':
		return v, nil
	}
	var number float64
	if json.Unmarshal(value, &number) == nil {
		return values.OfText(strconv.FormatFloat(number, 'f', -1, 64)), nil
	}
	return values.OfText(string(value)), nil
}
