package tenure

import (
	"fmt"
	"math"
)

// VerdictKind is what a verdict says of who is who.
type VerdictKind string

// The kinds of verdict. Merge: From is the same as Into, and From was a root.
// Split: what was moved is not of From, and is of Into. Distinct: From and Into
// are not the same, whatever they look like.
const (
	Merge    VerdictKind = "merge"
	Split    VerdictKind = "split"
	Distinct VerdictKind = "distinct"
)

// Verdict is one version of a judgement on who is who. Roots are a function of
// the merges that are not undone: each goes from an entity that was a root, so
// that they form a forest.
type Verdict struct {
	ID   ID          `json:"id"`
	Kind VerdictKind `json:"kind"`
	From ID          `json:"from"`
	Into ID          `json:"into"`
	// FromStatus is what From was before a merge, and is again after its undo.
	FromStatus EntityStatus `json:"from_status,omitempty"`
	// Moved are the assignments, as they were before, of the mentions that a
	// split moved.
	Moved []Assignment `json:"moved,omitempty"`
	// Automatic verdicts were decided by score.
	Automatic bool    `json:"automatic,omitempty"`
	Score     float64 `json:"score,omitempty"`
	Reason    string  `json:"reason,omitempty"`
	// Reviews are those that a merge settled.
	Reviews []ID `json:"reviews,omitempty"`
	// Review is the one whose answer a Distinct is part of.
	Review ID      `json:"review,omitempty"`
	Actor  string  `json:"actor"`
	At     Instant `json:"at"`
	// Undone verdicts count no more.
	Undone       bool    `json:"undone,omitempty"`
	UndoneBy     string  `json:"undone_by,omitempty"`
	UndoneAt     Instant `json:"undone_at,omitempty"`
	UndoneReason string  `json:"undone_reason,omitempty"`
}

// Apart tells whether the verdict says for good that its sides are not the same:
// what a score has split, a score may join again.
func (v Verdict) Apart() bool { return v.Kind != Merge && !v.Undone && !v.Automatic }

// ReviewState tells where a review stands.
type ReviewState string

// The states of a review. Dissolved: what it asked was settled by other means.
const (
	ReviewOpen      ReviewState = "open"
	ReviewSettled   ReviewState = "settled"
	ReviewDissolved ReviewState = "dissolved"
)

// Candidate is an entity that another may be the same as. Score is a
// probability, 0 to 1.
type Candidate struct {
	Entity ID      `json:"entity"`
	Score  float64 `json:"score"`
	Veto   string  `json:"veto,omitempty"`
}

// Review is one version of the question whether an entity is the same as one of
// its candidates. Where the entity is pending, it holds the mentions that are
// asked about.
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
	// DeferredBy is who put it off last.
	DeferredBy string  `json:"deferred_by,omitempty"`
	DeferredAt Instant `json:"deferred_at,omitempty"`
	DeferNote  string  `json:"defer_note,omitempty"`
	// LeasedBy works on it until LeasedUntil; LeasedFor is who does so with
	// that credential, where it said so.
	LeasedBy    string  `json:"leased_by,omitempty"`
	LeasedFor   string  `json:"leased_for,omitempty"`
	LeasedUntil Instant `json:"leased_until,omitempty"`
	// Waiting counts the mentions that wait for the answer, Held the claims
	// that were made of or by them. Value is what the answer is worth.
	Waiting int     `json:"waiting,omitempty"`
	Held    int     `json:"held,omitempty"`
	Value   float64 `json:"value,omitempty"`
	// Model is the version of the model that gave the scores.
	Model string `json:"model,omitempty"`
	// Decision is that which settled it: merge or new_entity.
	Decision  string  `json:"decision,omitempty"`
	Into      ID      `json:"into,omitempty"`
	DecidedBy string  `json:"decided_by,omitempty"`
	DecidedAt Instant `json:"decided_at,omitempty"`
	Note      string  `json:"note,omitempty"`
	// Verdict is the merge that settled it.
	Verdict ID `json:"verdict,omitempty"`
	// FromStatus is what the entity was before a decision of new_entity.
	FromStatus EntityStatus `json:"from_status,omitempty"`
	// Events are what people did with it, oldest first.
	Events  []ReviewEvent `json:"events,omitempty"`
	Version int           `json:"version"`
}

// ReviewEvent is one thing that somebody did with a review. Action is a
// decision (merge, new_entity, defer) or reopened.
type ReviewEvent struct {
	At       Instant `json:"at"`
	Actor    string  `json:"actor"`
	Reviewer string  `json:"reviewer,omitempty"` // who it was, where the credential said so
	Action   string  `json:"action"`
	Into     ID      `json:"into,omitempty"`
	Note     string  `json:"note,omitempty"`
}

// Leased tells whether the lease of the review runs at an instant.
func (r Review) Leased(at Instant) bool { return r.LeasedBy != "" && at < r.LeasedUntil }

// Score is that of the best candidate, 0 without one.
func (r Review) Score() float64 {
	best := 0.0
	for _, c := range r.Candidates {
		best = max(best, c.Score)
	}
	return best
}

// Rank is the place of a review among those of its state, as a text that sorts:
// of the open ones the most valuable is first, of the others the one that was
// decided last.
func (r Review) Rank() string {
	const steps, most = 1e6, 1e9
	weight := int64(r.DecidedAt)
	if r.State == ReviewOpen {
		weight = int64(min(max(r.Value, 0), most) * steps)
	}
	return fmt.Sprintf("%019d/%s", math.MaxInt64-weight, r.ID)
}
