package tenure

// Source tells on whose word an observation stands.
type Source struct {
	// Origin is a URI: where the observation was made.
	Origin string `json:"origin"`
	// AuthorityLevel is 0 (platform rules) to 4 (retrieved data and tools).
	AuthorityLevel int `json:"authority_level"`
	// SourceAuthority is how far the source is trusted, 0 to 1.
	SourceAuthority float64 `json:"source_authority"`
	Speaker         string  `json:"speaker,omitempty"`
	Role            string  `json:"role,omitempty"`
}

// Identity tells two sources apart: the speaker where one is known, else the
// place.
func (s Source) Identity() string {
	if s.Speaker != "" {
		return "speaker\x1f" + s.Speaker
	}
	return "origin\x1f" + s.Origin
}

// Observation is one thing that was seen or said, as it arrived. Evidence:
// it never changes.
type Observation struct {
	ID         ID      `json:"id"`
	Source     Source  `json:"source"`
	Scope      Scope   `json:"scope"`
	ObservedAt Instant `json:"observed_at"`
	ReceivedAt Instant `json:"received_at"`
	Text       string  `json:"text,omitempty"`
	Actor      string  `json:"actor"`
	Mentions   []ID    `json:"mentions,omitempty"`
	Claims     []ID    `json:"claims,omitempty"`
}

// Mention is one naming of something inside an observation. Evidence.
type Mention struct {
	ID          ID                  `json:"id"`
	Observation ID                  `json:"observation"`
	Index       int                 `json:"index"`
	Name        string              `json:"name"`
	Type        string              `json:"type,omitempty"`
	Aliases     []string            `json:"aliases,omitempty"`
	Attributes  map[string][]string `json:"attributes,omitempty"`
	// IdentifierKinds are the tenant's own kinds of identifiers among the
	// attributes, as they were defined when the mention was written.
	IdentifierKinds []IdentifierKind `json:"identifier_kinds,omitempty"`
	Context         string           `json:"context,omitempty"`
	Record          *Record          `json:"record,omitempty"`
	// Project is that of the observation.
	Project string `json:"project,omitempty"`
}

// Record names a row in a system of record that a mention was made from.
type Record struct {
	Source string `json:"source"`
	ID     string `json:"id"`
}

// Outcome is what resolution decided for a mention.
type Outcome string

// The three bands of a decision: a score of 0.95 and more binds the mention to
// an entity, one of 0.70 and less makes a new entity, and what lies between
// waits for a person.
const (
	AutoMerge Outcome = "auto_merge"
	InReview  Outcome = "review"
	NewEntity Outcome = "new_entity"
)

// Assignment says which entity a mention means, and why. Score is a
// probability, 0 to 1.
type Assignment struct {
	Mention ID      `json:"mention"`
	Entity  ID      `json:"entity"`
	Score   float64 `json:"score"`
	Outcome Outcome `json:"decision"`
	Reason  string  `json:"reason"`
}
