package tenure

// EntityStatus tells what stands behind an entity id.
type EntityStatus string

// The statuses of an entity. Pending: an ambiguity that a person has to
// settle; merged: the id answers for ever, with the canonical id beside it.
const (
	EntityCanonical EntityStatus = "canonical"
	EntityPending   EntityStatus = "pending"
	EntityMerged    EntityStatus = "merged"
	EntityRetired   EntityStatus = "retired"
)

// Entity is one version of a person, project, system or document that mentions
// are assigned to. Type, Name, Project, Attributes and Context are a function of
// those mentions, as are Names and Records; MergedInto and Members are one of the
// verdicts.
type Entity struct {
	ID      ID           `json:"id"`
	Type    string       `json:"type"`
	Status  EntityStatus `json:"status"`
	Name    string       `json:"name"`
	Project string       `json:"project,omitempty"`
	// MergedInto is the root of a merged entity.
	MergedInto ID `json:"merged_into,omitempty"`
	// Members are the entities that were merged into a root, in order of
	// their ids, without itself.
	Members []ID `json:"members,omitempty"`
	// Names are the spellings that its mentions name it by, Name first.
	Names []string `json:"names,omitempty"`
	// Records are the rows of systems of record that its mentions were made
	// from.
	Records []Record `json:"records,omitempty"`
	// Attributes are the values that its mentions carry, as they were written.
	Attributes map[string][]string `json:"attributes,omitempty"`
	// IdentifierKinds are the tenant's own kinds of identifiers among them.
	IdentifierKinds []IdentifierKind `json:"identifier_kinds,omitempty"`
	// Context lists the descriptions that its mentions carry.
	Context   []string `json:"context,omitempty"`
	Reason    string   `json:"reason,omitempty"`
	CreatedAt Instant  `json:"created_at"`
}

// Root is the id that stands for the entity in views.
func (e Entity) Root() ID {
	if e.MergedInto != "" {
		return e.MergedInto
	}
	return e.ID
}

// Whole lists the entity and its members: all that views of a root gather.
func (e Entity) Whole() []ID { return append([]ID{e.ID}, e.Members...) }

// NameKind is the kind of a form that is a name; other kinds are identifiers.
const NameKind = "name"

// Form is a spelling in its frozen key: a name, or an identifier of a kind
// such as "email". A form is not an identity; several entities may own it.
type Form struct {
	Kind string `json:"kind"`
	Key  string `json:"key"`
}

// Owner says that an entity goes by a form, since one mention said so.
type Owner struct {
	Form      Form   `json:"form"`
	Entity    ID     `json:"entity"`
	Type      string `json:"type"`
	Project   string `json:"project,omitempty"`
	Spelling  string `json:"spelling"`
	Exclusive bool   `json:"exclusive,omitempty"`
	Mention   ID     `json:"mention"`
}
