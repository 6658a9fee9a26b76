package tenure

// IdentityDecisionKind is the kind of an identity decision.
type IdentityDecisionKind string

// The kinds of identity decision. Merge: From is the same as Into, and From was a root. Split: the moved
// mentions belong to Into and not to From. CannotLink: From and Into are not the same, however similar (a
// cannot-link constraint).
const (
	Merge      IdentityDecisionKind = "merge"
	Split      IdentityDecisionKind = "split"
	CannotLink IdentityDecisionKind = "cannot_link"
)

// IdentityDecision is one version of a decision about the identity of two entities. The roots are a function
// of the merges that are not undone: every merge starts from an entity that was a root, so the merges form a
// forest.
type IdentityDecision struct {
	ID   ID                   `json:"id"`
	Kind IdentityDecisionKind `json:"kind"`
	From ID                   `json:"from"`
	Into ID                   `json:"into"`
	// FromStatus is the status of From before a merge; an undo restores it.
	FromStatus EntityStatus `json:"from_status,omitempty"`
	// Moved lists the former assignments of the mentions that a split moved.
	Moved []Assignment `json:"moved,omitempty"`
	// Automatic reports whether the decision was made by score and not by a person.
	Automatic bool    `json:"automatic,omitempty"`
	Score     float64 `json:"score,omitempty"`
	Reason    string  `json:"reason,omitempty"`
	// Reviews lists the reviews that a merge settled.
	Reviews []ID `json:"reviews,omitempty"`
	// Review is the review whose answer includes this cannot-link.
	Review ID      `json:"review,omitempty"`
	Actor  string  `json:"actor"`
	At     Instant `json:"at"`
	// Undone reports whether the decision was undone and has no effect.
	Undone       bool    `json:"undone,omitempty"`
	UndoneBy     string  `json:"undone_by,omitempty"`
	UndoneAt     Instant `json:"undone_at,omitempty"`
	UndoneReason string  `json:"undone_reason,omitempty"`
}

// BarsLink reports whether the decision forbids linking From and Into. An automatic split does not: a later
// score may merge them again.
func (v IdentityDecision) BarsLink() bool { return v.Kind != Merge && !v.Undone && !v.Automatic }

// ReviewState is the state of a review.
type ReviewState string

// The states of a review. Dissolved: the question was settled by other means.
const (
	ReviewOpen      ReviewState = "open"
	ReviewSettled   ReviewState = "settled"
	ReviewDissolved ReviewState = "dissolved"
)

// Candidate is an entity that another entity may be the same as. Score is a probability, 0 to 1.
type Candidate struct {
	Entity ID      `json:"entity"`
	Score  float64 `json:"score"`
	Veto   string  `json:"veto,omitempty"`
}

// Review is one version of the question whether an entity is the same as one of its candidates. A review of a
// pending entity holds the mentions in question.
type Review struct {
	ID         ID          `json:"id"`
	State      ReviewState `json:"state"`
	Entity     ID          `json:"entity"`
	Candidates []Candidate `json:"candidates"`
	Reason     string      `json:"reason"`
	Name       string      `json:"name"`
	Type       string      `json:"type,omitempty"`
	Project    string      `json:"project,omitempty"`
	OpenedAt   Instant     `json:"opened_at"`
	// DeferredBy is the actor who deferred the review last.
	DeferredBy string  `json:"deferred_by,omitempty"`
	DeferredAt Instant `json:"deferred_at,omitempty"`
	DeferNote  string  `json:"defer_note,omitempty"`
	Lease
	// PendingMentions counts the mentions in question, PendingBeliefs the claims about them. Priority is the
	// expected information gain of an answer: see package registry.
	PendingMentions int     `json:"pending_mentions,omitempty"`
	PendingBeliefs  int     `json:"pending_beliefs,omitempty"`
	Priority        float64 `json:"priority,omitempty"`
	// Model is the version of the model that computed the scores.
	Model string `json:"model,omitempty"`
	// Decision is the answer that settled the review: merge or new_entity.
	Decision  string  `json:"decision,omitempty"`
	Into      ID      `json:"into,omitempty"`
	DecidedBy string  `json:"decided_by,omitempty"`
	DecidedAt Instant `json:"decided_at,omitempty"`
	Note      string  `json:"note,omitempty"`
	// Merge is the merge that settled the review.
	Merge ID `json:"merge,omitempty"`
	// FromStatus is the status of the entity before a decision of new_entity.
	FromStatus EntityStatus `json:"from_status,omitempty"`
	// Events lists the history of the review, oldest first.
	Events  []ReviewEvent `json:"events,omitempty"`
	Version int           `json:"version"`
}

// ReviewEvent is one event in the history of a review. Action is a decision (merge, new_entity, defer) or
// reopened.
type ReviewEvent struct {
	At       Instant `json:"at"`
	Actor    string  `json:"actor"`
	Reviewer string  `json:"reviewer,omitempty"` // named by the credential, if any
	Action   string  `json:"action"`
	Into     ID      `json:"into,omitempty"`
	Note     string  `json:"note,omitempty"`
}

// Score returns the score of the best candidate, 0 without candidates.
func (r Review) Score() float64 {
	best := 0.0
	for _, c := range r.Candidates {
		best = max(best, c.Score)
	}
	return best
}

// Rank returns the sort key of a review among the reviews of its state: open reviews by descending priority,
// others by descending time of decision.
func (r Review) Rank() string {
	const steps, most = 1e6, 1e9
	weight := int64(r.DecidedAt)
	if r.State == ReviewOpen {
		weight = int64(min(max(r.Priority, 0), most) * steps)
	}
	return rank(weight, r.ID)
}
