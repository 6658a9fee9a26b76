package registry

import (
	"context"
	"slices"

	"tenure"
	"tenure/audience"
	"tenure/ledger"
	"tenure/projection"
	"tenure/queue"
	"tenure/registry/forest"
	"tenure/store"
	"tenure/visible"
)

// identityTxn carries out one identity decision within a transaction.
type identityTxn struct {
	txn      *ledger.Txn
	mint     tenure.Mint
	actor    string
	reviewer string         // the person, where several share the credential
	caller   *tenure.Caller // nil for re-resolution
	slots    []tenure.Slot
}

func newIdentityTxn(txn *ledger.Txn, m tenure.Mint, actor string) *identityTxn {
	return &identityTxn{txn: txn, mint: m, actor: actor}
}

// seenBy has the answer tell of what a caller sees.
func (t *identityTxn) seenBy(c tenure.Caller) *identityTxn {
	t.caller = &c
	return t
}

func (t *identityTxn) root(ctx context.Context, id tenure.ID) (*tenure.Entity, error) {
	e, err := t.txn.Entity(ctx, id)
	if e == nil || err != nil || e.Root() == id {
		return e, err
	}
	return t.txn.Entity(ctx, e.Root())
}

// touch schedules the slots of an entity for reprojection: slots about the entity, slots with the entity as
// value, and the same slots of the subjects that the entity joins or leaves.
func (t *identityTxn) touch(ctx context.Context, id tenure.ID, others ...tenure.ID) error {
	about, err := t.txn.SlotsAbout(ctx, id, projection.MaxSlots)
	if err != nil {
		return err
	}
	referring, err := t.txn.SlotsReferring(ctx, id)
	if err != nil {
		return err
	}
	for _, s := range about {
		t.slots = append(t.slots, s)
		for _, o := range others {
			s.Subject = o
			t.slots = append(t.slots, s)
		}
	}
	t.slots = append(t.slots, referring...)
	if len(t.slots) > 2*projection.MaxSlots {
		return tenure.Errorf(tenure.Unprocessable, "this touches more than %d slots", projection.MaxSlots)
	}
	return nil
}

// finish projects the scheduled slots and returns the standings that changed of beliefs that the caller sees.
func (t *identityTxn) finish(ctx context.Context) (projection.Projection, error) {
	if err := t.txn.Load(ctx, ledger.Prefetch{Slots: t.slots}); err != nil {
		return projection.Projection{}, err
	}
	cause := projection.Cause{Slots: t.slots}
	if t.caller == nil {
		return projection.Project(ctx, t.txn, cause, t.mint.Now)
	}
	return visible.Project(ctx, t.txn, *t.caller, cause, t.mint.Now)
}

// reroot recomputes the roots of all members of some roots from their identity decisions; it writes and
// returns the entities that change.
func (t *identityTxn) reroot(
	ctx context.Context, roots []tenure.Entity, free map[tenure.ID]tenure.EntityStatus,
) ([]tenure.Entity, error) {
	var entities []tenure.Entity
	var decisions []tenure.IdentityDecision
	for _, root := range roots {
		members, err := Members(ctx, t.txn, root)
		if err != nil {
			return nil, err
		}
		entities = append(entities, members...)
		for _, e := range members {
			list, err := t.txn.IdentityDecisionsOn(ctx, e.ID)
			if err != nil {
				return nil, err
			}
			decisions = append(decisions, list...)
		}
	}
	next := forest.New(decisions).Reroot(entities, free)
	for _, e := range next {
		t.txn.Put(tenure.EntityPut{Entity: e})
	}
	return next, nil
}

// requireVisible returns an error if the caller cannot see the entity: NotFound if pointer is "", which stands for
// the path of the request, else Unprocessable at the pointer.
func requireVisible(ctx context.Context, txn *ledger.Txn, c tenure.Caller, id tenure.ID, pointer string) error {
	e, err := txn.Entity(ctx, id)
	switch {
	case err != nil:
		return err
	case e != nil && c.Within(tenure.Scope{ProjectID: e.Project}) && audience.Of(c).Sees(e.Label):
		return nil
	case pointer == "":
		return tenure.Errorf(tenure.NotFound, "there is no such entity")
	}
	return tenure.FieldError(tenure.Unprocessable, pointer, "there is no such entity")
}

// beliefChanges lists the beliefs that an identity decision restored or displaced.
type beliefChanges struct {
	Restored  []tenure.ID `json:"restored"`
	Displaced []tenure.ID `json:"displaced"`
}

func changesIn(p projection.Projection) beliefChanges {
	return beliefChanges{Restored: nonNil(p.Restored()), Displaced: nonNil(p.Displaced())}
}

// event returns the review with one more event.
func (t *identityTxn) event(r tenure.Review, action string, into tenure.ID, note string) tenure.Review {
	r.Events = queue.Remember(r.Events, tenure.ReviewEvent{
		At: t.mint.Now, Actor: t.actor, Reviewer: t.reviewer, Action: action, Into: into, Note: note,
	})
	return r
}

// closeReview settles a review; v is the merge, or zero if the review did not end in one.
func (t *identityTxn) closeReview(
	r tenure.Review, decision string, v tenure.IdentityDecision, note string,
) tenure.Review {
	r = t.event(released(r), decision, v.Into, note)
	r.State, r.Decision, r.Into, r.Merge = tenure.ReviewSettled, decision, v.Into, v.ID
	r.DecidedBy, r.DecidedAt, r.Note = t.actor, t.mint.Now, note
	r.Version++
	return r
}

// reopen returns a settled review to the state open.
func (t *identityTxn) reopen(r tenure.Review, note string) tenure.Review {
	r = t.event(r, eventReopened, "", note)
	r.State, r.Decision, r.Into, r.Merge = tenure.ReviewOpen, "", "", ""
	r.DecidedBy, r.DecidedAt, r.Note, r.FromStatus = "", 0, "", ""
	r.Version++
	return r
}

// bumpOpenReviews writes new versions of the open reviews about the entities that a split moved mentions from, because
// the pending mentions and beliefs behind these reviews have changed: where everybody sees the mentions who sees the
// entity.
func (t *identityTxn) bumpOpenReviews(
	ctx context.Context, split tenure.IdentityDecision, mentions []store.MentionRecord,
) error {
	labels := make(map[tenure.ID]tenure.Label, len(mentions))
	for _, m := range mentions {
		labels[m.Mention.ID] = m.Mention.Label
	}
	for _, id := range origins(split) {
		e, err := t.txn.Entity(ctx, id)
		if err != nil {
			return err
		}
		if e == nil || !slices.ContainsFunc(split.Moved, func(a tenure.Assignment) bool {
			label, found := labels[a.Mention]
			return a.Entity == id && found && e.Label.Covers(label)
		}) {
			continue
		}
		reviews, err := t.txn.ReviewsOf(ctx, id)
		if err != nil {
			return err
		}
		for _, r := range reviews {
			if r.State == tenure.ReviewOpen {
				r.Version++
				t.txn.Put(tenure.ReviewPut{Review: r})
			}
		}
	}
	return nil
}

// asksAbout reports whether the review asks if the two are the same entity.
func asksAbout(r tenure.Review, entity tenure.ID, others []tenure.ID) bool {
	return r.Entity == entity && slices.ContainsFunc(r.Candidates,
		func(c tenure.Candidate) bool { return slices.Contains(others, c.Entity) })
}

// nonNil returns a copy that encodes as a JSON list even if it is empty.
func nonNil(ids []tenure.ID) []tenure.ID { return append([]tenure.ID{}, ids...) }
