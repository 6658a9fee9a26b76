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
// are assigned to.
type Entity struct {
	ID         ID           `json:"id"`
	Type       string       `json:"type"`
	Status     EntityStatus `json:"status"`
	Name       string       `json:"name"`
	Project    string       `json:"project,omitempty"`
	MergedInto ID           `json:"merged_into,omitempty"`
	Reason     string       `json:"reason,omitempty"`
	CreatedAt  Instant      `json:"created_at"`
}

// Root is the id that stands for the entity in views.
func (e Entity) Root() ID {
	if e.MergedInto != "" {
		return e.MergedInto
	}
	return e.ID
}

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
	Form      Form         `json:"form"`
	Entity    ID           `json:"entity"`
	Type      string       `json:"type"`
	Status    EntityStatus `json:"status"`
	Project   string       `json:"project,omitempty"`
	Spelling  string       `json:"spelling"`
	Exclusive bool         `json:"exclusive,omitempty"`
	Mention   ID           `json:"mention"`
}
