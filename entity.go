package tenure

// EntityStatus is the status of an entity id.
type EntityStatus string

// The statuses of an entity. Canonical: held to be one entity, and its own root. Pending: an ambiguity under
// review, its own root too. Merged: the id still resolves, to its root. Retired: no mention means it any more.
const (
	EntityCanonical EntityStatus = "canonical"
	EntityPending   EntityStatus = "pending"
	EntityMerged    EntityStatus = "merged"
	EntityRetired   EntityStatus = "retired"
)

// Entity is one version of a person, project, system or document that mentions are assigned to. Type, Name,
// Names, Project, Records, Attributes and Context are a function of the mentions; MergedInto and Members are
// a function of the identity decisions.
type Entity struct {
	ID      ID           `json:"id"`
	Type    string       `json:"type"`
	Status  EntityStatus `json:"status"`
	Name    string       `json:"name"`
	Project string       `json:"project,omitempty"`
	// MergedInto is the root of a merged entity.
	MergedInto ID `json:"merged_into,omitempty"`
	// Members lists the entities merged into a root, sorted by id, without the root.
	Members []ID `json:"members,omitempty"`
	// Names lists the spellings in the entity's mentions, Name first.
	Names []string `json:"names,omitempty"`
	// Records lists the records in systems of record that the entity's mentions come from.
	Records []Record `json:"records,omitempty"`
	// Attributes holds the values in the entity's mentions, as written.
	Attributes map[string][]string `json:"attributes,omitempty"`
	// IdentifierKinds lists the tenant's own kinds of identifiers among the attributes.
	IdentifierKinds []IdentifierKind `json:"identifier_kinds,omitempty"`
	// Context lists the descriptions that the entity's mentions carry.
	Context []string `json:"context,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	// Label says who may see the entity. Whoever sees it sees all of the mentions that Type, Name, Names, Records,
	// Attributes and Context are made of; what is said of it under a narrower label is in its aliases alone.
	Label     Label   `json:"label,omitzero"`
	CreatedAt Instant `json:"created_at"`
}

// Spellings lists the name and the other names of the entity; it has none if no mention names it.
func (e Entity) Spellings() []string { return spellings(e.Name, e.Names) }

// Shown returns the root with a name for lists: its own, else that of the first member that has one. It is "" where
// none of the members is named.
func (e Entity) Shown(members []Entity) Entity {
	for i := 0; e.Name == "" && i < len(members); i++ {
		e.Name = members[i].Name
	}
	return e
}

// Root returns the id that represents the entity in views.
func (e Entity) Root() ID {
	if e.MergedInto != "" {
		return e.MergedInto
	}
	return e.ID
}

// Whole returns the ids that a view of a root gathers: the root's own and its members'.
func (e Entity) Whole() []ID { return append([]ID{e.ID}, e.Members...) }

// NameAlias is the kind of an alias key that is a name; all other kinds are identifiers.
const NameAlias = "name"

// ErasedAlias is the kind of an alias whose key was erased: no entity is found by it.
const ErasedAlias = "erased"

// AliasKey is a name, or an identifier of a kind such as "email", in its frozen normal form. It is not an
// identity: several entities may share an alias key.
type AliasKey struct {
	Kind string `json:"kind"`
	Key  string `json:"key"`
}

// Alias records that an entity is known by an alias key, as one mention stated.
type Alias struct {
	Key       AliasKey `json:"key"`
	Entity    ID       `json:"entity"`
	Type      string   `json:"type"`
	Project   string   `json:"project,omitempty"`
	Spelling  string   `json:"spelling"`
	Exclusive bool     `json:"exclusive,omitempty"`
	Mention   ID       `json:"mention"`
	Label     Label    `json:"label,omitzero"`
}
