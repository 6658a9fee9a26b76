package tenure

// Source is where an observation comes from, and how far it is to be trusted.
type Source struct {
	// Origin is the URI of the place of the observation.
	Origin string `json:"origin"`
	// AuthorityLevel is 0 (platform rules) to 4 (retrieved data and tools).
	AuthorityLevel int `json:"authority_level"`
	// SourceAuthority is how far the source is trusted, 0 to 1.
	SourceAuthority float64 `json:"source_authority"`
	Speaker         string  `json:"speaker,omitempty"`
	Role            string  `json:"role,omitempty"`
	// Session is the conversation that the observation was made in, if one. It bounds nothing.
	Session string `json:"session_id,omitempty"`
	// Thread is the exchange of words that the observation is a turn of, if it is stated. It bounds nothing.
	Thread string `json:"thread,omitempty"`
}

// Identity distinguishes sources: by speaker if known, else by origin.
func (s Source) Identity() string {
	if s.Speaker != "" {
		return "speaker\x1f" + s.Speaker
	}
	return "origin\x1f" + s.Origin
}

// Observation is one thing that was seen or said, as it arrived. Evidence: it never changes.
type Observation struct {
	ID         ID      `json:"id"`
	Source     Source  `json:"source"`
	Scope      Scope   `json:"scope"`
	ObservedAt Instant `json:"observed_at"`
	ReceivedAt Instant `json:"received_at"`
	Text       string  `json:"text,omitempty"`
	// Addressee is whom the text speaks to, if that is known.
	Addressee string `json:"addressee,omitempty"`
	Actor     string `json:"actor"`
	Mentions  []ID   `json:"mentions,omitempty"`
	Claims    []ID   `json:"claims,omitempty"`
	// Named lists the entities that the text was found to name.
	Named []ID `json:"named,omitempty"`
	// Statements are those that were read in the text, in their order, with what each did.
	Statements []Said `json:"statements,omitempty"`
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

// Record identifies the record in a system of record that a mention comes from.
type Record struct {
	Source string `json:"source"`
	ID     string `json:"id"`
}

// Outcome is the decision about a mention.
type Outcome string

// The three bands of a decision, in the terms of Fellegi and Sunter match, possible match and non-match: a
// score of 0.95 or more binds the mention to an entity, 0.70 or less makes a new entity, and a score in
// between is for a person to review.
const (
	AutoMerge Outcome = "auto_merge"
	InReview  Outcome = "review"
	NewEntity Outcome = "new_entity"
)

// Assignment is the entity that a mention means, and why. Score is a probability, 0 to 1.
type Assignment struct {
	Mention ID      `json:"mention"`
	Entity  ID      `json:"entity"`
	Score   float64 `json:"score"`
	Outcome Outcome `json:"decision"`
	Reason  string  `json:"reason"`
}
