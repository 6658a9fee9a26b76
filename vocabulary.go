package tenure

// The vocabularies of a tenant.
const (
	Predicates  = "predicates"
	EntityTypes = "entity_types"
	// Sources are the systems of record that mentions' rows come from.
	Sources = "sources"
	// IdentifierKinds are the attributes of mentions that identify.
	IdentifierKinds = "identifier_kinds"
)

// Cardinality tells how many values a slot may hold at one instant.
type Cardinality string

// The cardinalities.
const (
	One  Cardinality = "one"
	Many Cardinality = "many"
)

// ValueType tells how values of a predicate are compared.
type ValueType string

// The value types.
const (
	TextValue    ValueType = "text"
	NumberValue  ValueType = "number"
	BooleanValue ValueType = "boolean"
	TimeValue    ValueType = "time"
	JSONValue    ValueType = "json"
	EntityValue  ValueType = "entity"
)

// Normalizer says which spellings of an identifier are one.
type Normalizer string

// The normalizers.
const (
	// Compact ignores case, spaces, hyphens, full stops and slashes.
	Compact Normalizer = "compact"
	// Folded ignores case and runs of spaces.
	Folded Normalizer = "folded"
	// Exact ignores spaces around the value alone.
	Exact Normalizer = "exact"
)

// IdentifierKind is a tenant's definition of an attribute that identifies, as a
// mention was read by. Kind is the attribute itself, or the kind that it is a
// spelling of.
type IdentifierKind struct {
	Attribute  string     `json:"attribute"`
	Kind       string     `json:"kind"`
	Exclusive  bool       `json:"exclusive,omitempty"`
	Normalizer Normalizer `json:"normalizer,omitempty"`
	Region     string     `json:"region,omitempty"`
}

// Term is one word of a vocabulary. The fields after Parent are those of a
// predicate.
type Term struct {
	Vocabulary  string      `json:"vocabulary"`
	Name        string      `json:"name"`
	Parent      string      `json:"parent,omitempty"`
	Cardinality Cardinality `json:"cardinality,omitempty"`
	ValueType   ValueType   `json:"value_type,omitempty"`
	// Constant predicates never change: a newer claim is no argument.
	Constant bool `json:"constant,omitempty"`
	// SuccessionGap in seconds: two sources that merely observed within it do
	// not succeed one another.
	SuccessionGap int `json:"succession_gap,omitempty"`
	// Deduplicated sources have one row for each thing: two of their rows are
	// never merged automatically.
	Deduplicated bool `json:"deduplicated,omitempty"`
	// Exclusive identifiers belong to one entity, which has no other of the kind.
	Exclusive bool `json:"exclusive,omitempty"`
	// Normalizer is that of an identifier; "" is Compact.
	Normalizer Normalizer `json:"normalizer,omitempty"`
	// Region is the country (ISO 3166-1 alpha-2) of telephone numbers that are
	// written without its code.
	Region string `json:"region,omitempty"`
	// Registered terms came with a claim, not from an administrator.
	Registered bool `json:"registered,omitempty"`
	Removed    bool `json:"removed,omitempty"`
}

// DefaultSuccessionGap is five minutes, in seconds.
const DefaultSuccessionGap = 300

// Vocabulary is one version of the policy for a list of words. A closed one
// refuses unknown words; an open one registers them.
type Vocabulary struct {
	Name    string `json:"name"`
	Closed  bool   `json:"closed"`
	Version int    `json:"version"`
}

// ID names the term among all terms of the tenant.
func (t Term) ID() string { return TermID(t.Vocabulary, t.Name) }

// TermID names a term by its vocabulary and its name.
func TermID(vocabulary, name string) string { return vocabulary + "/" + name }
