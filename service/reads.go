package service

import (
	"context"

	"tenure"
	"tenure/audience"
	"tenure/auth"
	"tenure/compile"
	"tenure/recall"
	"tenure/service/view"
	"tenure/store"
)

// What a caller reads is package view's, aliased so that a front door imports service alone.
type (
	// View is a state of a tenant as one caller sees it. Its methods are the reads.
	View = view.View
	// AsOf selects a state.
	AsOf = view.AsOf
	// Page requests a part of a listing.
	Page = view.Page
	// Listing is a page of items.
	Listing[T any] = view.Listing[T]
	// Cut tells which lists of an answer are not whole.
	Cut = view.Cut

	// RecallRequest asks for beliefs by words.
	RecallRequest = compile.RecallRequest
	// DocumentKind is a kind of what is found by words.
	DocumentKind = recall.Kind
	// Recalled is what a search by words has found.
	Recalled = view.Recalled
	// RecalledItem is a belief that a search by words has found.
	RecalledItem = view.RecalledItem
	// RecalledPassage is a passage of a document that a search by words has found.
	RecalledPassage = compile.RecalledPassage
	// WordFound is a word of a query, and where it was found.
	WordFound = compile.WordFound

	// Belief is a belief as it stands at an instant.
	Belief = view.Belief
	// BeliefFilter selects beliefs.
	BeliefFilter = view.BeliefFilter
	// AmendmentRecord is an amendment as it is told of its belief.
	AmendmentRecord = view.AmendmentRecord
	// Conflict is a belief with the segments that it lost to contradictions.
	Conflict = view.Conflict
	// Loss is a segment lost to a contradiction.
	Loss = view.Loss

	// Entity is an entity with the data of its root.
	Entity = view.Entity
	// EntityFilter selects entities by an exact name.
	EntityFilter = view.EntityFilter
	// EntitySearch searches for entities by a part of a name, or with typing errors.
	EntitySearch = view.EntitySearch
	// Match is the alias by which a search found an entity.
	Match = view.Match
	// Neighborhood is the relation graph around an entity.
	Neighborhood = view.Neighborhood
	// Node is a root in a neighborhood.
	Node = view.Node
	// Edge is a relation in a neighborhood.
	Edge = view.Edge

	// ObservationRecord is an observation with the assignments of its mentions.
	ObservationRecord = view.ObservationRecord
	// ObservationFilter selects observations.
	ObservationFilter = view.ObservationFilter
	// AssignedMention is a mention with its assignment.
	AssignedMention = view.AssignedMention
	// Vocabulary is the policy of a vocabulary with a page of its terms.
	Vocabulary = view.Vocabulary

	// Case is a quarantine case with the beliefs that it holds.
	Case = view.Case
	// CaseSide is where a belief that a case holds was said.
	CaseSide = view.CaseSide
	// CaseFilter selects cases.
	CaseFilter = view.CaseFilter
	// Review is a review of the queue.
	Review = view.Review
	// ReviewDetail is the evidence that a reviewer decides on.
	ReviewDetail = view.ReviewDetail
	// ReviewSide is the evidence on one side of a review.
	ReviewSide = view.ReviewSide
	// CandidateDetail compares a candidate with the entity under review.
	CandidateDetail = view.CandidateDetail
	// FieldComparison compares two sides in one field.
	FieldComparison = view.FieldComparison
	// Comparison is the similarity of two profiles.
	Comparison = view.Comparison
	// MentionInContext is a mention with the surrounding text.
	MentionInContext = view.MentionInContext
	// ReviewFilter selects reviews.
	ReviewFilter = view.ReviewFilter
	// ThresholdReport reports what the answers to reviews imply for the decision thresholds.
	ThresholdReport = view.ThresholdReport
	// ProposedChange is a change that a statement proposes, with the state that it is in.
	ProposedChange = view.ProposedChange
	// Waiting is a case, a review or a proposed change that waits for an answer.
	Waiting = view.Waiting
	// TaskFilter selects what waits.
	TaskFilter = view.TaskFilter
)

// The words of filters.
const (
	AnyStatus = view.AnyStatus
	AnyCase   = view.AnyCase
	AnyReview = view.AnyReview

	LeaseFree = view.LeaseFree
	LeaseMine = view.LeaseMine
	LeaseHeld = view.LeaseHeld

	KindCase     = view.KindCase
	KindReview   = view.KindReview
	KindProposal = view.KindProposal
)

// The questions that every review and every proposed change ask.
const (
	ReviewTask   = view.ReviewTask
	ProposalTask = view.ProposalTask
)

// View opens a state for a caller. It returns Unprocessable, pointing at known_at, for a state in the future.
func (s *Service) View(ctx context.Context, c tenure.Caller, at AsOf) (*View, error) {
	return view.Open(ctx, s.store, c, at, s.mint().Now, s.matcher.Model)
}

// open opens a state of the caller's tenant, as the caller sees it who has some roles besides those of the credential.
func (s *Service) open(
	ctx context.Context, c tenure.Caller, at tenure.AsOf, roles ...string,
) (store.Reader, error) {
	return view.Read(ctx, s.store, c, audience.Of(c, roles...), at)
}

// openFor opens the present state for what is read in an observation: as the caller sees it and everybody who sees the
// observation.
func (s *Service) openFor(ctx context.Context, c tenure.Caller, in Observation) (store.Reader, error) {
	return view.ReadFor(ctx, s.store, c, s.observation(c, in).Label())
}

// readersFor opens the present state for each label of observations: see [Service.openFor].
func (s *Service) readersFor(
	ctx context.Context, c tenure.Caller, inputs []Observation,
) (map[tenure.Label]store.Reader, error) {
	readers := map[tenure.Label]store.Reader{}
	for _, in := range inputs {
		l := s.observation(c, in).Label()
		if readers[l] != nil {
			continue
		}
		reader, err := s.openFor(ctx, c, in)
		if err != nil {
			return nil, err
		}
		readers[l] = reader
	}
	return readers, nil
}

// Search lists the roots that a search finds, best first: see [view.View.Search].
func (s *Service) Search(ctx context.Context, v *View, f EntitySearch, p Page) (Listing[Entity], error) {
	return v.Search(ctx, s.worker.Candidates, f, p)
}

// Recall finds beliefs by words in a state. It returns Forbidden for a scope that the caller is not bound to, and
// Unavailable while the index of beliefs has not read the log up to the state.
func (s *Service) Recall(ctx context.Context, c tenure.Caller, at AsOf, r RecallRequest) (Recalled, *View, error) {
	var err error
	if r.Scope, err = auth.Bind(c, r.Scope, "/scope"); err != nil {
		return Recalled{}, nil, err
	}
	v, err := s.View(ctx, c, at)
	if err != nil {
		return Recalled{}, nil, err
	}
	found, err := v.Recall(ctx, s.compiler, r)
	return found, v, err
}

// Count counts the items of a listing, of which list reads a page: see [view.Count].
func Count[T any](list func(Page) (Listing[T], error)) (int, error) { return view.Count(list) }

// Shown returns what the answer to a write shows of a list, and notes under its name if there is more.
func Shown[T any](c *Cut, name string, list []T) []T {
	return view.CutTo(c, name, list, view.MaxListed)
}
