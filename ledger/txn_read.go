package ledger

import (
	"context"
	"slices"

	"tenure"
	"tenure/store"
)

// Owners lists who goes by the form.
func (t *Txn) Owners(ctx context.Context, f tenure.Form) ([]tenure.Owner, error) {
	t.read(tenure.FormCell(f))
	err := load(ctx, t.forms([]tenure.Form{f}))
	return t.owners[f], err
}

// CachedOwners is Owners without reading: what was not loaded is not there.
func (t *Txn) CachedOwners(f tenure.Form) []tenure.Owner { return t.owners[f] }

// OwnedBy lists the forms of an entity.
func (t *Txn) OwnedBy(ctx context.Context, id tenure.ID) ([]tenure.Owner, error) {
	t.read(tenure.EntityCell(id))
	err := load(ctx, t.ownedBy([]tenure.ID{id}))
	return t.owned[id], err
}

// Entity finds an entity; nil if there is none.
func (t *Txn) Entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error) {
	t.read(tenure.EntityCell(id))
	err := load(ctx, t.entitiesOf([]tenure.ID{id}))
	return t.entities[id], err
}

// Slot gives all that the standing of a slot's claims depends on.
func (t *Txn) Slot(ctx context.Context, s tenure.Slot) (store.SlotState, error) {
	t.read(tenure.SlotCell(s))
	if err := load(ctx, t.slotsOf([]tenure.Slot{s})); err != nil {
		return store.SlotState{}, err
	}
	ds := t.slots[s.Key()]
	st := store.SlotState{Slot: s, Amendments: slices.Clone(ds.amendments)}
	for _, id := range ds.beliefs {
		st.Beliefs = append(st.Beliefs, *t.beliefs[id])
	}
	for _, c := range ds.superseders {
		st.Superseders = append(st.Superseders, *c)
	}
	for _, id := range ds.cases {
		st.Cases = append(st.Cases, *t.cases[id])
	}
	return st, nil
}

// Belief finds a belief; nil if there is none.
func (t *Txn) Belief(ctx context.Context, id tenure.ID) (*tenure.Belief, error) {
	t.read(tenure.BeliefCell(id))
	err := load(ctx, t.beliefsOf([]tenure.ID{id}))
	return t.beliefs[id], err
}

// CachedBelief is Belief without reading: what was not loaded is not there.
func (t *Txn) CachedBelief(id tenure.ID) *tenure.Belief { return t.beliefs[id] }

// ByKey finds the beliefs whose claims carry the key.
func (t *Txn) ByKey(ctx context.Context, key string) ([]*tenure.Belief, error) {
	t.read(tenure.KeyCell(key))
	err := load(ctx, t.keys([]string{key}))
	return t.pick(t.byKey[key]), err
}

// CachedByKey is ByKey without reading: what was not loaded is not there.
func (t *Txn) CachedByKey(key string) []*tenure.Belief { return t.pick(t.byKey[key]) }

// Dependents finds the beliefs that depend directly on a belief.
func (t *Txn) Dependents(ctx context.Context, id tenure.ID) ([]*tenure.Belief, error) {
	t.read(tenure.BeliefCell(id))
	err := load(ctx, t.dependents([]tenure.ID{id}))
	return t.pick(t.depends[id]), err
}

func (t *Txn) pick(ids []tenure.ID) []*tenure.Belief {
	list := make([]*tenure.Belief, 0, len(ids))
	for _, id := range ids {
		list = append(list, t.beliefs[id])
	}
	return list
}

// VerdictsOn lists the verdicts of which the entity is a side, undone ones too.
func (t *Txn) VerdictsOn(ctx context.Context, id tenure.ID) ([]tenure.Verdict, error) {
	t.read(tenure.EntityCell(id))
	err := load(ctx, t.verdictsOn([]tenure.ID{id}))
	return t.verdicts[id], err
}

