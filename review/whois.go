package review

import (
	"context"
	"encoding/json"
	"slices"

	"tenure"
	"tenure/ledger"
	"tenure/projection"
	"tenure/registry"
)

// slotLimit bounds the slots that one verdict may touch.
const slotLimit = 20_000

// judgement is the work on one decision about who is who. It gathers what the
// decision makes of entities, so that standings are worked out on that.
type judgement struct {
	draft    *ledger.Txn
	mint     tenure.Mint
	actor    string
	reviewer string // who it is, where the credential says so
	entities map[tenure.ID]tenure.Entity
	order    []tenure.ID // of entities
	slots    []tenure.Slot
	moves    []tenure.ClaimMoved
	changes  []tenure.Change
	parted   *tenure.Review // of mentions that were split off to be decided
}

func newJudgement(d *ledger.Txn, m tenure.Mint, actor string) *judgement {
	return &judgement{draft: d, mint: m, actor: actor, entities: map[tenure.ID]tenure.Entity{}}
}

// put gives an entity its next version.
func (j *judgement) put(e tenure.Entity) {
	if _, ok := j.entities[e.ID]; !ok {
		j.order = append(j.order, e.ID)
	}
	j.entities[e.ID] = e
}

// entity is the version that the decision leads to; nil if there is none.
func (j *judgement) entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error) {
	if e, ok := j.entities[id]; ok {
		return &e, nil
	}
	return j.draft.Entity(ctx, id)
}

func (j *judgement) root(ctx context.Context, id tenure.ID) (*tenure.Entity, error) {
	e, err := j.entity(ctx, id)
	if e == nil || err != nil || e.Root() == id {
		return e, err
	}
	return j.entity(ctx, e.Root())
}

// Entity makes a judgement readable like a draft.
func (j *judgement) Entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error) {
	return j.entity(ctx, id)
}

// touch has the slots of an entity worked out anew: those about it, those that
// say it, and the same slots of another subject that it joins or leaves.
func (j *judgement) touch(ctx context.Context, id tenure.ID, others ...tenure.ID) error {
	about, err := j.draft.SlotsAbout(ctx, id, slotLimit)
	if err != nil {
		return err
	}
	referring, err := j.draft.SlotsReferring(ctx, id)
	if err != nil {
		return err
	}
	for _, s := range about {
		j.slots = append(j.slots, s)
		for _, o := range others {
			s.Subject = o
			j.slots = append(j.slots, s)
		}
	}
	j.slots = append(j.slots, referring...)
	if len(j.slots) > 2*slotLimit {
		return tenure.Errorf(tenure.Unprocessable, "this touches more than %d slots", slotLimit)
	}
	return nil
}

// finish works out the standings and makes the change set.
func (j *judgement) finish(ctx context.Context, answer func(projection.Projection) any) (tenure.ChangeSet, error) {
	if err := j.draft.Load(ctx, ledger.Prefetch{Slots: j.slots}); err != nil {
		return tenure.ChangeSet{}, err
	}
	p, err := projection.Project(ctx, j.draft, projection.Evidence{
		Slots: j.slots, Moves: j.moves, Entities: j.entities,
	}, j.mint.Now)
	if err != nil {
		return tenure.ChangeSet{}, err
	}
	var changes []tenure.Change
	for _, id := range j.order {
		changes = append(changes, tenure.EntityPut{Entity: j.entities[id]})
	}
	changes = append(changes, j.changes...)
	for _, m := range j.moves {
		changes = append(changes, m)
	}
	body, err := json.Marshal(answer(p))
	if err != nil {
		return tenure.ChangeSet{}, &tenure.Error{Code: tenure.Internal, Message: "the answer has no JSON form", Err: err}
	}
	return tenure.ChangeSet{Changes: append(changes, p.Changes...), Answer: body}, nil
}

