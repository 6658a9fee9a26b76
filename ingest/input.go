package ingest

import (
	"encoding/json"

	"tenure"
	"tenure/labels"
)

// Input is an observation as a caller states it. Nil and empty fields take their defaults.
type Input struct {
	Source     Source
	Scope      tenure.Scope
	ObservedAt *tenure.Instant
	Text       string
	// Classification and Permission say who may see the observation and what its mentions state: see [Command.label].
	Classification tenure.Classification
	Permission     tenure.PermissionScope
	// Addressee is whom the text speaks to, if that is known.
	Addressee string
	Mentions  []Mention
	Claims    []Claim
	// Extract is whether the text of an input without claims is read: [ExtractAuto], the default, or [ExtractNone].
	Extract string
	// Labels are those of the text: see [Input.Labelled]. Callers leave it zero.
	Labels labels.Labels
	// Reading is what was read in the text: then its claims are those of statements. Callers leave it nil.
	Reading *Reading
	// Of is the observation whose words it is about, and Answer its answer to a change that they propose; otherwise it is
	// a reading of them, and the text stays there. ID is its id, and For the observation that came late and for which it
	// was read. Callers leave all four empty.
	Of     tenure.ID
	ID     tenure.ID
	For    tenure.ID
	Answer *tenure.ProposalAnswer
}

// Whether a text is read for statements.
const (
	ExtractAuto = "auto"
	ExtractNone = "none"
)

// Unread reports whether the text is still to be read for statements.
func (in Input) Unread() bool {
	return in.Text != "" && len(in.Claims) == 0 && in.Extract != ExtractNone && in.Reading == nil
}

// Reading is what was read in a text, and what it means for what is believed. An amendment or claim of it that is
// refused is left out, and its statement says why.
type Reading struct {
	Statements []tenure.Said
	// Named lists the entities that the text names.
	Named []tenure.ID
	// Stated counts the mentions of the input that its author stated: the others were found.
	Stated     int
	Amendments []Amendment
	Warnings   []tenure.WarningCode
}

// Amendment ends or retracts a belief, since a statement says so. At is when; nil is when it was said.
type Amendment struct {
	Statement int
	Kind      tenure.AmendmentKind
	Belief    tenure.ID
	At        *tenure.Instant
}

// Source is the origin of an observation. AuthorityLevel defaults to that of users or, where that is weaker, the
// strongest that the caller may state; SourceAuthority to 0.5, Role to the caller's.
type Source struct {
	Origin          string
	AuthorityLevel  *int
	SourceAuthority *float64
	Speaker         string
	Role            string
	Session         string
	Thread          string
}

// Mention names an entity.
type Mention struct {
	Name       string
	Type       string
	Aliases    []string
	Attributes map[string][]string
	Context    string
	Record     *tenure.Record
}

// Ref refers to an entity: by a mention of the same observation, or by id.
type Ref struct {
	Mention  *int
	EntityID tenure.ID
}

// Value is the value of a claim: JSON, or an entity.
type Value struct {
	JSON   json.RawMessage
	Entity *Ref
}

// Claim is one statement. Confidence defaults to 1, ValidFrom to the time of observation. Supersedes and
// DependsOn name beliefs by id, by key or, for the same subject, by predicate.
type Claim struct {
	Subject    Ref
	Predicate  string
	Value      Value
	Key        string
	Layer      tenure.Layer
	Confidence *float64
	ValidFrom  *tenure.Instant
	ValidUntil *tenure.Instant
	Supersedes []string
	Evidence   *tenure.Evidence
	DependsOn  []string
	// Recalls reports whether the claim repeats what was said before; nil leaves it to the text.
	Recalls *bool
	// Many reports whether the value stands beside others, even if the predicate has one.
	Many bool
	// Labels are those of the value: see [Input.Labelled]. Callers leave it zero.
	Labels labels.Labels
	// Outranked says why the claim does not stand beside another of the same matter. Callers leave it nil.
	Outranked *Outranked
	// Statement is the index of the one that the claim was made from, of an input that was read.
	Statement int

	// Description defaults to inferred_belief and restricted.
	tenure.Description
}

// Outranked says that a claim does not stand, from when on, by which belief and why.
type Outranked struct {
	By  tenure.ID
	At  tenure.Instant
	Why string
}

// Answer is the result of an observation, in the JSON form of the API without the fields of the receipt. It
// holds ids and no content, so that it can be stored with the receipt.
type Answer struct {
	ObservationID tenure.ID       `json:"observation_id"`
	Mentions      []MentionAnswer `json:"mentions"`
	Beliefs       []BeliefAnswer  `json:"beliefs"`
	// Statements are those that were read in the text. They are content, and kept with the observation alone.
	Statements []tenure.Said `json:"-"`
	// Later are the texts that were observed after what the observation says, were read before it came, and were read
	// again since they say something of it. They are content, too.
	Later []Later `json:"-"`
	// Registered lists the words that the observation registered in the tenant's vocabularies, as vocabulary/name.
	Registered []string `json:"registered"`
	// Warnings are in the order of what they are about: the observation, its mentions, its claims.
	Warnings []tenure.Warning `json:"warnings"`
}

// Later is what a text says that was read again, in an observation of its own.
type Later struct {
	Observation tenure.ID // the reading
	Of          tenure.ID // the text
	Statements  []tenure.Said
}

// MentionAnswer is the resolution of a mention.
type MentionAnswer struct {
	MentionID  tenure.ID      `json:"mention_id"`
	Outcome    tenure.Outcome `json:"decision"`
	Score      float64        `json:"score"`
	EntityID   tenure.ID      `json:"entity_id"`
	PendingID  tenure.ID      `json:"pending_id,omitempty"`
	ReviewID   tenure.ID      `json:"review_id,omitempty"`
	Reason     string         `json:"reason"`
	Candidates []Candidate    `json:"candidates"`
}

// Candidate is an entity that a mention may mean. Name is not stored: see [Answer].
type Candidate struct {
	EntityID tenure.ID `json:"entity_id"`
	Name     string    `json:"-"`
	Score    float64   `json:"score,omitempty"`
}

// UnmarshalJSON also accepts a bare id, as stored in receipts of older versions.
func (c *Candidate) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] == '"' {
		return json.Unmarshal(text, &c.EntityID)
	}
	type plain Candidate
	return json.Unmarshal(text, (*plain)(c))
}

// BeliefAnswer is the belief made from a claim, and its effect on other beliefs.
type BeliefAnswer struct {
	BeliefID     tenure.ID     `json:"belief_id"`
	Status       tenure.Status `json:"status"`
	Superseded   []tenure.ID   `json:"superseded"`
	Restored     []tenure.ID   `json:"restored"`
	OverriddenBy tenure.ID     `json:"overridden_by,omitempty"`
	DisputedWith []tenure.ID   `json:"disputed_with,omitempty"`
	CaseID       tenure.ID     `json:"case_id,omitempty"`
	NeedsReview  bool          `json:"needs_review,omitempty"`
	// Predicate is the one that the claim is held under, if that is not what was written.
	Predicate string `json:"predicate,omitempty"`
}
