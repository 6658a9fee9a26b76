package ledger

import (
	"cmp"
	"context"
	"slices"

	"tenure"
	"tenure/store"
)

// The reads below record the conflict key of what they return: if another writer changes it before the
// decision is applied, the decision is taken again.

// AliasesByKey lists the aliases with the alias key.
func (t *Txn) AliasesByKey(ctx context.Context, key tenure.AliasKey) ([]tenure.Alias, error) {
	t.read(tenure.AliasConflict(key))
	err := load(ctx, t.aliasesOfKeys([]tenure.AliasKey{key}))
	return slices.Clip(t.aliases[key]), err
}

// CachedAliases is [Txn.AliasesByKey] without reading: it returns only what was loaded.
func (t *Txn) CachedAliases(key tenure.AliasKey) []tenure.Alias { return slices.Clip(t.aliases[key]) }

// AliasesOf lists the aliases of an entity.
func (t *Txn) AliasesOf(ctx context.Context, id tenure.ID) ([]tenure.Alias, error) {
	t.readEntity(id)
	err := load(ctx, t.entityAliasesOf([]tenure.ID{id}))
	return slices.Clip(t.entityAliases[id]), err
}

// Entity returns an entity, nil if it does not exist.
func (t *Txn) Entity(ctx context.Context, id tenure.ID) (*tenure.Entity, error) {
	t.readEntity(id)
	err := load(ctx, t.entitiesOf([]tenure.ID{id}))
	return t.entities[id], err
}

// readEntity records the conflict key of an entity, unless this transaction created the entity: then no other
// writer knows its id.
func (t *Txn) readEntity(id tenure.ID) {
	if _, put := own[tenure.EntityPut](t, id); !put || !t.fresh[id] {
		t.read(tenure.EntityConflict(id))
	}
}

// Slot returns everything that the standing of a slot's claims depends on. A claim that the decision moved is
// shown in its new slot, together with the claims and amendments that bear on it in the old one.
func (t *Txn) Slot(ctx context.Context, s tenure.Slot) (store.SlotState, error) {
	slots := append([]tenure.Slot{s}, t.origins(s)...)
	for _, slot := range slots {
		t.read(tenure.SlotConflict(slot))
	}
	if err := load(ctx, t.slotsOf(slots)); err != nil {
		return store.SlotState{}, err
	}
	key := s.Key()
	st := store.SlotState{Slot: s}
	for _, slot := range slots {
		have := t.slots[slot.Key()]
		st.Amendments = append(st.Amendments, have.amendments...)
		for _, c := range have.superseders {
			st.Superseders = append(st.Superseders, *c)
		}
	}
	here := t.slots[key]
	st.Beliefs = make([]tenure.Belief, 0, len(here.beliefs))
	for _, id := range here.beliefs {
		if m := t.moves[id]; m == nil || m.to.Key() == key {
			st.Beliefs = append(st.Beliefs, *t.beliefs[id])
		}
	}
	for _, id := range t.arrivals[key] {
		if !slices.Contains(here.beliefs, id) {
			st.Beliefs = append(st.Beliefs, *t.beliefs[id])
		}
	}
	for _, id := range here.cases {
		st.Cases = append(st.Cases, *t.cases[id])
	}
	return st, nil
}

// origins lists the other slots, each once, from which claims were moved into a slot.
func (t *Txn) origins(s tenure.Slot) []tenure.Slot {
	key := s.Key()
	var list []tenure.Slot
	for _, id := range t.arrivals[key] {
		from := t.moves[id].from
		same := func(o tenure.Slot) bool { return o.Key() == from.Key() }
		if !same(s) && !slices.ContainsFunc(list, same) {
			list = append(list, from)
		}
	}
	return list
}

// Belief returns a belief, nil if it does not exist.
func (t *Txn) Belief(ctx context.Context, id tenure.ID) (*tenure.Belief, error) {
	t.readBelief(id)
	err := load(ctx, t.beliefsOf([]tenure.ID{id}))
	return t.beliefs[id], err
}

