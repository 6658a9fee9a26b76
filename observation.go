package tenure

import (
	"slices"
	"strconv"
)

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
	// Classification and Permission say who within the scope may see the observation. Observations from before they had
	// a classification have "".
	Classification Classification  `json:"classification,omitempty"`
	Permission     PermissionScope `json:"permission_scope,omitzero"`
	// Addressee is whom the text speaks to, if that is known.
	Addressee string `json:"addressee,omitempty"`
	Actor     string `json:"actor"`
	Mentions  []ID   `json:"mentions,omitempty"`
	Claims    []ID   `json:"claims,omitempty"`
	// Named lists the entities that the text was found to name.
	Named []ID `json:"named,omitempty"`
	// Statements are those that were read in the text, in their order, with what each did.
	Statements []Said `json:"statements,omitempty"`
	// LeftUnread reports whether its author asked that the text is not read.
	LeftUnread bool `json:"left_unread,omitempty"`
	// Of is the observation whose words this one is about: it answers a change that they propose, or is what another
	// extractor read in them. Such an observation is no turn of a thread.
	Of ID `json:"of,omitempty"`
	// For is the observation that came after that one though it speaks of a time before it, and for which its text was
	// read again.
	For ID `json:"for,omitempty"`
	// Answer is the answer to a proposed change of that observation, if this is one.
	Answer *ProposalAnswer `json:"answer,omitempty"`
	// Erased reports whether the observation is a tombstone, TextErased whether its words were erased.
	Erased     bool `json:"erased,omitempty"`
	TextErased bool `json:"text_erased,omitempty"`
}

// ProposalAnswer is the answer to a proposed change.
type ProposalAnswer struct {
	// Number is that of the statement: the first is 1.
	Number   int    `json:"number"`
	Accepted bool   `json:"accepted,omitempty"`
	Reviewer string `json:"reviewer,omitempty"` // who answered, where several share one credential
	Note     string `json:"note,omitempty"`
}

// Proposes reports whether a statement of the observation proposes a change.
func (o Observation) Proposes() bool {
	return slices.ContainsFunc(o.Statements, func(s Said) bool { return s.Proposal != nil })
}

// ProposesOf lists the entities of which a statement of the observation proposes a change, each once.
func (o Observation) ProposesOf() (list []ID) {
	for _, s := range o.Statements {
		if s.Proposal != nil && s.Entity != "" && !slices.Contains(list, s.Entity) {
			list = append(list, s.Entity)
		}
	}
	return list
}

// Label says who may see the observation.
func (o Observation) Label() Label { return NewLabel(o.Classification, o.Scope, o.Permission) }

// Readable reports whether the text of the observation is read for what it says: claims that its author stated with it
// say that.
func (o Observation) Readable() bool {
	return o.Of == "" && o.Text != "" && !o.LeftUnread && (len(o.Claims) == 0 || len(o.Statements) > 0)
}

// Rereads reports whether the observation is a further reading of the text of another.
func (o Observation) Rereads() bool { return o.Of != "" && o.Answer == nil }

// ProposalID is the id of a proposed change, by its observation and the number of its statement.
func ProposalID(observation ID, number int) ID {
	return DerivedID("proposal", string(observation), strconv.Itoa(number))
}

// ReadingID is the id of the observation that is a further reading of the text of another: the first is number 1.
func ReadingID(observation ID, number int) ID {
	return DerivedID("reading", string(observation), strconv.Itoa(number))
}

// LaterID is the id of the observation that is a reading of the text of another for one that came late. The number
// orders the readings for one. It is greater than the ids that were minted until then, and less than those minted
// later: what is read then counts as said then.
func LaterID(late, text ID, number int) ID { return followingID(late, number, "later", string(text)) }

// AnswerID is the id of the observation that answers a proposed change: there is one answer.
func AnswerID(observation ID, number int) ID {
	return DerivedID("answer", string(observation), strconv.Itoa(number))
}

// Mention is one naming of something inside an observation. Evidence.
type Mention struct {
	ID          ID  `json:"id"`
	Observation ID  `json:"observation"`
	Index       int `json:"index"`
	// Name is "" where attributes alone say who is meant.
	Name       string              `json:"name"`
	Type       string              `json:"type,omitempty"`
	Aliases    []string            `json:"aliases,omitempty"`
	Attributes map[string][]string `json:"attributes,omitempty"`
	// IdentifierKinds are the tenant's own kinds of identifiers among the
	// attributes, as they were defined when the mention was written.
	IdentifierKinds []IdentifierKind `json:"identifier_kinds,omitempty"`
	// Corrects lists the attributes whose values were wrong where earlier mentions of the entity stated others.
	Corrects []string `json:"corrects,omitempty"`
	Context  string   `json:"context,omitempty"`
	Record   *Record  `json:"record,omitempty"`
	// Project is that of the observation.
	Project string `json:"project,omitempty"`
	// Label says who may see the mention and all that it states.
	Label Label `json:"label,omitzero"`
	// Erased reports whether the mention is a tombstone.
	Erased bool `json:"erased,omitempty"`
}

// Spellings lists the name and the aliases; a mention that is known by its attributes alone has none.
func (m Mention) Spellings() []string { return spellings(m.Name, m.Aliases) }

func spellings(name string, more []string) []string {
	if name == "" {
		return more
	}
	return append([]string{name}, more...)
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
