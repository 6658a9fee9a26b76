package store

import (
	"context"
	"slices"

	"tenure"
)

// Owners lists who goes by the form.
func (d *Draft) Owners(ctx context.Context, f tenure.Form) ([]tenure.Owner, error) {
	d.read(tenure.FormCell(f))
	err := load(ctx, d.forms([]tenure.Form{f}))
	return d.owners[f], err
}

// KnownOwners is Owners without reading: what was not loaded is not there.
func (d *Draft) KnownOwners(f tenure.Form) []tenure.Owner { return d.owners[f] }

// OwnedBy lists the forms of an entity.
func (d *Draft) OwnedBy(ctx context.Context, id tenure.ID) ([]tenure.Owner, error) {
	d.read(tenure.EntityCell(id))
	err := load(ctx, d.ownedBy([]tenure.ID{id}))
	return d.owned[id], err
}

// Entity finds an entity; nil if there is none.
func (d *Draft) Entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error) {
	d.read(tenure.EntityCell(id))
	err := load(ctx, d.entitiesOf([]tenure.ID{id}))
	return d.entities[id], err
}

// Slot gives all that the standing of a slot's claims depends on.
func (d *Draft) Slot(ctx context.Context, s tenure.Slot) (SlotState, error) {
	d.read(tenure.SlotCell(s))
	if err := load(ctx, d.slotsOf([]tenure.Slot{s})); err != nil {
		return SlotState{}, err
	}
	ds := d.slots[s.Key()]
	st := SlotState{Slot: s, Amendments: slices.Clone(ds.amendments)}
	for _, id := range ds.beliefs {
		st.Beliefs = append(st.Beliefs, *d.beliefs[id])
	}
	for _, c := range ds.superseders {
		st.Superseders = append(st.Superseders, *c)
	}
	for _, id := range ds.cases {
		st.Cases = append(st.Cases, *d.cases[id])
	}
	return st, nil
}

// Belief finds a belief; nil if there is none.
func (d *Draft) Belief(ctx context.Context, id tenure.ID) (*tenure.Belief, error) {
	d.read(tenure.BeliefCell(id))
	err := load(ctx, d.beliefsOf([]tenure.ID{id}))
	return d.beliefs[id], err
}

// KnownBelief is Belief without reading: what was not loaded is not there.
func (d *Draft) KnownBelief(id tenure.ID) *tenure.Belief { return d.beliefs[id] }

// ByKey finds the beliefs whose claims carry the key.
func (d *Draft) ByKey(ctx context.Context, key string) ([]*tenure.Belief, error) {
	d.read(tenure.KeyCell(key))
	err := load(ctx, d.keys([]string{key}))
	return d.pick(d.byKey[key]), err
}

// KnownByKey is ByKey without reading: what was not loaded is not there.
func (d *Draft) KnownByKey(key string) []*tenure.Belief { return d.pick(d.byKey[key]) }

// Dependents finds the beliefs that depend directly on a belief.
func (d *Draft) Dependents(ctx context.Context, id tenure.ID) ([]*tenure.Belief, error) {
	d.read(tenure.BeliefCell(id))
	err := load(ctx, d.dependents([]tenure.ID{id}))
	return d.pick(d.depends[id]), err
}

func (d *Draft) pick(ids []tenure.ID) []*tenure.Belief {
	list := make([]*tenure.Belief, 0, len(ids))
	for _, id := range ids {
		list = append(list, d.beliefs[id])
	}
	return list
}

// VerdictsOn lists the verdicts of which the entity is a side, undone ones too.
func (d *Draft) VerdictsOn(ctx context.Context, id tenure.ID) ([]tenure.Verdict, error) {
	d.read(tenure.EntityCell(id))
	err := load(ctx, d.verdictsOn([]tenure.ID{id}))
	return d.verdicts[id], err
}

// ReviewsOf lists the reviews that ask about the entity.
func (d *Draft) ReviewsOf(ctx context.Context, id tenure.ID) ([]tenure.Review, error) {
	d.read(tenure.EntityCell(id))
	if list, ok := d.reviews[id]; ok || d.fresh[id] {
		return list, nil
	}
	found, err := d.base.ListReviews(ctx, ReviewQuery{Entity: id})
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(found, func(r tenure.Review) bool { return r.Entity != id })
	for _, c := range pending[tenure.ReviewPut](d) {
		if c.Review.Entity == id {
			list = withReview(list, c.Review)
		}
	}
	d.reviews[id] = list
	return list, nil
}

// The reads below are for decisions that are taken alone: they see nothing that
// is pending.

