package sqlite

import (
	"cmp"

	"tenure"
	"tenure/store"
	"tenure/store/engine"
)

var _ tenure.ChangeVisitor = (*batch)(nil)

// ObservationAdded inserts the observation, and links it to every entity of which it proposes a change.
func (b *batch) ObservationAdded(c tenure.ObservationAdded) error {
	body, err := engine.Encode(c.Observation)
	o := c.Observation
	b.insert(observationTable, string(o.ID), b.tx, body, int64(o.ObservedAt),
		store.BySession.Field(o), store.ByProject.Field(o), store.BySpeaker.Field(o), store.ByThread.Field(o),
		store.ByProposal.Field(o), store.ByTextSpeaker.Field(o), store.ByTextThread.Field(o))
	for _, e := range o.ProposesOf() {
		b.insert(proposalTable, string(e), b.tx, string(o.ID), engine.Place(o.Scope))
	}
	return err
}

// MentionAdded inserts the mention.
func (b *batch) MentionAdded(c tenure.MentionAdded) error {
	body, err := engine.Encode(c.Mention)
	b.insert(mentionTable, string(c.Mention.ID), b.tx, string(c.Mention.Observation), body)
	return err
}

// MentionAssigned puts the next version of the assignment.
func (b *batch) MentionAssigned(c tenure.MentionAssigned) error {
	body, err := engine.Encode(c.Assignment)
	b.put(assignmentTable, false, []string{string(c.Assignment.Mention)}, string(c.Assignment.Entity), body)
	return err
}

// EntityPut puts the next version of the entity.
func (b *batch) EntityPut(c tenure.EntityPut) error {
	body, err := engine.Encode(c.Entity)
	b.put(entityTable, false, []string{string(c.Entity.ID)}, body)
	return err
}

// AliasAdded puts the next version of the alias.
func (b *batch) AliasAdded(c tenure.AliasAdded) error {
	body, err := engine.Encode(c.Alias)
	b.put(aliasTable, false, aliasRowKey(c.Alias), body)
	return err
}

// AliasClosed closes the version of the alias.
func (b *batch) AliasClosed(c tenure.AliasClosed) error {
	b.close(aliasTable, aliasRowKey(c.Alias))
	return nil
}

func aliasRowKey(o tenure.Alias) []string {
	return []string{o.Key.Kind, o.Key.Key, string(o.Entity), string(o.Mention)}
}

// IdentityDecisionPut puts the next version of the identity decision.
func (b *batch) IdentityDecisionPut(c tenure.IdentityDecisionPut) error {
	body, err := engine.Encode(c.Decision)
	b.put(identityDecisionTable, false, []string{string(c.Decision.ID)}, string(c.Decision.From), string(c.Decision.Into),
		body)
	return err
}

// ReviewPut puts the next version of the review, and links it to every entity that it names.
func (b *batch) ReviewPut(c tenure.ReviewPut) error {
	body, err := engine.Encode(c.Review)
	b.put(reviewTable, false, []string{string(c.Review.ID)}, string(c.Review.State), c.Review.Rank(), body)
	b.insert(aboutTable, string(c.Review.Entity), string(c.Review.ID))
	for _, o := range c.Review.Candidates {
		b.insert(aboutTable, string(o.Entity), string(c.Review.ID))
	}
	return err
}

// The kinds of link.
const (
	supersedes = 1
	dependsOn  = 2
)

// ClaimAdded inserts the claim, its slot and its links.
func (b *batch) ClaimAdded(added tenure.ClaimAdded) error {
	c := added.Claim
	body, value, err := encodeClaim(c)
	if err != nil {
		return err
	}
	slot := c.Slot()
	slotBody, err := engine.Encode(slot)
	if err != nil {
		return err
	}
	b.insert(claimTable, string(c.ID), b.tx, engine.Hash(slot.Key()), engine.Hash(c.Key), string(c.Subject), c.Predicate,
		string(c.Value.Entity), value, body, engine.Place(c.Scope), flag(c.Directs()))
	b.insert(slotTable, slot.Key(), b.tx, slotBody)
	for _, id := range c.Supersedes {
		b.insert(linkTable, supersedes, string(id), string(c.ID), b.tx)
	}
	for _, id := range c.DependsOn {
		b.insert(linkTable, dependsOn, string(id), string(c.ID), b.tx)
	}
	known := b.claims[c.ID]
	known.tx = b.tx
	b.claims[c.ID] = known
	return nil
}

// ClaimMoved inserts a further place of the claim, besides its original one.
func (b *batch) ClaimMoved(c tenure.ClaimMoved) error {
	body, err := engine.Encode(c.To)
	b.insert(relocationTable, string(c.Claim), engine.Hash(c.To.Key()), string(c.To.Subject), string(c.Object),
		c.To.Predicate)
	b.insert(slotTable, c.To.Key(), b.tx, body)
	return err
}

// StandingPut puts the next version of the standing.
func (b *batch) StandingPut(c tenure.StandingPut) error {
	body, err := engine.Encode(c.Standing)
	known := b.claims[c.Standing.Belief]
	from, until, gaps := spanOf(c.Standing)
	recorded := known.tx
	if recorded == 0 {
		recorded = b.tx // the claim follows in the same change set
	}
	object := cmp.Or(string(c.Standing.Object), known.object)
	b.put(standingTable, known.fresh, []string{string(c.Standing.Belief)}, string(c.Slot.Subject), object,
		recorded, from, until, flag(gaps), flag(c.Standing.Contested()), body, flag(c.Slot.Predicate == tenure.Remark))
	return err
}

// Amended inserts the amendment.
func (b *batch) Amended(c tenure.Amended) error {
	body, err := engine.Encode(c.Amendment)
	b.insert(amendmentTable, string(c.Amendment.Belief), b.tx, string(c.Amendment.ID), body)
	return err
}

// CasePut puts the next version of the case. A case across scopes has no slot.
func (b *batch) CasePut(c tenure.CasePut) error {
	body, err := engine.Encode(c.Case)
	slot := int64(0)
	if !c.Case.CrossScope {
		slot = engine.Hash(c.Case.Slot().Key())
	}
	b.put(caseTable, false, []string{string(c.Case.ID)}, slot, string(c.Case.Subject), string(c.Case.State),
		c.Case.Rank(), body)
	return err
}

// VocabularyPut puts the next version of the vocabulary.
func (b *batch) VocabularyPut(c tenure.VocabularyPut) error {
	body, err := engine.Encode(c.Vocabulary)
	b.put(vocabularyTable, false, []string{c.Vocabulary.Name}, body)
	return err
}

// TermPut puts the next version of the term.
func (b *batch) TermPut(c tenure.TermPut) error {
	body, err := engine.Encode(c.Term)
	b.put(termTable, false, []string{c.Term.ID()}, c.Term.Vocabulary, c.Term.Name, flag(c.Term.Removed), body)
	return err
}