// ReviewsOf lists the reviews that ask about the entity.
func (t *Txn) ReviewsOf(ctx context.Context, id tenure.ID) ([]tenure.Review, error) {
	t.read(tenure.EntityCell(id))
	if list, ok := t.reviews[id]; ok || t.fresh[id] {
		return list, nil
	}
	found, err := t.base.ListReviews(ctx, store.ReviewQuery{Entity: id})
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(found, func(r tenure.Review) bool { return r.Entity != id })
	for _, c := range pendingOf[tenure.ReviewPut](t) {
		if c.Review.Entity == id {
			list = withReview(list, c.Review)
		}
	}
	t.reviews[id] = list
	return list, nil
}

// The reads below are for decisions that are taken alone: they see nothing that
// is pending.

// Review finds a review; nil if there is none.
func (t *Txn) Review(ctx context.Context, id tenure.ID) (*tenure.Review, error) {
	t.read(tenure.ReviewCell(id))
	return one(t.base.Reviews(ctx, []tenure.ID{id}))
}

// Verdict finds a verdict; nil if there is none.
func (t *Txn) Verdict(ctx context.Context, id tenure.ID) (*tenure.Verdict, error) {
	v, err := one(t.base.Verdicts(ctx, []tenure.ID{id}))
	if v != nil {
		t.read(tenure.EntityCell(v.From))
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
func (t *Txn) Mentions(ctx context.Context, ids []tenure.ID) ([]store.MentionRecord, error) {
	found, err := t.base.Mentions(ctx, ids)
	for _, m := range found {
		t.read(tenure.EntityCell(m.Assignment.Entity))
	}
	return found, err
}

// MentionsOf lists all mentions of an entity in order of their ids.
func (t *Txn) MentionsOf(ctx context.Context, id tenure.ID) ([]tenure.Mention, error) {
	t.read(tenure.EntityCell(id))
	const page = 1000
	var list []tenure.Mention
	for {
		after := tenure.ID("")
		if len(list) > 0 {
			after = list[len(list)-1].ID
		}
		found, err := t.base.MentionsOf(ctx, id, after, page)
		list = append(list, found...)
		if err != nil || len(found) < page {
			return list, err
		}
	}
}

// ClaimsOf lists the claims of an observation.
func (t *Txn) ClaimsOf(ctx context.Context, observation tenure.ID) ([]tenure.Belief, error) {
	o, err := t.base.Observation(ctx, observation)
	if err != nil {
		return nil, err
	}
	found, err := t.base.Beliefs(ctx, o.Observation.Claims)
	for i := range found {
		t.read(tenure.BeliefCell(found[i].Claim.ID))
		t.remember(&found[i])
	}
	return found, err
}

// SlotsAbout lists the slots in which something is claimed about the entity;
// more than limit of them is Unprocessable.
func (t *Txn) SlotsAbout(ctx context.Context, id tenure.ID, limit int) ([]tenure.Slot, error) {
	t.read(tenure.AboutCell(id))
	return t.walkSlots(ctx, store.BeliefQuery{Subject: id}, limit)
}

// SlotsReferring lists the slots in which something is claimed with the entity
// for a value.
func (t *Txn) SlotsReferring(ctx context.Context, id tenure.ID) ([]tenure.Slot, error) {
	t.read(tenure.ReferringCell(id))
	found, err := t.base.Referring(ctx, []tenure.ID{id})
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

func (t *Txn) walkSlots(ctx context.Context, q store.BeliefQuery, limit int) ([]tenure.Slot, error) {
	var s slotSet
	const page = 1000
	for q.Limit = page; ; {
		list, err := t.base.List(ctx, q)
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
	for _, c := range pendingOf[tenure.ClaimAdded](t) {
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
func (t *Txn) Related(ctx context.Context, ids []tenure.ID) ([]tenure.ID, error) {
	_, now := t.base.State()
	found, err := t.base.Relations(ctx, ids, tenure.Window{From: now, Until: now + 1}, relatedMost)
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
	if err := load(ctx, t.entitiesOf(ends)); err != nil {
		return nil, err
	}
	var roots []tenure.ID
	for _, id := range ends {
		if e := t.entities[id]; e != nil && !slices.Contains(roots, e.Root()) {
			roots = append(roots, e.Root())
		}
	}
	return roots, nil
}

// Case finds a case; nil if there is none.
func (t *Txn) Case(ctx context.Context, id tenure.ID) (*tenure.Case, error) {
	t.read(tenure.CaseCell(id))
	err := load(ctx, t.casesOf([]tenure.ID{id}))
	return t.cases[id], err
}

// Vocabulary finds a vocabulary; one that was never put is open and empty.
func (t *Txn) Vocabulary(ctx context.Context, name string) (tenure.Vocabulary, error) {
	t.read(tenure.VocabularyCell(name))
	err := load(ctx, t.vocabularies([]string{name}))
	if v := t.words[name]; v != nil {
		return *v, err
	}
	return tenure.Vocabulary{Name: name}, err
}

// Term finds a term that is defined and not removed; nil if there is none.
func (t *Txn) Term(ctx context.Context, id string) (*tenure.Term, error) {
	t.read(tenure.TermCell(id))
	err := load(ctx, t.termsOf([]string{id}))
	if term := t.terms[id]; term != nil && !term.Removed {
		return term, err
	}
	return nil, err
}

// CachedVocabulary is [Txn.Vocabulary] without reading: it returns only what was loaded.
func (d *Txn) CachedVocabulary(name string) tenure.Vocabulary {
	if v := d.words[name]; v != nil {
		return *v
	}
	return tenure.Vocabulary{Name: name}
}

// CachedTerm is [Txn.Term] without reading: it returns only what was loaded.
func (d *Txn) CachedTerm(id string) *tenure.Term {
	if t := d.terms[id]; t != nil && !t.Removed {
		return t
	}
	return nil
}

// Touch notes that a decision rests on a slot that it has read by other means.
func (t *Txn) Touch(s tenure.Slot) { t.read(tenure.SlotCell(s)) }

// CachedStanding lists the beliefs of a slot that stand somewhere, if the slot
// was loaded, without reading.
func (t *Txn) CachedStanding(s tenure.Slot) []tenure.ID {
	ds, ok := t.slots[s.Key()]
	if !ok {
		return nil
	}
	var list []tenure.ID
	for _, id := range ds.beliefs {
		if !store.Hull(t.beliefs[id].Standing).Empty() {
			list = append(list, id)
		}
	}
	return list
}

// CachedEntity is Entity without reading: what was not loaded is not there.
func (t *Txn) CachedEntity(id tenure.ID) *tenure.Entity { return t.entities[id] }

// CachedWhole lists the root of an entity and its members, as far as they were
// loaded; none where the root was not.
func (t *Txn) CachedWhole(id tenure.ID) []tenure.Entity {
	e := t.entities[id]
	if e == nil {
		return nil
	}
	root := t.entities[e.Root()]
	if root == nil {
		return nil
	}
	list := []tenure.Entity{*root}
	for _, id := range root.Members {
		if e := t.entities[id]; e != nil {
			list = append(list, *e)
		}
	}
	return list
}

// CachedValues lists the entities that the claims of a slot say, if the slot was
// loaded, without reading.
func (t *Txn) CachedValues(s tenure.Slot) []tenure.ID {
	ds, ok := t.slots[s.Key()]
	if !ok {
		return nil
	}
	var list []tenure.ID
	for _, id := range ds.beliefs {
		if v := t.beliefs[id].Claim.Value.Entity; v != "" {
			list = append(list, v)
		}
	}
	return list
}

// SlotsOf lists the slots of a predicate; more than limit of them is
// Unprocessable.
func (t *Txn) SlotsOf(ctx context.Context, predicate string, limit int) ([]tenure.Slot, error) {
	t.read(tenure.PredicateCell(predicate))
	return t.walkSlots(ctx, store.BeliefQuery{Predicate: predicate}, limit)
}