// reroot gives all members of some roots the roots that the verdicts about them
// make, with those that are new or changed.
func (j *judgement) reroot(ctx context.Context, roots []tenure.Entity, changed []tenure.Verdict, free map[tenure.ID]tenure.EntityStatus) ([]tenure.Entity, error) {
	var entities []tenure.Entity
	newest := map[tenure.ID]tenure.Verdict{}
	for _, root := range roots {
		members, err := registry.Members(ctx, j, root)
		if err != nil {
			return nil, err
		}
		entities = append(entities, members...)
		for _, e := range members {
			verdicts, err := j.draft.VerdictsOn(ctx, e.ID)
			if err != nil {
				return nil, err
			}
			for _, v := range verdicts {
				newest[v.ID] = v
			}
		}
	}
	for _, v := range changed {
		newest[v.ID] = v
	}
	var verdicts []tenure.Verdict
	for _, v := range newest {
		verdicts = append(verdicts, v)
	}
	next := registry.NewForest(verdicts).Reroot(entities, free)
	for _, e := range next {
		j.put(e)
	}
	return next, nil
}

// visible refuses an entity that the caller may not know of, "" pointing at the
// path.
func visible(ctx context.Context, d *ledger.Txn, c tenure.Caller, id tenure.ID, pointer string) error {
	e, err := d.Entity(ctx, id)
	switch {
	case err != nil:
		return err
	case e != nil && c.Within(tenure.Scope{ProjectID: e.Project}):
		return nil
	case pointer == "":
		return tenure.Errorf(tenure.NotFound, "there is no such entity")
	}
	return tenure.FieldError(tenure.Unprocessable, pointer, "there is no such entity")
}

// beliefChanges is what a verdict did to beliefs.
type beliefChanges struct {
	Restored  []tenure.ID `json:"restored"`
	Displaced []tenure.ID `json:"displaced"`
}

func changesIn(p projection.Projection) beliefChanges {
	return beliefChanges{Restored: without(p.Restored(), ""), Displaced: without(p.Displaced(), "")}
}

// maxEvents bounds the events that a review carries along; the log has all of
// its versions.
const maxEvents = 100

// event is the review with what somebody does with it written down.
func (j *judgement) event(r tenure.Review, action string, into tenure.ID, note string) tenure.Review {
	r.Events = append(slices.Clip(r.Events), tenure.ReviewEvent{
		At: j.mint.Now, Actor: j.actor, Reviewer: j.reviewer, Action: action, Into: into, Note: note,
	})
	r.Events = r.Events[max(0, len(r.Events)-maxEvents):]
	return r
}

// closeReview settles a review with a decision; v is the merge, if it is one.
func (j *judgement) closeReview(r tenure.Review, decision string, v tenure.Verdict, note string) tenure.Review {
	r = j.event(released(r), decision, v.Into, note)
	r.State, r.Decision, r.Into, r.Verdict = tenure.ReviewSettled, decision, v.Into, v.ID
	r.DecidedBy, r.DecidedAt, r.Note = j.actor, j.mint.Now, note
	r.Version++
	return r
}

// reopen asks again what had been settled.
func (j *judgement) reopen(r tenure.Review, note string) tenure.Review {
	r = j.event(r, Reopened, "", note)
	r.State, r.Decision, r.Into, r.Verdict = tenure.ReviewOpen, "", "", ""
	r.DecidedBy, r.DecidedAt, r.Note, r.FromStatus = "", 0, "", ""
	r.Version++
	return r
}

// asked puts the open reviews about entities again, as what waits for them has
// changed.
func (j *judgement) asked(ctx context.Context, entities []tenure.ID) error {
	for _, id := range entities {
		reviews, err := j.draft.ReviewsOf(ctx, id)
		if err != nil {
			return err
		}
		for _, r := range reviews {
			if r.State == tenure.ReviewOpen {
				r.Version++
				j.changes = append(j.changes, tenure.ReviewPut{Review: r})
			}
		}
	}
	return nil
}

// asksAbout tells whether the review asks if the two are the same.
func asksAbout(r tenure.Review, entity tenure.ID, others []tenure.ID) bool {
	return r.Entity == entity && slices.ContainsFunc(r.Candidates, func(c tenure.Candidate) bool { return slices.Contains(others, c.Entity) })
}