// readBelief records the conflict key of a belief, unless this transaction added its claim.
func (t *Txn) readBelief(id tenure.ID) {
	if _, added := own[tenure.ClaimAdded](t, id); !added {
		t.read(tenure.BeliefConflict(id))
	}
}

// CachedBelief is [Txn.Belief] without reading: it returns only what was loaded.
func (t *Txn) CachedBelief(id tenure.ID) *tenure.Belief { return t.beliefs[id] }

// ByKey lists the beliefs whose claims carry the claim key.
func (t *Txn) ByKey(ctx context.Context, key string) ([]*tenure.Belief, error) {
	t.read(tenure.ClaimKeyConflict(key))
	err := load(ctx, t.keys([]string{key}))
	return t.pick(t.byKey[key]), err
}

// CachedByKey is [Txn.ByKey] without reading: it returns only what was loaded.
func (t *Txn) CachedByKey(key string) []*tenure.Belief { return t.pick(t.byKey[key]) }

// Dependents lists the beliefs that depend directly on a belief.
func (t *Txn) Dependents(ctx context.Context, id tenure.ID) ([]*tenure.Belief, error) {
	t.readBelief(id)
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

// IdentityDecisionsOn lists the identity decisions with the entity on either side, undone decisions included.
func (t *Txn) IdentityDecisionsOn(ctx context.Context, id tenure.ID) ([]tenure.IdentityDecision, error) {
	t.readEntity(id)
	err := load(ctx, t.identityDecisionsOn([]tenure.ID{id}))
	return t.decisions[id], err
}

// ReviewsOf lists the reviews that ask about the entity.
func (t *Txn) ReviewsOf(ctx context.Context, id tenure.ID) ([]tenure.Review, error) {
	list, err := t.acceptedReviews(ctx, id)
	for _, c := range t.changes[t.mark:] {
		if put, ok := c.(tenure.ReviewPut); ok && put.Review.Entity == id {
			list = withReview(list, put.Review)
		}
	}
	return list, err
}

// acceptedReviews is [Txn.ReviewsOf] without the changes of the current decision.
func (t *Txn) acceptedReviews(ctx context.Context, id tenure.ID) ([]tenure.Review, error) {
	t.readEntity(id)
	if list, ok := t.reviews[id]; ok || t.fresh[id] {
		return list, nil
	}
	found, err := t.base.ListReviews(ctx, store.ReviewQuery{Entity: id})
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(found, func(r tenure.Review) bool { return r.Entity != id })
	for _, c := range t.changes[:t.mark] {
		if put, ok := c.(tenure.ReviewPut); ok && put.Review.Entity == id {
			list = withReview(list, put.Review)
		}
	}
	t.reviews[id] = list
	return list, nil
}

// Opens reports whether the decision opens the review, which then has no earlier version.
func (t *Txn) Opens(ctx context.Context, r tenure.Review) (bool, error) {
	before, err := t.acceptedReviews(ctx, r.Entity)
	return !slices.ContainsFunc(before, func(o tenure.Review) bool { return o.ID == r.ID }), err
}

// The reads below are for exclusive decisions: of the pending changes they show only those of the decision
// itself.

// Review returns a review, nil if it does not exist.
func (t *Txn) Review(ctx context.Context, id tenure.ID) (*tenure.Review, error) {
	t.read(tenure.ReviewConflict(id))
	if put, ok := own[tenure.ReviewPut](t, id); ok {
		return &put.Review, nil
	}
	return one(t.base.Reviews(ctx, []tenure.ID{id}))
}

// IdentityDecision returns an identity decision, nil if it does not exist.
func (t *Txn) IdentityDecision(ctx context.Context, id tenure.ID) (*tenure.IdentityDecision, error) {
	if put, ok := own[tenure.IdentityDecisionPut](t, id); ok {
		return &put.Decision, nil
	}
	v, err := one(t.base.IdentityDecisions(ctx, []tenure.ID{id}))
	if v != nil {
		t.read(tenure.EntityConflict(v.From))
	}
	return v, err
}

func one[T any](found []T, err error) (*T, error) {
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// Mentions returns mentions with their assigned entities.
func (t *Txn) Mentions(ctx context.Context, ids []tenure.ID) ([]store.MentionRecord, error) {
	found, err := t.base.Mentions(ctx, ids)
	for i, m := range found {
		t.read(tenure.EntityConflict(m.Assignment.Entity))
		t.mentions[m.Mention.ID] = m.Mention
		if put, ok := own[tenure.MentionAssigned](t, m.Mention.ID); ok {
			found[i].Assignment = put.Assignment
		}
	}
	for _, id := range ids {
		if put, ok := own[tenure.MentionAdded](t, id); ok {
			assigned, _ := own[tenure.MentionAssigned](t, id)
			found = append(found, store.MentionRecord{Mention: put.Mention, Assignment: assigned.Assignment})
		}
	}
	return found, err
}

// MentionsOf lists all mentions of an entity, sorted by id.
func (t *Txn) MentionsOf(ctx context.Context, id tenure.ID) ([]tenure.Mention, error) {
	t.readEntity(id)
	list, err := t.storedMentions(ctx, id)
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(m tenure.Mention) bool {
		put, ok := own[tenure.MentionAssigned](t, m.ID)
		return ok && put.Assignment.Entity != id
	})
	stored := len(list)
	for _, c := range t.changes[t.mark:] {
		put, ok := c.(tenure.MentionAssigned)
		is := func(m tenure.Mention) bool { return m.ID == put.Assignment.Mention }
		if !ok || put.Assignment.Entity != id || slices.ContainsFunc(list, is) {
			continue
		}
		found, err := t.mention(ctx, put.Assignment.Mention)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	for i, m := range list {
		if _, ok := own[tenure.ContentErased](t, m.ID); ok {
			list[i] = m.Erase()
		}
	}
	if len(list) > stored {
		slices.SortFunc(list, func(a, b tenure.Mention) int { return cmp.Compare(a.ID, b.ID) })
	}
	return list, nil
}

func (t *Txn) storedMentions(ctx context.Context, id tenure.ID) ([]tenure.Mention, error) {
	const page = 1000
	var list []tenure.Mention
	for !t.fresh[id] {
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
	return list, nil
}

// mention returns a mention that the decision assigned, as a list of one, or an empty list if the mention
// does not exist.
func (t *Txn) mention(ctx context.Context, id tenure.ID) ([]tenure.Mention, error) {
	if put, ok := own[tenure.MentionAdded](t, id); ok {
		return []tenure.Mention{put.Mention}, nil
	}
	if m, ok := t.mentions[id]; ok {
		return []tenure.Mention{m}, nil
	}
	found, err := t.base.Mentions(ctx, []tenure.ID{id})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return []tenure.Mention{found[0].Mention}, nil
}

// Observed reports whether an observation exists. Other writers may derive its id too: that of a further reading.
func (t *Txn) Observed(ctx context.Context, id tenure.ID) (bool, error) {
	t.read(tenure.ObservationConflict(id))
	for _, c := range pendingOf[tenure.ObservationAdded](t) {
		if c.Observation.ID == id {
			return true, nil
		}
	}
	found, err := t.base.Observations(ctx, []tenure.ID{id})
	return len(found) > 0, err
}

// ClaimsOf lists the claims of an observation.
func (t *Txn) ClaimsOf(ctx context.Context, observation tenure.ID) ([]tenure.Belief, error) {
	o, err := t.base.Observation(ctx, observation)
	if err != nil {
		return nil, err
	}
	found, err := t.base.Beliefs(ctx, o.Observation.Claims)
	for i := range found {
		id := found[i].Claim.ID
		t.read(tenure.BeliefConflict(id))
		t.remember(&found[i])
		found[i] = *t.beliefs[id]
	}
	return found, err
}

// SlotsAbout lists the slots of the claims about the entity. It fails with Unprocessable if there are more
// than limit.
func (t *Txn) SlotsAbout(ctx context.Context, id tenure.ID, limit int) ([]tenure.Slot, error) {
	t.read(tenure.SubjectConflict(id))
	return t.walkSlots(ctx, store.BeliefQuery{Subject: id}, limit,
		func(c tenure.Claim) bool { return c.Subject == id })
}

// SlotsReferring lists the slots of the claims whose value is the entity.
func (t *Txn) SlotsReferring(ctx context.Context, id tenure.ID) ([]tenure.Slot, error) {
	t.read(tenure.ObjectConflict(id))
	found, err := t.base.Referring(ctx, []tenure.ID{id})
	s := slotSet{}
	for _, b := range found {
		s.add(b.Claim)
	}
	return s.list, err
}

// Referring lists the beliefs whose value is the entity, pending ones too, in the order in which they came.
func (t *Txn) Referring(ctx context.Context, id tenure.ID) ([]tenure.Belief, error) {
	t.read(tenure.ObjectConflict(id))
	found, err := t.base.Referring(ctx, []tenure.ID{id})
	if err != nil {
		return nil, err
	}
	list := make([]tenure.Belief, 0, len(found))
	for i := range found {
		t.remember(&found[i])
		list = append(list, *t.beliefs[found[i].Claim.ID])
	}
	for _, c := range pendingOf[tenure.ClaimAdded](t) {
		if c.Claim.Value.Entity == id {
			list = append(list, *t.beliefs[c.Claim.ID])
		}
	}
	return list, nil
}

// slotSet collects the slots of claims, each once.
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

// walkSlots lists the slots of the claims that the query selects and keep accepts.
func (t *Txn) walkSlots(
	ctx context.Context, q store.BeliefQuery, limit int, keep func(tenure.Claim) bool,
) ([]tenure.Slot, error) {
	var s slotSet
	const page = 1000
	for q.Limit = page; ; {
		list, err := t.base.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, b := range list {
			if keep(b.Claim) {
				s.add(b.Claim)
			}
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
		if keep(c.Claim) {
			s.add(c.Claim)
		}
	}
	return s.list, nil
}

// commonKnowledge reports whether every caller of the tenant may see the claim. A claim that is visible in
// one scope only must not influence entity resolution in another.
func commonKnowledge(c tenure.Claim) bool {
	return c.Scope.Canonical() == tenure.Scope{}.Canonical() && c.Classification.Rank() <= tenure.Restricted.Rank() &&
		len(c.Permission.AllowRoles)+len(c.Permission.DenyRoles) == 0
}

// relatedMost bounds the relations that Related reads of an entity, in each direction.
const relatedMost = 32

// Related lists the roots that beliefs relate the entities to, in the state of the store. Pending changes are
// left out, and a relation that another writer adds is no conflict.
func (t *Txn) Related(ctx context.Context, ids []tenure.ID) ([]tenure.ID, error) {
	return t.RelatedIn(ctx, t.base, ids)
}

// factsMost bounds the beliefs that Facts reads of an entity.
const factsMost = 256

// Facts lists beliefs that are held of the entities now, in the state of the store. Pending changes are left out, and a
// belief that another writer adds is no conflict.
func (t *Txn) Facts(ctx context.Context, ids []tenure.ID) ([]tenure.Belief, error) {
	return t.FactsIn(ctx, t.base, ids)
}

// FactsIn is [Txn.Facts] by another view of the state.
func (t *Txn) FactsIn(ctx context.Context, view store.Reader, ids []tenure.ID) ([]tenure.Belief, error) {
	_, now := view.State()
	return view.Facts(ctx, ids, tenure.Window{From: now, Until: now + 1}, factsMost)
}

// Stored returns the state of the store that the transaction is based on.
func (t *Txn) Stored() store.Reader { return t.base }

// RelatedIn is [Txn.Related] by the beliefs of another view of the state.
func (t *Txn) RelatedIn(ctx context.Context, view store.Reader, ids []tenure.ID) ([]tenure.ID, error) {
	_, now := view.State()
	found, err := view.Relations(ctx, ids, tenure.Window{From: now, Until: now + 1}, relatedMost)
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

// Case returns a case, nil if it does not exist.
func (t *Txn) Case(ctx context.Context, id tenure.ID) (*tenure.Case, error) {
	t.read(tenure.CaseConflict(id))
	err := load(ctx, t.casesOf([]tenure.ID{id}))
	return t.cases[id], err
}

// Document returns a document, which may be withdrawn; nil if it does not exist.
func (t *Txn) Document(ctx context.Context, id tenure.ID) (*tenure.Document, error) {
	t.read(tenure.DocumentConflict(id))
	err := load(ctx, t.documentsOf([]tenure.ID{id}))
	return t.documents[id], err
}

// Vocabulary returns a vocabulary. A vocabulary that was never put is open and empty.
func (t *Txn) Vocabulary(ctx context.Context, name string) (tenure.Vocabulary, error) {
	t.read(tenure.VocabularyConflict(name))
	err := load(ctx, t.vocabularies([]string{name}))
	if v := t.words[name]; v != nil {
		return *v, err
	}
	return tenure.Vocabulary{Name: name}, err
}

// Term returns a term that is defined and not removed, nil otherwise.
func (t *Txn) Term(ctx context.Context, id string) (*tenure.Term, error) {
	t.read(tenure.TermConflict(id))
	err := load(ctx, t.termsOf([]string{id}))
	if term := t.terms[id]; term != nil && !term.Removed {
		return term, err
	}
	return nil, err
}

// TermsOf lists the terms of a vocabulary, without those that were removed.
func (t *Txn) TermsOf(ctx context.Context, vocabulary string) ([]tenure.Term, error) {
	t.read(tenure.VocabularyConflict(vocabulary))
	const page = 1000
	var list []tenure.Term
	for after := ""; ; after = list[len(list)-1].Name {
		found, err := t.base.ListTerms(ctx, vocabulary, after, page)
		list = append(list, found...)
		if err != nil || len(found) < page {
			return list, err
		}
	}
}

// CachedVocabulary is [Txn.Vocabulary] without reading: it returns only what was loaded.
func (t *Txn) CachedVocabulary(name string) tenure.Vocabulary {
	if v := t.words[name]; v != nil {
		return *v
	}
	return tenure.Vocabulary{Name: name}
}

// CachedTerm is [Txn.Term] without reading: it returns only what was loaded.
func (t *Txn) CachedTerm(id string) *tenure.Term {
	if term := t.terms[id]; term != nil && !term.Removed {
		return term
	}
	return nil
}

// Touch adds a slot that the decision read by other means to the read set.
func (t *Txn) Touch(s tenure.Slot) { t.read(tenure.SlotConflict(s)) }

// CachedStanding lists the beliefs of a cached slot that stand in some segment, without reading.
func (t *Txn) CachedStanding(s tenure.Slot) []tenure.ID {
	ds, ok := t.slots[s.Key()]
	if !ok {
		return nil
	}
	var list []tenure.ID
	for _, id := range ds.beliefs {
		if !t.beliefs[id].Standing.Span().Empty() {
			list = append(list, id)
		}
	}
	return list
}

// CachedEntity is [Txn.Entity] without reading: it returns only what was loaded.
func (t *Txn) CachedEntity(id tenure.ID) *tenure.Entity { return t.entities[id] }

// CachedWhole lists the cached entities among the root of an entity and its members, none if the root is not
// cached.
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

// CachedValues lists the entities that are values in a cached slot, without reading.
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

// SlotsOf lists the slots of a predicate. It fails with Unprocessable if there are more than limit.
func (t *Txn) SlotsOf(ctx context.Context, predicate string, limit int) ([]tenure.Slot, error) {
	t.read(tenure.PredicateConflict(predicate))
	return t.walkSlots(ctx, store.BeliefQuery{Predicate: predicate}, limit,
		func(c tenure.Claim) bool { return c.Predicate == predicate })
}

// Moved returns where the decision moved a claim, false if the decision did not move it.
func (t *Txn) Moved(claim tenure.ID) (tenure.ClaimMoved, bool) {
	return own[tenure.ClaimMoved](t, claim)
}