// Review finds a review; nil if there is none.
func (d *Draft) Review(ctx context.Context, id tenure.ID) (*tenure.Review, error) {
	d.read(tenure.ReviewCell(id))
	return one(d.base.Reviews(ctx, []tenure.ID{id}))
}

// Verdict finds a verdict; nil if there is none.
func (d *Draft) Verdict(ctx context.Context, id tenure.ID) (*tenure.Verdict, error) {
	v, err := one(d.base.Verdicts(ctx, []tenure.ID{id}))
	if v != nil {
		d.read(tenure.EntityCell(v.From))
	}
	return v, err
}

func one[T any](found []T, err error) (*T, error) {
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// Mentions finds mentions with what they are assigned to.
func (d *Draft) Mentions(ctx context.Context, ids []tenure.ID) ([]MentionRecord, error) {
	found, err := d.base.Mentions(ctx, ids)
	for _, m := range found {
		d.read(tenure.EntityCell(m.Assignment.Entity))
	}
	return found, err
}

// MentionsOf lists all mentions of an entity in order of their ids.
func (d *Draft) MentionsOf(ctx context.Context, id tenure.ID) ([]tenure.Mention, error) {
	d.read(tenure.EntityCell(id))
	const page = 1000
	var list []tenure.Mention
	for {
		after := tenure.ID("")
		if len(list) > 0 {
			after = list[len(list)-1].ID
		}
		found, err := d.base.MentionsOf(ctx, id, after, page)
		list = append(list, found...)
		if err != nil || len(found) < page {
			return list, err
		}
	}
}

// ClaimsOf lists the claims of an observation.
func (d *Draft) ClaimsOf(ctx context.Context, observation tenure.ID) ([]tenure.Belief, error) {
	o, err := d.base.Observation(ctx, observation)
	if err != nil {
		return nil, err
	}
	found, err := d.base.Beliefs(ctx, o.Observation.Claims)
	for i := range found {
		d.read(tenure.BeliefCell(found[i].Claim.ID))
		d.remember(&found[i])
	}
	return found, err
}

// SlotsAbout lists the slots in which something is claimed about the entity;
// more than limit of them is Unprocessable.
func (d *Draft) SlotsAbout(ctx context.Context, id tenure.ID, limit int) ([]tenure.Slot, error) {
	d.read(tenure.AboutCell(id))
	return d.walkSlots(ctx, BeliefQuery{Subject: id}, limit)
}

// SlotsReferring lists the slots in which something is claimed with the entity
// for a value.
func (d *Draft) SlotsReferring(ctx context.Context, id tenure.ID) ([]tenure.Slot, error) {
	d.read(tenure.ReferringCell(id))
	found, err := d.base.Referring(ctx, []tenure.ID{id})
	s := slotSet{}
	for _, b := range found {
		s.add(b.Claim)
	}
	return s.list, err
}

// slotSet gathers the slots of claims, once each.
type slotSet struct {
	list []tenure.Slot
	seen map[string]bool
}

func (s *slotSet) add(c tenure.Claim) {
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	if key := c.Slot().Key(); !s.seen[key] {
		s.seen[key] = true
		s.list = append(s.list, c.Slot())
	}
}

func (d *Draft) walkSlots(ctx context.Context, q BeliefQuery, limit int) ([]tenure.Slot, error) {
	var s slotSet
	const page = 1000
	for q.Limit = page; ; {
		list, err := d.base.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, b := range list {
			s.add(b.Claim)
			q.After = b.Claim.ID
		}
		if len(s.list) > limit {
			return nil, tenure.Errorf(tenure.Unprocessable, "this touches more than %d slots", limit)
		}
		if len(list) < page {
			break
		}
	}
	for _, c := range pending[tenure.ClaimAdded](d) {
		if q.Predicate != "" && c.Claim.Predicate == q.Predicate || q.Subject != "" && c.Claim.Subject == q.Subject {
			s.add(c.Claim)
		}
	}
	return s.list, nil
}

// commonKnowledge tells whether anybody of the tenant may know of the claim: what
// is known in one scope only is no ground to know somebody by elsewhere.
func commonKnowledge(c tenure.Claim) bool {
	return c.Scope.Normal() == tenure.Scope{}.Normal() && c.Classification.Rank() <= tenure.Restricted.Rank()
}

// relatedMost bounds the relations of an entity that Related looks at, in each
// direction.
const relatedMost = 32

// Related lists the roots that beliefs relate the entities to, as of the state
// of the store: what is pending is not among them, and nobody decides again
// when a relation is added.
func (d *Draft) Related(ctx context.Context, ids []tenure.ID) ([]tenure.ID, error) {
	_, now := d.base.State()
	found, err := d.base.Relations(ctx, ids, tenure.Window{From: now, Until: now + 1}, relatedMost)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	var ends []tenure.ID
	for _, b := range found {
		if !commonKnowledge(b.Claim) {
			continue
		}
		for _, end := range []tenure.ID{b.Claim.Subject, b.Claim.Value.Entity} {
			if !slices.Contains(ids, end) {
				ends = append(ends, end)
			}
		}
	}
	if err := load(ctx, d.entitiesOf(ends)); err != nil {
		return nil, err
	}
	var roots []tenure.ID
	for _, id := range ends {
		if e := d.entities[id]; e != nil && !slices.Contains(roots, e.Root()) {
			roots = append(roots, e.Root())
		}
	}
	return roots, nil
}

// Case finds a case; nil if there is none.
func (d *Draft) Case(ctx context.Context, id tenure.ID) (*tenure.Case, error) {
	d.read(tenure.CaseCell(id))
	err := load(ctx, d.casesOf([]tenure.ID{id}))
	return d.cases[id], err
}

// Vocabulary finds a vocabulary; one that was never put is open and empty.
func (d *Draft) Vocabulary(ctx context.Context, name string) (tenure.Vocabulary, error) {
	d.read(tenure.VocabularyCell(name))
	err := load(ctx, d.vocabularies([]string{name}))
	if v := d.words[name]; v != nil {
		return *v, err
	}
	return tenure.Vocabulary{Name: name}, err
}

// Term finds a term that is defined and not removed; nil if there is none.
func (d *Draft) Term(ctx context.Context, id string) (*tenure.Term, error) {
	d.read(tenure.TermCell(id))
	err := load(ctx, d.termsOf([]string{id}))
	if t := d.terms[id]; t != nil && !t.Removed {
		return t, err
	}
	return nil, err
}

// KnownVocabulary is Vocabulary without reading: what was not loaded is not there.
func (d *Draft) KnownVocabulary(name string) tenure.Vocabulary {
	if v := d.words[name]; v != nil {
		return *v
	}
	return tenure.Vocabulary{Name: name}
}

// KnownTerm is Term without reading: what was not loaded is not there.
func (d *Draft) KnownTerm(id string) *tenure.Term {
	if t := d.terms[id]; t != nil && !t.Removed {
		return t
	}
	return nil
}

// Touch notes that a decision rests on a slot that it has read by other means.
func (d *Draft) Touch(s tenure.Slot) { d.read(tenure.SlotCell(s)) }

// KnownStanding lists the beliefs of a slot that stand somewhere, if the slot
// was loaded, without reading.
func (d *Draft) KnownStanding(s tenure.Slot) []tenure.ID {
	ds, ok := d.slots[s.Key()]
	if !ok {
		return nil
	}
	var list []tenure.ID
	for _, id := range ds.beliefs {
		if !Hull(d.beliefs[id].Standing).Empty() {
			list = append(list, id)
		}
	}
	return list
}

// KnownEntity is Entity without reading: what was not loaded is not there.
func (d *Draft) KnownEntity(id tenure.ID) *tenure.Entity { return d.entities[id] }

// KnownWhole lists the root of an entity and its members, as far as they were
// loaded; none where the root was not.
func (d *Draft) KnownWhole(id tenure.ID) []tenure.Entity {
	e := d.entities[id]
	if e == nil {
		return nil
	}
	root := d.entities[e.Root()]
	if root == nil {
		return nil
	}
	list := []tenure.Entity{*root}
	for _, id := range root.Members {
		if e := d.entities[id]; e != nil {
			list = append(list, *e)
		}
	}
	return list
}

// KnownValues lists the entities that the claims of a slot say, if the slot was
// loaded, without reading.
func (d *Draft) KnownValues(s tenure.Slot) []tenure.ID {
	ds, ok := d.slots[s.Key()]
	if !ok {
		return nil
	}
	var list []tenure.ID
	for _, id := range ds.beliefs {
		if v := d.beliefs[id].Claim.Value.Entity; v != "" {
			list = append(list, v)
		}
	}
	return list
}

// SlotsOf lists the slots of a predicate; more than limit of them is
// Unprocessable.
func (d *Draft) SlotsOf(ctx context.Context, predicate string, limit int) ([]tenure.Slot, error) {
	d.read(tenure.PredicateCell(predicate))
	return d.walkSlots(ctx, BeliefQuery{Predicate: predicate}, limit)
}
