package tenure

import "slices"

// The vocabularies of a tenant.
const (
	Predicates  = "predicates"
	EntityTypes = "entity_types"
	// Sources lists the systems of record that mentions come from.
	Sources = "sources"
	// IdentifierKinds lists the attributes of mentions that identify an entity.
	IdentifierKinds = "identifier_kinds"
	// SpeakerRoles orders the roles in which people speak.
	SpeakerRoles = "roles"
	// LabelsInUse lists the labels of the tenant's evidence, but for the zero label: see [Label.Name].
	LabelsInUse = "labels"
)

// Cardinality is the number of values that a slot may hold at one instant.
type Cardinality string

// The cardinalities of a predicate.
const (
	One  Cardinality = "one"
	Many Cardinality = "many"
)

// ValueType selects how values of a predicate are compared.
type ValueType string

// The value types of a predicate.
const (
	// AnyValue compares a value by what it is: a number, an amount of money, a date, text.
	AnyValue     ValueType = "any"
	TextValue    ValueType = "text"
	NumberValue  ValueType = "number"
	BooleanValue ValueType = "boolean"
	TimeValue    ValueType = "time"
	JSONValue    ValueType = "json"
	EntityValue  ValueType = "entity"
)

// Normalizer selects which spellings of an identifier are equal.
type Normalizer string

// The normalizers of identifiers.
const (
	// Compact ignores case, spaces, hyphens, full stops and slashes.
	Compact Normalizer = "compact"
	// Folded ignores case and runs of spaces.
	Folded Normalizer = "folded"
	// Exact ignores only the spaces around the value.
	Exact Normalizer = "exact"
)

// IdentifierKind is a tenant's definition of an identifying attribute, as it was when the mention was read.
// Kind is the attribute itself, or the kind that the attribute is an alternative name of.
type IdentifierKind struct {
	Attribute  string     `json:"attribute"`
	Kind       string     `json:"kind"`
	Exclusive  bool       `json:"exclusive,omitempty"`
	Normalizer Normalizer `json:"normalizer,omitempty"`
	Region     string     `json:"region,omitempty"`
}

// Decay is how fast the values of a predicate go stale.
type Decay string

// The classes of decay. "" means Stable.
const (
	Stable   Decay = "stable"
	Slow     Decay = "slow"
	Fast     Decay = "fast"
	Volatile Decay = "volatile"
)

// Term is one word of a vocabulary. Cardinality to Decay apply to predicates, Deduplicated to
// sources, Exclusive to Region to identifier kinds, Outranks to roles. A predicate with a Parent is another name of
// that predicate.
type Term struct {
	Vocabulary  string      `json:"vocabulary"`
	Name        string      `json:"name"`
	Parent      string      `json:"parent,omitempty"`
	Cardinality Cardinality `json:"cardinality,omitempty"`
	ValueType   ValueType   `json:"value_type,omitempty"`
	// Constant reports whether values of the predicate never change: a newer claim is then no reason to
	// prefer its value.
	Constant bool `json:"constant,omitempty"`
	// SuccessionGap is in seconds: of two sources that merely observed a value within the gap, neither
	// supersedes the other, unless both are people who speak in turn.
	SuccessionGap int `json:"succession_gap,omitempty"`
	// Synonyms lists other names of the predicate, in normal form.
	Synonyms []string `json:"synonyms,omitempty"`
	// Inverse is the name of the predicate that says the same from the value's side: its own where it is
	// symmetric, "" where there is none.
	Inverse     string `json:"inverse,omitempty"`
	Decay       Decay  `json:"decay,omitempty"`
	Description string `json:"description,omitempty"`
	// Base reports whether the term comes with the program: its value type says how values are compared, and
	// refuses none.
	Base bool `json:"base,omitempty"`
	// Deduplicated reports whether the source holds one record for each thing: two of its records are never
	// merged automatically.
	Deduplicated bool `json:"deduplicated,omitempty"`
	// Exclusive reports whether an identifier belongs to one entity, and an entity has at most one of the
	// kind.
	Exclusive bool `json:"exclusive,omitempty"`
	// Normalizer is the normalizer of an identifier kind; "" means Compact.
	Normalizer Normalizer `json:"normalizer,omitempty"`
	// Region is the country (ISO 3166-1 alpha-2) of telephone numbers written without a country code.
	Region string `json:"region,omitempty"`
	// Outranks lists the roles that a role outranks, besides all that these outrank.
	Outranks []string `json:"outranks,omitempty"`
	// Registered reports whether the term came with a claim, not from an administrator.
	Registered bool `json:"registered,omitempty"`
	// Labels are those of the evidence that a registered term came with; none if that is the zero label alone.
	Labels  []Label `json:"labels,omitempty"`
	Removed bool    `json:"removed,omitempty"`
}

// UsedFor reports whether somebody who sees evidence of some labels knows the term: it was defined, or evidence that
// they see has registered it.
func (t Term) UsedFor(sees func(Label) bool) bool {
	switch {
	case !t.Registered:
		return true
	case len(t.Labels) == 0:
		return sees(Label{})
	}
	return slices.ContainsFunc(t.Labels, sees)
}

// mostUses bounds the labels of a term: what is used in more scopes than these is known in all.
const mostUses = 16

// UsedWith returns the registered term with one more label.
func (t Term) UsedWith(l Label) Term {
	list := slices.Clone(t.Labels)
	if len(list) >= mostUses {
		l.Scope = Scope{}
	}
	if t.Registered && len(list) == 0 && l != (Label{}) {
		list = append(list, Label{})
	}
	t.Labels, t.Registered = AppendLabel(list, l), true
	if len(t.Labels) == 1 && l == (Label{}) {
		t.Labels = nil
	}
	return t
}

// DefaultSuccessionGap is five minutes, in seconds.
const DefaultSuccessionGap = 300

// Vocabulary is one version of the policy for a list of terms. A closed vocabulary refuses unknown terms; an
// open one registers them.
type Vocabulary struct {
	Name    string `json:"name"`
	Closed  bool   `json:"closed"`
	Version int    `json:"version"`
}

// ID returns the name of the term among all terms of the tenant.
func (t Term) ID() string { return TermID(t.Vocabulary, t.Name) }

// TermID returns the id of a term: its vocabulary and its name.
func TermID(vocabulary, name string) string { return vocabulary + "/" + name }
