package storetest

import (
	"context"
	"errors"

	"tenure"
	"tenure/store"
)

// Renamed is a change set with every stored name and value that migration 4 renamed, and text that looks like
// the former ones and must stay.
type Renamed struct {
	Set      tenure.ChangeSet
	alias    tenure.Alias
	decision tenure.IdentityDecision
	review   tenure.Review
	mention  tenure.Mention
}

// NewRenamed returns a change set with new ids.
func NewRenamed() Renamed {
	const text = `"form":"value":"verdict":"kind":"distinct" "reason":"exact_form" "actor":"second_look" second_look`
	entity, other := newID(), newID()
	r := Renamed{
		mention: tenure.Mention{ID: newID(), Observation: newID(), Name: text},
		alias: tenure.Alias{
			Key: tenure.AliasKey{Kind: "name", Key: text}, Entity: entity, Type: "person", Spelling: text, Mention: newID(),
		},
		decision: decision(tenure.CannotLink, entity, other),
		review: tenure.Review{
			ID: newID(), State: tenure.ReviewSettled, Entity: entity,
			Candidates: []tenure.Candidate{{Entity: other, Score: 0.9}},
			Reason:     "ambiguous_name", Name: text, OpenedAt: 1, PendingMentions: 3, PendingBeliefs: 4, Priority: 2.125,
			Decision: "merge", Into: other, DecidedBy: "re_resolution", DecidedAt: 2, Note: text, Merge: newID(),
			Events: []tenure.ReviewEvent{{At: 2, Actor: "re_resolution", Action: "merge", Note: text}},
		},
	}
	r.decision.Actor, r.decision.Reason = "re_resolution", text
	assigned := tenure.Assignment{
		Mention: r.mention.ID, Entity: entity, Score: 0.99, Outcome: tenure.AutoMerge, Reason: "exact_name",
	}
	r.decision.Moved = []tenure.Assignment{assigned}
	pending := tenure.Entity{ID: entity, Status: tenure.EntityPending, Name: text, Reason: "ambiguous_name"}
	r.Set = set(
		tenure.EntityPut{Entity: pending}, tenure.MentionAdded{Mention: r.mention},
		tenure.MentionAssigned{Assignment: assigned}, tenure.AliasAdded{Alias: r.alias},
		tenure.IdentityDecisionPut{Decision: r.decision}, tenure.ReviewPut{Review: r.review},
	)
	r.Set.Key = &tenure.IdempotencyKey{Scope: "renamed", Hash: "h"}
	r.Set.Answer = []byte(`{"undone_decisions":["v"],"decision_id":"v","cannot_links":[],"mentions":[{"reason":"exact_name"}]}`)
	return r
}

// Read returns everything that Set wrote, as a view reads it.
func (r Renamed) Read(ctx context.Context, view store.Reader) ([]any, error) {
	entities, err1 := view.Entities(ctx, []tenure.ID{r.alias.Entity})
	mentions, err2 := view.Mentions(ctx, []tenure.ID{r.mention.ID})
	aliases, err3 := view.AliasesByKey(ctx, []tenure.AliasKey{r.alias.Key})
	decisions, err4 := view.IdentityDecisionsOn(ctx, []tenure.ID{r.alias.Entity})
	reviews, err5 := view.Reviews(ctx, []tenure.ID{r.review.ID})
	receipts, err6 := view.Receipts(ctx, []string{r.Set.Key.Scope})
	return []any{entities, mentions, aliases, decisions, reviews, string(receipts[r.Set.Key.Scope].Answer)},
		errors.Join(err1, err2, err3, err4, err5, err6)
}
